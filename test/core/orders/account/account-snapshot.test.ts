/** The account as an order is decided on: how old it may be, what it consists of, and what is kept of it. */
import Big from 'big.js';
import { describe, expect, test } from 'vitest';
import type { Broker, CallContext } from '../../../../src/core/broker/types.ts';
import { endpoints, type Order, type Position, type TradableInstrument } from '../../../../src/core/endpoints/index.ts';
import {
  createSnapshotReader,
  lastKnownPrice,
  type OrderContext,
  readAccount,
  toBaseline,
} from '../../../../src/core/orders/account/account-snapshot.ts';
import { createManualClock } from '../../../support/manual-clock.ts';

const startAt = 1_000_000;
const context: CallContext = { priority: 'lookUp', deadlineAt: Number.POSITIVE_INFINITY };

interface Account {
  readonly summary?: object;
  readonly positions?: readonly object[];
}

/** A reader, and how often it asked for the account. */
function openReader({ summary = {}, positions = [] }: Account = {}, zone?: string) {
  const clock = createManualClock({ startAt });
  const asked: CallContext[] = [];
  const history: unknown[] = [];
  const data: Readonly<Record<string, unknown>> = { getAccountSummary: summary, listPositions: positions };
  const call = async ({ id }: { id: string }, _: object, one: CallContext) => {
    if (id === 'getAccountSummary') asked.push(one);
    const now = clock.now();
    return { data: data[id] ?? [], askedAt: now, answeredAt: now, shared: false };
  };
  async function* pages(...args: readonly unknown[]) {
    history.push(args);
    const order = { ticker: 'A', currency: 'USD' };
    const fill = { price: '5', filledAt: new Date(startAt).toISOString() };
    yield { items: [{ order, fill }], askedAt: startAt, answeredAt: startAt, next: undefined };
  }
  const reader = createSnapshotReader({ call, pages } as unknown as Broker, clock, zone);
  return { clock, reader, asked, history, count: () => asked.length };
}

test('orders within 30 seconds share one reading, unless one needs a later one', async () => {
  const { clock, reader, count } = openReader();
  await reader.readAccount(context);
  await clock.advance(30_000);
  await reader.readAccount(context);
  expect(count()).toBe(1);
  await reader.readAccount(context, clock.now());
  expect(count()).toBe(2);
});

test('a reading of after the fills is read again when it is older than 30 seconds', async () => {
  const { clock, reader, count } = openReader();
  const filledAt = clock.now();
  await reader.readAccount(context, filledAt);
  await clock.advance(30_001);
  const { askedAt } = await reader.readAccount(context, filledAt);
  expect([count(), askedAt]).toEqual([2, clock.now()]);
});

test('no part of a reading may be older than 30 seconds, or than the caller needs', async () => {
  const { clock, reader, asked } = openReader();
  await reader.readAccount(context);
  await clock.advance(40_000);
  await reader.readAccount(context, startAt + 15_000);
  await clock.advance(1_000);
  await reader.readAccount({ ...context, notBefore: 5 }, startAt + 40_500);
  expect(asked).toEqual([
    { ...context, notBefore: startAt - 30_000 },
    { ...context, notBefore: startAt + 15_000 },
    { ...context, notBefore: startAt + 40_500 },
  ]);
});

/** A reader of a service whose readings were asked for at these times, in turn, and the time that its clock shows. */
function readerOf(...times: readonly number[]) {
  const clock = { at: 0 };
  const left = times.flatMap((at) => [at, at, at]);
  const call = async () => ({ data: [], askedAt: left.shift(), answeredAt: 0 });
  const now = () => clock.at;
  const reader = createSnapshotReader({ call } as unknown as Broker, { now, sleep: () => Promise.resolve() });
  /** When the reading was asked for that an order has at this time. */
  const readAt = async (at: number, notBefore?: number) => {
    clock.at = at;
    return (await reader.readAccount(context, notBefore)).askedAt;
  };
  return { readAt };
}

test('a reading of this moment is used, and one from before the clock was set back is not', async () => {
  const { readAt } = readerOf(5_000, 4_999);
  expect(await readAt(5_000)).toBe(5_000);
  expect(await readAt(5_000)).toBe(5_000);
  expect(await readAt(4_999)).toBe(4_999);
  // The reading of the future was replaced.
  expect(await readAt(5_001)).toBe(4_999);
});

