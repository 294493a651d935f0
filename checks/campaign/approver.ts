/** The person's side of an approval, through the same store as the servers: enrolment, a terminal, a shorter time. */

import { type ApprovalService, createApprovals } from '../../src/core/approval/approval-service.ts';
import { createSecurity } from '../../src/core/approval/enrollment/enrollment.ts';
import { systemClock } from '../../src/core/clock.ts';
import { BrokerageError } from '../../src/core/errors.ts';
import { approvalDigest, type Intent } from '../../src/core/orders/intent/intent.ts';
import type { Rig } from './harness.ts';
import { pause } from './scenario-run.ts';

export async function enrol({ journal, site }: Rig, approval: 'page' | 'terminal' | 'elicitation'): Promise<void> {
  const { passphrase } = site.secrets;
  await createSecurity(journal, systemClock).enrol({ passphrase, approval, limits: {} });
}

/** What `brokerage-mcp approve` does, without the terminal: a person sees the ticket and types the passphrase. */
export async function approveInTerminal(rig: Rig, { id: intentId, approval, accountName }: Intent): Promise<void> {
  if (!approval) return;
  const { site } = rig;
  const recording = rig.recordingOf(accountName);
  const { ticket, expiresAt, digest } = approval;
  const shown = { orders: [ticket.order], repetitions: ticket.isRepetition ? [0] : [] };
  recording.decides(recording.sees(`terminal ${intentId}`, shown, expiresAt), 'terminal', 'approve', 'right');
  const { passphrase } = site.secrets;
  await approvalsOf(rig).approve({ intentId, digest, passphrase, channel: 'terminal' });
}

/** Tries to approve an order with what was shown of another one; returns whether it still waits. */
export async function refusesApprovalOf(rig: Rig, { id: intentId }: Intent, shown: Intent): Promise<boolean> {
  const digest = shown.approval?.digest ?? '';
  const { passphrase } = rig.site.secrets;
  await approvalsOf(rig)
    .approve({ intentId, digest, passphrase, channel: 'terminal' })
    .catch((error: unknown) => {
      if (!(error instanceof BrokerageError)) throw error;
    });
  const now = await rig.journal.read((tx) => tx.find(intentId));
  return now?.state === 'AWAITING_APPROVAL';
}

const approvalsOf = ({ journal, site }: Rig): ApprovalService =>
  createApprovals({
    journal,
    clock: systemClock,
    security: createSecurity(journal, systemClock),
    settings: { approval: 'terminal', liveTrading: false, origin: site.upstream.origin, haltFile: () => false },
  });

/** The intent as soon as it waits; undefined when it never does. */
export async function whenItWaits(rig: Rig, quantity: string): Promise<Intent | undefined> {
  const until = Date.now() + 8_000;
  while (Date.now() < until) {
    const waiting = (await rig.intents(quantity)).find(({ state }) => state === 'AWAITING_APPROVAL');
    if (waiting) return waiting;
    await pause(15);
  }
  return undefined;
}

/** Makes a ticket that is about to expire, as if it were two minutes old; it is bound again, so it is valid. */
export async function shorten(rig: Rig, intent: Intent, ms: number): Promise<Intent | undefined> {
  const { approval } = intent;
  if (!approval) return undefined;
  const shorter = { ...approval, expiresAt: Date.now() + ms };
  const change = {
    state: 'AWAITING_APPROVAL' as const,
    approval: { ...shorter, digest: approvalDigest(intent, shorter) },
  };
  return rig.journal.change((tx) => tx.move(intent.id, 'AWAITING_APPROVAL', change));
}
