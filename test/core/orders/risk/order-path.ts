/** The complete path of orders and drafts in this process, on a fake service, a store in memory and a clock that stands. */

import { createApprovals } from '../../../../src/core/approval/approval-service.ts';
import { createSecurity } from '../../../../src/core/approval/enrollment/enrollment.ts';
import { BrokerageError } from '../../../../src/core/errors.ts';
import { createSnapshotReader } from '../../../../src/core/orders/account/account-snapshot.ts';
import { currentLimits } from '../../../../src/core/orders/halt/trading-state.ts';
import type { Journal } from '../../../../src/core/orders/intent/journal-port.ts';
import type { OrderRequest } from '../../../../src/core/orders/intent/order-request.ts';
import type { OrderDeps } from '../../../../src/core/orders/order-deps.ts';
import { createOrderManager } from '../../../../src/core/orders/order-manager.ts';
import { createJournal } from '../../../../src/core/store/journal-table.ts';
import { createDraft } from '../../../../src/features/drafts/book/save-draft.ts';
import { createDraftApprovals } from '../../../../src/features/drafts/submission/draft-approvals.ts';
import type { SubmissionDeps } from '../../../../src/features/drafts/submission/submission.ts';
import { createSubmissions } from '../../../../src/features/drafts/submission/submissions.ts';
import type { History } from '../../../../src/features/history/history-port.ts';
import { createMemoryEngine } from '../../../support/memory-engine.ts';
import { createStepClock } from '../../../support/step-clock.ts';
import { createFakeService } from './fake-service.ts';

export type OrderPath = Awaited<ReturnType<typeof createOrderPath>>;

export async function createOrderPath(options: {
  readonly tickers: readonly string[];
  readonly limits: OrderDeps['configuredLimits'];
  readonly isApproved: boolean;
  /** How late the service shows an order (ms). */
  readonly delayMs: number;
}) {
  const clock = createStepClock(Date.UTC(2026, 0, 15, 15));
  const engine = await createMemoryEngine();
  const journal = createJournal(engine, clock) as unknown as Journal & SubmissionDeps['store'];
  const service = createFakeService(clock, options.tickers, options.delayMs);
  const settings = {
    environment: 'sandbox',
    origin: undefined,
    liveTrading: false,
    approval: options.isApproved ? 'elicitation' : undefined,
    haltFile: () => false,
  } as const;
  const security = createSecurity(journal, clock);
  const limits: SubmissionDeps['limits'] = (tx) => currentLimits({ settings, configuredLimits: options.limits }, tx);
  const processes = { self: 'this', isAlive: () => true };
  const accountKey = async () => 'account';
  const shared = {
    clock,
    settings,
    processes,
    broker: service,
    directory: service.directory,
    facts: createSnapshotReader(service, clock),
    channels: { pageUrl: async () => undefined, opensBrowser: false },
    accountKey,
    readOnly: false,
  };
  const orderManager = createOrderManager({
    ...shared,
    journal,
    configuredLimits: options.limits,
    approvals: createApprovals({ journal, clock, security, settings }),
    identifyAccount: accountKey,
  });
  // What orders are charged is shown to a person, and no rule reads it.
  const derive = async () => {
    throw new BrokerageError('rate_limited', 'No history.', 'None.');
  };
  const drafts: SubmissionDeps = {
    ...shared,
    store: journal,
    environment: settings.environment,
    history: { derive } as unknown as History,
    orderManager,
    limits,
  };
  const approvals = createDraftApprovals({ store: journal, clock, processes, security, settings, limits });
  return {
    clock,
    service,
    journal,
    orderManager,
    drafts,
    approvals,
    submissions: createSubmissions(drafts, approvals),
    saveDraft: (legs: readonly OrderRequest[]) => createDraft(drafts, { legs, source: 'test' }),
    close: () => engine.close(),
  };
}
