/** The owner's files through a client: a benchmark beside the returns, and what is inside a fund. */
// @module-tag server
// @module-tag slow
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Big from 'big.js';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readWhole } from '../../../support/fake-history.ts';
import { type Setup, setup } from '../../../support/setup.ts';

let made: Setup;
let folder: string;
beforeAll(async () => {
  made = await setup({ atEnd: afterAll });
  folder = made.composed.services.config.configDir;
  for (const kind of ['orders', 'dividends', 'transactions']) await readWhole(made, kind);
});

const rowsOf = ({ columns, rows }: { columns: string[]; rows: unknown[][] }) =>
  rows.map((row) => Object.fromEntries(columns.map((name, at) => [name, row[at]])) as Record<string, string>);

test('a benchmark that doubles has the same money worth what each deposit would have become', async () => {
  const { startedAt, transactions } = made.simulator.groundTruth();
  const days = Array.from({ length: 1_400 }, (_, n) => new Date(made.clock.now() - (1_399 - n) * 86_400_000));
  const toDay = (date: Date) => date.toISOString().slice(0, 10);
  // Constant, so that the same money is the sum of the deposits.
  writeFileSync(join(folder, 'benchmark.csv'), `date,value\n${days.map((day) => `${toDay(day)},50`).join('\n')}\n`);
  expect(startedAt).toBeGreaterThan(days[0]?.getTime() as number);
  const { body } = await made.call('calculate_returns');
  const moved = transactions
    .filter(({ type }) => type === 'DEPOSIT' || type === 'WITHDRAW')
    .reduce((sum, { amount }) => sum.plus(amount), new Big(0));
  expect(body.benchmark).toMatchObject({ periodPercent: '0.00', sameMoney: moved.toFixed(2) });
  expect(body.netDeposits).toBe(moved.toFixed(2));
  writeFileSync(join(folder, 'benchmark.csv'), 'date,value\n2026-01-05,1\n2026-01-02,1\n');
  const wrong = await made.call('calculate_returns');
  expect([wrong.isError, wrong.body.code]).toEqual([true, 'not_configured']);
  expect(wrong.body.message).toContain('line 3: date is 2026-01-02 and must be after 2026-01-05.');
  rmSync(join(folder, 'benchmark.csv'));
  expect((await made.call('calculate_returns')).body.benchmark).toBeUndefined();
});

test('by company, a fund with a list is split, and one without is named with the file that would say it', async () => {
  const { body: before } = await made.call('analyze_portfolio', { by: 'company' });
  const { body: held } = await made.call('list_positions', { responseFormat: 'detailed' });
  const ticker = (before.withoutList as string[])[0] as string;
  const position = held.items.find(
    ({ instrument }: { instrument: { ticker: string } }) => instrument.ticker === ticker,
  );
  const { isin } = position.instrument;
  expect(before.next).toContain('ISIN.csv');
  mkdirSync(join(folder, 'funds'), { recursive: true });
  writeFileSync(join(folder, 'funds', `${isin}.csv`), 'name,weight,country,sector\nAlpha Test,75,JP,Energy\n');
  const { body } = await made.call('analyze_portfolio', { by: 'company' });
  const rows = rowsOf(body);
  const value = new Big(position.walletImpact.currentValue);
  expect(rows.find(({ group }) => group === 'Alpha Test')).toMatchObject({ value: value.times('0.75').toFixed(2) });
  expect(rows.find(({ group }) => group === 'not listed')).toMatchObject({ value: value.times('0.25').toFixed(2) });
  expect(body.lists).toEqual([`${ticker}: 75.00 %`]);
  expect(body.withoutList).not.toContain(ticker);
  const sum = rows.reduce((total, row) => total.plus(row.value ?? 0), new Big(0));
  expect(sum.minus(body.holdingsValue).abs().lte('0.05')).toBe(true);

  const { body: countries } = await made.call('analyze_portfolio', { by: 'country' });
  expect(countries.countryOf).toBe('what the funds hold');
  expect(rowsOf(countries).find(({ group }) => group === 'JP')).toMatchObject({ name: 'Japan' });
  rmSync(join(folder, 'funds'), { recursive: true });
  expect((await made.call('analyze_portfolio', { by: 'country' })).body.countryOf).toBe('registration (ISIN)');
});
