/** The limits as sentences with their units, for the person who sets them. */
import type { RiskLimits } from './risk-limits.ts';

const sentences: Record<keyof RiskLimits, (limits: RiskLimits) => string> = {
  maxOrderValue: ({ maxOrderValue }) => `An order is worth at most ${maxOrderValue}, in the currency of the account.`,
  maxDayValue: ({ maxDayValue }) => `The orders of 24 hours are worth at most ${maxDayValue} together.`,
  maxOrderQuantity: ({ maxOrderQuantity }) => `An order is for at most ${maxOrderQuantity} shares.`,
  ordersPerMinute: ({ ordersPerMinute }) => `At most ${ordersPerMinute} orders in a minute.`,
  ordersPerHour: ({ ordersPerHour }) => `At most ${ordersPerHour} orders in an hour.`,
  ordersPerDay: ({ ordersPerDay }) => `At most ${ordersPerDay} orders in 24 hours.`,
  maxPendingPerTicker: ({ maxPendingPerTicker }) => `At most ${maxPendingPerTicker} orders are pending on one ticker.`,
  maxPriceDistance: ({ maxPriceDistance }) =>
    `A limit or stop price is within ${maxPriceDistance} % of the last price.`,
  tickers: ({ tickers }) => `Tickers: ${tickers ? listOf(tickers) : 'all'}.`,
  instrumentTypes: ({ instrumentTypes }) => `Types of instruments: ${listOf(instrumentTypes)}.`,
  haltOnForeignOrders: ({ haltOnForeignOrders }) =>
    haltOnForeignOrders
      ? 'An order that another program places halts trading.'
      : 'An order that another program places does not halt trading.',
};

/** Each limit as one sentence, in the order of the table. */
export const describeLimits = (limits: RiskLimits): readonly string[] =>
  Object.values(sentences).map((describe) => describe(limits));

const listOf = (words: readonly string[]): string => (words.length === 0 ? 'none' : words.join(', '));
