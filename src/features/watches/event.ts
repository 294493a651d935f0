/** What a watch reports: one event, and the facts that go with each kind of it. */

/** Decimal text and the code of its currency. */
export interface EventMoney {
  readonly amount: string;
  /** Undefined where the service did not name it. */
  readonly currency?: string | undefined;
}

/** An order of the account, of this program or of another. */
export interface OrderFacts {
  readonly ticker: string;
  readonly name?: string | undefined;
  readonly side: 'BUY' | 'SELL';
  /** A type of the service, such as LIMIT. */
  readonly type?: string | undefined;
  /** Ordered shares, unsigned; undefined for an order by value. */
  readonly quantity?: string | undefined;
  readonly filledQuantity?: string | undefined;
  readonly value?: EventMoney | undefined;
  /** Of a filled order the price of its fill, otherwise its limit. */
  readonly price?: EventMoney | undefined;
  /** A state or a text of the service: why the order ended. */
  readonly reason?: string | undefined;
}

/** A person is asked to approve an order or a draft. */
export interface ApprovalFacts {
  readonly subject: 'order' | 'draft';
  readonly ticker?: string | undefined;
  /** The number of orders of a draft. */
  readonly legs?: number | undefined;
  /** When the approval ends (epoch ms). */
  readonly expiresAt: number;
}

export interface DueDraftFacts {
  /** The name of a recurring plan. */
  readonly plan?: string | undefined;
  /** The number of orders. */
  readonly legs: number;
}

export interface StoppedDraftFacts {
  /** The number of orders, and how many of them were placed. */
  readonly legs: number;
  readonly placed: number;
  /** Code of the reason. */
  readonly reason: string;
}

/** Money that the account received or paid. */
export interface BookingFacts {
  readonly ticker?: string | undefined;
  readonly name?: string | undefined;
  readonly amount: EventMoney;
}

export interface HaltFacts {
  /** When the halt began (epoch ms). */
  readonly since: number;
}

/** The price of something held crossed a level. */
export interface PriceFacts {
  readonly ticker: string;
  readonly name?: string | undefined;
  /** In `currency`, as is `level`. */
  readonly price: string;
  readonly currency: string;
  readonly level: string;
  readonly direction: 'above' | 'below';
}

/** The value of a position or of the portfolio moved. */
export interface MoveFacts {
  /** Undefined for the portfolio. */
  readonly ticker?: string | undefined;
  readonly name?: string | undefined;
  /** Signed. */
  readonly percent: string;
  /** The day of the earlier value (YYYY-MM-DD). */
  readonly since: string;
}

export interface FactsByKind {
  readonly order_filled: OrderFacts;
  readonly order_rejected: OrderFacts;
  readonly order_ended: OrderFacts;
  readonly approval_waits: ApprovalFacts;
  readonly draft_due: DueDraftFacts;
  readonly draft_stopped: StoppedDraftFacts;
  readonly dividend_arrived: BookingFacts;
  readonly fee_arrived: BookingFacts;
  readonly halt: HaltFacts;
  readonly price: PriceFacts;
  readonly move: MoveFacts;
}

/** The names are public. */
export type EventKind = keyof FactsByKind;

interface EventOf<Kind extends EventKind> {
  /** The same for the same event whenever it is found. */
  readonly key: string;
  readonly kind: Kind;
  /** When it happened, or when it was found where no row has the time (epoch ms). */
  readonly at: number;
  readonly facts: FactsByKind[Kind];
}

/** `kind` says which facts an event has. */
export type WatchEvent = { readonly [Kind in EventKind]: EventOf<Kind> }[EventKind];