test('a reading that others made earlier does not replace a later one', async () => {
  const { readAt } = readerOf(5_000, 4_000, 6_000, 7_000);
  expect(await readAt(5_000)).toBe(5_000);
  expect(await readAt(5_000, 5_500)).toBe(4_000);
  expect(await readAt(5_000, 5_000)).toBe(5_000);
  expect(await readAt(6_000, 5_500)).toBe(6_000);
  expect(await readAt(6_000, 5_000)).toBe(6_000);
});

test('the account is three answers, as old as the oldest of them', async () => {
  const requests: unknown[] = [];
  const answers: Readonly<Record<string, object>> = {
    getAccountSummary: { data: { id: '1' }, askedAt: 20, answeredAt: 25 },
    listPositions: { data: ['position'], askedAt: 10, answeredAt: 26, serviceOffsetMs: 7 },
    listPendingOrders: { data: ['order'], askedAt: 30, answeredAt: 24, serviceOffsetMs: 8 },
  };
  const call = async (endpoint: { readonly id: string }, ...rest: readonly unknown[]) => {
    requests.push([endpoint, ...rest]);
    return answers[endpoint.id];
  };
  expect(await readAccount({ call } as unknown as Broker, context)).toEqual({
    summary: { id: '1' },
    positions: ['position'],
    pending: ['order'],
    askedAt: 10,
    asOf: 24,
    serviceOffsetMs: 7,
  });
  expect(requests).toEqual([
    [endpoints.getAccountSummary, {}, context],
    [endpoints.listPositions, {}, context],
    [endpoints.listPendingOrders, {}, context],
  ]);
});

test('how far the clock of the service is ahead is unknown where no answer says it', async () => {
  const call = async () => ({ data: [], askedAt: 0, answeredAt: 0 });
  const account = await readAccount({ call } as unknown as Broker, context);
  expect(account.serviceOffsetMs).toBeUndefined();
});

describe('the facts of an instrument', () => {
  const instrument = (currencyCode: string) => ({ ticker: 'A', currencyCode }) as TradableInstrument;
  const held = (ticker: string, currency: string) => ({ instrument: { ticker, currency }, currentPrice: '10' });
  const inPounds = { summary: { currency: 'GBP' } };

  test('are the account, the instrument and the time zone of the owner', async () => {
    const { reader } = openReader({ ...inPounds, positions: [held('A', 'GBP')] }, 'Europe/Paris');
    expect(await reader.read(instrument('GBP'), context)).toEqual({
      summary: { currency: 'GBP' },
      positions: [held('A', 'GBP')],
      pending: [],
      askedAt: startAt,
      asOf: startAt,
      serviceOffsetMs: undefined,
      instrument: instrument('GBP'),
      fills: [],
      zone: 'Europe/Paris',
    });
  });

  test('share a reading, unless a later one is needed', async () => {
    const { clock, reader, count } = openReader();
    await reader.readAccount(context);
    await clock.advance(1_000);
    await reader.read(instrument('GBP'), context);
    expect(count()).toBe(1);
    await reader.read(instrument('GBP'), context, startAt + 1);
    expect(count()).toBe(2);
  });

  test.each<[string, string, Account, boolean]>([
    ['held in the account currency', 'GBP', { ...inPounds, positions: [held('A', 'GBP')] }, false],
    [
      'held in the account currency, without its name',
      'GBP',
      { ...inPounds, positions: [{ instrument: { ticker: 'A' } }] },
      false,
    ],
    ['held in pence of an account in pounds', 'GBX', { ...inPounds, positions: [held('A', 'USD')] }, false],
    [
      'held in pence of an account in euros',
      'GBX',
      { summary: { currency: 'EUR' }, positions: [held('A', 'EUR')] },
      true,
    ],
    ['held in a currency of its position', 'USD', { ...inPounds, positions: [held('A', 'USD')] }, false],
    [
      'held in a currency of another position',
      'USD',
      { ...inPounds, positions: [held('A', 'GBP'), held('B', 'USD')] },
      false,
    ],
    ['held in a currency that no position has', 'USD', { ...inPounds, positions: [held('A', 'EUR')] }, true],
    ['not held, in the account currency', 'GBP', { ...inPounds, positions: [held('B', 'GBP')] }, true],
    ['not held, in a currency of a position', 'USD', { ...inPounds, positions: [held('B', 'USD')] }, true],
    ['beside positions without an instrument', 'GBP', { ...inPounds, positions: [{}] }, true],
    ['held beside a position without an instrument', 'USD', { ...inPounds, positions: [{}, held('A', 'USD')] }, false],
    [
      'held in an unknown currency beside such a position',
      'EUR',
      { ...inPounds, positions: [{}, held('A', 'USD')] },
      true,
    ],
  ])('have recent fills only where the positions show no price or no rate: %s', async (_, code, account, isRead) => {
    const { reader, history } = openReader(account);
    const { fills } = await reader.read(instrument(code), context);
    const fill = { ticker: 'A', price: '5', currency: 'USD', rate: undefined };
    expect(fills).toEqual(isRead ? [fill] : []);
    // Five seconds are the longest wait for a slot.
    const walk = [endpoints.listHistoricalOrders, {}, { ...context, waitUntil: startAt + 5_000 }];
    expect(history).toEqual(isRead ? [walk] : []);
  });

  test('leave out fills of over 30 days ago', async () => {
    const { clock, reader } = openReader(inPounds);
    await clock.advance(30 * 86_400_000);
    expect((await reader.read(instrument('GBP'), context)).fills).toEqual([]);
  });
});

