/** Which page is read next, and what a page that cannot be read changes. */
import { describe, expect, test } from 'vitest';
import type { Broker, PageCursor } from '../../../src/core/broker/types.ts';
import { BrokerageError } from '../../../src/core/errors.ts';
import { createMemoryHistory } from '../../../src/features/history/memory-store.ts';
import { emptyMirror, type MirrorState, type Segment } from '../../../src/features/history/mirror-state.ts';
import {
  computeRetryAt,
  fetchNewestPage,
  fetchNextPage,
  nextJob,
  type PageJob,
} from '../../../src/features/history/read-page.ts';
import { deposit, segmentOf, startAt } from '../../support/fake-history.ts';

const now = startAt;
const minuteMs = 60_000;
const hourMs = 3_600_000;
const next: PageCursor = { limit: '50', cursor: '7', time: 'any' };
const newest = { query: { limit: '50' }, continues: undefined };

const segment = (change: Partial<Segment> = {}): Segment =>
  segmentOf({ askedAt: now - hourMs, answeredAt: now - hourMs, next, ...change });
const recheck = { next: { limit: '50', cursor: '3' }, openAt: 1, seenTo: 2, failures: 0 };
const trouble = (retryAt: number, failures = 1) => ({ reason: 'It failed.', failures, retryAt });

describe('the next page', () => {
  const state = (top: Segment, change: Partial<MirrorState> = {}): MirrorState => ({
    ...emptyMirror,
    stretches: [top, segment({ id: 0, trouble: trouble(now + minuteMs) })],
    ...change,
  });
  test.each<[string, MirrorState | undefined, PageJob | undefined]>([
    ['is the newest where nothing is stored', undefined, newest],
    ['is the newest where no page was read', emptyMirror, newest],
    ['continues the newest segment', state(segment()), { query: next, continues: 1 }],
    ['continues it before orders are read again', state(segment(), { recheck }), { query: next, continues: 1 }],
    ['waits for a retry', state(segment({ trouble: trouble(now + 1) })), undefined],
    ['is read at the moment of a retry', state(segment({ trouble: trouble(now) })), { query: next, continues: 1 }],
    ['is the newest where the cursor is not accepted', state(segment({ deadEnd: true })), newest],
    ['waits for the retry there, too', state(segment({ deadEnd: true, trouble: trouble(now + 1) })), undefined],
    [
      'is the next of those read again',
      state(segment({ next: undefined }), { recheck }),
      { query: recheck.next, continues: 'recheck' },
    ],
    ['is none at the end', state(segment({ next: undefined })), undefined],
  ])('%s', (_, known, expected) => {
    expect(nextJob(known, now)).toEqual(expected);
  });

  test.each([
    ['in the future', now + minuteMs, now + minuteMs],
    ['in an hour', now + hourMs, now + hourMs],
    ['further away than any is set', now + hourMs + 5_001, 0],
    ['now', now, 0],
    ['not set', undefined, 0],
  ])('may be read again after a failure, at a moment %s', (_, retryAt, expected) => {
    const failing = segment(retryAt === undefined ? {} : { trouble: trouble(retryAt) });
    expect(computeRetryAt(failing, now)).toBe(expected);
  });
});

/** A reader of a service that does this for every page, and what is stored then. */
async function createReader(known: MirrorState, play: () => unknown) {
  const store = createMemoryHistory();
  const place = { account: 'account', kind: 'transactions' } as const;
  await store.change(place, (tx) => tx.setState(known));
  const contexts: unknown[] = [];
  const broker = {
    async *pages(_endpoint: unknown, _from: unknown, context: unknown) {
      contexts.push(context);
      yield play();
      throw new Error('a second page was requested');
    },
  } as unknown as Broker;
  const reader = { broker, store, ...place, now: () => now, epoch: async () => 4 };
  return { reader, contexts, look: () => store.read(place, (tx) => tx.state()) };
}

const context = { priority: 'sync' as const, deadlineAt: now + minuteMs };
const fail =
  (code: string, facts: object = {}) =>
  () => {
    throw new BrokerageError(code as never, `It is ${code}.`, 'Wait.', facts as never);
  };

/** The newest segment after a page that continues it failed. */
async function topAfter(change: Partial<Segment>, play: () => unknown, job: PageJob = { query: next, continues: 1 }) {
  const { reader, look } = await createReader({ ...emptyMirror, stretches: [segment(change)] }, play);
  await fetchNextPage(reader, job, context);
  return (await look())?.stretches[0];
}

