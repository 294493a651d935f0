/** How far a history is read for a question, how long it waits, and what it says of what is missing. */
import { describe, expect, test } from 'vitest';
import type { Broker } from '../../../src/core/broker/types.ts';
import { BrokerageError } from '../../../src/core/errors.ts';
import {
  type CoverageTarget,
  type CoveredView,
  createNotifier,
  ensureCoverage,
} from '../../../src/features/history/ensure-coverage.ts';
import type { HistoryQuery } from '../../../src/features/history/history-port.ts';
import type { HistoryKind } from '../../../src/features/history/kinds.ts';
import { createMemoryHistory } from '../../../src/features/history/memory-store.ts';
import { emptyMirror, type MirrorState, type Segment } from '../../../src/features/history/mirror-state.ts';
import { dayMs, deposit, iso, minuteMs, segmentOf, startAt } from '../../support/fake-history.ts';

const now = startAt;
const next = { limit: '50', cursor: '7', time: 'any' };
const segment = (change: Partial<Segment> = {}): Segment =>
  segmentOf({ askedAt: now - minuteMs, answeredAt: now - minuteMs, ...change });
/** A segment whose rows of the last ten days are read, and whose next page is not. */
const half = (change: Partial<Segment> = {}) =>
  segment({ next, reach: now - 10 * dayMs - 1000, lastAt: now - 12 * dayMs, ...change });

interface Asked {
  readonly known?: MirrorState | undefined;
  readonly question?: Partial<HistoryQuery>;
  readonly wish?: Partial<CoverageTarget<unknown>>;
  readonly epoch?: number;
  readonly pauseMs?: number;
  readonly play?: () => unknown;
  /** Days before now of rows that are stored. */
  readonly days?: readonly number[];
}

const fail = (code: string) => () => {
  throw new BrokerageError(code as never, `It is ${code}.`, 'Wait.');
};

async function ask({
  known,
  question = {},
  wish = {},
  epoch = 3,
  pauseMs = 0,
  play = fail('timeout'),
  days = [],
}: Asked) {
  const kind: HistoryKind = question.kind ?? 'transactions';
  const store = createMemoryHistory();
  await store.change({ account: 'account', kind }, async (tx) => {
    if (known) await tx.setState(known);
    await tx.put(
      'pages',
      days.map((day) => ({
        key: String(day).padStart(4, '0'),
        at: now - day * dayMs,
        ticker: undefined,
        type: 'DEPOSIT',
        isFinal: true,
        segment: 1,
        data: JSON.stringify(deposit(now - day * dayMs, day)),
      })),
    );
  });
  let time = now;
  let requests = 0;
  const goals: unknown[] = [];
  const progress: unknown[] = [];
  const broker = {
    async *pages() {
      requests++;
      yield play();
    },
  } as unknown as Broker;
  const target: CoverageTarget<unknown> = {
    context: { priority: 'read', deadlineAt: now },
    take: async ({ tx, filter }) => (await tx.rows(filter)).map(({ at }) => (now - at) / dayMs),
    onProgress: (found) => progress.push(found),
    ...wish,
  };
  const result = await ensureCoverage({ kind, ...question }, target, {
    reader: { broker, store, account: 'account', kind, now: () => time, epoch: async () => epoch },
    clock: {
      now: () => time,
      sleep: async (ms) => {
        time += ms;
      },
    },
    notifier: createNotifier(),
    startSync: (_, goal) => goals.push(goal),
    nextPageInMs: async () => pauseMs,
  });
  return { ...result, requests, goals, progress, waited: time - now };
}

const mirror = (...stretches: readonly Segment[]): MirrorState => ({ ...emptyMirror, stretches });
const until = now - 200 * dayMs;

