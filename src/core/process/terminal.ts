/**
 * Reads from the terminal itself and not from standard input: a passphrase must come from the person at the
 * keyboard, not from a program that pipes text into a command.
 */

import { closeSync, openSync } from 'node:fs';
import { createInterface, type Interface } from 'node:readline';
import { ReadStream, WriteStream } from 'node:tty';
import { systemClock } from '../clock.ts';
import { UsageError } from '../errors.ts';
import { log } from '../log.ts';
import type { ProcessContext } from './process-context.ts';
import { createStyle, type Tone } from './text-style.ts';

/** The terminal of the user. `say` removes control characters, except line ends. */
export interface Tty {
  say(line: string, tone?: Tone): void;
  ask(prompt: string): Promise<string>;
  /** Reads a line without echo. */
  askSecret(prompt: string): Promise<string>;
  /**
   * Returns undefined when the user cancels (Ctrl+C, Ctrl+D, the end of the process); an empty line does not
   * cancel.
   */
  promptOrCancel(prompt: string, options: { readonly echo: boolean }): Promise<string | undefined>;
  /** Waits, and drops what is typed without an echo. Returns false when the user cancels. */
  wait(ms: number): Promise<boolean>;
  close(): void;
}

/** Text from outside must not move the cursor and overwrite what a person reads; line ends of our own text stay. */
const unprintable = /(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

type Outside = Pick<ProcessContext, 'platform' | 'shutdownSignal' | 'env' | 'nameCommands'>;

/** Opens the terminal; undefined when there is none. */
export function openTty({ platform, shutdownSignal, env, nameCommands = (text) => text }: Outside): Tty | undefined {
  const [inName, outName] = platform === 'win32' ? ['\\\\.\\CONIN$', '\\\\.\\CONOUT$'] : ['/dev/tty', '/dev/tty'];
  let input: number | undefined;
  try {
    input = openSync(inName, platform === 'win32' ? 'r+' : 'r');
    const reader = new ReadStream(input);
    // A Windows console needs read access to report its size.
    const writer = new WriteStream(openSync(outName, platform === 'win32' ? 'r+' : 'w'));
    for (const stream of [reader, writer]) stream.on('error', onTerminalError);
    reader.setEncoding('utf8');
    reader.pause();
    const style = createStyle(env, true);
    return {
      say: (text, tone) => {
        const clean = nameCommands(text).replace(unprintable, '');
        writer.write(`${tone === undefined ? clean : style(tone, clean)}\n`);
      },
      ask: async (prompt) => (await readLine(reader, writer, prompt, { echo: true, shutdownSignal })) ?? '',
      askSecret: async (prompt) => (await readLine(reader, writer, prompt, { echo: false, shutdownSignal })) ?? '',
      promptOrCancel: (prompt, { echo }) => readLine(reader, writer, prompt, { echo, shutdownSignal }),
      wait: (ms) => waitSilently(reader, ms, shutdownSignal),
      close: () => {
        reader.destroy();
        writer.destroy();
      },
    };
  } catch {
    // The process has no terminal, or may not open it.
    if (input !== undefined) closeSync(input);
    return undefined;
  }
}

/** A terminal that was closed at a prompt cannot be read or set any more; the prompt then ends as one that is left. */
function onTerminalError(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EIO') log.fault('the terminal', error);
}

/** The interface repeats the errors of its terminal. Closing sets the terminal, which can be the next error. */
const closeOnError = (lines: Interface): void => void lines.on('error', () => setImmediate(() => lines.close()));

/** Opens the terminal. Throws a UsageError with the message `whenNone` when there is none. */
export function requireTty(outside: Outside, whenNone: string): Tty {
  const tty = openTty(outside);
  if (!tty) throw new UsageError(whenNone);
  return tty;
}

/** Reads one line; undefined after Ctrl+C, Ctrl+D or the end of the process. */
function readLine(
  reader: ReadStream,
  writer: WriteStream,
  prompt: string,
  { echo, shutdownSignal }: { readonly echo: boolean; readonly shutdownSignal: AbortSignal },
): Promise<string | undefined> {
  return new Promise((resolve) => {
    if (shutdownSignal.aborted) return resolve(undefined);
    // The interface turns the terminal's echo off before the prompt is visible; without an output it echoes nothing
    // either.
    const output = echo ? writer : undefined;
    const lines = createInterface({ input: reader, output, terminal: true, historySize: 0, signal: shutdownSignal });
    let line: string | undefined;
    closeOnError(lines);
    lines.once('line', (typed) => {
      line = typed.replace(/\p{Cc}/gu, '');
      lines.close();
    });
    lines.once('close', () => {
      if (!echo || line === undefined) writer.write('\n');
      resolve(line);
    });
    if (!echo) writer.write(prompt);
    lines.setPrompt(prompt);
    lines.prompt();
  });
}

/** Waits `ms`; false after Ctrl+C, Ctrl+D or the end of the process. */
function waitSilently(reader: ReadStream, ms: number, shutdownSignal: AbortSignal): Promise<boolean> {
  return new Promise((resolve) => {
    if (shutdownSignal.aborted) return resolve(false);
    // Without it the terminal would echo a passphrase that is typed too early.
    const lines = createInterface({ input: reader, terminal: true, historySize: 0, signal: shutdownSignal });
    const left = new AbortController();
    let isOver = false;
    closeOnError(lines);
    lines.once('close', () => {
      left.abort();
      resolve(isOver);
    });
    void systemClock.sleep(ms, left.signal).then(
      () => {
        isOver = true;
        lines.close();
      },
      () => undefined,
    );
  });
}

/** How often a person can reply to a question before a command ends, as with sudo. */
export const maxAttempts = 3;

/**
 * Asks before something is changed, again after a reply that is neither yes nor no. An order that needs an approval
 * needs the passphrase instead.
 */
export async function confirm(tty: Tty, prompt: string): Promise<boolean> {
  for (let attempt = 1; attempt <= maxAttempts; attempt++) {
    const typed = (await tty.promptOrCancel(prompt, { echo: true }))?.trim() ?? '';
    if (/^y(es)?$/i.test(typed)) return true;
    if (/^(no?)?$/i.test(typed)) return false;
    tty.say('Type yes, or press Enter for no.');
  }
  return false;
}

/** Asks the person to type a keyword before something that matters; again after other text. Enter and `no` refuse. */
export async function askForWord(tty: Tty, prompt: string, keyword: string): Promise<boolean> {
  for (let attempt = 1; attempt <= maxAttempts; attempt++) {
    const typed = (await tty.promptOrCancel(prompt, { echo: true }))?.trim() ?? '';
    if (typed === keyword) return true;
    if (/^(no?)?$/i.test(typed)) return false;
    tty.say(`Type ${keyword}, or press Enter for no.`);
  }
  return false;
}
