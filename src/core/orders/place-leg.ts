/** Places one leg of a draft, by the path of a single order. */
import { randomBytes } from 'node:crypto';
import type { CallContext } from '../broker/types.ts';
import type { TradableInstrument } from '../endpoints/index.ts';
import { createIntent } from './create-intent.ts';
import type { Intent } from './intent/intent.ts';
import type { OrderRequest } from './intent/order-request.ts';
import type { LegTurn } from './new-intent.ts';
import type { PlacingDeps } from './place-order.ts';

/** The order of a leg. `repeatOf` names the intent that it repeats on purpose. */
export interface LegOrder {
  readonly request: OrderRequest;
  readonly instrument: TradableInstrument;
  readonly repeatOf: string | undefined;
  readonly turn: LegTurn;
}

/**
 * Creates the intent of a leg and sends it; returns the intent as it is then. It is an intent of another order when an
 * equal order exists, and then nothing was placed. Throws what `requireTurn` throws, and errors after which the journal
 * shows whether the leg has an intent.
 */
export async function placeLeg(
  deps: PlacingDeps,
  { request, instrument, repeatOf, turn }: LegOrder,
  context: CallContext,
): Promise<Intent> {
  const id = randomBytes(16).toString('hex');
  const wanted = { id, request, repeatOf, progress: undefined, leg: turn };
  const { intent, isOld, facts } = await createIntent(deps, wanted, instrument, context);
  const isReady = !isOld && facts !== undefined && intent.state === 'APPROVED';
  return isReady ? deps.runner.send(intent, facts, context) : intent;
}
