/** What halt and status say about a halt. */

import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { haltShared, haltTrading } from '../../src/cli/halt.ts';
import { systemClock } from '../../src/core/clock.ts';
import { type Halt, readHalt, setHalt } from '../../src/core/orders/halt/trading-state.ts';
import type { Intent } from '../../src/core/orders/intent/intent.ts';
import type { WriteIntent } from '../../src/core/orders/intent/journal-port.ts';
import { createJournal } from '../../src/core/store/journal-table.ts';
import { createSqliteEngine } from '../../src/core/store/sqlite/sqlite-engine.ts';
import { breaking, openJournal } from '../core/orders/placing/world.ts';
import { runCommand, testTerminal } from '../support/command.ts';
import { takeLog } from '../support/faults.ts';
import { makeStateFolder } from '../support/state-folder.ts';

async function newStore() {
  const folder = await makeStateFolder('brokerage-mcp-halt-');
  const env = { HOME: folder, BROKER_STATE_DIR: folder };
  const run = async (...argv: string[]) => (await runCommand(argv, env)).stdout;
  return Object.assign(run, { folder, env });
}

/** The halt that the store of a folder has. */
async function haltIn(folder: string) {
  const path = join(folder, 'store.sqlite');
  const engine = createSqliteEngine({ path, clock: systemClock, random: () => 0.5 });
  try {
    return await createJournal<Intent, WriteIntent>(engine, systemClock).read(readHalt);
  } finally {
    await engine.close();
  }
}

const time = String.raw`(?:today|yesterday) \d\d:\d\d`;

test('a second halt says since when trading was halted, and keeps the first reason', async () => {
  const run = await newStore();
  const before = systemClock.now();
  const first = await runCommand(['halt', 'testing', 'a', 'stop.'], run.env);
  const halt = await haltIn(run.folder);
  expect(halt).toEqual({ at: expect.any(Number), by: 'command', reason: 'testing a stop.' });
  expect(halt?.at).toBeGreaterThanOrEqual(before);
  expect(first.stdout).toMatch(/^Halted: no new order is sent/);
  expect(first.stderr).toBe(`Store: ${join(run.folder, 'store.sqlite')}\n`);
  expect(await run('halt', 'something', 'else')).toMatch(
    new RegExp(
      `^Trading was already halted, since ${time} by a command: testing a stop\\.\nThe first reason stays.+\nHalted: no new order`,
    ),
  );
  expect(await run('halt')).toMatch(
    new RegExp(`^Trading was already halted, since ${time} by a command: testing a stop\\.\nHalted: no new order`),
  );
});

test('status says once that trading is halted, since when, why and how to lift it', async () => {
  const run = await newStore();
  expect(await run('status')).toMatch(/^Trading {6}on$/m);
  await run('halt', 'testing a stop.');
  expect(await run('status')).toMatch(
    new RegExp(
      `^Trading {6}halted since ${time} by a command: testing a stop\\. · lift it with: brokerage-mcp resume$`,
      'm',
    ),
  );
  expect(JSON.parse(await run('status', '--json'))).toEqual({
    environment: 'sandbox',
    store: join(run.folder, 'store.sqlite'),
    trading: { state: 'off', rule: 'halted', reason: expect.stringMatching(/^Trading is halted: testing a stop\. /) },
    approval: 'none',
    enrolled: null,
    riskLimits: expect.objectContaining({ maxOrderValue: expect.any(String) }),
    foreignOrders: 0,
    openIntents: [],
    approvalsWaiting: [],
    audit: { holds: true, rows: 1, last: [expect.objectContaining({ event: 'halt' })] },
    failedNotifications: [],
  });
});

test('doctor says since when trading is halted as a person says it', { tags: ['slow'] }, async () => {
  const run = await newStore();
  await run('halt', 'testing a stop.');
  expect(await run('doctor', '--offline')).toMatch(
    new RegExp(`New orders are halted since ${time} by a command: testing a stop\\.$`, 'm'),
  );
});

const isHalted = (scope: string) => [
  `Halted: no new order is sent, ${scope}. Cancelling still works.`,
  'Lift it with: brokerage-mcp resume',
];
const inStore = 'in any environment of this store';
const onMachine = 'from servers with this state folder on this machine';

/** The command at 15:00 over a store in memory, in which trading may be halted already, or which fails. */
async function halt(
  words: readonly string[],
  {
    before,
    error,
    config,
    settings = {},
    isReached = true,
  }: { before?: Halt; error?: Error; config?: object; settings?: object; isReached?: boolean } = {},
) {
  const folder = await makeStateFolder('brokerage-mcp-halt-');
  const clock = { ...systemClock, now: () => Date.UTC(2026, 10, 20, 15) };
  const journal = await openJournal(clock);
  if (before) await journal.change((tx) => setHalt(tx, before));
  const printed: string[] = [];
  const warned: string[] = [];
  const terminal = testTerminal({ print: (line) => void printed.push(line), warn: (line) => void warned.push(line) });
  const parts = {
    config: { environment: 'live', stateDir: folder, stateUrl: undefined, ...config },
    journal: error ? breaking(journal, { change: error }) : journal,
    settings,
    services: { clock },
  } as unknown as Parameters<typeof haltTrading>[0];
  const others: unknown[] = [];
  const code = await haltTrading(parts, words, terminal, async (...given) => {
    others.push(given);
    return isReached;
  });
  return { others, code, printed, warned, halt: await journal.read(readHalt), file: join(folder, 'halt') };
}

