/** The person's side of a draft, through the same store as the servers: approval, stop, edit, halt, a shorter time. */

import { draftApprovalMs } from '../../src/core/approval/draft-digest.ts';
import { createSecurity } from '../../src/core/approval/enrollment/enrollment.ts';
import { systemClock } from '../../src/core/clock.ts';
import { BrokerageError } from '../../src/core/errors.ts';
import { setHalt } from '../../src/core/orders/halt/trading-state.ts';
import type { Decision } from '../../src/core/orders/intent/approval-port.ts';
import { effectiveLimits } from '../../src/core/orders/intent/risk-limits.ts';
import { editDraft } from '../../src/features/drafts/book/edit-draft.ts';
import { type DraftTicketView, viewDraftTicket } from '../../src/features/drafts/submission/approve-draft.ts';
import { createDraftApprovals } from '../../src/features/drafts/submission/draft-approvals.ts';
import { discardDraft } from '../../src/features/drafts/submission/stop-submission.ts';
import type { Submission } from '../../src/features/drafts/submission/submission.ts';
import type { Rig } from './harness.ts';
import { pause } from './scenario-run.ts';

/** What the terminal has of a draft: its own account, and no other process that it could end. */
async function depsOf({ drafts }: Rig, draftId: string) {
  const draft = await drafts.read((tx) => tx.findDraft(draftId));
  if (!draft) throw new Error('The draft is not in the store.');
  return {
    store: drafts,
    clock: systemClock,
    processes: { self: 'campaign', isAlive: () => true },
    environment: draft.environment,
    accountKey: async () => draft.accountKey,
  };
}

/** The newest attempt to send a draft. */
export const findLatestAttempt = async ({ drafts }: Rig, draftId: string): Promise<Submission | undefined> =>
  (await drafts.read((tx) => tx.listSubmissions({ draftId })))[0];

/** What is shown to the person once the draft waits; undefined when it never does. */
export async function whenItIsShown(rig: Rig, draftId: string, forMs = 8_000) {
  const deps = await depsOf(rig, draftId);
  for (const until = Date.now() + forMs; Date.now() < until; await pause(15)) {
    const view = await viewDraftTicket(deps, draftId);
    if (view) return view;
  }
  return undefined;
}

/** What `brokerage-mcp drafts submit` does with the right passphrase, without the terminal. */
export async function approveDraft(
  rig: Rig,
  draftId: string,
  { ticket, digest, secondsLeft }: DraftTicketView,
): Promise<Decision> {
  const { recording, site } = rig;
  const { passphrase } = site.secrets;
  const { submissionId, version, legs } = ticket;
  const shown = {
    orders: legs.map((leg) => leg.ticket.order),
    repetitions: legs.flatMap((leg, at) => (leg.ticket.isRepetition ? [at] : [])),
  };
  const name = recording.sees(submissionId, shown, Date.now() + secondsLeft * 1_000, { draftId, version });
  recording.decides(name, 'terminal', 'approve', 'right');
  const approvals = createDraftApprovals({
    ...(await depsOf(rig, draftId)),
    security: createSecurity(rig.journal, systemClock),
    settings: { approval: 'terminal', liveTrading: false, origin: rig.site.upstream.origin, haltFile: () => false },
    limits: async () => effectiveLimits('demo', {}, undefined),
  });
  return approvals.approve({ submissionId, digest, passphrase, channel: 'terminal' });
}

/** Makes an approval that is about to end, as if it had been given a quarter of an hour ago; returns its end (ms). */
export async function ageApproval({ drafts, recording }: Rig, submissionId: string, leftMs: number): Promise<number> {
  const endsAt = Date.now() + leftMs;
  await drafts.change(async (tx) => {
    const found = await tx.findSubmission(submissionId);
    if (found?.state !== 'sending' || !found.approval) return;
    const approval = { ...found.approval, approvedAt: endsAt - draftApprovalMs };
    await tx.moveSubmission(submissionId, 'sending', { endsAt, approval });
  });
  recording.note({ kind: 'ends', shown: submissionId, endsAt });
  return endsAt;
}

/** What `brokerage-mcp drafts discard` does. */
export const discard = async (rig: Rig, draftId: string): Promise<void> =>
  void (await discardDraft(await depsOf(rig, draftId), draftId));

/** What `brokerage-mcp halt` does. */
export const halt = ({ journal }: Rig): Promise<void> =>
  journal.change((tx) => setHalt(tx, { at: Date.now(), by: 'command', reason: 'campaign' }));

/** What `brokerage-mcp drafts edit` does: removes the leg. False when the edit was refused. */
export const removeLeg = async (rig: Rig, draftId: string, version: number, leg: number): Promise<boolean> =>
  editDraft(await depsOf(rig, draftId), { draftId, version, edit: { kind: 'remove', leg }, channel: 'terminal' }).then(
    async () => {
      const made = await rig.drafts.read((tx) => tx.findVersion(draftId, version + 1));
      rig.recording.note({ kind: 'version', draftId, version: version + 1, orders: made?.legs ?? [] });
      return true;
    },
    (error: unknown) => {
      if (error instanceof BrokerageError) return false;
      throw error;
    },
  );
