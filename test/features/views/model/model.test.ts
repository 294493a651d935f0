/** From what a host passes on to what is drawn: either form of a result, and whatever may be missing. */
import { describe, expect, test } from 'vitest';
import { formatErrorText } from '../../../../src/core/mcp/tool-result.ts';
import { readResult, toDecimal, toRows, toTimestamp } from '../../../../src/features/views/model/read-answer.ts';
import { readDividends } from '../../../../src/features/views/model/read-dividends.ts';
import { readDraft } from '../../../../src/features/views/model/read-draft.ts';
import { readGains } from '../../../../src/features/views/model/read-gains.ts';
import { readPortfolio } from '../../../../src/features/views/model/read-portfolio.ts';
import { readTicket } from '../../../../src/features/views/model/read-ticket.ts';
import { dividends, gains, plan, portfolio, stoppedDraft, ticket } from '../answers.ts';
import { resultOf } from '../fake-host.ts';

describe('a tool result', () => {
  const body = { env: 'demo', total: '1' };
  const text = [{ type: 'text', text: JSON.stringify(body) }];

  test.each([
    ['both', resultOf(body)],
    ['structuredContent alone', { structuredContent: body, content: [] }],
    ['text alone', { content: text }],
    ['text with an empty structuredContent', { content: text, structuredContent: {} }],
    ['a text that is no JSON before it', { content: [{ type: 'text', text: 'Here:' }, ...text] }],
  ])('is a success with %s', (_, result) => {
    expect(readResult(result)).toEqual({ kind: 'answer', body });
  });

  const error = { code: 'rate_limited', message: 'Too many requests.', next: 'Wait 5 seconds.' };
  const errorText = [{ type: 'text', text: formatErrorText(error) }];
  const bareText = [{ type: 'text', text: JSON.stringify(error) }];

  test.each([
    ['isError', { isError: true, content: errorText }],
    ['isError lost on the way', { content: errorText }],
    ['its word lost on the way', { isError: true, content: bareText }],
  ])('is an error with %s', (_, result) => {
    expect(readResult(result)).toEqual({ kind: 'error', message: error.message });
  });

  test('an error in plain text keeps its text', () => {
    const said = readResult({ isError: true, content: [{ type: 'text', text: 'Server gone' }] });
    expect(said).toEqual({ kind: 'error', message: 'Server gone' });
  });

  test('an order outcome with a message is no error', () => {
    expect(readResult(resultOf(ticket)).kind).toBe('answer');
  });
});

describe('fields', () => {
  test('decimals keep their exact text', () => {
    expect(toDecimal('12345678901234567.123456789')).toBe('12345678901234567.123456789');
    expect(toDecimal(12.5)).toBe('12.5');
    expect([toDecimal('1e3'), toDecimal('12,5'), toDecimal(''), toDecimal(null), toDecimal(Number.NaN)]).toEqual(
      new Array(5).fill(undefined),
    );
  });

  test('both forms of a list give the same rows', () => {
    const items = [{ a: '1', b: '2' }];
    expect(toRows({ columns: ['a', 'b'], rows: [['1', '2']] })).toEqual(items);
    expect(toRows({ items })).toEqual(items);
  });

  test('a moment is ISO text or milliseconds, and only an existing one', () => {
    expect(toTimestamp('2026-03-16T09:30:00.000Z')).toBe(1773653400000);
    expect(toTimestamp(1773653400000)).toBe(1773653400000);
    expect([toTimestamp('soon'), toTimestamp(9e15), toTimestamp(undefined)]).toEqual([undefined, undefined, undefined]);
  });
});

