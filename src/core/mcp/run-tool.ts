/** The pipeline of every tool call: arguments, deadline, work, result or error. */
import { setMaxListeners } from 'node:events';
import type * as z from 'zod';
import type { CallContext } from '../broker/types.ts';
import type { Clock } from '../clock.ts';
import { BrokerageError, cancelledError, isAbort } from '../errors.ts';
import { log } from '../log.ts';
import type { Config } from '../settings/config.ts';
import { sanitizeDeep } from '../text/sanitize-text.ts';
import { closestMatches } from '../text/suggestions.ts';
import type { ElicitationRequest } from './elicitation.ts';
import { parseArguments } from './parse-arguments.ts';
import type { AccountBeside, FileLink, HostInteraction, ToolCall, ToolDefinition, ToolReply } from './tool.ts';
import {
  buildToolResult,
  fitFields,
  formatErrorText,
  longestFor,
  maxCharacters,
  type ResponseBody,
} from './tool-result.ts';
import type { ViewData } from './view-data.ts';

/** Milliseconds for one call, waits included. Hosts time out at about 60 s. */
const maxCallMs = 50_000;

/** What a caller of `runTool` provides; aborting `signal` cancels the call. */
export interface CallOptions {
  readonly signal: AbortSignal;
  /** Reports progress to the user; undefined when the client did not request it. */
  readonly onProgress?: ((message: string, done: number, total: number | undefined) => void) | undefined;
  /** How long the call may take (ms); undefined means 50 s. */
  readonly timeoutMs?: number | undefined;
  /** Set when the result becomes a file: it is then complete, not as short as a host needs it. */
  readonly wantsAllRows?: boolean | undefined;
  /** The characters to leave for what the caller adds to the result. */
  readonly reserve?: number | undefined;
  /** What the client's server was built with, where it is narrower than that of the process. */
  readonly config?: Config | undefined;
  /** Undefined when the host cannot show questions. */
  readonly host?: HostInteraction | undefined;
  /** The other accounts of the server, for a call with weights over all of them. */
  readonly beside?: readonly AccountBeside[] | undefined;
}

/** The result of a call: a JSON object and the same as text, or an error. */
export type ToolResult =
  | {
      readonly isError: false;
      readonly text: string;
      readonly body: ResponseBody;
      readonly links?: readonly FileLink[] | undefined;
      readonly viewData?: ViewData | undefined;
      /** A question for the user; the client repeats the call with the reply. */
      readonly ask?: ElicitationRequest | undefined;
    }
  /** The body is for this program; clients receive only the text. */
  | { readonly isError: true; readonly text: string; readonly body: ResponseBody };

/** What every call needs, beside what the tool needs. */
export interface RunDeps {
  readonly config: Pick<Config, 'environment'>;
  readonly clock: Clock;
}

/** Runs one call of a tool that this server has. */
export type RunTool = (name: string, args: unknown, options: CallOptions) => Promise<ToolResult>;

/** Runs one tool call. Never throws: every failure becomes an error result with a next step. */
export async function runTool<Deps extends RunDeps>(
  tools: readonly ToolDefinition<z.ZodType, Deps>[],
  name: string,
  args: unknown,
  deps: Deps,
  options: CallOptions,
): Promise<ToolResult> {
  const tool = tools.find((candidate) => candidate.name === name);
  try {
    if (!tool) throw unknownTool(tools, name);
    const parsed = parseArguments(tool, args);
    const reply = await tool.run(parsed, createCall(deps, options), deps);
    // Data that this program holds locally is as of now.
    const dated = { ...reply, asOf: reply.asOf ?? deps.clock.now() };
    return {
      isError: false,
      ...buildToolResult(dated, deps.config.environment, mostFor(options, dated)),
      links: reply.links,
      viewData: reply.viewData,
      ask: reply.ask,
    };
  } catch (error) {
    return toErrorResult(error, tool);
  }
}

/** The longest result, in the measure of `buildToolResult`. */
function mostFor({ wantsAllRows, reserve = 0 }: CallOptions, reply: ToolReply): number {
  if (wantsAllRows) return Number.POSITIVE_INFINITY;
  return longestFor(reply) - reserve;
}

/** The result of a call that failed. Reports an error that nothing provided for. */
export function toErrorResult(error: unknown, tool: Pick<ToolDefinition, 'effect' | 'name'> | undefined): ToolResult {
  log.fault(`tool ${tool?.name ?? 'unknown'}`, error);
  const body = errorBody(error, tool);
  return { isError: true, text: formatErrorText(body), body };
}

export function createCall({ clock }: RunDeps, options: CallOptions): ToolCall {
  const deadlineAt = clock.now() + (options.timeoutMs ?? maxCallMs);
  // One call has many concurrent waits, and each adds a listener.
  setMaxListeners(0, options.signal);
  let steps = 0;
  const progress: ToolCall['progress'] = (message, done, total) => {
    steps = Math.max(steps + 1, done ?? 0);
    options.onProgress?.(message, done ?? steps, total);
  };
  return {
    deadlineAt,
    signal: options.signal,
    wantsAllRows: options.wantsAllRows,
    beside: options.beside,
    host: options.host ?? { canForm: false, canUrl: false },
    progress,
    context: ({ priority = 'read', waitUntil, notBefore } = {}): CallContext => ({
      priority,
      deadlineAt,
      waitUntil,
      signal: options.signal,
      notBefore,
      onWait: ({ waitMs }) => progress(`Waiting ${Math.ceil(waitMs / 1000)} s for the account's rate limit`),
    }),
  };
}

function errorBody(error: unknown, tool: Pick<ToolDefinition, 'effect'> | undefined): ResponseBody {
  const known = error instanceof BrokerageError ? error : internalError(error, tool);
  const { code, message, next, facts } = known;
  return fitFields(sanitizeDeep({ code, message, next, ...facts }) as ResponseBody, maxCharacters);
}

function internalError(error: unknown, tool: Pick<ToolDefinition, 'effect'> | undefined): BrokerageError {
  if (isAbort(error)) return cancelledError();
  // The cause can contain anything, also secrets, so the log has it and the model does not.
  const next =
    tool?.effect === 'reads'
      ? 'Try again once.'
      : 'It is unknown whether the call took effect: check before you repeat it.';
  return new BrokerageError(
    'internal',
    'An error in brokerage-mcp itself ended the call.',
    `${next} If it persists, report it with the lines of the server's log on standard error.`,
  );
}

function unknownTool(tools: readonly { readonly name: string }[], name: string): BrokerageError {
  const names = tools.map((tool) => tool.name);
  const near = closestMatches(name, names, 3);
  return new BrokerageError(
    'unknown_tool',
    `The tool ${JSON.stringify(name.slice(0, 64))} does not exist.`,
    near.length ? `The closest names are: ${near.join(', ')}.` : `The tools are: ${names.join(', ')}.`,
  );
}
