/** What the account's own history adds to the preview of an order: charges, decimals, and what a sale would realise. */
import Big from 'big.js';
import { describe, expect, test } from 'vitest';
import type { CallContext } from '../../../src/core/broker/types.ts';
import { BrokerageError } from '../../../src/core/errors.ts';
import type { OutlookQuestion } from '../../../src/core/tools/endpoint-deps.ts';
import type { OwnHistory } from '../../../src/features/drafts/cost-history.ts';
import { describeOrder, estimateCharges } from '../../../src/features/drafts/order-outlook.ts';
import { buy, sell } from '../gains/trades.ts';
import { now, openPlanWorld, type PlanWorld } from './plan-world.ts';

const context: CallContext = { priority: 'read', deadlineAt: now + 50_000 };
const options = { context: { ...context, waitUntil: now + 5_000, notBefore: now - 3_000 } };
const askedAt = now - 1_000;
const instrument = { ticker: 'A', isin: 'GB0000000001', type: 'STOCK', currencyCode: 'GBP' } as const;

type Change = Partial<Omit<OutlookQuestion, 'order'>> & { readonly order?: Partial<OutlookQuestion['order']> };

/** A market order to sell 5 of 10 shares for 50 pounds. */
const question = ({ order, ...change }: Change = {}): OutlookQuestion => ({
  order: { type: 'MARKET', ticker: 'A', side: 'SELL', quantity: '5', ...order },
  instrument: instrument as unknown as OutlookQuestion['instrument'],
  value: '50.00',
  askedAt,
  left: '5',
  method: 'average',
  ...change,
});
const describeOf = (change: Change, world: PlanWorld) =>
  describeOrder(openPlanWorld(world).deps, question(change), context, options);

const charged = (amount: string) => ({ charges: [{ name: 'FEE', amount: new Big(amount), currency: 'GBP' }] });
/** A fill of 50 pounds that was charged one percent. */
const trades = [buy('2020-01-06', 15, 90), sell('2026-01-02', 5, '49.5', charged('0.5'))];
const held = { A: [10, '10'] } as const;

describe('charges', () => {
  const ratesOf = (rates: ReturnType<OwnHistory['estimateCharges']>) => {
    const asked: unknown[] = [];
    const estimate: OwnHistory['estimateCharges'] = (...what) => {
      asked.push(what);
      return rates;
    };
    return { asked, history: { estimateCharges: estimate } as unknown as OwnHistory };
  };
  const rates = [
    { kind: 'FEE', rate: new Big('0.001'), fills: 3 },
    { kind: 'STAMP_DUTY', rate: new Big('0.005'), fills: 2 },
  ];

  test('are the rates of own fills times the value, by kind and in total', () => {
    expect(estimateCharges(question({ value: '1000' }), ratesOf(rates).history)).toEqual({
      known: true,
      total: '6.00',
      kinds: [
        { kind: 'FEE', amount: '1.00', fills: 3 },
        { kind: 'STAMP_DUTY', amount: '5.00', fills: 2 },
      ],
    });
  });

  test.each<[string, ReturnType<OwnHistory['estimateCharges']>, string | undefined, object]>([
    ['no fill shows any', undefined, '1000', { known: false }],
    ['fills show that nothing is charged', [], '1000', { known: true, total: '0.00', kinds: [] }],
    [
      'the value is unknown',
      rates.slice(0, 1),
      undefined,
      { known: true, kinds: [{ kind: 'FEE', amount: undefined, fills: 3 }] },
    ],
  ])('when %s', (_, given, value, expected) => {
    expect(estimateCharges(question({ value }), ratesOf(given).history)).toEqual(expected);
  });

  test('are those of the side, the ticker and instruments of its kind', () => {
    const { asked, history } = ratesOf(rates);
    estimateCharges(question(), history);
    expect(asked).toEqual([[{ ticker: 'A', isin: 'GB0000000001', type: 'STOCK', currency: 'GBP' }, 'SELL']]);
  });
});

