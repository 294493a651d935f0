/**
 * The limits that orders must satisfy. A limit is a row of `limitRows`; its type, how it is read from a setting and
 * from the store, and which of two is stricter follow from it.
 */

import Big from 'big.js';

// Whether a number that the store returned can be used. A comparison with one that is not a number is always false.

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

/** What the values of each kind of limit are. */
interface LimitValues {
  /** A decimal, as a string. */
  amount: string;
  count: number;
  names: readonly string[];
  /** Undefined allows every name. */
  namesOrAll: readonly string[] | undefined;
  switch: boolean;
}
export type LimitKind = keyof LimitValues;

interface LimitFacts<Value> {
  /** The default in demo and in the sandbox. */
  readonly paper: Value;
  /** The default in live. */
  readonly live: Value;
  /** One sentence with its unit, for the person who sets it. */
  describe(value: Value): string;
}

const row = <Kind extends LimitKind>(kind: Kind, facts: LimitFacts<LimitValues[Kind]>) => ({ kind, ...facts });

/** Every limit, by the name of its setting. */
export const limitRows = {
  /** In the account currency. */
  maxOrderValue: row('amount', {
    paper: '10000',
    live: '1000',
    describe: (value) => `An order is worth at most ${value}, in the currency of the account.`,
  }),
  /** In the account currency: the value of sent and unknown orders in 24 hours. */
  maxDayValue: row('amount', {
    paper: '100000',
    live: '5000',
    describe: (value) => `The orders of 24 hours are worth at most ${value} together.`,
  }),
  maxOrderQuantity: row('amount', {
    paper: '10000',
    live: '1000',
    describe: (quantity) => `An order is for at most ${quantity} shares.`,
  }),
  ordersPerMinute: row('count', {
    paper: 30,
    live: 5,
    describe: (count) => `At most ${count} orders in a minute.`,
  }),
  ordersPerHour: row('count', {
    paper: 300,
    live: 20,
    describe: (count) => `At most ${count} orders in an hour.`,
  }),
  ordersPerDay: row('count', {
    paper: 1_000,
    live: 50,
    describe: (count) => `At most ${count} orders in 24 hours.`,
  }),
  maxPendingPerTicker: row('count', {
    paper: 50,
    live: 10,
    describe: (count) => `At most ${count} orders are pending on one ticker.`,
  }),
  /** Percent between a limit or stop price and the last known price. */
  maxPriceDistance: row('amount', {
    paper: '20',
    live: '10',
    describe: (percent) => `A limit or stop price is within ${percent}% of the last price.`,
  }),
  /** The tickers that can be traded. */
  tickers: row('namesOrAll', {
    paper: undefined,
    live: undefined,
    describe: (tickers) => `Tickers: ${tickers ? listOf(tickers) : 'all'}.`,
  }),
  instrumentTypes: row('names', {
    paper: ['STOCK', 'ETF'],
    live: ['STOCK', 'ETF'],
    describe: (types) => `Types of instruments: ${listOf(types)}.`,
  }),
  /** Whether an order of another program stops trading in live. */
  haltOnForeignOrders: row('switch', {
    paper: false,
    live: true,
    describe: (halts) =>
      halts
        ? 'An order that another program places halts trading.'
        : 'An order that another program places does not halt trading.',
  }),
};

type LimitName = keyof typeof limitRows;
export const limitNames = Object.keys(limitRows) as LimitName[];

/** A value for each limit. */
export type RiskLimits = { readonly [Name in LimitName]: LimitValues[(typeof limitRows)[Name]['kind']] };
export type ConfiguredLimits = Partial<RiskLimits>;

const listOf = (words: readonly string[]): string => (words.length === 0 ? 'none' : words.join(', '));

interface KindFacts<Value> {
  isValid(stored: unknown): boolean;
  chooseStricter(a: Value, b: Value): Value;
  /** The value of a stored limit that cannot be read, where this is not the default. */
  readonly unreadable?: Value;
}

const isNames = (value: unknown): boolean =>
  Array.isArray(value) && value.every((name) => typeof name === 'string' && name !== '');
const inBoth = (a: readonly string[], b: readonly string[]) => a.filter((name) => b.includes(name));

const kinds: { readonly [Kind in LimitKind]: KindFacts<LimitValues[Kind]> } = {
  amount: { isValid: isAmount, chooseStricter: (a, b) => (new Big(a).lt(b) ? a : b) },
  count: { isValid: isCount, chooseStricter: Math.min },
  names: { isValid: isNames, chooseStricter: inBoth },
  namesOrAll: {
    isValid: (stored) => stored === undefined || isNames(stored),
    chooseStricter: (a, b) => (a && b ? inBoth(a, b) : (a ?? b)),
    // All would be the loosest reading of it.
    unreadable: [],
  },
  switch: { isValid: (stored) => typeof stored === 'boolean', chooseStricter: (a, b) => a || b },
};

/** A limit with the facts of its row and of its kind. The type of its values is that of its row. */
type AnyLimit = LimitFacts<unknown> & KindFacts<unknown>;
const factsOf = (name: LimitName): AnyLimit =>
  ({ ...kinds[limitRows[name].kind], ...limitRows[name] }) as unknown as AnyLimit;

const makeLimits = (choose: (facts: AnyLimit, name: LimitName) => unknown): RiskLimits =>
  Object.fromEntries(limitNames.map((name) => [name, choose(factsOf(name), name)])) as unknown as RiskLimits;

const hasPaperMoney = (environment: string): boolean => environment === 'demo' || environment === 'sandbox';

/**
 * Limits as they were stored, or a part of them, completed with the defaults of their environment. A limit that cannot
 * be read has its default too: a comparison with a number that is not one would let every order pass.
 */
export function completeLimits(environment: string, stored: unknown): RiskLimits {
  const found: Partial<Record<LimitName, unknown>> = typeof stored === 'object' && stored !== null ? stored : {};
  return makeLimits(({ isValid, paper, live, unreadable }, name) => {
    if (isValid(found[name])) return found[name];
    return unreadable ?? (hasPaperMoney(environment) ? paper : live);
  });
}

/**
 * The limits in force. In live, the enrolled limits are the loosest: a model may be able to change variables and
 * files, so these can only make the limits stricter.
 */
export function effectiveLimits(
  environment: string,
  configured: ConfiguredLimits,
  enrolled: ConfiguredLimits | undefined,
): RiskLimits {
  if (hasPaperMoney(environment)) return { ...completeLimits(environment, {}), ...configured };
  const ceiling = completeLimits(environment, enrolled);
  return stricterLimits(ceiling, { ...ceiling, ...configured });
}

/** Returns the stricter of two values for each limit; tickers and instrument types must be in both lists. */
export const stricterLimits = (a: RiskLimits, b: RiskLimits): RiskLimits =>
  makeLimits(({ chooseStricter }, name) => chooseStricter(a[name], b[name]));

/** Each limit as one sentence, in the order of the table. */
export const describeLimits = (limits: RiskLimits): readonly string[] =>
  limitNames.map((name) => factsOf(name).describe(limits[name]));
