/** Calls the tools whose results make the report until each is complete, the time is up or the user interrupts. */

import { endpoints } from '../../core/endpoints/index.ts';
import { ignoreAbort } from '../../core/errors.ts';
import { orElse } from '../../core/log.ts';
import { runTool } from '../../core/mcp/run-tool.ts';
import type { ResponseBody } from '../../core/mcp/tool-result.ts';
import { summarizeCostsTool } from '../analytics/tools/costs-tool.ts';
import { summarizeDividendsTool } from '../analytics/tools/dividends-tool.ts';
import { analyzePortfolioTool } from '../analytics/tools/portfolio-tool.ts';
import { calculateReturnsTool } from '../analytics/tools/returns-tool.ts';
import type { GainsDeps } from '../gains/gains-deps.ts';
import { summarizeRealisedGainsTool } from '../gains/tools/gains-tool.ts';
import type { HistoryDeps } from '../history/history-deps.ts';
import { kinds } from '../history/kinds.ts';
import {
  canBecomeComplete,
  canPass,
  estimateReadingMs,
  formatDuration,
  listFailures,
  type ReadFailure,
  retryMs,
} from './read-progress.ts';

const questions = {
  portfolio: [analyzePortfolioTool, {}],
  dividends: [summarizeDividendsTool, { groupBy: 'month', project: true }],
  gains: [summarizeRealisedGainsTool, { method: 'broker' }],
  returns: [calculateReturnsTool, {}],
  costs: [summarizeCostsTool, { groupBy: 'name' }],
} as const;
type Part = keyof typeof questions;
const parts = Object.keys(questions) as Part[];

/** How long (ms) the last calls may take after the user has interrupted the command. */
const finalRequestMs = 2_000;
/** How long (ms) the report waits for the list of instruments. */
const maxNamesMs = 5_000;

export interface CollectedReport {
  /** The body of each result or error. */
  readonly answers: Readonly<Partial<Record<Part, object>>>;
  /** Why parts are incomplete; undefined when all are complete. */
  readonly incomplete: 'interrupted' | 'out_of_time' | 'failed' | undefined;
  /** What the service or the network reported; parts that share a request repeat it. */
  readonly failures: readonly ReadFailure[];
}

export async function collectReport(
  deps: GainsDeps,
  {
    until,
    isBound = false,
    shutdownSignal,
    tell,
  }: {
    /** When to stop waiting for a history that is still being read (ms since 1970). */
    readonly until: number;
    /** Whether no call may take longer than `until`. */
    readonly isBound?: boolean;
    /** Aborts the calls; the report then shows what is known so far. */
    readonly shutdownSignal: AbortSignal;
    /** Receives progress, one line at a time. */
    readonly tell: (line: string) => void;
  },
): Promise<CollectedReport> {
  const { clock } = deps;
  const answers: Partial<Record<Part, ResponseBody>> = {};
  const errors: Partial<Record<Part, ReadFailure>> = {};
  const ask = async (part: Part, signal: AbortSignal, timeoutMs?: number) => {
    const [tool, args] = questions[part];
    const options = { signal, onProgress: tell, timeoutMs, wantsAllRows: true };
    const result = await runTool([tool], tool.name, args, deps, options);
    delete errors[part];
    if (result.isError) errors[part] = result.body as unknown as ReadFailure;
    else answers[part] = { ...result.body, ...result.viewData };
  };
  const found = (part: Part): FoundPart => ({ answer: answers[part], error: errors[part] });
  const isOpen = (part: Part) => isOpenPart(found(part));

  // Only for the names in the pictures, so a list that cannot be read holds up nothing.
  const namesAt = clock.now() + maxNamesMs;
  const context = {
    priority: 'read',
    deadlineAt: isBound ? Math.min(until, namesAt) : namesAt,
    signal: shutdownSignal,
  } as const;
  await deps.directory.instruments(context).catch(orElse('a request', undefined));
  for (;;) {
    await Promise.all(
      parts.filter(isOpen).map((part) => ask(part, shutdownSignal, isBound ? until - clock.now() : undefined)),
    );
    if (shutdownSignal.aborted) break;
    const open = parts.filter(isOpen);
    if (open.length === 0 || clock.now() >= until) break;
    const pauseMs = Math.min(computePauseMs(open.map((part) => answers[part])), until - clock.now());
    const more = await estimateRest(deps, Object.values(answers)).catch(orElse('a command', undefined));
    const left = more === undefined ? undefined : formatDuration(more);
    const pause = formatDuration(pauseMs);
    tell(
      `Still reading history for ${open.join(', ')}${left === undefined ? '' : `: about ${left} more`}. Checking again${pause === undefined ? '' : ` in ${pause}`}.`,
    );
    await clock.sleep(pauseMs, shutdownSignal).catch(ignoreAbort);
  }
  if (shutdownSignal.aborted) {
    // Reads rows that arrived since the last call, and parts without a result yet. The user waits no longer than this.
    for (const part of parts) delete errors[part];
    await Promise.all(parts.filter(isOpen).map((part) => ask(part, new AbortController().signal, finalRequestMs)));
  }
  const failures = [...Object.values(errors), ...Object.values(answers).flatMap(listFailures)];
  // The page shows the parts in this order, whichever result arrived first.
  const known = parts.flatMap((part) => [[part, answers[part] ?? errors[part]] as const].filter(([, body]) => body));
  const incomplete = explainIncomplete(parts.map(found), shutdownSignal.aborted);
  return { answers: Object.fromEntries(known), incomplete, failures };
}