describe('a portfolio', () => {
  test('takes its figures from analyze_portfolio', () => {
    const model = readPortfolio(portfolio);
    expect(model).toMatchObject({ currency: 'GBP', totalValue: '40058.02', cash: '1204.77', effectiveNumber: '5.39' });
    expect(model?.frame).toMatchObject({ simulated: true, complete: true, notes: [], asOf: 1773653400000 });
    expect(model?.holdings[1]).toEqual({
      label: 'Halden Energy',
      ticker: 'HLDN_US_EQ',
      isTicker: false,
      value: '6120.00',
      weightPercent: '15.75',
      cost: '6690.12',
      profitLoss: '-570.12',
      profitLossPercent: '-8.52',
      fxImpact: '-88.07',
      positions: '1',
    });
  });

  test('takes them from list_positions in either form, and never the instrument’s currency for the account’s', () => {
    const compact = readPortfolio({
      columns: ['ticker', 'name', 'currency', 'currentValue', 'totalCost', 'unrealizedProfitLoss', 'profitLossPercent'],
      rows: [['QBRAMl_EQ', 'Quarry', 'GBX', '80.00', '100.00', '-20.00', '-20.00']],
      unrealizedProfitLoss: '-20.00',
    });
    expect(compact).toMatchObject({ currency: undefined, profitLoss: '-20.00' });
    const detailed = readPortfolio({
      items: [
        {
          instrument: { ticker: 'QBRAMl_EQ', name: 'Quarry', currency: 'GBX' },
          walletImpact: { currency: 'GBP', currentValue: '80.00', totalCost: '100.00', unrealizedProfitLoss: '-20.00' },
        },
      ],
    });
    expect(detailed?.currency).toBe('GBP');
    for (const model of [compact, detailed])
      expect(model?.holdings[0]).toMatchObject({
        label: 'Quarry',
        ticker: 'QBRAMl_EQ',
        value: '80.00',
        cost: '100.00',
        profitLoss: '-20.00',
      });
  });

  test('a group without a name is labelled with its group', () => {
    const model = readPortfolio({ columns: ['group', 'value'], rows: [['USD', '5']] });
    expect(model?.holdings[0]).toMatchObject({ label: 'USD', ticker: undefined, profitLoss: undefined });
  });

  test('a partial result is marked, with the note or without', () => {
    expect(readPortfolio({ ...portfolio, complete: false, note: 'Two are missing.' })?.frame.notes).toEqual([
      'Two are missing.',
    ]);
    expect(readPortfolio({ ...portfolio, complete: false })?.frame.notes[0]).toMatch(/missing/);
    expect(readPortfolio({ ...portfolio, nextCursor: 'r:10' })?.frame.cut).toEqual({ of: undefined });
    expect(readPortfolio({ ...portfolio, nextCursor: 'r:10', rowCount: 49 })?.frame.cut).toEqual({ of: 49 });
  });

  test('a failed check is shown', () => {
    const checks = [
      { name: 'value of positions', residual: '-3.20', holds: false, note: 'Read at different moments.' },
      { name: 'cash', residual: '0', holds: true },
    ];
    expect(readPortfolio({ ...portfolio, checks })?.frame.notes).toEqual([
      'A check failed: value of positions, off by -3.20. Read at different moments.',
    ]);
  });

  test('a result without a list is no portfolio', () => {
    expect(readPortfolio({ outcome: 'placed' })).toBeUndefined();
  });
});

describe('dividends', () => {
  test('months are ordered from the oldest, whatever the order of the result', () => {
    const model = readDividends({ ...dividends, rows: [...dividends.rows].reverse() });
    expect(model?.groups.map(({ group }) => group)).toEqual(dividends.rows.map(([month]) => month));
    expect(model?.projection?.months[0]).toEqual({ group: '2026-04', amount: '18.90', count: undefined });
  });

  test.each(['ticker', 'country', 'treatment'])('by %s the order of the result stays', (groupBy) => {
    const model = readDividends({
      columns: [groupBy, 'amount', 'count'],
      rows: [
        ['Z', '2', 1],
        ['A', '1', 1],
      ],
    });
    expect(model?.groupBy).toBe(groupBy);
    expect(model?.groups.map(({ group }) => group)).toEqual(['Z', 'A']);
  });
});

describe('realised gains', () => {
  test('totals and sales are those of the result', () => {
    expect(readGains(gains)).toMatchObject({
      method: 'uk_section_104',
      taxYear: '2025/26',
      unmatchedCount: 1,
      unmatched: [{ ticker: 'NIVA_US_EQ', quantity: '5', next: expect.stringContaining('--fill 9') }],
      reportableIncome: '12.50',
      totals: [{ currency: 'GBP', disposals: '5', gain: '395.72', gains: '812.30', losses: '416.58' }],
    });
    expect(readGains(gains)?.disposals[1]).toMatchObject({ soldOn: '2025-07-18', quantity: '12.5', gain: '437.71' });
  });

  test('amounts of several currencies stay apart, and a sale has its charges, matches and pool', () => {
    const { totals: _, currency: __, ...rest } = gains;
    const model = readGains({
      ...rest,
      totalsByCurrency: [
        { currency: 'GBP', gain: '1.00' },
        { currency: 'USD', gain: '-2.00' },
      ],
      byTicker: { columns: ['ticker', 'gain', 'currency'], rows: [['A', '1.00', 'GBP']] },
      columns: ['ticker', 'currency', 'charges', 'matches', 'poolAfter'],
      rows: [['A', 'GBP', '0.50', 'section_104 5 = 50.00', '5 = 50.00']],
    });
    expect(model?.totals.map(({ currency, gain }) => [currency, gain])).toEqual([
      ['GBP', '1.00'],
      ['USD', '-2.00'],
    ]);
    expect(model?.byTicker[0]?.currency).toBe('GBP');
    expect(model?.disposals[0]).toMatchObject({
      currency: 'GBP',
      charges: '0.50',
      matches: 'section_104 5 = 50.00',
      poolAfter: '5 = 50.00',
    });
  });
});

