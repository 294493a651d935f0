/** What the figures of 100,000 fills take a server of its own: its processor time, first and again, and its memory. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import Big from 'big.js';
import { createApp } from '../../src/app/composition-root.ts';
import { tools } from '../../src/app/registry.ts';
import { connectStdio, type StdioClient } from '../../src/cli/stdio-client.ts';
import { runTool } from '../../src/core/mcp/run-tool.ts';
import { openStore } from '../../src/core/store/open-store.ts';
import { storedRow } from '../../src/features/history/apply-page.ts';
import { type HistoryDefinition, type HistoryKind, kinds, type RowOf } from '../../src/features/history/kinds.ts';
import type { MirrorState } from '../../src/features/history/mirror-state.ts';
import { type Simulator, startSimulator } from '../../src/simulator/index.ts';
import { demoConfig } from './demo-config.ts';
import { readPeakMegabytes, readWorkedMs } from './process-figures.ts';

export interface LongHistoryFigures {
  /** Processor time of the server by question, where the system reports it, and what the client waited. */
  readonly questions: readonly {
    readonly name: string;
    readonly firstMs: number;
    readonly againMs: number;
  }[];
  /** The most resident memory during all of them; undefined where the system does not report it. */
  readonly peakMegabytes: number | undefined;
}

const credentials = { key: 'bench-key', secret: 'bench-secret' };
const clock = { now: () => Date.now(), sleep: (ms: number) => pause(ms) };
const minuteMs = 60_000;
/** Before the three years of the simulated account. */
const endsBeforeMs = 4 * 366 * 86_400_000;

export async function measureLongHistory(
  binary: string,
  { fills, dividends }: { readonly fills: number; readonly dividends: number },
): Promise<LongHistoryFigures> {
  const stateDir = mkdtempSync(join(tmpdir(), 'brokerage-mcp-long-'));
  const simulator = await startSimulator({ clock, credentials, limitScale: 0.01 });
  try {
    await fillStore(simulator, stateDir, { fills, dividends });
    const server = await connectStdio(process.execPath, [binary, '--state-dir', stateDir], {
      PATH: process.env.PATH,
      HOME: stateDir,
      BROKER_ENV: 'demo',
      BROKER_DEMO_BASE_URL: simulator.origin,
      BROKER_API_KEY: credentials.key,
      BROKER_API_SECRET: credentials.secret,
    });
    try {
      await server.listTools();
      const questions = [];
      for (const question of listQuestions(simulator)) questions.push(await measure(server, question));
      return { questions, peakMegabytes: readPeakMegabytes(server.pid) };
    } finally {
      await server.close();
    }
  } finally {
    await simulator.close();
    rmSync(stateDir, { recursive: true, force: true });
  }
}

type Question = readonly [name: string, tool: string, args: Record<string, unknown>];

function listQuestions(simulator: Simulator): readonly Question[] {
  const { positions } = simulator.groundTruth();
  const ticker = positions.find(({ quantityInPies }) => Number(quantityInPies) === 0)?.ticker;
  const gains = (method: string): Question => [`gains, ${method}`, 'summarize_realised_gains', { method }];
  return [
    gains('broker'),
    gains('fifo'),
    gains('average'),
    gains('uk_section_104'),
    ['gains of a tax year', 'summarize_realised_gains', { method: 'uk_section_104', taxYear: '2015/16' }],
    ['dividends by month', 'summarize_dividends', { groupBy: 'month' }],
    ['costs by name', 'summarize_costs', { groupBy: 'name' }],
    ['returns', 'calculate_returns', {}],
    ['preview of a sell', 'preview_order', { type: 'MARKET', ticker, side: 'SELL', quantity: '1', method: 'fifo' }],
    ['plan that raises cash', 'plan_orders', { goal: 'raise', amount: 500, method: 'uk_section_104' }],
  ];
}

async function measure(server: StdioClient, [name, tool, args]: Question) {
  const ask = async () => {
    const [from, workedBefore] = [performance.now(), readWorkedMs(server.pid)];
    const { isError, body } = await server.call(tool, args);
    if (isError || body.complete === false) throw new Error(`${name}: ${JSON.stringify(body).slice(0, 500)}`);
    const worked = readWorkedMs(server.pid);
    return worked === undefined || workedBefore === undefined ? performance.now() - from : worked - workedBefore;
  };
  return { name, firstMs: await ask(), againMs: await ask() };
}

