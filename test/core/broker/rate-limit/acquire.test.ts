import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type AcquireResult, acquireSlot, leaveQueue } from '../../../../src/core/broker/rate-limit/acquire.ts';
import {
  availability,
  initialLimit,
  type LimitState,
  mergeLimits,
  windowMarginMs,
} from '../../../../src/core/broker/rate-limit/limit-state.ts';
import { completeSlot, type RateLimitHeaders } from '../../../../src/core/broker/rate-limit/release.ts';
import type { Priority } from '../../../../src/core/broker/types.ts';
import { runs } from '../../../support/runs.ts';

const minute = 60_000;
const sixPerMinute = { requests: 6, periodSeconds: 60 };
const forever = Number.MAX_SAFE_INTEGER;

/** A ledger with a name for each request. */
function book(limit = sixPerMinute) {
  let state: LimitState = initialLimit(limit);
  const keep = <T extends { state: LimitState; result: AcquireResult }>(after: T): AcquireResult => {
    state = JSON.parse(JSON.stringify(after.state)) as LimitState;
    return after.result;
  };
  return {
    get state() {
      return state;
    },
    take: (id: string, now: number, request: Partial<Parameters<typeof acquireSlot>[2]> = {}) =>
      keep(
        acquireSlot(state, now, { id, owner: 'a', priority: 'read', inUseMs: 30_000, waitUntil: forever, ...request }),
      ),
    answer: (id: string, now: number, headers: RateLimitHeaders = {}, refused = false) => {
      state = completeSlot(state, now, id, { kind: 'used', headers, refused });
    },
    leave: (id: string) => {
      state = leaveQueue(state, id);
    },
    free: (now: number) => availability(state, now).free,
  };
}

/** A ledger whose slots are all held, with responses received at `at`. */
function full(at: number, limit = sixPerMinute) {
  const ledger = book(limit);
  for (let n = 0; n < limit.requests; n++) ledger.take(`r${n}`, at);
  for (let n = 0; n < limit.requests; n++) ledger.answer(`r${n}`, at);
  return ledger;
}

describe('the slot ledger', () => {
  test('lets a burst of the full limit go and holds each slot for a period and 50 ms after its response', () => {
    const ledger = book();
    for (let n = 0; n < 6; n++) expect(ledger.take(`r${n}`, 1_000).kind).toBe('taken');
    for (let n = 0; n < 6; n++) ledger.answer(`r${n}`, 1_300 + n);
    expect(ledger.take('next', 2_000)).toMatchObject({ kind: 'wait', waitMs: 1_300 + minute + 50 - 2_000 });
    expect(ledger.take('next', 1_300 + minute + 49)).toMatchObject({ kind: 'wait', waitMs: 1 });
    expect(ledger.take('next', 1_300 + minute + 50).kind).toBe('taken');
  });

  test('holds a slot while its request is in flight, however long the response takes', () => {
    const ledger = book({ requests: 1, periodSeconds: 1 });
    ledger.take('slow', 0);
    expect(ledger.take('next', 29_000)).toMatchObject({ kind: 'wait', waitMs: 1_050 });
  });

  test('refuses immediately when the wait would outlast the caller, and leaves no waiter behind', () => {
    const ledger = full(0);
    expect(ledger.take('hasty', 1_000, { waitUntil: 50_000 })).toEqual({ kind: 'refused', waitMs: 59_050 });
    expect(ledger.state.waiters).toEqual([]);
  });

  test('counts the waits of earlier callers, so that a long queue is refused immediately too', () => {
    const ledger = full(0, { requests: 1, periodSeconds: 5 });
    expect(ledger.take('first', 1, { waitUntil: 50_000 })).toMatchObject({ kind: 'wait', waitMs: 5_049 });
    expect(ledger.take('second', 2, { waitUntil: 50_000 })).toMatchObject({ kind: 'wait', waitMs: 5_048 + 5_050 });
    expect(ledger.take('third', 3, { waitUntil: 12_000 })).toMatchObject({ kind: 'refused', waitMs: 5_047 + 10_100 });
  });

  test('polls every second, because an earlier caller may leave', () => {
    const ledger = full(0, { requests: 1, periodSeconds: 60 });
    ledger.take('first', 1);
    expect(ledger.take('second', 2)).toMatchObject({ pollInMs: 1_000 });
    ledger.leave('first');
    expect(ledger.take('second', 60_050).kind).toBe('taken');
  });
});

