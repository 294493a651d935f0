/** What the drafts need from the store and from the process. */
import type { Clock } from '../../../core/clock.ts';
import type { Draft, DraftState, DraftVersion } from './draft.ts';

/** Reads of one transaction. `undefined` means that no row has the id. */
export interface DraftView {
  findDraft(id: string): Promise<Draft | undefined>;
  /** Newest first. */
  listDrafts(filter: {
    readonly accountKey: string;
    readonly environment: string;
    readonly states: readonly DraftState[];
  }): Promise<readonly Draft[]>;
  /** Oldest first. */
  listVersions(draftId: string): Promise<readonly DraftVersion[]>;
  findVersion(draftId: string, version: number): Promise<DraftVersion | undefined>;
  /** Whether legs of the draft can still leave. */
  hasOpenSubmission(draftId: string): Promise<boolean>;
  /** When the account's versions since a time (ms) were made, newest first. */
  listVersionTimes(accountKey: string, since: number): Promise<readonly number[]>;
}

export interface DraftChange extends DraftView {
  insertDraft(draft: Draft): Promise<void>;
  insertVersion(version: DraftVersion): Promise<void>;
  /** Compare-and-set on version and state: false when another process changed the draft first. */
  moveDraft(from: Draft, change: Partial<Pick<Draft, 'version' | 'state'>>): Promise<boolean>;
  renameDraft(id: string, name: string): Promise<void>;
  /** Removes the `most` oldest drafts that were created before the given time and never sent. */
  removeDrafts(createdBefore: number, most: number): Promise<void>;
  /** Adds an entry to the audit trail. */
  note(environment: string, kind: string, data: object): Promise<void>;
}

/** The drafts of all processes that share a store. Both functions throw `store_unavailable`. */
export interface DraftStore {
  change<Result>(work: (tx: DraftChange) => Promise<Result>): Promise<Result>;
  read<Result>(work: (tx: DraftView) => Promise<Result>): Promise<Result>;
}

export interface DraftDeps {
  readonly store: DraftStore;
  readonly clock: Clock;
  readonly environment: string;
  /** The stable key of the account that the drafts are for. */
  readonly accountKey: () => Promise<string>;
}
