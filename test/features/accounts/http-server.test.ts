/** The command that serves over HTTP, with two accounts: clients reach both, on each kind of store and by each way in. */
// @module-tag process
import { expect, onTestFinished, test, vi } from 'vitest';
import { exchangeCode, grantLogin } from '../../../src/features/oauth/grants.ts';
import { createClient } from '../../../src/features/oauth/web-client.ts';
import { createPkce } from '../../security/oauth-support.ts';
import { runCommand } from '../../support/command.ts';
import { type Connect, type ConnectOptions, clients, token } from '../../support/http.ts';
import { createDatabase } from '../../support/postgres.ts';
import { openStateStore } from '../../support/state-store.ts';
import { names, serveTwoAccounts } from '../../support/two-account-service.ts';

const order = { ticker: 'QNOON_GB_EQ', side: 'BUY', quantity: 2, limitPrice: 11, timeValidity: 'DAY' };

/** The command in this process, on real HTTP, until the end of the test. */
async function serve(more: Readonly<Record<string, string>> = {}) {
  const made = await serveTwoAccounts();
  const env: Record<string, string> = { ...made.env, BROKER_HTTP_TOKEN: token, ...more };
  const ending = new AbortController();
  let said = '';
  const ended = runCommand(['--http', '127.0.0.1:0'], env, {
    shutdownSignal: ending.signal,
    warn: (line) => {
      said += `${line}\n`;
    },
  });
  onTestFinished(async () => {
    ending.abort();
    await ended;
  });
  await vi.waitFor(() => expect(said).toMatch(/serving MCP.*\/mcp\n/), { timeout: 30_000 });
  const url = new URL(/http:\S+/.exec(said)?.[0] ?? '');
  const clientOf = async (connect: Connect, options: ConnectOptions = {}) => {
    const client = await connect(url, options);
    const call = async (name: string, args: Record<string, unknown> = {}) => {
      const { isError, structuredContent, content } = await client.callTool({ name, arguments: args });
      // biome-ignore lint/suspicious/noExplicitAny: results of every shape.
      return { isError: isError === true, body: structuredContent as any, text: JSON.stringify(content) };
    };
    return { client, call };
  };
  return { ...made, env, clientOf };
}

const [[, newer], , [, older]] = clients as unknown as [(typeof clients)[0], unknown, (typeof clients)[0]];
type Served = Awaited<ReturnType<typeof serve>>;
const pending = ({ truth }: Served) => names.map((name) => truth[name]().pendingOrders.map(({ id }) => id));

/** A read over both, and an order in one, which the other client finds with its account. */
async function readAndPlace(served: Served, [one, other]: readonly Connect[]) {
  const first = await served.clientOf(one as Connect);
  const { body: summary } = await first.call('get_account_summary');
  expect([summary.account, summary.complete]).toEqual(['all', true]);
  expect(names.map((name) => summary.accounts[name].id)).toEqual(names.map((name) => served.truth[name]().accountId));
  const unnamed = await first.call('place_limit_order', order);
  expect([unnamed.isError, unnamed.text.includes('account_required')]).toEqual([true, true]);
  const { body: placed } = await first.call('place_limit_order', { ...order, account: 'isa' });
  expect([placed.outcome, placed.account]).toEqual(['placed', 'isa']);
  expect(pending(served)).toEqual([[], [placed.orderId]]);
  const second = await served.clientOf(other as Connect);
  const { body: found } = await second.call('get_order', { intentId: placed.intentId });
  expect([found.account, found.orderId]).toEqual(['isa', placed.orderId]);
}

test('Clients over HTTP read both accounts and place in the one that they name', async () => {
  await readAndPlace(await serve(), [newer, older]);
});

test('The same holds with the store in PostgreSQL, and another server on it knows the order', async () => {
  const served = await serve({ BROKER_STATE_URL: await createDatabase() });
  await readAndPlace(served, [older, newer]);
  const again = await runCommand(['call', 'place_limit_order', JSON.stringify({ ...order, account: 'isa' })], {
    ...served.env,
    BROKER_STATE_DIR: `${served.env.HOME}/other`,
  });
  expect(JSON.parse(again.stdout)).toMatchObject({ account: 'isa', coalesced: true });
  expect(pending(served).map((orders) => orders.length)).toEqual([0, 1]);
  const invest = await runCommand(['call', 'place_limit_order', JSON.stringify({ ...order, account: 'invest' })], {
    ...served.env,
    BROKER_STATE_DIR: `${served.env.HOME}/other`,
  });
  expect(JSON.parse(invest.stdout)).toMatchObject({ account: 'invest', outcome: 'placed' });
  expect(pending(served).map((orders) => orders.length)).toEqual([1, 1]);
});

test('A client of the web reaches both accounts as its scope allows', async () => {
  const served = await serve({ BROKER_HTTP_PUBLIC_URL: 'https://broker.example' });
  const grant = async (scope: 'read' | 'trade') => {
    const store = openStateStore(served.env.BROKER_STATE_DIR ?? '');
    const { row } = createClient('added', 'Chat', ['https://chat.example/'], Date.now(), false);
    const { verifier, challenge } = createPkce();
    const login = { client: row, redirect: 'https://chat.example/', challenge, scope };
    const audience = { resource: 'https://broker.example/mcp', environment: 'demo' } as const;
    const tokens = await store.journal.change(async (tx) => {
      await tx.insertClient(row);
      const code = await grantLogin(tx, login, audience, Date.now());
      const proof = { clientId: row.id, token: code, resource: undefined, redirect: login.redirect, verifier };
      return exchangeCode(tx, proof, audience, Date.now());
    });
    await store.close();
    if (typeof tokens === 'string') throw new Error(tokens);
    return served.clientOf(newer, { token: tokens.access });
  };
  const reader = await grant('read');
  const { tools } = await reader.client.listTools();
  expect(tools.some(({ name }) => name === 'place_limit_order')).toBe(false);
  const { body } = await reader.call('list_positions', { limit: 1 });
  expect(body.positions).toBe(names.reduce((sum, name) => sum + served.truth[name]().positions.length, 0));
  const trader = await grant('trade');
  const { body: placed } = await trader.call('place_limit_order', { ...order, account: 'invest' });
  expect([placed.outcome, placed.account]).toEqual(['placed', 'invest']);
  expect(pending(served)).toEqual([[placed.orderId], []]);
});
