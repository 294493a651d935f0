/**
 * The terminal itself, not standard input: a passphrase comes from the person at the keyboard, and a
 * program that pipes text into a command has none to give.
 */
import { closeSync, openSync } from 'node:fs';
import { ReadStream, WriteStream } from 'node:tty';

export interface Tty {
  say(line: string): void;
  ask(prompt: string): Promise<string>;
  /** Without echo. */
  askSecret(prompt: string): Promise<string>;
  close(): void;
}

/** Undefined where there is no terminal. */
export function openTty(platform: string): Tty | undefined {
  const [inName, outName] = platform === 'win32' ? ['\\\\.\\CONIN$', '\\\\.\\CONOUT$'] : ['/dev/tty', '/dev/tty'];
  let input: number | undefined;
  try {
    input = openSync(inName, 'r');
    const reader = new ReadStream(input);
    const writer = new WriteStream(openSync(outName, 'w'));
    reader.pause();
    return {
      say: (line) => void writer.write(`${line}\n`),
      ask: (prompt) => readLine(reader, writer, prompt, true),
      askSecret: (prompt) => readLine(reader, writer, prompt, false),
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

/** Raw, so that nothing is echoed but what is written here. Ctrl+C and Ctrl+D give an empty line. */
function readLine(reader: ReadStream, writer: WriteStream, prompt: string, echo: boolean): Promise<string> {
  return new Promise((resolve) => {
    let line = '';
    const end = (result: string) => {
      reader.off('data', onData);
      reader.setRawMode(false);
      reader.pause();
      writer.write('\n');
      resolve(result);
    };
    const onData = (chunk: Buffer) => {
      for (const letter of chunk.toString()) {
        if (letter === '\r' || letter === '\n') return end(line);
        if (letter === '\u0003' || letter === '\u0004') return end('');
        if (letter === '\u007f' || letter === '\b') {
          if (line !== '' && echo) writer.write('\b \b');
          line = [...line].slice(0, -1).join('');
        } else if (letter >= ' ') {
          line += letter;
          if (echo) writer.write(letter);
        }
      }
    };
    // Before the prompt: what is typed at its sight must not be echoed by the terminal.
    reader.setRawMode(true);
    reader.on('data', onData);
    reader.resume();
    writer.write(prompt);
  });
}
