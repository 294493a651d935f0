/** Step 7: what the answer meant, in the journal; and what must stop trading because of it. */
import type { Clock } from '../clock.ts';
import type { Environment } from '../config.ts';
import type { Verdict } from './classify.ts';
import { setHalt } from './halt.ts';
import type { Intent } from './intent.ts';
import { moveOn, NotOurs } from './move-on.ts';
import type { Journal, JournalChange } from './ports.ts';
import { dayMs } from './risk.ts';
import { firstSearch } from './search.ts';
import { nextState, unknownStates } from './states.ts';

export interface SettleParts {
  readonly journal: Journal;
  readonly clock: Clock;
  readonly environment: Environment;
}

const rejectionsMs = 600_000;
const mostRejections = 3;
/** What the broker said must not be lost because the disk was slow to come back. */
const mostAttempts = 4;

export type Settle = (intent: Intent, verdict: Verdict, retryUntil: number | undefined) => Promise<Intent>;

export function createSettle({ journal, clock, environment }: SettleParts): Settle {
  const settle: Settle = (intent, verdict, retryUntil) =>
    journal.change(async (tx) => {
      const now = clock.now();
      const row = await tx.find(intent.id);
      if (!row) throw new NotOurs();
      // Another process gave this order up while its answer was on the way; the answer is better evidence.
      if (row.state === 'UNKNOWN' || row.state === 'PROBABLY_ABSENT') return learnLate(tx, row, verdict, now);
      if (row.state !== intent.state) return row;
      const moved = await moveOn(tx, row, verdict.event, now, { ...factsOf(verdict, intent, now), retryUntil });
      if (environment === 'live') await haltIfNeeded(tx, moved, now);
      return moved;
    });

  return async (intent, verdict, retryUntil) => {
    for (let attempt = 1; ; attempt++) {
      try {
        return await settle(intent, verdict, retryUntil);
      } catch (error) {
        if (!(error instanceof NotOurs) && attempt < mostAttempts) {
          await clock.sleep(200 * attempt);
          continue;
        }
        // What a human approved may still be carried on by another process: nobody can say that it will not.
        if (verdict.event === 'failBeforeSending' && intent.approval) return intent;
        // The row becomes unknown by itself; the caller is told what was seen.
        const now = clock.now();
        return { ...intent, ...factsOf(verdict, intent, now), state: nextState(intent.state, verdict.event) };
      }
    }
  };
}

async function learnLate(tx: JournalChange, row: Intent, verdict: Verdict, now: number): Promise<Intent> {
  const change = { ...factsOf(verdict, row, now), search: undefined };
  if (verdict.event === 'accept') return moveOn(tx, row, 'findOne', now, change);
  const isRefusal = verdict.event === 'reject' || verdict.event === 'limit';
  return row.state === 'UNKNOWN' && isRefusal ? moveOn(tx, row, 'learnRefusal', now, change) : row;
}

async function haltIfNeeded(tx: JournalChange, intent: Intent, now: number): Promise<void> {
  const halt = (rule: string, reason: string) => setHalt(tx, { at: now, by: 'rule', rule, reason });
  const { accountKey } = intent;
  if (intent.mismatch?.length)
    await halt('echo_mismatch', `The broker's echo of an order differs in ${intent.mismatch.join(', ')}.`);
  if (intent.state === 'REJECTED') {
    const rejected = await tx.list({ states: ['REJECTED'], accountKey, createdSince: now - dayMs });
    if (rejected.filter(({ changedAt }) => changedAt > now - rejectionsMs).length >= mostRejections)
      await halt('rejections', `The broker rejected ${mostRejections} orders within ten minutes.`);
  }
  if (intent.state === 'UNKNOWN' && (await tx.list({ states: unknownStates, accountKey })).length >= 2)
    await halt('open_unknowns', 'Two orders are unknown at the same time.');
}

function factsOf(verdict: Verdict, intent: Intent, now: number): Partial<Intent> {
  switch (verdict.event) {
    case 'accept':
      return {
        orderId: verdict.order.id,
        orderStatus: verdict.order.status,
        mismatch: verdict.mismatch.length ? verdict.mismatch : undefined,
        reason: undefined,
      };
    case 'reject':
      return { reason: verdict.reason, brokerCode: verdict.brokerCode };
    case 'lose':
      return { reason: verdict.reason, search: firstSearch(now) };
    case 'limit':
      // Not accepted: the approval was not used after all.
      return {
        reason: verdict.reason,
        sentAt: undefined,
        ...(intent.approval ? { approval: { ...intent.approval, usedAt: undefined } } : {}),
      };
    case 'failBeforeSending':
      return { reason: verdict.reason };
  }
}
