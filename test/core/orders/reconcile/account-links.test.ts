/** Which account an order is for: one account under two names, and two accounts under one id. */
// @module-tag server
import { expect, onTestFinished, test } from 'vitest';
import { startSimulator } from '../../../../src/simulator/index.ts';
import { fewDays, order, type Setup, setup } from '../../../support/setup.ts';

const otherKey = { key: 'other-key', secret: 'other-secret' };
const day = 86_400_000;

/** Another service: another key, and the same account id unless it has a seed of its own. */
async function otherService({ clock }: Setup, options: { credentials?: typeof otherKey; seed?: number } = {}) {
  const size = { instrumentCount: 100, publishedDays: fewDays };
  const simulator = await startSimulator({ clock, credentials: otherKey, ...size, ...options });
  onTestFinished(() => simulator.close());
  return simulator;
}

test('an account id known at another address with another key takes no order while those of the other count', async () => {
  const first = await setup();
  const other = await otherService(first);
  const second = await setup({ beside: first, config: { baseUrl: other.origin, credentials: otherKey } });
  expect((await first.call('place_limit_order', order)).body).toMatchObject({ outcome: 'placed' });
  const refused = await second.call('place_limit_order', { ...order, quantity: 3 });
  expect(refused.body).toMatchObject({ outcome: 'refused', rule: 'account_unclear' });
  const { checks } = (await second.call('preview_order', { type: 'LIMIT', ...order })).body;
  expect(checks).toContainEqual(expect.objectContaining({ ok: false, rule: 'account_unclear' }));
  await first.clock.advance(day + 60_000);
  expect((await second.call('place_limit_order', order)).body).toMatchObject({ outcome: 'placed' });
  expect(other.log.filter(({ endpoint }) => endpoint === 'placeLimitOrder').length).toBe(1);
});

test('two such accounts at once place one order between them', async () => {
  const first = await setup();
  const other = await otherService(first);
  const second = await setup({ beside: first, config: { baseUrl: other.origin, credentials: otherKey } });
  const answers = await Promise.all([first, second].map(({ call }) => call('place_limit_order', order)));
  expect(answers.map(({ body }) => body.outcome).sort()).toEqual(['placed', 'refused']);
});

test('two such accounts keep separate histories', async () => {
  const first = await setup();
  const other = await otherService(first);
  const second = await setup({ beside: first, config: { baseUrl: other.origin, credentials: otherKey } });
  await first.call('fetch_history', { kind: 'transactions', limit: 1 });
  const asked = other.log.length;
  await second.call('get_account_summary');
  await second.call('fetch_history', { kind: 'transactions', limit: 1 });
  expect(other.log.slice(asked).map(({ endpoint }) => endpoint)).toContain('listTransactions');
});

const live = { environment: 'live', liveTrading: true } as const;
const demo = (more: object = {}) => ({ config: { environment: 'demo', ...more } as const });

test.each([
  ['its key at another address', (key: object) => ({ credentials: key }), false],
  ['its account id with another key at another address', () => ({ credentials: otherKey }), true],
])('an account that was used as live accepts no demo order and no demo pie: %s', async (_, change, isOther) => {
  const first = await setup({ config: live });
  await first.call('get_account_summary');
  await first.clock.advance(60_000);
  const key = { key: 'test-key', secret: 'test-secret' };
  const simulator = isOther ? await otherService(first) : first.simulator;
  const baseUrl = simulator.origin.replace('127.0.0.1', 'localhost');
  const second = await setup({ beside: first, ...demo({ baseUrl, ...change(key) }) });
  expect((await second.call('place_limit_order', order)).body).toMatchObject({
    outcome: 'refused',
    rule: 'live_service',
  });
  const pie = await second.call('delete_pie', { pieId: '1' });
  expect(pie.body).toMatchObject({ outcome: 'refused', rule: 'live_service' });
});

test('a key from a program is recognised as live when it is used for demo', { tags: ['slow'] }, async () => {
  const print = (text: string) => ({
    command: [process.execPath, '-e', `console.log('${text}')`] as [string, ...string[]],
    from: 'BROKER_API_KEY_COMMAND',
  });
  const credentials = { key: print('test-key'), secret: print('test-secret') };
  const first = await setup({ config: { ...live, credentials } });
  await first.call('list_positions');
  await first.clock.advance(60_000);
  const other = await otherService(first, { credentials: { key: 'test-key', secret: 'test-secret' }, seed: 2 });
  const second = await setup({ beside: first, ...demo({ baseUrl: other.origin, credentials }) });
  expect((await second.call('place_limit_order', order)).body).toMatchObject({ rule: 'live_service' });
});

test.each(['by itself', 'with its secret'])(
  'a key is one account with its secret and without, first %s',
  async (first) => {
    const [alone, pair] = [{ key: 'test-key' }, { key: 'test-key', secret: 'test-secret' }];
    const one = await setup({ config: { ...live, credentials: first === 'by itself' ? alone : pair } });
    await one.call('get_account_summary');
    await one.clock.advance(60_000);
    const two = await setup({ beside: one, ...demo({ credentials: first === 'by itself' ? pair : alone }) });
    expect((await two.call('place_limit_order', order)).body).toMatchObject({ rule: 'live_service' });
  },
);

test('an order with a key alone is placed once, also when the same key asks with its secret', async () => {
  const one = await setup({ config: { credentials: { key: 'test-key' } } });
  expect((await one.call('place_limit_order', order)).body).toMatchObject({ outcome: 'placed' });
  const two = await setup({ beside: one });
  expect((await two.call('place_limit_order', order)).body).toMatchObject({ outcome: 'placed', coalesced: true });
  expect(one.requests().filter((endpoint) => endpoint === 'placeLimitOrder')).toHaveLength(1);
});

test('a refused read in live does not mark the key as live', async () => {
  const first = await setup({ config: { ...live, credentials: otherKey } });
  await first.call('get_account_summary');
  const second = await setup({ beside: first, ...demo() });
  expect((await second.call('place_limit_order', order)).body).toMatchObject({ outcome: 'placed' });
});
