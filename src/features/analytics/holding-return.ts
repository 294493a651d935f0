/** The total return of one holding: its price, dividends and charges, over all time or a part of it. */

import Big from 'big.js';
import type { Dividend, Position } from '../../core/endpoints/index.ts';
import { getTicker } from '../../core/endpoints/instruments.ts';
import { toZoneDate } from '../../core/text/dates.ts';
import type { CashFlow } from './cash-flows.ts';
import { getFillMeaning } from './executions.ts';
import type { ReturnPeriod, ReturnRange, UnknownReturn } from './return-period.ts';
import { moneyWeightedRate, type Rate } from './return-rates.ts';
import { computeSum, isSameCurrency, sumIfComplete, zero } from './sums.ts';
import { type Trade, toChange } from './trades.ts';

export interface HoldingBooks extends ReturnRange {
  readonly ticker: string;
  /** The account's currency. */
  readonly currency: string | undefined;
  /** Undefined when nothing is held now. */
  readonly position: Position | undefined;
  /** All trades and dividends of the account, independent of the range; oldest first. */
  readonly trades: readonly Trade[];
  readonly dividends: readonly Dividend[];
  /** The value of the holding when the range begins, from the user: the interface has no past prices. */
  readonly valueAtStart?: Big | undefined;
  /** Whether all trades and dividends are known. */
  readonly isWhole: boolean;
}

/** Amounts in the account's currency within the range; undefined where unknown, with a reason in `unknown`. */
export interface HoldingReturn {
  readonly currency: string | undefined;
  /** Shares held when the range ends, as its trades add up. */
  readonly quantity: Big;
  /** What was paid for shares, charges included, and what those were worth that came from another broker. */
  readonly bought: Big | undefined;
  /** What sales brought after charges, and what shares were worth that went to another broker. */
  readonly sold: Big | undefined;
  /** Of trades; they are part of `bought` and `sold`. */
  readonly charges: Big;
  /** After tax that was withheld. */
  readonly dividends: Big | undefined;
  /** The broker's own results of sales. */
  readonly realised: Big | undefined;
  readonly start: ReturnPeriod | undefined;
  readonly end: ReturnPeriod | undefined;
  /** Value and money that came out, minus value and money that went in. */
  readonly gain: Big | undefined;
  /** The part of the gain from prices and exchange rates, before charges: gain, minus dividends, plus charges. */
  readonly priceGain: Big | undefined;
  readonly moneyWeighted: Rate;
  readonly unknown: readonly UnknownReturn[];
}

/** Computes the return of a holding on the money paid for its shares. */
export function calculateHoldingReturn(question: HoldingBooks): HoldingReturn {
  const { ticker, currency, since, until, now, isWhole } = question;
  const isWithin = (at: number) =>
    (since === undefined || at >= since) && (until === undefined || at < until) && at <= now;
  const all = question.trades.filter((trade) => trade.ticker === ticker);
  const trades = all.filter(({ at }) => isWithin(at));
  const moves = trades.flatMap((trade) => toMove(trade, currency) ?? []);
  const payments = question.dividends
    .filter((row) => getTicker(row) === ticker)
    .map((row) => toPayment(row, currency))
    .filter(({ at }) => isWithin(at));
  const { start, end, reasons } = findEnds(question, (moment) =>
    computeSum(all.filter(({ at }) => at < moment).map(toChange)),
  );
  const unclear = [...moves, ...payments].find(({ amount }) => amount === undefined);
  const unknown = [
    ...(isWhole ? [] : [unreadRows]),
    ...(unclear ? [describeUnclear(ticker, unclear)] : []),
    ...reasons,
  ];
  const flows = [...moves, ...payments]
    .flatMap(({ amount, ...row }): CashFlow[] => (amount ? [{ ...row, amount, isExternal: true }] : []))
    .sort((a, b) => a.at - b.at);
  const gain =
    unknown.length === 0 && end
      ? end.value.minus(start?.value ?? zero).minus(computeSum(flows.map(({ amount }) => amount)))
      : undefined;
  const charges = computeSum(trades.flatMap((trade) => trade.charges.map(({ amount }) => amount)));
  const dividends = sumIfComplete(payments.map(({ amount }) => amount?.neg()));
  const sumMoves = (isOut: boolean) =>
    sumIfComplete(moves.filter((move) => move.isOut === isOut).map(({ amount }) => amount?.abs()));
  const [reason] = unknown;
  return {
    currency,
    quantity: computeSum(all.filter(({ at }) => at <= now && (until === undefined || at < until)).map(toChange)),
    bought: sumMoves(false),
    sold: sumMoves(true),
    charges,
    dividends,
    realised: sumIfComplete(
      trades
        .filter(({ side, type }) => side === 'SELL' && getFillMeaning(type) === 'trade')
        .map(({ realisedProfitLoss }) => realisedProfitLoss),
    ),
    start,
    end,
    gain,
    priceGain: dividends && gain?.minus(dividends).plus(charges),
    moneyWeighted: reason ? { code: reason.code } : moneyWeightedRate(flows, start, end),
    unknown,
  };
}

