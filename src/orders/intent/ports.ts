/** What the desk asks of the store, of the processes around it, and of the channels to a human. */
import type { Intent } from './intent.ts';
import type { IntentState } from './states.ts';
import type { WriteIntent } from './write-intent.ts';

export interface IntentFilter {
  readonly states?: readonly IntentState[];
  readonly accountKey?: string;
  readonly environment?: string;
  readonly ticker?: string;
  readonly fingerprint?: string;
  readonly repeatOf?: string;
  readonly orderId?: string;
  readonly handle?: string;
  readonly nonce?: string;
  readonly createdSince?: number;
  readonly limit?: number;
}

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
  /** A small fact of the desk: the halt, what was enrolled, who has the turn. */
  get<Value>(name: string): Promise<Value | undefined>;
}

export interface JournalChange extends JournalView {
  insert(intent: Intent): Promise<void>;
  /**
   * Compare-and-set: writes `change` when the intent is still in `from` and answers the new row, else
   * undefined. The audit trail gets its row in the same transaction.
   */
  move(
    intentId: string,
    from: IntentState,
    change: Partial<Intent> & { state: IntentState },
  ): Promise<Intent | undefined>;
  /** Removes the oldest `most` orders in these states that were made before the moment. Their audit trail stays. */
  removeUnsent(states: readonly IntentState[], createdBefore: number, most: number): Promise<void>;
  insertWrite(write: WriteIntent): Promise<void>;
  moveWrite(
    writeId: string,
    from: WriteIntent['state'],
    change: Partial<WriteIntent> & { state: WriteIntent['state'] },
  ): Promise<WriteIntent | undefined>;
  /** Undefined deletes it. */
  set(name: string, value: unknown): Promise<void>;
  /** Something for the audit trail that is no change of an intent. */
  note(environment: string, kind: string, data: object): Promise<void>;
}

export interface Journal {
  /**
   * One transaction: all of it or nothing, alone, and on the disk before it resolves. `work` waits for
   * nothing but `tx`. Throws `store_unavailable` when it cannot be written.
   */
  change<Result>(work: (tx: JournalChange) => Promise<Result>): Promise<Result>;
  read<Result>(work: (tx: JournalView) => Promise<Result>): Promise<Result>;
}

/** This process among those that share the store. */
export interface ProcessRegistry {
  readonly self: string;
  isAlive(owner: string): boolean;
}

/** Where a human can be asked from here. */
export interface ApprovalChannels {
  /** The address of the page for a ticket, which is served from then on; undefined where there can be none. */
  pageUrl(handle: string): Promise<string | undefined>;
}
