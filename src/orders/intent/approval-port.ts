/** What approving is, for the channels that ask a human (src/approval). The desk owns it; no channel decides. */
import type { OrderRequest } from './order-request.ts';
import type { IntentState } from './states.ts';

export const approvalMethods = ['page', 'terminal', 'elicitation'] as const;
export type ApprovalMethod = (typeof approvalMethods)[number];

/** Everything that a human is shown before saying yes. No text in it comes from the model. */
export interface Ticket {
  readonly intentId: string;
  readonly environment: string;
  readonly order: OrderRequest;
  readonly instrument: {
    readonly name: string | undefined;
    readonly isin: string | undefined;
    readonly type: string | undefined;
    /** Of every price on the ticket; GBX means pence. */
    readonly currency: string | undefined;
  };
  /** Account currency. `value` is undefined when no price or no rate is known, and then so is the rest. */
  readonly estimate: {
    readonly value: string | undefined;
    /** The estimate and 2 % more; for a sale the estimate itself. */
    readonly worst: string | undefined;
    readonly currency: string | undefined;
    readonly percentOfAccount: string | undefined;
    /** Instrument currency. */
    readonly price: string | undefined;
    readonly priceFrom: string | undefined;
  };
  readonly position: { readonly before: string; readonly after: string };
  readonly pendingOnTicker: readonly {
    readonly side: string;
    readonly type: string;
    readonly quantity: string;
    readonly limitPrice: string | undefined;
    readonly stopPrice: string | undefined;
  }[];
  /** This is a wanted repetition of an earlier order: SECOND IDENTICAL ORDER. */
  readonly isRepetition: boolean;
  readonly warnings: readonly string[];
}

export interface TicketView {
  readonly ticket: Ticket;
  readonly state: IntentState;
  /** What became of it so far, as one or two sentences for the human. */
  readonly message: string;
  readonly reason: string | undefined;
  readonly orderId: string | undefined;
  /** Changes with everything that was shown; an approval names the digest that its human saw. */
  readonly digest: string;
  /** Until the approval runs out; 0 when it has, or when nothing waits any more. */
  readonly secondsLeft: number;
  /** While it waits: wrong passphrases that the owner has to know of; undefined when there are none. */
  readonly wrongPassphrases?: WrongPassphrases | undefined;
}

/** Why a passphrase opens nothing. */
export type PassphraseRefusal =
  /** Nobody has enrolled a passphrase yet. */
  | { readonly kind: 'not_enrolled' }
  | {
      readonly kind: 'wrong_passphrase';
      /** Before the channel locks; undefined where it does not. */
      readonly attemptsLeft: number | undefined;
      readonly retryAfterSeconds: number;
    }
  /** The last attempt is too recent; this one was not looked at. */
  | { readonly kind: 'too_soon'; readonly retryAfterSeconds: number }
  /** Too many wrong passphrases on this channel: it is locked until the right one in a terminal, or `resume`. */
  | { readonly kind: 'locked' };

export type Decision =
  | { readonly kind: 'approved' }
  | { readonly kind: 'rejected' }
  | PassphraseRefusal
  /** It no longer waits: decided elsewhere, expired, or unknown. */
  | { readonly kind: 'not_waiting'; readonly state: IntentState | undefined }
  /** The ticket is not the one that was shown. */
  | { readonly kind: 'changed' };

/** How a channel looks at what waits, and hands in what a human said. */
export interface Approvals {
  /** By the random handle of the page's address. */
  viewByHandle(handle: string): Promise<TicketView | undefined>;
  view(intentId: string): Promise<TicketView | undefined>;
  /** What waits now, oldest first. */
  waiting(): Promise<readonly TicketView[]>;
  approve(answer: {
    readonly intentId: string;
    readonly digest: string;
    readonly passphrase: string;
    readonly channel: ApprovalMethod;
    /** How many wrong passphrases the human was shown with the ticket. */
    readonly seen?: number | undefined;
  }): Promise<Decision>;
  reject(answer: { readonly intentId: string; readonly channel: ApprovalMethod }): Promise<Decision>;
}

export interface WrongPassphrases {
  /** Since the owner last saw the count and typed the right one. */
  readonly count: number;
  /** Milliseconds since 1970. */
  readonly lastAt: number;
  /** Until the right passphrase in a terminal, or `resume`. */
  readonly isPageLocked: boolean;
}
