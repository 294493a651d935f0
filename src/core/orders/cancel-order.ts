/**
 * Cancellation is a request: success means that the broker accepted it, not that the order is cancelled
 * (docs/interface.md, Orders).
 */
import type { Broker, CallContext } from '../broker/types.ts';
import type { Clock } from '../clock.ts';
import { endpoints } from '../endpoints/index.ts';
import { BrokerageError } from '../errors.ts';
import { findOrder, isFinalOrder } from './account/find-order.ts';

export interface CancelOutcome {
  readonly outcome: 'requested' | 'already_done' | 'unknown';
  readonly orderId: string;
  readonly status?: string | undefined;
  readonly message: string;
  readonly next: string;
}

/** A cancellation names the order and is safe to repeat, so it is sent up to this often when the response is lost. */
const maxAttempts = 3;

interface CancelDeps {
  readonly broker: Broker;
  readonly clock: Clock;
}

/**
 * Requests cancellation of one order. Throws when nothing was sent, or when the broker refused and the order is
 * still pending or cannot be found.
 */
export async function cancelOrder(deps: CancelDeps, orderId: string, context: CallContext): Promise<CancelOutcome> {
  for (let attempt = 1; ; attempt++) {
    try {
      await deps.broker.call(endpoints.cancelOrder, { id: orderId }, context);
      return {
        outcome: 'requested',
        orderId,
        message: 'The broker accepted the cancellation request; the order may still fill.',
        next: 'Call get_order to see whether it was cancelled.',
      };
    } catch (error) {
      if (!(error instanceof BrokerageError)) throw error;
      if (error.code === 'not_found' || error.code === 'rejected') return reportEnd(deps, orderId, context, error);
      if (!error.facts.mayHaveHappened) throw error;
      if (attempt >= maxAttempts) {
        return {
          outcome: 'unknown',
          orderId,
          message: 'The response to the cancellation request was lost; the order may or may not be cancelled.',
          next: 'Call get_order to check its state; cancelling again is safe.',
        };
      }
    }
  }
}

/** The broker has nothing to cancel: report how the order ended, or throw the broker's refusal again. */
async function reportEnd(
  deps: CancelDeps,
  orderId: string,
  context: CallContext,
  refusal: BrokerageError,
): Promise<CancelOutcome> {
  const found = await findOrder(deps, orderId, context);
  if (!found || (found.foundIn === 'pending' && !isFinalOrder(found.order))) throw refusal;
  return {
    outcome: 'already_done',
    orderId,
    status: found.order.status,
    message: `The order is no longer pending: it is ${found.order.status ?? 'in the history'}.`,
    next: 'Nothing is left to cancel.',
  };
}
