/** The failure of a delivery, and every text of it. */
import { inspect } from 'node:util';
import { DeliveryError } from '../../../../src/features/watches/notify/channel.ts';

/** Fails the test when the delivery succeeds, or fails with another error. */
export async function failureOf(sending: Promise<void>) {
  const error = await sending.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof DeliveryError)) throw new Error('expected a DeliveryError', { cause: error });
  const { code, mayHaveArrived, next, facts } = error;
  return { code, mayHaveArrived, ...facts, texts: `${error.message} ${next} ${inspect(error, { depth: 9 })}` };
}
