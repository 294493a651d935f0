/** Sends drafts: the functions that tools and the background loop use. */

import type { CallContext } from '../../../core/broker/types.ts';
import { ignoreAbort } from '../../../core/errors.ts';
import {
  maxForms,
  methodFacts,
  readTyped,
  sayTyped,
  withFormSent,
} from '../../../core/orders/intent/approval-methods.ts';
import type { DraftApproval } from '../../../core/orders/intent/draft-approval.ts';
import { countOf } from '../../../core/text/count-of.ts';
import {
  type Announced,
  announceApproval,
  canUseForm,
  type DraftPrompt,
  getFormTotal,
  type HostAbilities,
} from './announce-approval.ts';
import type { DraftRefusal } from './check-submission.ts';
import { openOutcomes, reportSubmission, type SubmissionReport } from './describe-submission.ts';
import type { DraftApprovals, DraftForm } from './draft-approvals.ts';
import { createSubmissionRunner, type SubmissionRunner } from './runner.ts';
import type { Submission, SubmissionDeps } from './submission.ts';
import type { Reader } from './submission-steps.ts';
import { type DraftToSend, type Submitted, submitDraft } from './submit-draft.ts';

export type SubmitReply =
  | {
      readonly kind: 'submitted';
      readonly report: SubmissionReport;
      /** The call belongs to an earlier attempt; it sent nothing itself. */
      readonly coalesced: boolean;
      readonly ask?: DraftPrompt | undefined;
    }
  | { readonly kind: 'refused'; readonly refusal: DraftRefusal };

type Progress = (message: string, done?: number, total?: number) => void;

/** The person's response to a form. */
export interface DraftFormResponse extends DraftForm {
  readonly action: 'accept' | 'decline' | 'cancel';
}

export interface Submissions {
  /**
   * Submits a version of a draft and follows it until it ends or the call's time is up; sending goes on after that.
   * A host that can ask its user gets the question at once. Throws as `submitDraft` does.
   */
  submit(wanted: DraftToSend, context: CallContext, progress: Progress, host?: HostAbilities): Promise<SubmitReply>;
  /**
   * Continues after the response to a form or an address. Undefined when the response is not about this draft of this
   * account. A person who mistyped is asked once more.
   */
  continueAfterForm(
    wanted: DraftToSend,
    form: DraftFormResponse,
    context: CallContext,
    progress: Progress,
    host?: HostAbilities,
  ): Promise<Announced | undefined>;
  /** The same for a command, which asks the owner itself: does not wait for a decision. */
  create(wanted: DraftToSend, context: CallContext): Promise<Submitted>;
  /** For a person: starts to send what was approved, and follows it until it ends or the call's time is up. */
  follow(submissionId: string, context: CallContext, progress: Progress): Promise<SubmissionReport>;
  /** One round of background work. Returns how many attempts of this account are open. */
  tick(): Promise<number>;
  /** Starts no further leg, and resolves when those in flight are recorded. */
  stop(): Promise<void>;
}

/** The part of a call's time that is reserved for its response. */
const responseReserveMs = 3_000;
const pollIntervalMs = 500;

interface Service {
  readonly deps: SubmissionDeps;
  readonly approvals: DraftApprovals;
  readonly runner: SubmissionRunner;
}

/** Creates the service of one process. It starts no work until it is called. */
export function createSubmissions(deps: SubmissionDeps, approvals: DraftApprovals): Submissions {
  const runner = createSubmissionRunner(deps);
  const service: Service = { deps, approvals, runner };
  return {
    submit: (wanted, context, progress, host) => submit(service, wanted, context, progress, host),
    continueAfterForm: (wanted, form, context, progress, host = {}) =>
      continueAfterForm(service, wanted, form, context, { progress, host }),
    create: (wanted, context) => submitDraft(deps, wanted, context),
    follow: (id, context, progress) => {
      runner.start(id);
      return follow(service, id, context, progress, 'person');
    },
    tick: runner.tick,
    stop: runner.stop,
  };
}

async function submit(
  service: Service,
  wanted: DraftToSend,
  context: CallContext,
  progress: Progress,
  host: HostAbilities | undefined,
): Promise<SubmitReply> {
  const { deps, runner } = service;
  const submitted = await submitDraft(deps, wanted, context);
  if (submitted.kind === 'refused') return submitted;
  const { submission, kind } = submitted;
  const coalesced = kind === 'existing';
  if (submission.state === 'sending') runner.start(submission.id);
  const { report: first, ask } = await announceApproval(deps, await report(deps, submission.id), host);
  // The caller asks its user first and calls again with the response.
  if (ask && ask.address === undefined) await service.approvals.noteForm(ask.nonce, withFormSent);
  if (ask) return { kind: 'submitted', report: first, coalesced, ask };
  const address = first.approval?.address;
  if (address !== undefined) progress(`Waiting for the approval of a human at ${address}`);
  // No window shows the page, so a call that waits would only keep the address from the person.
  if (address !== undefined && !deps.channels.opensBrowser && !coalesced)
    return { kind: 'submitted', report: first, coalesced };
  const last = await follow(service, submission.id, context, progress);
  return { kind: 'submitted', report: (await announceApproval(deps, last)).report, coalesced };
}

