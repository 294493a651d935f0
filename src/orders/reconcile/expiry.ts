/** What time alone has decided: approvals that ran out, drafts that nobody sent, requests that nobody waits for. */
import type { Intent } from '../intent/intent.ts';
import { isAbandoned, isOverdue } from '../intent/intent-status.ts';
import type { JournalChange, ProcessRegistry } from '../intent/ports.ts';
import { nextState } from '../intent/states.ts';
import { markUnknown } from './orphaned-sends.ts';

const expiryReason = ({ approval }: Intent): string => {
  if (!approval) return 'The call ended before the order was sent.';
  return approval.approvedAt === undefined
    ? 'The order was not approved in time.'
    : 'The order was approved but could not be sent in time.';
};

/** Only the call that made it sends what no human approved. */
const isOrphaned = ({ state, approval, owner }: Intent, processes: ProcessRegistry): boolean =>
  state === 'APPROVED' && !approval && !processes.isAlive(owner);

/** Writes down what is overdue, so that it is held against no limit and stands in no order's way. */
export async function expireOverdue(
  tx: JournalChange,
  accountKey: string,
  processes: ProcessRegistry,
  now: number,
): Promise<void> {
  for (const intent of await tx.list({ accountKey, states: ['AWAITING_APPROVAL', 'APPROVED', 'SENDING'] })) {
    if (intent.state === 'SENDING') {
      if (isAbandoned(intent, processes, now)) await markUnknown(tx, intent, now);
    } else if (isOverdue(intent, now) || isOrphaned(intent, processes)) {
      await tx.move(intent.id, intent.state, {
        state: nextState(intent.state, 'expire'),
        changedAt: now,
        reason: expiryReason(intent),
      });
    }
  }
}
