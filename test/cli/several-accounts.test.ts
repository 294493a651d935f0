/** A server and commands with two accounts in the sandbox, as they are started. */
// @module-tag server
import { expect, test } from 'vitest';
import { runCommand } from '../support/command.ts';
import { startServerHere } from '../support/server-here.ts';
import { makeStateFolder } from '../support/state-folder.ts';
import { names, serveTwoAccounts } from '../support/two-account-service.ts';

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

const plan = JSON.stringify({
  ...{ goal: 'invest', amount: 50, orderType: 'LIMIT', targets: [{ ticker: 'QNOON_GB_EQ', weightPercent: 100 }] },
  assumedPrices: [{ ticker: 'QNOON_GB_EQ', price: 12 }],
});

/** Commands over both accounts of one service. */
async function commands() {
  const made = await serveTwoAccounts();
  const run = (...argv: string[]) => runCommand(argv, made.env);
  const json = async (...argv: string[]) => JSON.parse((await run(...argv)).stdout);
  return { ...made, run, json };
}

test('A call of a tool that reads is about all accounts, and one that places needs the name', async () => {
  const { run, json, truth } = await commands();
  const summary = await json('call', 'get_account_summary');
  expect(names.map((name) => summary.accounts[name].id)).toEqual(names.map((name) => truth[name]().accountId));
  const isa = await json('call', 'get_account_summary', '{"account":"isa"}');
  expect([isa.account, isa.id]).toEqual(['isa', truth.isa().accountId]);
  const order = { ticker: 'QNOON_GB_EQ', side: 'BUY', quantity: 1, limitPrice: 11, timeValidity: 'DAY' };
  const refused = await run('call', 'place_limit_order', JSON.stringify(order));
  expect([refused.code, JSON.parse(refused.stdout).code]).toEqual([1, 'account_required']);
  expect(JSON.parse(refused.stdout).accounts).toEqual([...names]);
  const placed = await json('call', 'place_limit_order', JSON.stringify({ ...order, account: 'isa' }));
  expect(placed.outcome).toBe('placed');
  expect(names.map((name) => truth[name]().pendingOrders.map(({ id }) => id))).toEqual([[], [placed.orderId]]);
});

test('Drafts of all accounts are listed with their account, and each is found by its id', async () => {
  const { run, json } = await commands();
  const legs = [
    { type: 'LIMIT', ticker: 'QNOON_GB_EQ', side: 'BUY', quantity: 2, limitPrice: 11, timeValidity: 'DAY' },
  ];
  const ids: Record<string, string> = {};
  for (const account of names)
    ids[account] = (await json('call', 'save_draft', JSON.stringify({ account, legs }))).draftId;
  const accountsById = Object.fromEntries(names.map((name) => [ids[name], name]));
  const { drafts } = await json('drafts', '--json');
  const found = Object.fromEntries(drafts.map((one: Record<string, string>) => [one.draftId, one.account]));
  expect(found).toEqual(accountsById);
  const table = (await run('drafts')).stdout.trim().split('\n').slice(-2);
  expect(Object.fromEntries(table.map((line) => [line.split(' ')[0], line.trim().split(/ +/).at(-1)]))).toEqual(
    accountsById,
  );
  const isa = ids.isa as string;
  expect((await json('drafts', 'show', isa, '--json')).account).toBe('isa');
  expect((await run('drafts', 'show', isa, '--account', 'invest')).code).toBe(1);
  expect((await run('drafts', 'discard', isa)).code).toBe(0);
  expect((await json('drafts', '--json')).drafts.map(({ account }: { account: string }) => account)).toEqual([
    'invest',
  ]);
  const unknown = await run('drafts', 'show', 'f'.repeat(16));
  expect([unknown.code, unknown.stderr.includes('No account has a draft with this id')]).toEqual([1, true]);
});

test('A draft is sent in the account that has it', async () => {
  const { run, json, truth } = await commands();
  const legs = [
    { type: 'LIMIT', ticker: 'QNOON_GB_EQ', side: 'BUY', quantity: 2, limitPrice: 11, timeValidity: 'DAY' },
  ];
  const { draftId } = await json('call', 'save_draft', JSON.stringify({ account: 'isa', legs }));
  expect((await run('drafts', 'submit', draftId, '--version', '1')).code).toBe(0);
  expect(names.map((name) => truth[name]().pendingOrders.length)).toEqual([0, 1]);
});

