/** Says what an import left unread, and how long reading it takes. */

import type { Services } from '../app/services.ts';
import { BrokerageError } from '../core/errors.ts';
import { orElse } from '../core/log.ts';
import type { Coverage } from '../features/history/history-port.ts';
import { historyKinds } from '../features/history/kinds.ts';
import { estimateRest } from './collect-report.ts';
import { formatDuration } from './format-duration.ts';

/** How long (ms) the questions for the coverage may take. */
const maxMs = 10_000;

/** What an import left unread. */
export type ImportRest =
  | { readonly complete: true }
  | {
      readonly complete: false;
      /** Why rows are missing, by kind. */
      readonly missing: Readonly<Record<string, readonly string[]>>;
      /** How long (ms) reading them page by page takes at least; undefined when unknown. */
      readonly leftMs: number | undefined;
    }
  /** Nothing is known about it, because of this. */
  | { readonly complete: null; readonly problem: string };

/** Reads the newest rows and no missing page. */
export async function readRest(services: Services, signal: AbortSignal): Promise<ImportRest> {
  const { history, clock } = services;
  const deadlineAt = clock.now() + maxMs;
  const options = { context: { priority: 'read', deadlineAt, signal }, newestOnly: true } as const;
  try {
    const coverages: Partial<Record<string, Coverage>> = {};
    for (const kind of historyKinds) coverages[kind] = (await history.derive({ kind }, nothing, options)).coverage;
    const missing = Object.entries(coverages).flatMap(([kind, coverage]) =>
      coverage?.missing?.length ? [[kind, coverage.missing] as const] : [],
    );
    if (missing.length === 0) return { complete: true };
    // Without an estimate the summary is still true.
    const leftMs = await estimateRest(services, [{ coverage: coverages }]).catch(orElse('a command', undefined));
    return { complete: false, missing: Object.fromEntries(missing), leftMs };
  } catch (error) {
    if (!(error instanceof BrokerageError)) throw error;
    return { complete: null, problem: error.message };
  }
}

/** Only the coverage is needed. */
const nothing = {
  name: 'nothing',
  start: () => ({ add: () => undefined, finish: () => ({ value: undefined, bytes: 0 }) }),
};

/** The lines to print after an import: one when nothing is missing. */
export function formatRest(rest: ImportRest): readonly string[] {
  if (rest.complete === true) return ['The history is complete.'];
  if (rest.complete === null) return [`Whether rows are missing is unknown: ${rest.problem}`];
  const left = rest.leftMs === undefined ? undefined : formatDuration(rest.leftMs);
  return [
    'The history is not complete:',
    ...Object.entries(rest.missing).flatMap(([kind, reasons]) => reasons.map((reason) => `  ${kind}: ${reason}`)),
    `A question that needs these rows reads them first, page by page${left === undefined ? '' : `, which takes ${left} or longer`}. “brokerage-mcp import” without --years reads the complete history through reports.`,
  ];
}
