/** What the order manager needs from the store, from the processes around it, and from the channels to a human. */

import { ExpectedError } from '../../errors.ts';
import type { DraftApproval } from './draft-approval.ts';
import type { Intent, LegReference } from './intent.ts';
import { type IntentEvent, type IntentState, nextState } from './states.ts';

interface IntentFilter {
  readonly states?: readonly IntentState[];
  readonly accountKey?: string;
  readonly environment?: string;
  readonly ticker?: string;
  readonly fingerprint?: string;
  readonly repeatOf?: string;
  readonly orderId?: string;
  readonly handle?: string;
  readonly nonce?: string;
  readonly submissionId?: string;
  readonly createdSince?: number;
  readonly limit?: number;
}

/** What an order must know of the attempt to send a draft that it is a leg of. */
export interface SubmissionGate {
  readonly id: string;
  readonly draftId: string;
  readonly version: number;
  readonly environment: string;
  readonly accountKey: string;
  /** Orders may leave only in the state `sending`. */
  readonly state: string;
  /** After this time (ms) none may leave. */
  readonly endsAt: number;
  /** `readHaltCount` when it was created: a halt since then stops it. */
  readonly haltCount: number;
  /** Undefined where orders need no approval. */
  readonly approval?: DraftApproval | undefined;
}

/** A leg that has no intent yet, and counts in the limits. */
export interface ReservedLeg extends LegReference {
  /** The worst-case value in the account currency; undefined when unknown. */
  readonly value?: string | undefined;
}

/** Reads of the journal. `undefined` means that no row has the id or the name. */
export interface JournalView {
  find(intentId: string): Promise<Intent | undefined>;
  /** Newest first. */
  list(filter?: IntentFilter): Promise<readonly Intent[]>;
  listWrites(filter: {
    readonly fingerprint?: string;
    readonly accountKey?: string;
    readonly states?: readonly WriteIntent['state'][];
    readonly createdSince: number;
  }): Promise<readonly WriteIntent[]>;
  findSubmission(id: string): Promise<SubmissionGate | undefined>;
  /** The legs of drafts that wait for their turn. Their limits are reserved. */
  listReservedLegs(accountKey: string): Promise<readonly ReservedLeg[]>;
  /** A small record of the order manager: the halt, the enrollment, the account lock. */
  get<Value>(name: string): Promise<Value | undefined>;
  /** The newest record of the audit trail; number 0 when there is none. */
  lastRecord(): Promise<{ readonly seq: number; readonly hash: string }>;
  /** The hash of a record of the audit trail; undefined when there is none with this number. */
  recordHash(seq: number): Promise<string | undefined>;
}

export interface JournalChange extends JournalView {
  insert(intent: Intent): Promise<void>;
  /**
   * Compare-and-set: if the intent is still in `from`, writes `change` and returns the new row; otherwise returns
   * undefined. The audit trail gets its row in the same transaction.
   */
  move(
    intentId: string,
    from: IntentState,
    change: Partial<Intent> & { state: IntentState },
  ): Promise<Intent | undefined>;
  /**
   * Removes the `most` oldest orders in these states that were created before the given time. Their audit trail
   * stays.
   */
  removeUnsent(states: readonly IntentState[], createdBefore: number, most: number): Promise<void>;
  insertWrite(write: WriteIntent): Promise<void>;
  moveWrite(
    writeId: string,
    from: WriteIntent['state'],
    change: Partial<WriteIntent> & { state: WriteIntent['state'] },
  ): Promise<WriteIntent | undefined>;
  /** An undefined value deletes the record. */
  set(name: string, value: unknown): Promise<void>;
  /** Moves the drafts of an account to the account that it turned out to be, and stops those that are being sent. */
  joinDrafts(from: string, to: string): Promise<void>;
  /** Ends what all clients of the web were granted. Returns how many grants there were. */
  removeGrants(): Promise<number>;
  /** Adds an entry to the audit trail that is not a change of an intent. */
  note(environment: string, kind: string, data: object): Promise<void>;
}

/** The store of all intents and writes, shared by the processes of a store. */
export interface Journal {
  /**
   * Runs one transaction: atomic, isolated, and durable before the promise resolves. `work` may await only `tx`.
   * Throws `store_unavailable` when the store cannot be written.
   */
  change<Result>(work: (tx: JournalChange) => Promise<Result>): Promise<Result>;
  read<Result>(work: (tx: JournalView) => Promise<Result>): Promise<Result>;
}

/** A record that the store with this id has: its number in the audit trail, and its hash. */
export interface StoreMark {
  readonly id: string;
  readonly seq: number;
  readonly hash: string;
}

/** What is known of the store outside of it. */
export interface StoreWitness {
  /** What was last seen at the store's location; undefined when nothing was. */
  read(): StoreMark | undefined;
  /** What was last seen of the store with this id, at any location. */
  readAnywhere(id: string): readonly StoreMark[];
  write(mark: StoreMark): void;
}

/** Where this process can ask a human. */
export interface ApprovalChannels {
  /** Starts serving the page of a ticket and returns its address; undefined when no page can be served. */
  pageUrl(handle: string): Promise<string | undefined>;
  /** Whether the page is opened in the browser of this machine. Otherwise a person needs the address first. */
  readonly opensBrowser: boolean;
}

/** The journal's record of one write that is not an order. */

export interface WriteIntent {
  readonly id: string;
  readonly kind: 'write';
  readonly state: 'SENDING' | 'DONE' | 'REJECTED' | 'UNKNOWN';
  readonly environment: string;
  readonly accountKey: string;
  readonly fingerprint: string;
  readonly endpoint: string;
  readonly createdAt: number;
  readonly changedAt: number;
  readonly sender: string;
  readonly reason?: string | undefined;
  /** Rejected by this server: nothing reached the broker. */
  readonly wasKeptBack?: boolean | undefined;
}

/** Thrown when another process changed the intent first; read the row again for its state. */
export class ConcurrentUpdateError extends ExpectedError {}

/**
 * Writes one transition of the state table and returns the new row. Throws ConcurrentUpdateError when another
 * process changed the row first.
 */
export async function applyTransition(
  tx: JournalChange,
  intent: Intent,
  event: IntentEvent,
  now: number,
  change: Partial<Intent>,
): Promise<Intent> {
  const state = nextState(intent.state, event);
  const moved = await tx.move(intent.id, intent.state, { ...change, state, changedAt: now });
  if (!moved) throw new ConcurrentUpdateError();
  return moved;
}
