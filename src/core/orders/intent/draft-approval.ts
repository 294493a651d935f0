/** One approval of a person for all orders of a draft. */

import type { ApprovalMethod, FormRecord } from './approval-methods.ts';
import type { Ticket } from './approval-port.ts';

/** The facts of an order that has no intent yet. The cash is that of all legs together. */
export type LegTicket = Omit<Ticket, 'intentId' | 'cash'>;

/** One leg as a person sees it. No text of the model is in it. */
export interface DraftLegTicket {
  /** The number of the leg in its draft, from 1. */
  readonly number: number;
  readonly ticket: LegTicket;
  /** Per share in the instrument's currency: when the version was made, and when the person was asked. */
  readonly priceThen: string | undefined;
  readonly priceNow: string | undefined;
  readonly isPriceAssumed: boolean;
  /** The buy waits for the fills of the sells. */
  readonly isDependent: boolean;
}

/** What a person sees before approving a draft. The legs are in the sequence in which they are sent. */
export interface DraftTicket {
  readonly submissionId: string;
  readonly draftId: string;
  readonly version: number;
  readonly environment: string;
  /** The name of the account, where the owner has several. */
  readonly account?: string | undefined;
  readonly legs: readonly DraftLegTicket[];
  /** In the account currency, before charges. Legs of unknown value are in no sum. */
  readonly totals: {
    readonly bought: string;
    readonly sold: string;
    readonly currency: string | undefined;
    readonly unknownValues: number;
    /** What the buys cost at worst: their estimates with the margin of 2 %. */
    readonly worst: string;
    /** Estimated from own fills, for all legs together; undefined when the charges of a leg are unknown. */
    readonly charges: string | undefined;
    /**
     * What own orders leave of the cash, and what is left when all legs are filled at their estimates, after the charges
     * that are known. Undefined when the service did not report the cash; `after` also when a value is unknown.
     */
    readonly cash?: Ticket['cash'];
    /** The largest leg in percent of the account; undefined when no value is known. */
    readonly largestPercent: string | undefined;
    /** The ticker whose legs are together the largest part of the account; undefined when no value is known. */
    readonly largestShare: { readonly ticker: string; readonly percent: string } | undefined;
  };
}

/**
 * An approval is bound to one attempt to send one version of one draft by `digest`, and can be given until `expiresAt`.
 * Each leg is used once, because a leg becomes an intent once. Times are milliseconds since 1970.
 */
export interface DraftApproval {
  /** 192 random bits: the address of the page. */
  readonly handle: string;
  readonly nonce: string;
  /** The approval that was required when the person was asked. */
  readonly method: ApprovalMethod;
  readonly digest: string;
  readonly askedAt: number;
  readonly expiresAt: number;
  /** The digests of the orders, in the sequence in which they are sent. */
  readonly legs: readonly { readonly number: number; readonly digest: string }[];
  readonly ticket: DraftTicket;
  readonly approvedAt?: number | undefined;
  readonly by?: ApprovalMethod | undefined;
  /** Undefined when no form of a host was sent. */
  readonly form?: FormRecord | undefined;
}