const unreadRows: UnknownReturn = {
  code: 'history_incomplete',
  message: 'Not all trades and dividends have been read, so the gain is unknown.',
};

interface Move {
  readonly at: number;
  readonly type: string;
  readonly currency: string | undefined;
  /** Positive for money that went into the holding; undefined when no row says how much. */
  readonly amount: Big | undefined;
  readonly isOut: boolean;
}

/** What a fill moved in or out of the holding. Undefined for one that moves nothing of value, such as a split. */
function toMove({ at, type, netValue, side, quantity, valueCurrency }: Trade, currency: string | undefined) {
  const meaning = getFillMeaning(type);
  if (meaning === 'split' || meaning === 'free_shares') return undefined;
  const isOut = side === 'SELL' || quantity.lt(0);
  // A transfer without a value has 0; of a takeover or a spin-off the rows do not show what the new shares are worth.
  const isClear = meaning === 'transfer' ? netValue?.gt(0) : meaning === 'trade' || meaning === 'rights';
  const amount = isClear && isSameCurrency(valueCurrency, currency) ? netValue : undefined;
  return { at, type, currency, isOut, amount: isOut ? amount?.neg() : amount } satisfies Move;
}

/** A dividend as money that came out of the holding. */
function toPayment({ paidOn, amount, type = 'DIVIDEND', ...row }: Dividend, currency: string | undefined): Move {
  const isOwn = amount !== undefined && isSameCurrency(row.currency, currency);
  return {
    at: Date.parse(paidOn ?? ''),
    type,
    currency,
    isOut: true,
    amount: isOwn ? new Big(amount).neg() : undefined,
  };
}

const describeUnclear = (ticker: string, { type, at }: Move): UnknownReturn => ({
  code: 'row_value_unknown',
  message: `No row shows in the account's currency what ${type} of ${ticker} on ${toZoneDate(at, 'UTC')} was worth, so the gain is unknown.`,
});

/** Shares that a rounding leaves are none. */
const isNone = (shares: Big): boolean => shares.abs().lt('0.00000001');

/** The values of the holding at both ends of the range. `countBefore` adds up the trades before a moment (ms). */
function findEnds(
  { ticker, since, until, now, position, currency, valueAtStart, zone = 'UTC' }: HoldingBooks,
  countBefore: (moment: number) => Big,
) {
  const noPrice = (at: number) =>
    `The value of ${ticker} on ${toZoneDate(at, zone)} is unknown: the interface has no past prices.`;
  const reasons: UnknownReturn[] = [];
  const isHeldAtStart = since !== undefined && !isNone(countBefore(since));
  const start = isHeldAtStart && valueAtStart ? { at: since, value: valueAtStart } : undefined;
  if (isHeldAtStart && !start) reasons.push({ code: 'value_at_start_unknown', message: noPrice(since) });
  if (until !== undefined && until <= now) {
    if (isNone(countBefore(until))) return { start, end: { at: until, value: zero }, reasons };
    reasons.push({ code: 'value_at_end_unknown', message: noPrice(until) });
    return { start, end: undefined, reasons };
  }
  const counted = countBefore(now + 1);
  const held = new Big(position?.quantity ?? 0);
  if (!isNone(held.minus(counted)))
    reasons.push({
      code: 'quantity_differs',
      message: `The trades of ${ticker} add up to ${counted.toFixed()} shares, and ${held.toFixed()} are held.`,
    });
  const value = isNone(held) ? zero : readValue(position, currency);
  if (!value)
    reasons.push({ code: 'value_at_end_unknown', message: `The service does not report the value of ${ticker}.` });
  return { start, end: value && { at: now, value }, reasons };
}

function readValue(position: Position | undefined, currency: string | undefined): Big | undefined {
  const { currentValue, currency: own } = position?.walletImpact ?? {};
  return currentValue !== undefined && isSameCurrency(own, currency) ? new Big(currentValue) : undefined;
}
