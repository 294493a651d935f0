/** When the search for a lost order runs, and when it ends. */

import { clockSlackMs, holdsUntil } from '../../clock.ts';
import type { ProcessRegistry } from '../../lease.ts';
import { haltIfNeeded } from '../halt/trading-state.ts';
import { type Intent, isAbandoned, isOverdue, type ReconcileState } from '../intent/intent.ts';
import type { JournalChange } from '../intent/journal-port.ts';
import { allStates, nextState } from '../intent/states.ts';

/** Seconds after the loss of the response; then every five minutes for an hour. */
const early = [0, 5, 10, 20, 40, 80, 160];
const lateEverySeconds = 300;
const lateRounds = 12;
export const maxRounds = early.length + lateRounds - 1;

export const initialSearch = (lostAt: number): ReconcileState => ({ lostAt, round: 0, nextAt: lostAt });

/** The time at which round `round` is due (ms). */
export function roundDueAt(lostAt: number, round: number): number {
  const late = Math.max(0, round - early.length + 1);
  const seconds = (early[Math.min(round, early.length - 1)] ?? 0) + late * lateEverySeconds;
  return lostAt + seconds * 1000;
}

/** The longest pause between two rounds (ms), also after a block of the service. */
const maxPauseMs = 3_600_000;

/**
 * Whether the next round may run now. A loss that lies ahead was stored under another clock, and so was the time of the
 * round: the search goes on at once, and counts from now.
 */
export const isSearchDue = ({ lostAt, nextAt }: ReconcileState, now: number): boolean =>
  lostAt > now + clockSlackMs || !holdsUntil(nextAt, now, maxPauseMs);

// Handles requests whose sender is gone. The broker may have accepted them, so they become unknown and no process
// sends them again.

/**
 * Moves an intent from SENDING to UNKNOWN and starts the search for it. Does nothing when another process moved it
 * first.
 */
export async function markUnknown(
  tx: JournalChange,
  intent: Intent,
  processes: ProcessRegistry,
  now: number,
): Promise<void> {
  const hasEnded = intent.sender !== undefined && !processes.isAlive(intent.sender);
  const moved = await tx.move(intent.id, 'SENDING', {
    state: nextState('SENDING', 'lose'),
    changedAt: now,
    reason: hasEnded
      ? 'The process that was sending the order ended before it recorded a response.'
      : 'The process that was sending the order has not recorded a response in time.',
    search: initialSearch(now),
  });
  if (moved) await haltIfNeeded(tx, moved, now);
}

// Ends what is overdue: approvals past their limit, drafts that were never sent, and requests that their sender
// abandoned.

const expiryReason = ({ approval }: Intent): string => {
  if (!approval) return 'The call ended before the order was sent.';
  return approval.approvedAt === undefined
    ? 'The order was not approved in time.'
    : 'The order was approved but could not be sent in time.';
};

/** Only the call that created an order may send it without a human's approval. */
const isOrphaned = ({ approval, owner }: Intent, processes: ProcessRegistry): boolean =>
  !approval && !processes.isAlive(owner);

/** Records for the orders of the future that their times are wrong. The times stay, because `now` may be wrong instead. */
export async function noteOrdersAhead(tx: JournalChange, accountKey: string, now: number): Promise<void> {
  for (const intent of await tx.list({ accountKey, states: allStates, createdSince: now + clockSlackMs }))
    if (intent.seenAheadAt === undefined || intent.seenAheadAt > now)
      await tx.move(intent.id, intent.state, { state: intent.state, seenAheadAt: now });
}

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
