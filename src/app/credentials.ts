/** Provides the key and its secret, from the settings or from the programs that print them. */

import { spawn } from 'node:child_process';
import { platform } from 'node:process';
import { BrokerageError } from '../core/errors.ts';
import { endGroup } from '../core/process/process-context.ts';
import type { Config } from '../core/settings/config.ts';
import { type CommandLine, findKeyFault, type Secret } from '../core/settings/secrets.ts';

interface KeyPair {
  readonly key: string;
  /** Undefined for a key without a secret, which is sent alone. */
  readonly secret: string | undefined;
}

interface KeyPairSource {
  /**
   * Returns the key pair. Programs run on the first call, once for all concurrent callers; a failure is not kept,
   * so the next call tries again. Throws a BrokerageError, which never repeats the output of a program.
   */
  readonly keyPair: () => Promise<KeyPair>;
  /** Whether the key pair is known without starting a program. */
  readonly isKnown: () => boolean;
}

/** Creates the source of the key pair. This starts no program. */
export function createCredentials({ key, secret }: NonNullable<Config['credentials']>): KeyPairSource {
  let known = typeof key === 'string' && (secret === undefined || typeof secret === 'string');
  let asked: Promise<KeyPair> | undefined;
  const ask = async (): Promise<KeyPair> => {
    // One after the other, so that a locked password manager asks the user only once at a time.
    const pair = { key: await reveal(key), secret: secret === undefined ? undefined : await reveal(secret) };
    const fault = findKeyFault(pair.key, pair.secret !== undefined);
    if (fault !== undefined) throw failed(`The printed key ${fault}.`);
    known = true;
    return pair;
  };
  return {
    keyPair: () => {
      asked ??= ask().catch((error: unknown) => {
        asked = undefined;
        throw error;
      });
      return asked;
    },
    isKnown: () => known,
  };
}

async function reveal(secret: Secret): Promise<string> {
  if (typeof secret === 'string') return secret;
  const printed = await runProgram(secret.command);
  if ('fault' in printed) throw failed(`The program of ${secret.from} ${printed.fault}.`);
  const text = printed.output.toString('utf8').trim();
  // The text is the only copy that stays.
  printed.output.fill(0);
  if (text === '') throw failed(`The program of ${secret.from} printed nothing.`);
  // More than one line is a message, a list or a note around the secret.
  if (/[\r\n]/.test(text)) throw failed(`The program of ${secret.from} printed more than one line.`);
  return text;
}

const failed = (message: string) =>
  new BrokerageError('not_configured', message, 'Run it in a terminal to see its output, then call again.');

// Runs a program that prints a key, and ends it with everything that it started and that keeps its output open.

/** A password manager may ask the user first. Two programs together fit into the 50 seconds of a call. */
const timeoutMs = 20_000;
/** After its end, what the program printed last may still be on its way (ms). */
const drainMs = 200;
const maxSecretBytes = 4096;

/** What the program printed; or why that is not known, as the end of a sentence. */
type Printed = { readonly output: Buffer } | { readonly fault: string };

/**
 * Runs it without a shell and without a terminal. Waits for its end and not for that of its children: one that keeps the
 * output open would hold the call. The caller overwrites the output.
 */
function runProgram([program, ...args]: CommandLine): Promise<Printed> {
  const child = spawn(program, args, {
    // A group of its own, which ends with all of its processes. Windows has none.
    detached: platform !== 'win32',
    stdio: ['ignore', 'pipe', 'ignore'],
    windowsHide: true,
  });
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const finish = (printed: Printed) => {
      clearTimeout(timer);
      clearTimeout(draining);
      child.stdout.destroy();
      for (const chunk of chunks) chunk.fill(0);
      resolve(printed);
    };
    const stop = (fault: string) => {
      endGroup(child);
      finish({ fault });
    };
    const complete = (code: number | null) => {
      if (code !== 0) return finish({ fault: code === null ? 'was ended by a signal' : `ended with code ${code}` });
      finish({ output: Buffer.concat(chunks) });
    };
    const timer = setTimeout(() => stop(`did not finish in ${timeoutMs / 1000} seconds`), timeoutMs);
    let draining: NodeJS.Timeout | undefined;
    child.stdout.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      size += chunk.length;
      if (size > maxSecretBytes) stop('printed more text than a key can have');
    });
    child.on('error', (error: NodeJS.ErrnoException) =>
      finish({ fault: error.code === 'ENOENT' ? 'was not found' : 'could not be run' }),
    );
    child.on('exit', (code) => {
      draining = setTimeout(() => {
        endGroup(child);
        complete(code);
      }, drainMs);
    });
    child.on('close', complete);
  });
}
