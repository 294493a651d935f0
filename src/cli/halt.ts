import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { systemClock } from '../core/clock.ts';
import { BrokerageError, UsageError } from '../core/errors.ts';
import { log, orElse } from '../core/log.ts';
import { keepStoreMark } from '../core/orders/halt/store-change.ts';
import { describeHalt, type Halt, readHalt, setHalt } from '../core/orders/halt/trading-state.ts';
import type { Intent } from '../core/orders/intent/intent.ts';
import type { Journal, WriteIntent } from '../core/orders/intent/journal-port.ts';
import type { ProcessContext } from '../core/process/process-context.ts';
import type { Config } from '../core/settings/config.ts';
import { readStateDir } from '../core/settings/load-settings.ts';
import { openStore } from '../core/store/open-store.ts';
import { resolveStoreLocation } from '../core/store/store-location.ts';
import { createSayMoment } from '../core/text/format-moment.ts';
import type { Command } from './command.ts';
import { type CommandContext, withNamedStore } from './with-app.ts';

/** Stops new orders at once, in every process and every environment of the store. */
export const haltCommand: Command = async (input, terminal) => {
  try {
    return await haltInStore(input, terminal);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    // A halt must work even when an unrelated setting is invalid.
    const stateDir = readStateDir(input.flags, terminal);
    terminal.warn(`brokerage-mcp: ${error.message}`);
    haltByFile(stateDir, input.words.join(' '));
    terminal.print(`Halted by the file ${join(stateDir, 'halt')}: no new order is sent.`);
    return 0;
  }
};

function haltByFile(stateDir: string, reason: string): void {
  try {
    mkdirSync(stateDir, { recursive: true, mode: 0o700 });
    writeFileSync(join(stateDir, 'halt'), `${reason}\n`, { mode: 0o600 });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new BrokerageError(
      'store_unavailable',
      `NOT halted: ${stateDir} is not writable (${code ?? 'unknown'}).`,
      'Stop the servers, or revoke the key in the broker’s application.',
    );
  }
}

const haltInStore: Command = ({ words, flags }, terminal) =>
  withNamedStore(flags, terminal, (parts) => haltTrading(parts, words, terminal));

type Halting = Pick<CommandContext, 'journal' | 'settings'> & {
  readonly config: Pick<Config, 'environment' | 'stateDir' | 'stateUrl'>;
  readonly services: Pick<CommandContext['services'], 'clock'>;
};

/** Halts trading in the store; by a file where the store cannot be written. Returns the exit code. */
export async function haltTrading(
  { config, journal, services, settings }: Halting,
  words: readonly string[],
  terminal: ProcessContext,
  haltOthers = haltShared,
): Promise<number> {
  const reason = words.join(' ') || 'The owner gave no reason.';
  const halt = { at: services.clock.now(), by: 'command', reason } as const;
  const { isKept, earlier } = await journal
    .change(async (tx) => {
      const before = await readHalt(tx);
      await setHalt(tx, halt);
      return { isKept: true, earlier: before };
    })
    // Nothing about the store may prevent a halt: the file below halts trading instead.
    .catch(orElse('halt the store', { isKept: false, earlier: undefined }));
  // An older copy without this halt is then noticed; the halt holds without it.
  if (isKept && settings.witness)
    await keepStoreMark(journal, settings.witness).catch(orElse('keep the mark of the store', undefined));
  if (!isKept) {
    // A halt must work when the store does not: every process of this machine also checks for this file.
    haltByFile(config.stateDir, reason);
    terminal.warn('The store cannot be written; the file "halt" in the state folder halts trading instead.');
  }
  const isEverywhere = 'stateUrl' in resolveStoreLocation(config) ? isKept : await haltOthers(config.stateUrl, halt);
  if (!isEverywhere)
    terminal.warn('The shared store could not be reached: servers on OTHER machines are not halted. Halt them too.');
  const scope = isKept ? 'in any environment of this store' : 'from servers with this state folder on this machine';
  if (earlier) {
    const sayMoment = createSayMoment(terminal.zone(), services.clock);
    terminal.print(`Trading was already halted, ${describeHalt(earlier, sayMoment)}`);
    if (words.length > 0) terminal.print('The first reason stays, because it says what to investigate.');
  }
  terminal.print(`Halted: no new order is sent, ${scope}. Cancelling still works.`);
  terminal.print('Lift it with: brokerage-mcp resume');
  return 0;
}

/**
 * Halts the shared store too when the environment is the sandbox, whose store is local: the user expects the other
 * machines to stop as well. Returns false when that store cannot be reached.
 */
export async function haltShared(stateUrl: string | undefined, halt: Halt): Promise<boolean> {
  if (stateUrl === undefined) return true;
  const place = { stateUrl };
  const store = openStore<Intent, WriteIntent>({
    place,
    realClock: systemClock,
    random: Math.random,
    self: '',
    merge: {},
  });
  const journal: Journal = store.journal;
  try {
    await journal.change((tx) => setHalt(tx, halt));
    return true;
  } catch (error) {
    log.fault('halt the shared store', error);
    return false;
  } finally {
    await store.close();
  }
}
