/** One draft from saving to the end of its last attempt, and everything that was observed of it. */

import type { Intent } from '../../src/core/orders/intent/intent.ts';
import { unknownStates } from '../../src/core/orders/intent/states.ts';
import { isOpenSubmission } from '../../src/features/drafts/submission/submission.ts';
import type { Rig } from './harness.ts';
import type { CampaignLeg } from './planned-legs.ts';
import { closeByHand, count, pause } from './scenario-run.ts';
import type { Said, ServerProcess } from './server-process.ts';
import { type Attempt, checkSubmission } from './submission-invariants.ts';
import { findLatestAttempt } from './submission-person.ts';

/** An attempt that is not over: its requests are counted when the draft is judged. */
export interface OpenAttempt extends Omit<Attempt, 'posts' | 'last' | 'said'> {
  readonly fromPost: number;
  readonly said: Said[];
  submissionId: string | undefined;
  endsAt?: number;
  expected?: readonly string[] | undefined;
  last: Said;
}

export interface DraftTrial {
  readonly rig: Rig;
  readonly draftId: string;
  readonly name: string;
  readonly attempts: OpenAttempt[];
  readonly replaced: Set<number>;
  fills?: Map<string, number>;
}

const nothing: Said = { outcome: 'none', body: {} };
/** Longer than every wait of the program after a kill: a lost turn, the search for an order, a heartbeat. */
const longestEndMs = 120_000;
const hastyEndMs = 12_000;
const longestSearchMs = 14_000;
const hastySearchMs = 1_000;
/** In which a request that must not leave would leave. */
const quietMs = 250;

export async function saveDraft(
  rig: Rig,
  server: ServerProcess,
  legs: readonly CampaignLeg[],
  name: string,
): Promise<DraftTrial> {
  const { outcome, body } = await server.call('save_draft', { legs }).said;
  if (outcome !== 'read') throw new Error(`The draft could not be saved: ${outcome} ${JSON.stringify(body)}`);
  return { rig, draftId: String(body.draftId), name, attempts: [], replaced: new Set() };
}

export function beginAttempt(trial: DraftTrial, version: number, legs: readonly CampaignLeg[]): OpenAttempt {
  const fromPost = trial.rig.site.upstream.posts.length;
  const attempt: OpenAttempt = { version, legs, submissionId: undefined, fromPost, said: [], last: nothing };
  trial.attempts.push(attempt);
  return attempt;
}

/** One process submits the version of the attempt; what it says is kept. */
export async function submit(
  trial: DraftTrial,
  attempt: OpenAttempt,
  server: ServerProcess,
  repeatOf?: string,
): Promise<Said> {
  const args = { draftId: trial.draftId, version: attempt.version, ...(repeatOf ? { repeatOf } : {}) };
  const said = await server.call('submit_draft', args).said;
  attempt.said.push(said);
  return said;
}

/**
 * Waits until the attempt has ended and its orders were found, and asks a process that did not send it. Calls wake a
 * process; `isLeftAlone` shows that none is needed.
 */
export async function endAttempt(
  trial: DraftTrial,
  attempt: OpenAttempt,
  observer: ServerProcess,
  isLeftAlone = false,
): Promise<void> {
  const { rig, draftId } = trial;
  const { isHasty } = rig.line;
  const show = async () => (await observer.call('list_drafts', { draftId }).said).body.submission as Said['body'];
  const until = Date.now() + (isHasty ? hastyEndMs : longestEndMs) + rig.site.noticedWithinMs;
  for (;;) {
    const latest = await findLatestAttempt(rig, draftId);
    if (latest?.version === attempt.version) attempt.submissionId = latest.id;
    if (!latest || !isOpenSubmission(latest)) break;
    if (Date.now() > until) {
      rig.line.violations.push(`it never came to an end [${trial.name}, ${latest.state}]`);
      break;
    }
    if (!isLeftAlone) await show();
    await pause(100);
  }
  await rig.site.upstream.idle();
  await whenFound(trial, attempt, (isHasty ? hastySearchMs : longestSearchMs) + rig.site.noticedWithinMs);
  const body = attempt.submissionId === undefined ? undefined : await show();
  attempt.last = body ? { outcome: String(body.outcome), body } : nothing;
}

/** The search for an order whose response was lost may need a second round. */
async function whenFound({ rig }: DraftTrial, { legs }: OpenAttempt, forMs: number): Promise<void> {
  const searching = new Set<string>([...unknownStates, 'SENDING']);
  for (const until = Date.now() + forMs; Date.now() < until; await pause(100)) {
    const booked = legs.filter(({ quantity }) => rig.site.upstream.booked(quantity).length > 0);
    const states = await Promise.all(booked.map(({ quantity }) => rig.intents(quantity)));
    if (!states.flat().some(({ state }) => searching.has(state))) return;
  }
}

/** Submits what an attempt left, as a person does who still wants it. */
export async function sendTheRest(
  trial: DraftTrial,
  first: OpenAttempt,
  servers: readonly ServerProcess[],
  observer: ServerProcess,
): Promise<void> {
  const { rig, draftId } = trial;
  // Nothing is left, or the draft was discarded.
  const { remainingVersion: version } = first.last.body;
  if (typeof version !== 'number') return;
  const saved = await rig.drafts.read((tx) => tx.findVersion(draftId, version));
  const byQuantity = new Map(first.legs.map((leg) => [leg.quantity, leg]));
  const legs = (saved?.legs ?? []).flatMap(({ quantity }) => byQuantity.get(quantity) ?? []);
  const second = beginAttempt(trial, version, legs);
  // An order that is not decided refuses the rest, and so does the time in which the first could have been sent.
  second.expected = ['done', 'stopped', 'none'];
  const sent = rig.site.upstream.posts.length > first.fromPost;
  await Promise.all(servers.map((server) => submit(trial, second, server, sent ? first.submissionId : undefined)));
  await endAttempt(trial, second, observer);
  if (second.submissionId === first.submissionId) second.submissionId = undefined;
}

