/** Why a draft may not be sent: the first reason, and the leg that it is about. */
import { describe, expect, test } from 'vitest';
import type { TradingSettings } from '../../../../src/core/approval/enrollment/live-origin-guard.ts';
import type { Exchange } from '../../../../src/core/endpoints/index.ts';
import type { Intent } from '../../../../src/core/orders/intent/intent.ts';
import { type OrderRequest, orderFingerprint } from '../../../../src/core/orders/intent/order-request.ts';
import type { RiskLimits } from '../../../../src/core/orders/intent/risk-limits.ts';
import type { DraftLeg } from '../../../../src/features/drafts/book/draft.ts';
import { refuseDraft, type SubmissionCheck } from '../../../../src/features/drafts/submission/check-submission.ts';
import type { LegToCheck } from '../../../../src/features/drafts/submission/draft-facts.ts';
import { makeIntent, paper } from '../../../core/orders/risk/example-account.ts';
import { attempt, openStore, type Stored } from './attempts.ts';
import { draftLeg, exchangeWith, now, toCheck } from './legs-to-check.ts';

interface Case extends Pick<Stored, 'submissions' | 'intents'> {
  readonly legs?: readonly LegToCheck[];
  readonly exchanges?: readonly Exchange[];
  readonly settings?: Partial<TradingSettings>;
  readonly limits?: Partial<RiskLimits>;
  readonly check?: Partial<SubmissionCheck>;
}

/** A buy of 10 shares for 200 pounds. */
const [ordinary] = [toCheck(draftLeg())];

/** Checks version 1 of the draft `d1`, which a person must approve in a form. */
async function refuse({ legs = [ordinary], exchanges = [], settings = {}, limits = {}, check, ...stored }: Case) {
  const store = await openStore(() => now, stored);
  const environment = settings.environment ?? 'sandbox';
  const deps = {
    environment,
    settings: {
      origin: undefined,
      liveTrading: true,
      approval: 'elicitation',
      haltFile: () => false,
      ...settings,
      environment,
    },
  };
  const inForce = { ...paper, ...limits };
  const facts = { legs, exchanges, own: [], limits: inForce, cash: undefined };
  const question = { facts, accountKey: 'account', now, draftId: 'd1', version: 1 };
  return store.read((tx) =>
    refuseDraft(tx, deps as never, { ...question, repeatOf: undefined, repeats: new Map(), ...check }),
  );
}

/** These many attempts, the newest of them this long (ms) before now and the others a millisecond before each other. */
const attempts = (count: number, agoMs: number, change: Parameters<typeof attempt>[2] = {}) =>
  Array.from({ length: count }, (_, n) => attempt(`${agoMs}-${n}-${change.draftId}`, now - agoMs - n, change));

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

test('an ordinary draft may be sent', async () => {
  expect(await refuse({})).toBeUndefined();
});

describe('a person is asked at most three times to approve a version', () => {
  test.each<[string, Case['submissions'], string | undefined]>([
    ['twice until now', attempts(2, dayMs), undefined],
    ['three times until now', attempts(3, dayMs), 'approvals_used'],
    ['four times until now', attempts(4, dayMs), 'approvals_used'],
    ['once for another version', [...attempts(2, dayMs), ...attempts(1, 2 * dayMs, { version: 2 })], undefined],
    ['three times for another version', attempts(3, dayMs, { version: 2 }), undefined],
    ['once for another draft', [...attempts(2, dayMs), ...attempts(1, dayMs, { draftId: 'd2' })], undefined],
    ['once of another account', [...attempts(2, dayMs), ...attempts(1, 2 * dayMs, { accountKey: 'other' })], undefined],
    [
      'and not where no approval was needed',
      [...attempts(2, dayMs), ...attempts(1, 2 * dayMs, { approval: undefined })],
      undefined,
    ],
  ])('%s', async (_, submissions = [], rule) => {
    expect((await refuse({ submissions }))?.rule).toBe(rule);
  });

  test('the reason says so, and no waiting helps', async () => {
    expect(await refuse({ submissions: attempts(3, 1_000) })).toEqual({
      rule: 'approvals_used',
      reason: 'A person was asked 3 times to approve this version of the draft.',
    });
  });
});

