/**
 * The shared rate limit against a model of its rules, with several processes and a clock: every answer and every wait to
 * the millisecond. The model serves the queue one by one, where the program computes with positions; and a log of what
 * each process sent is counted in every window without either of them.
 */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type AcquireResult, acquireSlot, leaveQueue } from '../../../../src/core/broker/rate-limit/acquire.ts';
import { availability, initialLimit, type LimitState } from '../../../../src/core/broker/rate-limit/limit-state.ts';
import { completeSlot, type RateLimitHeaders } from '../../../../src/core/broker/rate-limit/release.ts';
import type { Priority } from '../../../../src/core/broker/types.ts';
import { runs } from '../../../support/runs.ts';

/** A slot is held this long after the period, because services refuse requests at the very end of a window. */
const marginMs = 50;
/** A caller that waits asks again at least once in a second, and counts as gone five seconds later. */
const pollMs = 1_000;
const graceMs = 5_000;
const slackMs = 5_000;
const ranks: readonly Priority[] = ['cancel', 'place', 'lookUp', 'read', 'sync'];

interface Sent {
  readonly id: string;
  readonly owner: string;
  takenAt: number;
  lostAt: number;
  answeredAt: number | undefined;
}

interface Waiter {
  readonly id: string;
  readonly owner: string;
  readonly rank: number;
  since: number;
  goneAt: number;
}

interface Ask {
  readonly id: string;
  readonly owner: string;
  readonly priority: Priority;
  readonly inUseMs: number;
  readonly waitUntil: number;
  readonly keepOneFree: boolean;
}

class SlotModel {
  requests: number;
  periodMs: number;
  sent: Sent[] = [];
  /** When each request of another program was last seen. */
  foreign: number[] = [];
  waiters: Waiter[] = [];
  blockedUntil = 0;

  constructor(requests: number, periodMs: number) {
    this.requests = requests;
    this.periodMs = periodMs;
  }

