import { randomBytes } from 'node:crypto';
import { closeAfter, createApp } from '../app/composition-root.ts';
import { systemClock } from '../core/clock.ts';
import { endpoints } from '../core/endpoints/index.ts';
import { BrokerageError, UsageError } from '../core/errors.ts';
import { readAccount } from '../core/orders/account/account-snapshot.ts';
import { createProcesses, type ProcessContext } from '../core/process/process-context.ts';
import { readAccountNames } from '../core/settings/account-names.ts';
import { type Environment, readConfig } from '../core/settings/config.ts';
import { countOf } from '../core/text/count-of.ts';
import type { SimulatorOptions, StartingAccount, TestClock } from '../simulator/index.ts';
import { type AccountReading, toStartingAccount } from './account-for-simulator.ts';
import type { Command } from './command.ts';

/** A Thursday afternoon at which the exchanges on both sides of the Atlantic are open. */
const fixedStart = Date.UTC(2026, 0, 15, 15, 0, 0);

/** Runs the simulated service alone until a signal. */
export const simulateCommand: Command = async ({ flags }, terminal) => {
  const port = wholeNumber('port', flags.port ?? '0', 65_535);
  const seed = wholeNumber('seed', flags.seed ?? '1', 2 ** 31);
  const { createTestClock, startSimulator } = await import('../simulator/index.ts');
  const time = chooseTime(flags.clock ?? 'real', createTestClock);
  const source = flags['from-account'];
  const names = flags.accounts === undefined ? [] : readAccountNames(flags.accounts, '--accounts');
  if (source !== undefined && names.length > 0)
    throw new UsageError('--accounts and --from-account exclude each other', { next: 'leave one of them out.' });
  const account = source === undefined ? undefined : await copyAccount(source, flags, terminal);
  // Other users of this machine must not read the copy.
  const key = account ? randomBytes(16).toString('hex') : keyOf(names[0]);
  const others = names.slice(1).map((name) => ({ name, credentials: { key: keyOf(name), secret: keyOf(name) } }));
  const credentials = { key, secret: key };
  const options = { ...time, port, seed, credentials, others, ...(account && { account }) };
  const simulator = await startSimulator(options).catch((error: NodeJS.ErrnoException) => {
    if (error.syscall !== 'listen') throw error;
    throw new UsageError(
      `cannot listen at 127.0.0.1:${port} (${error.code}); choose another --port, or 0 for any free one.`,
    );
  });
  terminal.print(`Simulated service: ${simulator.origin}/api/v0`);
  for (const name of names) terminal.print(`Key and secret of ${name}: ${keyOf(name)} and ${keyOf(name)}`);
  if (names.length > 0) terminal.print('Stop it with Ctrl+C.');
  else
    terminal.print(
      account
        ? `Key and secret: ${key}, both the same (or the key alone). Stop it with Ctrl+C.`
        : 'Key and secret: sandbox and sandbox (or the key alone). Stop it with Ctrl+C.',
    );
  if (account)
    terminal.print(
      `It began as a copy of ${source}: ${countOf(account.positions.length, 'position')}, ${countOf(account.pendingOrders.length, 'pending order')} and the cash, without history. Nothing is sent to ${source}.`,
    );
  await new Promise<void>((resolve) => {
    if (terminal.shutdownSignal.aborted) resolve();
    terminal.shutdownSignal.addEventListener('abort', () => resolve(), { once: true });
  });
  await simulator.close();
  return 0;
};

/** The key of a simulated account, and its secret. */
const keyOf = (name: string | undefined): string => (name === undefined ? 'sandbox' : `sandbox-${name}`);

async function copyAccount(
  source: string,
  flags: Readonly<Record<string, string>>,
  terminal: ProcessContext,
): Promise<StartingAccount> {
  if (source !== 'demo' && source !== 'live')
    throw new UsageError(`--from-account is "${source}"; it must be demo or live.`);
  const copied = toStartingAccount(await readRealAccount(source, flags, terminal), systemClock.now());
  if (!copied)
    throw new BrokerageError(
      'unexpected_answer',
      'The broker did not report the currency and the cash of the account.',
      'Try again in a minute, or start without --from-account.',
    );
  for (const sentence of copied.omitted) terminal.warn(`brokerage-mcp: ${sentence}`);
  return copied.account;
}

/**
 * Returns the clock. The fixed clock starts at a fixed time and advances only with requests: each adds the time that
 * its rate limit leaves for one request. So the same requests get the same responses, orders fill, and no request
 * exceeds its limit.
 */
function chooseTime(
  name: string,
  createTestClock: (startAt: number) => TestClock,
): Pick<SimulatorOptions, 'clock' | 'onRequest'> {
  if (name === 'real') return {};
  if (name !== 'fixed') throw new UsageError(`--clock is "${name}"; it must be real or fixed.`);
  const clock = createTestClock(fixedStart);
  return { clock, onRequest: clock.advance };
}

function wholeNumber(flag: string, text: string, most: number): number {
  const value = Number(text);
  if (!/^\d+$/.test(text) || value > most) throw new UsageError(`--${flag} must be an integer up to ${most}.`);
  return value;
}

/** The four reads take at most the longest period of their rate limits. */
const patienceMs = 90_000;

/**
 * Reads the account of an environment once, through the broker and its rate limits. The server part is read-only,
 * so that it rejects every request that could change the account. Throws a BrokerageError when a read fails.
 */
async function readRealAccount(
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
