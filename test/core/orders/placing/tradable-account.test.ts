/** The account as a plan sees it: what the pending orders and our own leave of its cash and shares. */
import { describe, expect, test } from 'vitest';
import type { CallContext } from '../../../../src/core/broker/types.ts';
import type { AccountSnapshot } from '../../../../src/core/orders/account/account-snapshot.ts';
import type { Intent } from '../../../../src/core/orders/intent/intent.ts';
import { readTradableAccount } from '../../../../src/core/orders/tradable-account.ts';
import { account, buy, sell, ticker } from '../risk/example-account.ts';
import { context, openWorld, order, placed, rejectWith, startAt } from './world.ts';

const other = 'OTHER_EQ';
/** An order of two seconds ago, which the account as it was read need not show. */
const own = (id: string, change: Partial<Intent> = {}): Intent => {
  const recent = { createdAt: startAt - 2_000, changedAt: startAt - 2_000, sentAt: startAt - 2_000 };
  return { ...placed(), id, ...recent, orderId: id, value: '200.00', ...change };
};

async function read(intents: readonly Intent[], facts: object = {}, limits: object = {}) {
  const reads: unknown[][] = [];
  const snapshot = account(facts) as AccountSnapshot;
  const readAccount = async (asked: CallContext, notBefore: number | undefined) => {
    reads.push([asked, notBefore]);
    return snapshot;
  };
  const { insert, deps } = await openWorld({ limits, deps: { facts: { readAccount, read: rejectWith(new Error()) } } });
  await insert(...intents);
  return { reads, snapshot, account: await readTradableAccount(deps, context) };
}

/** 100 shares, of which a pending sale takes 10; a pending purchase adds 5. */
const withPending = {
  positions: [{ instrument: { ticker }, quantity: '100', quantityAvailableForTrading: '90' }],
  pending: [order({ id: '1', quantity: '5' }), order({ id: '2', side: 'SELL', quantity: '-10' })],
};

const sharesOf = async (intents: readonly Intent[], facts: object = withPending) => {
  const { held, afterPending, sellable } = (await read(intents, facts)).account.getShares(ticker);
  return [held, afterPending, sellable].map(Number);
};

test('the account is read as newly as the orders need, with the priority of a read', async () => {
  const { reads, account: found, snapshot } = await read([own('a')]);
  const since = startAt;
  expect(reads).toEqual([[{ ...context, priority: 'read', waitUntil: startAt + 7_000 }, since]]);
  expect([found.since, found.snapshot]).toEqual([since, snapshot]);
});

test('the account tells since when it must have been read: three seconds after the newest order', async () => {
  const at = startAt - 10_000;
  const { reads, account: found } = await read([own('a', { createdAt: at, changedAt: at, sentAt: at })]);
  expect([reads[0]?.[1], found.since]).toEqual([startAt - 7_000, startAt - 7_000]);
});

describe('the cash', () => {
  test.each<[string, readonly Intent[], object, object, number | undefined]>([
    ['is what the service reports', [], {}, {}, 50_000],
    ['is less the value of a purchase that it may not show', [own('a')], {}, {}, 49_800],
    [
      'is less the largest value for a purchase of unknown value',
      [own('a', { value: undefined })],
      { maxOrderValue: '700' },
      {},
      49_300,
    ],
    ['does not depend on an order of another account', [own('a', { accountKey: 'other' })], {}, {}, 50_000],
    ['is unknown when it is not reported', [], {}, { summary: { id: '7', currency: 'GBP' } }, undefined],
  ])('%s', async (_, intents, limits, facts, cash) => {
    const found = (await read(intents, facts, limits)).account.cash;
    expect(found === undefined ? undefined : Number(found)).toBe(cash);
  });
});