describe('a person is asked at most ten times in an hour to approve a draft', () => {
  const others = (count: number, agoMs: number, change: Parameters<typeof attempt>[2] = {}) =>
    attempts(count, agoMs, { draftId: 'd2', ...change });

  test.each<[string, Case['submissions'], string | undefined]>([
    ['nine times until now', others(9, 1_000), undefined],
    ['ten times until now', others(10, 1_000), 'approvals_used'],
    ['and not an hour ago', [...others(9, 1_000), ...others(1, hourMs)], undefined],
    ['and a millisecond less than an hour ago', [...others(9, 1_000), ...others(1, hourMs - 1)], 'approvals_used'],
    ['of another account', [...others(9, 1_000), ...others(1, 2_000, { accountKey: 'other' })], undefined],
    ['where no approval was needed', [...others(9, 1_000), ...others(3, 2_000, { approval: undefined })], undefined],
    ['at a time that is more than an hour ahead', [...others(9, 1_000), ...others(3, -2 * hourMs)], undefined],
  ])('%s', async (_, submissions = [], rule) => {
    expect((await refuse({ submissions }))?.rule).toBe(rule);
  });

  test('the caller can try again when the tenth of the newest is an hour old', async () => {
    // Asked 12 times; the tenth of the newest was 50 minutes and 9 milliseconds ago.
    const submissions = [...others(10, 50 * 60_000), ...others(2, 59 * 60_000)];
    expect(await refuse({ submissions })).toEqual({
      rule: 'approvals_used',
      reason: 'A person was asked 10 times to approve a draft in the last hour.',
      retryAfterSeconds: 600,
    });
  });

  test.each<[string, Case]>([
    ['the owner in a terminal', { check: { isInTerminal: true } }],
    ['where orders need no approval', { settings: { approval: 'none' } }],
    ['where no approval is configured', { settings: { approval: undefined } }],
  ])('this does not bind %s', async (_, given) => {
    expect(await refuse({ ...given, submissions: [...attempts(3, 1_000), ...others(10, 2_000)] })).toBeUndefined();
  });
});

describe('each leg is checked in the sequence in which it is sent', () => {
  const leg = (number: number, ticker: string, change: Partial<DraftLeg> = {}, rest = {}) =>
    toCheck(draftLeg({ ticker, ...change }), { number, ...rest });

  test('a leg whose price moved since the draft was made', async () => {
    const legs = [leg(2, 'A_EQ'), leg(1, 'B_EQ', { price: '10' })];
    expect(await refuse({ legs })).toMatchObject({ rule: 'draft_stale', leg: 1 });
  });

  test('a sell that buys wait for, in a market that is closed', async () => {
    const exchanges = exchangeWith(
      { date: '2026-01-15T08:00:00Z', type: 'CLOSE' },
      { date: '2026-01-15T16:00:00Z', type: 'OPEN' },
    );
    const legs = [leg(2, 'A_EQ', { side: 'SELL' }), leg(1, 'B_EQ', {}, { isDependent: true })];
    expect(await refuse({ legs, exchanges })).toMatchObject({
      rule: 'market_closed',
      leg: 2,
      retryAfterSeconds: 3_600,
    });
  });

  test('a rule of single orders, by the number of the leg and not by its place', async () => {
    const legs = [leg(3, 'A_EQ'), leg(1, 'B_EQ', { quantity: '600' })];
    expect(await refuse({ legs })).toMatchObject({ rule: 'max_order_value', leg: 1 });
  });

  test('the limits that are in force count', async () => {
    expect(await refuse({ limits: { maxOrderValue: '203' } })).toMatchObject({ rule: 'max_order_value', leg: 1 });
    expect(await refuse({ limits: { maxOrderValue: '204' } })).toBeUndefined();
  });

  test.each<[string, number, string | undefined]>([
    ['less than an hour ago', hourMs - 1, 'orders_per_hour'],
    ['an hour ago', hourMs, undefined],
  ])('an order that was sent %s counts by the time now', async (_, agoMs, rule) => {
    const at = now - agoMs;
    const intents = [makeIntent({ id: 'i1', createdAt: at, changedAt: at, sentAt: at })];
    expect((await refuse({ intents, limits: { ordersPerHour: 1 } }))?.rule).toBe(rule);
  });

  test('the first leg that is refused is named', async () => {
    const legs = [leg(2, 'A_EQ', { price: '10' }), leg(1, 'B_EQ', { price: '10' })];
    expect(await refuse({ legs })).toMatchObject({ rule: 'draft_stale', leg: 2 });
  });

  // With live money the price that is paid must be bounded.
  test.each<[string, TradingSettings['environment'], Partial<DraftLeg>, boolean]>([
    ['a market order', 'live', { isPriceAssumed: true }, true],
    ['a stop order', 'live', { isPriceAssumed: true, type: 'STOP', stopPrice: '30' }, true],
    ['a limit order', 'live', { isPriceAssumed: true, type: 'LIMIT', limitPrice: '19' }, false],
    ['a market order whose price is known', 'live', {}, false],
    ['a market order without live money', 'sandbox', { isPriceAssumed: true }, false],
  ])('%s in %s with %j', async (_, environment, change, isRefused) => {
    const refusal = await refuse({ settings: { environment }, legs: [leg(1, 'A_EQ', { price: '20', ...change })] });
    const expected = {
      rule: 'no_price',
      reason: 'The price of this leg was assumed, so it must be a limit order.',
      leg: 1,
    };
    if (isRefused) expect(refusal).toEqual(expected);
    else expect(refusal).not.toEqual(expected);
  });
});

