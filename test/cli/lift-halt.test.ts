/** What `resume` shows as halted, and that it lifts nothing that it did not show. */
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { liftShownHalt, showHalt } from '../../src/cli/resume.ts';
import { type Halt, readHalt, setHalt } from '../../src/core/orders/halt/trading-state.ts';
import { openJournal } from '../core/orders/placing/world.ts';
import { createTypedTty } from '../support/typed-tty.ts';

const clock = { now: () => 50 };
const sayMoment = (at: number) => `at ${at}`;
const halted: Halt = { at: 7, by: 'command', reason: 'the first' };
const resumed = ['Trading is resumed.', 'good'];
const haltedAgain = ['Trading was halted again in the meantime; run resume again to see why.', 'bad'];

async function open({ halt, hasFile = false, kept }: { halt?: Halt; hasFile?: boolean; kept?: object } = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'brokerage-mcp-lift-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const haltFile = join(folder, 'halt');
  if (hasFile) writeFileSync(haltFile, '');
  const journal = await openJournal(clock);
  await journal.change(async (tx) => {
    if (halt) await setHalt(tx, halt);
    if (kept) await tx.set('security', kept);
  });
  const { tty, lines, said } = createTypedTty([]);
  const place = { journal, haltFile };
  return {
    ...{ haltFile, lines, said, journal },
    show: () => showHalt(tty, place, clock, sayMoment),
    lift: (shown: Parameters<typeof liftShownHalt>[2]) => liftShownHalt(tty, place, shown),
    readHalt: () => journal.read(readHalt),
    readKept: () => journal.read((tx) => tx.get('security')),
  };
}

const nothing = 'Nothing is halted or locked in the store.';
const isLocked = 'The approval page is locked after too many wrong passphrases.';
const asHalted = 'Halted since at 7 by a command: the first';
const wrong = { count: 5, lastAt: 1 };

test.each<[Parameters<typeof open>[0], object, string[]]>([
  [{}, { haltedAt: undefined, hasFile: false }, [nothing]],
  [{ halt: halted }, { haltedAt: 7, hasFile: false }, [asHalted]],
  [{ halt: halted, hasFile: true }, { haltedAt: 7, hasFile: true }, [asHalted]],
  [{ kept: { wrong } }, { haltedAt: undefined, hasFile: false }, [nothing]],
  [{ kept: { wrong, lockedAt: 1 } }, { haltedAt: undefined, hasFile: false }, [isLocked]],
  [{ halt: halted, kept: { lockedAt: 1 } }, { haltedAt: 7, hasFile: false }, [asHalted, isLocked]],
])('with %o, what halts or locks is shown', async (store, shown, lines) => {
  const world = await open(store);
  expect([await world.show(), world.lines]).toEqual([shown, lines]);
});

test('a file halts the store now, as every server sees it', async () => {
  const { show, lines, readHalt: read } = await open({ hasFile: true });
  expect(await show()).toEqual({ haltedAt: 50, hasFile: true });
  const reason = 'The file "halt" was placed in the state folder.';
  expect(await read()).toEqual({ at: 50, by: 'file', reason });
  expect(lines).toEqual([`Halted since at 50 by a file: ${reason}`]);
});

test('the halt, its file and the lock that were shown are lifted', async () => {
  const world = await open({ halt: halted, hasFile: true, kept: { hash: 'h', lockedAt: 1, failures: 5, wrong } });
  expect(await world.lift(await world.show())).toBe(0);
  expect(world.said.at(-1)).toEqual(resumed);
  expect([await world.readHalt(), existsSync(world.haltFile)]).toEqual([undefined, false]);
  expect(await world.readKept()).toMatchObject({ hash: 'h', failures: 0, wrong });
  expect(await world.readKept()).not.toHaveProperty('lockedAt', 1);
});

// order-safety: a halt that the owner has not read stays.
test.each<[string, Parameters<typeof open>[0], Parameters<Awaited<ReturnType<typeof open>>['lift']>[0]]>([
  ['a halt where none was shown', { halt: halted }, { haltedAt: undefined, hasFile: false }],
  ['a later halt than the one that was shown', { halt: halted }, { haltedAt: 6, hasFile: false }],
  ['a file that was not there', { halt: halted, hasFile: true }, { haltedAt: 7, hasFile: false }],
  ['a later halt, though a file was shown', { halt: halted, hasFile: true }, { haltedAt: 6, hasFile: true }],
])('%s stays, with the lock', async (_, store, shown) => {
  const world = await open({ ...store, kept: { lockedAt: 1, failures: 5 } });
  expect(await world.lift(shown)).toBe(1);
  expect(world.said).toEqual([haltedAgain]);
  expect([await world.readHalt(), existsSync(world.haltFile)]).toEqual([halted, store?.hasFile ?? false]);
  expect(await world.readKept()).toEqual({ lockedAt: 1, failures: 5 });
});

test('a file that was shown and has gone since does not keep the halt', async () => {
  const world = await open({ halt: halted });
  expect(await world.lift({ haltedAt: 7, hasFile: true })).toBe(0);
  expect(await world.readHalt()).toBeUndefined();
});

test('a lock is lifted where nothing is halted', async () => {
  const world = await open({ kept: { lockedAt: 1, failures: 5 } });
  expect(await world.lift(await world.show())).toBe(0);
  expect(await world.readKept()).toMatchObject({ failures: 0 });
});
