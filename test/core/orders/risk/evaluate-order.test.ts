/** What can refuse an order, with a real journal: what stops all orders, what is in doubt, and what counts in the limits. */
import Big from 'big.js';
import { describe, expect, test } from 'vitest';
import { recordLiveOrigin, type TradingSettings } from '../../../../src/core/approval/enrollment/live-origin-guard.ts';
import { rememberAccount } from '../../../../src/core/orders/account/duplicate-accounts.ts';
import { writeExternalRecord } from '../../../../src/core/orders/account/external-record.ts';
import type { Intent } from '../../../../src/core/orders/intent/intent.ts';
import type { JournalChange, ReservedLeg } from '../../../../src/core/orders/intent/journal-port.ts';
import { effectiveLimits, type RiskLimits } from '../../../../src/core/orders/intent/risk-limits.ts';
import { evaluateOrder, listOwn, listTimesOfMinute } from '../../../../src/core/orders/risk/evaluate-order.ts';
import { account, accountWithCash, buy, makeIntent, now, openJournal, paper, ticker } from './example-account.ts';

const dayMs = 86_400_000;
const approvalMs = 300_000;
const sandbox: TradingSettings = {
  environment: 'sandbox',
  origin: undefined,
  liveTrading: false,
  approval: undefined,
  haltFile: () => false,
};

interface Case extends Omit<Partial<Parameters<typeof evaluateOrder>[1]>, 'settings' | 'limits'> {
  readonly settings?: Partial<TradingSettings>;
  readonly limits?: Partial<RiskLimits>;
  readonly intents?: readonly Intent[];
  readonly reserved?: readonly ReservedLeg[];
  readonly prepare?: (tx: JournalChange) => Promise<void>;
}

async function evaluate({ intents, reserved, prepare, settings, limits, ...question }: Case) {
  const journal = await openJournal(intents);
  if (prepare) await journal.change(prepare);
  return journal.read(async (tx) =>
    evaluateOrder(reserved ? { ...tx, listReservedLegs: async () => reserved } : tx, {
      order: buy,
      facts: account(),
      accountKey: 'account',
      now,
      ...question,
      settings: { ...sandbox, ...settings },
      limits: { ...paper, ...limits },
    }),
  );
}

const unknown = (change: Partial<Intent> = {}) => makeIntent({ id: 'lost', state: 'UNKNOWN', ticker, ...change });
const justNow = (change: Partial<Intent> = {}) => makeIntent({ id: 'a', sentAt: now - 1, ...change });
const leg = { submissionId: 's', number: 1 };
const one = { limits: { ordersPerHour: 1 }, reserved: [leg] };
/** The same id at the service, under another name here. */
const rememberBoth = (tx: JournalChange) =>
  rememberAccount(tx, { environment: 'sandbox', brokerAccountId: '7' }, 'other');
const external = { id: '1', at: now - 1, value: '1' };

