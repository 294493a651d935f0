/** The refusal of an order that could not be recorded: without the journal no order is sent. */
import { BrokerageError, isAbort } from '../errors.ts';
import { log } from '../log.ts';
import type { Refusal } from './intent/refusal.ts';
import type { PlaceReply } from './place-result.ts';

/**
 * Why nothing was sent after a failure. Nothing after the commit throws, so every error comes from before it.
 * Errors that the caller has to fix are thrown again.
 */
export function toStoreRefusal(error: unknown): Refusal {
  if (error instanceof BrokerageError && error.code === 'store_unavailable')
    return { rule: 'store_unavailable', reason: `${error.message} No order is sent without it. ${error.next}` };
  if (error instanceof BrokerageError || isAbort(error)) throw error;
  log.fault('place an order', error);
  return { rule: 'internal', reason: 'Internal error in brokerage-mcp before the order was sent.' };
}

/** The result of a place tool after such a failure. */
export function refusedByStore(error: unknown, intentId: string): PlaceReply {
  const refusal = toStoreRefusal(error);
  return {
    outcome: 'refused',
    intentId,
    ...refusal,
    message: 'This server refused the order; nothing was sent.',
    next:
      refusal.rule === 'store_unavailable'
        ? 'Tell the user; call get_server_status for the state of the store.'
        : 'Tell the user that this server has a fault. Place the order again only if the user still wants it.',
  };
}