describe('the queue', () => {
  test('is ordered by priority, and by arrival within each', () => {
    const ledger = full(0, { requests: 1, periodSeconds: 10 });
    const order: [string, Priority][] = [
      ['sync', 'sync'],
      ['read 1', 'read'],
      ['read 2', 'read'],
      ['look up', 'lookUp'],
      ['place', 'place'],
      ['cancel', 'cancel'],
    ];
    order.forEach(([id, priority], at) => void ledger.take(id, at + 1, { priority }));
    const served: string[] = [];
    let now = 1_050;
    while (served.length < order.length) {
      // The lowest priority arrives first: arriving early gives no advantage.
      const taken = order.find(
        ([id, priority]) => !served.includes(id) && ledger.take(id, now, { priority }).kind === 'taken',
      );
      if (taken) {
        served.push(taken[0]);
        ledger.answer(taken[0], now);
      }
      now += 1_000;
    }
    expect(served).toEqual(['cancel', 'place', 'look up', 'read 1', 'read 2', 'sync']);
  });

  test('reserves a free slot for the first waiter, even when a later caller asks in between', () => {
    const ledger = full(0, { requests: 2, periodSeconds: 10 });
    ledger.take('first', 9_800);
    expect(ledger.take('late', 10_050).kind).toBe('taken');
    expect(ledger.take('later', 10_051).kind).toBe('wait');
    expect(ledger.take('first', 10_052).kind).toBe('taken');
  });

  test('makes the background leave one slot free while an intent is open', () => {
    const ledger = book();
    const sync = { priority: 'sync', keepOneFree: true } as const;
    for (let n = 0; n < 5; n++) expect(ledger.take(`s${n}`, 0, sync).kind).toBe('taken');
    expect(ledger.take('s5', 0, sync).kind).toBe('wait');
    expect(ledger.take('person', 1).kind).toBe('taken');
  });
});

describe('dead owners', () => {
  test('keep a slot for one period after their death was detected', () => {
    const ledger = book({ requests: 1, periodSeconds: 10 });
    ledger.take('lost', 0, { owner: 'b' });
    const first = ledger.take('next', 5_000);
    expect(first).toMatchObject({ kind: 'wait', blockedBy: ['b'] });
    const dead = new Set(['b']);
    expect(ledger.take('next', 6_000, { dead })).toMatchObject({ kind: 'wait', waitMs: 10_050 });
    expect(ledger.take('next', 16_049).kind).toBe('wait');
    expect(ledger.take('next', 16_050).kind).toBe('taken');
  });

  test('lose their slots without detection after twice the longest time of a request', () => {
    const ledger = book({ requests: 1, periodSeconds: 10 });
    ledger.take('lost', 0, { inUseMs: 20_000 });
    expect(ledger.take('next', 50_049).kind).toBe('wait');
    expect(ledger.take('next', 50_050).kind).toBe('taken');
  });
});

