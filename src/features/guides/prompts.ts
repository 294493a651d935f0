/** Registers the prompts with the SDK. */

import { completable, type McpServer, ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import { passThrough } from '../../core/mcp/tool-listing.ts';
import type { Toolset } from '../../core/settings/config.ts';
import type { GuideDeps } from './completion.ts';

/** Maximum characters of an argument, which is one line of a request. */
const maxArgumentLength = 500;

export function registerPrompts(server: McpServer, parts: Pick<GuideDeps, 'complete' | 'config'>): void {
  for (const prompt of listPrompts(parts.config.toolsets)) {
    const { name, title, description } = prompt;
    const answer = (args: Readonly<Record<string, unknown>> = {}) => ({
      messages: [
        {
          role: 'user' as const,
          content: { type: 'text' as const, text: writePrompt(prompt, readArguments(prompt, args)) },
        },
      ],
    });
    if (prompt.arguments.length === 0) server.registerPrompt(name, { title, description }, () => answer());
    else
      server.registerPrompt(name, { title, description, argsSchema: toSchema(prompt.arguments, parts) }, (args) =>
        answer(args as Record<string, unknown>),
      );
  }
}

/** The schema shows the arguments and completes them; `readArguments` reads the values. */
function toSchema(args: readonly PromptArgument[], { complete }: Pick<GuideDeps, 'complete'>) {
  const shown = {
    type: 'object',
    properties: Object.fromEntries(args.map(({ name, description }) => [name, { type: 'string', description }])),
    required: args.filter(({ required }) => required).map(({ name }) => name),
  };
  const shape = Object.fromEntries(
    args.flatMap(({ name, completes }) =>
      completes ? [[name, completable(passThrough({}), (value) => complete(completes, String(value)))]] : [],
    ),
  );
  return { ...passThrough(shown), shape };
}

function readArguments(
  prompt: PromptDefinition,
  args: Readonly<Record<string, unknown>>,
): Record<string, string | undefined> {
  const texts: Record<string, string | undefined> = {};
  for (const { name, required } of prompt.arguments) {
    const value = args[name];
    if (value === undefined || value === '') {
      if (required) throw wrong(`The prompt ${prompt.name} needs ${name}.`);
      continue;
    }
    if (typeof value !== 'string' || value.length > maxArgumentLength)
      throw wrong(`${name} must be a string of at most ${maxArgumentLength} characters.`);
    texts[name] = value;
  }
  return texts;
}

const wrong = (message: string) => new ProtocolError(ProtocolErrorCode.InvalidParams, message);

// The prompts: requests that a person selects, written out. A prompt names the tools to use and leaves decisions to the
// model and the user.

interface PromptArgument {
  readonly name: string;
  readonly description: string;
  readonly required: boolean;
  /**
   * Pattern of the value. Another value is passed on with a remark, because some hosts send fragments or placeholders.
   */
  readonly shape?: RegExp;
  readonly completes?: 'ticker' | 'taxYear';
}

interface PromptDefinition {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly arguments: readonly PromptArgument[];
  /** Offered only with the tools of one of these toolsets. */
  readonly needs?: readonly Toolset[];
  /** Offered only without the tools of this toolset. */
  readonly unless?: Toolset;
  readonly text: (args: Readonly<Record<string, string | undefined>>) => string;
}

/** Some hosts split the user's text at spaces, or send a placeholder that they fill in later. */
const asTyped = 'If this text is truncated or a placeholder, use what I typed myself; ask me if that is unclear.';

/** A ticker; other text in this argument is treated as part of the request. */
const tickerShape = /^[A-Za-z0-9.]+(_[A-Za-z0-9]+)+$/;

const honest =
  'State which data is incomplete (complete, coverage, note) and which checks failed. Take every figure from a tool result, not from memory. Name the currency of each amount.';

/** What follows a draft: a person reads it, and nothing is sent before that. */
const showDraft =
  'Show every leg with value and charges, the weights and the cash before and after, what was dropped and why, the gain of each sale, and each rule that a leg breaks. Stop there. Send nothing until I have said yes to exactly this draft and version; then submit_draft if there is one, otherwise tell me how to submit it in a shell.';

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
    needs: ['trading', 'drafting'],
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
3. Stop there. Only after I have said yes to exactly this order: one call to the place tool, and report the outcome by its exact name. If there is no place tool, save_draft with this one order, and tell me that brokerage-mcp drafts submit ID sends it from a shell.`,
  },
  {
    name: 'rebalance',
    title: 'Rebalance',
    description: 'Drafts the orders that bring the portfolio to target weights; sends nothing.',
    needs: ['drafting'],
    arguments: [
      { name: 'targets', description: 'For example: QNOON_GB_EQ 60 %, ZBONDl_EQ 40 %', required: true },
      { name: 'amount', description: 'Cash to add, account currency', required: false, shape: /^\d+(\.\d+)?$/ },
    ],
    text: ({ targets = '', amount }) => `Bring my portfolio to these weights: ${targets}
${asTyped}
1. search_instruments for every name that is not an exact ticker.
2. plan_orders with goal rebalance and these targets${amount ? `, and amount ${amount}` : ''}. Weights are of the value of the named tickers; other holdings are untouched, so say which.
3. ${showDraft}
${honest}`,
  },
  {
    name: 'invest_monthly',
    title: 'Invest an amount',
    description: 'Drafts purchases for an amount, by target weights or in proportion to what is held; sends nothing.',
    needs: ['drafting'],
    arguments: [
      { name: 'amount', description: 'For example 500, account currency', required: true, shape: /^\d+(\.\d+)?$/ },
      { name: 'targets', description: 'Tickers and weights; default: as held', required: false },
    ],
    text: ({
      amount = '',
      targets,
    }) => `Invest ${amount} of my cash${targets ? ` by these weights: ${targets}` : ', in proportion to what I hold'}.
${asTyped}
1. get_account_summary: is the cash there? ${targets ? 'search_instruments for every name that is not an exact ticker.' : ''}
2. plan_orders with goal invest and amount ${amount}${targets ? ', with these targets' : ''}.
3. ${showDraft}
${honest}`,
  },
  {
    name: 'harvest_losses',
    title: 'Realise losses',
    description: 'Lists positions at a loss and what their sale would realise, and drafts the sales; sends nothing.',
    needs: ['drafting'],
    arguments: [
      {
        name: 'loss',
        description: 'Losses wanted, account currency; default: all',
        required: false,
        shape: /^\d+(\.\d+)?$/,
      },
    ],
    text: ({ loss }) => `Which sales would realise ${loss ? `losses of about ${loss}` : 'a loss'} this tax year?
1. summarize_realised_gains for the present tax year, by the method of my country (ask me; uk_section_104 for the United Kingdom).
2. list_positions sorted by profitLoss; preview_order for the sale of each position at a loss, with the same method. Use the gain in whatIf, which can differ from the position's figure.
3. Show ticker, quantity, loss, and the realised gain of the year before and after. Say which sales a purchase within 30 days would undo (whatIf.remarks, recentPurchases).
4. save_draft with the sales that I choose. ${showDraft}
${honest} Give facts, not tax advice.`,
  },
  {
    name: 'rebalance_plan',
    title: 'Rebalancing plan',
    description: 'Turns target weights into a list of previewed orders; places nothing.',
    needs: ['trading'],
    unless: 'drafting',
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

/** The prompts of a server with these toolsets. */
export const listPrompts = (toolsets: readonly Toolset[]): readonly PromptDefinition[] =>
  prompts.filter(
    ({ needs, unless }) =>
      (needs === undefined || needs.some((name) => toolsets.includes(name))) &&
      (unless === undefined || !toolsets.includes(unless)),
  );

/** Returns the text of a prompt. An unexpected argument value is mentioned in the text, not rejected. */
function writePrompt(prompt: PromptDefinition, given: Readonly<Record<string, string | undefined>>): string {
  const remarks = prompt.arguments.flatMap(({ name, shape, description }) => {
    const value = given[name];
    return value === undefined || !shape || shape.test(value)
      ? []
      : [`\n${name} was given as ${JSON.stringify(value)}. ${description}. ${asTyped}`];
  });
  return prompt.text(given) + remarks.join('');
}