  get #holdMs() {
    return this.periodMs + marginMs;
  }

  /** When the service no longer counts a request: a period after its response, or after the time when it counts as lost. */
  #heldUntil(one: Sent, now: number): number {
    return (one.answeredAt ?? Math.min(now, one.lostAt)) + this.#holdMs;
  }

  #ends(now: number): number[] {
    return [...this.sent.map((one) => this.#heldUntil(one, now)), ...this.foreign.map((at) => at + this.#holdMs)];
  }

  /** What was stored before the clock was set back holds no longer than what is stored now. */
  correct(now: number): void {
    for (const one of this.sent) {
      const inUseMs = one.lostAt - one.takenAt;
      one.takenAt = Math.min(one.takenAt, now);
      one.lostAt = one.takenAt + inUseMs;
      if (one.answeredAt !== undefined) one.answeredAt = Math.min(one.answeredAt, now);
    }
    this.foreign = this.foreign.map((at) => Math.min(at, now));
    this.blockedUntil = Math.min(this.blockedUntil, now + this.#holdMs);
    this.waiters = this.waiters.filter(({ goneAt }) => goneAt > now && goneAt <= now + pollMs + graceMs + slackMs);
    for (const waiter of this.waiters) waiter.since = Math.min(waiter.since, now);
    // What has ended is kept for the response of an older request, whose headers still count it.
    const inFlight = this.sent.filter((one) => one.answeredAt === undefined && now < one.lostAt);
    const keepFrom = Math.min(now, ...inFlight.map(({ takenAt }) => takenAt));
    this.sent = this.sent.filter((one) => this.#heldUntil(one, now) > keepFrom);
    this.foreign = this.foreign.filter((at) => at + this.#holdMs > keepFrom);
  }

  /** The first moment at which fewer requests are held than are allowed. */
  #firstFree(ends: readonly number[], now: number): number {
    const moments = [now, ...ends].map((at) => Math.max(at, now, this.blockedUntil)).sort((a, b) => a - b);
    return moments.find((at) => ends.filter((end) => end > at).length < this.requests) as number;
  }

  /** When a request is served after `others`, each of which takes the first slot that is free. */
  #turn(others: number, now: number): number {
    const ends = this.#ends(now);
    for (let served = 0; served < others; served++) ends.push(this.#firstFree(ends, now) + this.#holdMs);
    return this.#firstFree(ends, now);
  }

  available(now: number): { free: number; freeInMs: number } {
    const held = this.#ends(now).filter((end) => end > now).length;
    const free = this.blockedUntil > now ? 0 : Math.max(0, this.requests - held);
    return { free, freeInMs: this.#turn(0, now) - now };
  }

  noteDead(dead: ReadonlySet<string>, now: number): void {
    for (const one of this.sent) if (one.answeredAt === undefined && dead.has(one.owner)) one.answeredAt = now;
    this.waiters = this.waiters.filter(({ owner }) => !dead.has(owner));
  }

  ask({ id, owner, priority, inUseMs, waitUntil, keepOneFree }: Ask, now: number): AcquireResult {
    this.correct(now);
    if (this.sent.some((one) => one.id === id)) return { kind: 'taken' };
    const rank = ranks.indexOf(priority);
    const since = this.waiters.find((one) => one.id === id)?.since ?? now;
    this.waiters = this.waiters.filter((one) => one.id !== id);
    const ahead = this.waiters.filter((one) => one.rank < rank || (one.rank === rank && one.since < since));
    const isKept =
      priority === 'sync' && this.requests > 1 && (keepOneFree || this.waiters.some((one) => one.rank < rank));
    const at = this.#turn(ahead.length + (isKept ? 1 : 0), now);
    if (at <= now) {
      this.sent.push({ id, owner, takenAt: now, lostAt: now + 2 * inUseMs, answeredAt: undefined });
      return { kind: 'taken' };
    }
    const waitMs = at - now;
    if (at > waitUntil) return { kind: 'refused', waitMs };
    const pollInMs = Math.min(waitMs, pollMs);
    this.waiters.push({ id, owner, rank, since, goneAt: now + pollInMs + graceMs });
    const onTheirWay = this.sent.filter(({ answeredAt }) => answeredAt === undefined);
    const owners = new Set([...onTheirWay, ...ahead].map((one) => one.owner));
    owners.delete(owner);
    return { kind: 'wait', waitMs, pollInMs, blockedBy: [...owners].toSorted() };
  }

  answer(id: string, { requests, periodMs, used, resetInMs }: RateLimitHeaders, refused: boolean, now: number): void {
    if (requests !== undefined && requests >= 1 && requests <= 10_000) this.requests = requests;
    if (periodMs !== undefined && periodMs > 0 && periodMs <= 86_400_000) this.periodMs = periodMs;
    const answered = this.sent.find((one) => one.id === id) as Sent;
    answered.answeredAt = now;
    // The service may have counted each own request that was held when this one was sent.
    const own = this.sent.filter((one) => this.#heldUntil(one, now) > answered.takenAt).length;
    const seen = Math.max(0, Math.min(used ?? 0, this.requests) - own);
    const oldest = this.foreign.toSorted((a, b) => b - a).slice(seen);
    this.foreign = [...oldest, ...Array<number>(seen).fill(now)];
    const isUsable = resetInMs !== undefined && resetInMs > 0 && resetInMs <= this.periodMs;
    if (refused)
      this.blockedUntil = Math.max(this.blockedUntil, now + (isUsable ? resetInMs : this.periodMs) + marginMs);
    this.correct(now);
  }
}

type Command =
  | {
      readonly do: 'ask';
      readonly owner: number;
      readonly priority: Priority;
      readonly patienceMs: number;
      readonly keepOneFree: boolean;
      readonly inUseMs: number;
    }
  | { readonly do: 'askAgain' | 'leave' | 'giveBack'; readonly which: number }
  | { readonly do: 'answer'; readonly which: number; readonly news: News; readonly isRefused: boolean }
  | { readonly do: 'crash'; readonly owner: number }
  | { readonly do: 'advance'; readonly ms: number }
  | { readonly do: 'advanceToFree'; readonly before: 0 | 1 }
  | { readonly do: 'setBack'; readonly ms: number };

/** What the headers of a response say. */
interface News {
  readonly requests: number | undefined;
  readonly period: 'half' | 'none' | 'absurd';
  readonly used: number | undefined;
  readonly isRemaining: boolean;
  readonly reset: number | 'period' | 'over' | undefined;
}

const news: fc.Arbitrary<News> = fc.record({
  requests: fc.constantFrom(undefined, undefined, undefined, 1, 2, 5, 0, 0.5, 1e9),
  period: fc.constantFrom('none', 'none', 'none', 'half', 'absurd'),
  used: fc.option(fc.nat({ max: 7 }), { nil: undefined }),
  isRemaining: fc.boolean(),
  reset: fc.constantFrom<News['reset']>(undefined, -5_000, 0, 1, 3_000, 'period', 'over'),
});

const which = fc.nat({ max: 7 });
const owner = fc.nat({ max: 2 });
const before = fc.constantFrom(0, 1);
const command = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      do: fc.constant('ask'),
      owner,
      priority: fc.constantFrom(...ranks),
      patienceMs: fc.constantFrom(0, 10_000, 60_000, 1e9, 1e9),
      keepOneFree: fc.boolean(),
      inUseMs: fc.constantFrom(1_000, 15_000),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({ do: fc.constantFrom('askAgain', 'askAgain', 'askAgain', 'leave', 'giveBack'), which }),
  },
  { weight: 5, arbitrary: fc.record({ do: fc.constant('answer'), which, news, isRefused: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('crash'), owner }) },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('advance'),
      ms: fc.constantFrom(1, 500, 1_000, 4_000, 5_999, 6_000, 31_000),
    }),
  },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('advanceToFree'), before }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('setBack'), ms: fc.constantFrom(1_000, 5_000, 20_000, 864e5) }) },
) as fc.Arbitrary<Command>;

