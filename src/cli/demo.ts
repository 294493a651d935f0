/** A readable session: starts this program as a server and calls it as a client, with real results. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { countOf } from '../count-of.ts';
import type { ProcessContext } from '../process/process-context.ts';
import type { Command } from './command.ts';
import { connectStdio, type StdioClient } from './stdio-client.ts';

type Body = Record<string, unknown>;
type Row = Record<string, string | null>;

/**
 * The simulated service finishes a report in about 20 s and allows one poll per minute, so the demo polls once, when it
 * is ready.
 */
const reportReadyMs = 24_000;

export const demoCommand: Command = async (_input, terminal) => {
  const stateDir = await mkdtemp(join(tmpdir(), 'brokerage-mcp-demo-'));
  const client = await connectStdio(
    terminal.self.command,
    [...terminal.self.args, '--env', 'sandbox', '--state-dir', stateDir],
    withoutSettings(terminal.env),
  );
  try {
    await play(client, terminal);
    return 0;
  } finally {
    await client.close();
    await rm(stateDir, { recursive: true, force: true });
  }
};

/** Removes the user's settings: the demo must always use the sandbox. */
const withoutSettings = (env: ProcessContext['env']) =>
  Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith('BROKER_')));

interface Session {
  readonly print: ProcessContext['print'];
  /** Prints the question and the call, and returns the result; an error ends the demo. */
  readonly ask: (question: string, tool: string, args: Body) => Promise<Body>;
}

async function play(client: StdioClient, { print }: ProcessContext): Promise<void> {
  const ask: Session['ask'] = async (question, tool, args) => {
    print(`\n▸ ${question}`);
    print(`  ${tool} ${Object.keys(args).length ? JSON.stringify(args) : ''}`);
    const { isError, body } = await client.call(tool, args, (message) => print(`  … ${message}`));
    if (isError) throw new Error(`${tool} failed: ${JSON.stringify(body)}`);
    return body;
  };
  const session = { print, ask };

  const tools = await client.listTools();
  const { name, version, protocolVersion } = client.server;
  print('A tour of the sandbox, the simulated account. The environment demo is another: the broker’s paper money.');
  print(`Connected to ${name} ${version} over stdio (MCP ${protocolVersion}): ${countOf(tools.length, 'tool')}.`);
  print('Everything below is a simulated account; no real money and no network outside this machine.');

  // Requested at the beginning, because the service needs time to write it.
  const report = await requestReport(session);
  const currency = await showAccount(session);
  const ticker = await findInstrument(session);
  const order = await previewOrders(session, ticker);
  await placeAndCancel(session, order);
  await buyAtMarket(session, ticker);
  await showIncome(session, currency);
  await readReport(session, report);

  print('\nThat was a complete session: account, search, orders, history and a report.');
  print('Connect a host with: npx brokerage-mcp init. Or call one tool: npx brokerage-mcp call list_positions');
}

async function requestReport({ print, ask }: Session) {
  const report = await ask('Request a CSV report of the last 90 days, for later.', 'request_export', {
    timeFrom: daysAgo(90),
    timeTo: daysAgo(0),
    include: ['orders', 'dividends', 'transactions', 'interest'],
  });
  const reportId = expect(report, 'reportId');
  print(`  Report ${reportId} is being generated.`);
  return { reportId, requestedAt: Date.now() };
}

/** Returns the currency of the account. */
async function showAccount({ print, ask }: Session): Promise<string> {
  const summary = await ask('How is my account doing?', 'get_account_summary', {});
  const cash = summary.cash as Body;
  const investments = summary.investments as Body;
  print(
    `  Total ${summary.totalValue} ${summary.currency}: ${investments.currentValue} in holdings, ${cash.availableToTrade} free cash.`,
  );
  print(`  Unrealised result ${investments.unrealizedProfitLoss}, realised so far ${investments.realizedProfitLoss}.`);

  const positions = await ask('What do I own? The five largest.', 'list_positions', { limit: 5 });
  table(print, positions, [
    'ticker',
    'name',
    'quantity',
    'currentPrice',
    'currency',
    'currentValue',
    'unrealizedProfitLoss',
  ]);

  const spread = await ask('How concentrated is it?', 'analyze_portfolio', { by: 'currency' });
  const { effectiveNumber, largest, largestWeightPercent } = spread.concentration as Body;
  print(
    `  As if spread over ${effectiveNumber} equal positions; the largest, ${largest}, weighs ${largestWeightPercent} %.`,
  );
  table(print, spread, ['group', 'value', 'weightPercent', 'profitLoss', 'fxImpact']);
  return String(summary.currency);
}

/** Returns the ticker of an instrument that can be traded now. */
async function findInstrument({ print, ask }: Session): Promise<string> {
  const found = await ask('Find an instrument that trades around the clock.', 'search_instruments', {
    query: 'Noonvik Utilities',
    limit: 3,
  });
  table(print, found, ['ticker', 'name', 'isin', 'type', 'currencyCode']);
  const [instrument] = toRows(found);
  const ticker = instrument?.ticker;
  if (!ticker) throw new Error('The search found no instrument.');

  const hours = await ask('Is its market open?', 'list_exchanges', { ticker });
  table(print, hours, ['exchange', 'state', 'openNow', 'nextEvent', 'nextAt']);
  return ticker;
}

