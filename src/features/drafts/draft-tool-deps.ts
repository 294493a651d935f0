import type { Broker } from '../../core/broker/types.ts';
import type { OrderManager } from '../../core/orders/order-manager.ts';
import type { GainsDeps } from '../gains/gains-deps.ts';
import type { SubmissionDeps } from './submission/submission.ts';
import type { Submissions } from './submission/submissions.ts';

/** What the tools over plans and drafts need. */
export interface DraftToolDeps extends GainsDeps {
  readonly broker: Broker;
  readonly orderManager: OrderManager;
  readonly drafts: SubmissionDeps;
  readonly submissions: Submissions;
}
