/** A readable session: starts this program as a server and calls it as a client, with real results. */

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Big from 'big.js';
import { systemClock } from '../core/clock.ts';
import { toDecimalString } from '../core/endpoints/decimal.ts';
import type { ProcessContext } from '../core/process/process-context.ts';
import { countOf, toWords } from '../core/text/count-of.ts';
import { formatDay } from '../core/text/format-moment.ts';
import type { Command } from './command.ts';
import { formatTableOf, type ResultOptions } from './format-result.ts';
import { wrap } from './format-table.ts';
import { describeScreen } from './output.ts';
import { connectStdio, type StdioClient } from './stdio-client.ts';

export const demoCommand: Command = async (_input, terminal) => {
  const stateDir = await mkdtemp(join(tmpdir(), 'brokerage-mcp-demo-'));
  const client = await connectStdio(
    terminal.self.command,
    [...terminal.self.args, '--env', 'sandbox', '--state-dir', stateDir],
    withoutSettings(terminal.env),
  );
  try {
    await playDemo(client, { ...describeScreen(terminal, systemClock), print: terminal.print });
    return 0;
  } finally {
    await client.close();
    await rm(stateDir, { recursive: true, force: true });
  }
};

/** Removes the user's settings: the demo must always use the sandbox. */
const withoutSettings = (env: ProcessContext['env']) =>
  Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith('BROKER_')));

// The questions of the demo, and what it shows of their results.

type Body = Record<string, unknown>;
type Row = Record<string, string | null>;

interface DemoOptions extends ResultOptions {
  readonly print: (line: string) => void;
}

interface Session {
  readonly options: DemoOptions;
  /** Prints a text below the question. */
  readonly say: (text: string) => void;
  /** Prints the question and the call, and returns the result; an error ends the demo. */
  readonly ask: (question: string, tool: string, args: Body) => Promise<Body>;
  /** Prints the named columns of a list; amounts without a currency of their own are in that of the account. */
  readonly table: (body: Body, columns: readonly string[], accountAmounts?: readonly string[]) => void;
}

/**
 * The simulated service finishes a report in about 20 s and allows one poll per minute, so the demo polls once, when it
 * is ready.
 */
const reportReadyMs = 24_000;

/** Plays the session. Throws an Error when a tool returns an error. */
export async function playDemo(
  client: Pick<StdioClient, 'server' | 'listTools' | 'call'>,
  options: DemoOptions,
): Promise<void> {
  const { print, width, nameCommands = String } = options;
  const tools = await client.listTools();
  const { name, version, protocolVersion } = client.server;
  for (const text of [
    'A tour of the sandbox, the simulated account. The environment demo is another: the broker’s paper money.',
    `Connected to ${name} ${version} over stdio (MCP ${protocolVersion}): ${countOf(tools.length, 'tool')}.`,
    'Everything below is a simulated account; no real money and no network outside this machine.',
  ])
    for (const line of wrap(text, width)) print(line);

  const opening = createSession(client, options, '');
  // Requested at the beginning, because the service needs time to write it.
  const report = await requestReport(opening);
  const currency = await showAccount(opening);
  const session = createSession(client, options, currency);
  await showHoldings(session, currency);
  const ticker = await findInstrument(session);
  const order = await previewOrders(session, ticker);
  await placeAndCancel(session, order);
  await buyAtMarket(session, ticker, currency);
  await showIncome(session, currency);
  await readReport(session, report);

  print('\nThat was a complete session: account, search, orders, history and a report.');
  // Commands are copied, so they stay on one line.
  print(`Connect a host with:\n  ${nameCommands('brokerage-mcp init')}`);
  print(`Or call one tool:\n  ${nameCommands('brokerage-mcp call list_positions')}`);
}

function createSession(client: Pick<StdioClient, 'call'>, options: DemoOptions, currency: string): Session {
  const { print, width } = options;
  const say = (text: string) => {
    for (const line of wrap(text, width - 4).map((part, at) => (at === 0 ? `  ${part}` : `    ${part}`))) print(line);
  };
  return {
    options,
    say,
    ask: async (question, tool, args) => {
      print(`\n▸ ${question}`);
      say(`${tool} ${formatArguments(args)}`.trimEnd());
      const { isError, body } = await client.call(tool, args, (message) => say(`… ${message}`));
      if (isError) throw new Error(`${tool} failed: ${JSON.stringify(body)}`);
      return body;
    },
    table: (body, columns, accountAmounts = []) => {
      const names = columns.filter((name) => (body.columns as string[]).includes(name));
      const rows = toRows(body).map((row) =>
        names.map((name) => (accountAmounts.includes(name) ? formatMoney(row[name], currency) : row[name])),
      );
      for (const line of formatTableOf(names, rows, 4, options)) print(line);
    },
  };
}

