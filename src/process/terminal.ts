/**
 * The terminal itself, not standard input: a passphrase comes from the person at the keyboard, and a
 * program that pipes text into a command has none to give.
 */
import { closeSync, openSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { ReadStream, WriteStream } from 'node:tty';
import { UsageError } from '../errors.ts';
import type { ProcessContext } from './process-context.ts';

export interface Tty {
  say(line: string): void;
  ask(prompt: string): Promise<string>;
  /** Without echo. */
  askSecret(prompt: string): Promise<string>;
  /** Undefined when the person leaves (Ctrl+C, Ctrl+D, the end of the process), which an empty line is not. */
  promptOrCancel(prompt: string, options: { readonly echo: boolean }): Promise<string | undefined>;
  close(): void;
}

/** A text from outside must not move the cursor and write over what a person reads; lines of ours may end. */
const unprintable = /(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** Undefined where there is no terminal. */
export function openTty(platform: string, shutdownSignal: AbortSignal): Tty | undefined {
  const [inName, outName] = platform === 'win32' ? ['\\\\.\\CONIN$', '\\\\.\\CONOUT$'] : ['/dev/tty', '/dev/tty'];
  let input: number | undefined;
  try {
    input = openSync(inName, platform === 'win32' ? 'r+' : 'r');
    const reader = new ReadStream(input);
    // A console of Windows is asked for its size, which needs reading too.
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
    if (input !== undefined) closeSync(input);
    return undefined;
  }
}

/** Throws a UsageError that says `whenNone` where there is no terminal. */
export function requireTty(
  { platform, shutdownSignal }: Pick<ProcessContext, 'platform' | 'shutdownSignal'>,
  whenNone: string,
): Tty {
  const tty = openTty(platform, shutdownSignal);
  if (!tty) throw new UsageError(whenNone);
  return tty;
}

/** Ctrl+C, Ctrl+D and the end of the process give no line. */
function readLine(
  reader: ReadStream,
  writer: WriteStream,
  prompt: string,
  { echo, shutdownSignal }: { readonly echo: boolean; readonly shutdownSignal: AbortSignal },
): Promise<string | undefined> {
  return new Promise((resolve) => {
    if (shutdownSignal.aborted) return resolve(undefined);
    // The terminal echoes nothing from here on, before the prompt can be seen; without an output nobody does.
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

/** A yes that writes or deletes files of configuration. Never for orders: those take a passphrase. */
export const confirm = async (tty: Tty, prompt: string): Promise<boolean> =>
  /^y(es)?$/i.test((await tty.promptOrCancel(prompt, { echo: true }))?.trim() ?? '');