describe('the newest page', () => {
  test.each<[string, number, number | undefined, number]>([
    ['is not read for a range that ended 92 days before the last read', until + 92 * dayMs, until, 0],
    ['is read for one that ended a millisecond later', until + 92 * dayMs - 1, until, 1],
    ['is read for a range without an end', now, undefined, 1],
    ['is read where the last read was in the future', now + 1, until, 1],
  ])('%s', async (_, askedAt, end, expected) => {
    const { requests } = await ask({ known: mirror(segment({ askedAt })), question: { until: end } });
    expect(requests).toBe(expected);
  });

  test.each<[string, Partial<Segment>, string, number, string | undefined]>([
    [
      'of less than five minutes ago is enough when the limit allows no other',
      { askedAt: now - 5 * minuteMs + 1 },
      'rate_limited',
      3,
      undefined,
    ],
    ['of five minutes ago is not', { askedAt: now - 5 * minuteMs }, 'rate_limited', 3, 'rate_limited'],
    ['from before a write of this program is not', {}, 'rate_limited', 4, 'rate_limited'],
    ['from the future is not', { askedAt: now + 1 }, 'rate_limited', 3, 'rate_limited'],
    ['is not enough when the service fails', {}, 'timeout', 3, 'timeout'],
  ])('%s', async (_, change, code, epoch, expected) => {
    const { coverage } = await ask({ known: mirror(segment(change)), play: fail(code), epoch });
    expect(coverage.error?.code).toBe(expected);
    expect(coverage.complete).toBe(expected === undefined);
  });

  test('that cannot be read is the first reason why a complete history is incomplete, with its next step', async () => {
    const { coverage, requests } = await ask({ known: mirror(segment()) });
    expect(coverage).toEqual({
      from: null,
      to: iso(now - minuteMs),
      complete: false,
      rows: 0,
      missing: [
        'The newest rows could not be read: It is timeout.',
        `Rows from ${iso(now - minuteMs)
          .slice(0, 19)
          .replace(
            'T',
            ' ',
          )} UTC up to ${iso(now).slice(0, 19).replace('T', ' ')} UTC are missing: they have not been read yet.`,
      ],
      reading: false,
      error: { code: 'timeout', message: 'It is timeout.', next: 'Wait.' },
    });
    expect(requests).toBe(1);
  });

  test.each([
    ['when nothing was ever read', undefined, 'timeout'],
    ['when the caller cancels', mirror(segment()), 'cancelled'],
  ])('fails the call %s', async (_, known, code) => {
    await expect(ask({ known, play: fail(code) })).rejects.toMatchObject({ code });
  });
});

/** A range for which no newest page is read. */
const closed = { until };

test.each<[string, Segment, number]>([
  ['answered', segment({ answeredAt: now - 2 * minuteMs }), now - 2 * minuteMs],
  ['answered in the future, which is now', segment({ answeredAt: now + minuteMs }), now],
])('a result is as old as its newest page was %s', async (_, top, asOf) => {
  expect((await ask({ known: mirror(top), question: closed })).asOf).toBe(asOf);
});

describe('a call', () => {
  const missing = mirror(half());
  const context = (waitMs: number | undefined, deadlineMs: number) => ({
    priority: 'read' as const,
    deadlineAt: now + deadlineMs,
    ...(waitMs === undefined ? {} : { waitUntil: now + waitMs }),
  });
  const waitedFor = async (asked: Asked) => (await ask({ known: missing, question: closed, ...asked })).waited;

  test.each<[string, Asked, number]>([
    ['waits for missing rows until its time', { wish: { context: context(1_100, 9_000) } }, 1_100],
    ['waits until its deadline when it has no other time', { wish: { context: context(undefined, 800) } }, 800],
    ['waits no longer than its deadline', { wish: { context: context(2_000, 800) } }, 800],
    [
      'does not wait when nothing is missing',
      { known: mirror(segment()), wish: { context: context(2_000, 9_000) } },
      0,
    ],
    ['does not wait for more than the newest page', { wish: { context: context(2_000, 9_000), newestOnly: true } }, 0],
    ['does not wait when the newest page fails', { question: {}, wish: { context: context(2_000, 9_000) } }, 0],
    [
      'looks twice when the next page comes after its time',
      { pauseMs: 2_001, wish: { context: context(2_000, 9_000) } },
      250,
    ],
    ['waits when the next page comes at its time', { pauseMs: 200, wish: { context: context(200, 9_000) } }, 200],
    [
      'does not wait for a retry after its time',
      {
        known: mirror(half({ trouble: { reason: '', failures: 1, retryAt: now + 2_001 } })),
        wish: { context: context(2_000, 9_000) },
      },
      0,
    ],
    [
      'waits for a retry at its time',
      {
        known: mirror(half({ trouble: { reason: '', failures: 1, retryAt: now + 2_000 } })),
        wish: { context: context(2_000, 9_000) },
      },
      2_000,
    ],
  ])('%s', async (_, asked, expected) => {
    expect(await waitedFor(asked)).toBe(expected);
  });

  test.each([
    ['is content with enough rows', 3, undefined, 0],
    ['waits for one more', 4, undefined, 500],
    ['counts only the rows after the place where it goes on', 3, { at: now - 300 * dayMs, key: '0300' }, 500],
  ])('%s', async (_, enough, after, expected) => {
    const wish = { context: context(500, 9_000), enough, after };
    expect(await waitedFor({ days: [5, 300, 301, 302], wish })).toBe(expected);
  });

  test('says how far it is while it waits', async () => {
    const { progress } = await ask({
      known: missing,
      days: [5, 6],
      question: closed,
      wish: { context: context(250, 9_000) },
    });
    expect(progress).toEqual([{ kind: 'transactions', rows: 2, from: iso(now - 10 * dayMs) }]);
  });

  test('that is cancelled while it waits fails', async () => {
    const stop = new AbortController();
    const wish = { context: { ...context(500, 9_000), signal: stop.signal }, onProgress: () => stop.abort() };
    await expect(ask({ known: missing, question: closed, wish })).rejects.toMatchObject({ code: 'cancelled' });
  });
});

