/** Continues an intent after its draft: waits for the human, sends the order, and does the background work. */
import type { CallContext } from '../broker/types.ts';
import type { Intent } from './intent/intent.ts';
import { isOpen, isOverdue } from './intent/intent-status.ts';
import { openStates } from './intent/states.ts';
import type { OrderDeps } from './order-deps.ts';
import { expireOverdue } from './reconcile/expiry.ts';
import { reconcile } from './reconcile/reconcile.ts';
import type { Sender } from './send/send-order.ts';

export interface IntentRunner {
  /**
   * Waits for the decisions of others (the human, the process that sends the order), and sends the order when this
   * process may. Returns the intent, unfinished when the call's time is up.
   */
  follow(intent: Intent, context: CallContext, progress: ((message: string) => void) | undefined): Promise<Intent>;
  /** Sends an approved intent with account data that was just read. */
  send: Sender['send'];
  /** The intent as it is in the journal now. */
  current(intent: Intent): Promise<Intent>;
  tick(): Promise<number>;
  stop(): Promise<void>;
}

/** A call waits this long for the human. */
const maxWaitMs = 40_000;
/** The part of a call's time that is reserved for its response. */
const tickTimeoutMs = 3_000;
const pollIntervalMs = 250;
/**
 * How often the service is asked which account the key belongs to, while an intent is open under another account
 * name.
 */
const expirySweepMs = 300_000;
/** The time for an order that is continued outside of a call. */
const carriedOnMs = 50_000;

export function createIntentRunner(parts: OrderDeps, sender: Sender): IntentRunner {
  const { journal, clock, settings, processes } = parts;
  /** A process that may not trade leaves approved orders to others: its refusal is not theirs. */
  const mayTrade = settings.environment !== 'live' || settings.liveTrading;
  /** How many tasks of this process work on each intent. */
  const busy = new Map<string, number>();
  const flights = new Set<Promise<unknown>>();
  const stopping = new AbortController();
  let askAgainAt = Number.NEGATIVE_INFINITY;

  const current = async (intent: Intent): Promise<Intent> => (await journal.read((tx) => tx.find(intent.id))) ?? intent;

  /** A committed order is finished even when its caller is gone. */
  const send: Sender['send'] = (...args) => {
    const flight = sender.send(...args);
    flights.add(flight);
    flight.finally(() => flights.delete(flight)).catch(() => undefined);
    return flight;
  };

  const begin = ({ id }: Intent): (() => void) => {
    busy.set(id, (busy.get(id) ?? 0) + 1);
    return () => {
      const left = (busy.get(id) ?? 1) - 1;
      if (left > 0) busy.set(id, left);
      else busy.delete(id);
    };
  };

  const carryOn = async (intent: Intent, context: CallContext): Promise<Intent> => {
    const end = begin(intent);
    try {
      const reading: CallContext = { ...context, priority: 'lookUp' };
      const instrument = await parts.directory.getOrThrow(intent.ticker, reading);
      // The approval took time, so the account is read again.
      const facts = await parts.facts.read(instrument, reading, intent.approval?.approvedAt);
      return await send(intent, facts, context);
    } finally {
      end();
    }
  };

  /** Work on an intent that continues after this round. */
  const inBackground = (intent: Intent, work: Promise<unknown>): void => {
    work.catch(() => undefined).finally(begin(intent));
  };

  const resume = async (intent: Intent): Promise<void> => {
    const { state, approval, search } = intent;
    const now = clock.now();
    const context: CallContext = { priority: 'place', deadlineAt: now + carriedOnMs, signal: stopping.signal };
    // The process that served the page may be gone.
    if (state === 'AWAITING_APPROVAL' && intent.method === 'page' && approval)
      inBackground(intent, parts.channels.pageUrl(approval.handle));
    else if (state === 'APPROVED' && approval && mayTrade) inBackground(intent, carryOn(intent, context));
    else if (state === 'UNKNOWN' && search && search.nextAt <= now)
      inBackground(intent, reconcile(parts, intent.id, context));
  };

  /**
   * A new API key is a new account name until the service reports which account it belongs to, so open intents may
   * still be of this account.
   */
  const ownAccount = async (open: readonly Intent[]): Promise<string> => {
    const accountKey = await parts.accountKey();
    const now = clock.now();
    if (open.every((intent) => intent.accountKey === accountKey) || now < askAgainAt) return accountKey;
    askAgainAt = now + expirySweepMs;
    return parts.knowAccount({ priority: 'read', deadlineAt: now + carriedOnMs, signal: stopping.signal });
  };

  return {
    send,
    current,
    follow: async (start, context, progress) => {
      const until = Math.min(clock.now() + maxWaitMs, context.deadlineAt - tickTimeoutMs);
      let intent = start;
      for (let told = false; ; ) {
        const now = clock.now();
        if (!isMoving(intent, now)) return intent;
        if (isOverdue(intent, now) && intent.state !== 'SENDING') {
          await journal.change((tx) => expireOverdue(tx, intent.accountKey, processes, now));
          return current(intent);
        }
        if (intent.state === 'APPROVED' && intent.approval && mayTrade && !busy.has(intent.id)) {
          // A failed read does not end it: the order stays approved, and the next poll tries again.
          const sent = await carryOn(intent, context).catch(() => intent);
          // If another task or process sends it first, its outcome is returned.
          if (sent.state !== 'APPROVED' && sent.state !== 'SENDING') return sent;
        }
        if (now + pollIntervalMs > until || context.signal?.aborted) return intent;
        if (intent.state === 'AWAITING_APPROVAL' && !told) progress?.('Waiting for the approval of a human');
        told = true;
        await clock.sleep(pollIntervalMs, context.signal).catch(() => undefined);
        intent = await current(intent);
      }
    },
    tick: async () => {
      if (stopping.signal.aborted) return 0;
      const filter = { states: openStates, environment: settings.environment };
      const open = await journal.read((tx) => tx.list(filter));
      if (open.length === 0) return 0;
      const accountKey = await ownAccount(open).catch(() => undefined);
      if (accountKey === undefined) return 0;
      await journal.change((tx) => expireOverdue(tx, accountKey, processes, clock.now()));
      const own = await journal.read((tx) => tx.list({ ...filter, accountKey }));
      for (const intent of own) if (!busy.has(intent.id)) await resume(intent);
      return own.length;
    },
    stop: async () => {
      stopping.abort();
      await Promise.allSettled([...flights]);
    },
  };
}

function isMoving(intent: Intent, now: number): boolean {
  if (intent.state === 'NOT_SENT') return isOpen(intent, now);
  return intent.state === 'AWAITING_APPROVAL' || intent.state === 'APPROVED' || intent.state === 'SENDING';
}
