/** The records of shared responses: who reads, what is kept, and when it goes. */
import { expect, test } from 'vitest';
import { createReadCache, invalidateReads } from '../../../src/core/broker/read-cache.ts';
import type { PreparedRequest } from '../../../src/core/broker/types.ts';
import { type Endpoint, endpoints } from '../../../src/core/endpoints/index.ts';
import { createMemoryRecords } from '../../../src/core/store/fallback-records.ts';
import { createManualClock } from '../../support/manual-clock.ts';

const startAt = Date.UTC(2026, 0, 15, 15);
/** Fresh for one period of the limit. */
const freshMs = 5_000;
const lingerMs = 30_000;
const nothing = undefined;

function open() {
  const records = createMemoryRecords();
  const clock = createManualClock({ startAt });
  const limits = { take: () => Promise.reject(new Error('It is not needed.')), periodMs: async () => freshMs };
  const cacheOf = (owner: string, dead?: string) =>
    createReadCache({ records, clock, limits, owner, isAlive: (other) => other !== dead });
  const request = (notBefore?: number, endpoint: Endpoint = endpoints.listPositions): PreparedRequest => ({
    endpoint,
    context: { priority: 'read', deadlineAt: startAt + 60_000, notBefore },
    accountKey: 'account',
    path: endpoint.path,
  });
  const response = (text: string) => ({
    data: JSON.parse(text) as unknown,
    text,
    askedAt: clock.now() - 200,
    answeredAt: clock.now(),
    shared: false,
  });
  /** Reads and keeps a response, as the process that leads. */
  const read = async (key: string, text = '[]', cache = cacheOf('own')) => {
    await cache.choose(request(), key, `flight of ${key}`, nothing);
    await clock.advance(300);
    await cache.keep(request(), key, `flight of ${key}`, response(text));
  };
  const headOf = (key: string) => records.read<Record<string, unknown>>('read-head', key);
  return { records, clock, cacheOf, request, read, headOf, response };
}

test('the first process leads for six seconds, and others follow it', async () => {
  const { cacheOf, request, headOf, clock } = open();
  const leader = { id: 'f1', owner: 'own', epoch: 0, askedAt: startAt, until: startAt + 6_000 };
  expect(await cacheOf('own').choose(request(), 'k', 'f1', nothing)).toEqual({ kind: 'lead' });
  expect(await headOf('k')).toEqual({ epoch: -1, askedAt: 0, answeredAt: 0, leader });
  await clock.advance(5_999);
  expect(await cacheOf('other').choose(request(startAt), 'k', 'f2', nothing)).toEqual({ kind: 'follow', leader });
  await clock.advance(1);
  expect(await cacheOf('other').choose(request(), 'k', 'f2', nothing)).toEqual({ kind: 'lead' });
});

test.each<[string, { dead?: string; notBefore?: number; isInvalid?: boolean }]>([
  ['has died', { dead: 'own' }],
  ['asked before the moment that matters', { notBefore: startAt + 1 }],
  ['asked before a write', { isInvalid: true }],
])('another process leads where the first one %s', async (_, { dead, notBefore, isInvalid }) => {
  const { cacheOf, request, headOf, records, clock } = open();
  await cacheOf('own').choose(request(), 'k', 'f1', nothing);
  if (isInvalid) await invalidateReads(records, 'account');
  await clock.advance(100);
  expect(await cacheOf('other', dead).choose(request(notBefore), 'k', 'f2', nothing)).toEqual({ kind: 'lead' });
  expect(await headOf('k')).toMatchObject({
    leader: {
      ...{ id: 'f2', owner: 'other', epoch: isInvalid ? 1 : 0 },
      ...{ askedAt: startAt + 100, until: startAt + 6_100 },
    },
  });
});

test('a response is used for a period from its answer, with its times, and by another process from its text', async () => {
  const { cacheOf, request, read, headOf, clock } = open();
  const own = cacheOf('own');
  await read('k', '[{"quantity":1.5}]', own);
  const answeredAt = startAt + 300;
  const version = (await headOf('k'))?.version;
  // It counts from when its process decided to ask.
  expect(await headOf('k')).toEqual({ version, epoch: 0, askedAt: startAt, answeredAt });
  await clock.advance(freshMs - 1);
  const choice = await own.choose(request(startAt), 'k', 'f2', nothing);
  expect(choice).toEqual({ kind: 'use', version, askedAt: startAt, answeredAt });
  if (choice.kind !== 'use') throw new Error('It is not fresh.');
  const times = { askedAt: startAt, answeredAt, shared: true };
  expect(await own.use(request(), 'k', choice)).toEqual({ data: [{ quantity: 1.5 }], text: '', ...times });
  const other = cacheOf('other');
  const theirs = await other.use(request(), 'k', choice);
  expect(theirs).toMatchObject({ data: [{ quantity: '1.5' }], text: '[{"quantity":1.5}]', ...times });
  // It is parsed once.
  expect(await other.use(request(), 'k', choice)).toEqual({ ...theirs, text: '' });
  expect(await own.use(request(), 'k', { ...choice, version: 'an older one' })).toBeUndefined();
  await clock.advance(1);
  expect(await own.choose(request(), 'k', 'f2', nothing)).toEqual({ kind: 'lead' });
});

