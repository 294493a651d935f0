/** What became of an order that was placed before: only what is read now counts. */
import { describe, expect, test } from 'vitest';
import type { CallContext } from '../../../../src/core/broker/types.ts';
import { noteStatus, readStanding } from '../../../../src/core/orders/account/find-order.ts';
import type { Intent } from '../../../../src/core/orders/intent/intent.ts';
import { createStepClock } from '../../../support/step-clock.ts';
import { context, createBroker, failure, openJournal, order, placed, startAt } from './world.ts';

async function open(change: Partial<Intent> = {}) {
  const clock = createStepClock(startAt);
  const service = createBroker(clock);
  const journal = await openJournal(clock);
  const intent = placed(change);
  await journal.change((tx) => tx.insert(intent));
  const progress: string[] = [];
  const deps = { broker: service.broker, journal, clock };
  const standing = (asked: CallContext = context) =>
    clock.run(readStanding(deps, intent, asked, (message) => void progress.push(message)));
  const asked = (id: string) => service.calls.filter((call) => call.id === id);
  return { clock, service, journal, intent, deps, progress, standing, asked };
}

const ended = (status: string) => ({ order: order({ status }) }) as never;

describe('an order that can be read at once', () => {
  test('stands while it is pending, with its present status', async () => {
    const { service, intent, standing, journal } = await open();
    service.pending.push(order());
    expect(await standing()).toEqual({ kind: 'stands', intent: { ...intent, orderStatus: 'NEW' } });
    expect(await journal.read((tx) => tx.find(intent.id))).toMatchObject({ state: 'PLACED', orderStatus: 'NEW' });
  });

  test('is not read when its end without a fill is known', async () => {
    const { service, intent, standing } = await open({ endedAs: 'CANCELLED' });
    expect(await standing()).toEqual({ kind: 'ended', intent });
    expect(service.calls).toEqual([]);
  });

  test.each([
    ['cancelled without a fill', 'CANCELLED', '0', { kind: 'ended', endedAs: 'CANCELLED' }],
    ['cancelled after a part was filled', 'CANCELLED', '4', { kind: 'stands', endedAs: undefined }],
    ['filled', 'FILLED', '10', { kind: 'stands', endedAs: undefined }],
  ] as const)('and was %s', async (_, status, filled, { kind, endedAs }) => {
    const { service, intent, standing, journal } = await open();
    service.pending.push(order());
    service.end('7', status, filled);
    const noted = { ...intent, orderStatus: status, endedAs };
    expect(await standing()).toEqual({ kind, intent: noted });
    expect(await journal.read((tx) => tx.find(intent.id))).toMatchObject({ orderStatus: status });
  });

  test('is gone for ten seconds when neither list has it', async () => {
    const { standing } = await open();
    expect(await standing()).toEqual({ kind: 'gone', retryAfterSeconds: 10 });
  });
});

describe('the reads', () => {
  test.each([
    ['20 seconds', 50_000, 20_000],
    ['as long as 20 seconds are left to send the order', 30_000, 10_000],
  ])('wait for the rate limit at most %s, and no read is older than the call', async (_, deadlineMs, waitMs) => {
    const { standing, asked } = await open();
    await standing({ ...context, deadlineAt: startAt + deadlineMs });
    const reading = { deadlineAt: startAt + deadlineMs, waitUntil: startAt + waitMs, priority: 'lookUp' };
    expect(asked('getPendingOrder').map((call) => [call.request, call.context])).toEqual([
      [{ id: '7' }, { ...reading, notBefore: startAt }],
    ]);
    expect(asked('listHistoricalOrders').map((call) => call.context)).toEqual([
      { ...reading, notBefore: undefined, onWait: expect.any(Function) },
    ]);
  });

  test('say how long the history has to be waited for, in whole seconds', async () => {
    const { service, standing, progress } = await open();
    service.answers.listHistoricalOrders = (_, { onWait }) => {
      onWait?.({ waitMs: 1_001 });
      return { items: [ended('FILLED')], next: undefined };
    };
    await standing();
    expect(progress).toEqual(['Order 7 is no longer pending; waiting 2 s for the history to show how it ended']);
  });

  test('need nobody who listens', async () => {
    const { service, deps, intent } = await open();
    service.answers.listHistoricalOrders = (_, { onWait }) => {
      onWait?.({ waitMs: 1_000 });
      return { items: [ended('FILLED')], next: undefined };
    };
    expect(await readStanding(deps, intent, context, undefined)).toMatchObject({ kind: 'stands' });
  });

  test('of the history end at the rows from before the order', async () => {
    const { service, standing, asked } = await open();
    const createdAt = new Date(startAt - 120_000 - 120_001).toISOString();
    service.answers.listHistoricalOrders = ({ query }) =>
      query
        ? { items: [ended('FILLED')] }
        : { items: [{ order: order({ id: '5', createdAt }) }], next: { cursor: '2' } };
    expect(await standing()).toMatchObject({ kind: 'gone' });
    expect(asked('listHistoricalOrders').length).toBe(1);
  });

  test('of the history go back to when the order was sent, although its row was changed later', async () => {
    const { service, standing } = await open({ sentAt: startAt - 3_600_000, changedAt: startAt - 3_000 });
    const createdAt = new Date(startAt - 600_000).toISOString();
    service.answers.listHistoricalOrders = ({ query }) =>
      query
        ? { items: [ended('FILLED')] }
        : { items: [{ order: order({ id: '5', createdAt }) }], next: { cursor: '2' } };
    expect(await standing()).toMatchObject({ kind: 'stands', intent: { orderStatus: 'FILLED' } });
  });

  test('of the history are done again when the page is from before the order left the pending ones', async () => {
    const { service, standing, asked } = await open();
    service.answers.listHistoricalOrders = (_, { notBefore }) =>
      notBefore === undefined ? { items: [], askedAt: startAt - 1 } : { items: [ended('CANCELLED')] };
    expect(await standing()).toMatchObject({ kind: 'ended' });
    expect(asked('listHistoricalOrders').map((call) => call.context.notBefore)).toEqual([undefined, startAt]);
  });
});

