import { expect, test } from 'vitest';
import { acquireSlot, leaveQueue } from '../../../../src/core/broker/rate-limit/acquire.ts';
import {
  availability,
  availableTimes,
  initialLimit,
  type LimitState,
  mergeLimits,
  pruneExpired,
  releaseDeadOwners,
  type Slot,
} from '../../../../src/core/broker/rate-limit/limit-state.ts';
import { completeSlot, type RateLimitHeaders } from '../../../../src/core/broker/rate-limit/release.ts';

const now = Date.UTC(2026, 0, 15, 15);
const periodMs = 60_000;
const held = periodMs + 50;

const limit = (state: Partial<LimitState> = {}): LimitState => ({
  ...initialLimit({ requests: 6, periodSeconds: 60 }),
  ...state,
});
const inFlight = (id: string, takenAt: number, owner = 'own'): Slot => ({
  id,
  owner,
  takenAt,
  lostAt: takenAt + 30_000,
});
const answered = (id: string, at: number, owner = 'own'): Slot => ({
  ...inFlight(id, at - 200, owner),
  answeredAt: at,
});
const ids = ({ slots }: LimitState) => slots.map(({ id }) => id);
const complete = (state: LimitState, at: number, id: string, headers: RateLimitHeaders, refused = false) =>
  completeSlot(state, at, id, { kind: 'used', headers, refused });
const acquire = (state: LimitState, at: number, request: Partial<Parameters<typeof acquireSlot>[2]> = {}) =>
  acquireSlot(state, at, {
    id: 'r',
    owner: 'own',
    priority: 'read',
    inUseMs: 15_000,
    waitUntil: at + 600_000,
    ...request,
  });

test('a limit begins with nothing sent, nobody waiting and no block', () => {
  expect(initialLimit({ requests: 6, periodSeconds: 60 })).toEqual({
    requests: 6,
    periodMs: 60_000,
    source: 'spec',
    slots: [],
    waiters: [],
    blockedUntil: 0,
  });
});

test('slots end in the order of their responses, whatever the order of their requests', () => {
  const state = limit({ requests: 2, slots: [answered('late', now - 900), answered('early', now - 50_000)] });
  expect(availableTimes(state, now)).toEqual([now - 50_000 + held, now - 900 + held]);
  // 9 s and 10 s: numbers, and not texts.
  const far = limit({ requests: 2, slots: [answered('b', 10_000), answered('a', 9_000)] });
  expect(availableTimes(far, 11_000)).toEqual([9_000 + held, 10_000 + held]);
});

test('free slots come first, then the held ones', () => {
  const slots = [answered('a', now - 3_000), answered('b', now - 2_000), answered('over', now - held)];
  expect(availableTimes(limit({ requests: 4, slots }), now)).toEqual([
    now,
    now,
    now - 3_000 + held,
    now - 2_000 + held,
  ]);
});

test('a limit that became stricter frees nothing until fewer are held', () => {
  const slots = [4_000, 3_000, 2_000, 1_000].map((ago) => answered(`${ago}`, now - ago));
  expect(availableTimes(limit({ requests: 2, slots }), now)).toEqual([now - 2_000 + held, now - 1_000 + held]);
});

test('what has ended is forgotten, and what a request in flight was counted with is not', () => {
  const over = answered('over', now - held);
  expect(ids(acquire(limit({ slots: [over] }), now).state)).toEqual(['r']);
  // The older request was sent while the other still counted.
  expect(ids(acquire(limit({ slots: [over, inFlight('slow', now - 10)] }), now).state)).toEqual(['over', 'slow', 'r']);
  expect(ids(acquire(limit({ slots: [over, inFlight('slow', now)] }), now).state)).toEqual(['slow', 'r']);
});

test('a request without a response ends twice its longest time after it was sent', () => {
  const { state } = acquire(limit({ requests: 1 }), now, { inUseMs: 15_000 });
  expect(availability(state, now + 30_000).freeInMs).toBe(held);
  expect(availability(state, now + 40_000).freeInMs).toBe(held - 10_000);
});

