/** Asks the tools whose answers make the report, until each is whole, the time is over or the person ends it. */
import { endpoints } from '../catalogue/index.ts';
import { kinds } from '../history/kinds.ts';
import { tools } from '../mcp/registry.ts';
import { runTool } from '../mcp/run-tool.ts';
import type { Services } from '../mcp/tool.ts';
import type { AnswerBody } from '../mcp/tool-result.ts';
import { estimateReadingMs } from './reading-time.ts';

const questions = {
  portfolio: ['analyze_portfolio', {}],
  dividends: ['summarize_dividends', { groupBy: 'month', project: true }],
  gains: ['summarize_realised_gains', { method: 'broker' }],
  returns: ['calculate_returns', {}],
  costs: ['summarize_costs', { groupBy: 'name' }],
} as const;
type Part = keyof typeof questions;
const parts = Object.keys(questions) as Part[];

/** How long the last questions may take after the person has ended the command. */
const lastWordMs = 2_000;
const askAgainMs = 5_000;

export interface ReportAnswers {
  /** Each the body of an answer, or of an error. */
  readonly answers: Readonly<Partial<Record<Part, object>>>;
  /** Why parts of it are not whole; undefined when all are. */
  readonly incomplete: 'interrupted' | 'out_of_time' | undefined;
}

export interface AskOptions {
  /** Until when to wait for a history that is still being read (ms). */
  readonly until: number;
  /** Ends the asking; what is known by then is answered. */
  readonly ending: AbortSignal;
  /** Told what happens, a line each. */
  readonly tell: (line: string) => void;
}

export async function askForReport(services: Services, { until, ending, tell }: AskOptions): Promise<ReportAnswers> {
  const { clock } = services;
  const answers: Partial<Record<Part, AnswerBody>> = {};
  const errors: Partial<Record<Part, object>> = {};
  const ask = async (part: Part, signal: AbortSignal, longestMs?: number) => {
    const [tool, args] = questions[part];
    const result = await runTool(tools, tool, args, services, { signal, onProgress: tell, longestMs });
    if (result.isError) errors[part] = result.body;
    else answers[part] = result.body;
  };
  // Only a history becomes whole by waiting.
  const isOpen = (part: Part) => {
    const answer = answers[part];
    return answer ? answer.complete === false && answer.coverage !== undefined : errors[part] === undefined;
  };

  for (;;) {
    await Promise.all(parts.filter(isOpen).map((part) => ask(part, ending)));
    if (ending.aborted) break;
    const open = parts.filter(isOpen);
    if (open.length === 0 || clock.now() >= until) break;
    const pauseMs = Math.min(pauseOf(open.map((part) => answers[part])), until - clock.now());
    const more = await estimate(services, Object.values(answers)).catch(() => undefined);
    tell(
      `Still reading history for ${open.join(', ')}${more === undefined ? '' : `: about ${Math.ceil(more / 1000)} s more`}. Checking again in ${Math.ceil(pauseMs / 1000)} s.`,
    );
    await clock.sleep(pauseMs, ending).catch(() => undefined);
  }
  if (ending.aborted) {
    // What came in since the last answer, and parts that were never answered; the person does not wait for more.
    for (const part of parts) if (!answers[part]) delete errors[part];
    await Promise.all(parts.filter(isOpen).map((part) => ask(part, new AbortController().signal, lastWordMs)));
  }
  const isWhole = parts.every((part) => answers[part] && answers[part].complete !== false);
  const incomplete = ending.aborted && !isWhole ? 'interrupted' : parts.some(isOpen) ? 'out_of_time' : undefined;
  // In the order of the questions, not in that of the answers' arrival: it is the order of the page.
  const known = parts.flatMap((part) => [[part, answers[part] ?? errors[part]] as const].filter(([, body]) => body));
  return { answers: Object.fromEntries(known), incomplete };
}

/** How long the slowest history still takes (ms), back to the oldest position. */
async function estimate(services: Services, bodies: readonly AnswerBody[]): Promise<number | undefined> {
  const { clock, broker, limitOf } = services;
  const now = clock.now();
  const { data } = await broker.call(endpoints.listPositions, {}, { priority: 'read', deadlineAt: now + lastWordMs });
  const oldestAt = Math.min(...data.map(({ createdAt }) => Date.parse(createdAt ?? '')).filter(Number.isFinite));
  const times = await Promise.all(
    (Object.keys(kinds) as (keyof typeof kinds)[]).map(async (kind) => {
      const coverages = bodies.flatMap(({ coverage }) => (coverage as Coverages | undefined)?.[kind] ?? []);
      const last = coverages.toSorted((a, b) => b.rows - a.rows)[0];
      if (!last || last.complete || !last.from) return undefined;
      const read = { rows: last.rows, from: Date.parse(last.from) };
      return estimateReadingMs(read, Math.min(oldestAt, read.from), now, await limitOf(kinds[kind].endpoint));
    }),
  );
  const known = times.filter((ms) => ms !== undefined);
  return known.length > 0 ? Math.max(...known) : undefined;
}

type Coverages = Readonly<Record<string, { rows: number; from?: string | null; complete: boolean }>>;

/** When something more is there than now (ms), by the answers that are not whole. */
function pauseOf(bodies: readonly (AnswerBody | undefined)[]): number {
  const seconds = bodies.flatMap((body) => (typeof body?.retryAfterSeconds === 'number' ? body.retryAfterSeconds : []));
  return seconds.length > 0 ? Math.min(...seconds) * 1000 : askAgainMs;
}
