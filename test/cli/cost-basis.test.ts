/** Entering what shares cost that came without a purchase, and that the tool reads it. */
// @module-tag server
import { readFileSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createTaxRecords } from '../../src/app/tax-records.ts';
import { readConfig } from '../../src/core/settings/config.ts';
import { applyTaxRecords } from '../../src/features/gains/apply-records.ts';
import { action, buy, gainsOf } from '../features/gains/trades.ts';
import { runCommand, testTerminal } from '../support/command.ts';
import { makeStateFolder } from '../support/state-folder.ts';

async function folderWith(config?: string) {
  const folder = await makeStateFolder('brokerage-mcp-cost-');
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const file = join(folder, 'config.json');
  if (config !== undefined) await writeFile(file, config, { mode: 0o600 });
  const env = { BROKER_CONFIG_DIR: folder };
  return {
    folder,
    env,
    run: (...words: string[]) => runCommand(['cost-basis', ...words], env),
    read: () => JSON.parse(readFileSync(file, 'utf8')),
  };
}

const scope = { environment: 'live', readAccountId: async () => '77' } as const;
const set = ['set', '--fill', '123', '--acquired', '2021-03-01', '--cost', '45.00', '--currency', 'GBP'];

test('an entry is in config.json beside the settings, and the next call of a tool uses it', async () => {
  const { run, read, folder, env } = await folderWith('{ "environment": "sandbox", "maxOrderValue": 5 }');
  expect(await run(...set)).toMatchObject({ code: 0, stdout: 'fill 123, 45.00 GBP, acquired on 2021-03-01\n' });
  expect(read()).toEqual({
    environment: 'sandbox',
    maxOrderValue: 5,
    costBasis: [{ fillId: '123', acquiredOn: '2021-03-01', cost: '45.00', currency: 'GBP' }],
  });
  const { costs } = await createTaxRecords(folder, scope)();
  expect(costs.map(({ fillId, acquiredAt, cost }) => [fillId, acquiredAt, cost.toFixed(2)])).toEqual([
    ['123', Date.UTC(2021, 2, 1, 12), '45.00'],
  ]);
  // The list is no setting, and does not stop a start.
  expect(readConfig({}, testTerminal({ env })).limits.maxOrderValue).toBeDefined();
});

test('the command that the gains name completes them', async () => {
  const { run, folder } = await folderWith();
  const row = { type: 'CASH_AND_STOCK_ACQUISITION', valueCurrency: 'GBP' };
  const trades = [
    buy('2022-01-10', 10, 100),
    action('2024-06-10', row.type, 10, 120, { ...row, side: 'SELL', fillId: '5' }),
    action('2024-06-11', row.type, 4, 0, { ...row, ticker: 'B', fillId: '6' }),
  ];
  const computeGains = async () => {
    const records = await createTaxRecords(folder, scope)();
    const applied = applyTaxRecords(trades, [], records, 'uk_section_104');
    return gainsOf(applied.trades, { method: 'uk_section_104', ...applied.options });
  };
  // Of a cost of 100, the cash takes 60 and the new shares 40.
  for (const cost of ['60', '40']) {
    const [open] = (await computeGains()).unmatched;
    const command = open?.next?.replace('AMOUNT', cost).replace('YYYY-MM-DD', '2022-01-10');
    expect((await run(...(command?.split(' ').slice(2) ?? []))).code).toBe(0);
  }
  const gains = await computeGains();
  expect(gains.unmatched).toEqual([]);
  expect(gains.totals.gain.toFixed(2)).toBe('60.00');
});

test('an entry for one environment or account is in no other', async () => {
  const { run, read, folder } = await folderWith();
  await run(...set);
  await run(...set.with(2, '124'), '--env', 'demo');
  await run(...set.with(2, '125'), '--env', 'live', '--account', '77');
  await run(...set.with(2, '125').with(6, '50'), '--env', 'live', '--account', '78');
  expect(read().costBasis).toHaveLength(4);
  const list = async (environment: 'demo' | 'live', id: string | undefined) => {
    const { costs } = await createTaxRecords(folder, { environment, readAccountId: async () => id })();
    return costs.map(({ fillId, cost }) => [fillId, cost.toFixed()]).sort();
  };
  expect(await list('demo', '77')).toEqual([
    ['123', '45'],
    ['124', '45'],
  ]);
  expect(await list('live', '77')).toEqual([
    ['123', '45'],
    ['125', '45'],
  ]);
  expect(await list('live', undefined)).toEqual([['123', '45']]);
  // The narrower of two entries for a row counts.
  await run(...set.with(6, '46'), '--env', 'demo');
  expect(await list('demo', '77')).toEqual([
    ['123', '46'],
    ['124', '45'],
  ]);
  // Removing one leaves that of the other account.
  expect((await run('remove', '--fill', '125', '--env', 'live', '--account', '78')).code).toBe(0);
  expect(await list('live', '77')).toContainEqual(['125', '45']);
});

