/**
 * Behaviour observed in services of this kind beyond the specification, one switch each. `noQuirks` has the form that
 * was reported most often; tests can change each while the simulator runs.
 */
export interface Quirks {
  /** Lists that are not paginated: bare, or inside `{items}` or `{data}`. */
  listEnvelope: 'bare' | 'items' | 'data';
  /** Fields that do not apply are null; otherwise they are absent. */
  nullFields: boolean;
  /** Form of `nextPagePath`. The last two must never be followed unchanged. */
  nextPagePath: 'full' | 'withoutPrefix' | 'bareQuery' | 'questionMarkQuery' | 'otherOrigin' | 'otherPath';
  /** End of the pages: null, "", no key, or a path whose cursor is the string `null`. */
  lastPage: 'null' | 'empty' | 'absent' | 'nullCursor';
  /** `nextPagePath` ends with a parameter without a value. */
  valuelessParameter: boolean;
  /** Enum values that the specification does not list. */
  unknownEnums: boolean;
  /** Ids of orders, fills, reports and pies over 2^53. */
  hugeIds: boolean;
  /** Zero is `0E-10`; other numbers have trailing zeros. */
  longNumbers: boolean;
  /** Response body of a DELETE. */
  deleteBody: 'empty' | 'object' | 'order';
  /** Times with `Z`, `+02:00` and `+03:00` in the same response. */
  mixedOffsets: boolean;
  /** Sell orders and their fills have a positive quantity; only `side` shows the sale. */
  unsignedSells: boolean;
  /** Withdrawals and fees are positive; only `type` shows the direction. */
  positiveWithdrawals: boolean;
  /**
   * Response to a request over the limit: 429 with or without headers, or 200 or 400 with the BusinessException body.
   */
  rateLimitAnswer: 'withHeaders' | 'withoutHeaders' | 'status200' | 'status400';
  /** Body of an exceeded limit: the BusinessException that services send, or the shape of the other errors. */
  rateLimitBody: 'exception' | 'asErrors';
  /** A request within 45 ms after the end of a full window is still refused. */
  refuseAtBoundary: boolean;
  /** Requests per minute of the three histories; undefined means the catalogue's 6. */
  historyRequests: number | undefined;
  /** The shape of error bodies. */
  errorBody: 'problem' | 'code' | 'business' | 'empty' | 'text' | 'html';
  /** Error bodies of the shape `problem` have a `traceId`. */
  traceIds: boolean;
  /** The key alone in the Authorization header is accepted. */
  keyAlone: boolean;
  /** Paths of an earlier description, such as `equity/account/cash`, work. */
  olderPaths: boolean;
  /** A pending order changes from NEW to CONFIRMED after 300 ms. */
  confirmsOrders: boolean;
  /** Maximum distance of a stop price from the last price, in percent; undefined allows a factor of 10. */
  maxStopPercent: number | undefined;
  /** Sign of a charge in the taxes of a fill. */
  taxSign: 'negative' | 'positive';
  /** `fxImpact` of a position in the account's own currency. */
  ownFxImpact: 'null' | 'absent' | 'zero';
  /** Time after placement in which an order can be neither read nor listed (ms). */
  unreadableOrderMs: number;
  /** Time after placement in which an order reserves no cash and no shares in responses (ms). */
  reservedLateMs: number;
  /** Time after a fill in which summary, positions and pending orders still show the state before it (ms). */
  staleReadMs: number;
  /** This number of the next position reads returns `[]`; counts down. */
  emptyPositions: number;
  /** Dividends are slightly out of order. */
  dividendsOutOfOrder: boolean;
  /** Before each page after the first, a new row is added at the start of that history. */
  rowsArriveWhilePaging: boolean;
  /** Page `page` of a history (1 is the newest) fails with this status. */
  failPage: { page: number; status: 404 | 500 } | undefined;
  /** Page `page` of a history names itself as the next page. */
  repeatPage: number | undefined;
  /** The second page of each read is empty once but has a next path. */
  emptyPage: boolean;
  /** Order cursors contain only a second: its rows are returned twice, or some never. */
  sameSecondPaging: 'exact' | 'repeat' | 'skip';
  /** Both export calls return 403 `not-available-in-demo-account`. */
  exportsForbidden: boolean;
  /** Each read returns the list of reports in another order. */
  reportsShuffled: boolean;
  /** Final state of a report. */
  reportOutcome: 'finished' | 'never' | 'failed' | 'canceled';
  /** Target of a finished report's link; undefined means this service's own file. */
  downloadLink: string | undefined;
  /**
   * CSV: `Total,Currency (Total)`, or `Total (GBP)`, or only a gross total (before charges), or gross total, taxes and
   * net total.
   */
  csvTotals: 'pair' | 'inHeader' | 'gross' | 'grossNet';
  /** CSV: a split is one row with the shares that it adds, or closes the old shares and opens the new ones. */
  csvSplits: 'one' | 'pair';
  /** CSV: name of the time column. */
  csvTimeHeader: 'Time' | 'Time (UTC)';
  /** CSV: position of the columns Notes and ID. */
  csvNotes: 'middle' | 'last' | 'missing';
  /** CSV: starts with a byte order mark. */
  csvBom: boolean;
  /** Pies whose optional fields are null. */
  pieNulls: boolean;
  /** Limit orders that fill in two parts: a few of the larger ones, all that can be split, or none. */
  partialFills: 'sometimes' | 'always' | 'never';
}

export const noQuirks: Readonly<Quirks> = {
  listEnvelope: 'bare',
  nullFields: false,
  nextPagePath: 'full',
  lastPage: 'null',
  valuelessParameter: false,
  unknownEnums: false,
  hugeIds: false,
  longNumbers: false,
  deleteBody: 'empty',
  mixedOffsets: false,
  unsignedSells: false,
  positiveWithdrawals: false,
  rateLimitAnswer: 'withHeaders',
  rateLimitBody: 'exception',
  refuseAtBoundary: false,
  historyRequests: undefined,
  errorBody: 'problem',
  traceIds: true,
  keyAlone: true,
  olderPaths: true,
  confirmsOrders: false,
  maxStopPercent: undefined,
  taxSign: 'negative',
  ownFxImpact: 'null',
  unreadableOrderMs: 0,
  reservedLateMs: 0,
  staleReadMs: 0,
  emptyPositions: 0,
  dividendsOutOfOrder: false,
  rowsArriveWhilePaging: false,
  failPage: undefined,
  repeatPage: undefined,
  emptyPage: false,
  sameSecondPaging: 'exact',
  exportsForbidden: false,
  reportsShuffled: false,
  reportOutcome: 'finished',
  downloadLink: undefined,
  csvTotals: 'pair',
  csvSplits: 'one',
  csvTimeHeader: 'Time',
  csvNotes: 'middle',
  csvBom: false,
  pieNulls: false,
  partialFills: 'sometimes',
};

/** Quirks of form only: a correct client behaves the same with all of them on. */
export const allHarmlessQuirks: Readonly<Partial<Quirks>> = {
  listEnvelope: 'items',
  nullFields: true,
  nextPagePath: 'bareQuery',
  valuelessParameter: true,
  unknownEnums: true,
  hugeIds: true,
  longNumbers: true,
  deleteBody: 'empty',
  mixedOffsets: true,
  rateLimitBody: 'asErrors',
  traceIds: false,
  confirmsOrders: true,
  taxSign: 'positive',
  ownFxImpact: 'absent',
};
