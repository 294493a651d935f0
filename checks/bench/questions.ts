/** What twenty typical questions cost in requests: on a fresh store, repeated immediately, and an hour later. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createApp } from '../../src/app/composition-root.ts';
import { tools } from '../../src/app/registry.ts';
import { runTool } from '../../src/core/mcp/run-tool.ts';
import { startSimulator } from '../../src/simulator/index.ts';
import { createManualClock } from '../../test/support/manual-clock.ts';
import { demoConfig } from './demo-config.ts';

const questions: readonly (readonly [string, object])[] = [
  ['get_account_summary', {}],
  ['list_positions', {}],
  ['list_positions', { sort: 'profitLoss', limit: 5 }],
  ['analyze_portfolio', { by: 'instrument', top: 5 }],
  ['analyze_portfolio', { by: 'currency' }],
  ['analyze_portfolio', { by: 'country' }],
  ['search_instruments', { query: 'noon' }],
  ['list_exchanges', { days: 1 }],
  ['list_orders', {}],
  ['fetch_history', { kind: 'orders', limit: 10 }],
  ['fetch_history', { kind: 'orders', since: '2025-01-01', until: '2025-07-01', waitSeconds: 50 }],
  ['fetch_history', { kind: 'transactions', type: 'FEE', waitSeconds: 50 }],
  ['summarize_dividends', { groupBy: 'month', since: '2025-01-01', until: '2026-01-01' }],
  ['summarize_dividends', { groupBy: 'ticker' }],
  ['summarize_dividends', { groupBy: 'month', project: true }],
  ['summarize_realised_gains', { method: 'broker', since: '2025-01-01' }],
  ['summarize_realised_gains', { method: 'uk_section_104', taxYear: '2024/25' }],
  ['calculate_returns', {}],
  ['summarize_costs', { groupBy: 'name' }],
  ['summarize_costs', { groupBy: 'year' }],
];

export interface QuestionFigures {
  readonly questions: number;
  /** Requests for the first round, with all histories read; for the next one immediately; and for one an hour later. */
  readonly cold: number;
  readonly again: number;
  readonly hourLater: number;
  /** The most that a single question spent an hour later. */
  readonly mostLater: number;
  /** Pages of the three histories. */
  readonly historyPages: number;
}

export async function measureQuestions(): Promise<QuestionFigures> {
  const clock = createManualClock({ startAt: Date.UTC(2026, 0, 15, 15, 0, 0), auto: true });
  const credentials = { key: 'bench-key', secret: 'bench-secret' };
  const simulator = await startSimulator({ clock, credentials });
  const stateDir = mkdtempSync(join(tmpdir(), 'brokerage-mcp-questions-'));
  const composed = createApp(
    { ...demoConfig({ origin: simulator.origin, credentials }, stateDir), readOnly: true },
    { clock },
  );
  let last = '';
  const ask = async ([name, args]: readonly [string, object]): Promise<number> => {
    const before = simulator.log.length;
    for (let rounds = 0; rounds < 20; rounds++) {
      const result = await runTool(tools, name, args, composed.services, { signal: new AbortController().signal });
      if (!result.isError && result.body.complete !== false) return simulator.log.length - before;
      last = result.text.slice(0, 900);
      const wait = result.isError ? Number(result.body.retryAfterSeconds ?? 0) : 30;
      if (result.isError && wait === 0) throw new Error(`${name}: ${result.text}`);
      await clock.advance(wait * 1000);
      // Real requests need real time, however fast the clock is driven.
      await new Promise((resolve) => setTimeout(resolve, 25));
    }
    throw new Error(`${name} ${JSON.stringify(args)} is not answered whole: ${last}`);
  };
  const round = async () => {
    const spent: number[] = [];
    for (const question of questions) spent.push(await ask(question));
    return spent;
  };
  const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
  try {
    const cold = await round();
    const again = await round();
    await clock.advance(3_600_000);
    const later = await round();
    const books = simulator.groundTruth();
    const pages = [books.history, books.dividends, books.transactions].map((rows) => Math.ceil(rows.length / 50));
    return {
      questions: questions.length,
      cold: sum(cold),
      again: sum(again),
      hourLater: sum(later),
      mostLater: Math.max(...later),
      historyPages: sum(pages),
    };
  } finally {
    await composed.close();
    await simulator.close();
    rmSync(stateDir, { recursive: true, force: true });
  }
}