test('a second entry for a row replaces the first, and others stay', async () => {
  const { run, read } = await folderWith();
  await run(...set);
  await run(
    'set',
    '--ticker',
    'B',
    '--at',
    '2024-06-20T12:00:00Z',
    '--parent',
    'A',
    '--cost',
    '1',
    '--currency',
    'GBP',
  );
  await run(...set.with(6, '50'));
  expect(read().costBasis.map(({ cost }: { cost: string }) => cost)).toEqual(['1', '50']);
  expect((await run('list')).stdout).toBe(
    'B at 2024-06-20T12:00:00Z, 1 GBP, from the cost of A\nfill 123, 50 GBP, acquired on 2021-03-01\n',
  );
});

test('for a program the entries are JSON', async () => {
  const { run } = await folderWith('{}');
  const entry = { fillId: '123', acquiredOn: '2021-03-01', cost: '45.00', currency: 'GBP' };
  expect(JSON.parse((await run(...set, '--json')).stdout)).toEqual(entry);
  expect(JSON.parse((await run('--json')).stdout)).toEqual({ entries: [entry] });
  expect(JSON.parse((await run('remove', '--fill', '123', '--json')).stdout)).toEqual({ removed: { fillId: '123' } });
  expect(JSON.parse((await run('list', '--json')).stdout)).toEqual({ entries: [] });
});

test('the last entry that is removed takes its key along', async () => {
  const { run, read } = await folderWith('{ "environment": "sandbox" }');
  await run(...set);
  expect((await run('remove', '--fill', '124')).code).toBe(1);
  expect((await run('remove', '--fill', '123')).code).toBe(0);
  expect(read()).toEqual({ environment: 'sandbox' });
});

test.each([
  [['set', '--acquired', '2021-03-01', '--cost', '1', '--currency', 'GBP'], /needs the id of a fill, or a ticker/],
  [['set', '--ticker', 'A', '--at', '20 June', '--cost', '1'], /has a time that is not of the form/],
  [set.with(4, '2021-02-30'), /has a date that is not of the form 2021-03-01/],
  [set.with(6, '-1'), /needs a cost such as 45.00/],
  [set.with(6, `1${'0'.repeat(31)}`), /needs a cost such as 45.00/],
  [set.with(6, '9'.repeat(100_000)), /needs a cost such as 45.00/],
  [set.with(6, `1.${'1'.repeat(40)}`), /needs a cost such as 45.00/],
  [set.slice(0, 7), /needs a currency such as GBP/],
  [['set', '--fill', '1', '--cost', '1', '--currency', 'GBP'], /needs --acquired DATE, or --parent TICKER/],
  [['remove'], /needs the id of a fill/],
  [['lst'], /cost-basis lst is not a command; .*list/],
  [['list', 'all'], /takes flags only, but got "all"/],
])('%j is refused with one sentence and changes nothing', async (words, message) => {
  const { run, read } = await folderWith('{}');
  const { code, stderr } = await run(...words);
  expect([code, stderr]).toEqual([2, expect.stringMatching(message)]);
  expect(stderr.trim().split('\n')).toHaveLength(1);
  expect(read()).toEqual({});
});

test.each([
  ['config.json', '{ "costBasis": {} }', /"costBasis" in .* is not a list\.$/],
  [
    'config.json',
    '{ "costBasis": [{ "fillId": "1", "cost": "x", "currency": "GBP" }] }',
    /^Entry 1 of "costBasis" in /,
  ],
  ['config.json', '{ "costBasis": [{ "fill": "1" }] }', /has the unknown field "fill"\.$/],
  [
    'config.json',
    '{ "costBasis": [{ "fillId": "1 2", "cost": "1", "currency": "GBP" }] }',
    /has a fillId with characters other than/,
  ],
  ['eri.csv', `#${' '.repeat(1_000_000)}`, /eri\.csv is larger than 1 MB\.$/],
  ['eri.csv', 'isin,period_end,amount_per_share\n', /eri\.csv, line 1: the column currency is missing\.$/],
])('an invalid %s is one sentence of the tool, case %#', async (name, text, message) => {
  const { folder } = await folderWith();
  await writeFile(join(folder, name), text);
  await expect(createTaxRecords(folder, scope)()).rejects.toMatchObject({
    code: 'not_configured',
    message: expect.stringMatching(message),
  });
});