describe('an order that was placed a moment ago', () => {
  test.each([
    ['in the same millisecond', 0, 2_000],
    ['two seconds ago, but for a millisecond', 1_999, 1],
    ['two seconds ago', 2_000, 0],
    ['in the future, by a clock that was set back', -1, 0],
  ])('%s is asked for again once it can be read', async (_, agoMs, waitedMs) => {
    const { clock, standing, asked } = await open({ changedAt: startAt - agoMs });
    expect(await standing()).toMatchObject({ kind: 'gone' });
    expect(clock.now() - startAt).toBe(waitedMs);
    const times = waitedMs === 0 ? [startAt] : [startAt, startAt + waitedMs];
    expect(asked('getPendingOrder').map((call) => call.context.notBefore)).toEqual(times);
    expect(asked('listHistoricalOrders').length).toBe(1);
  });

  test('and appears in the meantime stands', async () => {
    const { service, clock, standing, asked } = await open({ changedAt: startAt });
    void clock.sleep(1_000).then(() => service.pending.push(order()));
    expect(await standing()).toMatchObject({ kind: 'stands' });
    expect(asked('listHistoricalOrders')).toEqual([]);
  });

  test('is no longer waited for when the call is aborted', async () => {
    const { standing } = await open({ changedAt: startAt });
    const signal = AbortSignal.abort(new Error('over'));
    await expect(standing({ ...context, signal })).rejects.toBe(signal.reason);
  });
});

describe('an order that cannot be read', () => {
  test.each([
    ['the pending orders', 'getPendingOrder', 12, { kind: 'unread', retryAfterSeconds: 12 }],
    ['the pending orders, for an unknown time', 'getPendingOrder', undefined, { kind: 'unread' }],
    ['the history', 'listHistoricalOrders', 33, { kind: 'gone', retryAfterSeconds: 33 }],
    ['the history, for an unknown time', 'listHistoricalOrders', undefined, { kind: 'gone', retryAfterSeconds: 10 }],
  ] as const)('because of %s', async (_, endpoint, retryAfterSeconds, expected) => {
    const { service, standing } = await open();
    const error = failure('rate_limited', retryAfterSeconds === undefined ? {} : { retryAfterSeconds });
    service.answers[endpoint] = () => {
      throw error;
    };
    const reason = expected.kind === 'unread' ? { reason: error.message } : {};
    expect(await standing()).toEqual({ ...expected, ...reason });
  });

  test.each([
    ['a cancelled call', failure('cancelled')],
    ['a missing key', failure('not_configured')],
    ['the store', failure('store_unavailable')],
    ['a fault of the program', new TypeError('x')],
    ['a fault of the program with facts', Object.assign(new TypeError('x'), { code: 'timeout', facts: {} })],
  ])('because of %s throws the error', async (_, error) => {
    const { service, standing } = await open();
    service.answers.getPendingOrder = () => {
      throw error;
    };
    await expect(standing()).rejects.toBe(error);
  });
});

describe('the status that was read', () => {
  const known = placed({ orderStatus: 'NEW' });
  const noting = (moved: Intent | undefined) => {
    const moves: unknown[][] = [];
    const tx = {
      move: async (...args: unknown[]) => {
        moves.push(args);
        return moved;
      },
    };
    return { tx: tx as never, moves };
  };
  const found = (change: object, fills: readonly object[] = []) => ({ order: order(change), fills }) as never;

  test('is not written again', async () => {
    const { tx, moves } = noting(undefined);
    expect(await noteStatus(tx, known, found({ status: 'NEW' }))).toBe(known);
    expect(moves).toEqual([]);
  });

  test.each([
    ['another status', known, 'CONFIRMED', undefined],
    ['an end of the same status', { ...known, orderStatus: 'CANCELLED' }, 'CANCELLED', 'CANCELLED'],
  ])('is written with %s, and leaves the state as it is', async (_, before, status, endedAs) => {
    const after = { ...before, orderStatus: status, endedAs };
    const { tx, moves } = noting(after);
    expect(await noteStatus(tx, before, found({ status }))).toBe(after);
    expect(moves).toEqual([[known.id, 'PLACED', { state: 'PLACED', orderStatus: status, endedAs }]]);
  });

  test('of an order that another process changed leaves what was known', async () => {
    const { tx } = noting(undefined);
    expect(await noteStatus(tx, known, found({ status: 'CONFIRMED' }))).toBe(known);
  });
});
