/** The command that imports the history: its progress, and how it ends. */
// @module-tag server
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { formatProgress } from '../../src/cli/import.ts';
import type { ImportProgress } from '../../src/history/import/history-import.ts';
import { runCommand } from '../support/command.ts';

const progress: ImportProgress = {
  isDone: false,
  isRunning: true,
  way: 'reports',
  phase: 'reports',
  years: { requested: 4, ready: 2, expected: 8 },
  rows: 1204,
  leftMs: 140_500,
  unread: {},
  abandonedFiles: [],
  trouble: undefined,
};

test.each<[Partial<ImportProgress>, string]>([
  [{}, '[#######.............]  35 %  2 of 8 years read, 4 requested, 1204 rows, about 2 min 21 s left'],
  [{ leftMs: 20_000 }, '[#######.............]  35 %  2 of 8 years read, 4 requested, 1204 rows, about 20 s left'],
  [{ leftMs: 999 }, '[#######.............]  35 %  2 of 8 years read, 4 requested, 1204 rows'],
  [
    { years: { requested: 1, ready: 0, expected: 3 }, rows: 0 },
    '[##..................]  14 %  0 of 3 years read, 1 requested, 0 rows, about 2 min 21 s left',
  ],
  [
    { isDone: true, phase: 'done', years: { requested: 8, ready: 8, expected: 8 }, leftMs: undefined },
    '[####################] 100 %  8 of 8 years read, 8 requested, 1204 rows',
  ],
  [
    { phase: 'pages', years: { requested: 8, ready: 8, expected: 8 }, leftMs: undefined },
    '[##################..]  94 %  8 of 8 years read, 8 requested, 1204 rows, reading the newest pages',
  ],
  [{ way: 'pages', phase: 'pages' }, 'The service refuses reports for this account. Reading pages: 1204 rows'],
])('progress has a bar, the percentage, the years, the rows and the time left: %j', (change, line) => {
  expect(formatProgress({ ...progress, ...change })).toBe(line);
});

test.each([
  [['import', 'now'], 'takes no words'],
  [['import', '--years', '0'], '--years must be 1 to 30'],
  [['import', '--years', '31'], '--years must be 1 to 30'],
  [['import', '--years', 'two'], '--years must be 1 to 30'],
])('%j is wrong usage', async (argv, reason) => {
  const { code, stderr } = await runCommand(argv, {});
  expect([code, stderr]).toEqual([2, expect.stringContaining(reason)]);
});

const newFolder = async () => {
  const folder = await mkdtemp(join(tmpdir(), 'brokerage-mcp-import-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
};

test('read-only refuses it', async () => {
  const { code, stderr } = await runCommand(['import', '--read-only', '--state-dir', await newFolder()], {});
  expect([code, stderr]).toEqual([2, expect.stringContaining('read-only does not allow')]);
});

test('an interrupted import ends with 130 and says how to continue', async () => {
  const stop = new AbortController();
  const lines: string[] = [];
  const { code } = await runCommand(
    ['import', '--state-dir', await newFolder()],
    {},
    {
      shutdownSignal: stop.signal,
      warn: (line) => {
        lines.push(line);
        if (line.startsWith('[')) stop.abort();
      },
    },
  );
  expect(code).toBe(130);
  expect(lines.at(-1)).toBe('Interrupted. Run the same command again to continue.');
});