/** JSON with spaces, where a narrow terminal breaks it. */
const formatArguments = (args: Body): string => {
  const pairs = Object.entries(args).map(([name, value]) => `"${name}":${JSON.stringify(value)}`);
  return pairs.length === 0 ? '' : `{${pairs.join(', ')}}`;
};

async function requestReport({ say, ask, options }: Session) {
  const now = options.clock.now();
  const report = await ask('Request a CSV report of the last 90 days, for later.', 'request_export', {
    timeFrom: daysBefore(now, 90),
    timeTo: daysBefore(now, 0),
    include: ['orders', 'dividends', 'transactions', 'interest'],
  });
  const reportId = expect(report, 'reportId');
  say(`Report ${reportId} is being generated.`);
  return { reportId, requestedAt: now };
}

const daysBefore = (now: number, days: number) => new Date(now - days * 86_400_000).toISOString().slice(0, 10);

/** Returns the currency of the account. */
async function showAccount({ say, ask }: Session): Promise<string> {
  const summary = await ask('How is my account doing?', 'get_account_summary', {});
  const cash = summary.cash as Body;
  const investments = summary.investments as Body;
  const currency = String(summary.currency);
  const money = (amount: unknown) => formatMoney(amount, currency);
  say(
    `Total ${money(summary.totalValue)}: ${money(investments.currentValue)} in holdings, ${money(cash.availableToTrade)} free cash.`,
  );
  say(
    `Unrealised result ${money(investments.unrealizedProfitLoss)}, realised so far ${money(investments.realizedProfitLoss)}.`,
  );
  return currency;
}

async function showHoldings({ say, ask, table }: Session, currency: string): Promise<void> {
  const positions = await ask('What do I own? The five largest.', 'list_positions', { limit: 5 });
  table(
    positions,
    ['name', 'quantity', 'currentPrice', 'currency', 'currentValue', 'unrealizedProfitLoss'],
    ['currentValue', 'unrealizedProfitLoss'],
  );

  const spread = await ask('How concentrated is it?', 'analyze_portfolio', { by: 'currency' });
  const { effectiveNumber, largest, largestWeightPercent } = spread.concentration as Body;
  say(
    `As if spread over ${effectiveNumber} equal positions; the largest, ${largest}, weighs ${largestWeightPercent} %.`,
  );
  say(`By the currency in which each trades, all values in ${currency}:`);
  table(spread, ['group', 'value', 'weightPercent', 'profitLoss', 'fxImpact'], ['value', 'profitLoss', 'fxImpact']);
}

/** Returns the ticker of an instrument that can be traded now. */
async function findInstrument({ ask, table }: Session): Promise<string> {
  const found = await ask('Find an instrument that trades around the clock.', 'search_instruments', {
    query: 'Noonvik Utilities',
    limit: 3,
  });
  table(found, ['ticker', 'name', 'isin', 'type', 'currencyCode']);
  const ticker = toRows(found)[0]?.ticker;
  if (!ticker) throw new Error('The search found no instrument.');

  const hours = await ask('Is its market open?', 'list_exchanges', { ticker });
  table(hours, ['exchange', 'state', 'nextEvent', 'nextAt']);
  return ticker;
}

/** Returns the limit order of the second preview. */
async function previewOrders(session: Session, ticker: string): Promise<Body> {
  const { ask } = session;
  const two = { ticker, side: 'BUY', quantity: 2 };
  const atMarket = await ask('What would two cost at the market?', 'preview_order', { type: 'MARKET', ...two });
  showPreview(session, atMarket);

  const lastPrice = Number((atMarket.estimate as Body).lastKnownPrice);
  const order = { ...two, quantity: 3, limitPrice: Number((lastPrice * 0.85).toFixed(2)), timeValidity: 'DAY' };
  showPreview(
    session,
    await ask('And a limit order for three, 15 % below?', 'preview_order', { type: 'LIMIT', ...order }),
  );
  return order;
}

/** Prints the estimate, checks and warnings of a preview. */
function showPreview({ say }: Session, preview: Body): void {
  const estimate = preview.estimate as Body;
  const { currencyCode } = preview.instrument as Body;
  const price = formatMoney(estimate.price, currencyCode);
  say(
    `About ${formatMoney(estimate.value, estimate.currency)} at ${price} (${toWords(String(estimate.priceFrom))}); nothing was sent.`,
  );
  for (const check of preview.checks as Body[])
    say(`${mark(check.ok)} ${toWords(String(check.check))}: ${check.detail}`);
  for (const warning of preview.warnings as string[]) say(`! ${warning}`);
}

const mark = (ok: unknown) => (ok === true ? '✓' : ok === false ? '✗' : '?');

