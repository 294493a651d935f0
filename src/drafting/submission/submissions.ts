/** Sends drafts: the functions that tools and the background loop use. */
import type { CallContext } from '../../broker/types.ts';
import type { PlanRefusal } from './check-plan.ts';
import { openOutcomes, reportSubmission, type SubmissionReport } from './describe-submission.ts';
import type { SubmissionDeps } from './ports.ts';
import { createSubmissionRunner } from './runner.ts';
import { type DraftToSend, type Submitted, submitDraft } from './submit-draft.ts';

export type SubmitReply =
  | {
      readonly kind: 'submitted';
      readonly report: SubmissionReport;
      /** The call belongs to an earlier attempt; it sent nothing itself. */
      readonly coalesced: boolean;
    }
  | { readonly kind: 'refused'; readonly refusal: PlanRefusal };

export interface Submissions {
  /**
   * Submits a version of a draft and follows it until it ends or the call's time is up; sending goes on after that.
   * Throws as `submitDraft` does.
   */
  submit(
    wanted: DraftToSend,
    context: CallContext,
    progress: (message: string, done?: number, total?: number) => void,
  ): Promise<SubmitReply>;
  /** The same for a caller that approves the draft itself: does not wait for a decision. */
  create(wanted: DraftToSend, context: CallContext): Promise<Submitted>;
  /** Starts to send what was approved, and follows it until it ends or the call's time is up. */
  follow(
    submissionId: string,
    context: CallContext,
    progress: (message: string, done?: number, total?: number) => void,
  ): Promise<SubmissionReport>;
  /** One round of background work. Returns how many attempts of this account are open. */
  tick(): Promise<number>;
  /** Starts no further leg, and resolves when those in flight are recorded. */
  stop(): Promise<void>;
}

/** The part of a call's time that is reserved for its response. */
const responseReserveMs = 3_000;
const pollIntervalMs = 500;

/** Creates the service of one process. It starts no work until it is called. */
export function createSubmissions(deps: SubmissionDeps): Submissions {
  const runner = createSubmissionRunner(deps);
  return {
    submit: async (wanted, context, progress) => {
      const submitted = await submitDraft(deps, wanted, context);
      if (submitted.kind === 'refused') return submitted;
      const { submission, kind } = submitted;
      if (submission.state === 'sending') runner.start(submission.id);
      const report = await follow(deps, submission.id, context, progress);
      return { kind: 'submitted', report, coalesced: kind === 'existing' };
    },
    create: (wanted, context) => submitDraft(deps, wanted, context),
    follow: (id, context, progress) => {
      runner.start(id);
      return follow(deps, id, context, progress);
    },
    tick: runner.tick,
    stop: runner.stop,
  };
}

async function follow(
  deps: SubmissionDeps,
  id: string,
  { deadlineAt, signal }: CallContext,
  progress: (message: string, done?: number, total?: number) => void,
): Promise<SubmissionReport> {
  const { clock } = deps;
  const until = deadlineAt - responseReserveMs;
  const decidedBy = Math.min(until, clock.now() + maxDecisionMs);
  let reported: 'approval' | number | undefined;
  for (;;) {
    const report = await reportSubmission(deps, id);
    if (!report) throw new Error('A submission has no row.');
    const { outcome, legs } = report;
    const waitsUntil = outcome === 'pending_approval' ? decidedBy : until;
    const isOpen = openOutcomes.has(outcome) && clock.now() + pollIntervalMs <= waitsUntil;
    if (!isOpen || signal?.aborted) return report;
    const placed = legs.filter((leg) => leg.outcome === 'placed').length;
    const step = outcome === 'pending_approval' ? 'approval' : placed;
    if (step !== reported) {
      const placing = `${placed} of ${legs.length} ${legs.length === 1 ? 'leg is' : 'legs are'} placed`;
      progress(step === 'approval' ? 'Waiting for the approval of a human' : placing, placed, legs.length);
    }
    reported = step;
    await clock.sleep(pollIntervalMs, signal).catch(() => undefined);
  }
}

/** A call waits this long for a person. */
const maxDecisionMs = 40_000;
