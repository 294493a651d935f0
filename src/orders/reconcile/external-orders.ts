/**
 * Detects orders that were created through the API after the enrollment and are not in the journal: another program
 * trades on this account with a key of its own. In live this halts trading, unless the owner turned the rule off.
 */
import type { Environment } from '../../config.ts';
import type { AccountSnapshot } from '../account/account-snapshot.ts';
import { readEnrolment } from '../enrollment/enrollment.ts';
import { setHalt } from '../halt/halt.ts';
import type { JournalChange } from '../intent/ports.ts';
import type { RiskLimits } from '../intent/risk-limits.ts';
import { unknownStates } from '../intent/states.ts';
import { isCandidate, submissionWindow } from './match-order.ts';

/** The clocks of the service and of this machine may differ by this much. */
const marginMs = 120_000;

/** Halts trading if the pending orders include one of another program. Does nothing outside live. */
export async function haltOnExternalOrders(
  tx: JournalChange,
  question: {
    readonly environment: Environment;
    readonly limits: RiskLimits;
    readonly accountKey: string;
    readonly facts: AccountSnapshot;
    readonly now: number;
  },
): Promise<void> {
  const { environment, limits, accountKey, facts, now } = question;
  if (environment !== 'live' || !limits.haltOnForeignOrders) return;
  const enrolledAt = (await readEnrolment(tx))?.enrolledAt;
  if (enrolledAt === undefined) return;
  const undecided = await tx.list({ accountKey, states: ['SENDING', ...unknownStates] });
  for (const order of facts.pending) {
    const { id, initiatedFrom, createdAt } = order;
    if (id === undefined || initiatedFrom !== 'API' || createdAt === undefined) continue;
    if (Date.parse(createdAt) < enrolledAt + marginMs) continue;
    if ((await tx.list({ accountKey, orderId: id, limit: 1 })).length > 0) continue;
    // It may be an own order that has not been identified yet.
    if (undecided.some((intent) => isCandidate(order, intent, submissionWindow(intent, facts.serviceOffsetMs))))
      continue;
    const reason = `Order ${id} was placed by another program with access to this account.`;
    await setHalt(tx, { at: now, by: 'rule', rule: 'foreign_order', reason });
    return;
  }
}
