/**
 * Whether the store is the one that was used before. One that vanished or is older does not know the orders placed since,
 * and would place the same order a second time.
 */
import { randomBytes } from 'node:crypto';
import type { Journal, JournalView, StoreMark, StoreWitness } from '../intent/journal-port.ts';

/** `new`: the store has no id, but one that had was used here. `other`: it has another id. `older`: it lacks records. */
export type StoreChange = 'new' | 'other' | 'older';

const recordName = 'store id';

/** How the store differs from what was last seen; undefined when it does not. */
export async function findStoreChange(
  tx: JournalView,
  witness: StoreWitness | undefined,
): Promise<StoreChange | undefined> {
  if (!witness) return undefined;
  const id = await tx.get<string>(recordName);
  const seen = witness.read();
  if (seen && id === undefined) return 'new';
  if (seen && seen.id !== id) return 'other';
  // A store that was moved has its id at another location.
  const marks = seen ? [seen] : id === undefined ? [] : witness.readAnywhere(id);
  for (const { seq, hash } of marks) if (seq > 0 && (await tx.recordHash(seq)) !== hash) return 'older';
  return undefined;
}

const words: Record<StoreChange, string> = {
  new: 'The store is a new one, and the one that was used at this place before is gone.',
  other: 'The store is another one than the one that was used at this place before.',
  older: 'The store lacks records that it had before, as an older copy does.',
};

/** Two sentences. */
export const describeStoreChange = (change: StoreChange): string =>
  `${words[change]} It may not know orders that were placed: the same order again would be a second one.`;

/** What the owner does about it. */
export const storeChangeStep =
  'Compare the broker’s application with brokerage-mcp status, then confirm the store with brokerage-mcp resume in a terminal.';

/**
 * Writes the newest record of the store to the witness. Called after the commit of an order, so that a store
 * without the order is noticed. Does nothing while the store differs from what was seen.
 */
export async function keepStoreMark(journal: Journal, witness: StoreWitness): Promise<void> {
  const mark = await readMark(journal, witness, false);
  if (mark && mark.seq > (witness.read()?.seq ?? -1)) witness.write(mark);
}

/** Makes the present store the known one. The caller must have asked the owner. */
export async function confirmStore(journal: Journal, witness: StoreWitness): Promise<void> {
  const mark = await readMark(journal, witness, true);
  if (mark) witness.write(mark);
}

/** The newest record; undefined when the store differs from what was seen, unless the owner has confirmed it. */
const readMark = (journal: Journal, witness: StoreWitness, isConfirmed: boolean): Promise<StoreMark | undefined> =>
  journal.change(async (tx) => {
    if (!isConfirmed && (await findStoreChange(tx, witness))) return undefined;
    const known = await tx.get<string>(recordName);
    const id = known ?? randomBytes(16).toString('hex');
    if (known === undefined) await tx.set(recordName, id);
    return { id, ...(await tx.lastRecord()) };
  });
