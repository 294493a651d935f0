/** Continues an intent after its draft: waits for the human, sends the order, and does the background work. */

import type { CallContext } from '../broker/types.ts';
import { holdsUntil } from '../clock.ts';
import { ignoreAbort } from '../errors.ts';
import { orElse } from '../log.ts';
import { methodFacts } from './intent/approval-methods.ts';
import { wasPlacedRecently } from './intent/duplicates.ts';
import { type Intent, isOpen, isOverdue } from './intent/intent.ts';
import { openStates } from './intent/states.ts';
import type { OrderDeps } from './order-deps.ts';
import { reconcile } from './reconcile/reconcile.ts';
import { expireOverdue, isSearchDue } from './reconcile/reconcile-schedule.ts';
import { watchOrders } from './reconcile/watch-orders.ts';
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
const responseReserveMs = 3_000;
const pollIntervalMs = 250;
/**
 * How often the service is asked which account the key belongs to, while an intent is open under another account
 * name.
 */
const accountCheckIntervalMs = 300_000;
/** How often a process that does not watch for orders of other programs checks whether it must. */
const watchCheckMs = 60_000;
/** The time for an order that is continued outside of a call. */
const backgroundCallMs = 50_000;

/** The runner of one process and what it is working on. */
interface Runner {
  readonly deps: OrderDeps;
  readonly send: Sender['send'];
  /** A process that may not trade leaves approved orders to others: its refusal is not theirs. */
  readonly mayTrade: boolean;
  /** How many tasks of this process work on each intent. */
  readonly busy: Map<string, number>;
  readonly stopping: AbortController;
  /** When to search for orders of other programs again (ms). */
  watchAt: number;
  isWatching: boolean;
  /** When the service may be asked again which account the key belongs to (ms). */
  accountCheckAt: number;
}

/** Creates the runner of one process. It starts no work until it is called. */
export function createIntentRunner(deps: OrderDeps, sender: Sender): IntentRunner {
  const flights = new Set<Promise<unknown>>();
  const runner: Runner = {
    deps,
    send: (...args) => {
      // A committed order is finished even when its caller is gone.
      const flight = sender.send(...args);
      flights.add(flight);
      const done = () => flights.delete(flight);
      flight.then(done, done);
      return flight;
    },
    mayTrade: !deps.readOnly && (deps.settings.environment !== 'live' || deps.settings.liveTrading),
    busy: new Map(),
    stopping: new AbortController(),
    watchAt: Number.NEGATIVE_INFINITY,
    isWatching: false,
    accountCheckAt: Number.NEGATIVE_INFINITY,
  };
  return {
    send: runner.send,
    current: (intent) => readCurrent(deps, intent),
    follow: (intent, context, progress) => follow(runner, intent, context, progress),
    tick: () => tick(runner),
    stop: async () => {
      runner.stopping.abort();
      await Promise.allSettled([...flights]);
    },
  };
}

const readCurrent = async ({ journal }: Pick<OrderDeps, 'journal'>, intent: Intent): Promise<Intent> =>
  (await journal.read((tx) => tx.find(intent.id))) ?? intent;

async function follow(
  runner: Runner,
  start: Intent,
  context: CallContext,
  progress: ((message: string) => void) | undefined,
): Promise<Intent> {
  const { journal, clock, processes } = runner.deps;
  const until = Math.min(clock.now() + maxWaitMs, context.deadlineAt - responseReserveMs);
  let intent = start;
  for (let isReported = false; ; ) {
    const now = clock.now();
    if (!isMoving(intent, now)) return intent;
    if (isOverdue(intent, now) && intent.state !== 'SENDING') {
      await journal.change((tx) => expireOverdue(tx, intent.accountKey, processes, now));
      return readCurrent(runner.deps, intent);
    }
    if (intent.state === 'APPROVED' && intent.approval && runner.mayTrade && !runner.busy.has(intent.id)) {
      // A failed read does not end it: the order stays approved, and the next poll tries again.
      const sent = await sendApproved(runner, intent, context).catch(orElse('orders', intent));
      // If another task or process sends it first, its outcome is returned.
      if (sent.state !== 'APPROVED' && sent.state !== 'SENDING') return sent;
    }
    if (now + pollIntervalMs > until || context.signal?.aborted) return intent;
    if (intent.state === 'AWAITING_APPROVAL' && !isReported) progress?.('Waiting for the approval of a human');
    isReported = true;
    await clock.sleep(pollIntervalMs, context.signal).catch(ignoreAbort);
    intent = await readCurrent(runner.deps, intent);
  }
}

