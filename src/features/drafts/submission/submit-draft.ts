/** Creates an attempt to send the legs of a draft, or finds the one that a call repeats. */

import { randomBytes } from 'node:crypto';
import type { CallContext } from '../../../core/broker/types.ts';
import { BrokerageError } from '../../../core/errors.ts';
import { worstCaseValue } from '../../../core/orders/account/estimate.ts';
import { applyHaltFile, approvalInForce, readHaltCount } from '../../../core/orders/halt/trading-state.ts';
import { orderFingerprint } from '../../../core/orders/intent/order-request.ts';
import { isDraftExpired } from '../book/draft.ts';
import { type DraftPlace, findOpenDraft, findOwnDraft, openRetrySeconds, requireVersion } from '../book/find-draft.ts';
import { expireWaiting } from './approve-draft.ts';
import { type DraftRefusal, refuseDraft } from './check-submission.ts';
import {
  type DraftFacts,
  findDependent,
  type LegToCheck,
  readCharges,
  readFacts,
  warnClosedMarkets,
} from './draft-facts.ts';
import { readLegs } from './end-submission.ts';
import { isUnsent, isUnsentIntent } from './next-step.ts';
import { type ApprovalInput, createDraftApproval } from './request-approval.ts';
import {
  isOpenSubmission,
  openStates,
  type Submission,
  type SubmissionChange,
  type SubmissionDeps,
  type SubmissionLeg,
  type SubmissionView,
  submissionMs,
} from './submission.ts';

/** The version of a draft to send. `repeatOf` names an attempt that is repeated on purpose. */
export interface DraftToSend {
  readonly draftId: string;
  readonly version: number;
  readonly repeatOf?: string | undefined;
  /** The owner submits it in a terminal, and decides there and nowhere else. */
  readonly isInTerminal?: boolean | undefined;
}

export type Submitted =
  | { readonly kind: 'new'; readonly submission: Submission }
  /** The version was sent, or is being sent, by this attempt. */
  | { readonly kind: 'existing'; readonly submission: Submission }
  /** Nothing was created and nothing was sent. */
  | { readonly kind: 'refused'; readonly refusal: DraftRefusal };

/**
 * Checks all legs together and creates an attempt to send it. Throws `not_found`, `draft_changed`, `draft_closed`,
 * `draft_expired`, `submission_open` while another draft of the account is being sent, `invalid_argument` for a wrong
 * `repeatOf`, and the errors of reading the account; then nothing was sent.
 */
export async function submitDraft(deps: SubmissionDeps, wanted: DraftToSend, context: CallContext): Promise<Submitted> {
  const { store, clock, environment } = deps;
  if (deps.readOnly)
    throw new BrokerageError(
      'read_only',
      'This process is read-only, so it sends no draft.',
      'Submit it with a process that is not started read-only.',
    );
  const before = { environment, accountKey: await deps.accountKey() };
  const early = await store.change(async (tx) => {
    await expireWaiting(tx, before, deps);
    return findSent(tx, before, wanted, clock.now());
  });
  if (early) return { kind: 'existing', submission: early };
  const legs = await store.read((tx) => readLegsToSend(tx, before, wanted, clock.now()));
  const isForPerson = (await store.read((tx) => approvalInForce(deps.settings, tx))) !== 'none';
  const reading: CallContext = { ...context, priority: 'lookUp' };
  const read = await readFacts(deps, legs, reading);
  if (read.problem) throw read.problem;
  const charges = isForPerson ? await readCharges(deps, read.legs, context) : [];
  // Read after the account data, because the summary identifies the account.
  const place = { environment, accountKey: await deps.accountKey() };
  return store.change(async (tx): Promise<Submitted> => {
    const now = clock.now();
    await expireWaiting(tx, place, deps);
    const sent = await findSent(tx, place, wanted, now);
    if (sent) return { kind: 'existing', submission: sent };
    await readLegsToSend(tx, place, wanted, now);
    await requireNoOther(tx, place);
    await applyHaltFile(tx, deps.settings.haltFile, now);
    const facts = await findDependent(tx, deps, read, { accountKey: place.accountKey, now });
    const repeats = await readRepeats(tx, place, wanted.repeatOf, facts, now);
    const check = { ...wanted, facts, accountKey: place.accountKey, now, repeats, repeatOf: wanted.repeatOf };
    const refusal = await refuseDraft(tx, deps, check);
    if (refusal) return { kind: 'refused', refusal };
    const submission = await createSubmission(tx, deps, place, wanted, { facts, charges, repeats, now });
    await tx.insertSubmission(
      submission,
      facts.legs.map((leg, position) => toLeg(submission, leg, position, repeats)),
    );
    const { id: submissionId, draftId, version, state } = submission;
    await tx.note(environment, 'submission', { submissionId, draftId, version, state, legs: legs.length });
    return { kind: 'new', submission };
  });
}

/** The attempt in its first state: it waits for a person, or is sent at once. */
async function createSubmission(
  tx: SubmissionView,
  deps: SubmissionDeps,
  place: DraftPlace,
  { draftId, version, repeatOf, isInTerminal }: DraftToSend,
  known: Omit<ApprovalInput, 'method'>,
): Promise<Submission> {
  const base = {
    ...place,
    id: randomBytes(16).toString('hex'),
    draftId,
    version,
    createdAt: known.now,
    haltCount: await readHaltCount(tx),
    repeatOf,
    warnings: warnClosedMarkets(known.facts, known.now),
  };
  const inForce = await approvalInForce(deps.settings, tx);
  const method = isInTerminal && inForce !== 'none' ? 'terminal' : inForce;
  if (method === 'none') return { ...base, state: 'sending', endsAt: known.now + submissionMs };
  const approval = createDraftApproval(base, { ...known, method, account: deps.settings.account });
  return { ...base, state: 'awaiting_approval', endsAt: approval.expiresAt, approval };
}