test.each([
  [['something', 'is', 'odd'], 'something is odd'],
  [[], 'The owner gave no reason.'],
])('halt %j halts the store with the reason “%s”, and writes no file', async (words, reason) => {
  const { code, printed, warned, halt: kept, file } = await halt(words);
  expect(kept).toEqual({ at: Date.UTC(2026, 10, 20, 15), by: 'command', reason });
  expect([code, printed, warned, existsSync(file)]).toEqual([0, isHalted(inStore), [], false]);
});

test.each([
  [['again'], ['The first reason stays, because it says what to investigate.']],
  [[], []],
])('halt %j of a halted store keeps the first halt, and shows it', async (words, more) => {
  const before: Halt = {
    at: Date.UTC(2026, 10, 20, 14),
    by: 'rule',
    rule: 'rejections',
    reason: 'Three were rejected.',
  };
  const { code, printed, halt: kept } = await halt(words, { before });
  const shown = 'Trading was already halted, since today 14:00 by a rule: Three were rejected.';
  expect([code, kept, printed]).toEqual([0, before, [shown, ...more, ...isHalted(inStore)]]);
});

// order-safety: a store that cannot be written does not keep the owner from halting.
test('a store that cannot be written is halted by the file, and the owner reads how far that reaches', async () => {
  const { code, printed, warned, file } = await halt(['odd', 'order'], { error: new Error('THE DISK IS FULL') });
  expect([readFileSync(file, 'utf8'), statSync(file).mode & 0o777]).toEqual(['odd order\n', 0o600]);
  expect(warned).toEqual(['The store cannot be written; the file "halt" in the state folder halts trading instead.']);
  expect([code, printed]).toEqual([0, isHalted(onMachine)]);
  expect(takeLog()).toEqual([expect.objectContaining({ task: 'halt the store' })]);
});

const shared = 'postgres://db.example/orders';
const notEverywhere = 'The shared store could not be reached: servers on OTHER machines are not halted. Halt them too.';

test.each<[string, object, boolean, boolean, readonly string[]]>([
  ['the sandbox, which is local', { environment: 'sandbox', stateUrl: shared }, true, true, []],
  [
    'the sandbox, while the shared store is away',
    { environment: 'sandbox', stateUrl: shared },
    false,
    true,
    [notEverywhere],
  ],
  ['the shared store itself', { stateUrl: shared }, false, false, []],
])('from %s, the other machines are halted too', async (_, config, isReached, isAsked, warned) => {
  const { others, warned: said, code } = await halt(['odd'], { config, isReached });
  const kept = { at: Date.UTC(2026, 10, 20, 15), by: 'command', reason: 'odd' };
  expect([code, others, said]).toEqual([0, isAsked ? [[shared, kept]] : [], warned]);
});

test('a shared store that cannot be written leaves other machines trading, and says so', async () => {
  const { warned } = await halt(['odd'], { config: { stateUrl: shared }, error: new Error('AWAY') });
  expect(warned.at(-1)).toBe(notEverywhere);
  expect(takeLog()).toHaveLength(1);
});

// order-safety: an owner who could halt nothing must not believe that trading is halted.
test('where neither the store nor the file can be written, nothing is said to be halted', async () => {
  const folder = await makeStateFolder('brokerage-mcp-halt-');
  const stateDir = join(folder, 'file');
  writeFileSync(stateDir, '');
  await expect(halt(['odd'], { config: { stateDir }, error: new Error('FULL') })).rejects.toMatchObject({
    code: 'store_unavailable',
    message: `NOT halted: ${stateDir} is not writable (EEXIST).`,
  });
  expect(takeLog()).toHaveLength(1);
});

test('the store with its halt is what a server knows from then on, and without a halt in it nothing is', async () => {
  const marks: unknown[] = [];
  const witness = { read: () => undefined, readAnywhere: () => [], write: (mark: unknown) => void marks.push(mark) };
  await halt(['odd'], { settings: { witness } });
  expect(marks).toEqual([expect.objectContaining({ id: expect.any(String), seq: expect.any(Number) })]);
  await halt(['odd'], { settings: { witness }, error: new Error('FULL') });
  expect(marks).toHaveLength(1);
  expect(takeLog()).toHaveLength(1);
});

// order-safety: a mistake in a setting does not keep the owner from halting.
test('with a setting that cannot be read, the file halts with the reason of the owner', async () => {
  const folder = await makeStateFolder('brokerage-mcp-halt-');
  const stateDir = join(folder, 'state');
  const env = { HOME: folder, BROKER_STATE_DIR: stateDir, BROKER_MAX_ORDER_VALUE: 'much' };
  const { code, stdout, stderr } = await runCommand(['halt', 'an', 'odd', 'order'], env);
  const file = join(stateDir, 'halt');
  expect([code, stdout]).toEqual([0, `Halted by the file ${file}: no new order is sent.\n`]);
  expect(stderr).toMatch(/^brokerage-mcp: .*much/);
  expect([readFileSync(file, 'utf8'), statSync(file).mode & 0o777]).toEqual(['an odd order\n', 0o600]);
});

test.each([
  [undefined, true],
  // Nothing listens there.
  ['postgres://127.0.0.1:1/none', false],
])('the other machines of %s are halted: %s', async (stateUrl, isHaltedThere) => {
  const kept: Halt = { at: 1, by: 'command', reason: 'odd' };
  expect(await haltShared(stateUrl, kept)).toBe(isHaltedThere);
});