describe('the last known price', () => {
  const position = (ticker: string, currentPrice?: string) => ({ instrument: { ticker }, currentPrice }) as Position;
  const fill = (ticker: string, price: string) => ({ ticker, price, currency: 'USD', rate: new Big(1) });

  test.each<[string, Pick<OrderContext, 'positions' | 'fills'>, string | undefined]>([
    ['of its position', { positions: [position('B', '9'), position('A', '10')], fills: [fill('A', '11')] }, '10'],
    [
      'of its newest fill where it is not held',
      { positions: [position('B', '9')], fills: [fill('B', '8'), fill('A', '11'), fill('A', '12')] },
      '11',
    ],
    ['of its fill where its position has none', { positions: [position('A')], fills: [fill('A', '11')] }, '11'],
    [
      'of its fill beside a position without an instrument',
      { positions: [{} as Position], fills: [fill('A', '11')] },
      '11',
    ],
    ['unknown where neither has one', { positions: [position('B', '9')], fills: [fill('B', '8')] }, undefined],
  ])('is that %s', (_, facts, expected) => {
    expect(lastKnownPrice('A', facts)).toBe(expected);
  });
});

describe('what is stored with an order', () => {
  const order = (fields: object) => ({ ticker: 'A', ...fields }) as Order;
  const facts = {
    summary: { cash: { availableToTrade: '50' } },
    positions: [{ instrument: { ticker: 'A' }, quantity: '10', quantityInPies: '1', currentPrice: '7' }],
    pending: [
      order({ id: '1', side: 'SELL', quantity: '-2' }),
      order({ side: 'BUY', quantity: '4' }),
      order({ id: '3', ticker: 'B' }),
    ],
    fills: [],
    askedAt: 20,
    asOf: 25,
    serviceOffsetMs: -3,
  } as unknown as OrderContext;

  test('is what the account had of its ticker and in cash before it', () => {
    expect(toBaseline('A', facts)).toEqual({
      askedAt: 20,
      pendingIds: ['1', '3'],
      position: '10',
      cash: '50',
      // 10 − 1 − 2, and 10 + 4.
      free: '7',
      bought: '14',
      price: '7',
      serviceOffsetMs: -3,
    });
  });

  test('has no amount that the service did not report', () => {
    const nothing = { ...facts, summary: {}, positions: [], pending: [], serviceOffsetMs: undefined };
    expect(toBaseline('A', nothing as unknown as OrderContext)).toEqual({
      askedAt: 20,
      pendingIds: [],
      position: '0',
      cash: undefined,
      free: '0',
      bought: '0',
      price: undefined,
      serviceOffsetMs: undefined,
    });
  });
});
