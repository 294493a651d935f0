/**
 * Ends what is overdue: approvals past their limit, drafts that were never sent, and requests that their sender
 * abandoned.
 */
import type { Intent } from '../intent/intent.ts';
import { isAbandoned, isOverdue } from '../intent/intent-status.ts';
import { noteOrdersAhead } from '../intent/order-time.ts';
import type { JournalChange, ProcessRegistry } from '../intent/ports.ts';
import { nextState } from '../intent/states.ts';
import { markUnknown } from './orphaned-sends.ts';

const expiryReason = ({ approval }: Intent): string => {
  if (!approval) return 'The call ended before the order was sent.';
  return approval.approvedAt === undefined
    ? 'The order was not approved in time.'
    : 'The order was approved but could not be sent in time.';
};

/** Only the call that created an order may send it without a human's approval. */
const isOrphaned = ({ approval, owner }: Intent, processes: ProcessRegistry): boolean =>
  !approval && !processes.isAlive(owner);

/** Records overdue intents, so that they count towards no limit and block no order. */
export async function expireOverdue(
  tx: JournalChange,
  accountKey: string,
  processes: ProcessRegistry,
  now: number,
): Promise<void> {
  await noteOrdersAhead(tx, accountKey, now);
  for (const intent of await tx.list({ accountKey, states: ['AWAITING_APPROVAL', 'APPROVED', 'SENDING'] })) {
    if (intent.state === 'SENDING') {
      if (isAbandoned(intent, processes, now)) await markUnknown(tx, intent, processes, now);
    } else if (isOverdue(intent, now) || isOrphaned(intent, processes)) {
      await tx.move(intent.id, intent.state, {
        state: nextState(intent.state, 'expire'),
        changedAt: now,
        reason: expiryReason(intent),
      });
    }
  }
}
