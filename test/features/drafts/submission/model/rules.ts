/**
 * What must hold of every attempt to send a draft, whatever happens: judged by what the broker received and by what the
 * model did, and by none of the code that decides it.
 */

import type { Intent } from '../../../../../src/core/orders/intent/intent.ts';
import type { IntentState } from '../../../../../src/core/orders/intent/states.ts';
import type { DraftLeg, DraftVersion } from '../../../../../src/features/drafts/book/draft.ts';
import type { SubmissionReport } from '../../../../../src/features/drafts/submission/describe-submission.ts';
import type { Submission, SubmissionLeg } from '../../../../../src/features/drafts/submission/submission.ts';
import type { Arrival, Book } from './broker.ts';
import type { VirtualClock } from './virtual-clock.ts';
import type { Watched } from './world.ts';

const minute = 60_000;
/** An approval, and a draft that needs none, is sent for this long. */
const sendingMs = 15 * minute;
/** Clocks of programs may differ by this much. */
const slackMs = 5_000;

interface LegLife {
  readonly leg: DraftLeg;
  intentId?: string;
  /** How often it was recorded as being sent. */
  sendings: number;
  readonly arrivals: Arrival[];
  /** It is recorded as placed, and the broker accepted exactly this order. */
  isPlaced: boolean;
}

/** One attempt to send a version, as the model knows it. */
export interface Attempt {
  readonly id: string;
  readonly draftId: string;
  readonly version: number;
  readonly startedAt: number;
  readonly needsApproval: boolean;
  /** The attempt that it repeats on purpose. */
  readonly repeatOf: string | undefined;
  /** In the order of the version. */
  readonly legs: readonly LegLife[];
  readonly dependent: ReadonlySet<number>;
  /** When a person approved it (ms). */
  approvedAt?: number;
  isHalted: boolean;
  /** Why no leg may leave any more. */
  closed?: string;
}

export interface Rules {
  readonly violations: string[];
  readonly attempts: Attempt[];
  /** The legs of each version, as the model saved them. */
  readonly versions: Map<string, readonly DraftLeg[]>;
  /** Something happened after which a leg may be refused for a limit that was reserved for it. */
  isExcused: boolean;
  /** An order by hand may take the place of a leg in the limit per minute. */
  hasSingle: boolean;
  /** A person changed a version. */
  isEdited: boolean;
  readonly watched: Watched;
  arrived(arrival: Arrival): void;
  checkReport(report: SubmissionReport): void;
  checkEnd(report: SubmissionReport, isCalm: boolean): void;
}

const reservedRules = new Set(['orders_per_hour', 'orders_per_day', 'max_day_value', 'cash', 'shares']);
const endpointOf = { LIMIT: 'placeLimitOrder', MARKET: 'placeMarketOrder', STOP: 'placeStopOrder', STOP_LIMIT: '' };

/** How long a person has for a draft: 120 s, 10 s more for each leg after the third, at most 300 s. */
export const approvalMs = (legs: number): number => Math.min(300, 120 + 10 * Math.max(0, legs - 3)) * 1_000;

/** The request that a leg must be, and nothing else. */
const toRequest = ({ ticker, side, type, quantity, limitPrice, stopPrice, timeValidity }: DraftLeg): string =>
  JSON.stringify([
    endpointOf[type],
    ticker,
    Number(quantity) * (side === 'SELL' ? -1 : 1),
    limitPrice === undefined ? null : Number(limitPrice),
    stopPrice === undefined ? null : Number(stopPrice),
    type === 'MARKET' ? null : (timeValidity ?? null),
  ]);
const toArrived = ({ endpoint, order }: Arrival): string =>
  JSON.stringify([
    endpoint,
    order.ticker,
    order.quantity,
    order.limitPrice ?? null,
    order.stopPrice ?? null,
    order.timeValidity ?? null,
  ]);

/** Sells first, each in the order of the version. */
const inSequence = (legs: readonly LegLife[]): readonly LegLife[] => [
  ...legs.filter(({ leg }) => leg.side === 'SELL'),
  ...legs.filter(({ leg }) => leg.side === 'BUY'),
];