describe('the shares: held, with all orders counted as executed, and free to be sold', () => {
  test.each<[string, readonly Intent[], object, readonly number[]]>([
    ['without an order', [], {}, [100, 100, 100]],
    ['of a ticker that is not held', [], { positions: [] }, [0, 0, 0]],
    ['with pending orders', [], withPending, [100, 95, 90]],
    [
      'with a purchase that is not shown yet',
      [own('a', { request: { ...buy, quantity: '7' } })],
      withPending,
      [100, 102, 90],
    ],
    [
      'with a sale that is not shown yet',
      [own('a', { request: { ...sell, quantity: '20' } })],
      withPending,
      [100, 75, 70],
    ],
    [
      'with both',
      [own('a', { request: { ...buy, quantity: '7' } }), own('b', { request: { ...sell, quantity: '20' } })],
      withPending,
      [100, 82, 70],
    ],
    [
      'with a sale of more than is free',
      [own('a', { request: { ...sell, quantity: '200' } })],
      withPending,
      [100, -105, 0],
    ],
    [
      'with a sale of more than is free, beside a purchase that adds more',
      [own('a', { request: { ...sell, quantity: '120' } })],
      { ...withPending, pending: [order({ id: '1', quantity: '500' })] },
      [100, 480, 0],
    ],
    [
      'with an order for another ticker',
      [own('a', { ticker: other, request: { ...sell, ticker: other } })],
      withPending,
      [100, 95, 90],
    ],
  ])('%s', async (_, intents, facts, shares) => {
    expect(await sharesOf(intents, facts)).toEqual(shares);
  });
});

describe('the number of open orders', () => {
  const listed = {
    pending: [
      order({ id: '1' }),
      order({ id: '2', side: 'SELL' }),
      order({ id: '3', side: 'SELL' }),
      order({ id: '4', ticker: other }),
    ],
  };

  test.each<[string, readonly Intent[], readonly [buys: number, sells: number]]>([
    ['is that of the pending ones of the side', [], [1, 2]],
    ['counts an own purchase that is not listed', [own('a')], [2, 2]],
    ['counts an own sale that is not listed', [own('a', { request: sell })], [1, 3]],
    ['counts an own order that is listed once', [own('a', { orderId: '1' })], [1, 2]],
    ['does not count an own order for another ticker', [own('a', { ticker: other })], [1, 2]],
    ['does not count an own order that ended without a fill', [own('a', { endedAs: 'CANCELLED' })], [1, 2]],
  ])('%s', async (_, intents, counts) => {
    const { account: found } = await read(intents, listed);
    expect([found.countOpen(ticker, 'BUY'), found.countOpen(ticker, 'SELL')]).toEqual(counts);
  });
});

describe('the newest order that was sent for a ticker', () => {
  const at = (ms: number) => ({ sentAt: startAt + ms, createdAt: startAt + ms, changedAt: startAt + ms });

  test.each<[string, readonly Intent[], { sentAt: number; orderId: string | undefined } | undefined]>([
    ['is none without an order', [], undefined],
    ['is the only one', [own('a', at(-9_000))], { sentAt: startAt - 9_000, orderId: 'a' }],
    [
      'is the last of several',
      [own('a', at(-9_000)), own('b', at(-3_000)), own('c', at(-6_000))],
      { sentAt: startAt - 3_000, orderId: 'b' },
    ],
    [
      'is the one that was sent last, although it was created first',
      [own('a', { ...at(-9_000), sentAt: startAt - 1_000 }), own('b', at(-5_000))],
      { sentAt: startAt - 1_000, orderId: 'a' },
    ],
    [
      'can be one of unknown outcome',
      [own('a', { ...at(-9_000), state: 'UNKNOWN', orderId: undefined })],
      { sentAt: startAt - 9_000, orderId: undefined },
    ],
    ['is not for another ticker', [own('a', { ticker: other })], undefined],
    ['is not one that was not sent', [own('a', { state: 'APPROVED', sentAt: undefined })], undefined],
    ['is not one that the broker rejected', [own('a', { state: 'REJECTED' })], undefined],
    ['is not one that ended without a fill', [own('a', { endedAs: 'EXPIRED' })], undefined],
    [
      'was sent when its future time was first seen',
      [own('a', { ...at(7_200_000), seenAheadAt: startAt - 4_000 })],
      { sentAt: startAt - 4_000, orderId: 'a' },
    ],
  ])('%s', async (_, intents, sent) => {
    const { account: found } = await read(intents);
    expect(found.findLastSent(ticker)).toEqual(sent);
  });
});

test('an account that cannot be read throws the error', async () => {
  const error = new Error('x');
  const failing = { readAccount: rejectWith(error), read: rejectWith(error) };
  const { deps } = await openWorld({ deps: { facts: failing } });
  await expect(readTradableAccount(deps, context)).rejects.toBe(error);
});
