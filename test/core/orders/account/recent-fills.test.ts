/** Which trades show a price and an exchange rate of an instrument that is not held. */
import { expect, test } from 'vitest';
import type { Broker, CallContext, Page } from '../../../../src/core/broker/types.ts';
import { endpoints, type HistoricalOrder } from '../../../../src/core/endpoints/index.ts';
import { BrokerageError } from '../../../../src/core/errors.ts';
import { computeRate, readRecentFills } from '../../../../src/core/orders/account/account-snapshot.ts';
import { takeLog } from '../../../support/faults.ts';

const now = Date.UTC(2026, 0, 31);
const monthMs = 30 * 24 * 3_600_000;
const at = (ms: number) => new Date(ms).toISOString();
const context: CallContext = { priority: 'read', deadlineAt: 7 };

interface Row {
  readonly order?: object;
  readonly fill?: object;
}

/** A fill of 4 shares at 5 dollars, which cost 15 pounds: a rate of 0.75. */
const row = ({ order, fill }: Row = {}) =>
  ({
    order: { ticker: 'A', instrument: { ticker: 'A', currency: 'USD' }, currency: 'GBP', ...order },
    fill: { price: '5', quantity: '4', walletImpact: { netValue: '15' }, filledAt: at(now - 1_000), ...fill },
  }) as HistoricalOrder;

const page = (items: readonly HistoricalOrder[]): Page<HistoricalOrder> => ({
  items,
  askedAt: now,
  answeredAt: now,
  next: { cursor: '1' },
});

/** A service with these pages; `asked` has what was asked of it. */
function service(pages: readonly (readonly HistoricalOrder[])[]) {
  const asked: unknown[] = [];
  const broker = {
    async *pages(...args: readonly unknown[]) {
      asked.push(args);
      for (const items of pages) yield page(items);
    },
  } as unknown as Broker;
  return { broker, asked };
}

/** The fills with their rates as numbers. */
const read = async (rows: readonly HistoricalOrder[]) => {
  const fills = await readRecentFills(service([rows, [row({ order: { ticker: 'LATER' } })]]).broker, now, context);
  return fills.map((fill) => ({ ...fill, rate: fill.rate?.toNumber() }));
};

const shown = { ticker: 'A', price: '5', currency: 'USD', rate: 0.75 };

test('the fills of the newest page alone are read, in its order', async () => {
  const rows = [row({ order: { ticker: 'NEW' } }), row({ order: { ticker: 'OLD' }, fill: { price: '6' } })];
  // 15 / (4 × 6).
  expect(await read(rows)).toEqual([
    { ...shown, ticker: 'NEW' },
    { ...shown, ticker: 'OLD', price: '6', rate: 0.625 },
  ]);
});

test('the history is read from its newest page on, for the same caller', async () => {
  const { broker, asked } = service([[]]);
  await readRecentFills(broker, now, context);
  expect(asked).toEqual([[endpoints.listHistoricalOrders, {}, context]]);
});

test('a history without a page has no fills', async () => {
  expect(await readRecentFills(service([]).broker, now, context)).toEqual([]);
});

function failing(error: Error): Broker {
  const pages = () => {
    throw error;
  };
  return { pages } as unknown as Broker;
}

test('a history that cannot be read has no fills, which is no fault', async () => {
  const error = new BrokerageError('rate_limited', 'Too many requests.', 'Wait.');
  expect(await readRecentFills(failing(error), now, context)).toEqual([]);
  expect(takeLog()).toEqual([]);
});

test('an error of the program itself is reported, and there are no fills', async () => {
  expect(await readRecentFills(failing(new TypeError('x')), now, context)).toEqual([]);
  expect(takeLog()).toMatchObject([{ event: 'fault', code: 'TypeError' }]);
});

test.each<[string, Row]>([
  ['its order has no ticker', { order: { ticker: undefined, instrument: {} } }],
  ['it has no price', { fill: { price: undefined } }],
  ['its price is empty', { fill: { price: '' } }],
  ['its price is zero, as of a corporate action', { fill: { price: '0' } }],
  ['its price is negative', { fill: { price: '-5' } }],
  ['it has no time', { fill: { filledAt: undefined } }],
  ['its time cannot be read', { fill: { filledAt: 'yesterday' } }],
  ['it is 30 days old', { fill: { filledAt: at(now - monthMs) } }],
])('a fill shows nothing where %s', async (_, change) => {
  expect(await read([row(change)])).toEqual([]);
});

test('rows without an order or a fill are passed over', async () => {
  const { order, fill } = row();
  expect(await read([{ order } as HistoricalOrder, { fill } as HistoricalOrder, row()])).toEqual([shown]);
});

test.each<[string, Row, object]>([
  ['it is less than 30 days old', { fill: { filledAt: at(now - monthMs + 1) } }, shown],
  ['it is dated ahead', { fill: { filledAt: at(now + 60_000) } }, shown],
  ['only its instrument has the ticker', { order: { ticker: undefined } }, shown],
])('a fill shows its price where %s', async (_, change, expected) => {
  expect(await read([row(change)])).toEqual([expected]);
});

test.each<[string, Row, string | undefined]>([
  ['of the instrument', {}, 'USD'],
  ['of the order where the instrument has none', { order: { instrument: { ticker: 'A' } } }, 'GBP'],
  ['of the order without an instrument', { order: { instrument: undefined } }, 'GBP'],
  ['unknown where neither has one', { order: { instrument: undefined, currency: undefined } }, undefined],
])('the currency of a price is that %s', async (_, change, currency) => {
  expect(await read([row(change)])).toEqual([{ ...shown, currency }]);
});

test.each<[string, object]>([
  ['the quantity', { quantity: undefined }],
  ['the net value', { walletImpact: {} }],
  ['any impact on the cash', { walletImpact: undefined }],
])('a fill without %s has a price and no rate', async (_, fill) => {
  expect(await read([row({ fill })])).toEqual([{ ...shown, rate: undefined }]);
});

test.each([
  ['of a purchase', ['4', '5', '15'], 0.75],
  ['of a sale, which has a negative quantity', ['-4', '5', '15'], 0.75],
  ['of an outflow, which has a negative value', ['4', '5', '-15'], 0.75],
  ['unknown where nothing was traded', ['0', '5', '15'], undefined],
  ['unknown where nothing was paid', ['4', '5', '0'], undefined],
] as const)('the rate is the value in the account currency for one unit traded: %s', (_, figures, expected) => {
  const [quantity, price, netValue] = figures;
  expect(computeRate({ quantity, price, netValue })?.toNumber()).toBe(expected);
});
