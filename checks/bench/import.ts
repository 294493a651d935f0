/**
 * How long a history of eight years takes through reports and through pages, in simulated time, against the least that
 * the service's limits allow; and whether the figures are equal.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type App, createApp } from '../../src/app/composition-root.ts';
import { tools } from '../../src/app/registry.ts';
import { endpoints } from '../../src/core/endpoints/index.ts';
import { runTool } from '../../src/core/mcp/run-tool.ts';
import { type Simulator, startSimulator } from '../../src/simulator/index.ts';
import { createManualClock, type ManualClock } from '../../test/support/manual-clock.ts';
import { demoConfig } from './demo-config.ts';

export interface ImportFigures {
  readonly fills: number;
  readonly dividends: number;
  readonly reports: number;
  readonly reportSeconds: number;
  /** One request per period, and the time that the service needs for the last report. */
  readonly leastSeconds: number;
  readonly pages: number;
  readonly pageSeconds: number;
  readonly leastPageSeconds: number;
  /** Requests that the service refused for the rate limit. */
  readonly refused: number;
  /** The questions whose figures differ between the two ways. */
  readonly unequal: readonly string[];
}

export interface ImportScale {
  readonly fills: number;
  readonly dividends: number;
  readonly years: number;
}

const credentials = { key: 'bench-key', secret: 'bench-secret' };
const dayMs = 86_400_000;
const endAt = Date.UTC(2026, 0, 15, 15, 0, 0);
/** The simulated account begins with three years of history. */
const seededYears = 3;
/** How long (s) the simulated service needs for a report. */
const makingSeconds = 15;
const rowsPerPage = 50;

const questions: readonly (readonly [string, object])[] = [
  ['summarize_realised_gains', { method: 'uk_section_104' }],
  ['summarize_realised_gains', { method: 'fifo' }],
  ['summarize_realised_gains', { method: 'average' }],
  ['summarize_realised_gains', { method: 'broker' }],
  ['summarize_dividends', { groupBy: 'month' }],
  // Not by ticker: those rows have the last twelve months, which depend on the time of the call.
  ['summarize_dividends', { groupBy: 'type' }],
  ['summarize_costs', { groupBy: 'name' }],
  ['summarize_costs', { groupBy: 'ticker' }],
  ['calculate_returns', {}],
];
/** Fields that depend on the prices or the time of the call. */
const ofTheMoment =
  /^(asOf|coverage|gain|gainPercent|moneyWeighted|timeWeighted|trailingTwelveMonths|value|valueAt|yieldOnCost.*)$/;

/** Measures both ways on an account of this size. */
export async function measureImport(scale: ImportScale): Promise<ImportFigures> {
  const startAt = new Date(endAt);
  startAt.setUTCFullYear(startAt.getUTCFullYear() - (scale.years - seededYears));
  const clock = createManualClock({ startAt: startAt.getTime(), auto: true });
  const simulator = await startSimulator({ clock, credentials, instrumentCount: 300 });
  try {
    await liveThrough(simulator, clock, scale);
    const { history, dividends, transactions, reports: none } = simulator.groundTruth();
    const byReports = await importWith(simulator, clock);
    await clock.advance(300_000);
    const { reports } = simulator.groundTruth();
    simulator.quirks.exportsForbidden = true;
    const byPages = await importWith(simulator, clock);
    const pages = [history, dividends, transactions].map((rows) => Math.ceil(rows.length / rowsPerPage));
    const period = (endpoint: { readonly limit?: { readonly requests: number; readonly periodSeconds: number } }) =>
      endpoint.limit ?? { requests: 1, periodSeconds: 0 };
    const { requests: pageRequests, periodSeconds } = period(endpoints.listHistoricalOrders);
    const requested = reports.length - none.length;
    return {
      fills: history.filter(({ fill }) => fill).length,
      dividends: dividends.length,
      reports: requested,
      reportSeconds: byReports.seconds,
      leastSeconds: (requested - 1) * period(endpoints.requestReport).periodSeconds + makingSeconds,
      pages: pages.reduce((sum, count) => sum + count, 0),
      pageSeconds: byPages.seconds,
      // The three histories have a limit each.
      leastPageSeconds: Math.floor((Math.max(...pages) - 1) / pageRequests) * periodSeconds,
      refused: simulator.log.filter(({ refused }) => refused).length,
      unequal: questions.flatMap(([tool, args], index) =>
        byReports.answers[index] === byPages.answers[index] ? [] : `${tool} ${JSON.stringify(args)}`,
      ),
    };
  } finally {
    await simulator.close();
  }
}

