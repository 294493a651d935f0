/** The one place where the parts are put together. Nothing here opens a port or a connection: that happens on first use. */
import { createHash, randomBytes } from 'node:crypto';
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { listAllowance } from '../broker/allowance.ts';
import { createBroker } from '../broker/index.ts';
import type { Clock } from '../clock.ts';
import { systemClock } from '../clock.ts';
import type { Config } from '../config.ts';
import { BrokerageError } from '../errors.ts';
import { createInstrumentDirectory } from '../market/directory.ts';
import type { Services } from '../mcp/tool.ts';
import { createDesk } from '../orders/desk.ts';
import type { Intent } from '../orders/intent.ts';
import { createMemoryJournal } from '../store/memory-journal.ts';
import { createMemoryRecords } from '../store/memory-records.ts';
import { createSandbox } from './sandbox.ts';

export interface Composed {
  readonly services: Services;
  /** Ends what was started; safe to call when nothing was. */
  close(): Promise<void>;
}

export function compose(config: Config, options: { readonly clock?: Clock } = {}): Composed {
  const clock = options.clock ?? systemClock;
  const records = createMemoryRecords();
  const sandbox = config.environment === 'sandbox' ? createSandbox(config.stateDir, clock) : undefined;
  const origin = async () => (sandbox ? sandbox.origin() : required(config.baseUrl, config, 'a base URL'));
  const credentials = async () => (sandbox ? sandbox.credentials : required(config.credentials, config, 'a key pair'));
  const accountKey = async () => {
    if (sandbox) return 'sandbox';
    const { key } = await credentials();
    const alias = [config.environment, await origin(), createHash('sha256').update(key).digest('hex')];
    return createHash('sha256').update(JSON.stringify(alias)).digest('hex').slice(0, 32);
  };

  const broker = createBroker({
    origin,
    accountKey,
    credentials,
    records,
    clock,
    random: Math.random,
    owner: randomBytes(8).toString('hex'),
    readOnly: config.readOnly,
  });
  const desk = createDesk({
    broker,
    journal: createMemoryJournal<Intent>(),
    clock,
    environment: config.environment,
    liveTrading: config.liveTrading,
    accountKey,
  });
  return {
    services: {
      config,
      clock,
      broker,
      desk,
      directory: createInstrumentDirectory(broker),
      allowance: async () => listAllowance({ records, clock }, await accountKeyIfKnown(config, accountKey)),
      saveExport: (name, content) => saveExport(config.stateDir, name, content),
    },
    close: async () => sandbox?.close(),
  };
}

/** The status tool works without credentials: there is simply nothing held against the account yet. */
const accountKeyIfKnown = async (config: Config, accountKey: () => Promise<string>) =>
  config.environment === 'sandbox' || (config.credentials && config.baseUrl) ? accountKey() : 'none';

function required<T>(value: T | undefined, config: Config, what: string): T {
  if (value !== undefined) return value;
  const name = config.environment.toUpperCase();
  throw new BrokerageError(
    'not_configured',
    `The ${config.environment} environment needs ${what}, and none is configured.`,
    `Set BROKER_${name}_BASE_URL, BROKER_API_KEY and BROKER_API_SECRET, and start the server again.`,
  );
}

/** Account data: readable by its owner alone. */
async function saveExport(stateDir: string, name: string, content: string): Promise<string> {
  const folder = join(stateDir, 'exports');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, name);
  await writeFile(path, content, { mode: 0o600 });
  await chmod(path, 0o600);
  return path;
}
