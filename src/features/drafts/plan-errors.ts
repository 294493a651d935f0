/** Says why there is no plan. */

import { BrokerageError, type ErrorCode } from '../../core/errors.ts';
import { isPence } from '../../core/text/currency-units.ts';
import { defaultLocale, writeMoney } from '../../core/text/format-money.ts';
import type { PlanProblem, PlanSide } from '../planner/plan-types.ts';

/**
 * An error with one sentence and a next step. The fact `problem` is the planner's code. `side` is that of the orders which
 * the goal cannot do without; `currency` is the account's; `priceCurrency` is that of the instrument's prices, where the
 * problem is about one.
 */
export function toPlanError(
  problem: PlanProblem,
  side: PlanSide,
  currency: string | undefined,
  priceCurrency?: string | undefined,
): BrokerageError {
  const [code, message, next] = describeProblem(problem, side, currency, priceCurrency);
  const { code: name, ...facts } = problem;
  const unit = name === 'no_price' && priceCurrency !== undefined ? { priceCurrency } : {};
  return new BrokerageError(code, message, next, { problem: name, ...facts, ...unit });
}

/** The unit of a price that a person is asked for. */
const nameUnit = (currency: string | undefined): string => {
  if (currency === undefined) return 'the instrument’s currency';
  return isPence(currency) ? 'GBX, which is pence: 100 GBX are 1 GBP' : currency;
};

const isNothing = (amount: string): boolean => amount === '0.00';

/** A purchase is of what is not held; a sale is of a holding without a price, or of nothing. */
const missingPrices: Readonly<
  Record<PlanSide, (ticker: string, unit: string) => readonly [message: string, next: string]>
> = {
  BUY: (ticker, unit) => [
    `No price of ${ticker} is known: it is not held and was not traded in the last 30 days.`,
    `Ask the user for a price in ${unit}. Plan again with it in assumedPrices and orderType LIMIT, which bounds what is paid, or leave the ticker out.`,
  ],
  SELL: (ticker, unit) => [
    `No price of ${ticker} is known: no holding has one, and it was not traded in the last 30 days.`,
    `Leave the ticker out if it is not held. Otherwise ask the user for a price in ${unit}, and plan again with it in assumedPrices and orderType LIMIT, which bounds what the sale brings.`,
  ],
};

type Description = readonly [code: ErrorCode, message: string, next: string];

function describeProblem(
  problem: PlanProblem,
  side: PlanSide,
  currency: string | undefined,
  priceCurrency: string | undefined,
): Description {
  const money = (amount: string) => writeMoney(amount, currency, defaultLocale);
  switch (problem.code) {
    case 'weights_over_100':
      return [
        'weights_over_100',
        `The weights of the targets add up to ${problem.total}%, and at most 100% can be invested.`,
        'Give weights that add up to at most 100; a remainder stays cash.',
      ];
    case 'no_price':
      return ['no_price', ...missingPrices[side](problem.ticker, nameUnit(priceCurrency))];
    case 'no_rate':
      return [
        'no_price',
        `The exchange rate of ${problem.ticker} is unknown: nothing in its currency is held or was traded in the last 30 days.`,
        'Leave the ticker out; after a first single order in this currency its rate is known.',
      ];
    case 'amount_over_cash':
      return [
        'amount_over_cash',
        `The amount is larger than the cash that may be spent, which is ${money(problem.most)}.`,
        isNothing(problem.most)
          ? 'Give a smaller keepCash, raise cash first, or wait for a deposit.'
          : `Give an amount of at most ${money(problem.most)}, or a smaller keepCash.`,
      ];
    case 'amount_over_holdings':
      return [
        'amount_over_holdings',
        `Selling everything that can be sold brings about ${money(problem.most)} after charges, which is less than the amount.`,
        isNothing(problem.most)
          ? 'Give other tickers or a smaller minOrderValue; shares in pies and in pending orders cannot be sold.'
          : `Give an amount of at most ${money(problem.most)}, or more tickers.`,
      ];
    default:
      return ['invalid_argument', ...describeArgument(problem)];
  }
}

type OtherProblem = Exclude<
  PlanProblem,
  { readonly code: 'weights_over_100' | 'no_price' | 'no_rate' | 'amount_over_cash' | 'amount_over_holdings' }
>;

function describeArgument(problem: OtherProblem): readonly [message: string, next: string] {
  switch (problem.code) {
    case 'assumed_price_needs_limit':
      return [
        `The price of ${problem.ticker} is assumed, so its order has to be a limit order in live.`,
        'Set orderType to LIMIT.',
      ];
    case 'targets_missing':
      return [
        `The targets are missing: the goal ${problem.goal} needs at least one ticker.`,
        'Give targets with weightPercent.',
      ];
    case 'amount_missing':
      return [
        `The amount is missing: the goal ${problem.goal} needs one above 0.`,
        'Give amount in the account currency.',
      ];
    case 'goal_needs_sells':
      return [`The goal ${problem.goal} sells, and no sales are allowed.`, 'Omit allowSells, or choose another goal.'];
    case 'nothing_held':
      return ['Nothing with a known price is held.', 'Give targets with the tickers to buy.'];
    case 'too_many_targets':
      return [`There are more than ${problem.most} targets.`, 'Plan the tickers in several parts.'];
    case 'duplicate_target':
      return [`The targets have ${problem.ticker} twice.`, 'Give each ticker once.'];
    case 'limit_offset_too_large':
      return ['The offset leaves no limit price above 0.', 'Give a smaller limitOffsetPercent.'];
    case 'unknown_asset':
      return [`${problem.ticker} is not an instrument of this account.`, 'Find the ticker with search_instruments.'];
  }
}
