/** What halt and status say about a halt. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { systemClock } from '../../src/clock.ts';
import { readHalt } from '../../src/orders/halt/halt.ts';
import type { Intent } from '../../src/orders/intent/intent.ts';
import type { WriteIntent } from '../../src/orders/intent/write-intent.ts';
import { createJournal } from '../../src/store/journal.ts';
import { createSqliteEngine } from '../../src/store/sqlite/sqlite-engine.ts';
import { runCommand } from '../support/command.ts';
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
  });
});

test('doctor says since when trading is halted as a person says it', { tags: ['slow'] }, async () => {
  const run = await newStore();
  await run('halt', 'testing a stop.');
  expect(await run('doctor', '--offline')).toMatch(
    new RegExp(`New orders are halted since ${time} by a command: testing a stop\\.$`, 'm'),
  );
});
