/** The resources of a server with two accounts: those of all, and those of each. */
// @module-tag server
import { expect, onTestFinished, test } from 'vitest';
import { createApp } from '../../../../src/app/composition-root.ts';
import { systemClock } from '../../../../src/core/clock.ts';
import { readConfigs } from '../../../../src/core/settings/config.ts';
import { testTerminal } from '../../../support/command.ts';
import { startServerHere } from '../../../support/server-here.ts';
import { setup } from '../../../support/setup.ts';
import { names, serveTwoAccounts } from '../../../support/two-account-service.ts';
import { halt } from '../../watches/support.ts';

async function serve() {
  const { env, truth } = await serveTwoAccounts();
  const served = await startServerHere(env);
  const read = async (uri: string) => {
    const [content] = (await served.client.readResource({ uri })).contents as { text: string }[];
    return JSON.parse(content?.text ?? 'null');
  };
  return { ...served, env, truth, read };
}

test('Each account has its summary, positions and orders, and the plain URI is of all', async () => {
  const { client, read, truth, call } = await serve();
  const listed = (await client.listResources()).resources.map(({ uri }) => uri);
  for (const [scheme, rest] of [
    ['account', 'summary'],
    ['portfolio', 'positions'],
    ['orders', 'pending'],
  ])
    expect(listed.filter((uri) => uri.startsWith(`${scheme}://`))).toEqual([
      `${scheme}://${rest}`,
      ...names.map((name) => `${scheme}://${name}/${rest}`),
    ]);
  const all = await read('account://summary');
  expect(names.map((name) => all.accounts[name].id)).toEqual(names.map((name) => truth[name]().accountId));
  const order = { ticker: 'QNOON_GB_EQ', side: 'BUY', quantity: 1, limitPrice: 11, timeValidity: 'DAY' };
  const placed = await call('place_limit_order', { ...order, account: 'isa' });
  for (const name of names) {
    expect((await read(`account://${name}/summary`)).id).toBe(truth[name]().accountId);
    const { rows } = await read(`portfolio://${name}/positions`);
    expect(rows).toHaveLength(truth[name]().positions.length);
    const { rows: pending } = await read(`orders://${name}/pending`);
    expect(pending.map(([id]: string[]) => id)).toEqual(name === 'isa' ? [placed.orderId] : []);
  }
  const positions = await read('portfolio://positions');
  expect(positions.positions).toBe(names.reduce((sum, name) => sum + truth[name]().positions.length, 0));
});

test('A URI with another name, or another form, does not exist', async () => {
  const { client } = await serve();
  for (const uri of [
    'account://pension/summary',
    'account://isa',
    'account://isa/summary/now',
    'portfolio://isa/summary',
    'audit://isa/today',
    'history://pension/orders/2025',
  ])
    await expect(client.readResource({ uri }), uri).rejects.toThrow(/not found/i);
});

test('A year of history is of one account in all its pages, and the name is completed', async () => {
  const { client, read, truth, call } = await serve();
  await expect
    .poll(async () => (await call('fetch_history', { kind: 'orders', limit: 1, waitSeconds: 20 })).complete, {
      timeout: 60_000,
    })
    .toBe(true);
  const year = new Date().getUTCFullYear() - 1;
  for (const name of names) {
    const found: string[] = [];
    let uri: string | undefined = `history://${name}/orders/${year}`;
    while (uri !== undefined) {
      expect(uri.startsWith(`history://${name}/orders/${year}`)).toBe(true);
      const page = await read(uri);
      expect(page.account).toBe(name);
      const at = page.columns.indexOf('orderId');
      for (const row of page.rows) found.push(row[at]);
      uri = page.nextUri;
    }
    // An order without a fill has the time at which it was created.
    const ofYear = truth[name]().history.filter(
      ({ order, fill, at }) => new Date(fill ? at : order.createdAt).getUTCFullYear() === year,
    );
    expect(found.toSorted()).toEqual(ofYear.map(({ order }) => order.id).toSorted());
  }
  const argument = { name: 'account', value: 'is' };
  const ref = { type: 'ref/resource' as const, uri: 'history://{account}/{kind}/{year}' };
  expect((await client.complete({ ref, argument })).completion.values).toEqual(['isa']);
});

test('A draft is read by its id, whichever account has it', async () => {
  const { read, call, client } = await serve();
  const legs = [
    { type: 'LIMIT', ticker: 'QNOON_GB_EQ', side: 'BUY', quantity: 2, limitPrice: 11, timeValidity: 'DAY' },
  ];
  const { draftId } = await call('save_draft', { account: 'isa', legs });
  expect((await read(`draft://${draftId}`)).account).toBe('isa');
  await expect(client.readResource({ uri: `draft://${'f'.repeat(16)}` })).rejects.toThrow(/not found/i);
});

test('Events of all accounts are one list, each with its account, and a host is notified of each', async () => {
  const { client, env, read } = await serve();
  const updated: string[] = [];
  client.setNotificationHandler('notifications/resources/updated', ({ params }) => void updated.push(params.uri));
  const keepers = readConfigs({}, testTerminal({ env })).map((config) => createApp(config));
  onTestFinished(async () => void (await Promise.all(keepers.map((app) => app.close()))));
  const now = systemClock.now();
  const keep = async (index: number, foundAt: number) => {
    const { watching } = keepers[index] as (typeof keepers)[number];
    const { store } = watching.connect([], async () => ({ isError: true, text: '', body: {} })).delivery;
    const account = await watching.accountKey();
    // A halt has one key, whichever account notices it.
    await store.change((tx) => tx.insertEvent(account, { event: halt('halt:1', now), foundAt }));
  };
  const uri = 'events://recent';
  const list = async () => (await read(uri)).events.map((row: Record<string, string>) => [row.account, row.kind]);
  await client.subscribeResource({ uri });
  expect(await list()).toEqual([]);
  await keep(0, now);
  await expect.poll(() => updated.length, { timeout: 30_000 }).toBe(1);
  await keep(1, now + 1);
  await expect.poll(() => updated.length, { timeout: 30_000 }).toBe(2);
  expect(await list()).toEqual([
    ['isa', 'halt'],
    ['invest', 'halt'],
  ]);
});

test('With one account there is no name in a URI', async () => {
  const { client } = await setup();
  const { resources } = await client.listResources();
  const { resourceTemplates } = await client.listResourceTemplates();
  expect(resources.filter(({ uri }) => uri.startsWith('account:')).map(({ uri, title }) => [uri, title])).toEqual([
    ['account://summary', 'Account summary'],
  ]);
  expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).not.toContain('history://{account}/{kind}/{year}');
  await expect(client.readResource({ uri: 'account://isa/summary' })).rejects.toThrow(/not found/i);
});