describe('the limit in the headers', () => {
  test('is adopted, looser or stricter, and the held slots end by the new period', () => {
    const ledger = book();
    ledger.take('a', 0);
    ledger.answer('a', 100, { requests: 20, periodMs: 30_000, remaining: 19, used: 1 });
    expect(ledger.state).toMatchObject({ requests: 20, periodMs: 30_000, source: 'headers' });
    expect(ledger.free(200)).toBe(19);
    expect(ledger.free(30_150)).toBe(20);

    for (let n = 0; n < 4; n++) ledger.take(`b${n}`, 40_000);
    for (let n = 0; n < 4; n++) ledger.answer(`b${n}`, 40_000, { requests: 2, periodMs: minute, used: n + 1 });
    expect(ledger.free(40_000 + minute + 49)).toBe(0);
    expect(ledger.free(40_000 + minute + 50)).toBe(2);
  });

  test('is ignored when it makes no sense', () => {
    const ledger = book();
    ledger.take('a', 0);
    for (const requests of [0, 0.5, -3, 1e9, Number.NaN, Number.POSITIVE_INFINITY])
      for (const periodMs of [0, -1, 1e12, Number.NaN]) ledger.answer('a', 0, { requests, periodMs });
    expect(ledger.state).toMatchObject({ requests: 6, periodMs: minute, source: 'spec' });
  });

  test('removes slots for the requests of other clients', () => {
    const ledger = book();
    ledger.take('a', 0);
    ledger.answer('a', 100, { remaining: 2 });
    expect(ledger.free(100)).toBe(2);
    expect(ledger.free(100 + minute + 49)).toBe(2);
    expect(ledger.free(100 + minute + windowMarginMs)).toBe(6);
  });

  test('holds the requests of other clients for a period from when they were last seen', () => {
    const ledger = book();
    ledger.take('a', 0);
    ledger.answer('a', 0, { remaining: 4 });
    ledger.take('b', 50_000);
    ledger.answer('b', 50_000, { remaining: 3 });
    // One of the others may have been made just before 50 s.
    expect(ledger.free(0 + minute + windowMarginMs)).toBe(4);
  });

  test('does not count our own slots as those of others when they ended during a slow response', () => {
    const ledger = book();
    for (let n = 0; n < 5; n++) ledger.take(`r${n}`, 0);
    for (let n = 0; n < 5; n++) ledger.answer(`r${n}`, 100);
    ledger.take('slow', 59_000);
    // Its headers were written when the other five still counted; they arrive when these no longer do.
    ledger.answer('slow', 61_000, { remaining: 0, used: 6 });
    expect(ledger.free(61_000)).toBe(5);
  });

  test('keeps an expired slot until the older request in flight, which the service counted with it, is answered', () => {
    const ledger = book();
    for (let n = 0; n < 5; n++) ledger.take(`r${n}`, 0);
    for (let n = 0; n < 5; n++) ledger.answer(`r${n}`, 100);
    ledger.take('slow', 59_000);
    // The five have expired, and this request reads the ledger.
    ledger.take('next', 60_500);
    ledger.answer('next', 60_600);
    ledger.answer('slow', 61_000, { remaining: 0, used: 6 });
    expect(ledger.free(61_000)).toBe(4);
  });

  test('blocks until the reset after a refusal, and for one period at most however wrong the clocks are', () => {
    for (const [resetInMs, blockMs] of [
      [7_000, 7_000],
      [9e12, minute],
      [0, minute],
      [-5_000, minute],
    ] as const) {
      const ledger = book();
      ledger.take('a', 0);
      ledger.answer('a', 100, { resetInMs }, true);
      expect(ledger.free(100 + blockMs + 49)).toBe(0);
      expect(ledger.free(100 + blockMs + windowMarginMs)).toBeGreaterThan(0);
    }
  });

  test('holds nothing for longer than a period when our clock is set back', () => {
    const ledger = full(1e9);
    ledger.answer('none', 1e9, {}, true);
    expect(ledger.take('next', 0)).toMatchObject({ kind: 'wait', waitMs: minute + windowMarginMs });
    expect(ledger.take('next', minute + windowMarginMs).kind).toBe('taken');
  });
});

/** Counts each request where it arrives and refuses beyond the limit of any period. */
function strictUpstream(limit: { requests: number; periodMs: number }) {
  const arrivals: number[] = [];
  return {
    refusals: 0,
    arrive(now: number): RateLimitHeaders {
      const counted = arrivals.filter((at) => at > now - limit.periodMs).length;
      if (counted >= limit.requests) this.refusals += 1;
      arrivals.push(now);
      const used = Math.min(limit.requests, counted + 1);
      return { ...limit, used, remaining: limit.requests - used, resetInMs: limit.periodMs };
    },
    accepted: arrivals,
  };
}

interface Visit {
  owner: string;
  priority: Priority;
  startAt: number;
  /** From the slot to the arrival, and from there to the response. */
  outMs: number;
  backMs: number;
  headers: 'all' | 'none' | 'limit';
  /** The owner dies with this request in flight. */
  dies: boolean;
}

const visit: fc.Arbitrary<Visit> = fc.record({
  owner: fc.constantFrom('a', 'b', 'c'),
  priority: fc.constantFrom<Priority>('cancel', 'place', 'lookUp', 'read', 'sync'),
  startAt: fc.nat({ max: 20_000 }),
  outMs: fc.nat({ max: 3_000 }),
  backMs: fc.nat({ max: 3_000 }),
  headers: fc.constantFrom('all', 'all', 'none', 'limit'),
  dies: fc.boolean(),
});

