import { closeAfter, createApp } from '../app/composition-root.ts';
import { endpoints } from '../core/endpoints/index.ts';
import { readAccount } from '../core/orders/account/account-snapshot.ts';
import type { ProcessContext } from '../core/process/process-context.ts';
import { createProcesses } from '../core/process/process-identity.ts';
import { type Environment, readConfig } from '../core/settings/config.ts';
import type { AccountReading } from './starting-account.ts';

/** The four reads take at most the longest period of their rate limits. */
const patienceMs = 90_000;

/**
 * Reads the account of an environment once, through the broker and its rate limits. The server part is read-only,
 * so that it rejects every request that could change the account. Throws a BrokerageError when a read fails.
 */
export async function readRealAccount(
  environment: Exclude<Environment, 'sandbox'>,
  flags: Readonly<Record<string, string>>,
  terminal: ProcessContext,
): Promise<AccountReading> {
  const config = readConfig({ ...flags, env: environment, 'read-only': 'true' }, terminal);
  for (const warning of config.warnings) terminal.warn(`brokerage-mcp: ${warning}`);
  const app = createApp(config, { processes: createProcesses(terminal.processes) });
  return closeAfter(app, async () => {
    await app.ready();
    const { broker, clock } = app.services;
    const context = {
      priority: 'read',
      deadlineAt: clock.now() + patienceMs,
      signal: terminal.shutdownSignal,
      notBefore: clock.now(),
    } as const;
    const { summary, positions, pending } = await readAccount(broker, context);
    const { data: instruments } = await broker.call(
      endpoints.listInstruments,
      {},
      { ...context, notBefore: undefined },
    );
    return { summary, positions, pending, instruments };
  });
}
