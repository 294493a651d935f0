/** What a report of a busy year costs a server: its longest pause and its memory, from the download to the store. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { createRedactor } from '../../src/core/broker/response/redact.ts';
import { systemClock } from '../../src/core/clock.ts';
import type { Report } from '../../src/core/endpoints/index.ts';
import { createHistoryTable } from '../../src/core/store/history-table.ts';
import { createSqliteEngine } from '../../src/core/store/sqlite/sqlite-engine.ts';
import { importReport } from '../../src/features/history/reports/import-report.ts';
import { openReport } from '../../src/features/history/reports/read-report.ts';
import type { HistoryStore } from '../../src/features/history/row-store.ts';

export interface ReportFigures {
  readonly megabytes: number;
  readonly rows: number;
  readonly seconds: number;
  /** The longest time in which nothing else could run. */
  readonly longestPauseMs: number;
  readonly peakMegabytes: number;
}

const header =
  'Action,Time,ISIN,Ticker,Name,ID,No. of shares,Price / share,Currency (Price / share),Exchange rate,Result,Currency (Result),Total,Currency (Total)\n';
const writeRow = (n: number) =>
  `Market buy,2025-0${1 + (n % 9)}-02 09:30:${String(n % 60).padStart(2, '0')},US0000000001,T${n % 400},"Example, Inc",EOF${n},2.5000000000,101.5000,USD,1.27000000,,,199.50,GBP\n`;
const report = {
  reportId: '1',
  timeFrom: '2025-01-01T00:00:00Z',
  timeTo: '2026-01-01T00:00:00Z',
  dataIncluded: { includeDividends: true, includeInterest: true, includeOrders: true, includeTransactions: true },
} as Report;

/** Reads a report of this many rows and stores it. */
export async function measureReport(rows: number): Promise<ReportFigures> {
  const folder = mkdtempSync(join(tmpdir(), 'brokerage-mcp-report-'));
  const path = join(folder, 'store.db');
  const engine = createSqliteEngine({ path, clock: systemClock, random: Math.random });
  const store = createHistoryTable(engine) as HistoryStore;
  const { file: redact } = createRedactor(['a-key-of-the-owner', 'a-secret-of-the-owner']);
  const text = header + Array.from({ length: rows }, (_, n) => writeRow(n)).join('');
  try {
    await store.read({ account: 'account', kind: 'orders' }, (tx) => tx.state());
    const before = process.memoryUsage.rss();
    let peak = before;
    const watch = setInterval(() => {
      peak = Math.max(peak, process.memoryUsage.rss());
    }, 20);
    const delay = monitorEventLoopDelay({ resolution: 1 });
    delay.enable();
    const from = performance.now();
    const file = await openReport(await redact(text), { resolveTicker: () => undefined });
    await importReport(store, 'account', report, file, Date.UTC(2026, 5, 1));
    const seconds = (performance.now() - from) / 1000;
    delay.disable();
    clearInterval(watch);
    return {
      megabytes: text.length / 1e6,
      rows: file.totalRows,
      seconds,
      longestPauseMs: delay.max / 1e6,
      peakMegabytes: (peak - before) / 1e6,
    };
  } finally {
    await engine.close();
    rmSync(folder, { recursive: true, force: true });
  }
}
