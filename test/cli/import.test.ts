/** The command that imports the history: its progress, and how it ends. */
// @module-tag server
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createProgressLine, formatProgress, getStep, parseYears } from '../../src/cli/import.ts';
import type { ImportProgress } from '../../src/features/reports/import/history-import.ts';
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

test.each<[Partial<ImportProgress>, readonly string[]]>([
  [{}, ['[#######.............]  35 %', 'about 2 min 21 s left', '2 of 8 years read', '1204 rows', '4 requested']],
  [{ leftMs: 999, rows: 1 }, ['[#######.............]  35 %', '2 of 8 years read', '1 row', '4 requested']],
  [
    { isDone: true, phase: 'done', years: { requested: 8, ready: 8, expected: 8 }, leftMs: undefined },
    ['[####################] 100 %', '8 of 8 years read', '1204 rows', '8 requested'],
  ],
  [
    { phase: 'pages', years: { requested: 8, ready: 8, expected: 8 }, leftMs: undefined },
    ['[##################..]  94 %', 'reading the newest pages', '8 of 8 years read', '1204 rows', '8 requested'],
  ],
  [{ way: 'pages', phase: 'pages' }, ['Reading pages', '1204 rows', 'the service refuses reports for this account']],
])('progress has a bar, the percentage, the time left, the years and the rows: %j', (change, parts) => {
  expect(formatProgress({ ...progress, ...change })).toEqual(parts);
});

test('80 columns have the time left in full', () => {
  const written: string[] = [];
  const screen = { isTerminal: true, columns: 80 };
  const line = createProgressLine({
    warn: (text) => written.push(text),
    screens: { output: screen, errors: screen },
    env: {},
  });
  line.show(
    formatProgress({ ...progress, years: { requested: 4, ready: 3, expected: 5 }, rows: 914, leftMs: 59_500 }),
    0,
  );
  // Seven of eleven steps are 63 %.
  expect(written).toEqual(['[############........]  63 %, about 1 min 0 s left, 3 of 5 years read, 914 rows']);
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

test.each([
  [undefined, undefined],
  ['1', 1],
  ['12', 12],
  ['30', 30],
])('--years %s imports %s years', (text, years) => {
  expect(parseYears(text)).toBe(years);
});

test.each(['', '0', '31', '100', '5x', 'x5', '-1', '1.5'])('--years %s is no number of years', (text) => {
  expect(() => parseYears(text)).toThrow('--years must be 1 to 30');
});

test('a log has a line at each tenth, and each half minute where the number of pages is unknown', () => {
  // 6 of 17 steps are 35 %.
  expect(getStep(progress, 500_000)).toBe(3);
  const pages = { ...progress, way: 'pages' } as const;
  expect([29_999, 30_000, 59_999, 60_000].map((elapsedMs) => getStep(pages, elapsedMs))).toEqual([0, 1, 1, 2]);
});
