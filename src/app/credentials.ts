/** Provides the key and its secret, from the settings or from the programs that print them. */

import { BrokerageError } from '../core/errors.ts';
import type { Config } from '../core/settings/config.ts';
import { findKeyFault, type Secret } from '../core/settings/secrets.ts';
import { runProgram } from './key-program.ts';

export interface KeyPair {
  readonly key: string;
  /** Undefined for a key without a secret, which is sent alone. */
  readonly secret: string | undefined;
}

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
