/** What is sent when: each event by each way, quiet hours, the digest, floods, and ways that fail. */
import { expect, test } from 'vitest';
import { ExpectedError } from '../../../src/core/errors.ts';
import { createRecords } from '../../../src/core/store/engine.ts';
import { createWatchTable } from '../../../src/core/store/watch-table.ts';
import { type DeliveryDeps, deliverEvents } from '../../../src/features/watches/deliver-events.ts';
import type { Delivery } from '../../../src/features/watches/delivery-rules.ts';
import type { WatchEvent } from '../../../src/features/watches/event.ts';
import { createFailedWays, type FailedWays, listFailedWays } from '../../../src/features/watches/failed-ways.ts';
import type { Sight } from '../../../src/features/watches/find-events.ts';
import { type Channel, DeliveryError, type Message } from '../../../src/features/watches/notify/channel.ts';
import type { Watch } from '../../../src/features/watches/watch-rules.ts';
import type { KeptEvent } from '../../../src/features/watches/watch-store.ts';
import { openMemory } from '../../core/store/support.ts';
import { takeLog } from '../../support/faults.ts';
import { day, halt, hour, start } from './support.ts';

const account = 'account';

const filled = (key: string, at: number): WatchEvent => ({
  key,
  kind: 'order_filled',
  at,
  facts: { ticker: 'AAPL_US_EQ', side: 'BUY' },
});

/** An account whose events are sent; `fail` is thrown by the next attempts. */
async function open(settings: Partial<DeliveryDeps['settings']> = {}) {
  const engine = await openMemory();
  const records = createRecords(engine);
  const store = createWatchTable<Watch, Sight, KeptEvent, Delivery>(engine);
  const sent: Message[] = [];
  const failures: unknown[] = [];
  const asked: number[] = [];
  let now = start;
  const send: Channel['send'] = async (message) => {
    const failure = failures.shift();
    if (failure) throw failure;
    sent.push(message);
  };
  const startProcess = (): FailedWays => createFailedWays({ records, clock: { now: () => now }, environment: 'live' });
  const listFailures = () => listFailedWays(records, 'live');
  const deps: DeliveryDeps = {
    store,
    clock: { now: () => now, sleep: async () => undefined },
    channels: [{ name: 'url', send }],
    failed: startProcess(),
    settings: { detail: 'short', ...settings },
    place: { environment: 'live' },
    readDigest: async (since) => {
      asked.push(since);
      if (failures.length > 0) throw failures.shift();
      return { count: 2, text: 'Two things changed.' };
    },
  };
  const round = async (change: Partial<DeliveryDeps> = {}, signal = new AbortController().signal) => {
    await deliverEvents({ ...deps, ...change }, { account, zone: 'UTC' }, signal);
    return sent.splice(0);
  };
  const find = (...events: readonly WatchEvent[]) =>
    store.change(async (tx) => {
      for (const event of events) await tx.insertEvent(account, { event, foundAt: now });
    });
  await round();
  return {
    deps,
    store,
    startProcess,
    listFailures,
    round,
    find,
    failures,
    asked,
    pass: (ms: number) => (now += ms),
    now: () => now,
  };
}

test('an event is sent once, and what was found before a way was set is not sent by it', async () => {
  const { deps, round, find, now } = await open();
  await find(filled('order:1', now()));
  expect(await round()).toHaveLength(1);
  expect(await round()).toEqual([]);
  const late: Message[] = [];
  const mail: Channel = { name: 'mail', send: async (message) => void late.push(message) };
  const both = { channels: [...deps.channels, mail] };
  // Found in the same millisecond as the way was set.
  await find(filled('order:2', now() + 1));
  expect(await round(both)).toHaveLength(1);
  expect(late).toHaveLength(2);
});

test('in quiet hours a halt is sent, and the rest after them', async () => {
  const { round, find, pass, now } = await open({ quietHours: { from: '22:00', until: '07:00' } });
  pass(10 * hour);
  await find(filled('order:1', now()), halt('halt:1', now()));
  const [message, ...more] = await round();
  expect([message?.urgency, more]).toEqual(['high', []]);
  pass(9 * hour - 1);
  expect(await round()).toEqual([]);
  pass(1);
  expect(await round()).toHaveLength(1);
});

test('the digest is sent once a day from its time on, and the first one on the day after', async () => {
  const { round, asked, pass, now } = await open({ digestAt: '08:00', detail: 'full' });
  expect(await round()).toEqual([]);
  pass(20 * hour - 1);
  expect(await round()).toEqual([]);
  pass(1);
  expect(await round()).toMatchObject([{ text: 'Two things changed.', urgency: 'low' }]);
  expect(asked).toEqual([now() - day]);
  pass(hour);
  expect(await round()).toEqual([]);
  pass(day);
  expect(await round()).toHaveLength(1);
});

