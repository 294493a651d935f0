/**
 * 200 events in simulated time, watched by two processes that are killed at any step: each event arrives at least once,
 * none twice within an hour, and nothing else arrives.
 */
// @module-tag server
import { expect, test } from 'vitest';
import type { Clock } from '../../../src/core/clock.ts';
import type { Engine } from '../../../src/core/store/engine.ts';
import { createRecords } from '../../../src/core/store/engine.ts';
import { createWatchTable } from '../../../src/core/store/watch-table.ts';
import { type DeliveryDeps, deliverEvents } from '../../../src/features/watches/deliver-events.ts';
import type { Delivery } from '../../../src/features/watches/delivery-rules.ts';
import type { WatchEvent } from '../../../src/features/watches/event.ts';
import { createFailedWays } from '../../../src/features/watches/failed-ways.ts';
import { type Sight, windowMs } from '../../../src/features/watches/find-events.ts';
import { noteReading } from '../../../src/features/watches/note-reading.ts';
import { DeliveryError } from '../../../src/features/watches/notify/channel.ts';
import type { Watch } from '../../../src/features/watches/watch-rules.ts';
import type { KeptEvent, WatchChange, WatchStore } from '../../../src/features/watches/watch-store.ts';
import { openEngine } from '../../core/store/support.ts';
import { count, createRandom, makeWorld } from './small-world.ts';
import { day, hour, start } from './support.ts';

class Killed extends Error {}

const account = 'account';
interface World {
  readonly engine: Engine;
  readonly clock: Clock;
  readonly random: () => number;
  /** Of a kill at each step. */
  readonly probability: number;
  arrive(item: string): void;
}

/** One round of a new process: it reads, keeps what it found, and sends what is due. Rejects when it was killed. */
async function runRound({ engine, clock, random, probability, arrive }: World, all: readonly WatchEvent[]) {
  let isDead = false;
  const mayDie = () => {
    isDead ||= random() < probability;
    if (isDead) throw new Killed();
  };
  /** The items of each message that this process claimed, by the time of the claim. */
  const claimed = new Map<number, string[]>();
  const table: WatchStore = createWatchTable<Watch, Sight, KeptEvent, Delivery>(engine);
  const store: WatchStore = {
    read: table.read,
    change: async (work) => {
      mayDie();
      const result = await table.change(async (tx: WatchChange) => {
        const keepDelivery: WatchChange['keepDelivery'] = async (owner, delivery) => {
          await tx.keepDelivery(owner, delivery);
          const { state, claimedAt, item } = delivery;
          if (state === 'claimed') claimed.set(claimedAt, [...(claimed.get(claimedAt) ?? []), item]);
        };
        const done = await work({ ...tx, keepDelivery });
        // Before the commit: the transaction is rolled back.
        mayDie();
        return done;
      });
      mayDie();
      return result;
    },
  };
  let sent = 0;
  const send = async () => {
    const items = [...claimed.values()][sent++] ?? [];
    const outcome = random();
    if (outcome < 0.1) throw new DeliveryError('url', 'unreachable');
    for (const item of items) arrive(item);
    isDead ||= random() < probability;
    if (isDead || outcome < 0.2) throw new DeliveryError('url', isDead ? 'cancelled' : 'timeout');
  };
  const deps: DeliveryDeps = {
    store,
    clock,
    channels: [{ name: 'url', send }],
    failed: createFailedWays({ records: createRecords(engine), clock, environment: 'live' }),
    settings: { detail: 'short' },
    place: { environment: 'live' },
    readDigest: async () => ({ count: 0, text: '' }),
  };
  const now = clock.now();
  const present = all.filter(({ at }) => at <= now && at > now - windowMs);
  await noteReading(deps, account, { at: now, found: { orders: present } });
  await deliverEvents(deps, { account, zone: 'UTC' }, new AbortController().signal);
}

const isKill = (error: unknown) => {
  if (!(error instanceof Killed)) throw error;
};

test.each([
  [0, 1],
  [0.02, 2],
  [0.1, 3],
  [0.25, 4],
])('with kills at %f of the steps', async (probability, seed) => {
  const random = createRandom(seed);
  const all = makeWorld(random);
  const arrived = new Map<string, number[]>();
  let now = start;
  const world: World = {
    engine: openEngine(),
    clock: { now: () => now, sleep: async () => undefined },
    random,
    probability,
    arrive: (item) => arrived.set(item, [...(arrived.get(item) ?? []), now]),
  };
  await runRound({ ...world, probability: 0 }, all);
  while (now < start + 2 * day || (arrived.size < count && now < start + 6 * day)) {
    now += Math.floor(random() * 30 * 60_000);
    // Without the lease, so that both always do the same.
    await Promise.all([runRound(world, all).catch(isKill), runRound(world, all).catch(isKill)]);
  }
  expect([...arrived.keys()].toSorted()).toEqual(
    all
      .slice(0, count)
      .map(({ key }) => key)
      .toSorted(),
  );
  const pauses = [...arrived.values()].flatMap((times) => times.slice(1).map((at, index) => at - (times[index] ?? 0)));
  expect(pauses.filter((pause) => pause < hour)).toEqual([]);
  if (probability > 0) expect(pauses.length).toBeGreaterThan(0);
});