/** Reads the history of the simulated account, and adds older rows that leave the same shares. */
async function fillStore(
  simulator: Simulator,
  stateDir: string,
  { fills, dividends }: { readonly fills: number; readonly dividends: number },
): Promise<void> {
  const composed = createApp(demoConfig({ origin: simulator.origin, credentials }, stateDir), { clock });
  let account: string;
  try {
    const { signal } = new AbortController();
    for (const name of ['summarize_realised_gains', 'calculate_returns'])
      for (let rounds = 0; rounds < 200; rounds++) {
        const { body } = await runTool(tools, name, { method: 'fifo' }, composed.services, { signal });
        if (body.complete === true) break;
        await pause(50);
      }
    account = await composed.services.drafts.accountKey();
  } finally {
    await composed.close();
  }
  const store = openStore<never, never, MirrorState>({
    place: { stateDir },
    realClock: clock,
    random: Math.random,
    self: 'bench',
    merge: {},
  });
  const tickers = simulator.groundTruth().positions.map(({ ticker }) => ticker);
  await addRows(store, { account, kind: 'orders' }, makeFills(tickers, fills));
  await addRows(store, { account, kind: 'dividends' }, makeDividends(tickers, dividends));
  await store.close();
}

async function addRows<Kind extends HistoryKind>(
  store: { readonly history: ReturnType<typeof openStore<never, never, MirrorState>>['history'] },
  place: { readonly account: string; readonly kind: Kind },
  rows: Iterable<RowOf[Kind]>,
): Promise<void> {
  await store.history.change(place, async (tx) => {
    const [newest, ...others] = (await tx.state())?.stretches ?? [];
    if (!newest || newest.next || others.length > 0) throw new Error(`The ${place.kind} were not read completely.`);
    const facts = kinds[place.kind] as HistoryDefinition<RowOf[Kind]>;
    let index = 0;
    for (const row of rows) await tx.put('pages', [storedRow(facts, row, `bench ${index++}`, newest.id)]);
  });
}

/** The shares of the simulated account have an ISIN of their own. */
const isinOf = (ticker: string, at: number) =>
  ticker.startsWith('T') && ticker.endsWith('_US_EQ') ? { isin: `US${String(at).padStart(10, '0')}` } : {};

const isoAt = (index: number, count: number): string =>
  new Date(Date.now() - endsBeforeMs - (count - index) * 60 * minuteMs).toISOString();

/** Of each ticker twenty purchases, and then ten sales of what two of them bought. */
function* makeFills(held: readonly string[], count: number): Generator<RowOf['orders']> {
  const tickers = [...held, ...Array.from({ length: 200 - held.length }, (_, index) => `T${index}_US_EQ`)];
  const whole = Math.floor(count / tickers.length / 30) * tickers.length * 30;
  for (let index = 0; index < whole; index++) {
    const at = index % tickers.length;
    const ticker = tickers[at] as string;
    const isSale = Math.floor(index / tickers.length) % 30 >= 20;
    const quantity = isSale ? '-4.25' : '2.125';
    const netValue = new Big(quantity).abs().times(10 + (index % 97) / 10);
    const filledAt = isoAt(index, whole);
    const instrument = { ticker, name: `Instrument ${at}`, ...isinOf(ticker, at), currency: 'GBP' };
    yield {
      order: {
        id: String(20_000_000_000 + index),
        createdAt: filledAt,
        currency: 'GBP',
        extendedHours: false,
        filledQuantity: quantity,
        initiatedFrom: 'API',
        instrument,
        quantity,
        side: isSale ? 'SELL' : 'BUY',
        status: 'FILLED',
        strategy: 'QUANTITY',
        ticker,
        type: 'MARKET',
      },
      fill: {
        id: String(30_000_000_000 + index),
        filledAt,
        price: '12.5',
        quantity,
        tradingMethod: 'TOTV',
        type: 'TRADE',
        walletImpact: {
          currency: 'GBP',
          fxRate: '1',
          netValue: netValue.toFixed(2),
          realisedProfitLoss: isSale ? '1.25' : '0',
          taxes: [{ name: 'STAMP_DUTY', quantity: '-0.05', currency: 'GBP', chargedAt: filledAt }],
        },
      },
    } as unknown as RowOf['orders'];
  }
}

function* makeDividends(tickers: readonly string[], count: number): Generator<RowOf['dividends']> {
  for (let index = 0; index < count; index++) {
    const at = index % tickers.length;
    const ticker = tickers[at] as string;
    yield {
      ticker,
      instrument: { ticker, name: `Instrument ${at}`, ...isinOf(ticker, at), currency: 'GBP' },
      reference: `bench-${index}`,
      quantity: '10.5',
      amount: '1.37',
      amountInEuro: '1.6',
      currency: 'GBP',
      grossAmountPerShare: '0.15',
      tickerCurrency: 'GBP',
      paidOn: isoAt(index * 5, count * 5),
      type: 'ORDINARY',
    } as unknown as RowOf['dividends'];
  }
}
