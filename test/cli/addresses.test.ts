/** One service under several addresses: servers on one store, one account. */
// @module-tag process
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { type AddressInfo, connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../src/core/clock.ts';
import { type Simulator, startSimulator } from '../../src/simulator/index.ts';
import { startServerHere } from '../support/server-here.ts';
import { startServer } from '../support/stdio-server.ts';

const credentials = { key: 'addresses-key', secret: 'addresses-secret' };
const order = { ticker: 'QNOON_GB_EQ', side: 'BUY', quantity: 2, limitPrice: 10, timeValidity: 'GOOD_TILL_CANCEL' };

async function service(start: Start = startServerHere) {
  const simulator = await startSimulator({ clock: systemClock, credentials, instrumentCount: 100, limitScale: 0.05 });
  onTestFinished(() => simulator.close());
  simulator.inject.setPrice(order.ticker, 11);
  const folder = await mkdtemp(join(tmpdir(), 'brokerage-mcp-addresses-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const at = (address: string, env: Record<string, string> = {}) =>
    start({
      HOME: folder,
      BROKER_STATE_DIR: folder,
      BROKER_ENV: 'demo',
      [env.BROKER_ENV === 'live' ? 'BROKER_LIVE_BASE_URL' : 'BROKER_DEMO_BASE_URL']: address,
      BROKER_API_KEY: credentials.key,
      BROKER_API_SECRET: credentials.secret,
      ...env,
    });
  return { simulator, at };
}

/** Another name of the same service that its spelling does not show, such as a second DNS name. */
async function anotherName(simulator: Simulator): Promise<string> {
  const { port } = new URL(simulator.origin);
  const front = createServer((socket) => {
    const behind = connect(Number(port), '127.0.0.1');
    socket.pipe(behind).pipe(socket);
    for (const end of [socket, behind]) end.on('error', () => socket.destroy()).on('close', () => behind.destroy());
  }).listen(0, '127.0.0.1');
  await once(front, 'listening');
  onTestFinished(() => void front.close());
  return `http://127.0.0.1:${(front.address() as AddressInfo).port}`;
}

type Start = (env: Readonly<Record<string, string>>) => ReturnType<typeof startServerHere>;

const spelled: [string, (simulator: Simulator) => string | Promise<string>, Start][] = [
  [
    'another spelling',
    ({ origin }) => `${origin.replace('127.0.0.1', 'LOCALHOST.')}//%61pi/v0//api/v0/`,
    startServerHere,
  ],
  // Real processes, which share only the files of the store.
  ['another name of the service', anotherName, startServer],
];
const ordersAt = ({ log }: Simulator) => log.filter(({ endpoint }) => endpoint === 'placeLimitOrder');

test.each(spelled)(
  'the same order through an address and %s is one order, one after the other',
  { tags: ['slow'] },
  async (_, spell) => {
    const { simulator, at } = await service();
    const [first, second] = [await at(simulator.origin), await at(await spell(simulator))];
    const placed = await first.call('place_limit_order', order);
    const again = await second.call('place_limit_order', order);
    expect(again).toMatchObject({ outcome: 'placed', coalesced: true, intentId: placed.intentId });
    expect(ordersAt(simulator).length).toBe(1);
  },
);

test.each(spelled)(
  'concurrent identical orders through an address and %s are one order',
  { tags: ['slow'] },
  async (_, spell, start) => {
    const { simulator, at } = await service(start);
    const servers = [await at(simulator.origin), await at(await spell(simulator))];
    const answers = await Promise.all(servers.map(({ call }) => call('place_limit_order', order)));
    expect(new Set(answers.map(({ intentId }) => intentId)).size).toBe(1);
    expect(ordersAt(simulator).length).toBe(1);
  },
);

test.each(spelled)('an address and %s share the daily limit', { tags: ['slow'] }, async (_, spell) => {
  const { simulator, at } = await service();
  const limit = { BROKER_MAX_DAY_VALUE: '30' };
  const [first, second] = [await at(simulator.origin, limit), await at(await spell(simulator), limit)];
  expect(await first.call('place_limit_order', order)).toMatchObject({ outcome: 'placed' });
  const more = await second.call('place_limit_order', { ...order, limitPrice: 10.1 });
  expect(more).toMatchObject({ outcome: 'refused', rule: 'max_day_value' });
  expect(ordersAt(simulator).length).toBe(1);
});

test.each(spelled)('a service and key that were used as live accept no demo order through %s', async (_, spell) => {
  const { simulator, at } = await service();
  const live = await at(simulator.origin, { BROKER_ENV: 'live' });
  await live.call('list_positions');
  const demo = await at(await spell(simulator));
  expect(await demo.call('place_limit_order', order)).toMatchObject({ outcome: 'refused', rule: 'live_service' });
  expect(ordersAt(simulator)).toEqual([]);
});
