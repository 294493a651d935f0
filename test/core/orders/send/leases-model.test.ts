/**
 * The leases that processes share, against one model of their rule: the turn of an account, the background reads of the
 * history, and the legs of a draft. Several owners take, renew and release one, pause past its end and die, while the
 * clock goes on and is set back.
 */
import fc from 'fast-check';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { createLease } from '../../../../src/core/lease.ts';
import type { Journal } from '../../../../src/core/orders/intent/journal-port.ts';
import { effectiveLimits } from '../../../../src/core/orders/intent/risk-limits.ts';
import { createAccountLock } from '../../../../src/core/orders/send/account-lock.ts';
import { createMemoryRecords } from '../../../../src/core/store/fallback-records.ts';
import { createSubmissionRunner } from '../../../../src/features/drafts/submission/runner.ts';
import type { SubmissionDeps } from '../../../../src/features/drafts/submission/submission.ts';
import { runs } from '../../../support/runs.ts';

/** Clocks of processes differ by this much. An end that is further ahead than it can be was stored under another clock. */
const slackMs = 5_000;
const owners = ['a', 'b', 'c'] as const;
type Owner = (typeof owners)[number];

interface Holder {
  readonly owner: string;
  readonly until: number;
}

/** What all processes of a test share. */
interface World {
  now: number;
  readonly dead: ReadonlySet<string>;
}

/** One lease, as its owners use it. */
interface Shared {
  /** How long it holds from when it is taken, and the longest that it can hold. */
  readonly holdsMs: number;
  readonly longestMs: number;
  /** Whether a process that renews it learns that the other holder is dead. */
  readonly renewsFromDead: boolean;
  take(owner: Owner): Promise<boolean>;
  /** What a holder does by itself while it runs; undefined where it does nothing. Returns whether it still holds it. */
  readonly renew?: (owner: Owner) => Promise<boolean>;
  release(owner: Owner): Promise<void>;
  /** Who holds it by what is stored. */
  read(): Promise<Holder | undefined>;
}

const settle = () => new Promise<void>((resolve) => setImmediate(resolve));
const isAliveIn = (world: World) => (owner: string) => !world.dead.has(owner);

/** The turn of an account: one order in flight at a time. A call that has no time left asks once. */
function createAccountTurn(world: World): Shared {
  const rows = new Map<string, unknown>();
  const tx = {
    get: async (name: string) => rows.get(name),
    set: async (name: string, value: unknown) => (value === undefined ? rows.delete(name) : rows.set(name, value)),
  };
  const journal = { change: (work: (change: typeof tx) => unknown) => work(tx) } as unknown as Journal;
  const clock = { now: () => world.now, sleep: () => Promise.reject(new Error('No call waits here.')) };
  const locks = new Map(
    owners.map((self) => {
      const processes = { self, isAlive: isAliveIn(world) };
      return [self, createAccountLock({ journal, clock, processes })];
    }),
  );
  const working = new Map<Owner, () => void>();
  let intents = 0;
  return {
    // The time of the call, and the longest that sending takes after it.
    holdsMs: 40_000,
    longestMs: 120_000,
    renewsFromDead: false,
    take: async (owner) => {
      const work = () => new Promise<void>((resolve) => working.set(owner, resolve));
      const context = { priority: 'place', deadlineAt: world.now } as const;
      void locks.get(owner)?.inTurn('account', `intent ${intents++}`, context, work);
      await settle();
      return working.has(owner);
    },
    release: async (owner) => {
      working.get(owner)?.();
      working.delete(owner);
      await settle();
    },
    read: async () => rows.get('turn account') as Holder | undefined,
  };
}

/** The background reads of the history, with a timer that renews the lease. */
function createHistoryLease(world: World): Shared {
  const records = createMemoryRecords();
  const timers = new Map<object, () => void>();
  const timerOf = new Map<Owner, object>();
  let current: Owner = 'a';
  vi.stubGlobal('setInterval', (work: () => void) => {
    const timer = { unref: () => undefined };
    timers.set(timer, work);
    timerOf.set(current, timer);
    return timer;
  });
  vi.stubGlobal('clearInterval', (timer: object) => timers.delete(timer));
  const realClock = { now: () => world.now, sleep: async () => undefined };
  const leases = new Map(
    owners.map((owner) => [
      owner,
      createLease({ records, realClock, processes: { self: owner, isAlive: isAliveIn(world) } }, 'history'),
    ]),
  );
  const read = () => records.read<Holder>('lease', 'history');
  return {
    holdsMs: 15_000,
    longestMs: 15_000,
    renewsFromDead: true,
    take: async (owner) => {
      current = owner;
      return (await leases.get(owner)?.take()) ?? false;
    },
    renew: async (owner) => {
      timers.get(timerOf.get(owner) ?? {})?.();
      await settle();
      return (await read())?.owner === owner;
    },
    release: async (owner) => leases.get(owner)?.release(),
    read,
  };
}

