/**
 * What services of this kind have been seen to do beyond the specification, one switch each. Everything
 * is off in `noQuirks`; the switches can be turned while the simulator runs.
 */
export interface Quirks {
  /** Lists that are not paginated: bare, or inside `{items}` or `{data}`. */
  listEnvelope: 'bare' | 'items' | 'data';
  /** Fields that do not apply are null; otherwise they are absent. */
  nullFields: boolean;
  /** How `nextPagePath` is written. The last two must never be followed as they stand. */
  nextPagePath: 'full' | 'withoutPrefix' | 'bareQuery' | 'questionMarkQuery' | 'otherOrigin' | 'otherPath';
  /** What ends a walk: null, "", no key at all, or a path whose cursor is the word `null`. */
  lastPage: 'null' | 'empty' | 'absent' | 'nullCursor';
  /** `nextPagePath` ends in a parameter without a value. */
  valuelessParameter: boolean;
  /** Enum values that the specification does not list. */
  unknownEnums: boolean;
  /** Ids of orders, fills, reports and pies over 2^53. */
  hugeIds: boolean;
  /** Zero as `0E-10`, other numbers with trailing zeros. */
  longNumbers: boolean;
  /** What a DELETE answers. */
  deleteBody: 'empty' | 'object' | 'order';
  /** Times with `Z`, `+02:00` and `+03:00` side by side. */
  mixedOffsets: boolean;
  /** Sell orders and their fills carry a positive quantity; only `side` says that it is a sale. */
  unsignedSells: boolean;
  /** Withdrawals and fees are positive; only `type` says that money left. */
  positiveWithdrawals: boolean;
  /** A refusal for the limit: 429 with or without headers, or 200 or 400 with the BusinessException body. */
  rateLimitAnswer: 'withHeaders' | 'withoutHeaders' | 'status200' | 'status400';
  /** A request within 45 ms after the end of a full window is still refused. */
  refuseAtBoundary: boolean;
  /** Requests per minute of the three histories; undefined is the catalogue's 6. */
  historyRequests: number | undefined;
  /** The shape of error bodies. */
  errorBody: 'problem' | 'code' | 'business' | 'empty' | 'text' | 'html';
  /** For so long after it was placed, an order can be neither read nor listed. */
  unreadableOrderMs: number;
  /** For so long after it was placed, an order reserves no cash and no shares in what is shown. */
  reservedLateMs: number;
  /** For so long after a fill, summary, positions and pending orders answer as before it. */
  staleReadMs: number;
  /** So many of the next position reads answer `[]`; counts down. */
  emptyPositions: number;
  /** Dividends come slightly out of order. */
  dividendsOutOfOrder: boolean;
  /** Each page after the first is preceded by a new row at the head of that history. */
  rowsArriveWhilePaging: boolean;
  /** Page `page` of a history (1 is the newest) is answered with this status. */
  failPage: { page: number; status: 404 | 500 } | undefined;
  /** Page `page` of a history names itself as the next one. */
  repeatPage: number | undefined;
  /** The second page of each walk is empty once, and has a next path all the same. */
  emptyPage: boolean;
  /** Order cursors name a second only: its rows are given twice, or some of them never. */
  sameSecondPaging: 'exact' | 'repeat' | 'skip';
  /** Both export calls answer 403 `not-available-in-demo-account`. */
  exportsForbidden: boolean;
  /** The list of reports comes in another order at each read. */
  reportsShuffled: boolean;
  /** How a report ends. */
  reportOutcome: 'finished' | 'never' | 'failed' | 'canceled';
  /** Where the link of a finished report points; undefined is the file that this service has. */
  downloadLink: string | undefined;
  /** CSV: `Total,Currency (Total)`, or `Total (GBP)`, or gross total, taxes and net total. */
  csvTotals: 'pair' | 'inHeader' | 'grossNet';
  /** CSV: the name of the column of the time. */
  csvTimeHeader: 'Time' | 'Time (UTC)';
  /** CSV: where the columns Notes and ID stand. */
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
  refuseAtBoundary: false,
  historyRequests: undefined,
  errorBody: 'problem',
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
  csvTimeHeader: 'Time',
  csvNotes: 'middle',
  csvBom: false,
  pieNulls: false,
  partialFills: 'sometimes',
};

/** Quirks of form only: a correct client behaves the same with all of them switched on. */
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
};