describe('an order', () => {
  test.each<[string, Case, string | undefined]>([
    ['passes when nothing is in its way', {}, undefined],
    ['is refused while trading is halted', { settings: { haltFile: () => true } }, 'halted'],
    [
      'of paper money is refused on an account that was used live',
      { settings: { environment: 'demo' }, prepare: (tx) => recordLiveOrigin(tx, { account: '7' }) },
      'live_service',
    ],
    [
      'is refused on an account that was used live before a halt',
      {
        settings: { environment: 'demo', haltFile: () => true },
        prepare: (tx) => recordLiveOrigin(tx, { account: '7' }),
      },
      'live_service',
    ],
    [
      'is refused for a halt before an account that may be the same',
      {
        settings: { haltFile: () => true },
        prepare: rememberBoth,
        intents: [makeIntent({ id: 'a', accountKey: 'other' })],
      },
      'halted',
    ],
    [
      'is refused while orders count on an account that may be the same',
      { prepare: rememberBoth, intents: [makeIntent({ id: 'a', accountKey: 'other' })] },
      'account_unclear',
    ],
    [
      'passes when no order counts on an account that may be the same',
      { prepare: rememberBoth, intents: [makeIntent({ id: 'a', accountKey: 'third' })] },
      undefined,
    ],
    [
      'passes when orders count on its own account',
      {
        prepare: (tx) => rememberAccount(tx, { environment: 'sandbox', brokerAccountId: '7' }, 'account'),
        intents: [makeIntent({ id: 'a' })],
      },
      undefined,
    ],
    [
      'passes on an account without an id',
      { facts: account({ summary: { currency: 'GBP', cash: { availableToTrade: '50000' } } }), prepare: rememberBoth },
      undefined,
    ],
    ['is refused while an order of the ticker has an unknown outcome', { intents: [unknown()] }, 'open_unknown'],
    ['passes while one of another ticker has', { intents: [unknown({ ticker: 'OTHER_EQ' })] }, undefined],
    ['passes while one of another account has', { intents: [unknown({ accountKey: 'other' })] }, undefined],
    ['is refused while a counted order is damaged', { intents: [justNow({ value: 'x' })] }, 'store_unavailable'],
    ['is refused while a reserved leg is damaged', { reserved: [{ ...leg, value: 'x' }] }, 'store_unavailable'],
    ['counts others', { limits: { ordersPerMinute: 1 }, intents: [justNow()] }, 'orders_per_minute'],
    ['does not count itself', { limits: { ordersPerMinute: 1 }, intents: [justNow()], intentId: 'a' }, undefined],
    [
      'counts those of other programs',
      {
        limits: { ordersPerMinute: 1 },
        prepare: (tx) => writeExternalRecord(tx, 'account', { nextAt: 0, orders: [external] }),
      },
      'orders_per_minute',
    ],
    ['counts the legs that wait', one, 'orders_per_hour'],
    ['does not count its own leg', { ...one, leg }, undefined],
    ['counts another leg of its draft', { ...one, leg: { ...leg, number: 2 } }, 'orders_per_hour'],
    ['counts the leg of another draft', { ...one, leg: { ...leg, submissionId: 't' } }, 'orders_per_hour'],
    [
      'of a draft counts the orders ahead of it',
      { limits: { ordersPerHour: 1 }, draft: { orders: [justNow()], proceeds: new Big(0) } },
      'orders_per_hour',
    ],
    [
      'of a draft counts the orders in the journal too',
      {
        limits: { ordersPerHour: 2 },
        intents: [justNow({ id: 'b' })],
        draft: { orders: [justNow()], proceeds: new Big(0) },
      },
      'orders_per_hour',
    ],
    [
      'of a draft waits for the limit of a minute',
      { limits: { ordersPerMinute: 1 }, intents: [justNow()], draft: { orders: [], proceeds: new Big(0) } },
      undefined,
    ],
    // The order costs 200 and the margin of 2 %.
    [
      'of a draft may spend what its sells bring',
      { facts: accountWithCash('100'), draft: { orders: [], proceeds: new Big(104) } },
      undefined,
    ],
    [
      'of a draft may not spend more',
      { facts: accountWithCash('100'), draft: { orders: [], proceeds: new Big('103.99') } },
      'cash',
    ],
  ])('%s', async (_, given, rule) => {
    expect((await evaluate(given))?.rule).toBe(rule);
  });

  test('is refused for one of unknown outcome with the ticker, and how that ends', async () => {
    expect(await evaluate({ intents: [unknown()] })).toEqual({
      rule: 'open_unknown',
      reason:
        'An earlier order for ABC_GB_EQ has an unknown outcome and may be live. No new order for ABC_GB_EQ is accepted until it is found or closed.',
    });
  });

  test.each([
    ['page', undefined],
    ['terminal', undefined],
    ['elicitation', 'value_unknown'],
  ] as const)('of unknown value in live with the approval %s: %s', async (approval, rule) => {
    const refusal = await evaluate({
      settings: { environment: 'live', liveTrading: true },
      limits: effectiveLimits('live', {}, {}),
      facts: account({ instrument: { ticker, type: 'STOCK', currencyCode: 'USD' } }),
      prepare: (tx) => tx.set('security', { approval, limits: {}, enrolledAt: 0 }),
    });
    expect(refusal?.rule).toBe(rule);
  });

  // 49 × 20 with the margin are 999.60.
  test.each<[string, Case, string, string | undefined]>([
    ['its size', { order: { ...buy, quantity: '60' }, limits: { maxOrderValue: '1000' } }, 'max_order_value', '49'],
    ['its price', { order: { ...buy, limitPrice: '40' } }, 'price_distance', undefined],
  ])('that is refused for %s names the quantity that passes, if one does', async (_, given, rule, largestQuantity) => {
    expect(await evaluate(given)).toMatchObject({ rule, largestQuantity });
  });
});

describe('the own orders that can count', () => {
  const rejected = (id: string, age: number) =>
    makeIntent({ id, state: 'REJECTED', createdAt: now - age, sentAt: now - age });

  test('are those of the last day and of the time that an approval may take', async () => {
    const journal = await openJournal([
      rejected('at the start', dayMs + approvalMs),
      rejected('before it', dayMs + approvalMs + 1),
      makeIntent({ id: 'undecided', state: 'UNKNOWN', createdAt: 0 }),
      makeIntent({ id: 'undecided and new', state: 'UNKNOWN' }),
      makeIntent({ id: 'refused', state: 'REFUSED' }),
      makeIntent({ id: 'of another account', accountKey: 'other' }),
      makeIntent({ id: 'undecided on another account', accountKey: 'other', state: 'UNKNOWN' }),
    ]);
    const own = await journal.read((tx) => listOwn(tx, 'account', now));
    expect(own.map(({ id }) => id).toSorted()).toEqual(['at the start', 'undecided', 'undecided and new']);
  });
});

test('the orders of the last minute are less than sixty seconds old, those of other programs included', async () => {
  const ages = [59_999, 60_000];
  const journal = await openJournal(ages.map((age) => makeIntent({ id: String(age), sentAt: now - age })));
  const orders = ages.map((age) => ({ id: String(age), at: now - age + 0.5, value: '1' }));
  await journal.change((tx) => writeExternalRecord(tx, 'account', { nextAt: 0, orders }));
  const times = await journal.read((tx) => listTimesOfMinute(tx, 'account', now));
  expect(times).toEqual([now - 59_999, now - 59_998.5, now - 59_999.5]);
});
