/** How long a history is read in the background, when it pauses and when it ends. */
import { describe, expect, test } from 'vitest';
import type { Broker, PageCursor } from '../../../src/core/broker/types.ts';
import { BrokerageError } from '../../../src/core/errors.ts';
import { createMemoryHistory } from '../../../src/features/history/memory-store.ts';
import { syncHistory } from '../../../src/features/history/mirror.ts';
import { emptyMirror, type Segment } from '../../../src/features/history/mirror-state.ts';
import { dayMs, deposit, minuteMs, segmentOf, startAt } from '../../support/fake-history.ts';
import { takeLog } from '../../support/faults.ts';

const now = startAt;
const segment = (change: Partial<Segment> = {}): Segment =>
  segmentOf({ epoch: 0, next: { limit: '50', cursor: '1', time: 'any' }, pages: 1, ...change });

interface World {
  readonly known?: readonly Segment[];
  /** The number of the page, counted from 1. */
  readonly play?: (page: number) => unknown;
  readonly goal?: { executionsOnly: boolean; since?: number };
  /** Whether the lease is free, for each time that it is asked for. */
  readonly leases?: readonly boolean[];
  readonly stop?: AbortController;
  readonly onPage?: () => void;
}

/** A page of one row, a day older with each page. */
const pageOf = (number: number, last = 3) => ({
  items: [deposit(now - number * dayMs, number)],
  next: number < last ? { limit: '50', cursor: String(number), time: 'any' } : undefined,
  askedAt: now,
  answeredAt: now,
});

async function sync({ known, play = pageOf, goal = { executionsOnly: true }, leases = [], stop, onPage }: World) {
  const store = createMemoryHistory();
  const place = { account: 'account', kind: 'transactions' } as const;
  if (known) await store.change(place, (tx) => tx.setState({ ...emptyMirror, nextId: 5, stretches: known }));
  let time = now;
  const requests: (PageCursor | undefined)[] = [];
  const contexts: unknown[] = [];
  const waits: number[] = [];
  const lease = { taken: 0, released: 0, waited: 0 };
  let told = 0;
  const broker = {
    async *pages(_endpoint: unknown, { from }: { from: PageCursor }, context: unknown) {
      requests.push(from);
      contexts.push(context);
      yield play(requests.length);
    },
  } as unknown as Broker;
  const controller = stop ?? new AbortController();
  await syncHistory({
    reader: { broker, store, ...place, now: () => time, epoch: async () => 0 },
    lease: {
      take: async () => leases[lease.taken++] ?? true,
      release: async () => void lease.released++,
    },
    clock: {
      now: () => time,
      sleep: async (ms) => {
        waits.push(ms);
        time += ms;
      },
    },
    realClock: {
      now: () => time,
      sleep: async (ms) => {
        lease.waited += ms;
      },
    },
    signal: controller.signal,
    goal: () => goal,
    onPage: () => {
      told++;
      onPage?.();
    },
  });
  const state = await store.read(place, (tx) => tx.state());
  return { requests, contexts, waits, lease, told, state };
}
const fail = (code: string) => () => {
  throw new BrokerageError(code as never, 'It failed.', 'Wait.');
};

test('pages are read to the end of the list, each with ten minutes for the limit, and every page is told', async () => {
  const { requests, contexts, lease, told, state } = await sync({});
  expect(requests.map((from) => from?.cursor)).toEqual([undefined, '1', '2']);
  expect(contexts[1]).toMatchObject({ priority: 'sync', deadlineAt: now + 10 * minuteMs });
  expect([told, lease.released, state?.stretches[0]?.next]).toEqual([3, 1, undefined]);
});

test('no more is read than what is needed', async () => {
  const since = now - 1.5 * dayMs;
  const { requests } = await sync({ goal: { executionsOnly: true, since } });
  expect(requests.length).toBe(2);
  const done = await sync({ known: [segment({ next: undefined })] });
  expect([done.requests.length, done.lease.taken, done.lease.released]).toEqual([0, 0, 1]);
});

test('another process that reads is waited for, and its place is taken when it is free', async () => {
  const { requests, lease } = await sync({ leases: [false, false] });
  expect([requests.length, lease.waited]).toEqual([3, 300]);
});

describe('after a failure', () => {
  const trouble = (retryAt: number) => ({ reason: '', failures: 1, retryAt });
  test.each([
    ['a pause of five minutes is waited for', 5 * minuteMs, [5 * minuteMs], 2],
    ['a longer one is left to the next call', 5 * minuteMs + 1, [], 0],
    ['a pause of a millisecond is one', 1, [1], 2],
  ])('%s', async (_, ms, waited, pages) => {
    const known = [segment({ trouble: trouble(now + ms), reach: now, lastAt: now })];
    const { waits, requests } = await sync({ known, play: (page) => pageOf(page + 1) });
    expect([waits, requests.length]).toEqual([waited, pages]);
  });

  test('it is tried again after growing pauses until the fifth, whose pause is an hour', async () => {
    const { waits, requests } = await sync({ known: [segment()], play: fail('timeout') });
    expect([waits, requests.length]).toEqual([[5_000, 10_000, 20_000, 40_000], 5]);
  });

  test('a page that can be read ends the count', async () => {
    let failures = 0;
    const play = (page: number) => {
      if (page % 2 === 1 && failures++ < 8) return fail('timeout')();
      return pageOf(Math.ceil(page / 2) + 1, 12);
    };
    const { waits, state } = await sync({ known: [segment({ reach: now, lastAt: now })], play });
    expect(waits).toEqual(Array(8).fill(5_000));
    expect(state?.stretches[0]?.next).toBeUndefined();
  });

  test('an unexpected error ends it and is reported, and the lease is free', async () => {
    const play = () => {
      throw new TypeError('broken');
    };
    const { requests, lease } = await sync({ play });
    expect([requests.length, lease.released]).toEqual([1, 1]);
    expect(takeLog()).toMatchObject([{ task: 'read the history', code: 'TypeError' }]);
  });
});

test('pages that change nothing end it after the third', async () => {
  // An older newest page than the known one is not written.
  const old = { ...pageOf(1), answeredAt: now - 1 };
  const known = [segment({ deadEnd: true, reach: now })];
  const { requests } = await sync({ known, play: () => old });
  expect(requests.length).toBe(3);
});

test('it ends when the program does', async () => {
  const stop = new AbortController();
  const { requests, lease } = await sync({ stop, onPage: () => stop.abort() });
  expect([requests.length, lease.released]).toEqual([1, 1]);
});
