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
import { type LoggedRequest, type ServedAccount, serve } from './http/simulator-server.ts';
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
  readonly persistence?: Persistence;
  /** Which account of the world this is, from 1 (default): each has a past, an id and orders of its own. */
  readonly accountNumber?: number;
  /** Further accounts of the same service, each behind a key of its own; they begin seeded. */
  readonly others?: readonly OtherAccount[];
}

interface Persistence {
  load(): string | undefined;
  save(state: string): void;
}

interface OtherAccount {
  readonly name: string;
  readonly credentials: { readonly key: string; readonly secret: string };
}

/** One account, as tests read and change it. */
interface SimulatedAccount {
  groundTruth(): GroundTruth;
  readonly inject: TestControls;
}

/** A running simulator. What it says of an account is about the first one. */
export interface Simulator extends SimulatedAccount {
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
  /** The further accounts by their names. */
  readonly others: Readonly<Record<string, SimulatedAccount>>;
  /** Stops listening and closes open connections. */
  close(): Promise<void>;
}

/** Starts a simulator and resolves when it accepts requests. Rejects when the port is in use. */
export async function startSimulator(options: SimulatorOptions = {}): Promise<Simulator> {
  const { clock = systemClock, credentials = { key: 'sandbox', secret: 'sandbox' }, others = [] } = options;
  const start = options.account && toOwnMarket(options.account, clock.now());
  const count = options.instrumentCount ?? 15_000 + wellKnown.length;
  const world = createWorld(options.seed ?? 1, count, start, options.publishedDays);
  const quirks: Quirks = { ...noQuirks, ...options.quirks };
  const faults: Fault[] = [];
  const log: LoggedRequest[] = [];
  const warnings: string[] = [];
  const service: Service = { world, quirks, clock, warnings, limitScale: options.limitScale ?? 1, origin: '' };
  const number = options.accountNumber ?? 1;
  const first = createAccountParts(service, {
    ...{ name: others.length > 0 ? mainAccount : undefined, credentials },
    account: options.account
      ? openStartingAccount(world, options.account, clock.now())
      : await loadAccount(world, { ...options, number }, clock.now(), warnings),
    persistence: options.account ? undefined : options.persistence,
  });
  const further: [string, ReturnType<typeof createAccountParts>][] = [];
  for (const [index, { name, credentials: own }] of others.entries()) {
    const account = await openAccount(world, clock.now(), options.rareRows, number + 1 + index);
    further.push([name, createAccountParts(service, { name, credentials: own, account, persistence: undefined })]);
  }

  const accounts = [first.served, ...further.map(([, { served }]) => served)] as const;
  const server = serve({ clock, quirks, faults, log, accounts: [...accounts], onRequest: options.onRequest });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port ?? 0, '127.0.0.1', resolve);
  });
  service.origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  first.saveStart();

  return {
    origin: service.origin,
    quirks,
    faults,
    log,
    warnings,
    ...first.controls,
    others: Object.fromEntries(further.map(([name, { controls }]) => [name, controls])),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** The name of the first account in the log, where there are several. */
const mainAccount = 'main';

/** What the accounts of a service share. */
interface Service {
  readonly world: World;
  readonly quirks: Quirks;
  readonly clock: Clock;
  readonly warnings: string[];
  readonly limitScale: number;
  /** Known once the server listens. */
  origin: string;
}

function createAccountParts(
  service: Service,
  given: Pick<ServedAccount, 'name' | 'credentials'> & {
    readonly account: Account;
    readonly persistence: Persistence | undefined;
  },
) {
  const { world, quirks, clock } = service;
  const { account, name, credentials } = given;
  let { persistence } = given;
  const limits = createRequestLimits(quirks, service.limitScale);
  let savedRevision = account.revision;
  const keep = () => {
    if (!persistence || savedRevision === account.revision) return;
    persistence.save(saveAccount(account, world.seed));
    savedRevision = account.revision;
  };
  const state = (): State => {
    const now = clock.now();
    advanceOrders(world, account, quirks, now);
    return { world, account, quirks, now, origin: service.origin };
  };
  const file = (url: URL) => {
    const report = reportBehind(account, quirks, url, clock.now());
    return report && writeCsv(statementRows(world, account, report, quirks), quirks);
  };
  const served: ServedAccount = { name, credentials, limits, state, keep, file };
  const controls: SimulatedAccount = {
    groundTruth: () => readGroundTruth(state()),
    inject: createInject(state, limits, keep),
  };
  /** Saves the start: the three years of history end there, also after a restart. */
  const saveStart = () => {
    try {
      persistence?.save(saveAccount(account, world.seed));
    } catch (error) {
      // The simulator still works; its changes are lost when the process ends.
      service.warnings.push(`The account cannot be saved: ${(error as Error).message}`);
      persistence = undefined;
    }
  };
  return { served, controls, saveStart };
}

/**
 * Returns the value of a saved account on each day of the three years before its start, which the interface does not
 * have. `state` is what `persistence.save` was given for the account of that number.
 */
export async function listPastValues(state: string, accountNumber = 1): Promise<PastValue[]> {
  const { seed, startedAt } = readStart(state);
  return computePastValues(createWorld(seed, wellKnown.length), startedAt, accountNumber);
}

async function loadAccount(
  world: World,
  { persistence, rareRows = false, number }: Pick<SimulatorOptions, 'persistence' | 'rareRows'> & { number: number },
  nowMs: number,
  warnings: string[],
): Promise<Account> {
  const text = persistence?.load();
  if (text !== undefined) {
    try {
      return await restoreAccount(text, world, rareRows, number);
    } catch (error) {
      warnings.push(`The stored account cannot be read, so a new one was created: ${(error as Error).message}`);
    }
  }
  return openAccount(world, nowMs, rareRows, number);
}

export type { PastValue } from './account/past-values.ts';
export type { StartingAccount } from './account/starting-account.ts';
export type { LoggedRequest } from './http/simulator-server.ts';
export { toPlainId } from './http/write-json.ts';
export type { Fault } from './testing/faults.ts';
export type { GroundTruth } from './testing/ground-truth.ts';
export { allHarmlessQuirks, noQuirks, type Quirks } from './testing/quirks.ts';
export { createTestClock, type TestClock } from './testing/test-clock.ts';