test('Plans of all accounts are listed with their account, run in it, and end by their id', async () => {
  const { run, json, truth } = await commands();
  const today = new Date().getUTCDate();
  const add = (account: string, name: string) =>
    json(
      ...['plans', 'add', name, plan, '--every', 'month', '--day', String(today)],
      ...['--account', account, '--json'],
    );
  const refused = await run('plans', 'add', 'x', '{}', '--every', 'month', '--day', '1');
  expect([refused.code, refused.stderr.includes('invest, isa')]).toEqual([2, true]);
  const { plans: invest } = await add('invest', 'savings');
  const { plans: isa } = await add('isa', 'savings');
  const listed = (await json('plans', '--json')).plans;
  expect(listed.map(({ planId, account }: Record<string, string>) => [planId, account])).toEqual([
    [invest[0].planId, 'invest'],
    [isa[0].planId, 'isa'],
  ]);
  expect(listed.every(({ next }: { next: object | null }) => next !== null)).toBe(true);
  const due = (await json('plans', 'due', '--json')).plans;
  expect(
    due.map(({ account, last }: { account: string; last: { draftId?: string } }) => [account, typeof last.draftId]),
  ).toEqual([
    ['invest', 'string'],
    ['isa', 'string'],
  ]);
  const { drafts } = await json('drafts', '--json');
  for (const { account, last } of due)
    expect(drafts.find((draft: { draftId: string }) => draft.draftId === last.draftId)?.account).toBe(account);
  const both = await run('plans', 'remove', 'savings');
  expect([both.code, both.stderr.includes('invest and isa')]).toEqual([2, true]);
  expect((await run('plans', 'remove', isa[0].planId)).code).toBe(0);
  expect((await json('plans', '--json')).plans.map(({ account }: { account: string }) => account)).toEqual(['invest']);
  expect((await run('plans', 'remove', 'savings')).code).toBe(0);
  expect((await run('plans', 'remove', 'savings')).code).toBe(2);
  expect(names.flatMap((name) => truth[name]().pendingOrders)).toEqual([]);
});

test('One account that cannot be read does not stop the plans of the others', async () => {
  const { json, env } = await commands();
  const words = [plan, '--every', 'month', '--day', String(new Date().getUTCDate())];
  for (const account of names) await json('plans', 'add', 'savings', ...words, '--account', account, '--json');
  // The store knows the account by its key alone.
  const broken = { ...env, BROKER_API_SECRET_INVEST: 'wrong' };
  const list = async () => {
    const { plans } = JSON.parse((await runCommand(['plans', '--json'], broken)).stdout);
    return plans.map(({ account, next }: { account: string; next: unknown }) => [account, next !== null]);
  };
  // A summary that was read with the right key is shared for the time of its limit.
  await expect.poll(list, { timeout: 10_000 }).toEqual([
    ['invest', false],
    ['isa', true],
  ]);
  const due = await runCommand(['plans', 'due'], broken);
  expect([due.code, due.stderr.startsWith('brokerage-mcp: invest: ')]).toEqual([1, true]);
  const { drafts } = await json('drafts', '--json');
  expect(drafts.map(({ account }: { account: string }) => account)).toEqual(['isa']);
});

test.each([
  ['report', 'portfolio.html'],
  ['import', undefined],
])('%s is about one account: it needs the name and says which there are', async (command, word) => {
  const { run, env } = await commands();
  const refused = await run(command, ...(word === undefined ? [] : [`${env.HOME}/${word}`]));
  expect([refused.code, refused.stderr]).toEqual([
    2,
    'brokerage-mcp: several accounts are configured, and this needs one of them; add --account with one of: invest, isa.\n',
  ]);
});

test('Commands about the store need no name', async () => {
  const env = await setup();
  expect((await runCommand(['halt', 'because'], env)).code).toBe(0);
  const status = await runCommand(['status', '--json'], env);
  expect(JSON.parse(status.stdout).trading).toMatchObject({ state: 'off', rule: 'halted' });
});