/** Judges the draft, counts it, and leaves the account as it was. */
export async function finishDraft(trial: DraftTrial): Promise<void> {
  const { rig, draftId, attempts, fills } = trial;
  const { line, site } = rig;
  await pause(quietMs);
  await site.upstream.idle();
  const versions = await rig.drafts.read((tx) => tx.listVersions(draftId));
  const quantities = [...new Set(versions.flatMap(({ legs }) => legs.map(({ quantity }) => quantity)))];
  const intents = (await Promise.all(quantities.map((quantity) => rig.intents(quantity)))).flat();
  const judged: Attempt[] = attempts.map((attempt, index) => ({
    ...attempt,
    posts: site.upstream.posts.slice(attempt.fromPost, attempts[index + 1]?.fromPost),
  }));
  const violations = [
    ...rig.takeViolations(),
    ...site.upstream.takeOverlaps().map((pair) => `I2: in flight at once: ${pair}`),
    ...checkSubmission({ attempts: judged, versions, intents, fills }),
  ];
  const states = intents.map(({ request, state }) => `${request.quantity} ${state}`).join(', ');
  for (const violation of violations)
    line.violations.push(`${violation} [${trial.name}; journal ${states || 'empty'}]`);
  line.trials++;
  count(line, 'drafts');
  count(
    line,
    'legs that left',
    judged.reduce((sum, { posts }) => sum + posts.length, 0),
  );
  for (const { last } of judged) count(line, last.outcome);
  for (const quantity of quantities) await closeByHand(rig, quantity);
  site.upstream.retire();
}

/** Where the sending of a draft is, as the store has it. */
export async function describeMoment(trial: DraftTrial, sequence: readonly CampaignLeg[]): Promise<string> {
  if (!(await findLatestAttempt(trial.rig, trial.draftId))) return 'nothing submitted';
  const states: (string | undefined)[] = [];
  for (const { quantity } of sequence) states.push((await trial.rig.intents(quantity))[0]?.state);
  const moving = states.findIndex((state) => state !== undefined && state !== 'PLACED');
  if (moving >= 0) return `a leg ${states[moving]}`;
  const placed = states.filter((state) => state !== undefined).length;
  if (placed === 0) return 'before the first leg';
  return placed === states.length ? 'after the last leg' : 'between two legs';
}

/** The violations of a leg at the moment when its request is read, besides those of every order. */
export async function lookAtLeg({ drafts, needsApproval }: Rig, { id, leg }: Intent): Promise<string[]> {
  const submissionId = leg?.submissionId ?? '';
  const { legs, intents, gate } = await drafts.read(async (tx) => ({
    legs: await tx.listSubmissionLegs(submissionId),
    intents: await tx.list({ submissionId }),
    gate: await tx.findSubmission(submissionId),
  }));
  const own = legs.find(({ number }) => number === leg?.number);
  const earlier = legs.filter(({ position }) => own && position < own.position);
  const isPlaced = (number: number) =>
    intents.some((intent) => intent.leg?.number === number && intent.state === 'PLACED');
  return [
    !own && 'I1: a leg is on the wire that its submission does not have',
    intents.some((other) => other.id !== id && other.leg?.number === leg?.number) && 'I1: a leg has two intents',
    !earlier.every(({ number }) => isPlaced(number)) && 'out of turn: a leg is on the wire before the one before it',
    needsApproval && gate?.approval?.approvedAt === undefined && 'I3: a leg is on the wire and the approval is missing',
  ].flatMap((line) => line || []);
}

/** Records a stop at the moment when it was acknowledged, with the legs that had been committed by then. */
export async function noteStop({ rig, draftId }: DraftTrial, { legs }: OpenAttempt, isHalt: boolean): Promise<void> {
  const onItsWay: string[] = [];
  rig.recording.note({ kind: 'stop', onItsWay, ...(isHalt ? {} : { draftId }) });
  const rows = await Promise.all(legs.map(({ quantity }) => rig.intents(quantity)));
  const isCommitted = ({ state }: Intent) => !['DRAFT', 'APPROVED', 'REFUSED', 'EXPIRED', 'NOT_SENT'].includes(state);
  onItsWay.push(...legs.filter((_, index) => rows[index]?.some(isCommitted)).map(({ quantity }) => quantity));
}

/** Resolves when the draft is being sent, or after a time in which it would be. */
export async function whenSubmitted({ rig, draftId }: DraftTrial): Promise<void> {
  for (const until = Date.now() + longestEndMs; Date.now() < until; await pause(1))
    if (await findLatestAttempt(rig, draftId)) return;
}

/** Resolves with the first intent of the leg that is in one of the states; undefined when the attempt ended first. */
export async function whenLegIs(
  { rig, draftId }: DraftTrial,
  { quantity }: CampaignLeg,
  states: readonly string[],
): Promise<Intent | undefined> {
  for (const until = Date.now() + longestEndMs; Date.now() < until; await pause(1)) {
    const found = (await rig.intents(quantity)).find(({ state }) => states.includes(state));
    if (found) return found;
    const latest = await findLatestAttempt(rig, draftId);
    if (latest && !isOpenSubmission(latest)) return undefined;
  }
  return undefined;
}