async function placeAndCancel({ say, ask, table }: Session, order: Body): Promise<void> {
  const limit = await ask('Place it.', 'place_limit_order', order);
  const limitId = expect(limit, 'orderId');
  say(`${limit.outcome}: order ${limitId}. ${limit.message}`);
  const pending = await ask('Which orders are pending?', 'list_orders', { ticker: order.ticker });
  table(pending, ['id', 'side', 'type', 'status', 'quantity', 'limitPrice', 'priceCurrency']);
  const cancelled = await ask('I changed my mind: cancel it.', 'cancel_order', { orderId: limitId });
  say(`${cancelled.outcome}: ${cancelled.message}`);
  const gone = await ask('Is it gone?', 'get_order', { orderId: limitId, waitSeconds: 10 });
  say(`Order ${limitId} is ${gone.status}.`);
}

async function buyAtMarket({ say, ask }: Session, ticker: string, currency: string): Promise<void> {
  const market = await ask('Buy the two at the market.', 'place_market_order', { ticker, side: 'BUY', quantity: 2 });
  say(`${market.outcome}: ${market.message}`);
  const filled = await ask('Follow it to the fill.', 'get_order', { intentId: market.intentId, waitSeconds: 20 });
  const [fill] = (filled.fills ?? []) as Body[];
  const impact = (fill?.walletImpact ?? {}) as Body;
  const price = formatMoney(fill?.price, (market.instrument as Body | undefined)?.currency);
  const details = fill
    ? `: ${fill.quantity} at ${price}, ${formatMoney(impact.netValue, impact.currency ?? currency)} in all`
    : '';
  say(`${filled.status}${details}.`);
}

async function showIncome({ say, ask, table, options }: Session, currency: string): Promise<void> {
  const income = await ask('What do dividends bring?', 'summarize_dividends', { groupBy: 'year', project: true });
  const { yieldOnCostPercent, projection } = income;
  const { amount, from, to } = income.trailingTwelveMonths as Body;
  const day = (time: unknown) => formatDay(Date.parse(String(time)), String(income.timeZone ?? options.zone));
  say(
    `${formatMoney(amount, currency)} in the twelve months from ${day(from)} to ${day(to)}, ${yieldOnCostPercent} % of what was paid; projected for the next: ${formatMoney((projection as Body).total, currency)}.`,
  );
  table(income, ['year', 'amount', 'count'], ['amount']);

  const dividends = await ask('Which dividends were they?', 'fetch_history', {
    kind: 'dividends',
    since: from,
    until: to,
    limit: 500,
    waitSeconds: 20,
  });
  const rows = dividends.rows as unknown[];
  const count = Number(dividends.rowCount ?? rows.length);
  // The sums are those of all rows; the rows are one page.
  const sum = addByCurrency(dividends.sums as readonly Body[]);
  const whole = dividends.complete === true ? 'all rows were read' : 'not all rows were read yet';
  say(`${countOf(count, 'payment')}, ${sum} in all; ${whole}. The newest five:`);
  table({ ...dividends, rows: rows.slice(0, 5) }, ['paidOn', 'ticker', 'quantity', 'amount', 'currency']);
}

/** The exact total of each currency. */
function addByCurrency(sums: readonly Body[]): string {
  const totals = new Map<string, Big>();
  for (const { amount, currency } of sums) {
    const before = totals.get(String(currency)) ?? new Big('0');
    totals.set(String(currency), before.plus(toDecimalString(String(amount)) ?? '0'));
  }
  return [...totals].map(([currency, total]) => formatMoney(total.toFixed(), currency)).join(' and ') || 'nothing';
}

async function readReport(
  { say, ask, table, options }: Session,
  { reportId, requestedAt }: { readonly reportId: string; readonly requestedAt: number },
): Promise<void> {
  const { clock, print } = options;
  const restMs = requestedAt + reportReadyMs - clock.now();
  if (restMs > 0) {
    print('');
    say(`(${Math.ceil(restMs / 1000)} s until the report is ready: the limit allows one request per minute.)`);
    await clock.sleep(restMs);
  }
  const reports = await ask('Is my report ready?', 'list_exports', { reportId });
  table(reports, ['reportId', 'status', 'downloadReady']);
  const file = await ask('Read it.', 'download_export', { reportId, previewRows: 3 });
  say(`${countOf(Number(file.totalRows), 'row')}. The first three:`);
  table(file, ['Action', 'Time', 'Ticker', 'No. of shares', 'Total', 'Currency (Total)']);
}

/** An exact amount with two decimals or more, and its currency. */
function formatMoney(amount: unknown, currency: unknown): string {
  if (typeof amount !== 'string') return 'unknown';
  const [whole = '', fraction = ''] = amount.split('.');
  return `${whole}.${fraction.padEnd(2, '0')}${typeof currency === 'string' ? ` ${currency}` : ''}`;
}

function expect(body: Body, field: string): string {
  const value = body[field];
  if (typeof value !== 'string') throw new Error(`The result has no ${field}: ${JSON.stringify(body)}`);
  return value;
}

function toRows(body: Body): Row[] {
  const columns = body.columns as string[];
  return (body.rows as (string | null)[][]).map((row) =>
    Object.fromEntries(columns.map((name, at) => [name, row[at] ?? null])),
  );
}