const place = { environment: 'sandbox', accountKey: 'account' };
const { order } = ordinary;

/** An order of this account that was sent a minute ago, equal to the ordinary leg. */
function sent(id: string, change: Partial<Intent> = {}): Intent {
  const request: OrderRequest = change.request ?? order;
  const at = now - 60_000;
  return makeIntent({
    id,
    ticker: request.ticker,
    request,
    fingerprint: orderFingerprint(request, place),
    createdAt: at,
    changedAt: at,
    sentAt: at,
    ...change,
  });
}

const legOf = (submissionId: string, number = 1) => ({ submissionId, number });

describe('a leg that equals an order would place it a second time', () => {
  const reason = (which: string, sender = '') =>
    `The same order exists${which}; the draft would place it a second time.${sender}`;
  const approvedNow = { state: 'APPROVED', createdAt: now - 1_000, sentAt: undefined } as const;

  test.each<[string, Partial<Intent>, Partial<SubmissionCheck>, string]>([
    ['that was placed', { orderId: '77' }, {}, reason(' as order 77 (intent i1)')],
    [
      'that a draft placed, which can be repeated by its name',
      { orderId: '77', leg: legOf('s1') },
      {},
      reason(' as order 77 (intent i1)', ' A draft sent it, in submission s1.'),
    ],
    [
      'that the draft placed which is repeated already',
      { orderId: '77', leg: legOf('s1') },
      { repeatOf: 's1' },
      reason(' as order 77 (intent i1)'),
    ],
    [
      'that was placed alone, when a draft is repeated',
      { orderId: '77' },
      { repeatOf: 's1' },
      reason(' as order 77 (intent i1)'),
    ],
    ['that is about to be sent', { ...approvedNow, leg: legOf('s1') }, {}, reason(' (intent i1)')],
  ])('%s', async (_, change, check, text) => {
    expect(await refuse({ intents: [sent('i1', change)], check })).toEqual({
      rule: 'duplicate_order',
      reason: text,
      leg: 1,
    });
  });

  const old = { createdAt: now - 660_000, changedAt: now - 660_000, sentAt: now - 660_000, orderId: '77' };
  const withPending = (...pending: readonly object[]) => [toCheck(draftLeg(), { facts: { pending } })];

  test.each<[string, LegToCheck[], string | undefined]>([
    ['and is pending at the broker', withPending({ id: '76' }, { id: '77' }), 'duplicate_order'],
    ['and is not pending', withPending({ id: '76' }), undefined],
    ['and the pending orders have no ids', withPending({}), undefined],
  ])('that is older than ten minutes %s', async (_, legs, rule) => {
    expect((await refuse({ legs, intents: [sent('i1', old)] }))?.rule).toBe(rule);
  });

  test('and one without an id is no pending order', async () => {
    expect(
      await refuse({ legs: withPending({}), intents: [sent('i1', { ...old, orderId: undefined })] }),
    ).toBeUndefined();
  });

  test.each<[string, Partial<Intent>]>([
    ['another account', { fingerprint: orderFingerprint(order, { ...place, accountKey: 'other' }) }],
    ['another environment', { fingerprint: orderFingerprint(order, { ...place, environment: 'demo' }) }],
    ['another quantity', { request: { ...order, quantity: '11' } }],
  ])('of %s is no duplicate', async (_, change) => {
    expect(await refuse({ intents: [sent('i1', change)] })).toBeUndefined();
  });

  test('a leg that repeats the order on purpose may be sent, once', async () => {
    const check = { repeatOf: 's1', repeats: new Map([[1, 'i1']]) };
    const first = sent('i1', { orderId: '77', leg: legOf('s1') });
    expect(await refuse({ intents: [first], check })).toBeUndefined();
    const second = sent('i2', { orderId: '78', leg: legOf('s2'), repeatOf: 'i1' });
    expect(await refuse({ intents: [first, second], check })).toMatchObject({ rule: 'duplicate_order', leg: 1 });
  });
});

