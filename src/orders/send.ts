/**
 * Steps 4 to 7 of an order: connect, commit, write, read. It is the only file that clears an order for
 * the broker. Before the commit a failure is provably harmless; after it nothing is ever sent again.
 */
import Big from 'big.js';
import { clearOrder } from '../broker/cleared-order.ts';
import type { Broker, CallContext, PlaceResult } from '../broker/types.ts';
import type { Clock } from '../clock.ts';
import { classify, type Verdict } from './classify.ts';
import { digestOf } from './digest.ts';
import { lastPriceOf, type OrderFacts } from './facts.ts';
import { setHalt } from './halt.ts';
import { type Intent, longestDraftMs } from './intent.ts';
import type { Journal, JournalChange, JournalView, Processes } from './ports.ts';
import { wireOrder } from './request.ts';
import { dayMs, firstRefusal, type Refusal } from './risk.ts';
import { type RiskLimits, stricter } from './risk-limits.ts';
import { firstSearch } from './search.ts';
import { nextState, unknownStates } from './states.ts';
import { approvalInForce, type TradingSettings, whyNoTrading } from './trading-state.ts';
import type { Turns } from './turn.ts';

export interface SenderParts {
  readonly broker: Broker;
  readonly journal: Journal;
  readonly clock: Clock;
  readonly processes: Processes;
  readonly turns: Turns;
  readonly settings: TradingSettings;
  readonly limits: (tx: JournalView) => Promise<RiskLimits>;
}

/** An order that provably never left may be tried again this often, within this time. */
const resend = { attempts: 2, withinMs: 10_000 };
/** After a refusal for the rate, once. */
const resendAfterLimit = 1;
/** From the commit to the last byte of the answer. */
const answerMs = 15_000;
/** Percent that the reference price may move between an approval and the order. */
const mostDrift = 1;
const rejectionsMs = 600_000;
const mostRejections = 3;

/** The intent was taken by somebody else in the meantime: its row says what became of it. */
class NotOurs extends Error {}

