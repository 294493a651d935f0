/** The simulated account of the sandbox: one for all servers on a state folder, kept between runs. */

import { createHash, randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { KeyValueStore } from '../core/broker/types.ts';
import type { Clock } from '../core/clock.ts';
import { BrokerageError } from '../core/errors.ts';
import type { ProcessRegistry } from '../core/lease.ts';
import type { PastValue } from '../simulator/index.ts';
import { createSingletonService } from './singleton-service.ts';

/**
 * Pages of a history that the sandbox allows in a minute: with the six of the specification, the first question that
 * needs its three years takes minutes. `brokerage-mcp simulate` keeps the specification.
 */
const sandboxHistoryRequests = 120;

interface Sandbox {
  origin(): Promise<string>;
  credentials(): Promise<{ readonly key: string; readonly secret: string }>;
  /** The account's value on each day of the three years before its first start, oldest first. */
  pastValues(): Promise<readonly PastValue[]>;
  close(): Promise<void>;
}

/**
 * Creates the sandbox, which starts with the first request. `origin` and `credentials` throw `unreachable` when
 * another process takes too long to start it.
 */
export function createSandbox(deps: {
  readonly stateDir: string;
  readonly clock: Clock;
  readonly realClock: Clock;
  readonly records: KeyValueStore;
  readonly processes: ProcessRegistry;
  /** The name of the account; undefined where the owner named none. */
  readonly account: string | undefined;
}): Sandbox {
  const number = sandboxNumber(deps.account);
  const suffix = number === 1 ? '' : `-${deps.account}`;
  const service = createSingletonService({
    ...deps,
    name: `sandbox${suffix}`,
    // Random credentials that no user needs to know; they keep other local programs out of the paper account.
    makeExtra: () => ({ key: randomBytes(12).toString('hex'), secret: randomBytes(24).toString('hex') }),
    start: async (credentials) => {
      const { startSimulator } = await import('../simulator/index.ts');
      return startSimulator({
        clock: deps.clock,
        credentials,
        persistence: file,
        accountNumber: number,
        quirks: { historyRequests: sandboxHistoryRequests },
      });
    },
  });
  const file = createSandboxFile(deps.stateDir, suffix);
  let past: Promise<readonly PastValue[]> | undefined;
  const find = async () => {
    const found = await service.find();
    if (found) return found;
    throw new BrokerageError(
      'unreachable',
      'Another server on this state folder is starting the simulated account and has not finished.',
      'Try again in a minute.',
    );
  };
  return {
    origin: async () => (await find()).origin,
    credentials: async () => (await find()).extra,
    pastValues: async () => {
      // The account that it is about exists then.
      await find();
      past ??= listPast(file.load(), number);
      return past;
    },
    close: service.close,
  };
}

/** How many numbers the accounts with a name of their own have. */
const maxNumber = 1_000;

/** The number of a simulated account follows from its name alone, so that it stays the same whatever is beside it. */
export function sandboxNumber(account: string | undefined): number {
  if (account === undefined || account === 'invest') return 1;
  if (account === 'isa') return 2;
  return 3 + (createHash('sha256').update(account).digest().readUInt32BE() % maxNumber);
}

/** `state` is the text of the simulated account; without one it could not be saved, and nothing is known of its start. */
async function listPast(state: string | undefined, number: number): Promise<readonly PastValue[]> {
  const { listPastValues } = await import('../simulator/index.ts');
  return state === undefined ? [] : listPastValues(state, number);
}

/**
 * The file of the simulated account between two runs. It is written completely and then renamed, so that a kill
 * leaves either the old or the new account, never a part.
 */
function createSandboxFile(stateDir: string, suffix: string) {
  const path = join(stateDir, `sandbox-account${suffix}.json`);
  return {
    load: (): string | undefined => {
      try {
        return readFileSync(path, 'utf8');
      } catch {
        // There is no account yet.
        return undefined;
      }
    },
    save: (state: string): void => {
      mkdirSync(stateDir, { recursive: true, mode: 0o700 });
      writeFileSync(`${path}.new`, state, { mode: 0o600 });
      renameSync(`${path}.new`, path);
    },
  };
}