test('a buy has its charges and no gain, and reads nothing but the fills', async () => {
  const { deps, asked } = openPlanWorld({ held, trades: [buy('2026-01-05', 5, '50.5', charged('0.5'))] });
  const outlook = await describeOrder(deps, question({ order: { side: 'BUY' } }), context, options);
  expect(outlook).toStrictEqual({
    charges: { known: true, total: '0.50', kinds: [{ kind: 'FEE', amount: '0.50', fills: 1 }] },
    warnings: [],
  });
  expect(asked).toEqual([['orders', options]]);
});

test('a sale has its gain after charges, on the account of the preview', async () => {
  const { deps, asked } = openPlanWorld({ held, trades, taxZone: 'UTC' });
  const { whatIf, charges } = await describeOrder(deps, question(), context, options);
  expect(charges.total).toBe('0.50');
  expect(whatIf).toMatchObject({
    ...{ method: 'average', proceeds: '49.50', cost: '30.00', gain: '19.50', quantityLeft: '5' },
    ...{ taxYear: '2026', yearGainBefore: '19.50', yearGainAfter: '39.00' },
  });
  expect(asked).toEqual([
    ['orders', options],
    ['account', { ...context, notBefore: askedAt }],
    // An own order changes no dividend, so their newest page may have the usual age.
    ['dividends', { context: { ...options.context, notBefore: undefined } }],
  ]);
});

test('a sale whose charges no fill shows has the gain before them', async () => {
  const { charges, whatIf } = await describeOf({}, { held, trades: [buy('2020-01-06', 10, 60)] });
  expect([charges, whatIf?.proceeds, whatIf?.gain]).toEqual([{ known: false }, '50.00', '20.00']);
});

test('a sale of unknown value has no gain, and a step that helps', async () => {
  const { whatIf } = await describeOf({ value: undefined, method: 'fifo' }, { held, trades });
  expect(whatIf).toEqual({
    method: 'fifo',
    missing: {
      code: 'no_price',
      reason: 'The value of this order is unknown.',
      next: 'Preview it as a limit order, whose price is known.',
    },
  });
});

test('a sale in an account that cannot be read has no gain, and the reason; a cancelled call ends', async () => {
  const unreachable = new BrokerageError('unreachable', 'The service is away.', 'Try again.');
  expect(await describeOf({ method: 'fifo' }, { held, trades, failure: unreachable })).toMatchObject({
    charges: { total: '0.50' },
    whatIf: { method: 'fifo', missing: { code: 'unreachable', reason: 'The service is away.', next: 'Try again.' } },
  });
  const cancelled = new BrokerageError('cancelled', 'It was cancelled.', 'Nothing.');
  await expect(describeOf({}, { held, trades, failure: cancelled })).rejects.toBe(cancelled);
});

test.each<[string, string, string, number | undefined, string | undefined]>([
  [
    'one decimal and whole shares were traded',
    '1.5',
    '5',
    0,
    'one decimal, and the own orders of A that were read have none',
  ],
  [
    'three decimals and two were traded',
    '1.125',
    '5',
    2,
    '3 decimals, and the own orders of A that were read have at most 2',
  ],
  ['as many as were traded', '1.12', '5', 2, undefined],
  ['more than were traded, and sells everything', '1.125', '0', 2, undefined],
  ['decimals, and nothing was traded', '1.5', '5', undefined, undefined],
])('a quantity with %s', async (_, quantity, left, traded, said) => {
  const decimals = traded === undefined ? {} : { A: traded };
  const { warnings } = await describeOf({ order: { side: 'BUY', quantity }, left }, { decimals });
  expect(warnings).toEqual(said === undefined ? [] : [`The quantity has ${said}: the broker may refuse it.`]);
});

test('a sale is warned of its decimals too', async () => {
  const { warnings } = await describeOf({ order: { quantity: '1.5' } }, { held, decimals: { A: 0 } });
  expect(warnings).toHaveLength(1);
});
