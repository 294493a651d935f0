/** What the tools really return is what the views read: the same figures on both sides. */
// @module-tag server
import { expect, test } from 'vitest';
import { readDividends } from '../../../src/features/views/model/read-dividends.ts';
import { type DraftModel, readDraft } from '../../../src/features/views/model/read-draft.ts';
import { readGains } from '../../../src/features/views/model/read-gains.ts';
import { readPortfolio } from '../../../src/features/views/model/read-portfolio.ts';
import { readTicket, type TicketModel } from '../../../src/features/views/model/read-ticket.ts';
import { drawDraft } from '../../../src/features/views/render/draw-draft.ts';
import { drawTicket } from '../../../src/features/views/render/draw-ticket.ts';
import { buildReportPage } from '../../../src/features/views/report-page.ts';
import { setup } from '../../support/setup.ts';
import { findModelText } from './model-text.ts';

test('the portfolio, the dividends and the gains are drawn with the figures of their tools', {
  tags: ['slow'],
}, async () => {
  const made = await setup();
  const whole = async (name: string, args: Record<string, unknown>) => {
    for (let calls = 0; calls < 10; calls++) {
      const { body } = await made.call(name, args);
      if (body.complete) return body;
      await made.clock.advance(60_000);
    }
    throw new Error(`${name} is not whole`);
  };
  const portfolio = await whole('analyze_portfolio', { by: 'instrument' });
  const dividends = await whole('summarize_dividends', { groupBy: 'month', project: true });
  const gains = await whole('summarize_realised_gains', { method: 'uk_section_104', taxYear: '2024/25' });

  const books = made.simulator.groundTruth();
  expect(readPortfolio(portfolio)?.holdings.length).toBe(books.positions.length);
  const drawn = readDividends(dividends);
  expect(drawn?.groupBy).toBe('month');
  expect(drawn?.trailingTwelveMonths).toBe(dividends.trailingTwelveMonths.amount);
  expect(drawn?.projection?.months.length).toBe(dividends.projection.rows.length);
  expect(readGains(gains)).toBeDefined();

  const page = buildReportPage({
    title: 'Report',
    madeAt: made.clock.now(),
    answers: { portfolio, dividends, gains },
    locale: 'en-GB',
  });
  const shown = (amount: string) => new Intl.NumberFormat('en-GB', { minimumFractionDigits: 2 }).format(Number(amount));
  for (const amount of [
    portfolio.totalValue,
    dividends.total,
    dividends.trailingTwelveMonths.amount,
    gains.totals.proceeds,
  ])
    expect(page).toContain(shown(amount));
});

test('an order that waits for approval is drawn with its end, its estimate and its warnings', async () => {
  const made = await setup({ config: { approval: 'elicitation' } });
  const { body } = await made.call('place_market_order', { ticker: 'QNOON_GB_EQ', side: 'BUY', quantity: 2 });
  expect(body.outcome, JSON.stringify(body)).toBe('pending_approval');
  const ticket = readTicket(body);
  expect(ticket?.approval?.expiresAt).toBe(Date.parse(body.approval.expiresAt));
  expect(ticket?.approval?.expiresAt).toBeGreaterThan(made.clock.now());
  expect(JSON.stringify(ticket)).toContain(body.approval.ticket.estimate.value);
});