/** Returns the limit order of the second preview. */
async function previewOrders({ print, ask }: Session, ticker: string): Promise<Body> {
  const two = { ticker, side: 'BUY', quantity: 2 };
  const atMarket = await ask('What would two cost at the market?', 'preview_order', { type: 'MARKET', ...two });
  findings(print, atMarket);

  const lastPrice = Number((atMarket.estimate as Body).lastKnownPrice);
  const order = { ...two, quantity: 3, limitPrice: Number((lastPrice * 0.85).toFixed(2)), timeValidity: 'DAY' };
  findings(print, await ask('And a limit order for three, 15 % below?', 'preview_order', { type: 'LIMIT', ...order }));
  return order;
}

async function placeAndCancel({ print, ask }: Session, order: Body): Promise<void> {
  const limit = await ask('Place it.', 'place_limit_order', order);
  const limitId = expect(limit, 'orderId');
  print(`  ${limit.outcome}: order ${limitId}. ${limit.message}`);
  const pending = await ask('Which orders are pending?', 'list_orders', { ticker: order.ticker });
  table(print, pending, ['id', 'side', 'type', 'status', 'quantity', 'limitPrice', 'currency']);
  const cancelled = await ask('I changed my mind: cancel it.', 'cancel_order', { orderId: limitId });
  print(`  ${cancelled.outcome}: ${cancelled.message}`);
  const gone = await ask('Is it gone?', 'get_order', { orderId: limitId, waitSeconds: 10 });
  print(`  Order ${limitId} is ${gone.status}.`);
}

async function buyAtMarket({ print, ask }: Session, ticker: string): Promise<void> {
  const market = await ask('Buy the two at the market.', 'place_market_order', { ticker, side: 'BUY', quantity: 2 });
  print(`  ${market.outcome}: ${market.message}`);
  const filled = await ask('Follow it to the fill.', 'get_order', { intentId: market.intentId, waitSeconds: 20 });
  const [fill] = (filled.fills ?? []) as Body[];
  print(
    `  ${filled.status}${fill ? `: ${fill.quantity} at ${fill.price}, ${(fill.walletImpact as Body | undefined)?.netValue} in all` : ''}.`,
  );
}

async function showIncome({ print, ask }: Session, currency: string): Promise<void> {
  const income = await ask('What do dividends bring?', 'summarize_dividends', { groupBy: 'year', project: true });
  const { trailingTwelveMonths, yieldOnCostPercent, projection } = income;
  print(
    `  ${(trailingTwelveMonths as Body).amount} ${currency} in twelve months, ${yieldOnCostPercent} % of what was paid; projected for the next: ${(projection as Body).total}.`,
  );
  table(print, income, ['year', 'amount', 'count']);

  const dividends = await ask('Which dividends did I get in the last year?', 'fetch_history', {
    kind: 'dividends',
    since: daysAgo(365),
    limit: 500,
    waitSeconds: 20,
  });
  const paid = toRows(dividends);
  const sum = paid.reduce((cents, row) => cents + Math.round(Number(row.amount) * 100), 0) / 100;
  print(
    `  ${countOf(paid.length, 'payment')}, ${sum.toFixed(2)} ${currency}; complete: ${dividends.complete}. The newest five:`,
  );
  table(print, { ...dividends, rows: (dividends.rows as unknown[]).slice(0, 5) }, [
    'paidOn',
    'ticker',
    'quantity',
    'amount',
    'currency',
  ]);
}

async function readReport(
  { print, ask }: Session,
  { reportId, requestedAt }: { readonly reportId: string; readonly requestedAt: number },
): Promise<void> {
  const restMs = requestedAt + reportReadyMs - Date.now();
  if (restMs > 0) {
    print(`\n  (${Math.ceil(restMs / 1000)} s until the report is ready: the limit allows one request per minute.)`);
    await pause(restMs);
  }
  const reports = await ask('Is my report ready?', 'list_exports', { reportId });
  table(print, reports, ['reportId', 'status', 'timeFrom', 'timeTo', 'downloadReady']);
  const file = await ask('Read it.', 'download_export', { reportId, previewRows: 3 });
  print(`  ${countOf(Number(file.totalRows), 'row')}. The first three:`);
  table(print, file, ['Action', 'Time', 'Ticker', 'No. of shares', 'Total']);
}

const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);
/** Prints the estimate, checks and warnings of a preview. */
function findings(print: ProcessContext['print'], preview: Body): void {
  const estimate = preview.estimate as Body;
  print(
    `  About ${estimate.value ?? 'unknown'} ${estimate.currency ?? ''} at ${estimate.price} (${estimate.priceFrom}); nothing was sent.`,
  );
  for (const check of preview.checks as Body[]) print(`  ${mark(check.ok)} ${check.check}: ${check.detail}`);
  for (const warning of preview.warnings as string[]) print(`  ! ${warning}`);
}

const mark = (ok: unknown) => (ok === true ? '✓' : ok === false ? '✗' : '?');

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

/** Prints the named columns of a compact list, aligned. */
function table(print: ProcessContext['print'], body: Body, columns: readonly string[]): void {
  const shown = columns.filter((name) => (body.columns as string[]).includes(name));
  const cells = [shown, ...toRows(body).map((row) => shown.map((name) => String(row[name] ?? '–').slice(0, 34)))];
  const widths = shown.map((_, at) => Math.max(...cells.map((row) => row[at]?.length ?? 0)));
  for (const row of cells)
    print(
      `    ${row
        .map((cell, at) => cell.padEnd(widths[at] ?? 0))
        .join('  ')
        .trimEnd()}`,
    );
}
