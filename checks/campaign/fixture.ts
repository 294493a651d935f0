/**
 * An upstream, its secrets, and a state folder in which the program has already learnt the rate limits and the
 * instruments. Every rig of the site begins with a copy of that folder, so that no trial waits.
 */
import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { limitNames, limitRows } from '../../src/core/orders/intent/risk-limits.ts';
import { settings } from '../../src/core/settings/setting-definitions.ts';
import { deadAfterMs, heartbeatMs } from '../../src/core/store/postgres/heartbeat.ts';
import { openDatabase } from '../../src/core/store/sqlite/binding.ts';
import type { StoreLocation } from '../../src/core/store/store-location.ts';
import type { Program } from './build.ts';
import { createDatabases } from './databases.ts';
import { makeSecrets, type Secrets } from './secrets.ts';
import { startServer } from './server-process.ts';
import { startUpstream, type Upstream } from './upstream.ts';

export interface Site {
  readonly upstream: Upstream;
  readonly secrets: Secrets;
  env(stateDir: string): Record<string, string>;
  place(stateDir: string): StoreLocation;
  /** How long the death of a process may stay unnoticed. */
  readonly noticedWithinMs: number;
  newStateDir(): Promise<string>;
  /** A quantity that no other trial has. */
  newQuantity(): string;
  close(): Promise<void>;
}

/** The limits of the owner are not under test here, unless a scenario sets them. */
const wide = {
  ...Object.fromEntries(
    limitNames
      .filter((name) => ['amount', 'count'].includes(limitRows[name].kind) && name !== 'maxPriceDistance')
      .map((name) => [settings[name].variable, '100000000']),
  ),
  // Each order of unknown value counts as the largest that is allowed.
  BROKER_MAX_DAY_VALUE: '100000000000',
};

export async function openSite(program: Program, postgres?: string): Promise<Site> {
  const upstream = await startUpstream();
  const secrets = makeSecrets();
  const folder = await mkdtemp(join(tmpdir(), 'brokerage-mcp-campaign-'));
  const template = join(folder, 'template');
  const databases = postgres === undefined ? undefined : createDatabases(postgres);
  let quantities = 0;
  const site: Site = {
    upstream,
    secrets,
    env: (stateDir) => ({
      PATH: process.env.PATH ?? '',
      HOME: folder,
      BROKER_ENV: 'demo',
      BROKER_DEMO_BASE_URL: upstream.origin,
      BROKER_API_KEY: secrets.key,
      BROKER_API_SECRET: secrets.secret,
      BROKER_STATE_DIR: stateDir,
      ...(databases ? { BROKER_STATE_URL: databases.url(stateDir) } : {}),
      ...wide,
    }),
    place: (stateDir) => (databases ? { stateUrl: databases.url(stateDir) } : { stateDir }),
    noticedWithinMs: databases ? deadAfterMs + heartbeatMs : 0,
    newStateDir: async () => {
      const dir = await mkdtemp(join(folder, 'state-'));
      if (databases) {
        await databases.copy(template, dir);
        return dir;
      }
      await copyFile(join(template, 'store.sqlite'), join(dir, 'store.sqlite'));
      return dir;
    },
    newQuantity: () => `${++quantities}.25`,
    close: async () => {
      upstream.close();
      await databases?.drop();
      await rm(folder, { recursive: true, force: true });
    },
  };
  await databases?.create(template);
  await warmUp(program, site, template);
  return site;
}

/** One order of each type, and one read of everything that reconciling needs. */
async function warmUp(program: Program, site: Site, stateDir: string): Promise<void> {
  const server = await startServer({ file: program.file, env: site.env(stateDir), secrets: site.secrets });
  const order = { ticker: 'ALPHA_US_EQ', side: 'BUY', timeValidity: 'DAY' };
  const call = async (name: string, args: object) => (await server.call(name, args).said).outcome;
  const said = [
    await call('place_limit_order', { ...order, quantity: site.newQuantity(), limitPrice: 10 }),
    await call('place_stop_order', { ...order, quantity: site.newQuantity(), stopPrice: 11 }),
    await call('place_stop_limit_order', { ...order, quantity: site.newQuantity(), stopPrice: 11, limitPrice: 11 }),
    await call('place_market_order', { ticker: order.ticker, side: 'BUY', quantity: site.newQuantity() }),
    await call('get_order', { orderId: String(site.upstream.posts[0]?.booked?.id) }),
    await call('fetch_history', { kind: 'orders' }),
    await call('list_exchanges', {}),
  ];
  await server.close();
  if ('stateDir' in site.place(stateDir)) {
    // Moves what the server left in the log into the file that is copied.
    const store = await openDatabase(join(stateDir, 'store.sqlite'));
    store.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    store.close();
  }
  const wrong = said.find((outcome) => outcome !== 'placed' && outcome !== 'read');
  if (wrong) throw new Error(`The warm-up came to ${said.join(', ')}. ${server.stderr()}`);
  site.upstream.retire();
}
