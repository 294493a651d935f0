/** The names of the accounts of a server that serves several. */

import { BrokerageError, UsageError } from '../errors.ts';
import { environments } from './environments.ts';

/** The kinds of account that the interface serves. */
export const accountKinds = ['invest', 'isa'] as const;
export type AccountKind = (typeof accountKinds)[number];

/** What a read takes instead of a name. */
export const allAccounts = 'all';

/** A name is an argument of tools and a part of variables, files and records. */
const namePattern = /^[a-z][a-z0-9]{0,19}$/;
const maxAccounts = 5;

/** Returns what is wrong with the name of an account, as the rest of a sentence; undefined when it is valid. */
export const findNameFault = (name: string): string | undefined => {
  if (name === allAccounts) return 'must not be the term for all accounts';
  // Beside a live order a notification has the name of the account alone.
  if (environments.some((environment) => environment === name)) return 'must not be that of an environment';
  return namePattern.test(name) ? undefined : 'must be 1 to 20 lower-case letters and digits, and begin with a letter';
};

/**
 * Returns the names of a comma list, at least one and each once. `from` is the source that an error names. Throws a
 * UsageError.
 */
export function readAccountNames(text: string, from: string): readonly [string, ...string[]] {
  const [first = '', ...rest] = text.split(',').map((name) => name.trim());
  checkAccountNames([first, ...rest], from);
  return [first, ...rest];
}

/** Throws a UsageError for an invalid name, a name that occurs twice, or too many. */
export function checkAccountNames(names: readonly string[], from: string): void {
  for (const [index, name] of names.entries()) {
    const fault = findNameFault(name);
    if (fault !== undefined)
      throw new UsageError(`${from} has the account name "${name.slice(0, 40)}"`, { next: `a name ${fault}.` });
    if (names.indexOf(name) !== index)
      throw new UsageError(`${from} has the account name "${name}" twice`, { next: 'give each account its own name.' });
  }
  if (names.length > maxAccounts)
    throw new UsageError(`${from} has too many accounts`, { next: `use at most ${maxAccounts}.` });
}

/** The error for two names of one account, of which every figure over both would count it twice. */
export const sameAccountError = (one: string | undefined, other: string | undefined): BrokerageError =>
  new BrokerageError(
    'not_configured',
    `The keys of ${one} and ${other} are of the same account.`,
    'Configure the key of each account, and start the server again.',
  );
