/** The tax pack of an account beside an ISA. */
// @module-tag server
import { expect, test } from 'vitest';
import { runTool } from '../../../src/core/mcp/run-tool.ts';
import { taxPackTool } from '../../../src/features/tax-pack/tax-pack-tool.ts';
import { setupTwoAccounts } from '../../support/two-accounts.ts';

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
