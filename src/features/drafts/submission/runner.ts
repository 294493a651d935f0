/**
 * Sends the legs of drafts, one at a time. What is next follows from the store alone, so any process that may trade can
 * take the next step; a lease keeps others from trying at the same time, and the store refuses a leg that was taken.
 */

import type { CallContext } from '../../../core/broker/types.ts';
import { endpoints } from '../../../core/endpoints/index.ts';
import { BrokerageError, ExpectedError, ignoreAbort, isAbort } from '../../../core/errors.ts';
import { isHeldByOther } from '../../../core/lease.ts';
import { log, orElse } from '../../../core/log.ts';
import { readHaltCount } from '../../../core/orders/halt/trading-state.ts';
import type { Intent } from '../../../core/orders/intent/intent.ts';
import type { JournalView } from '../../../core/orders/intent/journal-port.ts';
import { expireOverdue } from '../../../core/orders/reconcile/reconcile-schedule.ts';
import { toOrder } from '../book/legs.ts';
import { getPageUrl } from './announce-approval.ts';
import { expireWaiting, isPastApproval } from './approve-draft.ts';
import { endSubmission, keepLateLeg, readLegs, type SubmissionEnd } from './end-submission.ts';
import { getNextStep, isUnsentIntent, type LegState, readPace, type Step } from './next-step.ts';
import {
  isOpenSubmission,
  leaseMs,
  openStates,
  type Submission,
  type SubmissionDeps,
  type SubmissionLeg,
  type SubmissionView,
} from './submission.ts';

export interface SubmissionRunner {
  /** Starts to send an attempt, unless this process does so already. */
  start(submissionId: string): void;
  /** One round of background work: carries on what is open. Returns how many attempts are open. */
  tick(): Promise<number>;
  /** Starts no further leg, and resolves when the running ones are recorded. */
  stop(): Promise<void>;
}

/** The time for the requests of one leg. */
const legMs = 50_000;
const pollIntervalMs = 250;
/** The pause of a process that lost its turn to another. */
const lostTurnMs = 5_000;

interface Runner {
  readonly deps: SubmissionDeps;
  readonly running: Map<string, Promise<unknown>>;
  readonly stopping: AbortController;
  /** A process that may not trade leaves open attempts to others. */
  readonly mayTrade: boolean;
}

/** Creates the runner of one process. It starts no work until it is called. */
export function createSubmissionRunner(deps: SubmissionDeps): SubmissionRunner {
  const runner: Runner = {
    deps,
    running: new Map(),
    stopping: new AbortController(),
    mayTrade: !deps.readOnly && (deps.environment !== 'live' || deps.settings.liveTrading),
  };
  return {
    start: (id) => start(runner, id),
    tick: () => tick(runner),
    stop: async () => {
      runner.stopping.abort();
      await Promise.allSettled([...runner.running.values()]);
    },
  };
}

function start(runner: Runner, id: string): void {
  const { running, stopping, mayTrade } = runner;
  if (running.has(id) || stopping.signal.aborted || !mayTrade) return;
  const work = send(runner, id)
    // The next round of any process carries on.
    .catch(orElse('send a draft', undefined))
    .finally(() => running.delete(id));
  running.set(id, work);
}

async function tick(runner: Runner): Promise<number> {
  const { deps, stopping, mayTrade } = runner;
  if (stopping.signal.aborted || !mayTrade) return 0;
  const { environment } = deps;
  const open = await deps.store.read((tx) => tx.listSubmissions({ environment, states: openStates }));
  if (open.length === 0) return 0;
  const accountKey = await deps.accountKey();
  const own = open.filter((submission) => submission.accountKey === accountKey);
  if (
    own.some((submission) => submission.state === 'awaiting_approval' && isPastApproval(submission, deps.clock.now()))
  )
    await deps.store.change((tx) => expireWaiting(tx, { accountKey, environment }, deps));
  for (const { id, state, approval } of own) {
    if (state === 'sending') start(runner, id);
    // The process that served the page may be gone. To start it can take seconds, which delays no leg.
    else if (approval && !isPastApproval({ approval }, deps.clock.now()))
      getPageUrl(deps.channels, approval).catch(orElse('drafts', undefined));
  }
  return own.length;
}

/** Takes one step after the other until the attempt ends, or another process has the lease. */
async function send(runner: Runner, id: string): Promise<void> {
  const { deps, stopping } = runner;
  let checked: FillsChecked | undefined;
  while (!stopping.signal.aborted) {
    const turn = await takeLease(deps, id);
    if (!turn) return;
    const { submission, step } = turn;
    if (step.kind === 'ended') return;
    if (step.kind === 'done') return void (await end(deps, submission, { state: 'done' }));
    if (step.kind === 'stop')
      return void (await end(deps, submission, { state: 'stopped', rule: step.rule, reason: step.reason }));
    if (step.kind === 'wait') await pause(deps, pollIntervalMs, stopping.signal);
    else checked = await sendLeg(runner, submission, step, checked);
  }
  await releaseLease(deps, id);
}

