/** What the server reports about itself, and the audit trail as a resource. */
// @module-tag server
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { order, type Setup, setup } from '../../support/setup.ts';

/** Every page of the trail as one, newest event first. */
async function auditToday({ client }: Setup) {
  const entries = [];
  for (let uri = 'audit://today'; ; ) {
    const { contents } = await client.readResource({ uri });
    const [content] = contents as { mimeType: string; text: string }[];
    expect(content?.mimeType).toBe('application/json');
    expect(content?.text.length).toBeLessThanOrEqual(6_800);
    expect(JSON.stringify({ server: 'brokerage-mcp', uri, contents }).length).toBeLessThanOrEqual(8_000);
    const page = JSON.parse(content?.text ?? '');
    entries.push(...page.entries);
    if (page.nextUri === undefined) return { ...page, entries };
    uri = page.nextUri;
  }
}

test('the status shows the rules in force, open intents, waiting approvals and the age of the caches', async () => {
  const made = await setup({ config: { approval: 'elicitation', limits: { maxOrderValue: '500', ordersPerDay: 7 } } });
  const { call } = made;
  await call('get_account_summary');
  await made.clock.advance(3_000);
  const { body: placed } = await call('place_limit_order', order);
  expect(placed).toMatchObject({ outcome: 'pending_approval', approval: { method: 'elicitation' } });

  const { body } = await call('get_server_status');
  expect(body).toMatchObject({
    env: 'demo',
    trading: { state: 'on', approval: 'elicitation' },
    store: { state: 'ok' },
    openIntents: 1,
    approvalsWaiting: 1,
    riskLimits: { maxOrderValue: '500', ordersPerDay: 7, maxDayValue: '100000' },
  });
  expect(body.intents).toEqual([
    expect.objectContaining({
      intentId: placed.intentId,
      outcome: 'pending_approval',
      order: 'BUY 2 QNOON_GB_EQ LIMIT',
    }),
  ]);
  const column = body.limitColumns.indexOf('cachedSecondsAgo');
  const age = (endpoint: string) => body.limits.find(([name]: [string]) => name === endpoint)[column];
  expect(age('GET /equity/account/summary')).toBeGreaterThan(0);
  expect(age('GET /equity/pies')).toBeNull();
});

test.each([
  ['read-only', { readOnly: true }, 'read_only'],
  ['live without the second switch', { environment: 'live' as const }, 'live_not_enabled'],
  ['live without a passphrase', { environment: 'live' as const, liveTrading: true }, 'approval_missing'],
  ['a demo account with a page and no passphrase', { approval: 'page' as const }, 'approval_missing'],
])('the status of %s says why no order can be placed', async (_, config, rule) => {
  const { call, requests } = await setup({ config });
  expect((await call('get_server_status')).body.trading).toMatchObject({ state: 'off', rule });
  expect(requests()).toEqual([]);
});

test('a file named halt in the state folder halts trading, and removing it by hand resumes nothing', async () => {
  const { call, stateDir, requests } = await setup();
  await call('get_server_status');
  writeFileSync(join(stateDir, 'halt'), '');
  expect((await call('get_server_status')).body.trading).toMatchObject({ state: 'off', rule: 'halted' });
  expect((await call('place_limit_order', order)).body).toMatchObject({ outcome: 'refused', rule: 'halted' });
  expect(requests().filter((id) => id.startsWith('place'))).toEqual([]);
  rmSync(join(stateDir, 'halt'));
  expect((await call('place_limit_order', order)).body).toMatchObject({ outcome: 'refused', rule: 'halted' });
});

test('a store that cannot be written refuses orders, and reads continue', async () => {
  const made = await setup();
  const { call, stateDir, requests } = made;
  // As with a lost disk: a file takes the place of the folder.
  rmSync(stateDir, { recursive: true });
  writeFileSync(stateDir, '');
  expect(existsSync(join(stateDir, 'store.sqlite'))).toBe(false);
  expect((await call('get_account_summary')).body).toMatchObject({ env: 'demo', currency: 'GBP' });
  expect((await call('list_positions')).body.positions).toBeGreaterThan(5);
  expect((await call('place_limit_order', order)).body).toMatchObject({
    outcome: 'refused',
    rule: 'store_unavailable',
    message: 'This server refused the order; nothing was sent.',
  });
  const { body } = await call('get_server_status');
  expect(body).toMatchObject({ store: { state: 'unavailable' }, trading: { state: 'off', rule: 'store_unavailable' } });
  expect(requests().filter((id) => id.startsWith('place'))).toEqual([]);
  expect(made.simulator.log.filter(({ refused }) => refused)).toEqual([]);
});

