/** The next step of a plan that made no draft, for a person in a terminal; the error's own is for a model. */
import type { BrokerageError, ErrorCode } from '../../../core/errors.ts';

const again = 'remove the plan with “brokerage-mcp plans remove”, and add it again';
const smaller = `To change the plan, ${again} with a smaller amount or keepCash.`;

const steps: Partial<Record<ErrorCode, string>> = {
  amount_over_cash: smaller,
  amount_over_holdings: `To change the plan, ${again} with a smaller amount or minOrderValue, or with other tickers.`,
  history_incomplete: `“brokerage-mcp import” reads the history; the plan is tried again after ten minutes. For sales in proportion, ${again} without method.`,
  invalid_argument: `To change the plan, ${again} with other arguments.`,
  no_price: `To change the plan, ${again} without the ticker, or with its price in assumedPrices.`,
  rate_limited: 'It is tried again after ten minutes.',
  unexpected_answer: 'The plan is drafted again when it is due next.',
  unknown_ticker: `To change the plan, ${again} with another ticker.`,
  weights_over_100: `To change the plan, ${again} with weights of at most 100.`,
};

/** One or two sentences. The step of an error that no plan can change is its own. */
export function getPlanStep({ code, next, facts }: BrokerageError): string {
  const step = steps[code] ?? next;
  return facts.complete === false
    ? `“brokerage-mcp import” reads the rest of the history; the plan is tried again after ten minutes. ${step}`
    : step;
}
