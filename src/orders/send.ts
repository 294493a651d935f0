/**
 * Steps 4 to 7 of an order: connect, commit, write, read. It is the only file that clears an order for
 * the broker. Before the commit a failure is provably harmless; after it nothing is ever sent again.
 */
import { clearOrder } from '../broker/cleared-order.ts';
import type { Broker, CallContext, PlaceResult } from '../broker/types.ts';
import { classify, type Verdict } from './classify.ts';
import { type CommitParts, createCommit } from './commit.ts';
import type { OrderFacts } from './facts.ts';
import type { Intent } from './intent.ts';
import { moveOn, NotOurs } from './move-on.ts';
import { wireOrder } from './request.ts';
import { createSettle } from './settle.ts';
import type { Turns } from './turn.ts';

export interface SenderParts extends CommitParts {
  readonly broker: Broker;
  readonly turns: Turns;
}

/** An order that provably never left may be tried again this often, within this time. */
const resend = { attempts: 2, withinMs: 10_000 };
/** After a refusal for the rate, once. */
const resendAfterLimit = 1;

export interface Sender {
  /** Sends one approved intent, and answers its row. Throws `store_unavailable` when nothing was sent for that. */
  send(approved: Intent, facts: OrderFacts, context: CallContext): Promise<Intent>;
}

export function createSender(parts: SenderParts): Sender {
  const { journal, clock } = parts;
  const commit = createCommit(parts);
  const settle = createSettle({ journal, clock, environment: parts.settings.environment });

  const once = async (
    intent: Intent,
    facts: OrderFacts,
    context: CallContext,
    mayRetry: (verdict: Verdict, result: PlaceResult) => number | undefined,
  ): Promise<{ intent: Intent; verdict: Verdict | undefined }> => {
    // Another process may have carried it on while this one waited for its turn.
    let row = (await journal.read((tx) => tx.find(intent.id))) ?? intent;
    if (row.state !== 'APPROVED') throw new NotOurs();
    const order = clearOrder({ ...wireOrder(intent.request), intentId: intent.id });
    const result = await parts.broker.place(
      order,
      async () => {
        const committed = await commit(intent.id, facts);
        if (committed === 'busy') return false;
        row = committed;
        return committed.state === 'SENDING';
      },
      context,
    );
    const verdict = classify(result, intent.request);
    // Refused or expired in the last moment, or another order is still on its way.
    if (!verdict) return { intent: row, verdict: undefined };
    return { intent: await settle(row, verdict, mayRetry(verdict, result)), verdict };
  };

  return {
    send: async (approved: Intent, facts: OrderFacts, context: CallContext): Promise<Intent> => {
      const startedAt = clock.now();
      let intent = approved;
      let connectionFailures = 0;
      let limited = 0;
      const mayRetry = (verdict: Verdict, result: PlaceResult): number | undefined => {
        const now = clock.now();
        if (verdict.event === 'limit') {
          const until = now + (verdict.retryAfterSeconds ?? 0) * 1000;
          return limited++ < resendAfterLimit && until < context.deadlineAt ? context.deadlineAt : undefined;
        }
        const isQuick =
          result.kind === 'not_connected' && now - startedAt < resend.withinMs && !context.signal?.aborted;
        return isQuick && connectionFailures++ < resend.attempts ? now + resend.withinMs : undefined;
      };
      try {
        for (;;) {
          const turn = await parts.turns.inTurn(intent.accountKey, intent.id, context, () =>
            once(intent, facts, context, mayRetry),
          );
          if (!turn) return settle(intent, busyVerdict, undefined);
          intent = turn.intent;
          const { verdict } = turn;
          if (!verdict && intent.state === 'APPROVED') {
            if (clock.now() + busyMs > context.deadlineAt) return settle(intent, busyVerdict, undefined);
            await clock.sleep(busyMs);
            continue;
          }
          if (intent.state !== 'NOT_SENT' || intent.retryUntil === undefined) return intent;
          if (verdict?.event === 'limit')
            await clock.sleep((verdict.retryAfterSeconds ?? 0) * 1000, context.signal).catch(() => undefined);
          const again = context.signal?.aborted ? undefined : await tryAgain(intent);
          if (!again) return intent;
          intent = again;
        }
      } catch (error) {
        if (!(error instanceof NotOurs)) throw error;
        return (await journal.read((tx) => tx.find(approved.id))) ?? approved;
      }
    },
  };

  async function tryAgain(intent: Intent): Promise<Intent | undefined> {
    return journal.change(async (tx) => {
      const now = clock.now();
      const row = await tx.find(intent.id);
      // Whoever asks after `retryUntil` is told that it was not sent: then it must stay so.
      if (row?.state !== 'NOT_SENT' || row.retryUntil === undefined || now >= row.retryUntil) return undefined;
      if (row.approval && now >= row.approval.expiresAt)
        return moveOn(tx, row, 'expire', now, {
          reason: 'The approval ran out before the order left.',
          retryUntil: undefined,
        });
      return moveOn(tx, row, 'tryAgain', now, {});
    });
  }
}

const busyMs = 100;
const busyVerdict: Verdict = {
  event: 'failBeforeSending',
  reason: 'Another order of the account was in flight for too long.',
};