/** When the fills of the sells were seen (ms), so that each leg after them does not ask again. */
interface FillsChecked {
  readonly sells: number;
  readonly at: number;
}

/** Waits for the turn of a leg, and sends it; returns what is known of the fills. */
async function sendLeg(
  runner: Runner,
  submission: Submission,
  { leg, sells, notBefore }: Step & { kind: 'send' },
  checked: FillsChecked | undefined,
): Promise<FillsChecked | undefined> {
  const { deps, stopping } = runner;
  const paceMs = await deps.store.read((tx) => readPace(deps, tx, submission.accountKey));
  const waitMs = Math.max(paceMs, notBefore - deps.clock.now());
  if (waitMs > 0) {
    await pause(deps, Math.min(waitMs, pollIntervalMs * 20), stopping.signal);
    return checked;
  }
  let since = checked;
  if (sells.length > 0 && since?.sells !== sells.length) {
    const seen = await waitForFills(deps, { submission, leg, sells }, stopping.signal);
    if (seen.kind === 'wait') {
      await pause(deps, seen.ms, stopping.signal);
      return checked;
    }
    if (seen.kind === 'late') {
      await end(deps, submission, { state: 'stopped', reason: seen.reason });
      return checked;
    }
    since = { sells: sells.length, at: seen.at };
  }
  await placeNext(runner, submission, leg, since?.at);
  return since;
}

/** Sends one leg. Whatever happens, the next step follows from the store. */
async function placeNext(
  { deps, stopping }: Runner,
  submission: Submission,
  leg: SubmissionLeg,
  accountSince: number | undefined,
): Promise<void> {
  const { store, clock, directory, orderManager } = deps;
  const context: CallContext = { priority: 'place', deadlineAt: clock.now() + legMs, signal: stopping.signal };
  try {
    const version = await store.read((tx) => tx.findVersion(submission.draftId, submission.version));
    const draftLeg = version?.legs[leg.number - 1];
    if (!draftLeg) throw new BrokerageError('internal', 'A leg of the draft is missing.', 'Make a new draft.');
    const instrument = await directory.getOrThrow(draftLeg.ticker, { ...context, priority: 'lookUp' });
    const turn = {
      reference: { submissionId: submission.id, number: leg.number },
      accountSince,
      requireTurn: (tx: JournalView) => requireTurn(deps, tx as SubmissionView, leg),
    };
    const request = toOrder(draftLeg);
    const intent = await orderManager.placeLeg({ request, instrument, repeatOf: leg.repeatOf, turn }, context);
    if (!isOf(intent, leg)) await endUnplaced(deps, submission, leg, describeEqual(intent));
    else if (isUnsentIntent(intent, clock.now()))
      await store.change((tx) => keepLateLeg(tx, submission.id, clock.now()));
  } catch (error) {
    // Another process works on it: this one waits, so that the two do not take the lease from each other in a loop.
    if (error instanceof NotItsTurn) return await pause(deps, lostTurnMs, stopping.signal);
    if (isAbort(error) || stopping.signal.aborted) return;
    if (!(error instanceof BrokerageError) || error.code === 'store_unavailable') throw error;
    await endUnplaced(deps, submission, leg, error.message);
  }
}

const isOf = ({ leg }: Intent, { submissionId, number }: SubmissionLeg): boolean =>
  leg?.submissionId === submissionId && leg.number === number;

const describeEqual = ({ id, orderId }: Intent): string =>
  `The same order was placed before${orderId === undefined ? '' : ` as order ${orderId}`} (intent ${id}); it was not placed again.`;

/** Another process took the step. */
class NotItsTurn extends ExpectedError {}

/** Throws unless this process has the lease and the leg is the next one by what this transaction reads. */
async function requireTurn(deps: SubmissionDeps, tx: SubmissionView, leg: SubmissionLeg): Promise<void> {
  const submission = await tx.findSubmission(leg.submissionId);
  if (submission?.owner !== deps.processes.self) throw new NotItsTurn();
  const step = await nextStep(tx, submission, await readLegs(tx, submission.id), deps.clock.now());
  if (step.kind !== 'send' || step.leg.number !== leg.number) throw new NotItsTurn();
}

/** The next step, which is the end if trading was halted since the attempt was created. */
async function nextStep(
  tx: SubmissionView,
  submission: Submission,
  legs: readonly LegState[],
  now: number,
): Promise<Step> {
  const step = getNextStep(submission, legs, now);
  if (step.kind !== 'send' || (await readHaltCount(tx)) === submission.haltCount) return step;
  return { kind: 'stop', rule: 'halted', reason: 'Trading was halted after the draft was submitted.' };
}

/** Stops an attempt because a leg could not become an order. */
async function endUnplaced(
  deps: SubmissionDeps,
  submission: Submission,
  { number }: SubmissionLeg,
  problem: string,
): Promise<void> {
  await deps.store.change(async (tx) => {
    const legs = await readLegs(tx, submission.id);
    // The leg has an intent after all, which decides.
    if (legs.find(({ leg }) => leg.number === number)?.leg.state !== 'waiting') return;
    const state = { state: 'stopped', reason: `Order ${number} was not sent. ${problem}` } as const;
    await endIfOpen(tx, deps, submission.id, state);
  });
}

