/**
 * A simulated service with the complete interface over real HTTP, for paper trading and for tests. It uses only the
 * loopback address, reads no environment variables and writes no files.
 */
import type { AddressInfo } from 'node:net';
import { type Clock, systemClock } from '../core/clock.ts';
import { readStart, restoreAccount, saveAccount } from './account/account-persistence.ts';
import { computePastValues, type PastValue } from './account/past-values.ts';
import { type Account, openAccount } from './account/simulated-account.ts';
import { openStartingAccount, type StartingAccount, toOwnMarket } from './account/starting-account.ts';
import type { State } from './handlers/handler-state.ts';
import { createRequestLimits } from './http/request-limits.ts';
import { type LoggedRequest, serve } from './http/simulator-server.ts';
import { advanceOrders } from './orders/advance-orders.ts';
import { reportBehind } from './reports/report-queue.ts';
import { statementRows, writeCsv } from './reports/report-rows.ts';
import { createInject, type TestControls } from './testing/external-events.ts';
import type { Fault } from './testing/faults.ts';
import { type GroundTruth, readGroundTruth } from './testing/ground-truth.ts';
import { noQuirks, type Quirks } from './testing/quirks.ts';
import type { PublishedDays } from './world/trading-sessions.ts';
import { wellKnown } from './world/well-known.ts';
import { createWorld, type World } from './world/world.ts';

/** How a simulator starts. Everything has a default. */
export interface SimulatorOptions {
  /** Default: the time of this machine. */
  readonly clock?: Clock;
  /** Default: `sandbox` and `sandbox`. */
  readonly credentials?: { readonly key: string; readonly secret: string };
  /** Default 1. The same seed gives the same world and, at the same time, the same account. */
  readonly seed?: number;
  /** Default 0: any free port. The host is always 127.0.0.1. */
  readonly port?: number;
  readonly quirks?: Partial<Quirks>;
  /** Factor on the period of every rate limit; default 1. */
  readonly limitScale?: number;
  /**
   * Called before a request is counted, with the time (ms) that its rate limit leaves for one request. A clock that
   * advances by this time never exceeds a limit, and gives the same times for the same requests.
   */
  readonly onRequest?: ((ms: number) => void) | undefined;
  /** Default: 15,000 simulated ones in addition to the well-known ones. */
  readonly instrumentCount?: number;
  /** The days of which the exchanges publish their hours; default: 7 before today and 35 after it. */
  readonly publishedDays?: PublishedDays;
  /**
   * Default false. Adds rows with the values of the specification that an account seldom has: every type of fill and
   * dividend, a transfer, stamp duty and turnover commission.
   */
  readonly rareRows?: boolean;
  /** Starts with this account instead of the seeded one, without a history; `persistence` and `rareRows` do not apply. */
  readonly account?: StartingAccount;
  /** Stores the account. `save` is called before the response to a change is sent. */
  readonly persistence?: { load(): string | undefined; save(state: string): void };
}

/** A running simulator. */
export interface Simulator {
  /** `http://127.0.0.1:PORT`, without `/api/v0`. */
  readonly origin: string;
  /** Can be changed while the simulator runs. */
  readonly quirks: Quirks;
  /** A queue: a pushed fault applies to the next requests that it names. */
  readonly faults: Fault[];
  /** The newest 20,000 requests received. */
  readonly log: LoggedRequest[];
  /** Problems that did not stop the start. */
  readonly warnings: readonly string[];
  groundTruth(): GroundTruth;
  readonly inject: TestControls;
  /** Stops listening and closes open connections. */
  close(): Promise<void>;
}

/** Starts a simulator and resolves when it accepts requests. Rejects when the port is in use. */
export async function startSimulator(options: SimulatorOptions = {}): Promise<Simulator> {
  const { clock = systemClock, credentials = { key: 'sandbox', secret: 'sandbox' } } = options;
  let persistence = options.account ? undefined : options.persistence;
  const seed = options.seed ?? 1;
  const { account: start } = options;
  const own = start && toOwnMarket(start, clock.now());
  const world = createWorld(seed, options.instrumentCount ?? 15_000 + wellKnown.length, own, options.publishedDays);
  const quirks: Quirks = { ...noQuirks, ...options.quirks };
  const faults: Fault[] = [];
  const log: LoggedRequest[] = [];
  const warnings: string[] = [];
  const account = start
    ? openStartingAccount(world, start, clock.now())
    : await loadAccount(world, options, clock.now(), warnings);
  const limits = createRequestLimits(quirks, options.limitScale ?? 1);
  let origin = '';

  let savedRevision = account.revision;
  const keep = () => {
    if (!persistence || savedRevision === account.revision) return;
    persistence.save(saveAccount(account, seed));
    savedRevision = account.revision;
  };
  const state = (): State => {
    const now = clock.now();
    advanceOrders(world, account, quirks, now);
    return { world, account, quirks, now, origin };
  };
  const file = (url: URL) => {
    const report = reportBehind(account, quirks, url, clock.now());
    return report && writeCsv(statementRows(world, account, report, quirks), quirks);
  };

  const { onRequest } = options;
  const server = serve({ clock, credentials, quirks, faults, log, limits, state, keep, file, onRequest });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port ?? 0, '127.0.0.1', resolve);
  });
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  try {
    // Saves the start: the three years of history end there, also after a restart.
    persistence?.save(saveAccount(account, seed));
  } catch (error) {
    // The simulator still works; its changes are lost when the process ends.
    warnings.push(`The account cannot be saved: ${(error as Error).message}`);
    persistence = undefined;
  }

  return {
    origin,
    quirks,
    faults,
    log,
    warnings,
    groundTruth: () => readGroundTruth(state()),
    inject: createInject(state, limits, keep),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/**
 * Returns the value of a saved account on each day of the three years before its start, which the interface does not
 * have. `state` is what `persistence.save` was given.
 */
export async function listPastValues(state: string): Promise<PastValue[]> {
  const { seed, startedAt } = readStart(state);
  return computePastValues(createWorld(seed, wellKnown.length), startedAt);
}

async function loadAccount(
  world: World,
  { persistence, rareRows = false }: SimulatorOptions,
  nowMs: number,
  warnings: string[],
): Promise<Account> {
  const text = persistence?.load();
  if (text !== undefined) {
    try {
      return await restoreAccount(text, world, rareRows);
    } catch (error) {
      warnings.push(`The stored account cannot be read, so a new one was created: ${(error as Error).message}`);
    }
  }
  return openAccount(world, nowMs, rareRows);
}

export type { PastValue } from './account/past-values.ts';
export type { StartingAccount } from './account/starting-account.ts';
export type { LoggedRequest } from './http/simulator-server.ts';
export { toPlainId } from './http/write-json.ts';
export type { Fault } from './testing/faults.ts';
export type { GroundTruth } from './testing/ground-truth.ts';
export { allHarmlessQuirks, noQuirks, type Quirks } from './testing/quirks.ts';
export { createTestClock, type TestClock } from './testing/test-clock.ts';