interface Case {
  readonly requests: number;
  readonly periodSeconds: number;
  readonly knowsDead: boolean;
  readonly commands: readonly Command[];
}

const cases: fc.Arbitrary<Case> = fc.record({
  requests: fc.integer({ min: 1, max: 4 }),
  periodSeconds: fc.constantFrom(1, 5, 60),
  knowsDead: fc.boolean(),
  commands: fc.array(command, { maxLength: 60, size: 'max' }),
});

/** The text is compared first, because most are equal. */
function expectSame(given: unknown, expected: unknown): void {
  if (JSON.stringify(given) !== JSON.stringify(expected)) expect(given).toEqual(expected);
}

class Play {
  readonly #model: SlotModel;
  readonly #knowsDead: boolean;
  #state: LimitState;
  #now = 1_000_000_000;
  /** How far the clock was set back in all. */
  #behind = 0;
  #ids = 0;
  readonly #owners = ['a0', 'b0', 'c0'];
  readonly #dead = new Set<string>();
  #waiting: Ask[] = [];
  readonly #flying = new Map<string, Ask>();
  /** Until when each request can have reached the service, in time that is never set back; undefined in flight. */
  readonly #log = new Map<string, number | undefined>();

  constructor({ requests, periodSeconds, knowsDead }: Case) {
    this.#model = new SlotModel(requests, periodSeconds * 1000);
    this.#state = initialLimit({ requests, periodSeconds });
    this.#knowsDead = knowsDead;
  }

