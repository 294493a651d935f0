/** A note for a caller who waits for a long history: reports are faster, and how long each way takes. */

import { endpoints } from '../../core/endpoints/index.ts';
import { countOf } from '../../core/text/count-of.ts';
import type { HistoryDeps } from './history-deps.ts';
import type { Coverage } from './history-port.ts';

/** With fewer rows, the rest can still arrive within a call. */
const longHistoryRows = 100;
const rowsPerPage = 50;
const rowsToName = 1_000;

/**
 * Returns a sentence about `import_history`; undefined when no long history is being read, when this server does not
 * offer the tool, or when the service refuses reports.
 */
export async function describeImport(
  deps: HistoryDeps,
  ...coverages: readonly Coverage[]
): Promise<string | undefined> {
  const { config, historyImport, getLimit } = deps;
  const isLong = coverages.some(({ complete, reading, rows }) => !complete && reading && rows >= longHistoryRows);
  if (!isLong || config.readOnly || !config.toolsets.includes('exports')) return undefined;
  const progress = await historyImport.progress();
  if (progress?.way === 'pages') return undefined;
  if (progress?.isRunning) {
    const { ready, expected } = progress.years;
    return `import_history is running: it has read ${ready} of about ${countOf(expected, 'year')}.`;
  }
  const [pages, reports] = [await getLimit(endpoints.listHistoricalOrders), await getLimit(endpoints.requestReport)];
  const pageSeconds = (rowsToName / rowsPerPage / pages.requests) * (pages.periodMs / 1000);
  const reportSeconds = reports.periodMs / 1000 / reports.requests;
  return `Pages take about ${Math.ceil(pageSeconds)} s per ${rowsToName} rows; import_history takes about ${Math.ceil(reportSeconds)} s per year, through reports.`;
}
