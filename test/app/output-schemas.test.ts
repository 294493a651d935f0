/** The output schemas name everything that a result has. `setup` checks each result of every test against them. */
import { expect, test } from 'vitest';
import { buildToolListing } from '../../src/app/build-tool-listing.ts';
import { outcomeNames } from '../../src/core/orders/intent/outcome.ts';
import { order, setup } from '../support/setup.ts';
import { findSchemaFaults } from '../support/strict-schema.ts';

const listing = buildToolListing();

type Schema = Readonly<Record<string, unknown>>;

/** Every schema within one, with its path. */
function* listNodes(node: Schema, path: string): Generator<readonly [path: string, node: Schema]> {
  yield [path, node];
  for (const keyword of ['properties', 'anyOf', 'prefixItems'])
    for (const [name, inner] of Object.entries((node[keyword] ?? {}) as Record<string, Schema>))
      yield* listNodes(inner, `${path}.${name}`);
  for (const keyword of ['items', 'additionalProperties'])
    if (typeof node[keyword] === 'object') yield* listNodes(node[keyword] as Schema, `${path}.${keyword}`);
}

const nodes = listing.flatMap(({ name, inputSchema, outputSchema }) => [
  ...listNodes(inputSchema, `${name} in`),
  ...listNodes(outputSchema, `${name} out`),
]);

const wrong = (isWrong: (node: Schema) => boolean) => nodes.filter(([, node]) => isWrong(node)).map(([path]) => path);

// The rules of the Inspector, which warns of schemas that some hosts refuse or ignore.

test('no schema accepts any value', () => {
  const constraining = ['type', 'enum', 'const', 'anyOf'];
  expect(nodes.length).toBeGreaterThan(2_000);
  expect(wrong((node) => !constraining.some((keyword) => keyword in node))).toEqual([]);
});

test('a row has no rule for all of its items, which older clients would apply to each', () => {
  expect(
    wrong(({ items, prefixItems }) => items === false || (prefixItems !== undefined && items !== undefined)),
  ).toEqual([]);
});

test('a schema has one type, and refers to no other document', () => {
  expect(wrong(({ type, $ref }) => Array.isArray(type) || $ref !== undefined)).toEqual([]);
});

test('an object names its fields or the type of each, and a list the type of its items', () => {
  const isOpen = ({ type, properties, additionalProperties, items, prefixItems }: Schema) =>
    (type === 'object' && properties === undefined && typeof additionalProperties !== 'object') ||
    (type === 'array' && items === undefined && prefixItems === undefined);
  expect(wrong(isOpen)).toEqual([]);
});

test('an outcome is one of the known ones', () => {
  const placed = listing.find(({ name }) => name === 'place_limit_order')?.outputSchema.properties as Schema;
  expect(placed.outcome).toEqual({ type: 'string', enum: [...outcomeNames] });
  const outcomes = nodes.filter(([path]) => path.endsWith('.outcome'));
  expect(outcomes.length).toBeGreaterThan(12);
  expect(outcomes.filter(([, node]) => !JSON.stringify(node).includes('"enum"'))).toEqual([]);
});

test('a column that is missing, misnamed or of another type is found', () => {
  const good = {
    env: 'demo',
    asOf: '2026-01-15T15:00:00.000Z',
    found: 1,
    columns: [
      'ticker',
      'name',
      'shortName',
      'isin',
      'type',
      'currencyCode',
      'extendedHours',
      'maxOpenQuantity',
      'matched',
    ],
    rows: [['A', 'B', 'C', null, 'STOCK', 'GBP', true, '1', 'name']],
  };
  const faults = (body: object) => findSchemaFaults(listing, 'search_instruments', body);
  expect(faults(good)).toEqual([]);
  expect(faults({ ...good, more: 1 })).toEqual(['Unrecognized key: "more"'].map((text) => `: ${text}`));
  expect(faults({ ...good, rows: [['A', 'B', 'C', null, 'STOCK', 'GBP', 'yes', '1', 'name']] }).length).toBeGreaterThan(
    0,
  );
  expect(faults({ ...good, columns: good.columns.toReversed() }).length).toBeGreaterThan(0);
});

/**
 * Calls in this order; an argument can come from the results before it. The last ones leave work in the background, which
 * moves the clock.
 */
