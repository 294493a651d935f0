/** Every tool at its largest: hosts cut a longer text in the middle, and the rows that are lost are not reported. */
// @module-tag server
import { expect, test } from 'vitest';
import { tools } from '../../../src/app/registry.ts';
import { runTool } from '../../../src/core/mcp/run-tool.ts';
import { type Setup, setup } from '../../support/setup.ts';

const most = 6_800;
/** Of the response as JSON, as the host with the shortest limit shows it. */
const mostQuoted = 8_000;

async function expectToFit({ call }: Setup, tool: string, args: Record<string, unknown>) {
  const { text, body } = await call(tool, args);
  const asked = `${tool} ${JSON.stringify(args).slice(0, 200)}`;
  expect(text.length, asked).toBeLessThanOrEqual(most);
  expect(JSON.stringify({ content: [{ type: 'text', text }] }).length, asked).toBeLessThanOrEqual(mostQuoted);
  const names = Object.keys(body);
  if (names.includes('nextCursor')) expect(names.indexOf('nextCursor')).toBeGreaterThanOrEqual(names.length - 3);
  return body;
}

/** Reads every page, each of which must fit; returns the rows of all, as JSON. */
async function readPages(made: Setup, tool: string, args: Record<string, unknown>): Promise<string[]> {
  const rows: unknown[] = [];
  for (let pages = 0, cursor: string | undefined; pages < 200; pages++) {
    const body = await expectToFit(made, tool, { ...args, ...(cursor === undefined ? {} : { cursor }) });
    rows.push(...(body.rows ?? body.items));
    cursor = body.nextCursor;
    if (cursor === undefined) return rows.map((row) => JSON.stringify(row));
  }
  throw new Error('the pages do not end');
}

async function readHistory({ call, clock }: Setup, kinds: readonly string[]) {
  for (const kind of kinds)
    for (let calls = 0; calls < 12; calls++) {
      const { body } = await call('fetch_history', { kind, limit: 500, waitSeconds: 50 });
      if (body.complete) break;
      await clock.advance(60_000);
    }
}

test('the pages of a long list fit into what hosts show, and have each row once', async () => {
  const made = await setup({ rareRows: true });
  const { dividends } = made.simulator.groundTruth();
  await readHistory(made, ['dividends']);
  const rows = await readPages(made, 'fetch_history', { kind: 'dividends', limit: 500 });
  expect([rows.length, new Set(rows).size]).toEqual([dividends.length, dividends.length]);
});

test('the results of a large account fit into what hosts show, and the pages of each list have each row once', {
  tags: ['slow'],
}, async () => {
  const made = await setup({ rareRows: true });
  await readHistory(made, ['orders', 'dividends', 'transactions']);
  for (const by of ['instrument', 'country']) await expectToFit(made, 'analyze_portfolio', { by });
  for (const groupBy of ['type', 'month', 'country'])
    await expectToFit(made, 'summarize_dividends', { groupBy, project: true });
  await expectToFit(made, 'summarize_costs', { groupBy: 'ticker' });
  await expectToFit(made, 'calculate_returns', {});
  await expectToFit(made, 'search_instruments', { query: 'a', limit: 50 });
  await expectToFit(made, 'get_server_status', {});
  for (const args of [{}, { days: 42 }, { ticker: 'QNOON_GB_EQ', days: 42 }, { responseFormat: 'detailed' }])
    await expectToFit(made, 'list_exchanges', args);

  const { history: orders, ...others } = made.simulator.groundTruth();
  const known = { orders, ...others };
  // The whole list, as a file gets it, has no page.
  const whole = async (tool: string, args: Record<string, unknown>) => {
    const options = { signal: new AbortController().signal, wantsAllRows: true };
    const { body } = await runTool(tools, tool, args, made.composed.services, options);
    return ((body.rows ?? body.items) as unknown[]).map((row) => JSON.stringify(row));
  };
  for (const responseFormat of ['concise', 'detailed']) {
    for (const kind of ['orders', 'dividends', 'transactions'] as const) {
      const rows = await readPages(made, 'fetch_history', { kind, limit: 500, responseFormat });
      expect(rows.length, kind).toBe(known[kind].length);
      expect(new Set(rows).size, kind).toBe(known[kind].length);
    }
    const positions = await readPages(made, 'list_positions', { responseFormat });
    expect(positions).toEqual(await whole('list_positions', { responseFormat }));
  }
  for (const method of ['broker', 'fifo', 'uk_section_104']) {
    const rows = await readPages(made, 'summarize_realised_gains', { method });
    expect(rows.length).toBeGreaterThan(20);
    expect(rows).toEqual(await whole('summarize_realised_gains', { method }));
  }
});

test('drafts and plans of 30 legs fit into what hosts show', { tags: ['slow'] }, async () => {
  const made = await setup();
  const { rows } = (await made.call('list_positions', { sort: 'ticker' })).body;
  const [ticker = ''] = rows.map(([name]: string[]) => name).filter((name: string) => name === 'QNOON_GB_EQ');
  const leg = { type: 'LIMIT', ticker, side: 'BUY', timeValidity: 'DAY', reason: 'r'.repeat(200) };
  const legs = Array.from({ length: 30 }, (_, n) => ({ ...leg, quantity: n + 1, limitPrice: 10 }));
  const saved = await expectToFit(made, 'save_draft', { name: 'n'.repeat(120), legs });
  let cursor: string | undefined;
  let listed = 0;
  do {
    const body = await expectToFit(made, 'list_drafts', { draftId: saved.draftId, ...(cursor ? { cursor } : {}) });
    listed += body.rows.length;
    cursor = body.nextCursor;
  } while (cursor);
  expect(listed).toBe(30);
  const submitted = await expectToFit(made, 'submit_draft', { draftId: saved.draftId, version: 1 });
  expect(submitted.legs ?? []).toHaveLength(submitted.legs ? 30 : 0);
  await expectToFit(made, 'list_drafts', { draftId: saved.draftId });
  const targets = rows.map(([name]: string[]) => ({ ticker: name, weightPercent: 4 }));
  for (const args of [
    { goal: 'rebalance', targets },
    { goal: 'raise', amount: 20_000 },
  ])
    await expectToFit(made, 'plan_orders', args);
});

test('an error fits into what hosts show, whatever was given', async () => {
  const made = await setup();
  const long = 'x'.repeat(9_000);
  for (const [tool, args] of [
    ['fetch_history', { kind: long }],
    ['preview_order', { [long]: 1 }],
    ['get_order', { orderId: long }],
    ['list_positions', { ticker: 'x'.repeat(64) }],
    ['plan_orders', { goal: 'invest', amount: long }],
  ] as const)
    await expectToFit(made, tool, args);
});
