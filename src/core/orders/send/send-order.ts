/**
 * Sends an approved order: connect, commit, write, read. No other file authorizes an order for the broker. Before the
 * commit a failure is provably harmless; after it nothing is sent again.
 */
import { authorizeOrder, type Broker, type CallContext, type PlaceResult } from '../../broker/types.ts';
import { BrokerageError, hasCode, ignoreAbort } from '../../errors.ts';
import { log } from '../../log.ts';
import type { OrderContext } from '../account/account-snapshot.ts';
import { type Intent, isApprovalOver, isOpen } from '../intent/intent.ts';
import { applyTransition, ConcurrentUpdateError } from '../intent/journal-port.ts';
import { toWireOrder } from '../intent/order-request.ts';
import type { AccountLock } from './account-lock.ts';
import { classify, type Verdict } from './classify.ts';
import { type CommitDeps, createCommit } from './commit.ts';
import { createResultRecorder, type RecordResult } from './record-result.ts';

export interface SenderDeps extends CommitDeps {
  readonly broker: Broker;
  readonly turns: AccountLock;
}

/** An order that was provably not sent may be tried again this often, within this time. */
const resend = { attempts: 2, withinMs: 10_000 };
/** How often it is tried again after a rate-limit refusal. */
const resendAfterLimit = 1;

export interface Sender {
  /**
   * Sends one approved intent and returns its row. Throws `store_unavailable` when the store failed before anything
   * was sent.
   */
  send(approved: Intent, facts: OrderContext, context: CallContext): Promise<Intent>;
}

/** Creates the sender of one process. */
export function createSender(deps: SenderDeps): Sender {
  const sending = { ...deps, commit: createCommit(deps), recordResult: createResultRecorder(deps) };
  return { send: (approved, facts, context) => sendOrder(sending, approved, facts, context) };
}

interface SendingDeps extends SenderDeps {
  readonly commit: ReturnType<typeof createCommit>;
  readonly recordResult: RecordResult;
}

/** The failed attempts to send one order. */
interface Attempts {
  readonly startedAt: number;
  connectionFailures: number;
  limited: number;
}

async function sendOrder(
  deps: SendingDeps,
  approved: Intent,
  facts: OrderContext,
  context: CallContext,
): Promise<Intent> {
  const { journal, clock } = deps;
  const attempts: Attempts = { startedAt: clock.now(), connectionFailures: 0, limited: 0 };
  let intent = approved;
  try {
    for (;;) {
      const turn = await takeTurn(deps, intent, facts, context, attempts);
      if (!turn) return await endUnsent(deps, intent, busyReason);
      intent = turn.intent;
      const { verdict } = turn;
      if (!verdict && intent.state === 'APPROVED') {
        if (clock.now() + busyMs > context.deadlineAt) return await endUnsent(deps, intent, busyReason);
        await clock.sleep(busyMs);
        continue;
      }
      if (intent.retryUntil === undefined) return intent;
      if (verdict?.event === 'limit')
        await clock.sleep((verdict.retryAfterSeconds ?? 0) * 1000, context.signal).catch(ignoreAbort);
      const again = context.signal?.aborted ? undefined : await tryAgain(deps, intent);
      if (!again) return intent;
      intent = again;
    }
  } catch (error) {
    if (error instanceof ConcurrentUpdateError) return (await journal.read((tx) => tx.find(approved.id))) ?? approved;
    // Every error comes from before the commit: `readVerdict` keeps those of later. A store failure is thrown; the
    // rest is an outcome.
    log.fault('send an order', error);
    if (hasCode(error, 'store_unavailable')) throw error;
    const reason =
      error instanceof BrokerageError
        ? error.message
        : 'brokerage-mcp failed before the order was sent, by an error of its own.';
    return endUnsent(deps, intent, reason);
  }
}

/** Sends once when the account is free; undefined when it was not free in time. */
function takeTurn(
  deps: SendingDeps,
  intent: Intent,
  facts: OrderContext,
  context: CallContext,
  attempts: Attempts,
): Promise<Attempt | undefined> {
  // After a failed connection the order is tried again soon or not at all.
  const deadlineAt =
    attempts.connectionFailures > 0
      ? Math.min(context.deadlineAt, attempts.startedAt + resend.withinMs)
      : context.deadlineAt;
  const limited: CallContext = { ...context, deadlineAt };
  return deps.turns.inTurn(intent.accountKey, intent.id, limited, () =>
    sendOnce(deps, intent, facts, limited, (verdict, result) =>
      countAttempt(attempts, verdict, result, context, deps.clock.now()),
    ),
  );
}