type Results = Readonly<Record<string, Record<string, string>>>;
const calls: readonly (readonly [tool: string, args?: object | ((results: Results) => object)])[] = [
  ['get_server_status'],
  ['watch', { ticker: order.ticker, when: 'above 1000' }],
  ['watch'],
  ['get_account_summary'],
  ['list_positions'],
  ['list_positions', { responseFormat: 'detailed', limit: 2 }],
  ['list_positions', { responseFormat: 'objects' }],
  ['search_instruments', { query: 'noonvik' }],
  ['search_instruments', { query: 'zzzzqqqq' }],
  ['list_exchanges'],
  ['list_exchanges', { days: 2 }],
  ['list_exchanges', { responseFormat: 'objects' }],
  ['list_exchanges', { ticker: order.ticker, responseFormat: 'objects' }],
  ['list_exchanges', { ticker: order.ticker }],
  ['preview_order', { ...order, type: 'LIMIT' }],
  ['preview_order', { ticker: 'QVELT_US_EQ', side: 'SELL', quantity: 1, type: 'MARKET', method: 'fifo' }],
  ['place_limit_order', order],
  ['place_limit_order', order],
  ['place_limit_order', { ...order, quantity: 20_000 }],
  ['place_market_order', { ticker: order.ticker, side: 'BUY', quantity: 1 }],
  ['place_stop_order', { ticker: order.ticker, side: 'BUY', quantity: 1, stopPrice: 13, timeValidity: 'DAY' }],
  [
    'place_stop_limit_order',
    { ticker: order.ticker, side: 'BUY', quantity: 1, stopPrice: 13, limitPrice: 13.5, timeValidity: 'DAY' },
  ],
  ['list_orders'],
  ['list_orders', { responseFormat: 'detailed' }],
  ['list_orders', { responseFormat: 'objects' }],
  ['get_order', ({ place_market_order: placed }) => ({ intentId: placed?.intentId, waitSeconds: 10 })],
  ['get_order', ({ place_stop_order: placed }) => ({ orderId: placed?.orderId })],
  ['cancel_order', ({ place_stop_order: placed }) => ({ orderId: placed?.orderId })],
  ['cancel_order', { all: true }],
  ['create_pie', { name: 'Half', instrumentShares: { QNOON_GB_EQ: 0.5, QVELT_US_EQ: 0.5 } }],
  ['list_pies'],
  ['get_pie', ({ pie }) => ({ pieId: pie?.id })],
  ['update_pie', ({ pie }) => ({ pieId: pie?.id, name: 'Other', instrumentShares: { QNOON_GB_EQ: 1 } })],
  ['duplicate_pie', ({ pie }) => ({ pieId: pie?.id })],
  ['delete_pie', ({ pie }) => ({ pieId: pie?.id })],
  ['fetch_history', { kind: 'orders', waitSeconds: 50 }],
  ['fetch_history', { kind: 'orders', responseFormat: 'detailed', limit: 3 }],
  ['fetch_history', { kind: 'orders', responseFormat: 'objects' }],
  ['fetch_history', { kind: 'dividends' }],
  ['fetch_history', { kind: 'transactions', type: 'DEPOSIT' }],
  ...(['instrument', 'currency', 'country', 'type', 'company', 'sector'] as const).map(
    (by) => ['analyze_portfolio', { by }] as const,
  ),
  ...(['month', 'ticker', 'country', 'treatment'] as const).map(
    (groupBy) => ['summarize_dividends', { groupBy, project: true }] as const,
  ),
  ['summarize_dividends', { groupBy: 'type', taxYear: '2024/25' }],
  ...(['broker', 'fifo', 'average', 'uk_section_104'] as const).map(
    (method) => ['summarize_realised_gains', { method, taxYear: '2024/25' }] as const,
  ),
  ...(['name', 'month', 'ticker'] as const).map((groupBy) => ['summarize_costs', { groupBy }] as const),
  ['calculate_returns'],
  ['calculate_returns', { ticker: 'QVELT_US_EQ' }],
  ['calculate_returns', { period: 'year', valueAtStart: 1000 }],
  ['get_changes'],
  ['plan_orders', { goal: 'invest', amount: 200, targets: [{ ticker: 'QHALD_US_EQ', weightPercent: 100 }] }],
  ['plan_orders', { goal: 'raise', amount: 100 }],
  ['plan_orders', { goal: 'invest', amount: 50, every: 'month 1' }],
  [
    'save_draft',
    {
      legs: [
        { ...order, type: 'LIMIT' },
        { ...order, type: 'LIMIT', limitPrice: 5 },
      ],
    },
  ],
  ['list_drafts'],
  ['list_drafts', ({ save_draft: saved }) => ({ draftId: saved?.draftId })],
  ['submit_draft', ({ save_draft: saved }) => ({ draftId: saved?.draftId, version: saved?.version })],
  ['submit_draft', ({ plan_orders: plan }) => ({ draftId: plan?.draftId, version: plan?.version })],
  ['discard_draft', ({ save_draft: saved }) => ({ draftId: saved?.draftId })],
  ['request_export', { timeFrom: '2025-01-01', timeTo: '2025-12-01', include: ['orders', 'dividends'] }],
  ['list_exports', ({ request_export: asked }) => ({ reportId: asked?.reportId, waitSeconds: 50 })],
  ['list_exports', ({ request_export: asked }) => ({ reportId: asked?.reportId, waitSeconds: 50 })],
  ['download_export', ({ request_export: asked }) => ({ reportId: asked?.reportId })],
  ['save_report', { kind: 'report' }],
  ['import_history', { years: 1 }],
];

test('every tool answers as its schema says', { tags: ['server', 'slow'], timeout: 300_000 }, async () => {
  const { call, clock } = await setup();
  const results: Record<string, Record<string, string>> = {};
  const answered = new Set<string>();
  for (const [tool, given = {}] of calls) {
    const args = typeof given === 'function' ? given(results) : given;
    // The list of exports can be read once a minute, and a call waits for 50 s. A download reads it where it is not fresh.
    if (tool === 'list_exports' || tool === 'download_export') await clock.advance(61_000);
    const { isError, body, text } = await call(tool, args as Record<string, unknown>);
    expect(isError, `${tool} ${JSON.stringify(args)}: ${text}`).toBe(false);
    if (tool !== 'plan_orders' || body.draftId) results[tool] = body;
    if (tool === 'create_pie') results.pie = body.result.settings;
    answered.add(tool);
  }
  const missing = listing.map(({ name }) => name).filter((name) => !answered.has(name));
  expect(missing, 'add a call of each to `calls`, with arguments that give every part of its result').toEqual([]);
});

test('an error of any tool has no structured content, and its code where a program looks', {
  tags: ['server'],
}, async () => {
  const { call } = await setup();
  for (const { name } of listing) {
    const { isError, structured, text } = await call(name, { noArgument: 1 });
    expect([name, isError, structured]).toEqual([name, true, undefined]);
    expect(JSON.parse(text.replace(/^Error: /, ''))).toEqual({
      code: 'invalid_argument',
      message: expect.any(String),
      next: expect.any(String),
    });
  }
});