/** The legs of a draft: the runner renews its lease with each step, and each step here waits for the pace. */
function createLegLease(world: World): Shared {
  const leg = { submissionId: 's', number: 1, state: 'waiting', position: 0, isDependent: false };
  let submission: Record<string, unknown> = { id: 's', state: 'sending', accountKey: 'account', haltCount: 0 };
  const tx = {
    // Its time is never over.
    findSubmission: async (): Promise<object> => ({ ...submission, endsAt: world.now + 60_000 }),
    moveSubmission: async (_id: string, _from: string, change: object) => {
      submission = { ...submission, ...change };
      return tx.findSubmission();
    },
    list: async () => [],
    listSubmissionLegs: async () => [leg],
    // An order of another program at an unknown time counts as one of this moment, so that no leg has its turn.
    get: async (name: string) => (name.startsWith('external') ? { orders: [{ id: '1', at: null }] } : undefined),
  };
  const store = {
    change: (work: (t: typeof tx) => unknown) => work(tx),
    read: (work: (t: typeof tx) => unknown) => work(tx),
  };
  const sleeping = new Map<Owner, () => void>();
  const limits = async () => effectiveLimits('demo', { ordersPerMinute: 1 }, undefined);
  const create = (self: Owner) =>
    createSubmissionRunner({
      store,
      clock: {
        now: () => world.now,
        sleep: (_ms: number, signal: AbortSignal) =>
          new Promise<void>((resolve, reject) => {
            const end = () => {
              sleeping.delete(self);
              reject(signal.reason);
            };
            signal.addEventListener('abort', end, { once: true });
            sleeping.set(self, () => {
              signal.removeEventListener('abort', end);
              sleeping.delete(self);
              resolve();
            });
          }),
      },
      processes: { self, isAlive: isAliveIn(world) },
      environment: 'demo',
      settings: {},
      limits,
    } as unknown as SubmissionDeps);
  const runners = new Map(owners.map((owner) => [owner, create(owner)]));
  return {
    holdsMs: 90_000,
    longestMs: 90_000,
    renewsFromDead: true,
    take: async (owner) => {
      runners.get(owner)?.start('s');
      await settle();
      return sleeping.has(owner);
    },
    renew: async (owner) => {
      sleeping.get(owner)?.();
      await settle();
      return sleeping.has(owner);
    },
    release: async (owner) => {
      await runners.get(owner)?.stop();
      runners.set(owner, create(owner));
    },
    read: async () => {
      const { owner, leaseUntil } = submission as { owner?: string; leaseUntil?: number };
      return owner === undefined ? undefined : { owner, until: leaseUntil ?? 0 };
    },
  };
}

type Command =
  | { readonly do: 'take' | 'renew' | 'release' | 'crash'; readonly owner: Owner }
  | { readonly do: 'advance' | 'setBack'; readonly ms: number }
  | { readonly do: 'advanceToEnd'; readonly before: 0 | 1 };

const owner = fc.constantFrom(...owners);
const commands = fc.array(
  fc.oneof(
    { weight: 6, arbitrary: fc.record({ do: fc.constant('take'), owner }) },
    { weight: 3, arbitrary: fc.record({ do: fc.constantFrom('renew', 'renew', 'release'), owner }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('crash'), owner }) },
    { weight: 2, arbitrary: fc.record({ do: fc.constant('advance'), ms: fc.constantFrom(1, 4_000, 14_000, 60_000) }) },
    { weight: 2, arbitrary: fc.record({ do: fc.constant('advanceToEnd'), before: fc.constantFrom(0, 1) }) },
    // The longest end that is still believed is 5 s further ahead than a lease can be.
    { weight: 1, arbitrary: fc.record({ do: fc.constant('setBack'), ms: fc.constantFrom(1, 5_000, 5_001, 864e5) }) },
  ) as fc.Arbitrary<Command>,
  { maxLength: 40, size: 'max' },
);

/** Plays the commands on a lease and on the rule: it is free when nobody holds it, its holder is dead, or its time is over. */
async function play(create: (world: World) => Shared, steps: readonly Command[]): Promise<void> {
  const dead = new Set<string>();
  const world: World = { now: 1_000_000_000, dead };
  const lease = create(world);
  let holder: Holder | undefined;
  /** Those that were told that they have it. */
  const holding = new Set<Owner>();
  const isFree = (one: Owner, knowsDead: boolean): boolean => {
    if (!holder || holder.owner === one || (knowsDead && dead.has(holder.owner))) return true;
    return holder.until <= world.now || holder.until > world.now + lease.longestMs + slackMs;
  };
  const take = (one: Owner, knowsDead: boolean): boolean => {
    const isTaken = isFree(one, knowsDead);
    if (isTaken) {
      holder = { owner: one, until: world.now + lease.holdsMs };
      holding.add(one);
    } else holding.delete(one);
    return isTaken;
  };
  for (const step of steps) {
    if ('owner' in step && dead.has(step.owner)) continue;
    switch (step.do) {
      case 'take':
        // A process has one order in its turn, one import, and one loop for a draft.
        if (holding.has(step.owner)) break;
        expect(await lease.take(step.owner)).toBe(take(step.owner, true));
        break;
      case 'renew':
        if (!lease.renew || !holding.has(step.owner)) break;
        expect(await lease.renew(step.owner)).toBe(take(step.owner, lease.renewsFromDead));
        break;
      case 'release':
        if (!holding.delete(step.owner)) break;
        await lease.release(step.owner);
        if (holder?.owner === step.owner) holder = undefined;
        break;
      case 'crash':
        dead.add(step.owner);
        holding.delete(step.owner);
        break;
      case 'advance':
        world.now += step.ms;
        break;
      case 'setBack':
        world.now -= step.ms;
        break;
      case 'advanceToEnd':
        if (holder && holder.until > world.now) world.now = holder.until - step.before;
        break;
    }
    const stored = await lease.read();
    expect(stored && { owner: stored.owner, until: stored.until }).toEqual(holder);
  }
}

afterEach(() => {
  vi.unstubAllGlobals();
});

describe.each([
  ['some', 1, []],
  ['many', 5, ['slow']],
])('%s random runs of', (_some, times, tags) => {
  test.each([
    ['the turn of an account', createAccountTurn],
    ['the background reads of the history', createHistoryLease],
    ['the legs of a draft', createLegLease],
  ])('%s: one holder, and a free lease when it is dead or its time is over', { tags }, (_name, create) =>
    fc.assert(
      fc.asyncProperty(commands, (steps) => play(create, steps)),
      { numRuns: runs(160, 4) * times },
    ),
  );
});
