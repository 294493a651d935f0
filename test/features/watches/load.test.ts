/**
 * Four processes of one account watch while they serve reads and orders, and the one that watches is killed twice: the
 * service, which counts, refuses no request. All processes are real, and so is the time.
 */
// @module-tag process
// @module-tag slow
import { expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../../src/core/clock.ts';
import { startSimulator } from '../../../src/simulator/index.ts';
import { clients } from '../../support/http.ts';
import { startHttpProcess } from '../../support/http-process.ts';
import { makeStateFolder } from '../../support/state-folder.ts';
import { servedBy } from '../../support/stdio-server.ts';

const credentials = { key: 'load-key', secret: 'load-secret' };
/** The periods of the limits are shorter, so that more of them pass. */
const limitScale = 0.25;
const placed = 'placeLimitOrder';
const order = { ticker: 'QNOON_GB_EQ', side: 'BUY', limitPrice: 11.5, timeValidity: 'DAY' };
const [[, connect]] = clients as unknown as [(typeof clients)[0]];
/** No server reads them but for the watch. */
const ofTheWatch = 'listDividends';

test('no request is refused by the service, and every order is placed', async () => {
  const simulator = await startSimulator({ clock: systemClock, credentials, instrumentCount: 200, limitScale });
  onTestFinished(() => simulator.close());
  simulator.inject.setPrice('QNOON_GB_EQ', 12);
  const folder = await makeStateFolder('brokerage-mcp-load-');
  const env = {
    HOME: folder,
    BROKER_STATE_DIR: folder,
    BROKER_ENV: 'demo',
    BROKER_DEMO_BASE_URL: simulator.origin,
    BROKER_API_KEY: credentials.key,
    BROKER_API_SECRET: credentials.secret,
    BROKER_WATCH: 'true',
  };
  const count = (endpoint: string) => simulator.log.filter((entry) => entry.endpoint === endpoint).length;

  const launch = async () => {
    const running = await startHttpProcess(env);
    const client = await connect(running.url);
    return { child: running.child, ended: running.ended, ...servedBy(client) };
  };
  // The first one watches, and the others wait for its end.
  const servers = [await launch()];
  await expect.poll(() => count(ofTheWatch)).toBeGreaterThan(0);
  // Of six requests in a period (docs/interface.md, Rate limits) the watch leaves one to an order.
  await expect.poll(() => count('listHistoricalOrders')).toBe(5);
  await systemClock.sleep(2_000);
  expect(count('listHistoricalOrders')).toBe(5);
  servers.push(...(await Promise.all([launch(), launch(), launch()])));

  let isOver = false;
  const read = async ({ call }: (typeof servers)[number]) => {
    while (!isOver) {
      for (const name of ['list_positions', 'get_account_summary', 'list_orders']) await call(name);
      await call('fetch_history', { kind: 'orders', limit: 5 });
    }
  };
  const survivors = servers.slice(2);
  const reading = survivors.map(read);
  for (const { child, ended } of servers.slice(0, 2)) {
    child.kill('SIGKILL');
    await ended;
    // Another one takes over, and reads at once.
    await expect.poll(async () => (await survivors[0]?.call('watch'))?.watching, { interval: 500 }).toBe(true);
  }
  await Promise.all(
    survivors.map(async ({ call }, index) => {
      for (const quantity of [1, 2, 3]) {
        const { outcome } = await call('place_limit_order', { ...order, quantity: quantity + 3 * index });
        expect(outcome).toBe('placed');
      }
    }),
  );
  isOver = true;
  await Promise.all(reading);
  expect(count(placed)).toBe(6);
  expect(simulator.log.filter(({ status, refused }) => refused || status === 429)).toEqual([]);
});
