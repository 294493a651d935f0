/** Accounts over a real store of their own, as one process has them. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { createAccounts, type Identity } from '../../src/core/broker/account-identity.ts';
import { type Clock, systemClock } from '../../src/core/clock.ts';
import type { Intent } from '../../src/core/orders/intent/intent.ts';
import type { Journal, WriteIntent } from '../../src/core/orders/intent/journal-port.ts';
import { createAccountLinks } from '../../src/core/orders/reconcile/account-links.ts';
import { createRecords, type Engine } from '../../src/core/store/engine.ts';
import { createJournal } from '../../src/core/store/journal-table.ts';
import { createSqliteEngine } from '../../src/core/store/sqlite/sqlite-engine.ts';

function sqlite(): Engine {
  const folder = mkdtempSync(join(tmpdir(), 'brokerage-mcp-accounts-'));
  const engine = createSqliteEngine({ path: join(folder, 'store.sqlite'), clock: systemClock, random: () => 0.5 });
  onTestFinished(async () => {
    await engine.close();
    rmSync(folder, { recursive: true, force: true });
  });
  return engine;
}

export function accountStore(clock: Clock = systemClock, engine: Engine = sqlite()) {
  const records = createRecords(engine);
  const journal: Journal = createJournal<Intent, WriteIntent>(engine, clock);
  const processes = { self: 'test', isAlive: () => true };
  const links = createAccountLinks({ journal, clock, processes });
  return {
    records,
    journal,
    accounts: ({ environment = 'demo', address = 'https://one', keyHash = 'key' }: Partial<Identity> = {}) =>
      createAccounts({ records, links, identity: async () => ({ environment, address, keyHash }) }),
  };
}
