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
import { type ServerProcess, startServer } from './server-process.ts';
import { startUpstream, type Upstream } from './upstream.ts';

export interface Site {
  readonly upstream: Upstream;
  readonly secrets: Secrets;
  /** The accounts of its one person; undefined where there is one without a name. */
  readonly accounts: typeof accountNames | undefined;
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

/** The accounts of a site with two, of which the second is an ISA. */
export const accountNames = ['invest', 'isa'] as const;

export interface SiteOptions {
  /** One person has two accounts, and each server serves both. */
  readonly hasTwoAccounts?: boolean;
}

export async function openSite(
  program: Program,
  postgres?: string,
  { hasTwoAccounts = false }: SiteOptions = {},
): Promise<Site> {
  const upstream = await startUpstream();
  const secrets = makeSecrets();
  const folder = await mkdtemp(join(tmpdir(), 'brokerage-mcp-campaign-'));
  const template = join(folder, 'template');
  const databases = postgres === undefined ? undefined : createDatabases(postgres);
  let quantities = 0;
  const keys = hasTwoAccounts
    ? nameKeys(upstream, secrets)
    : { BROKER_API_KEY: secrets.key, BROKER_API_SECRET: secrets.secret };
  const site: Site = {
    upstream,
    secrets,
    accounts: hasTwoAccounts ? accountNames : undefined,
    env: (stateDir) => ({
      PATH: process.env.PATH ?? '',
      HOME: folder,
      BROKER_ENV: 'demo',
      BROKER_DEMO_BASE_URL: upstream.origin,
      ...keys,
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

/** The keys of both accounts, which the upstream knows from then on. */
function nameKeys({ owners }: Upstream, { key, secret, second }: Secrets): Record<string, string> {
  const [first, other] = accountNames;
  for (const [name, own] of [[first, { key, secret }] as const, [other, second] as const])
    owners.set(`Basic ${Buffer.from(`${own.key}:${own.secret}`).toString('base64')}`, name);
  return {
    BROKER_ACCOUNTS: accountNames.join(),
    [`BROKER_API_KEY_${first.toUpperCase()}`]: key,
    [`BROKER_API_SECRET_${first.toUpperCase()}`]: secret,
    [`BROKER_API_KEY_${other.toUpperCase()}`]: second.key,
    [`BROKER_API_SECRET_${other.toUpperCase()}`]: second.secret,
  };
}

/** One order of each type, and one read of everything that reconciling needs. */
async function warmUp(program: Program, site: Site, stateDir: string): Promise<void> {
  const server = await startServer({ file: program.file, env: site.env(stateDir), secrets: site.secrets });
  const said: string[] = [];
  for (const account of site.accounts ?? [undefined]) said.push(...(await useAccount(site, server, account)));
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

async function useAccount(site: Site, server: ServerProcess, account: string | undefined): Promise<readonly string[]> {
  const own = account === undefined ? {} : { account };
  const order = { ticker: 'ALPHA_US_EQ', side: 'BUY', timeValidity: 'DAY' };
  const call = async (name: string, args: object) => (await server.call(name, { ...args, ...own }).said).outcome;
  const place = async (type: string, args: object) =>
    call(`place_${type}_order`, { ...order, quantity: site.newQuantity(), ...args });
  const said = [
    await place('limit', { limitPrice: 10 }),
    await place('stop', { stopPrice: 11 }),
    await place('stop_limit', { stopPrice: 11, limitPrice: 11 }),
    await place('market', { timeValidity: undefined }),
  ];
  const booked = site.upstream.posts.find((post) => post.account === account)?.booked;
  return [
    ...said,
    await call('get_order', { orderId: String(booked?.id) }),
    await call('fetch_history', { kind: 'orders' }),
    (await server.call('list_exchanges', {}).said).outcome,
  ];
}