test('a slot that was not used is free again, and no other', () => {
  const slots = [answered('a', now - 100), inFlight('b', now), inFlight('c', now)];
  expect(ids(completeSlot(limit({ slots }), now, 'b', { kind: 'unused' }))).toEqual(['a', 'c']);
});

test.each<[string, RateLimitHeaders, Pick<LimitState, 'requests' | 'periodMs' | 'source'>]>([
  ['the smallest', { requests: 1, periodMs: 1 }, { requests: 1, periodMs: 1, source: 'headers' }],
  [
    'the largest',
    { requests: 10_000, periodMs: 86_400_000 },
    { requests: 10_000, periodMs: 86_400_000, source: 'headers' },
  ],
  ['more is an error', { requests: 10_001, periodMs: 86_400_001 }, { requests: 6, periodMs: 60_000, source: 'spec' }],
  ['a fraction is cut', { requests: 2.9 }, { requests: 2, periodMs: 60_000, source: 'headers' }],
  ['a period alone', { periodMs: 5_000 }, { requests: 6, periodMs: 5_000, source: 'headers' }],
])('a response says the limit: %s', (_, headers, adopted) => {
  expect(complete(limit(), now, 'none', headers)).toMatchObject(adopted);
});

test('other clients have what the service counted beyond the own requests of that time', () => {
  const foreign = (state: LimitState) => state.slots.filter(({ owner }) => owner === 'foreign').length;
  const slots = [inFlight('slow', now - 70_000), answered('ended', now - 61_000), inFlight('r', now - 200)];
  // `slow` and `r` are own, `ended` had ended when `r` was sent.
  expect(foreign(complete(limit({ slots }), now, 'r', { used: 3 }))).toBe(1);
  expect(foreign(complete(limit({ slots }), now, 'r', { used: 2 }))).toBe(0);
  expect(foreign(complete(limit({ slots }), now, 'r', { remaining: 3 }))).toBe(1);
  expect(foreign(complete(limit({ slots }), now, 'r', {}))).toBe(0);
  // One that ends exactly when `r` was sent is counted no more.
  const edge = [answered('edge', now - 200 - held), inFlight('r', now - 200)];
  expect(foreign(complete(limit({ slots: edge }), now, 'r', { used: 2 }))).toBe(1);
});

test('a later count of other clients replaces the newest of them', () => {
  let state = limit({
    slots: [answered('a', now, 'foreign'), answered('b', now + 20_000, 'foreign'), inFlight('r', now + 30_000)],
  });
  state = complete(state, now + 30_100, 'r', { used: 2 });
  // `r`, the older of the two that were known, and the one that was seen now.
  const ends = state.slots.map(({ answeredAt = 0 }) => answeredAt - now).toSorted((x, y) => x - y);
  expect(ends).toEqual([0, 30_100, 30_100]);
  expect(availability(state, now + held).free).toBe(4);
});

test('the newest of other clients are those that a response saw last', () => {
  let state = limit({ requests: 10 });
  // Each time the service has counted the own requests and these of others: two, one, one.
  [3, 3, 4].forEach((used, n) => {
    const id = `r${n}`;
    const at = now + n * 10_000;
    state = complete({ ...state, slots: [...state.slots, inFlight(id, at)] }, at, id, { used });
  });
  const others = state.slots.filter(({ owner }) => owner === 'foreign');
  expect(others.map(({ answeredAt }) => answeredAt)).toEqual([now, now + 20_000]);
});

test('a response whose slot is gone counts the own requests of now', () => {
  const slots = [answered('ended', now - held), answered('counts', now - held + 1)];
  const state = complete(limit({ slots }), now, 'gone', { used: 2 });
  expect(state.slots.filter(({ owner }) => owner === 'foreign')).toHaveLength(1);
});

test('two processes that saw different requests of other clients count all of them', () => {
  const a = complete(limit({ slots: [inFlight('a', now)] }), now + 1, 'a', { used: 3 });
  const b = complete(limit({ slots: [inFlight('b', now)] }), now + 2, 'b', { used: 2 });
  expect(availability(mergeLimits(a, b), now + 3).free).toBe(6 - 2 - 3);
});

