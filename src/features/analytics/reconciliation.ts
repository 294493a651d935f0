/** Checks whether the histories explain the account's cash and shares. */
import Big from 'big.js';
import { createSum, type ExactSum } from '../../core/endpoints/exact-sum.ts';
import type { AccountSummary, Dividend, Position } from '../../core/endpoints/index.ts';
import type { CashFlow } from './cash-flows.ts';
import { type Check, reconciliationCheck } from './check.ts';
import { getFillMeaning } from './executions.ts';
import { listNames, nameDividend } from './names.ts';
import { toIsoDate } from './periods.ts';
import { accumulate, isSameCurrency, sumIfComplete, toBig, zero } from './sums.ts';
import type { Trade } from './trades.ts';

/** Limits the list, because a very incomplete history would produce one row per ticker. */
const maxMismatches = 20;

export interface ReconciliationInput {
  /** Every row of the history, because a part of it cannot explain the cash. */
  readonly flows: readonly CashFlow[];
  readonly dividends: readonly Dividend[];
  readonly trades: readonly Trade[];
}

/**
 * Checks that deposits − withdrawals + interest − fees + dividends − purchases + sales is the cash of the summary
 * (for trading, reserved and in pies). Undefined when the summary does not report the cash. Rows without an amount
 * or in another currency are left out, and the note names them. Transferred shares move no cash.
 */
export function checkCash(books: ReconciliationInput, summary: AccountSummary): Check | undefined {
  const { availableToTrade, inPies, reservedForOrders } = summary.cash ?? {};
  const cash = sumIfComplete([availableToTrade, inPies, reservedForOrders].map(toBig));
  if (cash === undefined) return undefined;
  const expected = createSum();
  const left: string[] = [];
  const add = (amount: Big | string | undefined, currency: string | undefined, nameRow: () => string) => {
    if (amount !== undefined && isSameCurrency(currency, summary.currency)) expected.add(amount);
    else left.push(`${nameRow()}${amount === undefined ? '' : ` in ${currency}`}`);
  };
  for (const { amount, currency, type, at } of books.flows) add(amount, currency, () => `${type} on ${toIsoDate(at)}`);
  for (const row of books.dividends) add(row.amount, row.currency, () => `dividend of ${nameDividend(row)}`);
  for (const { type, side, netValue, valueCurrency, ticker, at } of books.trades) {
    // A split moves no cash, so the service may report no amount.
    if ((netValue === undefined && type !== 'TRADE') || getFillMeaning(type) === 'transfer') continue;
    const amount = side === 'BUY' ? netValue?.neg() : netValue;
    add(amount, valueCurrency, () => `${side} of ${ticker} on ${toIsoDate(at)}`);
  }
  const note =
    left.length > 0
      ? `Rows without an amount or in another currency are not counted: ${listNames(left)}.`
      : 'Rows are missing from the histories, a booking is in progress, or the account has bookings that no history lists.';
  return reconciliationCheck(
    'deposits − withdrawals + interest − fees + dividends − purchases + sales = cash',
    expected.total(),
    cash,
    {
      note,
    },
  );
}

/**
 * Checks for each ticker that all fills and corporate actions add up to the quantity held. Returns one check that
 * counts the matching tickers, and one per mismatch (the first 20). Needs every row: a part of the history cannot
 * explain the shares.
 */
export function checkHoldings(trades: readonly Trade[], positions: readonly Position[]): Check[] {
  const booked = new Map<string, ExactSum>();
  for (const { ticker, side, quantity } of trades) {
    accumulate(booked, ticker, side === 'SELL' ? quantity.abs().neg() : quantity);
  }
  const held = new Map<string, ExactSum>();
  for (const { instrument, quantity } of positions) {
    const ticker = instrument?.ticker;
    if (ticker !== undefined && quantity !== undefined) accumulate(held, ticker, quantity);
  }
  const tickers = [...new Set([...booked.keys(), ...held.keys()])].sort();
  const lines = tickers.map((ticker) =>
    reconciliationCheck(
      `fills of ${ticker} = quantity held`,
      booked.get(ticker)?.total() ?? zero,
      held.get(ticker)?.total() ?? zero,
      {
        tolerance: '0.00000001',
        decimals: 10,
        note: 'The order history does not explain all shares: rows may be missing, or shares were added or removed in another way.',
      },
    ),
  );
  const wrong = lines.filter(({ holds }) => !holds);
  return [
    reconciliationCheck(
      'tickers whose fills add up to the quantity held',
      new Big(tickers.length),
      new Big(tickers.length - wrong.length),
      {
        decimals: 0,
        note: wrong.length > maxMismatches ? `The first ${maxMismatches} follow.` : 'Those that do not follow.',
      },
    ),
    ...wrong.slice(0, maxMismatches),
  ];
}