/** Trades and receives dividends on every weekday, until the account has the rows. */
async function liveThrough(simulator: Simulator, clock: ManualClock, scale: ImportScale): Promise<void> {
  const { history, dividends, positions } = simulator.groundTruth();
  const tickers = positions.map(({ ticker }) => ticker);
  const weekdays = Math.floor(((endAt - clock.now()) / dayMs) * (5 / 7));
  const wanted = { fills: scale.fills - history.filter(({ fill }) => fill).length, dividends: scale.dividends };
  wanted.dividends -= dividends.length;
  let [traded, paid] = [0, 0];
  for (let day = 1; clock.now() < endAt - dayMs; day++) {
    await clock.advance(dayMs - (clock.now() % dayMs) + 15 * 3_600_000);
    const weekday = new Date(clock.now()).getUTCDay();
    if (weekday === 0 || weekday === 6) continue;
    simulator.inject.transfer(2_000);
    const share = Math.min(1, day / (weekdays * (7 / 5)));
    for (; traded < wanted.fills * share; traded++) {
      const ticker = tickers[traded % tickers.length] as string;
      // Two purchases, then a sale of a part.
      const quantity = Math.floor(traded / tickers.length) % 3 === 2 ? '-0.3' : '0.2';
      await clock.advance(61_000);
      try {
        simulator.inject.order({ ticker, quantity });
      } catch {
        // The service refuses some orders, for example below the smallest quantity of an instrument.
        simulator.inject.order({ ticker, quantity: '1' });
      }
    }
    for (; paid < wanted.dividends * share; paid++) {
      await clock.advance(1_000);
      simulator.inject.dividend(tickers[paid % tickers.length] as string, '0.11');
    }
  }
  await clock.advance(endAt - clock.now());
}

/** Imports with an empty store, and asks the questions. */
async function importWith(simulator: Simulator, clock: ManualClock) {
  const stateDir = mkdtempSync(join(tmpdir(), 'brokerage-mcp-import-'));
  const composed = createApp(demoConfig({ origin: simulator.origin, credentials }, stateDir), { clock });
  try {
    const startedAt = clock.now();
    await runToEnd(composed);
    const seconds = (clock.now() - startedAt) / 1000;
    const answers: string[] = [];
    for (const question of questions) answers.push(await ask(composed, clock, question));
    return { seconds, answers };
  } finally {
    await composed.close();
    rmSync(stateDir, { recursive: true, force: true });
  }
}

/** Waits in real time, because a sleep of this program would move the simulated time. */
async function runToEnd({ services: { historyImport } }: App): Promise<void> {
  await historyImport.start(undefined);
  for (;;) {
    const progress = await historyImport.progress();
    if (progress?.isDone) return;
    if (!progress?.isRunning) throw new Error(`The import stopped: ${progress?.trouble?.message ?? 'no reason'}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

async function ask({ services }: App, clock: ManualClock, [tool, args]: readonly [string, object]): Promise<string> {
  for (let rounds = 0; rounds < 20; rounds++) {
    const { isError, body } = await runTool(tools, tool, args, services, { signal: new AbortController().signal });
    if (!isError && body.complete === true) {
      const figures = Object.entries(body).filter(([name]) => !ofTheMoment.test(name));
      return JSON.stringify(figures);
    }
    await clock.advance(60_000);
  }
  throw new Error(`${tool} ${JSON.stringify(args)} did not become complete.`);
}