const toLeg = (
  { id }: Submission,
  { number, order, facts, isDependent }: LegToCheck,
  position: number,
  repeats: ReadonlyMap<number, string>,
): SubmissionLeg => ({
  submissionId: id,
  number,
  state: 'waiting',
  position,
  value: worstCaseValue(order, facts)?.toFixed(2),
  isDependent,
  repeatOf: repeats.get(number),
});

/**
 * The attempt to which a call belongs that is sent twice: the one that is open or sent something of this version, or
 * the repetition that the call names. Undefined when there is none.
 */
async function findSent(
  tx: SubmissionView,
  place: DraftPlace,
  { draftId, version, repeatOf }: DraftToSend,
  now: number,
): Promise<Submission | undefined> {
  await findOwnDraft(tx, place, draftId);
  const attempts = (await tx.listSubmissions({ draftId })).filter((attempt) => attempt.version === version);
  for (const attempt of attempts) {
    if (attempt.repeatOf !== repeatOf && repeatOf !== undefined) continue;
    if (isOpenSubmission(attempt)) return attempt;
    if (await hasSent(tx, attempt.id, now)) return attempt;
  }
  return undefined;
}

/** The legs of the version. A repetition may send a version that was sent before. */
async function readLegsToSend(tx: SubmissionView, place: DraftPlace, wanted: DraftToSend, now: number) {
  const { draftId, version, repeatOf } = wanted;
  if (repeatOf !== undefined) {
    const draft = await findOwnDraft(tx, place, draftId);
    const again = draft.state === 'sent' && draft.version === version && !isDraftExpired(draft, now);
    if (again) return (await tx.findVersion(draftId, version))?.legs ?? [];
  }
  const { draft, latest } = await findOpenDraft(tx, place, draftId, now);
  requireVersion(draft, version);
  return latest.legs;
}

async function requireNoOther(tx: SubmissionView, place: DraftPlace): Promise<void> {
  const [other] = await tx.listSubmissions({ ...place, states: openStates });
  if (!other) return;
  throw new BrokerageError(
    'submission_open',
    `Draft ${other.draftId} of this account is being sent; nothing of this draft was sent.`,
    'Wait until it ends, which list_drafts shows, or stop it with discard_draft.',
    { submissionId: other.id, draftId: other.draftId, retryAfterSeconds: openRetrySeconds },
  );
}

// Which attempt to send a draft, and which of its orders, another one repeats.

/** Whether a leg of the attempt may have been sent. */
const hasSent = async (tx: SubmissionView, id: string, now: number): Promise<boolean> =>
  (await readLegs(tx, id)).some((leg) => !isUnsent(leg, now));

/** The intents that the legs repeat, by the number of the leg. Throws `invalid_argument` for a wrong `repeatOf`. */
export async function readRepeats(
  tx: SubmissionChange,
  place: DraftPlace,
  repeatOf: string | undefined,
  { legs }: DraftFacts,
  now: number,
): Promise<ReadonlyMap<number, string>> {
  const repeats = new Map<number, string>();
  if (repeatOf === undefined) return repeats;
  const first = await tx.findSubmission(repeatOf);
  const isOwn = first?.accountKey === place.accountKey && first.environment === place.environment;
  if (!isOwn || isOpenSubmission(first) || (await isRepeated(tx, repeatOf, now)))
    throw new BrokerageError(
      'invalid_argument',
      'repeatOf does not name a submission of this account that has ended and was not repeated before.',
      'Use the submissionId of the report of that submission, or submit without it.',
    );
  const placed = (await readLegs(tx, repeatOf)).flatMap(({ intent }) => (intent?.state === 'PLACED' ? [intent] : []));
  for (const { number, order } of legs) {
    const fingerprint = orderFingerprint(order, place);
    const equal = placed.find((intent) => intent.fingerprint === fingerprint);
    if (equal) repeats.set(number, await findLastRepetition(tx, equal.id, now));
  }
  return repeats;
}

/**
 * Whether a repetition of an attempt sent something; an open one was refused before. One that sent nothing no longer
 * names the attempt, so that the database accepts another.
 */
async function isRepeated(tx: SubmissionChange, repeatOf: string, now: number): Promise<boolean> {
  for (const attempt of await tx.listSubmissions({ repeatOf })) {
    if (await hasSent(tx, attempt.id, now)) return true;
    await tx.releaseRepetition(attempt.id);
  }
  return false;
}

/** More attempts than a person is asked to approve. */
const maxRepetitions = 100;

/** An order whose repetition was not sent is repeated by repeating that repetition: each intent has one at most. */
async function findLastRepetition(tx: SubmissionView, intentId: string, now: number): Promise<string> {
  let last = intentId;
  for (let count = 0; count < maxRepetitions; count++) {
    const [next] = await tx.list({ repeatOf: last, limit: 1 });
    if (!next || !isUnsentIntent(next, now)) break;
    last = next.id;
  }
  return last;
}