test('a response is not used where it was rejected, or asked for before the moment that matters', async () => {
  const { cacheOf, request, read, headOf } = open();
  await read('k');
  const version = (await headOf('k'))?.version as string;
  expect((await cacheOf('other').choose(request(startAt), 'k', 'f2', nothing)).kind).toBe('use');
  expect((await cacheOf('other').choose(request(startAt + 1), 'k', 'f2', nothing)).kind).toBe('lead');
  expect((await cacheOf('third').choose(request(), 'k', 'f3', version)).kind).toBe('follow');
});

test('a response of a time before a write is not kept, and neither is that of a process that leads no more', async () => {
  const { cacheOf, request, headOf, records, response } = open();
  const own = cacheOf('own');
  await own.choose(request(), 'k', 'f1', nothing);
  await own.keep(request(), 'k', 'another flight', response('[]'));
  expect(await headOf('k')).toMatchObject({ epoch: -1, leader: { id: 'f1' } });
  await invalidateReads(records, 'account');
  await own.keep(request(), 'k', 'f1', response('[]'));
  expect(await headOf('k')).toBeUndefined();
});

test('a response of a clock that was set back since is not used', async () => {
  const { cacheOf, request, response, clock } = open();
  const own = cacheOf('own');
  await own.choose(request(), 'k', 'f1', nothing);
  await own.keep(request(), 'k', 'f1', { ...response('[]'), answeredAt: clock.now() + 1 });
  expect(await own.choose(request(), 'k', 'f2', nothing)).toEqual({ kind: 'lead' });
  await own.keep(request(), 'k', 'f2', response('[]'));
  expect((await own.choose(request(), 'k', 'f3', nothing)).kind).toBe('use');
});

test('a read that failed leaves the response before it, and nothing of its own', async () => {
  const { cacheOf, request, read, headOf, clock, records } = open();
  await read('k');
  const [before, body] = [await headOf('k'), await records.read('read-body', 'k')];
  await clock.advance(freshMs);
  for (const key of ['k', 'other']) {
    await cacheOf('own').choose(request(), key, 'f2', nothing);
    await cacheOf('own').keep(request(), key, 'f2', undefined);
  }
  expect([await headOf('k'), await records.read('read-body', 'k')]).toEqual([before, body]);
  expect([await headOf('other'), await records.read('read-body', 'other')]).toEqual([undefined, undefined]);
  expect(Object.keys((await records.read('read-index', 'account')) ?? {})).toEqual(['k']);
});

test('a response without a body is read again, and one whose flight has ended is not kept', async () => {
  const { cacheOf, request, read, headOf, response } = open();
  await read('k', '[{"quantity":1}]');
  const before = await headOf('k');
  await cacheOf('own').keep(request(), 'k', 'flight of k', response('[]'));
  expect(await headOf('k')).toEqual(before);
  const choice = { kind: 'use', version: 'v', askedAt: 0, answeredAt: 0 } as const;
  expect(await cacheOf('own').use(request(), 'gone', choice)).toBeUndefined();
});

test('a response that was stored under a clock far ahead goes with the next one', async () => {
  const { read, records } = open();
  // At the next response: a day, the 30 seconds, and the five by which clocks may differ.
  const latest = startAt + 300 + 86_400_000 + 30_000 + 5_000;
  await records.update('read-index', 'account', () => ({
    state: { stays: latest, goes: latest + 1 },
    result: undefined,
  }));
  await read('k');
  expect(await records.read('read-index', 'account')).toEqual({ stays: latest, k: startAt + 300 + freshMs + lingerMs });
});

