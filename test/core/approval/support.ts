/** Orders that wait for a person, in a journal in memory, and an owner whose passphrase is checked quickly. */
import { createHash, scryptSync } from 'node:crypto';
import { onTestFinished } from 'vitest';
import { createApprovals, type OrderApprovalDeps } from '../../../src/core/approval/approval-service.ts';
import { createSecurity } from '../../../src/core/approval/enrollment/enrollment.ts';
import type { ApprovalMethod, PassphraseChannel } from '../../../src/core/orders/intent/approval-methods.ts';
import type { Ticket } from '../../../src/core/orders/intent/approval-port.ts';
import { approvalDigest, type Intent } from '../../../src/core/orders/intent/intent.ts';
import type { Journal } from '../../../src/core/orders/intent/journal-port.ts';
import { effectiveLimits } from '../../../src/core/orders/intent/risk-limits.ts';
import { createJournal } from '../../../src/core/store/journal-table.ts';
import { createManualClock } from '../../support/manual-clock.ts';
import { createMemoryEngine } from '../../support/memory-engine.ts';
import { limitBuy } from './page/support.ts';

export const startAt = Date.UTC(2026, 0, 15, 15);
/** A person has 120 s. */
export const expiresAt = startAt + 120_000;
export const passphrase = 'only the owner knows this';

/** As the owner's enrolment is stored, with a hash that costs a millisecond instead of a tenth of a second. */
function enrolmentRecord(approval: ApprovalMethod): object {
  const [salt, cost] = ['00'.repeat(16), 2 ** 8];
  const text = createHash('sha256').update(passphrase).digest();
  const hash = scryptSync(text, Buffer.from(salt, 'hex'), 32, { N: cost, r: 8, p: 1 }).toString('hex');
  return { salt, hash, cost, approval, limits: {}, enrolledAt: startAt, failures: 0, lastFailureAt: 0 };
}

/** An order that waits since `startAt`. Its nonce and its handle are its id with `nonce-` and `handle-` before. */
export function waitingIntent(id: string, change: Partial<Intent> = {}): Intent & { approval: { digest: string } } {
  const { order: request } = limitBuy;
  const ticket: Ticket = { ...limitBuy, intentId: id };
  const intent: Intent = {
    id,
    kind: 'order',
    state: 'AWAITING_APPROVAL',
    environment: 'live',
    accountKey: 'account',
    fingerprint: `print-${id}`,
    ticker: request.ticker,
    request,
    createdAt: startAt,
    changedAt: startAt,
    owner: 'test',
    limits: effectiveLimits('live', {}, undefined),
    method: 'page',
    baseline: { askedAt: startAt, pendingIds: [], position: '0', cash: '1000', price: '71', serviceOffsetMs: 0 },
    ...change,
  };
  // Converted through JSON, as the store does it.
  const shown = JSON.parse(JSON.stringify(ticket)) as Ticket;
  const bound = { nonce: `nonce-${id}`, handle: `handle-${id}`, askedAt: startAt, expiresAt, ticket: shown };
  return { ...intent, approval: { ...bound, digest: approvalDigest(intent, bound) } };
}

export interface DeskOptions {
  /** What the owner enrolled; default `page`. */
  readonly enrolled?: ApprovalMethod;
  /** What the process is configured with. */
  readonly configured?: ApprovalMethod | 'none' | undefined;
  readonly deps?: (deps: OrderApprovalDeps) => Partial<OrderApprovalDeps>;
}

/** The approvals of a process over the given orders. */
export async function openDesk(
  intents: readonly Intent[],
  { enrolled = 'page', configured, deps = () => ({}) }: DeskOptions = {},
) {
  const clock = createManualClock({ startAt });
  const engine = await createMemoryEngine();
  onTestFinished(() => engine.close());
  const journal = createJournal<Intent, never>(engine, clock) as unknown as Journal;
  await journal.change(async (tx) => {
    await tx.set('security', enrolmentRecord(enrolled));
    for (const intent of intents) await tx.insert(intent);
  });
  const decisions: string[] = [];
  const usual: OrderApprovalDeps = {
    journal,
    clock,
    security: createSecurity(journal, clock),
    settings: { origin: 'https://live', liveTrading: true, approval: configured, haltFile: () => false },
    decided: () => decisions.push('decided'),
  };
  const approvals = createApprovals({ ...usual, ...deps(usual) });
  return {
    approvals,
    clock,
    journal,
    /** One for each call that could decide something. */
    decisions,
    find: (id: string) => journal.read((tx) => tx.find(id)),
    /** How many passphrases were checked and found wrong. */
    failures: async () => (await journal.read((tx) => tx.get<{ failures: number }>('security')))?.failures,
    /** Changes an order as another process does, or an attacker with the database. */
    alter: (id: string, change: Partial<Intent>) =>
      journal.change(async (tx) => {
        const { state } = (await tx.find(id)) as Intent;
        await tx.move(id, state, { state, ...change });
      }),
  };
}

/** Whether an approval on a channel counts where a method is required. */
const approves: Readonly<Record<PassphraseChannel, Readonly<Record<ApprovalMethod, boolean>>>> = {
  page: { elicitation: true, page: true, terminal: false },
  terminal: { elicitation: true, page: true, terminal: true },
};
export const channels = Object.keys(approves) as readonly PassphraseChannel[];

/** Each channel with each method. */
export const approvalCases = channels.flatMap((channel) =>
  (Object.entries(approves[channel]) as [ApprovalMethod, boolean][]).map(
    ([method, isEnough]) => [channel, method, isEnough] as const,
  ),
);