test('a plan, its draft and its submission are drawn with the figures of their tools', { tags: ['slow'] }, async () => {
  const made = await setup();
  const tickers = ['QHALD_US_EQ', 'QBRAMl_EQ', 'QNOON_GB_EQ'];
  const targets = tickers.map((ticker, index) => ({ ticker, weightPercent: [50, 30, 20][index] }));
  const order = { orderType: 'LIMIT', timeValidity: 'DAY' };
  const { body: planned } = await made.call('plan_orders', { goal: 'rebalance', targets, band: 0, ...order });
  const cells = (body: { columns: string[]; rows: unknown[][] }, name: string) =>
    body.rows.map((row) => row[body.columns.indexOf(name)]);
  const model = readDraft(planned);
  expect(model?.weights.map(({ ticker, target }) => [ticker, target])).toEqual([
    ['QBRAMl_EQ', '30'],
    ['QHALD_US_EQ', '50'],
    ['QNOON_GB_EQ', '20'],
  ]);
  expect(model).toMatchObject({
    draftId: planned.draftId,
    currency: planned.currency,
    cashBefore: planned.cash.before,
    cashAfter: planned.cash.after,
    charges: planned.totals.charges,
  });
  const draw = (body: object) =>
    drawDraft(readDraft({ ...body }) as DraftModel, { locale: 'en-GB', timeZone: 'UTC', now: made.clock.now() }).markup;
  const markup = draw(planned);
  for (const quantity of cells(planned, 'quantity'))
    expect(markup).toContain(
      new Intl.NumberFormat('en-GB', { maximumFractionDigits: 20 }).format(quantity as `${number}`),
    );
  // The price of each leg has the currency of its instrument.
  const currencies: Record<string, string> = { QHALD_US_EQ: 'USD', QBRAMl_EQ: 'GBX', QNOON_GB_EQ: 'GBP' };
  expect(cells(planned, 'priceCurrency')).toEqual(cells(planned, 'ticker').map((ticker) => currencies[String(ticker)]));
  expect(markup).toContain('p (£');

  const { body: listed } = await made.call('list_drafts', { draftId: planned.draftId });
  expect(cells(listed, 'priceCurrency')).toEqual(cells(planned, 'priceCurrency'));
  expect(readDraft(listed)).toMatchObject({ isReviewed: true, isFunded: true, buys: listed.totals.bought });
  expect(draw(listed)).toContain(`<h3>${listed.rows.length} orders, all checks passed</h3>`);

  const { body: sent } = await made.call('submit_draft', { draftId: planned.draftId, version: planned.version });
  expect(readDraft(sent)?.attempt?.outcome).toBe(sent.outcome);
  for (const { orderId } of sent.legs) expect(draw(sent)).toContain(`<small>Order ${orderId}</small>`);
});

test('what the tools say while the history is being read is drawn without what the model should do', {
  tags: ['slow'],
}, async () => {
  const made = await setup();
  const answers: Record<string, unknown> = {};
  const questions = {
    portfolio: ['analyze_portfolio', { by: 'currency' }],
    dividends: ['summarize_dividends', { groupBy: 'country', project: true }],
    gains: ['summarize_realised_gains', { method: 'uk_section_104' }],
    returns: ['calculate_returns', {}],
    costs: ['summarize_costs', { groupBy: 'name' }],
  } as const;
  for (const [part, [tool, args]] of Object.entries(questions)) answers[part] = (await made.call(tool, args)).body;
  const { gains, dividends, returns, costs } = answers as Record<string, { complete: boolean; next: string }>;
  expect([gains, returns, costs, dividends].map((body) => body?.complete)).toContain(false);
  expect(gains?.next).toMatch(/call again|import_history/);
  const page = buildReportPage({ title: 'Report', madeAt: made.clock.now(), answers, locale: 'en-GB' });
  expect(findModelText(page.replace(/\b(same_day|thirty_day|section_104)\b/g, ''))).toEqual([]);
});

test('a preview, a plan and drafts are drawn without what the model should do', { tags: ['slow'] }, async () => {
  const made = await setup();
  const now = made.clock.now();
  const order = { type: 'MARKET', ticker: 'QNOON_GB_EQ', side: 'BUY', quantity: 2 };
  const drawn = async (tool: string, args: object) => {
    const { body } = await made.call(tool, { ...args });
    const model = readDraft(body);
    const look = { locale: 'en-GB', timeZone: 'UTC', now };
    return model ? drawDraft(model, look).markup : drawTicket(readTicket(body) as TicketModel, look).markup;
  };
  const { body: saved } = await made.call('save_draft', { name: 'One', legs: [order] });
  const { body: twin } = await made.call('save_draft', { name: 'Two', legs: [{ ...order, quantity: 3 }] });
  const texts = [
    await drawn('preview_order', order),
    await drawn('preview_order', { ...order, quantity: 1_000_000 }),
    await drawn('plan_orders', {
      goal: 'invest',
      amount: 500,
      targets: [{ ticker: 'QNOON_GB_EQ', weightPercent: 100 }],
    }),
    await drawn('plan_orders', { goal: 'invest', amount: 200, every: 'month 1' }),
    await drawn('list_drafts', {}),
    await drawn('submit_draft', { draftId: saved.draftId, version: saved.version }),
    await drawn('submit_draft', { draftId: saved.draftId, version: saved.version }),
    // Repeats the trade of the first.
    await drawn('list_drafts', { draftId: twin.draftId }),
    await drawn('submit_draft', { draftId: twin.draftId, version: twin.version }),
    await drawn('place_market_order', { ticker: 'QNOON_GB_EQ', side: 'BUY', quantity: 1_000_000 }),
  ];
  expect(texts.map(findModelText)).toEqual(texts.map(() => []));
});