const end = (deps: SubmissionDeps, { id }: Submission, how: SubmissionEnd) =>
  deps.store.change((tx) => endIfOpen(tx, deps, id, how));

/** Ends an attempt in the state in which it is now; undefined when it has ended. */
async function endIfOpen(
  tx: Parameters<typeof endSubmission>[0],
  { processes, clock }: Pick<SubmissionDeps, 'processes' | 'clock'>,
  id: string,
  how: SubmissionEnd,
): Promise<Submission | undefined> {
  const submission = await tx.findSubmission(id);
  const isOpen = submission && isOpenSubmission(submission);
  return isOpen ? endSubmission(tx, submission, how, { processes, now: clock.now() }) : undefined;
}

/**
 * Takes or renews the lease, ends what is overdue, and returns the next step; undefined while another process that is
 * alive has the lease.
 */
const takeLease = (
  { store, clock, processes }: SubmissionDeps,
  id: string,
): Promise<{ readonly submission: Submission; readonly step: Step } | undefined> =>
  store.change(async (tx) => {
    const now = clock.now();
    const found = await tx.findSubmission(id);
    if (found?.state !== 'sending') return undefined;
    const { owner, leaseUntil } = found;
    const lease = { owner, until: leaseUntil };
    if (isHeldByOther(lease, processes, now, leaseMs)) return undefined;
    const mine = { owner: processes.self, leaseUntil: now + leaseMs };
    const submission = await tx.moveSubmission(id, 'sending', mine);
    if (!submission) return undefined;
    if (owner !== processes.self) log.debug('lease', { name: `submission ${id}`, action: 'taken' });
    await expireOverdue(tx, submission.accountKey, processes, now);
    return { submission, step: await nextStep(tx, submission, await readLegs(tx, id), now) };
  });

const releaseLease = ({ store, processes }: SubmissionDeps, id: string): Promise<void> =>
  store
    .change(async (tx) => {
      const found = await tx.findSubmission(id);
      if (found?.state === 'sending' && found.owner === processes.self)
        await tx.moveSubmission(id, 'sending', { owner: undefined, leaseUntil: undefined });
    })
    // The lease ends with this process.
    .catch(orElse('drafts', undefined));

const pause = ({ clock }: SubmissionDeps, ms: number, signal: AbortSignal): Promise<void> =>
  clock.sleep(ms, signal).catch(ignoreAbort);

// Waits for the sells that a buy depends on.

/** The longest wait for fills. */
const maxWaitMs = 10 * 60_000;
/** Time for each leg that follows. */
const perLegMs = 15_000;
/** The service may not list a new order for about a second. */
const unlistedMs = 2_000;
/** Pending orders can be read once in 5 s. */
const betweenReadsMs = 5_000;
const readMs = 20_000;

type Fills =
  /** None of the sells is pending; the account was read at this time (ms) or later. */
  | { readonly kind: 'seen'; readonly at: number }
  | { readonly kind: 'wait'; readonly ms: number }
  | { readonly kind: 'late'; readonly reason: string };

/** Reads once whether the sells are still pending. A failure to read waits too. */
export async function waitForFills(
  { broker, clock, limits, store }: Pick<SubmissionDeps, 'broker' | 'clock' | 'limits' | 'store'>,
  what: { readonly submission: Submission; readonly leg: SubmissionLeg; readonly sells: readonly Intent[] },
  signal: AbortSignal,
): Promise<Fills> {
  const { submission, leg, sells } = what;
  const now = clock.now();
  // A time of the future would wait for it: the clock was set back since.
  const sentAt = Math.min(now, Math.max(...sells.map(({ changedAt }) => changedAt)));
  const { following, perMinute } = await store.read(async (tx) => {
    const legs = await tx.listSubmissionLegs(submission.id);
    const after = legs.filter(({ position }) => position >= leg.position).length;
    return { following: after, perMinute: (await limits(tx)).ordersPerMinute };
  });
  const needMs = following * Math.max(perLegMs, Math.ceil(60_000 / perMinute));
  const until = Math.min(sentAt + maxWaitMs, submission.endsAt - needMs);
  if (now < sentAt + unlistedMs) return { kind: 'wait', ms: sentAt + unlistedMs - now };
  const context: CallContext = { priority: 'lookUp', deadlineAt: now + readMs, signal, notBefore: now };
  const pending = await broker.call(endpoints.listPendingOrders, {}, context).catch((error: unknown) => {
    if (error instanceof BrokerageError) return undefined;
    throw error;
  });
  const ids = new Set(pending?.data.flatMap(({ id }) => id ?? []));
  if (pending && !sells.some(({ orderId }) => orderId !== undefined && ids.has(orderId)))
    return { kind: 'seen', at: pending.askedAt };
  if (clock.now() >= until)
    return {
      kind: 'late',
      reason: `Order ${leg.number} waited for the fills of the sells until its time was over.`,
    };
  return { kind: 'wait', ms: betweenReadsMs };
}