test('a response goes 30 seconds after it was fresh, when another one is kept', async () => {
  const { clock, read, records, headOf } = open();
  const indexOf = () => records.read<Record<string, number>>('read-index', 'account');
  const endOf = (after: number) => startAt + after + freshMs + lingerMs;
  await read('a');
  expect(await indexOf()).toEqual({ a: endOf(300) });
  await clock.advance(freshMs + lingerMs - 300);
  await read('b');
  // `a` ended at the moment of the response of `b`.
  expect(await indexOf()).toEqual({ b: endOf(35_300) });
  expect([await headOf('a'), await records.read('read-body', 'a')]).toEqual([undefined, undefined]);
  expect(await records.read('read-body', 'b')).toMatchObject({ text: '[]' });
  await clock.advance(freshMs);
  await read('c');
  expect(await indexOf()).toEqual({ b: endOf(35_300), c: endOf(40_600) });
});

test('an old response stays while a process reads it again', async () => {
  const { cacheOf, request, clock, read, headOf, records } = open();
  await read('a');
  await clock.advance(freshMs + lingerMs);
  await cacheOf('other').choose(request(), 'a', 'f9', nothing);
  await read('b');
  expect(await headOf('a')).toMatchObject({ leader: { id: 'f9' } });
  expect(await records.read('read-body', 'a')).toMatchObject({ text: '[]' });
});

test('of more than 32 responses the one that was kept first is parsed again', async () => {
  const { cacheOf, request, read, headOf } = open();
  const own = cacheOf('own');
  for (let n = 0; n <= 32; n++) await read(`k${n}`, `[{"quantity":${n}}]`, own);
  const textOf = async (key: string) => {
    const { version = '' } = ((await headOf(key)) ?? {}) as { version?: string };
    return (await own.use(request(), key, { kind: 'use', version, askedAt: 0, answeredAt: 0 }))?.text;
  };
  expect([await textOf('k1'), await textOf('k0'), await textOf('k32')]).toEqual(['', '[{"quantity":0}]', '']);
});

test('the lease of a flight is renewed for six seconds from then, and no other one', async () => {
  const { cacheOf, request, headOf, clock } = open();
  const own = cacheOf('own');
  await own.renew('k', 'f1');
  expect(await headOf('k')).toBeUndefined();
  await own.choose(request(), 'k', 'f1', nothing);
  await clock.advance(2_000);
  await cacheOf('other').renew('k', 'f2');
  expect(await headOf('k')).toMatchObject({ leader: { id: 'f1', until: startAt + 6_000 } });
  await own.renew('k', 'f1');
  const leader = { id: 'f1', owner: 'own', epoch: 0, askedAt: startAt, until: startAt + 8_000 };
  expect(await headOf('k')).toEqual({ epoch: -1, askedAt: 0, answeredAt: 0, leader });
});

test('the stored part of a response is never returned to a caller that needs all of it', async () => {
  const { cacheOf, request, response } = open();
  const reports = request(undefined, endpoints.listReports);
  const complete: PreparedRequest = { ...reports, context: { ...reports.context, needsComplete: true } };
  const own = cacheOf('own');
  await own.choose(reports, 'k', 'f1', nothing);
  const link = 'https://files.example/1.csv';
  const text = JSON.stringify([{ reportId: 1, status: 'Finished', downloadLink: link }]);
  await own.keep(reports, 'k', 'f1', response(text));
  const other = cacheOf('other');
  const choice = await other.choose(reports, 'k', 'f2', nothing);
  if (choice.kind !== 'use') throw new Error('It is not fresh.');
  // The process that read it has it complete in memory.
  expect(await own.use(complete, 'k', choice)).toMatchObject({ data: [{ downloadLink: link }] });
  const part = await other.use(reports, 'k', choice);
  expect([part?.data, part?.text.includes(link)]).toEqual([[expect.objectContaining({ reportId: '1' })], false]);
  expect(await other.use(complete, 'k', choice)).toBeUndefined();
  // Another list needs no links.
  const all = request();
  const needy = { ...all, context: { ...all.context, needsComplete: true } };
  await own.choose(all, 'k2', 'f3', nothing);
  await own.keep(all, 'k2', 'f3', response('[]'));
  const shared = await other.choose(all, 'k2', 'f4', nothing);
  if (shared.kind !== 'use') throw new Error('It is not fresh.');
  expect(await other.use(needy, 'k2', shared)).toMatchObject({ data: [] });
});

test('the list of instruments is fresh for ten minutes, whatever was written', async () => {
  const { cacheOf, request, records, response, clock } = open();
  const own = cacheOf('own');
  const list = request(undefined, endpoints.listInstruments);
  await own.choose(list, 'k', 'f1', nothing);
  await own.keep(list, 'k', 'f1', response('[]'));
  await invalidateReads(records, 'account');
  await clock.advance(599_999);
  expect((await own.choose(list, 'k', 'f2', nothing)).kind).toBe('use');
  await clock.advance(1);
  expect((await own.choose(list, 'k', 'f2', nothing)).kind).toBe('lead');
});