  /** As a process that waits: it finds out which of those ahead are dead, and asks again at once. */
  #ask(ask: Ask): void {
    let dead: ReadonlySet<string> = new Set();
    for (let attempt = 0; attempt < 4; attempt++) {
      this.#model.noteDead(dead, this.#now);
      const expected = this.#model.ask(ask, this.#now);
      const { state, result } = acquireSlot(this.#state, this.#now, { ...ask, dead });
      this.#state = JSON.parse(JSON.stringify(state)) as LimitState;
      expectSame(result.kind === 'wait' ? { ...result, blockedBy: result.blockedBy.toSorted() } : result, expected);
      if (result.kind === 'taken') this.#send(ask);
      if (result.kind !== 'wait') return;
      dead = new Set(this.#knowsDead ? result.blockedBy.filter((one) => this.#dead.has(one)) : []);
      if (dead.size === 0) {
        this.#waiting.push(ask);
        return;
      }
    }
    throw new Error('The dead still block.');
  }

  #send(ask: Ask): void {
    if (this.#flying.has(ask.id)) return;
    const at = this.#now + this.#behind;
    this.#flying.set(ask.id, ask);
    // Every other request that the service may still count, whenever it arrived.
    const counted = [...this.#log.values()].filter((until) => (until ?? at) > at - this.#model.periodMs);
    if (counted.length >= this.#model.requests) expect(counted.length).toBeLessThan(this.#model.requests);
    this.#log.set(ask.id, undefined);
  }

  #land(id: string, at = this.#now + this.#behind): void {
    this.#flying.delete(id);
    this.#log.set(id, at);
  }

  #pick<Item>(list: readonly Item[], index: number): Item | undefined {
    return list[index % Math.max(1, list.length)];
  }

  do(one: Command): void {
    // A request without an answer counts as lost, and its process does not answer it any more.
    for (const { id, lostAt } of this.#model.sent)
      if (this.#flying.has(id) && this.#now >= lostAt) this.#land(id, lostAt + this.#behind);
    switch (one.do) {
      case 'ask': {
        const { priority, keepOneFree, inUseMs, patienceMs } = one;
        const waitUntil = this.#now + patienceMs;
        const id = `r${this.#ids++}`;
        this.#ask({ id, owner: this.#owners[one.owner] as string, priority, keepOneFree, inUseMs, waitUntil });
        break;
      }
      case 'askAgain': {
        // Also one that has its slot, and did not learn so.
        const ask = this.#pick([...this.#waiting, ...this.#flying.values()], one.which);
        if (!ask) break;
        this.#waiting = this.#waiting.filter(({ id }) => id !== ask.id);
        this.#ask(ask);
        break;
      }
      case 'leave': {
        const ask = this.#pick(this.#waiting, one.which);
        if (!ask) break;
        this.#waiting = this.#waiting.filter(({ id }) => id !== ask.id);
        this.#model.waiters = this.#model.waiters.filter(({ id }) => id !== ask.id);
        this.#state = leaveQueue(this.#state, ask.id);
        break;
      }
      case 'giveBack': {
        const [id] = this.#pick([...this.#flying], one.which) ?? [];
        if (id === undefined) break;
        this.#flying.delete(id);
        this.#log.delete(id);
        this.#model.sent = this.#model.sent.filter((sent) => sent.id !== id);
        this.#state = completeSlot(this.#state, this.#now, id, { kind: 'unused' });
        break;
      }
      case 'answer':
        this.#answer(this.#pick([...this.#flying.keys()], one.which), one.news, one.isRefused);
        break;
      case 'crash':
        this.#crash(one.owner);
        break;
      case 'advance':
        this.#now += one.ms;
        break;
      case 'advanceToFree':
        this.#now += Math.max(0, this.#model.available(this.#now).freeInMs - one.before);
        break;
      case 'setBack':
        this.#now -= one.ms;
        this.#behind += one.ms;
        // Each use corrects what was stored; this one waits for nothing.
        this.#ask({
          id: `r${this.#ids++}`,
          owner: 'd',
          priority: 'cancel',
          keepOneFree: false,
          inUseMs: 1_000,
          waitUntil: 0,
        });
    }
  }

  #answer(id: string | undefined, { requests, period, used, isRemaining, reset }: News, isRefused: boolean): void {
    if (id === undefined) return;
    const { periodMs } = this.#model;
    const isCount = requests !== undefined && requests >= 1 && requests <= 10_000;
    const inForce = isCount ? requests : this.#model.requests;
    const headers: RateLimitHeaders = {
      requests,
      periodMs: period === 'half' ? Math.ceil(periodMs / 2) : period === 'absurd' ? 1e12 : undefined,
      used,
      resetInMs: reset === 'period' ? periodMs : reset === 'over' ? periodMs + 1 : reset,
    };
    const told =
      isRemaining && used !== undefined ? { ...headers, used: undefined, remaining: inForce - used } : headers;
    this.#model.answer(id, headers, isRefused, this.#now);
    this.#state = completeSlot(this.#state, this.#now, id, { kind: 'used', headers: told, refused: isRefused });
    this.#land(id);
  }

  #crash(index: number): void {
    const name = this.#owners[index] as string;
    this.#dead.add(name);
    this.#owners[index] = `${name[0]}${this.#dead.size}`;
    for (const [id, ask] of [...this.#flying]) if (ask.owner === name) this.#land(id);
    this.#waiting = this.#waiting.filter((ask) => ask.owner !== name);
  }

  /** What the status shows, and that nothing is kept for longer than it counts. */
  check(): void {
    const { requests, periodMs, sent, foreign } = this.#model;
    expectSame(availability(this.#state, this.#now), this.#model.available(this.#now));
    const { requests: inForce, periodMs: period, slots } = this.#state;
    expectSame([inForce, period, slots.length], [requests, periodMs, sent.length + foreign.length]);
  }
}

function play(drawn: Case): void {
  const played = new Play(drawn);
  for (const one of drawn.commands) {
    played.do(one);
    played.check();
  }
}

describe.each([
  ['some', 1, []],
  ['many', 5, ['slow']],
])('%s random runs of several processes', (_name, times, tags) => {
  test(
    'slots are given as the rules say, to the millisecond, and no window has more requests than its limit',
    { tags },
    () => fc.assert(fc.property(cases, play), { numRuns: runs(1_200, 4) * times }),
  );
});