test('a digest that cannot be read is tried again after a minute', async () => {
  const { round, failures, pass } = await open({ digestAt: '08:00' });
  pass(20 * hour);
  failures.push(new ExpectedError('no network'));
  expect(await round()).toEqual([]);
  pass(59_999);
  expect(await round()).toEqual([]);
  pass(1);
  expect(await round()).toHaveLength(1);
});

test('more than five events are one message with their numbers', async () => {
  const { round, find, now } = await open();
  await find(...Array.from({ length: 1_000 }, (_, index) => filled(`order:${index}`, now())));
  const [message, ...more] = await round();
  expect([message?.text.includes('1000'), more]).toEqual([true, []]);
  expect(await round()).toEqual([]);
});

test('a flood that goes on is 26 messages in an hour', async () => {
  const { round, find, pass, now } = await open();
  let count = 0;
  for (let minute = 0; minute < 60; minute++) {
    for (let times = 0; times < 12; times++) {
      await find(filled(`order:${minute}:${times}`, now()));
      count += (await round()).length;
      pass(5_000);
    }
  }
  expect(count).toBeLessThanOrEqual(26);
  expect(count).toBeGreaterThan(20);
});

test.each([
  ['unreachable', undefined, 60_000],
  ['unavailable', 429, 60_000],
  ['unavailable', 503, 60_000],
  ['refused', 400, 60_000],
  // A network that asks its guests to log in redirects, and has a certificate of its own.
  ['redirected', 302, 60_000],
  ['unsafe_connection', undefined, 60_000],
  ['unavailable', 500, hour],
  ['unavailable', 504, hour],
  ['timeout', undefined, hour],
  ['broken_response', undefined, hour],
  ['cancelled', undefined, hour],
] as const)('after %s (%s) a message is sent again after %i ms', async (code, status, wait) => {
  const { round, find, failures, pass, now } = await open();
  await find(filled('order:1', now()));
  failures.push(new DeliveryError('url', code, { status }));
  expect(await round()).toEqual([]);
  pass(wait - 1);
  expect(await round()).toEqual([]);
  pass(1);
  expect(await round()).toHaveLength(1);
});

test.each([
  ['command', 'not_found', undefined],
  ['url', 'unauthorized', 401],
  ['url', 'unauthorized', 403],
  ['url', 'refused', 404],
  ['mail', 'unauthorized', 535],
] as const)(
  '%s: %s (%s) is tried once by each process, and kept until a message was delivered',
  async (name, code, status) => {
    const { deps, round, find, failures, startProcess, listFailures, pass, now } = await open();
    const [url] = deps.channels;
    const channels = [{ name, send: (url as Channel).send }];
    await round({ channels });
    let attempts = 0;
    const fail = (failed = startProcess()) => {
      attempts++;
      failures.push(new DeliveryError(name, code, { status }));
      return { channels, failed };
    };
    const first = fail();
    for (let index = 0; index < 5; index++) await find(filled(`order:${index}`, now()));
    // The first of five messages fails, and the others are not tried.
    expect([await round(first), failures]).toEqual([[], []]);
    const failedAt = now();
    for (let times = 0; times < 20; times++) {
      pass(hour);
      expect(await round(first)).toEqual([]);
    }
    expect(await listFailures()).toMatchObject([{ channel: name, code, failedAt, ...(status && { status }) }]);
    // More starts than an item has attempts: none of them is counted as one of the item.
    for (let times = 0; times < 10; times++) expect([await round(fail()), failures]).toEqual([[], []]);
    expect(attempts).toBe(11);
    expect((await listFailures())[0]?.failedAt).toBe(now());
    expect(await round({ channels, failed: startProcess() })).toHaveLength(5);
    expect(await listFailures()).toEqual([]);
  },
);

test('a way that is not set any more is not shown as failed', async () => {
  const { round, find, failures, startProcess, listFailures, now } = await open();
  await find(filled('order:1', now()));
  failures.push(new DeliveryError('url', 'unauthorized', { status: 401 }));
  await round();
  await startProcess().keepOnly(['url', 'mail']);
  expect(await listFailures()).toHaveLength(1);
  await startProcess().keepOnly(['mail']);
  expect(await listFailures()).toEqual([]);
});

test('a fault of a way is reported, and the other ways send', async () => {
  const { deps, round, find, failures, now } = await open();
  const other: Message[] = [];
  const mail: Channel = { name: 'mail', send: async (message) => void other.push(message) };
  const both = { channels: [...deps.channels, mail] };
  await round(both);
  await find(filled('order:1', now()));
  failures.push(new TypeError('a fault'));
  expect(await round(both)).toEqual([]);
  expect(other).toHaveLength(1);
  expect(takeLog()).toMatchObject([{ event: 'fault', task: 'send a notification' }]);
});

test('a process that ends sends nothing more, and the next one does', async () => {
  const { round, find, pass, now } = await open();
  await find(filled('order:1', now()));
  expect(await round({}, AbortSignal.abort())).toEqual([]);
  pass(60_000);
  expect(await round()).toHaveLength(1);
});
