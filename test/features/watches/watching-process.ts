/**
 * A process that watches the account of small-world.ts and notifies by the ways that are set, in rounds that a test asks
 * for: `watching-process.ts STORE SEED URL MAIL_PORT NAME LEDGER`. It kills itself at the step that a round names.
 */
import { appendFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { type Clock, systemClock } from '../../../src/core/clock.ts';
import { createRecords } from '../../../src/core/store/engine.ts';
import { createPostgresEngine } from '../../../src/core/store/postgres/postgres-engine.ts';
import { createSqliteEngine } from '../../../src/core/store/sqlite/sqlite-engine.ts';
import { createWatchTable } from '../../../src/core/store/watch-table.ts';
import { type DeliveryDeps, deliverEvents } from '../../../src/features/watches/deliver-events.ts';
import type { Delivery } from '../../../src/features/watches/delivery-rules.ts';
import { createFailedWays } from '../../../src/features/watches/failed-ways.ts';
import { type Sight, windowMs } from '../../../src/features/watches/find-events.ts';
import { noteReading } from '../../../src/features/watches/note-reading.ts';
import type { Channel } from '../../../src/features/watches/notify/channel.ts';
import { createChannels } from '../../../src/features/watches/notify/channels.ts';
import type { Watch } from '../../../src/features/watches/watch-rules.ts';
import type { KeptEvent, WatchChange, WatchStore } from '../../../src/features/watches/watch-store.ts';
import { createRandom, makeWorld } from './small-world.ts';

/** A round of a test. */
export interface RoundRequest {
  readonly now: number;
  /** The step before which the process kills itself; 0 for never. */
  readonly diesAt: number;
}

const [, , address = '', seed = '', url = '', mailPort = '', name = '', ledger = ''] = process.argv;
const account = 'account';
const engine = address.startsWith('postgres:')
  ? createPostgresEngine({ url: address, clock: systemClock, self: name })
  : createSqliteEngine({ path: address, clock: systemClock, random: Math.random });
const table: WatchStore = createWatchTable<Watch, Sight, KeptEvent, Delivery>(engine);
const all = makeWorld(createRandom(Number(seed)));

let now = 0;
let diesAt = 0;
let step = 0;
const mayDie = () => {
  if (++step === diesAt) process.kill(process.pid, 'SIGKILL');
};

/** The items of each message that this process is to send, by channel. */
const claimed = new Map<string, string[][]>();

const store: WatchStore = {
  read: table.read,
  change: async (work) => {
    mayDie();
    const messages = new Map<string, { channel: string; items: string[] }>();
    const result = await table.change(async (tx: WatchChange) => {
      messages.clear();
      const keepDelivery: WatchChange['keepDelivery'] = async (owner, delivery) => {
        await tx.keepDelivery(owner, delivery);
        const { state, claimedAt, channel, item } = delivery;
        if (state !== 'claimed') return;
        const message = messages.get(`${claimedAt}`) ?? { channel, items: [] };
        message.items.push(item);
        messages.set(`${claimedAt}`, message);
      };
      const done = await work({ ...tx, keepDelivery });
      // Before the commit: the transaction is rolled back.
      mayDie();
      return done;
    });
    for (const { channel, items } of messages.values()) claimed.set(channel, [...(claimed.get(channel) ?? []), items]);
    mayDie();
    return result;
  },
};

/** Says in the ledger what the next message is about, so that the receiver can compare. */
const withLedger = (channel: Channel): Channel => ({
  name: channel.name,
  send: async (message, signal) => {
    appendFileSync(ledger, `${JSON.stringify({ channel: channel.name, items: claimed.get(channel.name)?.shift() })}\n`);
    await channel.send(message, signal);
    mayDie();
  },
});

const channels = createChannels(
  {
    credentials: undefined,
    stateUrl: undefined,
    notify: {
      detail: 'full',
      url: { address: url, style: 'json' },
      mail: {
        server: '127.0.0.1',
        port: Number(mailPort),
        encryption: 'none',
        login: undefined,
        from: 'broker@example.com',
        to: [`${name}@example.com`],
      },
    },
  },
  { env: {} },
).map(withLedger);

const clock: Clock = { now: () => now, sleep: async () => undefined };
const deps: DeliveryDeps = {
  store,
  clock,
  channels,
  failed: createFailedWays({ records: createRecords(engine), clock, environment: 'live' }),
  settings: { detail: 'full' },
  place: { environment: 'live' },
  readDigest: async () => ({ count: 0, text: '' }),
};

async function runRound(): Promise<void> {
  claimed.clear();
  const present = all.filter(({ at }) => at <= now && at > now - windowMs);
  await noteReading(deps, account, { at: now, found: { orders: present } });
  await deliverEvents(deps, { account, zone: 'UTC' }, new AbortController().signal);
}

process.stdout.write('ready\n');
for await (const line of createInterface({ input: process.stdin })) {
  ({ now, diesAt } = JSON.parse(line) as RoundRequest);
  step = 0;
  await runRound();
  process.stdout.write('done\n');
}
await engine.close();
