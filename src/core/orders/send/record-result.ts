/** Writes the meaning of the response to the journal, and halts trading if it requires that. */
import type { Clock } from '../../clock.ts';
import { log } from '../../log.ts';
import { haltIfNeeded, setHalt } from '../halt/trading-state.ts';
import type { Intent } from '../intent/intent.ts';
import { applyTransition, ConcurrentUpdateError, type Journal, type JournalChange } from '../intent/journal-port.ts';
import { nextState } from '../intent/states.ts';
import { initialSearch } from '../reconcile/reconcile-schedule.ts';
import type { Verdict } from './classify.ts';

/** The broker's response must not be lost because the disk is slow, so writing it is tried this often. */
const maxAttempts = 4;

export type RecordResult = (intent: Intent, verdict: Verdict, retryUntil: number | undefined) => Promise<Intent>;

export function createResultRecorder({ journal, clock }: { journal: Journal; clock: Clock }): RecordResult {
  const recordResult: RecordResult = (intent, verdict, retryUntil) =>
    journal.change(async (tx) => {
      const now = clock.now();
      const row = await tx.find(intent.id);
      if (!row) throw new ConcurrentUpdateError();
      const moved =
        row.state === intent.state
          ? await applyTransition(tx, row, verdict.event, now, { ...toIntentChange(verdict, intent, now), retryUntil })
          : await recordLateResponse(tx, row, verdict, now);
      await haltIfNeeded(tx, moved, now);
      return moved;
    });

  return async (intent, verdict, retryUntil) => {
    for (let attempt = 1; ; attempt++) {
      try {
        return await recordResult(intent, verdict, retryUntil);
      } catch (error) {
        log.fault('record the response to an order', error);
        if (!(error instanceof ConcurrentUpdateError) && attempt < maxAttempts) {
          await clock.sleep(200 * attempt);
          continue;
        }
        // Another process may still send an order that a human approved, so its state is not certain.
        if (verdict.event === 'failBeforeSending' && intent.approval) return intent;
        // The row becomes unknown automatically unless it is written first. The caller receives what this process
        // observed.
        if (intent.state === 'SENDING' && !(error instanceof ConcurrentUpdateError))
          retryUntilStored(() => recordResult(intent, verdict, undefined));
        const now = clock.now();
        return { ...intent, ...toIntentChange(verdict, intent, now), state: nextState(intent.state, verdict.event) };
      }
    }
  };
}

const tryAgainEveryMs = 5_000;
const maxLateAttempts = 120;

/**
 * The broker's response is the best evidence, so it is written when the store works again, as long as this process
 * lives.
 */
function retryUntilStored(work: () => Promise<unknown>): void {
  let attempts = 0;
  // A real timer that does not keep the process alive.
  const timer = setInterval(() => {
    attempts++;
    work().then(
      () => clearInterval(timer),
      (error: unknown) => {
        log.fault('record the response to an order', error);
        if (attempts >= maxLateAttempts) clearInterval(timer);
      },
    );
  }, tryAgainEveryMs);
  timer.unref();
}

/** The sender has the response, so its result overrides what other processes wrote in the meantime. */
async function recordLateResponse(tx: JournalChange, row: Intent, verdict: Verdict, now: number): Promise<Intent> {
  const change = { ...toIntentChange(verdict, row, now), search: undefined };
  if (verdict.event === 'accept') {
    if (row.state !== 'PLACED') return applyTransition(tx, row, 'findOne', now, change);
    // The search matched another order to this intent, so two may be live.
    if (row.orderId !== verdict.order.id && row.environment === 'live')
      await setHalt(tx, {
        at: now,
        by: 'rule',
        rule: 'two_orders',
        reason: `Orders ${row.orderId} and ${verdict.order.id} both match the same intent.`,
      });
    return row;
  }
  const isRefusal = verdict.event === 'reject' || verdict.event === 'limit' || verdict.event === 'notWritten';
  return row.state === 'UNKNOWN' && isRefusal ? applyTransition(tx, row, 'learnRefusal', now, change) : row;
}

function toIntentChange(verdict: Verdict, intent: Intent, now: number): Partial<Intent> {
  switch (verdict.event) {
    case 'accept':
      return {
        orderId: verdict.order.id,
        orderStatus: verdict.order.status,
        mismatch: verdict.mismatch.length ? verdict.mismatch : undefined,
        reason: undefined,
      };
    case 'reject':
      return { reason: verdict.reason, brokerCode: verdict.brokerCode, errorCode: verdict.code };
    case 'lose':
      return { reason: verdict.reason, search: initialSearch(now) };
    case 'limit':
      // The order was not accepted, so its approval is still unused.
      return {
        reason: verdict.reason,
        sentAt: undefined,
        ...(intent.approval ? { approval: { ...intent.approval, usedAt: undefined } } : {}),
      };
    case 'notWritten':
    case 'failBeforeSending':
      return { reason: verdict.reason };
  }
}
