/** Drafts over a real store, as one process has them. */

import type { Intent } from '../../../../src/core/orders/intent/intent.ts';
import type { WriteIntent } from '../../../../src/core/orders/intent/journal-port.ts';
import type { OrderRequest } from '../../../../src/core/orders/intent/order-request.ts';
import { createAuditTrail } from '../../../../src/core/store/audit-table.ts';
import { createJournal } from '../../../../src/core/store/journal-table.ts';
import type { Draft, DraftDeps, DraftVersion } from '../../../../src/features/drafts/book/draft.ts';
import type { StopDeps } from '../../../../src/features/drafts/submission/stop-submission.ts';
import type { Submission, SubmissionLeg } from '../../../../src/features/drafts/submission/submission.ts';
import { openEngine } from '../../../core/store/support.ts';
import { createManualClock } from '../../../support/manual-clock.ts';

export const startAt = Date.UTC(2026, 0, 15, 15);

export function openBook(engine = openEngine()) {
  const clock = createManualClock({ startAt });
  const store = createJournal<Intent, WriteIntent, Draft, DraftVersion, Submission, SubmissionLeg>(engine, clock);
  const processes = { self: 'test', isAlive: () => true };
  const deps: DraftDeps & StopDeps = {
    store,
    clock,
    processes,
    environment: 'demo',
    accountKey: async () => 'account',
  };
  return { deps, clock, audit: createAuditTrail(engine) };
}

/** A limit order to buy, with what the test changes. */
export const leg = (change: Partial<OrderRequest> = {}): OrderRequest => ({
  type: 'LIMIT',
  ticker: 'AAA_EQ',
  side: 'BUY',
  quantity: '2',
  limitPrice: '10',
  timeValidity: 'DAY',
  ...change,
});

/** The code of the error that a promise is rejected with. */
export const codeFrom = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => 'no error',
    (error: { code?: unknown }) => error.code,
  );
