/**
 * The passkeys that the owner enrolled. They are in the record of the enrolment, so another passphrase ends them, and a
 * passkey that is being added has a record of its own until the owner has compared its number in the terminal.
 */

import { createHash, randomBytes } from 'node:crypto';
import { enrolmentRecord, type StoredEnrolment } from '../../core/approval/enrollment/enrollment.ts';
import type { JournalChange, JournalView } from '../../core/orders/intent/journal-port.ts';
import { foreignName } from '../../core/text/sanitize-text.ts';

export interface Passkey {
  /** Of the device, base64url. */
  readonly id: string;
  /** COSE, base64url. */
  readonly publicKey: string;
  /** How often it was used, where the device counts. */
  readonly counter: number;
  /** The owner’s own. */
  readonly name: string;
  /** Of the page that it is for. */
  readonly origin: string;
  readonly createdAt: number;
  /** Undefined before its first approval. */
  readonly usedAt?: number | undefined;
}

type Kept = Omit<StoredEnrolment, 'passkeys'> & { readonly passkeys?: readonly Passkey[] };

const readKept = (tx: JournalView): Promise<Kept | undefined> => tx.get<Kept>(enrolmentRecord);

/** Those of one page, or all; in the order in which they were added. */
export async function readPasskeys(tx: JournalView, origin?: string): Promise<readonly Passkey[]> {
  const all = (await readKept(tx))?.passkeys ?? [];
  return origin === undefined ? all : all.filter((passkey) => passkey.origin === origin);
}

/** The name as it is kept: short, and without characters that hide something. Undefined when nothing is left. */
export const passkeyName = (text: string): string | undefined => foreignName(text)?.slice(0, 40);

/** Adds one. Returns false when the passphrase is another one by now, or when the name or the device has one already. */
export async function addPasskey(tx: JournalChange, passkey: Passkey, enrolledAt: number): Promise<boolean> {
  const kept = await readKept(tx);
  const { passkeys = [] } = kept ?? {};
  if (kept?.enrolledAt !== enrolledAt) return false;
  if (passkeys.some(({ id, name }) => id === passkey.id || name === passkey.name)) return false;
  await tx.set(enrolmentRecord, { ...kept, passkeys: [...passkeys, passkey] });
  await tx.note('all', 'passkey_added', { name: passkey.name, origin: passkey.origin });
  return true;
}

/** Returns false when none has the name. */
export async function removePasskey(tx: JournalChange, name: string): Promise<boolean> {
  const kept = await readKept(tx);
  const left = kept?.passkeys?.filter((passkey) => passkey.name !== name);
  if (!kept || left?.length === kept.passkeys?.length) return false;
  await tx.set(enrolmentRecord, { ...kept, passkeys: left });
  await tx.note('all', 'passkey_removed', { name });
  return true;
}

/** Notes a use. Returns what is wrong when it was removed in the meantime, or was used elsewhere. */
export async function usePasskey(
  tx: JournalChange,
  used: Passkey,
  counter: number,
  at: number,
  seen: number,
): Promise<'unknown' | 'counter' | undefined> {
  const kept = await readKept(tx);
  const found = kept?.passkeys?.find(({ id }) => id === used.id);
  if (!kept || found?.publicKey !== used.publicKey) return 'unknown';
  if (found.counter !== used.counter) return 'counter';
  const passkeys = kept.passkeys?.map((passkey) => (passkey === found ? { ...found, counter, usedAt: at } : passkey));
  const wrong = kept.wrong && { ...kept.wrong, count: Math.max(0, kept.wrong.count - seen) };
  await tx.set(enrolmentRecord, { ...kept, passkeys, wrong });
  await tx.note('all', 'passkey_used', { name: found.name });
  return undefined;
}

// A passkey that is being added. There is one at a time.

export interface Adding {
  /** In the address of its page. */
  readonly handle: string;
  readonly name: string;
  readonly origin: string;
  readonly challenge: string;
  /** Names the owner to the device, at random. */
  readonly userId: string;
  readonly endsAt: number;
  readonly made?: Pick<Passkey, 'id' | 'publicKey' | 'counter'> | undefined;
}

const addingRecord = 'passkey being added';

/** How long (ms) its page can be opened and used. */
export const addingMs = 600_000;

export const readAdding = (tx: JournalView): Promise<Adding | undefined> => tx.get<Adding>(addingRecord);

export async function startAdding(tx: JournalChange, name: string, origin: string, now: number): Promise<Adding> {
  const [handle, challenge, userId] = [24, 32, 16].map((size) => randomBytes(size).toString('base64url'));
  const adding = { handle, name, origin, challenge, userId, endsAt: now + addingMs } as Adding;
  await tx.set(addingRecord, adding);
  return adding;
}

/** Keeps what the device made, once: an address that leaked cannot replace it. */
export async function keepMade(tx: JournalChange, handle: string, made: Adding['made']): Promise<boolean> {
  const adding = await readAdding(tx);
  if (adding?.handle !== handle || adding.made) return false;
  await tx.set(addingRecord, { ...adding, made });
  return true;
}

export const endAdding = (tx: JournalChange): Promise<void> => tx.set(addingRecord, undefined);

/** Six digits that the page shows and the owner types, so that an address that leaked adds no passkey of another person. */
export const numberOf = ({ id }: Pick<Passkey, 'id'>): string =>
  String(createHash('sha256').update(`passkey ${id}`).digest().readUInt32BE(0) % 1_000_000).padStart(6, '0');
