/** The limits that orders must satisfy, and which of two is stricter. */

import Big from 'big.js';
import type { Environment } from '../../settings/config.ts';

/** The limits of orders. Amounts are decimal strings. */
export interface RiskLimits {
  /** In the account currency. */
  readonly maxOrderValue: string;
  /** In the account currency: the value of sent and unknown orders in 24 hours. */
  readonly maxDayValue: string;
  readonly maxOrderQuantity: string;
  readonly ordersPerMinute: number;
  readonly ordersPerHour: number;
  readonly ordersPerDay: number;
  readonly maxPendingPerTicker: number;
  /** Percent between a limit or stop price and the last known price. */
  readonly maxPriceDistance: string;
  /** The tickers that may be traded; undefined allows every ticker. */
  readonly tickers?: readonly string[] | undefined;
  readonly instrumentTypes: readonly string[];
  /** Whether an order of another program stops trading in live. */
  readonly haltOnForeignOrders: boolean;
}

export type ConfiguredLimits = Partial<RiskLimits>;

const paper: RiskLimits = {
  maxOrderValue: '10000',
  maxDayValue: '100000',
  maxOrderQuantity: '10000',
  ordersPerMinute: 30,
  ordersPerHour: 300,
  ordersPerDay: 1_000,
  maxPendingPerTicker: 50,
  maxPriceDistance: '20',
  instrumentTypes: ['STOCK', 'ETF'],
  haltOnForeignOrders: false,
};

const live: RiskLimits = {
  ...paper,
  maxOrderValue: '1000',
  maxDayValue: '5000',
  maxOrderQuantity: '1000',
  ordersPerMinute: 5,
  ordersPerHour: 20,
  ordersPerDay: 50,
  maxPendingPerTicker: 10,
  maxPriceDistance: '10',
  haltOnForeignOrders: true,
};

const amounts = ['maxOrderValue', 'maxDayValue', 'maxOrderQuantity', 'maxPriceDistance'] as const;
const counts = ['ordersPerMinute', 'ordersPerHour', 'ordersPerDay', 'maxPendingPerTicker'] as const;

/** One value for each name, under that name. */
const pick = <Name extends keyof RiskLimits>(
  names: readonly Name[],
  choose: (name: Name) => RiskLimits[Name],
): Pick<RiskLimits, Name> =>
  Object.fromEntries(names.map((name) => [name, choose(name)])) as unknown as Pick<RiskLimits, Name>;

/**
 * Limits as they were stored, or a part of them, completed with the defaults of their environment. A limit that cannot
 * be read has its default too: a comparison with a number that is not one would let every order pass.
 */
export function completeLimits(environment: string, stored: unknown): RiskLimits {
  const defaults = environment === 'demo' || environment === 'sandbox' ? paper : live;
  const found: Partial<Record<keyof RiskLimits, unknown>> = typeof stored === 'object' && stored !== null ? stored : {};
  const read = <Name extends keyof RiskLimits>(name: Name, isValid: (value: unknown) => boolean): RiskLimits[Name] =>
    isValid(found[name]) ? (found[name] as RiskLimits[Name]) : defaults[name];
  return {
    ...pick(amounts, (name) => read(name, isAmount)),
    ...pick(counts, (name) => read(name, isCount)),
    // A list of which nothing can be read allows nothing; no list allows every ticker.
    tickers: found.tickers === undefined || isNames(found.tickers) ? (found.tickers as readonly string[]) : [],
    instrumentTypes: read('instrumentTypes', isNames),
    haltOnForeignOrders: read('haltOnForeignOrders', (value) => typeof value === 'boolean'),
  };
}

const isNames = (value: unknown): boolean =>
  Array.isArray(value) && value.every((name) => typeof name === 'string' && name !== '');

/**
 * The limits in force. In live, the enrolled limits are the loosest: a model may be able to change variables and
 * files, so these can only make the limits stricter.
 */
export function effectiveLimits(
  environment: Environment,
  configured: ConfiguredLimits,
  enrolled: ConfiguredLimits | undefined,
): RiskLimits {
  if (environment !== 'live') return { ...paper, ...configured };
  const ceiling = completeLimits(environment, enrolled);
  return stricterLimits(ceiling, { ...ceiling, ...configured });
}

/** Returns the stricter of two values for each limit; tickers and instrument types must be in both lists. */
export const stricterLimits = (a: RiskLimits, b: RiskLimits): RiskLimits => ({
  ...pick(amounts, (name) => (new Big(a[name]).lt(b[name]) ? a[name] : b[name])),
  ...pick(counts, (name) => Math.min(a[name], b[name])),
  tickers: a.tickers && b.tickers ? a.tickers.filter((name) => b.tickers?.includes(name)) : (a.tickers ?? b.tickers),
  instrumentTypes: a.instrumentTypes.filter((type) => b.instrumentTypes.includes(type)),
  haltOnForeignOrders: a.haltOnForeignOrders || b.haltOnForeignOrders,
});

// The limits as sentences with their units, for the person who sets them.

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

/** Whether a number that the store returned can be used. A comparison with one that is not a number is always false. */

export type Check = (value: unknown) => boolean;

export const isTime: Check = (value) => Number.isFinite(value);
export const isCount: Check = (value) => Number.isSafeInteger(value) && Number(value) >= 0;
/** The service can write a number with an exponent. */
export const isDecimal: Check = (value) =>
  typeof value === 'string' && /^-?\d{1,40}(\.\d{1,40})?(e[+-]?\d{1,2})?$/i.test(value);
/** A decimal of 0 or more, as a string. */
export const isAmount: Check = (value) => isDecimal(value) && !String(value).startsWith('-');
/** As an order has it: without exponent, and more than 0. */
export const isOrderNumber: Check = (value) => isAmount(value) && /^[\d.]*[1-9][\d.]*$/.test(String(value));
/** A field that is missing is stored as nothing; a number that was not one is stored as null. */
export const optional =
  (check: Check): Check =>
  (value) =>
    value === undefined || check(value);
