/** A server and commands with two accounts in the sandbox, as they are started. */
// @module-tag server
import { expect, test } from 'vitest';
import { runCommand } from '../support/command.ts';
import { startServerHere } from '../support/server-here.ts';
import { makeStateFolder } from '../support/state-folder.ts';

async function setup() {
  const folder = await makeStateFolder('brokerage-mcp-several-');
  return { HOME: folder, BROKER_STATE_DIR: folder, BROKER_CONFIG_DIR: folder, BROKER_ACCOUNTS: 'invest,isa' };
}

test('A server of the sandbox has both accounts, and lists the argument that names one', async () => {
  const env = await setup();
  const { client } = await startServerHere(env);
  const { tools } = await client.listTools();
  const summary = tools.find(({ name }) => name === 'get_account_summary');
  expect(summary?.inputSchema.properties?.account).toMatchObject({ enum: ['invest', 'isa', 'all'] });
  expect(tools.find(({ name }) => name === 'cancel_order')?.inputSchema.required).toEqual(['account']);
  expect(tools.find(({ name }) => name === 'search_instruments')?.inputSchema.properties).not.toHaveProperty('account');
  expect(client.getInstructions()).toContain('invest, isa');
  const result = await client.callTool({ name: 'get_account_summary', arguments: {} });
  const { accounts, env: environment } = JSON.parse((result.content as { text: string }[])[0]?.text ?? '');
  expect([environment, accounts.invest.id, accounts.isa.id]).toEqual(['sandbox', '20300001', '21300001']);
});

test('The account invest of the sandbox is the one that was there before there were names', async () => {
  const { BROKER_ACCOUNTS: _, ...env } = await setup();
  const alone = await runCommand(['call', 'get_account_summary'], env);
  const named = await runCommand(['call', 'get_account_summary', '--account', 'invest'], {
    ...env,
    BROKER_ACCOUNTS: 'invest,isa',
  });
  expect(JSON.parse(named.stdout).id).toBe(JSON.parse(alone.stdout).id);
});

test('A command about one account needs its name, and those about the store do not', async () => {
  const env = await setup();
  const refused = await runCommand(['call', 'get_account_summary'], env);
  expect([refused.code, refused.stderr.includes('invest, isa')]).toEqual([2, true]);
  const isa = await runCommand(['call', 'get_account_summary', '--account', 'isa'], env);
  expect([isa.code, JSON.parse(isa.stdout).id]).toEqual([0, '21300001']);
  expect((await runCommand(['halt', 'because'], env)).code).toBe(0);
  const status = await runCommand(['status', '--json'], env);
  expect(JSON.parse(status.stdout).trading).toMatchObject({ state: 'off', rule: 'halted' });
});