describe('a page that fails', () => {
  test.each([
    [1, 0, 5_000],
    [2, 1, 10_000],
    [3, 2, 20_000],
    [4, 3, 40_000],
    [5, 4, hourMs],
    [6, 5, hourMs],
  ])('for the %dth time is read again after a growing pause', async (failures, before, pauseMs) => {
    const earlier = before === 0 ? {} : { trouble: trouble(now - 1, before) };
    expect(await topAfter(earlier, fail('timeout'))).toEqual(
      segment({ trouble: { reason: 'It is timeout.', failures, retryAt: now + pauseMs } }),
    );
  });

  const again = { trouble: trouble(now - 1) };
  test.each<[string, Partial<Segment>, () => unknown, Partial<Segment>]>([
    [
      'because the service rejects it is read once again',
      {},
      fail('not_found'),
      { trouble: { reason: 'It is not_found.', failures: 1, retryAt: now + 5_000 } },
    ],
    ...['not_found', 'rejected', 'unexpected_answer'].map(
      (code): [string, Partial<Segment>, () => unknown, Partial<Segment>] => [
        `twice with ${code} lets the walk start again at once`,
        again,
        fail(code),
        { deadEnd: true, trouble: { reason: `It is ${code}.`, failures: 0, retryAt: now } },
      ],
    ),
    [
      'twice for another reason does not',
      again,
      fail('timeout'),
      { trouble: { reason: 'It is timeout.', failures: 2, retryAt: now + 10_000 } },
    ],
    [
      'twice because the list ends early lets it start again in ten minutes',
      again,
      fail('unexpected_answer', { endsEarly: true }),
      { deadEnd: true, trouble: { reason: 'It is unexpected_answer.', failures: 0, retryAt: now + 10 * minuteMs } },
    ],
    [
      'after one more start lets it start again at once',
      { ...again, restarts: 1 },
      fail('rejected'),
      { restarts: 1, deadEnd: true, trouble: { reason: 'It is rejected.', failures: 0, retryAt: now } },
    ],
    [
      'after two starts lets it start again in an hour',
      { ...again, restarts: 2 },
      fail('rejected'),
      { restarts: 2, deadEnd: true, trouble: { reason: 'It is rejected.', failures: 0, retryAt: now + hourMs } },
    ],
    [
      'where the walk starts again already is tried after a pause',
      { ...again, deadEnd: true },
      fail('rejected'),
      { deadEnd: true, trouble: { reason: 'It is rejected.', failures: 2, retryAt: now + 10_000 } },
    ],
  ])('%s', async (_, before, play, expected) => {
    expect(await topAfter(before, play)).toEqual(segment(expected));
  });

  test('and continued an earlier newest segment changes nothing', async () => {
    expect(await topAfter({ id: 2 }, fail('timeout'))).toEqual(segment({ id: 2 }));
  });

  test('and was the newest is a failure of the newest segment', async () => {
    expect(await topAfter({ deadEnd: true }, fail('timeout'), newest)).toEqual(
      segment({ deadEnd: true, trouble: { reason: 'It is timeout.', failures: 1, retryAt: now + 5_000 } }),
    );
  });

  test('before any other was read leaves nothing', async () => {
    const { reader, look } = await createReader(emptyMirror, fail('timeout'));
    await fetchNextPage(reader, newest, context);
    expect(await look()).toEqual(emptyMirror);
  });

  test('leaves the older segments and what is known of them', async () => {
    const known = { ...emptyMirror, stretches: [segment({ id: 5 }), segment()], nextId: 6, beginsAt: 9 };
    const { reader, look } = await createReader(known, fail('timeout'));
    await fetchNextPage(reader, { query: next, continues: 5 }, context);
    const failed = { reason: 'It is timeout.', failures: 1, retryAt: now + 5_000 };
    expect(await look()).toEqual({ ...known, stretches: [segment({ id: 5, trouble: failed }), segment()] });
  });

  test.each([
    ['cancelled', fail('cancelled')],
    [
      'of another kind',
      () => {
        throw new TypeError('broken');
      },
    ],
  ])('is thrown when it is %s, and not stored', async (_, play) => {
    const { reader, look } = await createReader({ ...emptyMirror, stretches: [segment()] }, play);
    await expect(fetchNextPage(reader, { query: next, continues: 1 }, context)).rejects.toThrow();
    expect((await look())?.stretches).toEqual([segment()]);
  });

  test.each([
    [0, { ...recheck, failures: 1 }],
    [4, { ...recheck, failures: 5 }],
    [5, undefined],
  ])('of those read again counts, and ends that after %d failures or not', async (failures, expected) => {
    const known = { ...emptyMirror, stretches: [segment({ next: undefined })], recheck: { ...recheck, failures } };
    const { reader, look } = await createReader(known, fail('rejected'));
    await fetchNextPage(reader, { query: recheck.next, continues: 'recheck' }, context);
    expect(await look()).toEqual({ ...known, recheck: expected });
  });
});

const answer =
  (change: object = {}) =>
  () => ({
    items: [deposit(now - minuteMs, 1)],
    next: { limit: '50', cursor: '8', time: 'any' },
    askedAt: now,
    answeredAt: now,
    ...change,
  });

test('a page is applied with the counter of writes from before it was requested', async () => {
  const { reader, look } = await createReader(emptyMirror, answer());
  await fetchNewestPage(reader, context);
  expect((await look())?.stretches).toMatchObject([{ epoch: 4, pages: 1, next: { cursor: '8' } }]);
});

test('a page whose cursor cannot be used keeps its rows, and is read again in an hour', async () => {
  const chainError = new BrokerageError('unexpected_answer', 'The cursor repeats.', 'Wait.');
  expect(await topAfter({}, answer({ chainError, next: undefined }))).toMatchObject({
    next,
    pages: 3,
    trouble: { reason: 'The cursor repeats.', failures: 1, retryAt: now + hourMs },
  });
});

test('a list that ends before known rows is an unexpected answer', async () => {
  const { reader, look } = await createReader(
    { ...emptyMirror, stretches: [segment()] },
    answer({ items: [], next: undefined }),
  );
  await fetchNextPage(reader, { query: next, continues: 1 }, context);
  expect((await look())?.stretches[0]?.trouble).toEqual({
    reason: 'The service ended the list before rows that it returned earlier.',
    failures: 1,
    retryAt: now + 5_000,
  });
});

test('a walk that starts again accepts no page that was read earlier, and one that continues does', async () => {
  const { reader, contexts } = await createReader({ ...emptyMirror, stretches: [segment()] }, answer());
  await fetchNextPage(reader, newest, context);
  await fetchNextPage(reader, { query: next, continues: 1 }, context);
  await fetchNewestPage(reader, context);
  expect(contexts).toEqual([{ ...context, notBefore: now }, context, context]);
});
