/** Sends drafts: the functions that tools and the background loop use. */
import type { CallContext } from '../../broker/types.ts';
import type { PlanRefusal } from './check-plan.ts';
import { reportSubmission, type SubmissionReport } from './describe-submission.ts';
import type { SubmissionDeps } from './ports.ts';
import { createSubmissionRunner } from './runner.ts';
import { type DraftToSend, submitDraft } from './submit-draft.ts';

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
  /** One round of background work. Returns how many attempts of this account are open. */
  tick(): Promise<number>;
  /** Starts no further leg, and resolves when those in flight are recorded. */
  stop(): Promise<void>;
}

/** The part of a call's time that is reserved for its response. */
const responseReserveMs = 3_000;
const pollIntervalMs = 250;

/** Creates the service of one process. It starts no work until it is called. */
export function createSubmissions(deps: SubmissionDeps): Submissions {
  const runner = createSubmissionRunner(deps);
  return {
    submit: async (wanted, context, progress) => {
      const submitted = await submitDraft(deps, wanted, context);
      if (submitted.kind === 'refused') return submitted;
      const { submission, kind } = submitted;
      runner.start(submission.id);
      const report = await follow(deps, submission.id, context, progress);
      return { kind: 'submitted', report, coalesced: kind === 'existing' };
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
  let told = -1;
  for (;;) {
    const report = await reportSubmission(deps, id);
    if (!report) throw new Error('A submission has no row.');
    const isOpen = report.outcome === 'sending' || report.outcome === 'waiting_for_fills';
    if (!isOpen || clock.now() + pollIntervalMs > until || signal?.aborted) return report;
    const placed = report.legs.filter(({ outcome }) => outcome === 'placed').length;
    if (placed !== told) progress(`${placed} of ${report.legs.length} legs are placed`, placed, report.legs.length);
    told = placed;
    await clock.sleep(pollIntervalMs, signal).catch(() => undefined);
  }
}