export function createSender(parts: SenderParts) {
  const { journal, clock, processes } = parts;

  /** The decisive transaction: all of it holds, or the order does not leave. */
  const commit = (intentId: string, facts: OrderFacts) =>
    journal.change(async (tx): Promise<Intent | 'busy'> => {
      const intent = await tx.find(intentId);
      if (intent?.state !== 'APPROVED') throw new NotOurs();
      const now = clock.now();
      for (const other of await tx.list({ states: ['SENDING'], accountKey: intent.accountKey })) {
        if (!isAbandoned(other, processes, now)) return 'busy';
        await giveUp(tx, other, now);
      }
      const stale = whyStale(intent, facts, now);
      if (stale) return move(tx, intent, 'expire', { reason: stale, retryUntil: undefined });
      const refusal = await whyRefused(tx, intent, facts, now);
      if (refusal) return move(tx, intent, 'refuse', { ...refusal, retryUntil: undefined });
      return move(tx, intent, 'commit', {
        sentAt: now,
        sender: processes.self,
        answerBy: now + answerMs,
        retryUntil: undefined,
        ...(intent.approval ? { approval: { ...intent.approval, usedAt: now } } : {}),
      });
    });

  const whyRefused = async (
    tx: JournalChange,
    intent: Intent,
    facts: OrderFacts,
    now: number,
  ): Promise<Refusal | undefined> => {
    const stopped = await whyNoTrading(parts.settings, tx, intent.accountKey);
    if (stopped) return stopped;
    const blocked = await tx.list({ states: unknownStates, accountKey: intent.accountKey, ticker: intent.ticker });
    if (blocked.length > 0) return openUnknown(intent.ticker);
    const method = await approvalInForce(parts.settings, tx);
    const approval = whyNotApproved(intent, method);
    if (approval) return approval;
    const day = await tx.list({ accountKey: intent.accountKey, createdSince: now - dayMs });
    return firstRefusal({
      order: intent.request,
      environment: parts.settings.environment,
      limits: stricter(intent.limits, await parts.limits(tx)),
      facts,
      own: day.filter((other) => other.id !== intent.id),
      now,
      humanSeesIt: method === 'page' || method === 'terminal',
    });
  };

  const settle = async (intent: Intent, verdict: Verdict, retryUntil: number | undefined): Promise<Intent> => {
    const now = clock.now();
    return journal.change(async (tx) => {
      const row = await tx.find(intent.id);
      if (!row) throw new NotOurs();
      // Another process gave this order up while its answer was on the way; the answer is better evidence.
      if (row.state === 'UNKNOWN' || row.state === 'PROBABLY_ABSENT') return learnLate(tx, row, verdict);
      if (row.state !== intent.state) return row;
      const change = factsOf(verdict, intent, now);
      const moved = await move(tx, row, verdict.event, { ...change, retryUntil });
      await haltIfNeeded(tx, moved, now);
      return moved;
    });
  };

  const haltIfNeeded = async (tx: JournalChange, intent: Intent, now: number): Promise<void> => {
    if (parts.settings.environment !== 'live') return;
    const halt = (rule: string, reason: string) => setHalt(tx, { at: now, by: 'rule', rule, reason });
    if (intent.mismatch?.length)
      await halt('echo_mismatch', `The broker's echo of an order differs in ${intent.mismatch.join(', ')}.`);
    if (intent.state === 'REJECTED') {
      const recent = await tx.list({ states: ['REJECTED'], accountKey: intent.accountKey, createdSince: now - dayMs });
      if (recent.filter(({ changedAt }) => changedAt > now - rejectionsMs).length >= mostRejections)
        await halt('rejections', `The broker rejected ${mostRejections} orders within ten minutes.`);
    }
    if (intent.state === 'UNKNOWN') {
      const unknown = await tx.list({ states: unknownStates, accountKey: intent.accountKey });
      if (unknown.length >= 2) await halt('open_unknowns', 'Two orders are unknown at the same time.');
    }
  };

  const move = async (
    tx: JournalChange,
    intent: Intent,
    event: Parameters<typeof nextState>[1],
    change: Partial<Intent>,
  ): Promise<Intent> => {
    const state = nextState(intent.state, event);
    const moved = await tx.move(intent.id, intent.state, { ...change, state, changedAt: clock.now() });
    if (!moved) throw new NotOurs();
    return moved;
  };

  /** Kept trying for a while: what the broker said must not be lost because the disk was slow to come back. */
  const settleStubbornly = async (
    intent: Intent,
    verdict: Verdict,
    retryUntil: number | undefined,
  ): Promise<Intent> => {
    for (let attempt = 1; ; attempt++) {
      try {
        return await settle(intent, verdict, retryUntil);
      } catch (error) {
        if (error instanceof NotOurs || attempt >= 5) {
          // The row stays SENDING and becomes unknown by itself; the caller is told what was seen.
          return { ...intent, ...factsOf(verdict, intent, clock.now()), state: nextState(intent.state, verdict.event) };
        }
        await clock.sleep(200 * attempt);
      }
    }
  };

  const once = async (
    intent: Intent,
    facts: OrderFacts,
    context: CallContext,
    mayRetry: (verdict: Verdict, result: PlaceResult) => number | undefined,
  ): Promise<{ intent: Intent; verdict: Verdict | undefined }> => {
    let row = intent;
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
    return { intent: await settleStubbornly(row, verdict, mayRetry(verdict, result)), verdict };
  };

  return {
    /** Sends one approved intent, and answers its row. Throws `store_unavailable` when nothing was sent for that. */
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
          if (!turn) return settleStubbornly(intent, busyVerdict, undefined);
          intent = turn.intent;
          const { verdict } = turn;
          if (!verdict && intent.state === 'APPROVED') {
            if (clock.now() + busyMs > context.deadlineAt) return settleStubbornly(intent, busyVerdict, undefined);
            await clock.sleep(busyMs);
            continue;
          }
          if (intent.state !== 'NOT_SENT' || intent.retryUntil === undefined) return intent;
          if (verdict?.event === 'limit') await clock.sleep((verdict.retryAfterSeconds ?? 0) * 1000, context.signal);
          const again = await tryAgain(intent);
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
      const row = await tx.find(intent.id);
      // Whoever asks after `retryUntil` is told that it was not sent: then it must stay so.
      if (row?.state !== 'NOT_SENT' || row.retryUntil === undefined || clock.now() >= row.retryUntil) return undefined;
      if (row.approval && clock.now() >= row.approval.expiresAt) return move(tx, row, 'expire', approvalRanOut);
      return move(tx, row, 'tryAgain', {});
    });
  }

  async function learnLate(tx: JournalChange, row: Intent, verdict: Verdict): Promise<Intent> {
    const change = factsOf(verdict, row, clock.now());
    if (verdict.event === 'accept') return move(tx, row, 'findOne', { ...change, search: undefined });
    if (row.state === 'UNKNOWN' && (verdict.event === 'reject' || verdict.event === 'limit'))
      return move(tx, row, 'learnRefusal', { ...change, search: undefined });
    return row;
  }
}

