import { BrokerageError } from '../../src/core/errors.ts';

/**
 * The error of a promise; fails the test when the promise resolves, or rejects with anything but the one error family.
 */
export async function errorOf(promise: Promise<unknown>): Promise<BrokerageError> {
  const outcome = await promise.then(
    () => 'no error',
    (error: unknown) => error,
  );
  if (outcome instanceof BrokerageError) return outcome;
  throw new Error('expected a BrokerageError', { cause: outcome });
}
