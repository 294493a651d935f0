/**
 * Reads from the terminal itself and not from standard input: a passphrase must come from the person at the
 * keyboard, not from a program that pipes text into a command.
 */
import { closeSync, openSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { ReadStream, WriteStream } from 'node:tty';
import { UsageError } from '../errors.ts';
import type { ProcessContext } from './process-context.ts';

/** The terminal of the user. `say` removes control characters, except line ends. */
export interface Tty {
  say(line: string): void;
  ask(prompt: string): Promise<string>;
  /** Reads a line without echo. */
  askSecret(prompt: string): Promise<string>;
  /**
   * Returns undefined when the user cancels (Ctrl+C, Ctrl+D, the end of the process); an empty line does not
   * cancel.
   */
  promptOrCancel(prompt: string, options: { readonly echo: boolean }): Promise<string | undefined>;
  close(): void;
}

/** Text from outside must not move the cursor and overwrite what a person reads; line ends of our own text stay. */
const unprintable = /(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** Opens the terminal; undefined when there is none. */
export function openTty(platform: string, shutdownSignal: AbortSignal): Tty | undefined {
  const [inName, outName] = platform === 'win32' ? ['\\\\.\\CONIN$', '\\\\.\\CONOUT$'] : ['/dev/tty', '/dev/tty'];
  let input: number | undefined;
  try {
    input = openSync(inName, platform === 'win32' ? 'r+' : 'r');
    const reader = new ReadStream(input);
    // A Windows console needs read access to report its size.
    const writer = new WriteStream(openSync(outName, platform === 'win32' ? 'r+' : 'w'));
    reader.setEncoding('utf8');
    reader.pause();
    return {
      say: (text) => void writer.write(`${text.replace(unprintable, '')}\n`),
      ask: async (prompt) => (await readLine(reader, writer, prompt, { echo: true, shutdownSignal })) ?? '',
      askSecret: async (prompt) => (await readLine(reader, writer, prompt, { echo: false, shutdownSignal })) ?? '',
      promptOrCancel: (prompt, { echo }) => readLine(reader, writer, prompt, { echo, shutdownSignal }),
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

/** Opens the terminal. Throws a UsageError with the message `whenNone` when there is none. */
export function requireTty(
  { platform, shutdownSignal }: Pick<ProcessContext, 'platform' | 'shutdownSignal'>,
  whenNone: string,
): Tty {
  const tty = openTty(platform, shutdownSignal);
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

/** Asks before something is changed. An order that needs an approval needs the passphrase instead. */
export const confirm = async (tty: Tty, prompt: string): Promise<boolean> =>
  /^y(es)?$/i.test((await tty.promptOrCancel(prompt, { echo: true }))?.trim() ?? '');
