/** Says what an import left unread, and how long reading it takes. */
import { BrokerageError } from '../errors.ts';
import type { Coverage } from '../history/history-port.ts';
import { historyKinds } from '../history/kinds.ts';
import type { Services } from '../mcp/tool.ts';
import { estimateRest } from './collect-report.ts';

/** How long (ms) the questions for the coverage may take. */
const maxMs = 10_000;

/** The lines to print after an import: one when nothing is missing. Reads the newest rows and no missing page. */
export async function describeRest(services: Services, signal: AbortSignal): Promise<readonly string[]> {
  const { history, clock } = services;
  const deadlineAt = clock.now() + maxMs;
  const options = { context: { priority: 'read', deadlineAt, signal }, newestOnly: true } as const;
  try {
    const coverages: Partial<Record<string, Coverage>> = {};
    for (const kind of historyKinds) coverages[kind] = (await history.derive({ kind }, nothing, options)).coverage;
    const missing = Object.entries(coverages).flatMap(([kind, coverage]) =>
      (coverage?.missing ?? []).map((reason) => `  ${kind}: ${reason}`),
    );
    if (missing.length === 0) return ['The history is complete.'];
    const leftMs = await estimateRest(services, [{ coverage: coverages }]).catch(() => undefined);
    return ['The history is not complete:', ...missing, describeReading(leftMs)];
  } catch (error) {
    if (!(error instanceof BrokerageError)) throw error;
    return [`Whether rows are missing is unknown: ${error.message}`];
  }
}

/** Only the coverage is needed. */
const nothing = {
  name: 'nothing',
  start: () => ({ add: () => undefined, finish: () => ({ value: undefined, bytes: 0 }) }),
};

const describeReading = (leftMs: number | undefined): string =>
  `What needs these rows reads them first, page by page${leftMs === undefined ? '' : `: at least about ${Math.ceil(leftMs / 1000)} s`}. “brokerage-mcp import” without --years reads the complete history through reports.`;
