import * as z from 'zod';
import { defineEndpoint } from './endpoint.ts';
import {
  dateTime,
  decimal,
  int64,
  nested,
  openEnum,
  optionalArrayOf,
  optionalReadableArrayOf,
  record,
  row,
  sharesByTicker,
  text,
} from './fields.ts';
import { unpaginatedList, unspecifiedBody, wireNumber } from './shapes.ts';

export const dividendCashActions = ['REINVEST', 'TO_ACCOUNT_CASH'] as const;

const investmentResult = record({
  priceAvgInvestedValue: decimal(),
  priceAvgResult: decimal(),
  priceAvgResultCoef: decimal(),
  priceAvgValue: decimal(),
});

/** AccountBucketDetailedResponse. */
const pieSettings = record({
  id: int64(),
  name: text(),
  icon: text(),
  creationDate: dateTime(),
  endDate: dateTime(),
  /** Total desired pie value, account currency. */
  goal: decimal(),
  initialInvestment: decimal(),
  dividendCashAction: openEnum(dividendCashActions),
  /** Ticker to share weight. */
  instrumentShares: sharesByTicker(),
  publicUrl: text(),
});

const instrumentIssue = record({
  name: openEnum([
    'DELISTED',
    'SUSPENDED',
    'NO_LONGER_TRADABLE',
    'MAX_POSITION_SIZE_REACHED',
    'APPROACHING_MAX_POSITION_SIZE',
    'COMPLEX_INSTRUMENT_APP_TEST_REQUIRED',
    'PRICE_TOO_LOW',
  ]),
  severity: openEnum(['IRREVERSIBLE', 'REVERSIBLE', 'INFORMATIVE']),
});

/** AccountBucketInstrumentResult. After an update, old holdings remain with `expectedShare` 0. */
const pieInstrument = record({
  ticker: text(),
  currentShare: decimal(),
  expectedShare: decimal(),
  ownedQuantity: decimal(),
  result: nested(investmentResult),
  issues: optionalReadableArrayOf(instrumentIssue),
});

/**
 * AccountBucketInstrumentsDetailedResponse. The specification does not show which pie endpoint returns which body.
 * The body with the instruments is expected where a single pie is named, and every field may be missing, so a
 * response with the settings alone is accepted too (as unknown fields).
 */
const pie = record({ settings: nested(pieSettings), instruments: optionalArrayOf(pieInstrument) });

/** AccountBucketResultResponse. */
const pieResult = row({
  id: int64(),
  /** Money put into the pie, account currency. */
  cash: decimal(),
  /** Progress against the goal. */
  progress: decimal(),
  status: openEnum(['AHEAD', 'ON_TRACK', 'BEHIND']),
  result: nested(investmentResult),
  dividendDetails: nested(record({ gained: decimal(), inCash: decimal(), reinvested: decimal() })),
});

const pieRequest = z.strictObject({
  name: z.string(),
  icon: z.string().optional(),
  goal: wireNumber().optional(),
  endDate: z.string().optional(),
  dividendCashAction: z.enum(dividendCashActions).optional(),
  instrumentShares: z.record(z.string(), wireNumber()),
});

const onePerFiveSeconds = { requests: 1, periodSeconds: 5 } as const;

export const listPies = defineEndpoint({
  id: 'listPies',
  method: 'GET',
  path: '/equity/pies',
  effect: 'read',
  limit: { requests: 1, periodSeconds: 30 },
  response: unpaginatedList(pieResult),
  deprecated: true,
});

export const createPie = defineEndpoint({
  id: 'createPie',
  method: 'POST',
  path: '/equity/pies',
  effect: 'write',
  limit: onePerFiveSeconds,
  body: pieRequest,
  response: pie,
  deprecated: true,
});

export const getPie = defineEndpoint({
  id: 'getPie',
  method: 'GET',
  path: '/equity/pies/{id}',
  effect: 'read',
  limit: onePerFiveSeconds,
  response: pie,
  deprecated: true,
});

export const updatePie = defineEndpoint({
  id: 'updatePie',
  method: 'POST',
  path: '/equity/pies/{id}',
  effect: 'write',
  limit: onePerFiveSeconds,
  // Observed: an update changes the fields that it names and keeps the others.
  body: pieRequest.partial(),
  response: pie,
  deprecated: true,
});

export const deletePie = defineEndpoint({
  id: 'deletePie',
  method: 'DELETE',
  path: '/equity/pies/{id}',
  effect: 'write',
  limit: onePerFiveSeconds,
  response: unspecifiedBody(),
  deprecated: true,
});

export const duplicatePie = defineEndpoint({
  id: 'duplicatePie',
  method: 'POST',
  path: '/equity/pies/{id}/duplicate',
  effect: 'write',
  limit: onePerFiveSeconds,
  body: z.strictObject({ name: z.string().optional(), icon: z.string().optional() }),
  response: pie,
  deprecated: true,
});
