/** Decides whether waiting can complete what a command reads of the account. */
import type { ErrorCode } from '../core/errors.ts';
import type { ResponseBody } from '../core/mcp/tool-result.ts';
import type { ProcessContext } from '../core/process/process-context.ts';
import type { Coverage } from '../features/history/history-port.ts';

export type ReadFailure = NonNullable<Coverage['error']>;

/** These end within minutes. After any other failure a further request would only take as long as the first. */
const passing: ReadonlySet<ErrorCode> = new Set(['rate_limited', 'timeout', 'upstream_error']);

export const canPass = ({ code }: ReadFailure): boolean => passing.has(code);

const listCoverages = ({ coverage = {} }: ResponseBody) =>
  Object.values(coverage as Readonly<Record<string, Coverage>>);

/** The failures behind a result that rests on stored rows. */
export const listFailures = (body: ResponseBody): ReadFailure[] =>
  listCoverages(body).flatMap(({ error }) => error ?? []);

/** Whether a history behind the result lacks rows, and can still be read. */
export const canBecomeComplete = (body: ResponseBody): boolean =>
  body.complete === false && listCoverages(body).some(({ complete, error }) => !complete && (!error || canPass(error)));

/** Prints each failure once, with its next step. */
export function warnOfFailures(failures: readonly ReadFailure[], { warn }: Pick<ProcessContext, 'warn'>): void {
  for (const line of new Set(failures.map(({ message, next }) => `brokerage-mcp: ${message} ${next}`))) warn(line);
}
