/** The halt: no process that shares the store sends a new order, cancellations pass, and only a human lifts it. */

import { dayMs, isWithin } from '../../clock.ts';
import { toWords } from '../../text/count-of.ts';
import type { SayMoment } from '../../text/format-moment.ts';
import type { Intent } from '../intent/intent.ts';
import type { JournalChange, JournalView } from '../intent/journal-port.ts';
import { unknownStates } from '../intent/states.ts';

/** The rules that can halt trading. The names are public. */
type HaltRule = 'echo_mismatch' | 'foreign_order' | 'open_unknown' | 'rejections' | 'two_orders';

/** Why and when (ms) trading was halted. */
export interface Halt {
  readonly at: number;
  readonly by: 'command' | 'rule' | 'file';
  /** The rule that halted. */
  readonly rule?: HaltRule | undefined;
  readonly reason: string;
}

const recordName = 'halt';
const countName = 'halt-count';

/** The halt in force; undefined when trading is not halted. */
export const readHalt = (tx: JournalView): Promise<Halt | undefined> => tx.get<Halt>(recordName);

/**
 * How often trading was halted in this store. A draft that is sent over minutes compares it with the number at its
 * start, because a halt stops it even if it is lifted in a pause of the draft.
 */
export const readHaltCount = async (tx: JournalView): Promise<number> => (await tx.get<number>(countName)) ?? 0;

/** Halts trading. The first reason is kept, because it shows what to investigate. */
export async function setHalt(tx: JournalChange, halt: Halt): Promise<void> {
  if (await readHalt(tx)) return;
  await tx.set(recordName, halt);
  await tx.set(countName, (await readHaltCount(tx)) + 1);
  await tx.note('all', 'halt', halt);
}

/**
 * A file in the state folder halts like the command. It can be created when nothing else works; removing it does
 * not lift the halt.
 */
export async function applyHaltFile(tx: JournalChange, haltFile: () => boolean, now: number): Promise<void> {
  if (haltFile()) await setHalt(tx, { at: now, by: 'file', reason: 'The file "halt" was placed in the state folder.' });
}

/** Lifts the halt. The caller must have asked the owner, with the passphrase if one is enrolled. */
export async function liftHalt(tx: JournalChange): Promise<void> {
  const halt = await readHalt(tx);
  await tx.set(recordName, undefined);
  await tx.note('all', 'resume', { lifted: halt ?? null });
}

// The rules that halt live trading automatically, in whichever process they apply and however late.

const rejectionsMs = 600_000;
const maxRejections = 3;
/** Trading halts when this many orders have an unknown outcome at the same time. */
export const maxUnknownOrders = 2;

/** Halts live trading if the state that an intent has just reached requires it. */
export async function haltIfNeeded(tx: JournalChange, intent: Intent, now: number): Promise<void> {
  if (intent.environment !== 'live') return;
  const { accountKey, state, mismatch } = intent;
  const halt = (rule: HaltRule, reason: string) => setHalt(tx, { at: now, by: 'rule', rule, reason });
  if (mismatch?.length)
    await halt(
      'echo_mismatch',
      `The broker's response to an order differs from the request in ${mismatch.map(toWords).join(', ')}.`,
    );
  if (state === 'REJECTED') {
    const rejected = await tx.list({ states: ['REJECTED'], accountKey, createdSince: now - dayMs });
    if (rejected.filter(({ changedAt }) => isWithin(changedAt, now, rejectionsMs)).length >= maxRejections)
      await halt('rejections', `The broker rejected ${maxRejections} orders within ten minutes.`);
  }
  const isUnknown = (unknownStates as readonly string[]).includes(state);
  if (isUnknown && (await tx.list({ states: unknownStates, accountKey })).length >= maxUnknownOrders)
    await halt('open_unknown', `${maxUnknownOrders} orders have an unknown outcome at the same time.`);
}

const causes: Readonly<Record<Halt['by'], string>> = { command: 'a command', rule: 'a rule', file: 'a file' };

/** Since when trading is halted, by what and why: what follows "halted". */
export const describeHalt = ({ at, by, reason }: Halt, sayMoment: SayMoment): string =>
  `since ${sayMoment(at)} by ${causes[by]}: ${reason}`;
