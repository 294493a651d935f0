/** The report as a process: what it prints before it reads, and the page that it leaves when it is interrupted. */
// @module-tag process

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, statSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { estimateReadingMs } from '../../src/features/documents/read-progress.ts';
import { buildReportPage } from '../../src/features/views/report-page.ts';
import { runCommand } from '../support/command.ts';
import { inTerminal } from '../support/pty.ts';
import { startSlowService } from '../support/slow-service.ts';

const sections = ['Returns', 'Allocation', 'Profit and loss', 'Dividends', 'Costs', 'Realised gains and losses'];
const mark = '<b>Not complete.</b> Reading was interrupted';

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'brokerage-mcp-report-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

const args = (folder: string) => ['report', join(folder, 'r.html'), '--state-dir', join(folder, 'state')];

async function interrupt(signal: 'SIGTERM' | 'SIGINT', at: string): Promise<void> {
  const folder = await newFolder();
  const child = spawn(process.execPath, ['dist/brokerage-mcp.cjs', ...args(folder)], {
    env: { PATH: process.env.PATH ?? '', ...(await startSlowService(folder)) },
  });
  const ended = once(child, 'close');
  let said = '';
  child.stderr.on('data', (chunk) => {
    said += String(chunk);
    if (said.includes(at) && !child.killed) child.kill(signal);
  });
  expect(await ended).toEqual([130, null]);
  // Printed before the first request, with the pace of the service's limit.
  expect(said.split('\n')[0]).toMatch(/^Reading the account\. .+ about 60 s per 300 rows, /);
  const page = readFileSync(join(folder, 'r.html'), 'utf8');
  expect(page).toContain(mark);
  expect(statSync(join(folder, 'r.html')).mode & 0o777).toBe(0o600);
  const titles = [...page.matchAll(/<h2[^>]*>([^<]*)/g)].map(([, title = '']) => title.replace(' by month', ''));
  expect(titles).toEqual(sections);
}

test(
  'interrupted while the history is read it writes the rows that it has, marks the page as incomplete and ends with 130',
  {
    tags: ['slow'],
  },
  () => interrupt('SIGINT', 'Still reading history for'),
);

test('so it does before anything was read', { tags: ['slow'] }, () => interrupt('SIGTERM', 'Reading the account.'));

test('Ctrl+C in a terminal also leaves the page', { tags: ['slow'] }, async () => {
  const folder = await newFolder();
  const { code, shown } = await inTerminal(args(folder), await startSlowService(folder), [
    ['rows of orders', '\u0003'],
  ]);
  expect(code, shown).toBe(130);
  expect(readFileSync(join(folder, 'r.html'), 'utf8')).toContain(mark);
});

test.each([
  ['a format that does not exist', ['r.csv', '--format', 'cgt-calc'], 'did you mean cgt_calc?'],
  ['a name for another format', ['r.html', '--format', 'ghostfolio'], 'a name like r.html.json'],
])('is refused with %s', async (_, words, text) => {
  const { code, stderr } = await runCommand(['report', ...words], { HOME: await newFolder() });
  expect([code, stderr]).toEqual([2, expect.stringContaining(text)]);
});

test('with a format writes the records of the account for its owner alone', { tags: ['slow'] }, async () => {
  const folder = await newFolder();
  const file = join(folder, 'records.csv');
  const { stdout } = await runCommand(
    ['report', file, '--format', 'portfolio_performance', '--state-dir', join(folder, 'state')],
    { HOME: folder },
  );
  expect(stdout).toContain(`Wrote ${file}`);
  const [head, ...rows] = readFileSync(file, 'utf8').trimEnd().split('\n');
  expect(head).toBe('Date,Time,Type,Value,Transaction Currency,Taxes,Shares,ISIN,Ticker Symbol,Security Name,Note');
  expect(rows.filter((row) => !/^\d{4}-\d\d-\d\d,/.test(row))).toEqual([]);
  expect(rows.length).toBeGreaterThan(100);
  expect(statSync(file).mode & 0o777).toBe(0o600);
});

test('a complete page does not mention an interruption', () => {
  const report = { title: 'R', madeAt: 0, answers: {} };
  expect(buildReportPage(report)).not.toContain('not complete');
  expect(buildReportPage({ ...report, incomplete: 'It <was> cut.' })).toContain('It &lt;was&gt; cut.');
});

const dayMs = 86_400_000;
const limit = { requests: 6, periodMs: 60_000, freeInMs: 20_000 };

test.each([
  ['nothing is read', { rows: 0, from: 10 * dayMs }, 0, undefined],
  ['the oldest position is reached', { rows: 100, from: 5 * dayMs }, 5 * dayMs, 20_000],
  ['six pages are missing, which is what one period allows', { rows: 300, from: 5 * dayMs }, 0, 20_000],
  ['twelve pages are missing', { rows: 600, from: 5 * dayMs }, 0, 80_000],
])('the remaining time follows from the limit when %s', (_, read, oldestAt, ms) => {
  expect(estimateReadingMs(read, oldestAt, 10 * dayMs, limit)).toBe(ms);
});