/** What was read of a part: its newest result, and the error of the last call. */
export interface FoundPart {
  readonly answer: ResponseBody | undefined;
  readonly error: ReadFailure | undefined;
}

/** Whether another call can complete a part. */
export function isOpenPart({ answer, error }: FoundPart): boolean {
  if (error && !(answer && canPass(error))) return false;
  return answer === undefined || canBecomeComplete(answer);
}

/** Why parts are incomplete; undefined when all are complete, or a part has an error instead of figures. */
export function explainIncomplete(found: readonly FoundPart[], isInterrupted: boolean): CollectedReport['incomplete'] {
  if (isInterrupted && !found.every(({ answer }) => answer && answer.complete !== false)) return 'interrupted';
  if (found.some(isOpenPart)) return 'out_of_time';
  const hasFailed = found.some(({ answer, error }) => error || (answer && listFailures(answer).length > 0));
  return hasFailed && found.some(({ answer }) => answer?.complete === false) ? 'failed' : undefined;
}

/** Estimates how long (ms) the slowest history still takes, back to the oldest position. Undefined when unknown. */
export async function estimateRest(
  deps: Pick<HistoryDeps, 'clock' | 'broker' | 'getLimit'>,
  bodies: readonly { readonly coverage?: unknown }[],
): Promise<number | undefined> {
  const { clock, broker, getLimit } = deps;
  const now = clock.now();
  const { data } = await broker.call(
    endpoints.listPositions,
    {},
    { priority: 'read', deadlineAt: now + finalRequestMs },
  );
  const oldestAt = Math.min(...data.map(({ createdAt }) => Date.parse(createdAt ?? '')).filter(Number.isFinite));
  const times = await Promise.all(
    (Object.keys(kinds) as (keyof typeof kinds)[]).map(async (kind) => {
      const coverages = bodies.flatMap(({ coverage }) => (coverage as Coverages | undefined)?.[kind] ?? []);
      const last = coverages.toSorted((a, b) => b.rows - a.rows)[0];
      if (!last || last.complete || !last.from) return undefined;
      const read = { rows: last.rows, from: Date.parse(last.from) };
      return estimateReadingMs(read, Math.min(oldestAt, read.from), now, await getLimit(kinds[kind].endpoint));
    }),
  );
  const known = times.filter((ms) => ms !== undefined);
  return known.length > 0 ? Math.max(...known) : undefined;
}

type Coverages = Readonly<Record<string, { rows: number; from?: string | null; complete: boolean }>>;

/** When more rows will be available (ms from now), according to the incomplete results. */
function computePauseMs(bodies: readonly (ResponseBody | undefined)[]): number {
  const seconds = bodies.flatMap((body) => (typeof body?.retryAfterSeconds === 'number' ? body.retryAfterSeconds : []));
  return seconds.length > 0 ? Math.min(...seconds) * 1000 : retryMs;
}