async function continueAfterForm(
  service: Service,
  { draftId, version }: DraftToSend,
  { action, ...form }: DraftFormResponse,
  context: CallContext,
  { progress, host }: { readonly progress: Progress; readonly host: HostAbilities },
): Promise<Announced | undefined> {
  const { deps, approvals } = service;
  const submission = await approvals.findByNonce(form.nonce);
  if (!submission?.approval || !(await isOwn(deps, submission))) return undefined;
  // The response to one draft does not approve another.
  if (submission.draftId !== draftId || submission.version !== version) return undefined;
  const { method, ticket } = submission.approval;
  // A draft with a page is decided on the page: opening the page, or not, decides nothing.
  if (methodFacts[method].hostOpens === 'form' && canUseForm(ticket)) {
    if (action === 'decline') await approvals.declineForm(form.nonce);
    // The form was closed, or a host that cannot show forms responded automatically: the draft waits until it expires.
    if (action === 'cancel') {
      await approvals.noteForm(form.nonce, (record) => ({ sent: 1, ...record, last: 'closed' }));
      return announceApproval(deps, await report(deps, submission.id));
    }
    if (action === 'accept' && (await approvals.confirm(form)).kind === 'changed')
      return replyToWrongForm(service, { submission, approval: submission.approval }, form, host);
  }
  return announceApproval(deps, await follow(service, submission.id, context, progress));
}

/** A person who typed other numbers is asked once more; a form that came back empty may be the host's own. */
async function replyToWrongForm(
  { deps, approvals }: Service,
  { submission, approval }: { readonly submission: Submission; readonly approval: DraftApproval },
  { nonce, confirmLegs, confirmTotal }: DraftForm,
  { canAsk }: HostAbilities,
): Promise<Announced> {
  const [legs, total] = [readTyped(confirmLegs), readTyped(confirmTotal)];
  const { ticket } = approval;
  const problem =
    legs === undefined || total === undefined
      ? undefined
      : sayTyped(
          `typed ${legs} and ${total}; ${countOf(ticket.legs.length, 'order')} with a total of ${getFormTotal(ticket)} are to be approved.`,
        );
  const isAskedAgain =
    Boolean(canAsk) &&
    problem !== undefined &&
    canUseForm(ticket, problem.toPerson) &&
    (approval.form?.sent ?? 1) < maxForms;
  await approvals.noteForm(nonce, (record = { sent: 1 }) =>
    isAskedAgain
      ? { ...withFormSent(record), problem: problem.toCaller }
      : { ...record, last: problem ? 'wrong' : 'empty', problem: problem?.toCaller },
  );
  const announced = await announceApproval(deps, await report(deps, submission.id), { canAsk: isAskedAgain });
  const said = problem?.toCaller ?? 'The form was returned without the number of orders and their total.';
  return {
    report: { ...announced.report, message: `${announced.report.message} ${said}` },
    ask: announced.ask && { ...announced.ask, problem: problem?.toPerson },
  };
}

/** The store is shared by all environments and accounts; this process handles only its own. */
const isOwn = async ({ environment, accountKey }: SubmissionDeps, submission: Submission): Promise<boolean> =>
  submission.environment === environment && submission.accountKey === (await accountKey());

async function report(deps: SubmissionDeps, id: string, reader: Reader = 'model'): Promise<SubmissionReport> {
  const found = await reportSubmission(deps, id, reader);
  if (!found) throw new Error('A submission has no row.');
  return found;
}

async function follow(
  { deps, runner }: Service,
  id: string,
  { deadlineAt, signal }: CallContext,
  progress: Progress,
  reader: Reader = 'model',
): Promise<SubmissionReport> {
  const { clock } = deps;
  const until = deadlineAt - responseReserveMs;
  const decidedBy = Math.min(until, clock.now() + maxDecisionMs);
  let reported: 'approval' | number | undefined;
  for (;;) {
    const now = await report(deps, id, reader);
    const { outcome, legs } = now;
    const isPending = outcome === 'pending_approval';
    const isOpen = openOutcomes.has(outcome) && clock.now() + pollIntervalMs <= (isPending ? decidedBy : until);
    if (!isOpen || signal?.aborted) return now;
    // It may have been approved elsewhere in the meantime.
    if (!isPending) runner.start(id);
    const placed = legs.filter((leg) => leg.outcome === 'placed').length;
    const step = isPending ? 'approval' : placed;
    if (step !== reported) {
      const placing = `${placed} of ${legs.length} ${legs.length === 1 ? 'leg is' : 'legs are'} placed`;
      progress(step === 'approval' ? 'Waiting for the approval of a human' : placing, placed, legs.length);
    }
    reported = step;
    await clock.sleep(pollIntervalMs, signal).catch(ignoreAbort);
  }
}

/** A call waits this long for a person. */
const maxDecisionMs = 40_000;
