/**
 * The log of the process: one JSON object a line on standard error, or one readable line in a terminal. Every error
 * that nothing provided for reaches `log.fault` exactly once; an `ExpectedError` is described to its caller instead.
 *
 * The log is the one part that belongs to the process and not to an app. An app attaches itself, so that its secrets
 * are hidden here as in its responses, and so that its audit trail keeps each fault.
 */

import { fileURLToPath } from 'node:url';
import { ExpectedError, isAbort } from './errors.ts';
import { removeUnseen } from './text/sanitize-text.ts';

/** From the least to the most. Each level includes those before it. */
export const logLevels = ['error', 'warn', 'info', 'debug'] as const;
export type LogLevel = (typeof logLevels)[number];

/** Facts of an event: never a body, a secret, or text of the service. */
export type LogFacts = Readonly<Record<string, string | number | boolean | undefined>>;

/** An error of the program itself, as the audit trail and get_server_status name it. */
export interface Fault {
  /** Milliseconds since 1970. */
  readonly at: number;
  /** The task that failed, such as `tool list_positions`. */
  readonly task: string;
  /** The code of the error, or else its class, such as `TypeError`. */
  readonly code: string;
  /** The function and the source file that threw, such as `checkCash (src/core/orders/risk/risk-rules.ts)`. */
  readonly place: string;
}

/** What an app adds to the log while it runs. */
interface LogAttachment {
  /** Removes the secrets of the app from a text. */
  redact(text: string): string;
  /** Keeps the fault. The log reports a failure as a warning. */
  keepFault(fault: Fault): Promise<unknown>;
}

export interface LogOptions {
  /** Writes lines to standard error. */
  readonly write: (text: string) => void;
  /** Whether a person reads standard error: then events are sentences and not JSON. */
  readonly isTerminal?: boolean | undefined;
  readonly level?: LogLevel | undefined;
  /** The text of a file; undefined when it cannot be read. Source names in built files come from there. */
  readonly readFile?: ((path: string) => string | undefined) | undefined;
  readonly now?: (() => number) | undefined;
}

/** Equal faults within this time (ms) are counted and not written: a loop may try again every half second. */
const repeatWindowMs = 60_000;
const maxMessageLength = 300;
const maxStackLines = 20;

type Log = ReturnType<typeof createLog>;

/** Creates a log. The process has one, `log`; tests create others. */
export function createLog(initial: LogOptions) {
  let options = initial;
  let level: LogLevel = initial.level ?? 'error';
  const attachments = new Set<LogAttachment>();
  const reported = new WeakSet<object>();
  let countRepeat = createRepeatCounter();
  const keeping = new Set<Promise<unknown>>();

  const now = () => options.now?.() ?? Date.now();
  const isOn = (wanted: LogLevel) => logLevels.indexOf(wanted) <= logLevels.indexOf(level);
  const redact = (text: string) => [...attachments].reduce((shown, { redact: hide }) => hide(shown), text);
  const write = (at: LogLevel, event: string, facts: LogFacts, stack: readonly string[] = []) => {
    const time = new Date(now()).toISOString();
    options.write(
      options.isTerminal
        ? [`brokerage-mcp: ${time.slice(11, 19)} ${at} ${event}${formatFacts(facts)}`, ...stack].join('\n')
        : JSON.stringify({ time, level: at, event, ...facts, ...(stack.length > 0 && { stack }) }),
    );
  };
  const tell = (at: LogLevel, event: string, facts: LogFacts) => {
    if (isOn(at)) write(at, event, facts);
  };

  const keep = (fault: Fault) => {
    for (const attachment of attachments) {
      const kept = attachment.keepFault(fault).catch((error: unknown) => {
        // The fault itself was written above, and a fault about it would begin a circle.
        tell('warn', 'fault_not_kept', { code: codeOf(error) });
      });
      keeping.add(kept);
      void kept.finally(() => keeping.delete(kept));
    }
  };

  const report = (task: string, error: unknown, hasSecret: boolean): void => {
    if (typeof error === 'object' && error !== null) {
      if (reported.has(error)) return;
      reported.add(error);
    }
    const stack = formatTrace(error, options.readFile ?? (() => undefined)).split('\n');
    const frames = stack.filter((line) => /^\s+at /.test(line)).slice(0, maxStackLines);
    const fault: Fault = { at: now(), task, code: codeOf(error), place: placeOf(frames) };
    const leftOut = countRepeat(`${fault.code} ${fault.place}`, fault.at);
    if (leftOut === undefined) return;
    const message = hasSecret ? undefined : redact(removeUnseen(messageOf(error)).slice(0, maxMessageLength));
    const { code, place } = fault;
    const facts = { task, code, place, message, ...(leftOut > 0 && { leftOut }) };
    write('error', 'fault', facts, frames.map(redact));
    keep(fault);
  };

  return {
    /**
     * Reports an error that nothing provided for: with its stack to standard error, and as code and place to the
     * audit trail. Does nothing for an ExpectedError, for an abort, and for an error that was reported before.
     * `task` names what failed. `hasSecret` leaves the message out, where it could repeat what a person typed.
     */
    fault: (task: string, error: unknown, { hasSecret = false } = {}): void => {
      if (error instanceof ExpectedError || isAbort(error))
        tell('debug', 'expected_error', { task, code: codeOf(error) });
      else report(task, error, hasSecret);
    },
    /** Reports an error of any kind that nothing caught, which ends the process. */
    crash: (error: unknown): void => report('process', error, false),
    warn: (event: string, facts: LogFacts = {}): void => tell('warn', event, facts),
    info: (event: string, facts: LogFacts = {}): void => tell('info', event, facts),
    debug: (event: string, facts: LogFacts = {}): void => tell('debug', event, facts),
    /** Sets what is written. */
    setLevel: (wanted: LogLevel): void => {
      level = wanted;
    },
    /** Replaces how it is written. What was written before does not count as a repetition. */
    configure: (wanted: LogOptions): void => {
      options = wanted;
      countRepeat = createRepeatCounter();
    },
    /** Adds an app; the returned function removes it. */
    attach: (attachment: LogAttachment): (() => void) => {
      attachments.add(attachment);
      return () => void attachments.delete(attachment);
    },
    /** Resolves when the faults that were reported so far are kept, or could not be. */
    settled: async (): Promise<void> => {
      await Promise.all([...keeping]);
    },
  };
}

