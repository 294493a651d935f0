/** The tax pack of an account beside an ISA, and of two taxable accounts. */
// @module-tag server
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import Big from 'big.js';
import { expect, test } from 'vitest';
import { ukGainsOf } from '../../../evals/expected/uk-gains.ts';
import { runTool } from '../../../src/core/mcp/run-tool.ts';
import { parseTaxYear } from '../../../src/core/text/dates.ts';
import type { PackSection } from '../../../src/features/tax-pack/pack-section.ts';
import { taxPackTool } from '../../../src/features/tax-pack/tax-pack-tool.ts';
import { runCommand } from '../../support/command.ts';
import { makeStateFolder } from '../../support/state-folder.ts';
import { names, setupTwoAccounts } from '../../support/two-accounts.ts';

test('The pack says which account it covers, and an ISA has none', async () => {
  const { apps } = await setupTwoAccounts();
  const options = { signal: new AbortController().signal, wantsAllRows: true };
  const pack = (name: 'invest' | 'isa') =>
    runTool([taxPackTool], 'tax_pack', { taxYear: '2024/25' }, apps[name].services, options);
  const [invest, isa] = [await pack('invest'), await pack('isa')];
  const remarks = invest.body.remarks as readonly string[];
  expect(remarks.filter((text) => text.startsWith('It covers the account invest alone.'))).toHaveLength(1);
  expect([isa.isError, isa.body.code]).toEqual([true, 'invalid_argument']);
});

test('The pack of two taxable accounts has the gains of one pool, the income of both, and the account of each sale', async () => {
  const { apps, clock, truth } = await setupTwoAccounts({
    ...{ simulator: { quirks: { historyRequests: 1000 } }, areTaxable: true },
  });
  const options = { signal: new AbortController().signal, wantsAllRows: true };
  const deps = { ...apps.invest.services, pooledWith: [apps.isa.services] };
  const ask = () => runTool([taxPackTool], 'tax_pack', { taxYear: '2024/25' }, deps, options);
  let { body } = await ask();
  for (let attempt = 0; body.complete !== true && attempt < 60; attempt++) {
    await clock.advance(120_000);
    body = (await ask()).body;
  }
  const year = parseTaxYear('2024/25') as { since: number; until: number };
  const section = (name: string) => (body.sections as PackSection[]).find((one) => one.name === name) as PackSection;
  const history = names.flatMap((name) => truth(name).history);
  const gains = Object.values(ukGainsOf({ ...truth('invest'), history }, { from: year.since, to: year.until }));
  const gain = gains.reduce((sum, one) => sum.plus(one), new Big(0));
  expect(section('capital-gains-summary').figures).toEqual([['Net gain GBP', gain.toFixed(2)]]);
  const { columns, rows } = section('disposals');
  const at = columns.indexOf('account');
  const sellers = new Set(rows.flatMap((row) => (row as string[])[at]?.split(' + ') ?? []));
  expect([...sellers].sort()).toEqual(['invest', 'isa']);
  const paid = names
    .flatMap((name) => truth(name).dividends)
    .filter((row) => row.at >= year.since && row.at < year.until);
  expect(section('dividends').rows).toHaveLength(paid.length);
  const checks = body.checks as readonly { readonly name: string; readonly holds: boolean }[];
  expect(checks.map(({ holds }) => holds)).toEqual([true, true, true, true]);
  const remarks = body.remarks as readonly string[];
  expect(remarks.filter((text) => text.startsWith('It covers the accounts invest, isa, whose shares'))).toHaveLength(1);
});

test.each([
  ['two taxable accounts', 'main:invest,other:invest,isa', [], 'It covers the accounts main, other, whose shares'],
  ['one of them', 'main:invest,other:invest', ['--account', 'other'], 'It covers the account other alone.'],
  ['the only one', 'isa,main:invest', [], 'It covers the account main alone.'],
])('The command covers %s', async (_, accounts, flags, covered) => {
  const folder = await makeStateFolder('brokerage-mcp-tax-pack-');
  const out = join(folder, 'pack');
  const env = { HOME: folder, BROKER_STATE_DIR: folder, BROKER_CONFIG_DIR: folder, BROKER_ACCOUNTS: accounts };
  const { stdout } = await runCommand(['tax-pack', '--year', '2024/25', '--out', out, ...flags], env);
  expect(stdout).toMatch(/^Wrote tax-pack\.html, /);
  expect(readFileSync(join(out, 'notes.csv'), 'utf8')).toContain(covered);
});
