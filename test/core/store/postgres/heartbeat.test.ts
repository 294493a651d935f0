/** Which processes of a shared store count as alive. */
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { loadAnew } from '../../../support/load-anew.ts';
import { type Answer, createFakePool } from './fake-pool.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => void vi.useRealTimers());

const isLook = ({ sql }: { readonly sql: string }) => /^\s*SELECT id,/.test(sql);
const isBeat = ({ sql }: { readonly sql: string }) => sql.includes('INSERT INTO brokerage_mcp.processes');

/** Members whose table has these ids, with how long each has been silent. */
async function open(silences: Record<string, number | string> = {}) {
  const { createMembers } = await loadAnew<typeof import('../../../../src/core/store/postgres/heartbeat.ts')>(
    'src/core/store/postgres/heartbeat.ts',
  );
  let table = silences;
  let failure: Error | undefined;
  const answer: Answer = (sent) => {
    if (failure) throw failure;
    return isLook(sent) ? { rows: Object.entries(table).map(([id, silent]) => ({ id, silent })) } : undefined;
  };
  const { pool, sent } = createFakePool(answer);
  const successes = { count: 0 };
  const members = createMembers('me', () => void successes.count++);
  return {
    ...members,
    start: () => members.start(pool),
    stop: () => members.stop(pool),
    sent,
    successes,
    setTable: (rows: Record<string, number | string>) => {
      table = rows;
    },
    fail: (error: Error | undefined) => {
      failure = error;
    },
    beats: () => sent.filter(isBeat).length,
    /** Seconds of heartbeats. */
    pass: (seconds: number) => vi.advanceTimersByTimeAsync(seconds * 1_000),
  };
}

test('a process starts by forgetting those of yesterday, writing its heartbeat, and reading the others', async () => {
  const members = await open();
  await members.start();
  const [forget, beat, look, ...others] = members.sent;
  expect(forget?.sql).toMatch(
    /^DELETE FROM brokerage_mcp\.processes\s+WHERE beat_at < .*clock_timestamp.* - 86400000$/s,
  );
  expect(beat?.sql).toMatch(
    /INSERT INTO brokerage_mcp\.processes \(id, beat_at\).*clock_timestamp.*ON CONFLICT \(id\) DO UPDATE/s,
  );
  expect(beat?.values).toEqual(['me']);
  expect(look?.sql).toMatch(/SELECT id, .*clock_timestamp.* - beat_at AS silent FROM brokerage_mcp\.processes$/s);
  expect(others).toEqual([]);
  expect(members.successes.count).toBe(1);
});

test('a heartbeat is written each second, and a second start changes nothing', async () => {
  const members = await open();
  await members.start();
  await members.start();
  expect(members.beats()).toBe(1);
  await members.pass(0.999);
  expect(members.beats()).toBe(1);
  await members.pass(0.001);
  expect(members.beats()).toBe(2);
  await members.pass(3);
  expect(members.beats()).toBe(5);
  expect(members.successes.count).toBe(5);
});

test('heartbeats go on after the database could not be reached, and a failed one is no response', async () => {
  const members = await open({ other: 0 });
  await members.start();
  members.fail(new Error('Connection terminated'));
  await members.pass(20);
  expect(members.successes.count).toBe(1);
  // Nothing is known meanwhile, so nobody is declared dead.
  expect(members.isAlive('other')).toBe(true);
  members.fail(undefined);
  members.setTable({ other: 20_000 });
  await members.pass(1);
  expect(members.successes.count).toBe(2);
  expect(members.isAlive('other')).toBe(false);
});

test('a first heartbeat that fails is reported, and the process can start again', async () => {
  const members = await open();
  members.fail(new Error('no database'));
  await expect(members.start()).rejects.toThrow('no database');
  members.fail(undefined);
  await members.start();
  expect(members.beats()).toBe(1);
});

describe('a process', () => {
  test.each([
    [0, true],
    [8_000, true],
    [8_001, false],
    ['8001', false],
    ['12', true],
    // Written before the clock of the database was set back.
    [-8_000, true],
    [-8_001, false],
  ])('that was silent for %s ms is alive: %s', async (silent, expected) => {
    const members = await open({ other: silent });
    await members.start();
    expect(members.isAlive('other')).toBe(expected);
  });

  test('is alive for itself, whatever the table says', async () => {
    const members = await open({ me: 99_000 });
    expect(members.isAlive('me')).toBe(true);
    await members.start();
    expect(members.isAlive('me')).toBe(true);
  });

  test('that is not in the table is alive for the next eight looks, because it may have just started', async () => {
    const members = await open();
    await members.start();
    await members.pass(3);
    expect(members.isAlive('new')).toBe(true);
    await members.pass(7);
    expect(members.isAlive('new')).toBe(true);
    await members.pass(1);
    expect(members.isAlive('new')).toBe(false);
    // Another one is counted from the first question about it.
    expect(members.isAlive('newer')).toBe(true);
    members.setTable({ new: 10 });
    await members.pass(1);
    expect(members.isAlive('new')).toBe(true);
  });
});

describe('a process that stops', () => {
  test('says so, and writes no heartbeat after it', async () => {
    const members = await open();
    await members.start();
    await members.stop();
    expect(members.sent.at(-1)).toEqual({
      sql: 'UPDATE brokerage_mcp.processes SET beat_at = 0 WHERE id = $1',
      values: ['me'],
    });
    const { length } = members.sent;
    await members.pass(5);
    await members.start();
    expect(members.sent).toHaveLength(length);
  });

  test('in the middle of a heartbeat writes no other', async () => {
    const members = await open();
    await members.start();
    vi.advanceTimersByTime(1_000);
    await members.stop();
    const beats = members.beats();
    await members.pass(5);
    expect(members.beats()).toBe(beats);
  });

  test('before it started has nothing to say, and does not start any more', async () => {
    const members = await open();
    await members.stop();
    await members.start();
    expect(members.sent).toEqual([]);
  });
});
