/** The prompts: requests that a person picks, written out. Which tools they take is said, what is decided is not. */

export interface PromptArgument {
  readonly name: string;
  readonly description: string;
  readonly required: boolean;
  /** What it looks like; whatever else is given is passed on with a remark, because some hosts give pieces or placeholders. */
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

/** Some hosts split what a person typed at its spaces, or hand over a placeholder and fill it in later. */
const asTyped = 'Where this is cut short or a placeholder, what I typed myself counts; ask me when that is not clear.';

/** A ticker; any other word in its place is one of the request. */
const tickerShape = /^[A-Za-z0-9.]+(_[A-Za-z0-9]+)+$/;

const honest =
  'Say what is not complete (complete, coverage, note) and which checks do not hold. Figures come from the answers, not from memory. Name the currency of each amount.';

export const prompts: readonly PromptDefinition[] = [
  {
    name: 'portfolio_checkup',
    title: 'Portfolio check-up',
    description: 'What is held, how concentrated it is, what gained and lost.',
    arguments: [],
    text: () => `Look at my portfolio.
1. get_account_summary, then analyze_portfolio by instrument, by currency and by country.
2. Tell in a few paragraphs: total value and cash, the largest positions and their weight, how concentrated it is (the effective number of positions), currencies, and the largest gains and losses, the effect of exchange rates apart.
3. List anything that looks unusual, such as one position over a quarter of the whole.
${honest} Give facts, not advice.`,
  },
  {
    name: 'monthly_review',
    title: 'Review of a month',
    description: 'Trades, income, costs and cash flows of one month.',
    arguments: [
      {
        name: 'month',
        description: 'For example 2026-03; left out: last month',
        required: false,
        shape: /^\d{4}-(0[1-9]|1[0-2])$/,
      },
    ],
    text: ({ month }) => `Review ${month ? `the month ${month}` : 'the last full calendar month'} of my account.
1. fetch_history for orders, dividends and transactions of that month; summarize_dividends, summarize_costs by name and summarize_realised_gains with method broker for the same range.
2. Tell: what was bought and sold, dividends and interest received, what charges cost, realised result, money paid in and out.
${honest}`,
  },
  {
    name: 'dividend_outlook',
    title: 'Dividends, past and to come',
    description: 'Income by month, trailing twelve months, and a labelled projection.',
    arguments: [],
    text: () => `Tell about my dividend income.
1. summarize_dividends by month with project true, and by ticker.
2. Show the last twelve months, the sum, the yield on cost, who paid most, and the projection for the next twelve months. Say each time that a projection repeats past payments and promises nothing.
${honest}`,
  },
  {
    name: 'tax_year_pack',
    title: 'Figures of a UK tax year',
    description: 'Disposals by section 104, dividends, interest and costs of a tax year.',
    arguments: [
      {
        name: 'taxYear',
        description: 'For example 2025/26',
        required: true,
        shape: /^\d{4}\/\d{2}$/,
        completes: 'taxYear',
      },
    ],
    text: ({ taxYear = '' }) => `Put together the figures of the UK tax year ${taxYear}.
1. summarize_realised_gains with taxYear ${taxYear} and method uk_section_104; then with method broker for comparison.
2. summarize_dividends by ticker and fetch_history of transactions (interest), with since 6 April and until 6 April of the next year (until is exclusive, days are UTC); summarize_costs by name for the same range.
3. List every disposal with date, proceeds, cost, gain and rule; totals; what is unmatched; and where the two methods differ.
${honest} These are figures for a person to check, not tax advice; accounts elsewhere and in an ISA are not in them or do not count.`,
  },
  {
    name: 'draft_order',
    title: 'Draft an order',
    description: 'Find the instrument and preview an order; nothing is placed.',
    arguments: [
      { name: 'request', description: 'In words: what to buy or sell, how much, at what price', required: true },
      { name: 'ticker', description: 'Exact ticker, if known', required: false, completes: 'ticker' },
    ],
    text: ({
      request = '',
      ticker = '',
    }) => `Draft an order: ${[request, ...(tickerShape.test(ticker) ? [] : [ticker])].join(' ').trim()}
${asTyped}
1. ${tickerShape.test(ticker) ? `The ticker is ${ticker}.` : 'search_instruments for the exact ticker; ask me when several fit.'}
2. preview_order, and show me everything it says: value, currency (GBX is pence), warnings, whether the market is open.
3. Stop there. Place it only after I have said yes to exactly this order, with one call of the place tool; then tell me the outcome in its own word.`,
  },
  {
    name: 'rebalance_plan',
    title: 'Plan to rebalance',
    description: 'From target weights to a list of orders, previewed and not placed.',
    arguments: [
      { name: 'targets', description: 'For example: QNOON_GB_EQ 40 %, cash 10 %, the rest as it is', required: true },
    ],
    text: ({ targets = '' }) => `Plan how to bring my portfolio to these weights: ${targets}
${asTyped}
1. get_account_summary, list_positions and list_orders.
2. Work out for each position the difference in value and in shares, sales first, within the cash that is available; leave differences of under one percent alone.
3. preview_order for each, and show one table: ticker, side, quantity, estimated value, warnings, and the weights before and after.
4. Stop there: place nothing until I have said which of them I want.
${honest}`,
  },
];

/** The text that a client gets: what is not written as it should be is named, and not refused. */
export function writePrompt(prompt: PromptDefinition, given: Readonly<Record<string, string | undefined>>): string {
  const remarks = prompt.arguments.flatMap(({ name, shape, description }) => {
    const value = given[name];
    return value === undefined || !shape || shape.test(value)
      ? []
      : [`\n${name} was given as ${JSON.stringify(value)}. ${description}. ${asTyped}`];
  });
  return prompt.text(given) + remarks.join('');
}
