/**
 * The prompts: requests that a person selects, written out. A prompt names the tools to use and leaves decisions to the
 * model and the user.
 */

export interface PromptArgument {
  readonly name: string;
  readonly description: string;
  readonly required: boolean;
  /**
   * Pattern of the value. Another value is passed on with a remark, because some hosts send fragments or placeholders.
   */
  readonly shape?: RegExp;
  readonly completes?: 'ticker' | 'taxYear';
}

export interface PromptDefinition {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly arguments: readonly PromptArgument[];
  readonly text: (args: Readonly<Record<string, string | undefined>>) => string;
}

/** Some hosts split the user's text at spaces, or send a placeholder that they fill in later. */
const asTyped = 'If this text is truncated or a placeholder, use what I typed myself; ask me if that is unclear.';

/** A ticker; other text in this argument is treated as part of the request. */
const tickerShape = /^[A-Za-z0-9.]+(_[A-Za-z0-9]+)+$/;

const honest =
  'State which data is incomplete (complete, coverage, note) and which checks failed. Take every figure from a tool result, not from memory. Name the currency of each amount.';

export const prompts: readonly PromptDefinition[] = [
  {
    name: 'portfolio_checkup',
    title: 'Portfolio check-up',
    description: 'Holdings, concentration, and the largest gains and losses.',
    arguments: [],
    text: () => `Review my portfolio.
1. get_account_summary, then analyze_portfolio by instrument, by currency and by country.
2. Summarise in a few paragraphs: total value and cash, the largest positions and their weight, concentration (the effective number of positions), currencies, and the largest gains and losses, with the effect of exchange rates shown separately.
3. List anything unusual, such as one position that is over a quarter of the portfolio.
${honest} Give facts, not advice.`,
  },
  {
    name: 'monthly_review',
    title: 'Monthly review',
    description: 'Trades, income, costs and cash flows of one month.',
    arguments: [
      {
        name: 'month',
        description: 'For example 2026-03; default: last month',
        required: false,
        shape: /^\d{4}-(0[1-9]|1[0-2])$/,
      },
    ],
    text: ({ month }) => `Review ${month ? `the month ${month}` : 'the last full calendar month'} of my account.
1. fetch_history for orders, dividends and transactions of that month; summarize_dividends, summarize_costs by name and summarize_realised_gains with method broker for the same range.
2. Report: purchases and sales, dividends and interest received, charges, realised profit or loss, deposits and withdrawals.
${honest}`,
  },
  {
    name: 'dividend_outlook',
    title: 'Past and projected dividends',
    description: 'Income by month, trailing twelve months, and a labelled projection.',
    arguments: [],
    text: () => `Report on my dividend income.
1. summarize_dividends by month with project true, and by ticker.
2. Show the last twelve months, the total, the yield on cost, the largest payers, and the projection for the next twelve months. With each projection, state that it repeats past payments and guarantees nothing.
${honest}`,
  },
  {
    name: 'tax_year_pack',
    title: 'UK tax year figures',
    description: 'Disposals by section 104, dividends, interest and costs for a tax year.',
    arguments: [
      {
        name: 'taxYear',
        description: 'For example 2025/26',
        required: true,
        shape: /^\d{4}\/\d{2}$/,
        completes: 'taxYear',
      },
    ],
    text: ({ taxYear = '' }) => `Prepare the figures for the UK tax year ${taxYear}.
1. summarize_realised_gains with taxYear ${taxYear} and method uk_section_104; then with method broker for comparison.
2. summarize_dividends by country and by treatment (with the interest), and summarize_costs by name, each with taxYear ${taxYear}.
3. List every disposal with date, proceeds, cost, gain and rule; totals; unmatched sales; and where the two methods differ.
${honest} A person must check these figures; they are not tax advice. They exclude accounts elsewhere, and an ISA does not count.`,
  },
  {
    name: 'draft_order',
    title: 'Draft an order',
    description: 'Finds the instrument and previews an order; places nothing.',
    arguments: [
      { name: 'request', description: 'What to buy or sell, how much, at what price', required: true },
      { name: 'ticker', description: 'Exact ticker, if known', required: false, completes: 'ticker' },
    ],
    text: ({
      request = '',
      ticker = '',
    }) => `Draft an order: ${[request, ...(tickerShape.test(ticker) ? [] : [ticker])].join(' ').trim()}
${asTyped}
1. ${tickerShape.test(ticker) ? `The ticker is ${ticker}.` : 'search_instruments for the exact ticker; ask me if several match.'}
2. preview_order, and show me its full result: value, currency (GBX is pence), warnings, whether the market is open.
3. Stop there. Place the order only after I have said yes to exactly this order, with one call to the place tool; then report the outcome by its exact name.`,
  },
  {
    name: 'rebalance_plan',
    title: 'Rebalancing plan',
    description: 'Turns target weights into a list of previewed orders; places nothing.',
    arguments: [
      { name: 'targets', description: 'For example: QNOON_GB_EQ 40 %, cash 10 %, the rest unchanged', required: true },
    ],
    text: ({ targets = '' }) => `Plan how to bring my portfolio to these weights: ${targets}
${asTyped}
1. get_account_summary, list_positions and list_orders.
2. For each position, calculate the difference in value and in shares, sales first, within the available cash; ignore differences under one percent.
3. preview_order for each, and show one table: ticker, side, quantity, estimated value, warnings, and the weights before and after.
4. Stop there: place nothing until I have said which orders I want.
${honest}`,
  },
];

/** Returns the text of a prompt. An unexpected argument value is mentioned in the text, not rejected. */
export function writePrompt(prompt: PromptDefinition, given: Readonly<Record<string, string | undefined>>): string {
  const remarks = prompt.arguments.flatMap(({ name, shape, description }) => {
    const value = given[name];
    return value === undefined || !shape || shape.test(value)
      ? []
      : [`\n${name} was given as ${JSON.stringify(value)}. ${description}. ${asTyped}`];
  });
  return prompt.text(given) + remarks.join('');
}