test.each<[string, Partial<LimitState>, Partial<LimitState>, number]>([
  ['both of the specification', { requests: 1 }, { requests: 2 }, 1],
  ['the second of the headers', { requests: 1 }, { requests: 2, source: 'headers' }, 2],
  ['the first of the headers', { requests: 1, source: 'headers' }, { requests: 2 }, 1],
  ['both of the headers', { requests: 1, source: 'headers' }, { requests: 2, source: 'headers' }, 1],
])('two states of one account have one limit: %s', (_, a, b, requests) => {
  expect(mergeLimits(limit(a), limit(b)).requests).toBe(requests);
});

test('two states of one account have the period and the source of the same one, and the longest block', () => {
  const told = limit({ periodMs: 5_000, source: 'headers', blockedUntil: now + 1 });
  const untold = limit({ blockedUntil: now + 2 });
  const one = { periodMs: 5_000, source: 'headers', blockedUntil: now + 2 };
  expect(mergeLimits(told, untold)).toMatchObject(one);
  expect(mergeLimits(untold, told)).toMatchObject(one);
});

test('two states of one account keep every waiter once', () => {
  const waiter = (id: string) => ({ id, owner: 'own', rank: 3, since: now, expiresAt: now + 6_000 });
  const merged = mergeLimits(
    limit({ waiters: [waiter('a'), waiter('b')] }),
    limit({ waiters: [waiter('b'), waiter('c')] }),
  );
  expect(merged.waiters.map(({ id }) => id)).toEqual(['a', 'b', 'c']);
});

test.each([
  [7_000, 7_050],
  [periodMs, held],
  [periodMs + 1, held],
  [0, held],
  [undefined, held],
])('a refusal blocks until the reset, and for a period at most: %s ms', (resetInMs, blockMs) => {
  expect(complete(limit(), now, 'none', { resetInMs }, true).blockedUntil).toBe(now + blockMs);
  expect(complete(limit(), now, 'none', { resetInMs }, false).blockedUntil).toBe(0);
});

test('the requests of a dead owner end now; those of others, and its responses, stay as they are', () => {
  const waiter = (id: string, owner: string) => ({ id, owner, rank: 3, since: now, expiresAt: now + 6_000 });
  const slots = [inFlight('dead', now - 5, 'x'), answered('done', now - 500, 'x'), inFlight('alive', now - 5, 'y')];
  const state = limit({ slots, waiters: [waiter('a', 'x'), waiter('b', 'y')] });
  const after = releaseDeadOwners(state, now, new Set(['x']));
  expect(after.slots.map(({ answeredAt }) => answeredAt)).toEqual([now, now - 500, undefined]);
  expect(after.waiters.map(({ id }) => id)).toEqual(['b']);
});

test('a caller waits exactly as long as it allows', () => {
  const state = limit({ requests: 1, slots: [answered('a', now)] });
  expect(acquire(state, now, { waitUntil: now + held }).result.kind).toBe('wait');
  expect(acquire(state, now, { waitUntil: now + held - 1 }).result.kind).toBe('refused');
});

test('a waiter that asks again has one place in the queue, and leaving takes no other place', () => {
  const full = limit({ requests: 1, slots: [answered('a', now)] });
  let { state } = acquire(full, now, { id: 'w1' });
  for (const id of ['w2', 'w1']) state = acquire(state, now + 1, { id }).state;
  expect(state.waiters.map(({ id }) => id).toSorted()).toEqual(['w1', 'w2']);
  expect(leaveQueue(state, 'w1').waiters.map(({ id }) => id)).toEqual(['w2']);
});

test('a waiter that was silent for too long is the last when it asks again', () => {
  const waiter = (id: string, since: number, expiresAt: number) => ({ id, owner: 'own', rank: 3, since, expiresAt });
  const waiters = [waiter('r', now - 20_000, now), waiter('w', now - 5_000, now + 1_000)];
  const { result } = acquire(limit({ requests: 1, slots: [answered('a', now)], waiters }), now, { id: 'r' });
  expect(result).toMatchObject({ kind: 'wait', waitMs: 2 * held });
});

