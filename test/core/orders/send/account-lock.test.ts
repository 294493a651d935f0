/** The turn of an account: who has it, how long, and how long another one waits for it. */
import { describe, expect, test } from 'vitest';
import type { CallContext } from '../../../../src/core/broker/types.ts';
import { log } from '../../../../src/core/log.ts';
import { createAccountLock } from '../../../../src/core/orders/send/account-lock.ts';
import { takeLog } from '../../../support/faults.ts';
import { createManualClock } from '../../../support/manual-clock.ts';
import { openJournal, startAt } from './approved-order.ts';

/** The journal in memory takes no turn of the event loop. */
const settle = () => new Promise<void>((resolve) => setImmediate(resolve));
const name = 'turn account';
const lease = (change: object = {}) => ({ owner: 'other', intentId: 'i2', until: startAt + 60_000, ...change });

async function setup(held?: object) {
  const clock = createManualClock({ startAt });
  const journal = await openJournal(clock);
  const lock = createAccountLock({ journal, clock, processes: { self: 'self', isAlive: (owner) => owner !== 'dead' } });
  const set = (value: object | undefined) => journal.change((tx) => tx.set(name, value));
  const read = () => journal.read((tx) => tx.get<object>(name));
  await set(held);
  /** Asks for the turn of intent `i1`. */
  const ask = (context: Partial<CallContext> = {}, work: () => Promise<unknown> = async () => 'done') =>
    lock.inTurn('account', 'i1', { priority: 'place', deadlineAt: startAt + 100, ...context }, work);
  return { clock, lock, set, read, ask };
}

test('an order in its turn has a lease of its call and forty seconds, and gives it back', async () => {
  const { ask, read } = await setup();
  expect(await ask({}, read)).toEqual({ owner: 'self', intentId: 'i1', until: startAt + 100 + 40_000 });
  expect(await read()).toBeUndefined();
});

test('an error of the work reaches the caller, gives the lease back, and holds up no later order', async () => {
  const { ask, read } = await setup();
  const failed = ask({}, () => Promise.reject(new RangeError('planted')));
  const next = ask();
  await expect(failed).rejects.toBeInstanceOf(RangeError);
  expect(await next).toBe('done');
  expect(await read()).toBeUndefined();
});

test('two orders of an account that one process sends are in their turn one after the other', async () => {
  const { lock } = await setup();
  const steps: string[] = [];
  const send = (intentId: string) =>
    lock.inTurn('account', intentId, { priority: 'place', deadlineAt: startAt + 100 }, async () => {
      steps.push(`${intentId} begins`);
      await settle();
      steps.push(`${intentId} ends`);
    });
  await Promise.all([send('i1'), send('i2'), send('i3')]);
  expect(steps).toEqual(['i1', 'i2', 'i3'].flatMap((id) => [`${id} begins`, `${id} ends`]));
});

test('a lease that another process took during the work stays', async () => {
  const { ask, read, set } = await setup();
  await ask({}, () => set(lease()));
  expect(await read()).toEqual(lease());
});

test('a lease that was removed during the work is given back without a fault', async () => {
  const { ask, read, set } = await setup();
  expect(await ask({}, () => set(undefined))).toBeUndefined();
  expect(await read()).toBeUndefined();
});

test.each([
  ['of another order of this process, which it could not give back', { owner: 'self' }],
  ['of a process that is dead', { owner: 'dead' }],
  ['whose time is over', { until: startAt }],
  ['that ends later than any can: the clock was set back since', { until: startAt + 125_001 }],
  ['of another process for the same order', { intentId: 'i1' }],
])('a lease %s is free', async (_, change) => {
  const { ask } = await setup(lease(change));
  expect(await ask({ deadlineAt: startAt })).toBe('done');
});

describe('while another process has the turn, a call', () => {
  test('asks every 50 ms until its deadline', async () => {
    const { ask, clock, read } = await setup(lease());
    let result: unknown = 'waiting';
    const done = ask().then((value) => {
      result = value;
    });
    await settle();
    await clock.advance(99);
    expect([result, clock.sleepers]).toEqual(['waiting', 1]);
    await clock.advance(1);
    await done;
    expect([result, clock.sleepers]).toEqual([undefined, 0]);
    expect(await read()).toEqual(lease());
  });

  test('has it when it is free at the last moment', async () => {
    const { ask, clock, set } = await setup(lease());
    const asked = ask();
    await settle();
    await clock.advance(99);
    await set(undefined);
    await clock.advance(1);
    expect(await asked).toBe('done');
  });

  test('ends when it is aborted', async () => {
    const { ask, clock } = await setup(lease());
    const stop = new AbortController();
    const asked = ask({ signal: stop.signal, deadlineAt: startAt + 60_000 });
    await settle();
    stop.abort();
    expect(await asked).toBeUndefined();
    expect(clock.sleepers).toBe(0);
  });
});

test('the log of level debug has the taking and the release', async () => {
  const { ask } = await setup();
  log.setLevel('debug');
  await ask();
  const facts = { event: 'lease', name, intentId: 'i1' };
  expect(takeLog()).toMatchObject([
    { ...facts, action: 'taken' },
    { ...facts, action: 'released' },
  ]);
});
