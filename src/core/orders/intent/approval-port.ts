/**
 * The interface between the order manager and the approval channels (src/core/approval). A channel shows tickets and
 * submits decisions; the order manager applies the rules, so no channel decides.
 */

import type { ApprovalMethod, LockingChannel } from './approval-methods.ts';
import type { OrderRequest } from './order-request.ts';
import type { IntentState } from './states.ts';

/** The facts that a human sees before approving. No text in it comes from the model. */
export interface Ticket {
  readonly intentId: string;
  readonly environment: string;
  /** The name of the account, where the owner has several. */
  readonly account?: string | undefined;
  readonly order: OrderRequest;
  readonly instrument: {
    readonly name: string | undefined;
    readonly isin: string | undefined;
    readonly type: string | undefined;
    /** Currency of every price on the ticket; GBX means pence. */
    readonly currency: string | undefined;
  };
  /**
   * In the account currency. `value` is undefined when no price or exchange rate is known, and then so are `worst`,
   * `percentOfAccount` and `price`.
   */
  readonly estimate: {
    readonly value: string | undefined;
    /** The estimate plus a margin of 2 %; for a sale the estimate itself. */
    readonly worst: string | undefined;
    readonly currency: string | undefined;
    /** Of `worst`. */
    readonly percentOfAccount: string | undefined;
    /** In the instrument currency. */
    readonly price: string | undefined;
    readonly priceFrom: string | undefined;
    /** In the instrument currency; undefined when none is known. */
    readonly lastKnownPrice?: string | undefined;
    /** What the leg of a draft is worth at the price that its caller assumed, where `value` is undefined. */
    readonly assumed?: { readonly price: string; readonly value: string } | undefined;
  };
  readonly position: { readonly before: string; readonly after: string };
  /**
   * In the account currency: what own orders leave of the cash, and what this one would leave at its estimate, before
   * charges. Undefined when the service did not report the cash; `after` also when the value of the order is unknown.
   */
  readonly cash?: { readonly before: string; readonly after: string | undefined } | undefined;
  /** At most 20; `morePending` is the number of the others, undefined for none. */
  readonly pendingOnTicker: readonly {
    readonly side: string;
    readonly type: string;
    /** Shares; or the amount of an order for money, as `for 500 GBP`. */
    readonly quantity: string;
    readonly limitPrice: string | undefined;
    readonly stopPrice: string | undefined;
  }[];
  readonly morePending?: number | undefined;
  /** True for an intended repetition of an earlier order, which the ticket marks as SECOND IDENTICAL ORDER. */
  readonly isRepetition: boolean;
  readonly warnings: readonly string[];
}

/** A ticket and its current state, as a channel shows it. */
export interface TicketView {
  readonly ticket: Ticket;
  readonly state: IntentState;
  /** What has happened to the order so far, as one or two sentences for the human. */
  readonly message: string;
  readonly reason: string | undefined;
  readonly orderId: string | undefined;
  /**
   * Changes with everything that was shown. An approval names the digest that its human saw, so it holds for
   * nothing else.
   */
  readonly digest: string;
  /** Seconds until the approval expires; 0 when it has expired or the order is no longer waiting. */
  readonly secondsLeft: number;
  /** While the order waits: wrong passphrases that the owner must know about; undefined when there are none. */
  readonly wrongPassphrases?: WrongPassphrases | undefined;
}

/** Why a passphrase was not accepted. */
export type PassphraseRefusal =
  /** No passphrase is enrolled. */
  | { readonly kind: 'not_enrolled' }
  | {
      readonly kind: 'wrong_passphrase';
      /** Attempts left before the channel locks; undefined for a channel that does not lock. */
      readonly attemptsLeft: number | undefined;
      readonly retryAfterSeconds: number;
    }
  /** The last attempt was too recent; this one was not checked. */
  | { readonly kind: 'too_soon'; readonly retryAfterSeconds: number }
  /**
   * Too many wrong passphrases on this channel: it is locked until the right one is typed in a terminal, or
   * `resume` is run.
   */
  | { readonly kind: 'locked' };

/** Why a passkey did not approve. */
export type PasskeyProblem =
  | 'malformed'
  /** This page did not ask for it, it was used before, or it is too old. */
  | 'not_asked'
  /** Its signature is over something else than what is approved. */
  | 'challenge'
  /** It was made on another page. */
  | 'origin'
  /** It was made for another name. */
  | 'relying_party'
  /** The device did not check who uses it. */
  | 'user_verification'
  /** It is not enrolled. */
  | 'unknown'
  /** It counts fewer uses than before, so a copy of it may exist. */
  | 'counter'
  | 'signature';

export interface PasskeyRefusal {
  readonly kind: 'passkey_refused';
  readonly problem: PasskeyProblem;
}

/** Shows that the owner approves, instead of the passphrase. A channel reads it; only what it was made for accepts it. */
export interface OwnerProof {
  /** `digest` is of what is approved; `seen` how many wrong passphrases were shown. */
  check(digest: string, seen: number | undefined): Promise<{ readonly kind: 'right' } | PasskeyRefusal>;
}

/** The result of an attempt to approve or reject an order. */
export type Decision =
  | { readonly kind: 'approved' }
  | { readonly kind: 'rejected' }
  | PassphraseRefusal
  | PasskeyRefusal
  /** The order is not waiting: it was decided elsewhere, it expired, or no such intent is known. */
  | { readonly kind: 'not_waiting'; readonly state?: IntentState | undefined }
  /** The ticket is not the one that was shown. */
  | { readonly kind: 'changed' };

/**
 * How a channel reads waiting tickets and submits the decision of a human. Every method throws `store_unavailable`
 * when the journal cannot be used.
 */
export interface Approvals {
  /** By the random handle in the page's address; undefined when no recent ticket has it. */
  viewByHandle(handle: string): Promise<TicketView | undefined>;
  view(intentId: string): Promise<TicketView | undefined>;
  /** The tickets that wait now, oldest first. */
  waiting(): Promise<readonly TicketView[]>;
  approve(answer: {
    readonly intentId: string;
    readonly digest: string;
    readonly passphrase: string;
    /** Takes the place of the passphrase. */
    readonly proof?: OwnerProof | undefined;
    readonly channel: ApprovalMethod;
    /** How many wrong passphrases were shown to the human with the ticket. */
    readonly seen?: number | undefined;
  }): Promise<Decision>;
  reject(answer: { readonly intentId: string; readonly channel: ApprovalMethod }): Promise<Decision>;
}

/** Wrong passphrases that the owner must be shown. */
export interface WrongPassphrases {
  /** Wrong passphrases since the owner last saw the count and typed the right one. */
  readonly count: number;
  /** Milliseconds since 1970. */
  readonly lastAt: number;
  /** Locked until the right passphrase is typed in a terminal, or `resume` is run. */
  readonly locked: readonly LockingChannel[];
}