describe('a second draft in the same direction needs the name of the first', () => {
  /** Another draft bought 7 shares of a ticker. */
  const traded = (
    id: string,
    submissionId: string,
    ticker: string,
    agoMs: number,
    change: Partial<OrderRequest> = {},
  ) =>
    sent(id, {
      request: { ...order, quantity: '7', ticker, ...change },
      leg: legOf(submissionId),
      createdAt: now - agoMs,
      sentAt: now - agoMs,
    });
  const minutes = (count: number) => count * 60_000;
  const legs = ['A_EQ', 'B_EQ', 'C_EQ'].map((ticker, at) => toCheck(draftLeg({ ticker }), { number: at + 1 }));

  test('the refusal names it, and when its ten minutes are over', async () => {
    expect(await refuse({ legs, intents: [traded('i1', 's1', 'B_EQ', minutes(4))] })).toEqual({
      rule: 'repeated_submission',
      reason: 'A draft sent BUY 7 B_EQ 4 minutes ago, in submission s1.',
      retryAfterSeconds: 360,
      leg: 2,
    });
  });

  test('a second that has begun is counted as one', async () => {
    const refusal = await refuse({ legs, intents: [traded('i1', 's1', 'B_EQ', minutes(10) - 1)] });
    expect(refusal?.retryAfterSeconds).toBe(1);
  });

  test('with the name it may be sent', async () => {
    const intents = [
      traded('i1', 's1', 'B_EQ', minutes(4)),
      { ...traded('i2', 's1', 'C_EQ', minutes(4)), leg: legOf('s1', 2) },
    ];
    expect(await refuse({ legs, intents, check: { repeatOf: 's1' } })).toBeUndefined();
    expect(await refuse({ legs, intents, check: { repeatOf: 's2' } })).toMatchObject({
      leg: 2,
      rule: 'repeated_submission',
    });
  });

  test('a trade in the other direction is no repetition', async () => {
    expect(await refuse({ legs, intents: [traded('i1', 's1', 'B_EQ', minutes(4), { side: 'SELL' })] })).toBeUndefined();
  });

  test('no name is enough for the trades of several, so the draft waits for the last of them', async () => {
    const intents = [traded('i1', 's1', 'B_EQ', minutes(4)), traded('i2', 's2', 'C_EQ', minutes(1))];
    const refusal = {
      rule: 'repeated_submission',
      reason: 'Legs 2, 3 trade tickers that 2 submissions traded in the same direction less than ten minutes ago.',
      submissionIds: ['s1', 's2'],
      retryAfterSeconds: 540,
      leg: 2,
    };
    expect(await refuse({ legs, intents })).toEqual(refusal);
    expect(await refuse({ legs, intents, check: { repeatOf: 's1' } })).toEqual(refusal);
  });

  test('the legs and the submissions are counted apart', async () => {
    const more = { ...traded('i3', 's2', 'A_EQ', minutes(2)), leg: legOf('s2', 2) };
    const intents = [traded('i1', 's1', 'B_EQ', minutes(4)), traded('i2', 's2', 'C_EQ', minutes(1)), more];
    expect((await refuse({ legs, intents }))?.reason).toBe(
      'Legs 1, 2, 3 trade tickers that 2 submissions traded in the same direction less than ten minutes ago.',
    );
  });

  test('a leg whose price moved has to be planned again, whatever else it breaks', async () => {
    const stale = toCheck(draftLeg({ price: '10' }));
    const equal = sent('i3', { leg: legOf('s3'), orderId: '77' });
    expect((await refuse({ legs: [stale], intents: [equal] }))?.rule).toBe('draft_stale');
    const [first, second] = [
      toCheck(draftLeg({ ticker: 'B_EQ', price: '10' })),
      toCheck(draftLeg({ ticker: 'C_EQ' }), { number: 2 }),
    ];
    const intents = [traded('i1', 's1', 'B_EQ', minutes(4)), traded('i2', 's2', 'C_EQ', minutes(1))];
    expect((await refuse({ legs: [first, second], intents }))?.rule).toBe('draft_stale');
    const sale = toCheck(draftLeg({ ticker: 'A_EQ', side: 'SELL', price: '10' }));
    const waits = toCheck(draftLeg({ ticker: 'B_EQ' }), { number: 2, isDependent: true });
    const exchanges = exchangeWith({ date: '2026-01-15T08:00:00Z', type: 'CLOSE' });
    expect((await refuse({ legs: [sale, waits], exchanges }))?.rule).toBe('draft_stale');
  });

  test('a leg before them is refused by its own rules first', async () => {
    const intents = [traded('i1', 's1', 'B_EQ', minutes(4)), traded('i2', 's2', 'C_EQ', minutes(1))];
    const [, ...others] = legs;
    const stale = toCheck(draftLeg({ ticker: 'A_EQ', price: '10' }), { number: 1 });
    expect(await refuse({ legs: [stale, ...others], intents })).toMatchObject({ rule: 'draft_stale', leg: 1 });
  });
});
