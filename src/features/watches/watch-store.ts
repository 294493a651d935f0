/** What the watches need from the store. `core/store/watch-table.ts` implements it by structure. */

import type { Delivery } from './delivery-rules.ts';
import type { WatchEvent } from './event.ts';
import type { Sight } from './find-events.ts';
import type { Watch } from './watch-rules.ts';

/** An event as the store has it. */
export interface KeptEvent {
  readonly event: WatchEvent;
  /** When it was found (ms). */
  readonly foundAt: number;
}

/** Reads of one transaction. */
export interface WatchView {
  /** Oldest first. */
  listWatches(account: string): Promise<readonly Watch[]>;
  findSight(account: string): Promise<Sight | undefined>;
  /** The newest `most` events that were found since a time (ms), newest first. */
  listEvents(
    account: string,
    filter: { readonly foundSince: number; readonly most: number },
  ): Promise<readonly KeptEvent[]>;
  /** All attempts to deliver that began since a time (ms). */
  listDeliveries(account: string, since: number): Promise<readonly Delivery[]>;
  findDelivery(account: string, item: string, channel: string): Promise<Delivery | undefined>;
}

export interface WatchChange extends WatchView {
  insertWatch(account: string, watch: Watch): Promise<void>;
  removeWatch(account: string, id: string): Promise<void>;
  keepSight(account: string, sight: Sight): Promise<void>;
  /** False when there is an event with this key, which stays as it is. */
  insertEvent(account: string, kept: KeptEvent): Promise<boolean>;
  keepDelivery(account: string, delivery: Delivery): Promise<void>;
  /** Removes events that were found before a time (ms), and their deliveries. */
  removeOld(account: string, before: number): Promise<void>;
}

/** The store of all processes of an account. Both functions are transactions, and throw `store_unavailable`. */
export interface WatchStore {
  change<Result>(work: (tx: WatchChange) => Promise<Result>): Promise<Result>;
  read<Result>(work: (tx: WatchView) => Promise<Result>): Promise<Result>;
}