export function createRules(clock: VirtualClock, book: Book): Rules {
  const intents = new Map<string, { readonly attempt: Attempt; readonly life: LegLife; readonly number: number }>();
  const rules: Rules = {
    violations: [],
    attempts: [],
    versions: new Map(),
    isExcused: false,
    hasSingle: false,
    isEdited: false,
    watched: {
      inserted: (intent) => checkNewIntent(intent),
      moved: (intentId, from, change) => checkMove(intentId, from, change),
      submitted: (submission, legs) => addAttempt(submission, legs),
      submissionMoved: (submission) => checkSubmission(submission),
      versionAdded: (version) => checkVersion(version),
    },
    arrived: (arrival) => checkArrival(arrival),
    checkReport: (report) => checkReport(report),
    checkEnd: (report, isCalm) => checkEnd(report, isCalm),
  };
  const broken = (what: string): undefined => {
    rules.violations.push(what);
  };
  const say = ({ leg }: LegLife) => `${leg.side} ${leg.quantity} ${leg.ticker} ${leg.type}`;
  const findAttempt = (id: string) => rules.attempts.find((attempt) => attempt.id === id);

  function addAttempt(submission: Submission, rows: readonly SubmissionLeg[]) {
    const legs = rules.versions.get(`${submission.draftId} ${submission.version}`);
    if (!legs) return broken('a version that was never saved is sent');
    const open = rules.attempts.find(({ closed }) => closed === undefined);
    if (open) broken('a second attempt of the account begins while one is open');
    rules.attempts.push({
      id: submission.id,
      draftId: submission.draftId,
      version: submission.version,
      startedAt: clock.now(),
      needsApproval: submission.state === 'awaiting_approval',
      repeatOf: submission.repeatOf,
      legs: legs.map((leg) => ({ leg, sendings: 0, arrivals: [], isPlaced: false })),
      dependent: new Set(rows.filter(({ isDependent }) => isDependent).map(({ number }) => number)),
      isHalted: false,
    });
  }

  /** Whether the turn of a leg has come; `when` names what it is about to do. */
  function checkTurn(attempt: Attempt, life: LegLife, number: number, when: string) {
    const what = `${say(life)} ${when}`;
    if (attempt.closed !== undefined) broken(`${what} after its attempt was ${attempt.closed}`);
    if (attempt.isHalted) broken(`${what} after a halt`);
    if (attempt.needsApproval && attempt.approvedAt === undefined) broken(`${what} without an approval`);
    const since = attempt.approvedAt ?? attempt.startedAt;
    const now = clock.now();
    if (now >= since + sendingMs || now < since - slackMs - 1) broken(`${what} outside of its 15 minutes`);
    const sequence = inSequence(attempt.legs);
    for (const before of sequence.slice(0, sequence.indexOf(life)))
      if (!before.isPlaced) broken(`${what} before ${say(before)} was placed`);
    if (!attempt.dependent.has(number)) return;
    for (const sell of attempt.legs) {
      const [sent] = sell.arrivals.flatMap(({ orderId }) => orderId ?? []);
      if (sell.leg.side === 'SELL' && book.listOpen().some(({ id }) => id === sent))
        broken(`${what} while ${say(sell)} is pending`);
    }
  }

  function checkNewIntent({ id, leg, request, state, rule }: Intent) {
    if (!leg) return;
    const attempt = findAttempt(leg.submissionId);
    const life = attempt?.legs[leg.number - 1];
    if (!attempt || !life) return broken('an order is made for a leg that does not exist');
    if (life.intentId !== undefined) broken(`${say(life)} has a second order`);
    life.intentId = id;
    intents.set(id, { attempt, life, number: leg.number });
    if (toRequest(request) !== toRequest(life.leg)) broken(`${say(life)} became another order`);
    checkTurn(attempt, life, leg.number, 'becomes an order');
    if (state === 'REFUSED') checkRefusal(life, rule);
  }

  function checkRefusal(life: LegLife, rule: string | undefined) {
    const isPace = rule === 'orders_per_minute' && !rules.hasSingle;
    if (!rules.isExcused && rule !== undefined && (isPace || reservedRules.has(rule)))
      broken(`${say(life)} is refused by ${rule}, which its draft had reserved`);
  }

  function checkMove(intentId: string, from: IntentState, { state, rule, orderId }: Partial<Intent>): void {
    const known = intents.get(intentId);
    if (!known) return;
    const { attempt, life, number } = known;
    if (state === 'REFUSED') checkRefusal(life, rule);
    // An order whose response was lost was placed once it is found in the books.
    const isRecorded = state === 'PLACED' && orderId !== undefined;
    if (isRecorded && life.arrivals.some((arrival) => arrival.orderId === orderId && arrival.answer !== 'differ'))
      life.isPlaced = true;
    if (isRecorded && !life.arrivals.some((arrival) => arrival.orderId === orderId))
      broken(`${say(life)} is recorded as order ${orderId}, which is none of its own`);
    // Its time is corrected after the clock was set back, which sends nothing.
    if (state !== 'SENDING' || from === 'SENDING') return;
    life.sendings++;
    if (life.arrivals.some(({ isLimited }) => !isLimited)) broken(`${say(life)} is sent a second time`);
    checkTurn(attempt, life, number, 'is sent');
  }

  function checkArrival(arrival: Arrival) {
    const known = intents.get(arrival.intentId);
    if (!known) return;
    const { life, attempt } = known;
    if (toArrived(arrival) !== toRequest(life.leg)) broken(`${say(life)} arrives as ${toArrived(arrival)}`);
    life.arrivals.push(arrival);
    if (life.arrivals.length > life.sendings) broken(`${say(life)} arrives without having been recorded`);
    if (life.arrivals.filter(({ isLimited }) => !isLimited).length > 1) broken(`${say(life)} arrives twice`);
    if (life.arrivals.length > 2) broken(`${say(life)} is tried ${life.arrivals.length} times`);
    const others = rules.attempts.filter((one) => one !== attempt && one.repeatOf === attempt.repeatOf);
    const isTwin = ({ leg, arrivals }: LegLife) =>
      toRequest(leg) === toRequest(life.leg) && arrivals.some(({ isLimited }) => !isLimited);
    if (others.some(({ legs }) => legs.some(isTwin))) broken(`${say(life)} is sent again by another attempt`);
    if (book.free() < -0.001) broken(`${say(life)} takes more cash than there is`);
  }

  function checkSubmission({ id, state }: Submission): void {
    const attempt = findAttempt(id);
    if (!attempt) return;
    if (state === 'sending' && attempt.needsApproval && attempt.approvedAt === undefined)
      broken('an attempt is sent that no person approved');
    if (state === 'sending' && attempt.closed !== undefined)
      broken(`an attempt goes on after it was ${attempt.closed}`);
    if (state !== 'sending' && state !== 'awaiting_approval') attempt.closed ??= state;
  }

  /** The next version after an attempt has every leg that was provably not sent, and no other. */
  function checkVersion({ draftId, version, channel, legs }: DraftVersion): void {
    if (channel !== 'submission') return;
    rules.versions.set(`${draftId} ${version}`, legs);
    const attempt = rules.attempts.findLast((one) => one.draftId === draftId && one.version < version);
    if (attempt) checkKept(attempt, legs);
  }

  function checkKept(attempt: Attempt, legs: readonly DraftLeg[]) {
    const kept = new Set(legs.map(toRequest));
    for (const life of attempt.legs) {
      const isSent = life.arrivals.some(({ isLimited }) => !isLimited);
      if (isSent && kept.has(toRequest(life.leg))) broken(`${say(life)} was sent and is left to be sent`);
      if (life.sendings === 0 && !kept.has(toRequest(life.leg))) broken(`${say(life)} was not sent and is not kept`);
    }
  }

  const unsent = new Set(['not_sent', 'refused', 'expired', 'declined', 'waiting']);

  function checkReport({ submissionId, legs, outcome }: SubmissionReport) {
    const attempt = findAttempt(submissionId);
    if (!attempt) return broken('a report is about an attempt that does not exist');
    for (const { leg, outcome: said, orderId } of legs) {
      const life = attempt.legs[leg - 1];
      if (!life) return broken('a report has a leg too many');
      const sent = life.arrivals.filter(({ isLimited }) => !isLimited);
      const accepted = sent.flatMap((arrival) => arrival.orderId ?? []);
      if (unsent.has(said) && sent.length > 0) broken(`${say(life)} was sent and is reported as ${said}`);
      if (said === 'rejected' && accepted.length > 0) broken(`${say(life)} was accepted and is reported as rejected`);
      if (said === 'placed' && !accepted.includes(orderId ?? ''))
        broken(`${say(life)} is reported as placed, and is not`);
    }
    if (legs.length !== attempt.legs.length) broken('a report lacks a leg');
    if (outcome === 'done' && legs.some((leg) => leg.outcome !== 'placed'))
      broken('done, with a leg that is not placed');
  }

  /** When time has passed and a program lives, nothing is left open, and each leg has the outcome that it really had. */
  function checkEnd(report: SubmissionReport, isCalm: boolean) {
    const attempt = findAttempt(report.submissionId);
    if (!attempt) return;
    if (!['done', 'stopped', 'declined', 'expired'].includes(report.outcome)) broken(`ends as ${report.outcome}`);
    if (isCalm && attempt === rules.attempts[0] && report.outcome !== 'done')
      broken(`nothing happened, and it ends as ${report.outcome}: ${report.reason}`);
    if (report.outcome === 'stopped' && report.reason === undefined) broken('stopped without a reason');
    const left = rules.versions.get(`${attempt.draftId} ${report.remainingVersion}`);
    if (left && attempt === rules.attempts.at(-1) && !rules.isEdited) checkKept(attempt, left);
    for (const { leg, outcome } of report.legs) {
      const life = attempt.legs[leg - 1];
      if (!life) continue;
      const accepted = life.arrivals.some(({ orderId }) => orderId !== undefined);
      if (accepted && outcome !== 'placed') broken(`${say(life)} was accepted and ends as ${outcome}`);
      if (outcome === 'waiting') broken(`${say(life)} waits for ever`);
      if (life.sendings === 0 && outcome === 'unknown') broken(`${say(life)} was never sent and ends as unknown`);
    }
  }
  return rules;
}
