/** Provides the key and its secret, from the settings or from the programs that print them. */
import { type ExecFileException, execFile } from 'node:child_process';
import type { Config } from '../config.ts';
import { BrokerageError } from '../errors.ts';
import { findKeyFault, type Secret } from '../settings/secrets.ts';

export interface KeyPair {
  readonly key: string;
  /** Undefined for a key without a secret, which is sent alone. */
  readonly secret: string | undefined;
}

/** A password manager may ask the user first. Two programs together fit into the 50 seconds of a call. */
const timeoutMs = 20_000;
const maxSecretLength = 4096;

export interface KeyPairSource {
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

function reveal(secret: Secret): Promise<string> {
  if (typeof secret === 'string') return Promise.resolve(secret);
  const { command, from } = secret;
  const [program, ...args] = command;
  return new Promise((resolve, reject) => {
    const options = {
      timeout: timeoutMs,
      killSignal: 'SIGKILL',
      maxBuffer: maxSecretLength,
      windowsHide: true,
    } as const;
    const child = execFile(program, args, options, (error, printed) => {
      if (error) return reject(failed(`The program of ${from} ${howItEnded(error)}.`));
      const text = printed.trim();
      if (text === '') return reject(failed(`The program of ${from} printed nothing.`));
      // More than one line is a message, a list or a note around the secret.
      if (/[\r\n]/.test(text)) return reject(failed(`The program of ${from} printed more than one line.`));
      resolve(text);
    });
    child.stdin?.end();
  });
}

function howItEnded(error: ExecFileException): string {
  if (error.code === 'ENOENT') return 'was not found';
  if (error.code === 'ERR_CHILD_PROCESS_STDIO_MAXBUFFER') return 'printed more text than a key can have';
  if (error.killed) return `did not finish in ${timeoutMs / 1000} seconds`;
  return typeof error.code === 'number' ? `ended with code ${error.code}` : 'could not be run';
}

const failed = (message: string) =>
  new BrokerageError('not_configured', message, 'Run it in a terminal to see its output, then call again.');