const busyMs = 100;
const busyVerdict: Verdict = {
  event: 'failBeforeSending',
  reason: 'Another order of the account was in flight for too long.',
};
const approvalRanOut = { reason: 'The approval ran out before the order left.', retryUntil: undefined };

export const openUnknown = (ticker: string): Refusal => ({
  rule: 'open_unknown',
  reason: `An earlier order for ${ticker} is unknown and may be live; ${ticker} takes no new order until it is found or closed.`,
});

/** Its sender is dead, or its answer is overdue twice. */
export const isAbandoned = (intent: Intent, processes: Processes, now: number): boolean => {
  const { sentAt = intent.changedAt, answerBy = sentAt + answerMs, sender } = intent;
  return (sender !== undefined && !processes.isAlive(sender)) || now > answerBy + (answerBy - sentAt);
};

/** A request that nobody waits for any more may have been accepted. It is never taken over. */
export const giveUp = (tx: JournalChange, intent: Intent, now: number): Promise<Intent | undefined> =>
  tx.move(intent.id, 'SENDING', {
    state: nextState('SENDING', 'lose'),
    changedAt: now,
    reason: 'The process that sent it ended before the answer was written down.',
    search: firstSearch(now),
  });

function whyStale(intent: Intent, facts: OrderFacts, now: number): string | undefined {
  const { approval, request } = intent;
  if (!approval)
    return now - intent.createdAt > longestDraftMs ? 'It was made too long ago to be sent now.' : undefined;
  if (now >= approval.expiresAt) return approvalRanOut.reason;
  if (request.type !== 'MARKET' && request.type !== 'STOP') return undefined;
  const [before, price] = [intent.baseline.price, lastPriceOf(intent.ticker, facts)];
  if (before === undefined && price === undefined) return undefined;
  const moved =
    before === undefined || price === undefined || new Big(before).eq(0)
      ? undefined
      : new Big(price).div(before).minus(1).times(100).abs();
  return moved?.lte(mostDrift)
    ? undefined
    : `The price moved${moved ? ` by ${moved.toFixed(1)} %` : ''} since it was approved; it needs a new approval.`;
}

/** An approval holds for exactly what was shown, once. */
function whyNotApproved(intent: Intent, method: string): Refusal | undefined {
  const { approval } = intent;
  if (!approval) {
    if (method === 'none') return undefined;
    return { rule: 'approval_missing', reason: 'The order has no approval of a human, and needs one.' };
  }
  const isSound =
    approval.approvedAt !== undefined &&
    approval.usedAt === undefined &&
    approval.digest === digestOf(intent, approval);
  return isSound ? undefined : { rule: 'approval_invalid', reason: 'The approval is not one for this order.' };
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
