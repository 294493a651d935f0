/** The command tax-pack in this process: what it refuses, and the files that it leaves when it is interrupted. */
// @module-tag server
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../src/core/clock.ts';
import { findTaxYear } from '../../src/core/text/dates.ts';
import { startSimulator } from '../../src/simulator/index.ts';
import { runCommand } from '../support/command.ts';
import { startSlowService } from '../support/slow-service.ts';

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'brokerage-mcp-tax-pack-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

test.each([
  ['without a year', ['--out', 'x']],
  ['without a folder', ['--year', '2025/26']],
  ['for a year that does not exist', ['--year', '2025/27', '--out', 'x']],
  ['with a word', ['x.html', '--year', '2025/26', '--out', 'x']],
])('is refused %s', async (_, args) => {
  const { code, stderr } = await runCommand(['tax-pack', ...args], { HOME: newFolder() });
  expect([code, stderr]).toEqual([2, expect.stringContaining('--year 2025/26 --out FOLDER')]);
});

test('files of an earlier run are kept without --force', async () => {
  const folder = newFolder();
  writeFileSync(join(folder, 'tax-pack.html'), 'mine');
  const { code } = await runCommand(['tax-pack', '--year', '2025/26', '--out', folder], { HOME: folder });
  expect([code, readFileSync(join(folder, 'tax-pack.html'), 'utf8')]).toEqual([2, 'mine']);
});

test('interrupted, it writes the rows that it has for its owner alone, and says that they are incomplete', {
  tags: ['slow'],
}, async () => {
  const folder = newFolder();
  const out = join(folder, 'pack');
  const interruption = new AbortController();
  const { code, stdout } = await runCommand(
    ['tax-pack', '--year', '2025/26', '--out', out, '--state-dir', join(folder, 'state')],
    await startSlowService(folder),
    { shutdownSignal: interruption.signal, warn: (line) => line.includes(' rows of ') && interruption.abort() },
  );
  expect(code).toBe(130);
  const files = readdirSync(out).sort();
  expect(files).toContain('tax-pack.html');
  expect(files.filter((name) => name !== 'unmatched.csv')).toEqual([
    'capital-gains-summary.csv',
    'costs.csv',
    'disposals.csv',
    'dividends-by-country.csv',
    'dividends.csv',
    'interest.csv',
    'notes.csv',
    'section-104-pools.csv',
    'tax-pack.html',
  ]);
  for (const name of files) expect(statSync(join(out, name)).mode & 0o777).toBe(0o600);
  expect(stdout).toMatch(/^Wrote tax-pack\.html, /);
  expect(stdout).toMatch(/^Incomplete: .+$/m);
  expect(stdout).toMatch(/^ {2}orders: .+$/m);
  expect(readFileSync(join(out, 'tax-pack.html'), 'utf8')).toContain(
    '<b>Not complete.</b></p><ul class="gaps"><li>Reading was interrupted',
  );
  const notes = readFileSync(join(out, 'notes.csv'), 'utf8').split('\n');
  expect(notes[1]).toMatch(/^all,.*Reading was interrupted/);
  expect(notes[2]).toMatch(/^all,.*orders: Rows .* are missing/);
  expect(readFileSync(join(out, 'costs.csv'), 'utf8').split('\n')[0]).toBe('chargedOn,ticker,name,amount,currency');
});

/** The variables of a service whose pages take no minutes. */
async function startFastService(folder: string, rareRows: boolean) {
  const simulator = await startSimulator({
    clock: systemClock,
    credentials: { key: 'key', secret: 'secret' },
    instrumentCount: 300,
    rareRows,
    limitScale: 0.001,
  });
  onTestFinished(() => simulator.close());
  return {
    HOME: folder,
    BROKER_ENV: 'demo',
    BROKER_DEMO_BASE_URL: simulator.origin,
    BROKER_API_KEY: 'key',
    BROKER_API_SECRET: 'secret',
  };
}

test('unknown withheld taxes are incomplete: the terminal, the page and the notes name them and the way out', {
  tags: ['slow'],
}, async () => {
  const folder = newFolder();
  const out = join(folder, 'pack');
  const year = findTaxYear(Date.now() - 366 * 86_400_000, 'Europe/London').name;
  const { code, stdout } = await runCommand(
    ['tax-pack', '--year', year, '--out', out, '--state-dir', join(folder, 'state')],
    await startFastService(folder, false),
    { self: { command: '/n', args: ['/p.cjs'] } },
  );
  const [header = '', ...rows] = readFileSync(join(out, 'dividends.csv'), 'utf8').trim().split('\n');
  const at = header.split(',').indexOf('withheld');
  const unknown = rows.filter((row) => row.split(',')[at] === '').length;
  const gap = `The tax withheld from ${unknown} of ${rows.length} dividends is unknown.`;
  const way = `Import the broker’s reports (/n /p.cjs import), and make the pack again.`;
  const sentence = `${gap} ${way}`;
  expect(unknown).toBeGreaterThan(0);
  expect([code, stdout.split('\n')[1]]).toEqual([1, sentence]);
  const page = readFileSync(join(out, 'tax-pack.html'), 'utf8');
  expect(page).toContain('<p class="soft">A person must check these figures; they are not tax advice.</p></header>');
  expect(page).toContain(`<p><b>Not complete.</b></p><ul class="gaps"><li>${sentence}</li>`);
  expect(readFileSync(join(out, 'notes.csv'), 'utf8').split('\n')[1]?.trim()).toBe(`all,"${sentence}"`);
});

test('it exits with 0 when nothing is incomplete, and with 1 when trades are in no figure', {
  tags: ['slow'],
}, async () => {
  const folder = newFolder();
  // Shares without a cost came in the last days.
  const environment = await startFastService(folder, true);
  const outFor = (year: string) => join(folder, year.replace('/', '-'));
  const argsFor = (year: string) => [
    'tax-pack',
    '--year',
    year,
    '--out',
    outFor(year),
    '--state-dir',
    join(folder, 'state'),
  ];
  const writePack = async (year: string) => {
    const out = outFor(year);
    const { code, stdout } = await runCommand(argsFor(year), environment);
    return { code, lines: stdout.trim().split('\n').length, hasUnmatched: readdirSync(out).includes('unmatched.csv') };
  };
  const { name } = findTaxYear(Date.now(), 'Europe/London');
  expect(await writePack(name)).toMatchObject({ code: 1, hasUnmatched: true });
  // Before the first row of the account; only the names of the files are printed.
  expect(await writePack('2015/16')).toEqual({ code: 0, lines: 1, hasUnmatched: false });
  expect((await runCommand(argsFor('2090/91'), environment)).stdout.split('\n')[1]).toMatch(/ has not begun: /);
});