/** Plays the visits against the upstream in virtual time, and returns how many were allowed. */
function play(
  visits: readonly Visit[],
  spec: { requests: number; periodSeconds: number },
  upstream: ReturnType<typeof strictUpstream>,
) {
  let state: LimitState = initialLimit(spec);
  let letThrough = 0;
  const agenda: { at: number; run: (now: number) => void }[] = [];
  const plan = (at: number, run: (now: number) => void) => agenda.push({ at, run });
  visits.forEach((each, n) => {
    const id = `v${n}`;
    const ask = (now: number) => {
      const after = acquireSlot(state, now, { ...each, id, inUseMs: 6_000, waitUntil: forever });
      state = after.state;
      if (after.result.kind === 'wait') return plan(now + after.result.pollInMs, ask);
      letThrough += 1;
      plan(now + each.outMs, (arrivedAt) => {
        const news = upstream.arrive(arrivedAt);
        if (each.dies && n % 5 === 0) return;
        const told = each.headers === 'none' ? {} : each.headers === 'all' ? news : { requests: news.requests };
        plan(arrivedAt + each.backMs, (now) => {
          state = completeSlot(state, now, id, { kind: 'used', headers: told, refused: false });
        });
      });
    };
    plan(each.startAt, ask);
  });
  for (let steps = 0; agenda.length > 0 && steps < 20_000; steps++) {
    agenda.sort((a, b) => a.at - b.at);
    const next = agenda.shift();
    next?.run(next.at);
  }
  return letThrough;
}

describe('a strict service that counts at arrival', () => {
  test('never has to refuse, for any interleaving and any delays, and no waiter is forgotten', () => {
    fc.assert(
      fc.property(
        fc.array(visit, { minLength: 1, maxLength: 30 }),
        fc.integer({ min: 1, max: 5 }),
        fc.integer({ min: 1, max: 10 }),
        (visits, requests, periodSeconds) => {
          const upstream = strictUpstream({ requests, periodMs: periodSeconds * 1000 });
          expect(play(visits, { requests, periodSeconds }, upstream)).toBe(visits.length);
          expect(upstream.refusals).toBe(0);
        },
      ),
      { numRuns: runs(120) },
    );
  });

  test('never has to refuse when its limit is looser than the specification', () => {
    fc.assert(
      fc.property(
        fc.array(visit, { minLength: 1, maxLength: 30 }),
        fc.integer({ min: 1, max: 4 }),
        fc.integer({ min: 0, max: 4 }),
        (visits, requests, more) => {
          const upstream = strictUpstream({ requests: requests + more, periodMs: 4_000 });
          play(visits, { requests, periodSeconds: 8 }, upstream);
          expect(upstream.refusals).toBe(0);
        },
      ),
      { numRuns: runs(80) },
    );
  });

  test('is used fully: a long walk takes hardly longer than the limit requires', { tags: ['slow'] }, () => {
    const visits = Array.from(
      { length: 60 },
      (): Visit => ({ owner: 'a', priority: 'sync', startAt: 0, outMs: 40, backMs: 60, headers: 'all', dies: false }),
    );
    const upstream = strictUpstream({ requests: 6, periodMs: minute });
    play(visits, sixPerMinute, upstream);
    const last = Math.max(...upstream.accepted);
    expect(upstream.refusals).toBe(0);
    expect(last).toBeLessThan(9 * minute * 1.05);
  });
});

describe('two ledgers of one account', () => {
  const take = (state: LimitState, id: string, now: number) =>
    acquireSlot(state, now, { id, owner: 'o', priority: 'read', inUseMs: 20_000, waitUntil: forever }).state;

  test('hold every slot of both together, each once', () => {
    const both = take(initialLimit(sixPerMinute), 'both', 0);
    const a = take(take(both, 'a1', 1), 'a2', 2);
    const b = completeSlot(take(both, 'b1', 3), 4, 'both', { kind: 'used', headers: {}, refused: false });
    for (const merged of [mergeLimits(a, b), mergeLimits(b, a), mergeLimits(mergeLimits(a, b), b)]) {
      expect(merged.slots.map(({ id }) => id).toSorted()).toEqual(['a1', 'a2', 'b1', 'both']);
      expect(availability(merged, 5).free).toBe(2);
      // The ledger that has seen the response knows better.
      expect(merged.slots.find(({ id }) => id === 'both')?.answeredAt).toBe(4);
    }
  });

  test('keep the limit of the headers, and the longer block', () => {
    const told: LimitState = { ...initialLimit(sixPerMinute), requests: 3, source: 'headers', blockedUntil: 5 };
    const merged = mergeLimits({ ...initialLimit(sixPerMinute), blockedUntil: 9 }, told);
    expect(merged).toMatchObject({ requests: 3, source: 'headers', blockedUntil: 9 });
  });
});
