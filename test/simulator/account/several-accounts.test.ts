/** One simulated service with two accounts, each behind its key. */
// @module-tag server
import { expect, test } from 'vitest';
import { credentials, setup } from '../support.ts';

const isa = { key: 'isa-key', secret: 'isa-secret' };
const both = { others: [{ name: 'isa', credentials: isa }] };
const asIsa = { authorization: `Basic ${Buffer.from('isa-key:isa-secret').toString('base64')}` };

test('Each key reads its own account, and both accounts have one market', async () => {
  const { simulator, get, call } = await setup(both);
  const [main, other] = [
    await get('/equity/account/summary'),
    await call('GET', '/equity/account/summary', undefined, asIsa),
  ];
  const isaTruth = simulator.others.isa?.groundTruth();
  expect(String(main.json.id)).toBe(simulator.groundTruth().accountId);
  expect(String(other.json.id)).toBe(isaTruth?.accountId);
  expect(main.json.id).not.toBe(other.json.id);
  expect(String(other.json.cash.availableToTrade)).toBe(isaTruth?.cash.available);
  const prices = async (headers?: Record<string, string>) => {
    const { json } = await call('GET', '/equity/positions', undefined, headers);
    return new Map(
      json.map((row: { instrument: { ticker: string }; currentPrice: number }) => [
        row.instrument.ticker,
        row.currentPrice,
      ]),
    );
  };
  const [ours, theirs] = [await prices(), await prices(asIsa)];
  const common = [...ours.keys()].filter((ticker) => theirs.has(ticker));
  expect(common.length).toBeGreaterThan(5);
  expect(common.map((ticker) => theirs.get(ticker))).toEqual(common.map((ticker) => ours.get(ticker)));
});

test('A simulator with a second account has the first one exactly as without it', async () => {
  const [alone, beside] = [await setup(), await setup(both)];
  expect(beside.simulator.groundTruth()).toEqual(alone.simulator.groundTruth());
  expect(alone.simulator.others).toEqual({});
});

test('An order of one key changes the account of that key only, and no two orders have one id', async () => {
  const { simulator, call } = await setup(both);
  const before = simulator.groundTruth();
  const order = { ticker: 'QNOON_GB_EQ', quantity: 2, limitPrice: 10, timeValidity: 'GOOD_TILL_CANCEL' };
  const placed = await call('POST', '/equity/orders/limit', order, asIsa);
  expect(placed.status).toBe(200);
  expect(simulator.groundTruth()).toEqual(before);
  const truth = simulator.others.isa?.groundTruth();
  expect(truth?.pendingOrders.map(({ id }) => id)).toEqual([String(placed.json.id)]);
  const ids = [before, truth].flatMap((account) => account?.history.map((row) => row.order.id) ?? []);
  expect(new Set(ids).size).toBe(
    new Set(before.history.map((row) => row.order.id)).size + new Set(truth?.history.map((row) => row.order.id)).size,
  );
  expect(simulator.log.at(-1)?.account).toBe('isa');
});

test('The rate limits of the accounts are apart', async () => {
  const { call, get } = await setup({ ...both, limitScale: 1 });
  const used = async (headers?: Record<string, string>) =>
    (await call('GET', '/equity/account/summary', undefined, headers)).headers['x-ratelimit-used'];
  expect(await used()).toBe('1');
  expect(await used(asIsa)).toBe('1');
  expect((await get('/equity/account/summary')).status).toBe(429);
});

test('A key of no account is refused, and so is the key of one account with the secret of the other', async () => {
  const { call } = await setup(both);
  for (const pair of ['nobody:nothing', `${credentials.key}:${isa.secret}`, `${isa.key}:${credentials.secret}`]) {
    const authorization = `Basic ${Buffer.from(pair).toString('base64')}`;
    expect((await call('GET', '/equity/account/summary', undefined, { authorization })).status).toBe(401);
  }
});
