/** The halt: no new order leaves any process that shares the store, cancels pass, and only a human lifts it. */
import type { JournalChange, JournalView } from '../intent/ports.ts';

/** The names of the rules that halt; they are public. */
export type HaltRule = 'echo_mismatch' | 'foreign_order' | 'open_unknown' | 'rejections' | 'two_orders';

export interface Halt {
  readonly at: number;
  readonly by: 'command' | 'rule' | 'file';
  /** The rule that halted. */
  readonly rule?: HaltRule | undefined;
  readonly reason: string;
}

const recordName = 'halt';

export const readHalt = (tx: JournalView): Promise<Halt | undefined> => tx.get<Halt>(recordName);

/** The first reason stays: it is the one to look into. */
export async function setHalt(tx: JournalChange, halt: Halt): Promise<void> {
  if (await readHalt(tx)) return;
  await tx.set(recordName, halt);
  await tx.note('all', 'halt', halt);
}

/** A file in the state folder halts as the command does: it can be made when nothing else works, and removing it lifts nothing. */
export async function applyHaltFile(tx: JournalChange, haltFile: () => boolean, now: number): Promise<void> {
  if (haltFile()) await setHalt(tx, { at: now, by: 'file', reason: 'The file "halt" was placed in the state folder.' });
}

export async function liftHalt(tx: JournalChange): Promise<void> {
  const halt = await readHalt(tx);
  await tx.set(recordName, undefined);
  await tx.note('all', 'resume', { lifted: halt ?? null });
}