interface Attempt {
  readonly intent: Intent;
  /** Undefined when the commit did not let the order leave. */
  readonly verdict: Verdict | undefined;
}

async function sendOnce(
  deps: SendingDeps,
  intent: Intent,
  facts: OrderContext,
  context: CallContext,
  getRetryUntil: (verdict: Verdict, result: PlaceResult) => number | undefined,
): Promise<Attempt> {
  const { journal, commit } = deps;
  // Another process may have continued it while this one waited for the lock.
  let row = (await journal.read((tx) => tx.find(intent.id))) ?? intent;
  if (row.state !== 'APPROVED') throw new ConcurrentUpdateError();
  const order = authorizeOrder({ ...toWireOrder(intent.request), intentId: intent.id });
  const result = await deps.broker.place(
    order,
    async () => {
      const committed = await commit(intent.id, facts);
      if (committed === 'busy') return undefined;
      row = committed;
      return committed.state === 'SENDING' ? { writeBy: writeBy(committed) } : undefined;
    },
    context,
  );
  const verdict = readVerdict(result, row);
  // The commit refused or expired the order, or another order is still in flight.
  if (!verdict) return { intent: row, verdict: undefined };
  // The call was stopped just before sending. An order that a human approved is left to the next server that may
  // trade.
  const isLeft = verdict.event === 'failBeforeSending' && row.approval !== undefined && context.signal?.aborted;
  if (isLeft) throw new ConcurrentUpdateError();
  return { intent: await deps.recordResult(row, verdict, getRetryUntil(verdict, result)), verdict };
}

/** What a result means. A fault of this program after the commit leaves the order as unknown as a lost response does. */
function readVerdict(result: PlaceResult, row: Intent): Verdict | undefined {
  try {
    return classify(result, row.request);
  } catch (error) {
    if (row.state !== 'SENDING') throw error;
    // The order may be live, so it is recorded as unknown and searched for; a thrown error would say that it was not sent.
    log.fault('read the response to an order', error);
    return { event: 'lose', reason: 'brokerage-mcp could not read the response, because of an error of its own.' };
  }
}

/** Counts a failed attempt. Returns until when the order may be tried again (ms); undefined for never. */
function countAttempt(
  attempts: Attempts,
  verdict: Verdict,
  result: PlaceResult,
  context: CallContext,
  now: number,
): number | undefined {
  if (verdict.event === 'limit') {
    const freeAt = now + (verdict.retryAfterSeconds ?? 0) * 1000;
    return attempts.limited++ < resendAfterLimit && freeAt < context.deadlineAt ? context.deadlineAt : undefined;
  }
  const isQuick =
    result.kind === 'not_connected' && now - attempts.startedAt < resend.withinMs && !context.signal?.aborted;
  return isQuick && attempts.connectionFailures++ < resend.attempts ? now + resend.withinMs : undefined;
}

/**
 * Ends an order that no human approved. An approved order stays approved, for the next background round or the
 * next server.
 */
const endUnsent = async ({ recordResult }: SendingDeps, intent: Intent, reason: string): Promise<Intent> =>
  intent.approval ? intent : recordResult(intent, { event: 'failBeforeSending', reason }, undefined);

async function tryAgain({ journal, clock }: SendingDeps, intent: Intent): Promise<Intent | undefined> {
  return journal.change(async (tx) => {
    const now = clock.now();
    const row = await tx.find(intent.id);
    // After `retryUntil` callers learn that the order was not sent, so it must not be sent any more.
    if (row?.state !== 'NOT_SENT' || !isOpen(row, now)) return undefined;
    if (row.approval && isApprovalOver(row.approval, now))
      return applyTransition(tx, row, 'expire', now, {
        reason: 'The approval expired before the order was sent.',
        retryUntil: undefined,
      });
    return applyTransition(tx, row, 'tryAgain', now, {});
  });
}

/**
 * Milliseconds from the commit to the first byte. The checks of the commit hold this long, and an approval until it
 * expires.
 */
const writingMs = 2_000;
const writeBy = ({ changedAt, approval }: Intent): number =>
  Math.min(changedAt + writingMs, approval?.expiresAt ?? Number.POSITIVE_INFINITY);

const busyMs = 100;
const busyReason = 'Another order of the account was being sent for too long.';
