/**
 * The record of a run: what was visible from outside, one JSON object on each line, in the order in which it happened.
 * Times are in milliseconds. The sequence of the lines decides which came first, because a clock may stand still.
 */
import type { Order } from './order.ts';

export type Entry =
  | Setup
  | Call
  | Answer
  | Cancel
  | Version
  | Request
  | Shown
  | Decision
  | Ends
  | Intent
  | Stop
  | Resume
  | Price
  | Outside;

export type RunRecord = readonly Entry[];

interface Timed {
  readonly at: number;
}

/** What the owner set. A later one holds from its line on. */
export interface Setup extends Timed {
  readonly kind: 'setup';
  readonly environment: 'sandbox' | 'demo' | 'live';
  readonly approval: 'none' | 'page' | 'terminal' | 'elicitation';
  /** What is left out has the default of the environment. */
  readonly limits: Partial<Limits>;
  /** The longest time from the decision to send to the arrival of the request: 0 with a clock that is driven. */
  readonly writeMs: number;
}

export interface Limits {
  readonly maxOrderValue: string;
  readonly maxDayValue: string;
  readonly maxOrderQuantity: string;
  readonly ordersPerMinute: number;
  readonly ordersPerHour: number;
  readonly ordersPerDay: number;
  /** The only tickers that may be traded. */
  readonly tickers: readonly string[];
}

/** A tool was called. */
export interface Call extends Timed {
  readonly kind: 'call';
  readonly id: string;
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
}

/** The result of a call. A call that was never answered has none. */
export interface Answer extends Timed {
  readonly kind: 'answer';
  readonly call: string;
  /** The structured result, or the error with its `code`. */
  readonly body: Readonly<Record<string, unknown>>;
}

/** The host cancelled a call. */
export interface Cancel extends Timed {
  readonly kind: 'cancel';
  readonly call: string;
}

/** A version of a draft that a person made, outside of the tools. */
export interface Version extends Timed {
  readonly kind: 'version';
  readonly draftId: string;
  readonly version: number;
  readonly orders: readonly Order[];
}

/** A request that reached the service. */
export interface Request extends Timed {
  readonly kind: 'request';
  readonly method: string;
  readonly path: string;
  /** Null when it never arrived completely. */
  readonly body: string | null;
  /** Null when no complete response was sent. */
  readonly status: number | null;
  readonly response?: string | undefined;
  /** The id of the order that the service booked for it. */
  readonly booked?: string | undefined;
}

/** What a person, or a host in the place of one, was shown. */
export interface Shown extends Timed {
  readonly kind: 'shown';
  readonly id: string;
  /** In the sequence in which they are to be sent. */
  readonly orders: readonly Order[];
  /** The places of those that are marked as a second identical order, from 0. */
  readonly repetitions?: readonly number[] | undefined;
  readonly expiresAt: number;
  /** Of a draft; left out for a single order. */
  readonly draft?: { readonly draftId: string; readonly version: number } | undefined;
}

/** What became of it. A decision is recorded when it is sent, whatever the program makes of it. */
export interface Decision extends Timed {
  readonly kind: 'decision';
  readonly shown: string;
  readonly where: 'page' | 'terminal' | 'form';
  readonly action: 'approve' | 'reject' | 'cancel';
  /** On the page and in the terminal. */
  readonly passphrase?: 'right' | 'wrong' | undefined;
  /** In a form. */
  readonly content?: Readonly<Record<string, unknown>> | undefined;
}

/** The time of an approval was cut short. */
export interface Ends extends Timed {
  readonly kind: 'ends';
  readonly shown: string;
  readonly endsAt: number;
}

/** Which order an intent is, where the answer that would tell it was lost. */
export interface Intent extends Timed {
  readonly kind: 'intent';
  readonly intentId: string;
  readonly order: Order;
}

/** Recorded when it was acknowledged. */
export interface Stop extends Timed {
  readonly kind: 'stop';
  /** Left out: everything is halted. */
  readonly draftId?: string | undefined;
  /** Quantities of the orders that were on their way by then; left out: at most one was, and it is not known which. */
  readonly onItsWay?: readonly string[] | undefined;
}

/** The halt was lifted. */
export interface Resume extends Timed {
  readonly kind: 'resume';
}

/** The price of one share, as the service had it, and what one unit of it is in the account's currency. */
export interface Price extends Timed {
  readonly kind: 'price';
  readonly ticker: string;
  readonly price: string;
  readonly unit: string;
}

/** Something was broken on purpose outside of what the program can protect: these rules are not judged after it. */
export interface Outside extends Timed {
  readonly kind: 'outside';
  readonly what: string;
  readonly excuses: readonly string[];
}