describe('a draft', () => {
  test('of plan_orders has the weights, the cash and the legs of the plan', () => {
    const model = readDraft(plan);
    expect(model).toMatchObject({
      draftId: '05075002cc6b24c4',
      version: '1',
      goal: 'rebalance',
      currency: 'GBP',
      buys: '3500.00',
      sells: '3000.00',
      charges: '9.94',
      chargesKnown: false,
      cashBefore: '1204.77',
      cashAfter: '694.83',
      cashAtWorst: '560.10',
      attempt: undefined,
      drafts: undefined,
    });
    expect(model?.legs).toHaveLength(4);
    expect(model?.weights[4]).toEqual({
      ticker: 'QBRAMl_EQ',
      before: '0',
      target: '8',
      after: '7.6316',
      valueBefore: '0.00',
      valueAfter: '1450.00',
      because: 'cash',
    });
    expect(model?.weights[5]).toMatchObject({ before: undefined, after: undefined, valueAfter: undefined });
  });

  test('of list_drafts has the sums now and the newest attempt to send it', () => {
    expect(readDraft(stoppedDraft)).toMatchObject({
      state: 'open',
      goal: undefined,
      currency: 'GBP',
      buys: '1450.07',
      cashBefore: '1204.77',
      isFunded: false,
      unknownValues: 1,
      isReviewed: true,
      attempt: {
        outcome: 'stopped',
        version: '1',
        reason: 'Order 2 was rejected.',
        remainingVersion: '2',
      },
    });
    expect(readDraft({ ...stoppedDraft, complete: false })?.isReviewed).toBe(false);
  });

  test('of submit_draft is its attempt', () => {
    const { submission } = stoppedDraft;
    expect(readDraft(submission)).toMatchObject({
      draftId: submission.draftId,
      attempt: { outcome: 'stopped' },
      legs: [],
    });
  });

  test('a list of drafts has no draft of its own, and another result is none', () => {
    const drafts = { drafts: 1, columns: ['draftId', 'legs'], rows: [['05075002cc6b24c4', 6]] };
    expect(readDraft(drafts)).toMatchObject({ draftId: undefined, legs: [], drafts: [{ legs: 6 }] });
    expect(readDraft(portfolio)).toBeUndefined();
  });
});

describe('a ticket', () => {
  test('holds every field of the order', () => {
    expect(readTicket(ticket)).toMatchObject({
      outcome: 'pending_approval',
      order: {
        type: 'STOP_LIMIT',
        side: 'BUY',
        ticker: 'QBRAMl_EQ',
        quantity: '1250',
        stopPrice: '318.5',
        limitPrice: '320.25',
        timeValidity: 'GOOD_TILL_CANCEL',
      },
      instrument: { name: 'Quarry & Bramble', currency: 'GBX' },
      estimate: { value: '4003.13', worst: '4083.19', currency: 'GBP' },
      approval: { expiresAt: Date.parse('2026-03-16T09:32:00.000Z') },
    });
  });

  test('the order details may be nested under ticket, and are not shown twice', () => {
    const { instrument, estimate, warnings, ...rest } = ticket;
    const nested = readTicket({ ...rest, warnings: warnings.slice(1), ticket: { instrument, estimate, warnings } });
    expect(nested?.estimate.value).toBe('4003.13');
    // What asks for no attention is apart.
    expect(nested?.warnings).toEqual(warnings.slice(1));
    expect(nested?.facts).toEqual(warnings.slice(0, 1));
  });

  test('the expiry is the given time, or else follows from the seconds left when the result was made', () => {
    const { expiresAt: _, ...approval } = ticket.approval;
    expect(readTicket({ ...ticket, approval })?.approval?.expiresAt).toBe(1773653400000 + 120_000);
    expect(readTicket({ ...ticket, approval, expiresAt: 1773653401000 })?.approval?.expiresAt).toBe(1773653401000);
    expect(readTicket({ ...ticket, approval: { how: 'x' } })?.approval?.expiresAt).toBeUndefined();
  });

  test('only an order that waits for approval has an expiry', () => {
    expect(readTicket({ ...ticket, outcome: 'placed' })?.approval).toBeUndefined();
  });

  test('a result of get_order is a ticket too', () => {
    const model = readTicket({
      orderId: '50000000001',
      status: 'FILLED',
      order: {
        type: 'MARKET',
        side: 'SELL',
        quantity: '-3',
        filledQuantity: '-3',
        timeInForce: 'DAY',
        instrument: { ticker: 'HLDN_US_EQ', name: 'Halden Energy', currency: 'USD' },
      },
    });
    expect(model).toMatchObject({
      status: 'FILLED',
      order: { ticker: 'HLDN_US_EQ', quantity: '3', filledQuantity: '3', timeValidity: 'DAY' },
      instrument: { name: 'Halden Energy', currency: 'USD' },
    });
  });

  test('a negative quantity without a side is a sale', () => {
    expect(readTicket({ order: { quantity: '-2' } })?.order).toMatchObject({ side: 'SELL', quantity: '2' });
    expect(readTicket({ order: { quantity: '2' } })?.order.side).toBeUndefined();
  });

  test('a differing echo is a warning', () => {
    expect(readTicket({ ...ticket, mismatch: ['quantity'] })?.warnings.at(-1)).toMatch(/differs .* quantity\.$/);
  });
});