async function tick(runner: Runner): Promise<number> {
  const { journal, clock, processes, settings } = runner.deps;
  const { environment } = settings;
  if (runner.stopping.signal.aborted) return 0;
  const filter = { states: openStates, environment };
  const { open, isTrading } = await journal.read(async (tx) => {
    const found = await tx.list(filter);
    const isRecent = environment !== 'sandbox' && (await wasPlacedRecently(tx, environment, clock.now()));
    return { open: found, isTrading: found.length > 0 || isRecent };
  });
  if (!isTrading) return 0;
  const accountKey = await readOwnAccount(runner, open).catch(orElse('orders', undefined));
  if (accountKey === undefined) return 0;
  watch(runner, accountKey);
  if (open.length === 0) return 0;
  await journal.change((tx) => expireOverdue(tx, accountKey, processes, clock.now()));
  const own = await journal.read((tx) => tx.list({ ...filter, accountKey }));
  for (const intent of own) if (!runner.busy.has(intent.id)) resume(runner, intent);
  return own.length;
}

/** Searches for orders of other programs in the background, one read at a time. */
function watch(runner: Runner, accountKey: string): void {
  const { deps, stopping } = runner;
  const now = deps.clock.now();
  // A clock that was set back must not stop it.
  if (runner.isWatching || holdsUntil(runner.watchAt, now, watchCheckMs)) return;
  runner.isWatching = true;
  const context: CallContext = { priority: 'sync', deadlineAt: now + backgroundCallMs, signal: stopping.signal };
  void watchOrders(deps, accountKey, context).then((nextAt) => {
    runner.isWatching = false;
    runner.watchAt = nextAt ?? deps.clock.now() + watchCheckMs;
  });
}

/**
 * The account of this process. A new API key is a new account name until the service reports which account it belongs
 * to, so open intents under another name may still be of this account, and the service is asked.
 */
async function readOwnAccount(runner: Runner, open: readonly Intent[]): Promise<string> {
  const { deps, stopping } = runner;
  const accountKey = await deps.accountKey();
  const now = deps.clock.now();
  if (
    open.every((intent) => intent.accountKey === accountKey) ||
    holdsUntil(runner.accountCheckAt, now, accountCheckIntervalMs)
  )
    return accountKey;
  runner.accountCheckAt = now + accountCheckIntervalMs;
  return deps.identifyAccount({ priority: 'read', deadlineAt: now + backgroundCallMs, signal: stopping.signal });
}

/** Starts the background work that an open intent needs. */
function resume(runner: Runner, intent: Intent): void {
  const { deps } = runner;
  const { state, approval, search } = intent;
  const now = deps.clock.now();
  const context: CallContext = {
    priority: 'place',
    deadlineAt: now + backgroundCallMs,
    signal: runner.stopping.signal,
  };
  // The process that served the page may be gone.
  if (state === 'AWAITING_APPROVAL' && methodFacts[intent.method].hostOpens === 'page' && approval)
    runInBackground(runner, intent, deps.channels.pageUrl(approval.handle));
  else if (state === 'APPROVED' && approval && runner.mayTrade)
    runInBackground(runner, intent, sendApproved(runner, intent, context));
  else if (state === 'UNKNOWN' && search && isSearchDue(search, now))
    runInBackground(runner, intent, reconcile(deps, intent.id, context));
}

async function sendApproved(runner: Runner, intent: Intent, context: CallContext): Promise<Intent> {
  const { directory, facts } = runner.deps;
  const end = markBusy(runner, intent);
  try {
    const reading: CallContext = { ...context, priority: 'lookUp' };
    const instrument = await directory.getOrThrow(intent.ticker, reading);
    // The approval took time, so the account is read again.
    const account = await facts.read(instrument, reading, intent.approval?.approvedAt);
    return await runner.send(intent, account, context);
  } finally {
    end();
  }
}

/** Work on an intent that continues after this round. */
function runInBackground(runner: Runner, intent: Intent, work: Promise<unknown>): void {
  work.catch(orElse('orders', undefined)).finally(markBusy(runner, intent));
}

/** Marks an intent as worked on, until the returned function is called. */
function markBusy({ busy }: Runner, { id }: Intent): () => void {
  busy.set(id, (busy.get(id) ?? 0) + 1);
  return () => {
    const left = (busy.get(id) ?? 1) - 1;
    if (left > 0) busy.set(id, left);
    else busy.delete(id);
  };
}

function isMoving(intent: Intent, now: number): boolean {
  if (intent.state === 'NOT_SENT') return isOpen(intent, now);
  return intent.state === 'AWAITING_APPROVAL' || intent.state === 'APPROVED' || intent.state === 'SENDING';
}
