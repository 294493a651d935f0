/** A draft: an ordered list of orders that were not sent, kept so that a person can read, edit and release it. */

import { type Clock, dayMs, holdsUntil } from '../../../core/clock.ts';
import type { OrderRequest } from '../../../core/orders/intent/order-request.ts';

/**
 * What a plan wants of a ticket: its part of the planned tickers, in percent. `change` is what the leg adds to `after`,
 * so that a smaller leg has a known weight.
 */
export interface LegWeight {
  readonly before: string;
  readonly target?: string | undefined;
  readonly after: string;
  readonly change: string;
}

/** One order of a draft. The fields of the order are in canonical form, as in `OrderRequest`. */
export interface DraftLeg extends OrderRequest {
  /** One sentence on why the leg is there. It is never shown where a person approves. */
  readonly reason?: string | undefined;
  /** The price per share, in the instrument's currency, that the leg was sized with; undefined when none was known. */
  readonly price?: string | undefined;
  /** The price was assumed by the caller. It is no reference for any rule. */
  readonly isPriceAssumed?: true | undefined;
  /** Undefined for a leg that no plan computed. */
  readonly weight?: LegWeight | undefined;
}

/**
 * `open`: it can be read, edited and sent. `discarded` and `sent` are final; `sent` means that every leg of its last
 * version was sent.
 */
export type DraftState = 'open' | 'discarded' | 'sent';

/** One draft. Times are milliseconds since 1970. */
export interface Draft {
  /** 64 random bits in hexadecimal. */
  readonly id: string;
  readonly accountKey: string;
  readonly environment: string;
  readonly name: string | undefined;
  /** The number of its latest version; the first is 1. */
  readonly version: number;
  readonly state: DraftState;
  /** The tool or plan that computed it. */
  readonly source: string;
  readonly createdAt: number;
  readonly expiresAt: number;
}

/** What made a version: a tool, a person at one of the two channels, or the end of an attempt to send the draft. */
export type DraftChannel = 'tool' | 'page' | 'terminal' | 'submission';

/** A version of a draft. It never changes. */
export interface DraftVersion {
  readonly draftId: string;
  readonly version: number;
  readonly createdAt: number;
  readonly channel: DraftChannel;
  /** What a person changed in the version before. */
  readonly edit?: DraftEdit | undefined;
  readonly legs: readonly DraftLeg[];
}

/** A change that a person can make: it removes a leg, or makes its order smaller or its price stricter. */
export type DraftEdit =
  | { readonly kind: 'remove'; readonly leg: number }
  | { readonly kind: 'quantity'; readonly leg: number; readonly quantity: string }
  | { readonly kind: 'limitPrice'; readonly leg: number; readonly limitPrice: string };

/** A draft with its latest version. */
export interface OpenedDraft {
  readonly draft: Draft;
  readonly latest: DraftVersion;
}

/** Legs of one draft. */
export const maxLegs = 30;
/** Milliseconds that a draft lives. */
export const draftLifeMs = 7 * 86_400_000;

/** Whether the time of a draft has passed. One that would last much longer was made under a clock that was ahead. */
export const isDraftExpired = ({ expiresAt }: Pick<Draft, 'expiresAt'>, now: number): boolean =>
  !holdsUntil(expiresAt, now, draftLifeMs + dayMs);

// What the drafts need from the store and from the process.

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
interface DraftStore {
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