test('the audit trail of today is a resource, and its chain is intact', async () => {
  const made = await setup();
  const { body: placed } = await made.call('place_limit_order', order);
  const { body: refused } = await made.call('place_limit_order', { ...order, limitPrice: 900 });
  await made.call('cancel_order', { orderId: placed.orderId });
  await made.call('create_pie', { name: 'One', instrumentShares: { QNOON_GB_EQ: 1 } });
  const { resources } = await made.client.listResources();
  expect(resources.map(({ uri }) => uri)).toContain('audit://today');

  const audit = await auditToday(made);
  expect(audit.complete).toBe(true);
  expect(audit.chain).toMatchObject({ holds: true, rows: audit.entries.length });
  const steps = (intentId: string) =>
    audit.entries
      .filter((entry: { intentId: string }) => entry.intentId === intentId)
      .map((entry: { state: string }) => entry.state);
  expect(steps(placed.intentId)).toEqual(['PLACED', 'SENDING', 'APPROVED', 'DRAFT']);
  expect(steps(refused.intentId)).toEqual(['REFUSED']);
  expect(audit.entries.filter(({ event }: { event: string }) => event === 'write').length).toBe(1);
  const cancels = audit.entries.filter(({ event }: { event: string }) => event.startsWith('cancel'));
  expect(cancels).toEqual([expect.objectContaining({ event: 'cancel', orderId: placed.orderId, state: 'requested' })]);
  expect(audit.entries.find(({ rule }: { rule?: string }) => rule)).toMatchObject({ rule: 'price_distance' });
});

test('a host that reads only the first page of the audit trail has the newest events', { tags: ['slow'] }, async () => {
  const made = await setup();
  for (let quantity = 3; quantity <= 15; quantity++) await made.call('place_limit_order', { ...order, quantity });
  const { body: newest } = await made.call('place_limit_order', order);
  const [content] = (await made.client.readResource({ uri: 'audit://today' })).contents as { text: string }[];
  const page = JSON.parse(content?.text ?? '');
  expect(page.entries[0]).toMatchObject({ intentId: newest.intentId, state: 'PLACED' });
  const last = page.entries.at(-1).seq;
  expect(page.nextUri).toBe(`audit://today?before=${last}`);
  expect(page.note).toBe(
    `This page has ${page.entries.length} events, newest first. Read nextUri for the next page; stop when a page has no nextUri.`,
  );
  const { entries } = await auditToday(made);
  const seqs = entries.map(({ seq }: { seq: number }) => seq);
  expect(seqs).toEqual(Array.from({ length: seqs[0] }, (_, index) => seqs[0] - index));
});

test('the instructions say what no tool gives before anything else, and the status has it in full, without what a file gives', async () => {
  const { call, client, composed } = await setup();
  const codes = async () => (await call('get_server_status')).body.cannot.map(({ code }: { code: string }) => code);
  const before = await codes();
  expect(before.slice(0, 5)).toEqual(['quotes', 'benchmarks', 'news', 'alerts', 'withdrawable_cash']);
  expect(client.getInstructions()?.split('\n')[1]).toBe(
    'Cannot get: prices of what is not held, an index to compare with (needs a file), news, what can be withdrawn.',
  );
  const { configDir } = composed.services.config;
  mkdirSync(join(configDir, 'funds'), { recursive: true });
  writeFileSync(join(configDir, 'benchmark.csv'), 'date,value\n2026-01-02,1\n');
  const left = before.filter((code: string) => code !== 'benchmarks');
  expect(await codes()).toEqual(left);
  writeFileSync(join(configDir, 'funds', 'IE0000000001.csv'), 'name,weight\nAlpha,100\n');
  expect(await codes()).toEqual(left.filter((code: string) => code !== 'sectors' && code !== 'fund_holdings'));
});
