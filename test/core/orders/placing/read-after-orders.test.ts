/** The account after an own order: a copy from before it is not used, as long as the rate limit allows another read. */
import { describe, expect, test } from 'vitest';
import type { CallContext } from '../../../../src/core/broker/types.ts';
import type { Intent } from '../../../../src/core/orders/intent/intent.ts';
import { readAfterOrders } from '../../../../src/core/orders/tradable-account.ts';
import { breaking, context, failure, key, openJournal, placed, startAt } from './world.ts';

const clock = { now: () => startAt, sleep: async () => undefined };

async function open(...intents: readonly Partial<Intent>[]) {
  const journal = await openJournal(clock);
  await journal.change(async (tx) => {
    for (const [at, change] of intents.entries()) await tx.insert({ ...placed(change), id: `i${at}` });
  });
  const reads: (readonly [CallContext, number | undefined])[] = [];
  const errors: unknown[] = [];
  const read = async (asked: CallContext, since: number | undefined) => {
    reads.push([asked, since]);
    if (errors.length > 0) throw errors.shift();
    return 'the account';
  };
  const deps = { journal, clock, accountKey: async () => key };
  return { deps, reads, errors, read, run: (asked = context) => readAfterOrders(deps, asked, read) };
}

const sent = (ms: number, change: Partial<Intent> = {}) => ({
  sentAt: startAt + ms,
  changedAt: startAt + ms,
  createdAt: startAt + ms,
  ...change,
});

describe('the time from which the account must have been read', () => {
  test.each<[string, readonly Partial<Intent>[], number | undefined]>([
    ['is not limited without an own order', [], undefined],
    ['is not limited 33 seconds after an order, because every copy is newer', [sent(-33_000)], undefined],
    ['is three seconds after an order', [sent(-32_999)], -29_999],
    ['is never in the future', [sent(-2_999)], 0],
    ['is three seconds after the newest of several orders', [sent(-20_000), sent(-10_000), sent(-15_000)], -7_000],
    ['counts from the response', [sent(-40_000, { changedAt: startAt - 10_000 })], -7_000],
    ['counts from the sending where the row changed before', [sent(-10_000, { changedAt: startAt - 40_000 })], -7_000],
    ['is not limited by an order that was not sent', [sent(-5_000, { sentAt: undefined })], undefined],
    ['is not that of an order that was not sent', [sent(-5_000, { sentAt: undefined }), sent(-20_000)], -17_000],
    ['is not limited by an order of another account', [sent(-5_000, { accountKey: 'other' })], undefined],
    ['is now for an order of the future', [sent(3_600_000)], 0],
    ['is where an order of the future was first seen', [sent(3_600_000, { seenAheadAt: startAt - 12_000 })], -9_000],
  ])('%s', async (_, intents, since) => {
    const { run, reads } = await open(...intents);
    const expected = since === undefined ? undefined : startAt + since;
    expect(await run()).toEqual({ account: 'the account', since: expected });
    expect(reads.map(([, at]) => at)).toEqual([expected]);
  });

  test('is that of the caller, whatever was ordered', async () => {
    const { run, reads } = await open(sent(-1_000));
    const notBefore = startAt - 8_000;
    expect(await run({ ...context, notBefore })).toEqual({ account: 'the account', since: notBefore });
    expect(reads.map(([asked, at]) => [asked.notBefore, at])).toEqual([[undefined, notBefore]]);
  });

  test('is not limited when the journal cannot be read', async () => {
    const { deps, read } = await open(sent(-1_000));
    const journal = breaking(deps.journal, { read: failure('store_unavailable') });
    expect(await readAfterOrders({ ...deps, journal }, context, read)).toMatchObject({ since: undefined });
  });
});

describe('the wait for the rate limit', () => {
  test.each([
    ['seven seconds', {}, 7_000],
    ['as long as the caller waits', { waitUntil: startAt + 4_000 }, 4_000],
    ['as long as the call lasts', { deadlineAt: startAt + 5_000 }, 5_000],
  ])('is %s', async (_, change, waitMs) => {
    const { run, reads } = await open(sent(-1_000));
    const asked = { ...context, ...change };
    await run(asked);
    expect(reads).toEqual([[{ ...asked, waitUntil: startAt + waitMs }, startAt]]);
  });

  test('is that of the caller without an own order', async () => {
    const { run, reads } = await open();
    await run();
    expect(reads).toEqual([[context, undefined]]);
  });
});

describe('an account that cannot be read', () => {
  test('again so soon is used as it was read before', async () => {
    const { run, reads, errors } = await open(sent(-1_000));
    errors.push(failure('rate_limited'));
    expect(await run()).toEqual({ account: 'the account', since: startAt });
    expect(reads[1]).toEqual([context, undefined]);
  });

  test.each([
    ['for another reason', failure('unreachable')],
    ['because of a fault of the program', Object.assign(new Error('x'), { code: 'rate_limited' })],
  ])('%s throws the error', async (_, error) => {
    const { run, reads, errors } = await open(sent(-1_000));
    errors.push(error);
    await expect(run()).rejects.toBe(error);
    expect(reads.length).toBe(1);
  });
});