test.each([
  ['is taken', 1, now, 'taken'],
  ['is refused', 0, now + 1, 'refused'],
])('a slot that %s leaves those who wait behind in the queue', (_, free, waitUntil, kind) => {
  const behind = { id: 'sync', owner: 'other', rank: 4, since: now - 10, expiresAt: now + 6_000 };
  const slots = free === 1 ? [] : [answered('a', now)];
  const { state, result } = acquire(limit({ requests: 1, slots, waiters: [behind] }), now, { waitUntil });
  expect(result.kind).toBe(kind);
  expect(state.waiters).toEqual([behind]);
});

test('a request whose earlier slot has ended takes another one', () => {
  // It counted as lost at that time, and a period has passed since.
  const ended = { ...inFlight('r', now - held - 30_000), lostAt: now - held };
  const { state } = acquire(limit({ slots: [ended] }), now, { id: 'r', inUseMs: 15_000 });
  expect(state.slots).toEqual([{ id: 'r', owner: 'own', takenAt: now, lostAt: now + 30_000 }]);
});

test('those who wait keep their order while an older request is in flight', () => {
  const waiter = (id: string, since: number) => ({ id, owner: 'own', rank: 3, since, expiresAt: now + 1_000 });
  const waiters = [waiter('a', now - 2_000), waiter('b', now - 1_000), waiter('ahead', now + 1_000)];
  const pruned = pruneExpired(limit({ slots: [inFlight('slow', now - 9_000)], waiters }), now);
  expect(pruned.waiters.map(({ since }) => since)).toEqual([now - 2_000, now - 1_000, now]);
});

test('a request in flight of a clock that was ahead counts as sent now', () => {
  const [slot] = pruneExpired(limit({ slots: [inFlight('a', now + 20_000)] }), now).slots;
  expect(slot).toEqual({ id: 'a', owner: 'own', takenAt: now, lostAt: now + 30_000 });
});

test('a waiter keeps its place for 6 s without asking again', () => {
  const full = limit({ requests: 1, slots: [answered('a', now - held + 2_000)] });
  const { state } = acquire(full, now, { id: 'silent' });
  expect(acquire(state, now + 5_999).result.kind).toBe('wait');
  expect(acquire(state, now + 6_000).result.kind).toBe('taken');
});

test('the background leaves the last free slot while someone waits', () => {
  const waiter = { id: 'person', owner: 'other', rank: 3, since: now - 10, expiresAt: now + 6_000 };
  const sync = (slots: Slot[], waiters = [waiter]) =>
    acquire(limit({ requests: 3, slots, waiters }), now, { priority: 'sync' }).result.kind;
  expect(sync([])).toBe('taken');
  // Two are free: one for the person, and one stays.
  expect(sync([answered('a', now)])).toBe('wait');
  expect(sync([answered('a', now)], [{ ...waiter, rank: 4, since: now + 10 }])).toBe('taken');
});

test('a slot that ended long ago lets nobody pass the queue', () => {
  const waiter = (id: string) => ({ id, owner: 'other', rank: 0, since: now, expiresAt: now + 6_000 });
  // It is still there, because the older request is in flight.
  const slots = [inFlight('slow', now - 4 * periodMs), answered('ended', now - 3 * periodMs)].map((each) => ({
    ...each,
    lostAt: now + 1_000,
  }));
  const state = limit({ requests: 2, slots, waiters: [waiter('a'), waiter('b')] });
  // One slot is free for the first waiter, the next for the second, and then a period passes.
  expect(acquire(state, now).result).toMatchObject({ kind: 'wait', waitMs: held });
});

// The headers of a response count what the service had received, also what is free again by now.
test.each([
  ['that is in flight keeps those that its response may count', now + 1, ['free', 'open']],
  ['that counts as lost from now on keeps none', now, ['open']],
])('a request %s', (_, lostAt, kept) => {
  const open = { ...inFlight('open', now - 70_000), lostAt };
  expect(ids(pruneExpired(limit({ slots: [answered('free', now - 1 - held), open] }), now))).toEqual(kept);
});