/**
 * Replaces the error of a promise by `value`: `read().catch(orElse('the page', undefined))`. An expected error is
 * dropped, because the caller goes on without the value; a fault is reported first.
 */
export const orElse =
  <Value>(task: string, value: Value) =>
  (error: unknown): Value => {
    log.fault(task, error);
    return value;
  };

/** The log of this process. Until main.ts configures it, it writes as a library does. */
export const log: Log = createLog({
  // biome-ignore lint/suspicious/noConsole: a program that uses a part of this one as a library owns its own process.
  write: (text) => console.error(text),
});

/**
 * Counts faults of one kind. The function returns how many were left out since the last one that was written, or
 * undefined when this one is to be left out too.
 */
function createRepeatCounter() {
  const seen = new Map<string, { writtenAt: number; leftOut: number }>();
  return (kind: string, at: number): number | undefined => {
    const known = seen.get(kind);
    if (known && at >= known.writtenAt && at - known.writtenAt < repeatWindowMs) {
      known.leftOut++;
      return undefined;
    }
    seen.set(kind, { writtenAt: at, leftOut: 0 });
    return known?.leftOut ?? 0;
  };
}

function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return typeof error;
  const { code } = error as { code?: unknown };
  return typeof code === 'string' ? code : error.constructor.name;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** The innermost own frame; the innermost frame when none is of this program. */
function placeOf(frames: readonly string[]): string {
  const own = frames.find((line) => /\bsrc\/\S+\.ts/.test(line)) ?? frames[0];
  if (own === undefined) return 'unknown';
  const file = /.*\b(src\/[^\s:)]+\.ts)/.exec(own)?.[1];
  const name = /^\s+at (?:async )?(?:new )?([^\s(]+) \(/.exec(own)?.[1];
  if (file === undefined) return name ?? 'outside this program';
  return name === undefined ? file : `${name} (${file})`;
}

function formatFacts(facts: LogFacts): string {
  const shown = Object.entries(facts).filter(([, value]) => value !== undefined);
  return shown.map(([name, value]) => ` ${name}=${typeof value === 'string' ? quoted(value) : value}`).join('');
}

const quoted = (text: string) => (/^[\w./:-]+$/.test(text) ? text : JSON.stringify(text));

/** A position in a file: path or file URL, line, column. */
const frame = /((?:file:\/\/)?(?:[A-Za-z]:)?[\\/][^\n:()]*\.[cm]?js):(\d+):(\d+)/g;
/** The comment that the build writes above the lines of each source file. */
const sourceComment = /^\/\/ ((?:src|node_modules)\/\S+)$/;

/** The stack of an error, with the source file of each position in a built file. */
export function formatTrace(fault: unknown, readFile: (path: string) => string | undefined): string {
  if (!(fault instanceof Error)) return String(fault);
  const files = new Map<string, readonly string[]>();
  const readLines = (path: string) => {
    const lines = files.get(path) ?? readFile(path)?.split('\n') ?? [];
    files.set(path, lines);
    return lines;
  };
  return (fault.stack ?? fault.message).replaceAll(frame, (place: string, file: string, line: string) => {
    const source = sourceAt(readLines(file.startsWith('file:') ? fileURLToPath(file) : file), Number(line));
    return source === undefined ? place : `${place}, from ${source}`;
  });
}

/** The nearest source comment above a line. */
function sourceAt(lines: readonly string[], line: number): string | undefined {
  return lines
    .slice(0, line)
    .findLast((text) => sourceComment.test(text))
    ?.slice('// '.length);
}