describe('missing pages are loaded', () => {
  test.each<[string, Asked, readonly unknown[]]>([
    ['for orders of every kind', { known: mirror(half()) }, [{ executionsOnly: false }]],
    ['for executions alone', { known: mirror(half()), wish: { executionsOnly: true } }, [{ executionsOnly: true }]],
    [
      'beyond a range that is complete',
      { known: mirror(half()), question: { since: now - 5 * dayMs, until: now - 4 * dayMs } },
      [{ executionsOnly: false }],
    ],
    ['not when none is missing', { known: mirror(segment()), question: closed }, []],
    ['not for a call for the newest page', { known: mirror(half()), wish: { newestOnly: true } }, []],
  ])('%s', async (_, asked, goals) => {
    expect((await ask(asked)).goals).toEqual(goals);
  });
});

test.each<[string, Asked, number | undefined]>([
  ['in full seconds, rounded up', { known: mirror(half()), pauseMs: 1_001 }, 2],
  ['not when the limit allows it now', { known: mirror(half()), pauseMs: 0 }, undefined],
  ['not when nothing is being read', { known: mirror(segment()), question: closed, pauseMs: 1_001 }, undefined],
])('the time of the next page is named %s', async (_, asked, expected) => {
  expect((await ask(asked)).coverage.nextPageInSeconds).toBe(expected);
});

test('the rows of the range are taken, and those of the type that is meant', async () => {
  const known = mirror(segment());
  const take = async ({ tx, filter, filterOfAllTime, typeMatch }: CoveredView) => [
    (await tx.rows(filter)).length,
    (await tx.rows(filterOfAllTime)).length,
    typeMatch?.matched,
  ];
  const days = [1, 2, 3];
  const question = { since: now - 2 * dayMs, until: now - dayMs };
  expect((await ask({ known, days, question, wish: { take } })).taken).toEqual([1, 3, undefined]);
  expect((await ask({ known, days, question: { ...question, type: 'dep' }, wish: { take } })).taken).toEqual([
    1,
    3,
    ['DEPOSIT'],
  ]);
  expect((await ask({ known, days, question: { ...question, type: 'fee' }, wish: { take } })).taken).toEqual([
    0,
    0,
    [],
  ]);
});

test.each<[string, Segment, Partial<HistoryQuery>, number, boolean]>([
  ['down to the last row of a list in order', half({ askedAt: now }), {}, now - 12 * dayMs + 1000, true],
  ['not down to an unread row', half({ askedAt: now }), {}, now - 12 * dayMs, false],
  [
    'from the beginning of the range where the row is before it',
    half({ askedAt: now }),
    { since: now - 5 * dayMs },
    now - 40 * dayMs,
    true,
  ],
  [
    'not from before the row where the range begins earlier',
    half({ askedAt: now }),
    { since: now - 90 * dayMs },
    now - 40 * dayMs,
    false,
  ],
  [
    'not below what is read of a list out of order',
    half({ askedAt: now, inOrder: false }),
    {},
    now - 11 * dayMs,
    false,
  ],
  [
    'not for dividends, which are listed out of order',
    half({ askedAt: now }),
    { kind: 'dividends' },
    now - 5 * dayMs,
    false,
  ],
])('the rows above one are complete %s', async (_, top, question, at, expected) => {
  const wish = { take: async ({ isCompleteSince }: CoveredView) => isCompleteSince(at), newestOnly: true };
  const page = { items: [], next, askedAt: now, answeredAt: now - 2 * minuteMs };
  const { taken } = await ask({ known: mirror(top), question, wish, play: () => page });
  expect(taken).toBe(expected);
});
