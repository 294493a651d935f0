/** Calls that several evaluations make, and the requests that they take. */
import { last } from './bodies.ts';
import type { Args, Step, ToolStep } from './types.ts';

export const find = (query: string): ToolStep => ({ tool: 'search_instruments', args: { query, limit: 3 } });

/** What an assistant has usually read before a person mentions an order. */
export const lookedAround: readonly Step[] = [
  find('Haldersten'),
  { tool: 'get_account_summary' },
  { tool: 'list_positions' },
  { tool: 'list_orders' },
];

/** Plans again until the order history is complete: prices, decimals and charges come from the fills read so far. */
export const plan = (args: Args): ToolStep => ({
  tool: 'plan_orders',
  args,
  again: (bodies) => (last(bodies).complete === false ? args : undefined),
  everySeconds: 1,
});

/** Targets, from percent by ticker. */
export const weigh = (weights: Readonly<Record<string, number>>) =>
  Object.entries(weights).map(([ticker, weightPercent]) => ({ ticker, weightPercent }));

/** Cash, positions and pending orders. They serve for 30 seconds, so a slow machine reads them again. */
export const accountReads = 3;
/** The newest page of the fills and of the dividends, and the cash that the checks of the legs compare. */
const readsOfPlan = 2 + 1;
/** All pages of orders and dividends with one check each whether the service skips rows; instruments and exchanges. */
const firstReads = 13 + 6 + 2;

/** Requests of a plan: on a fresh store with the account read twice, and on one that knows the account. */
export const planReads = {
  cold: firstReads + 2 * accountReads + readsOfPlan,
  warm: accountReads + readsOfPlan,
} as const;
