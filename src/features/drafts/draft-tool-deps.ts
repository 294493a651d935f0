import * as z from 'zod';
import type { Broker } from '../../core/broker/types.ts';
import { integer, withJsonSchema } from '../../core/mcp/arguments.ts';
import { isInToolsets } from '../../core/mcp/tool.ts';
import type { OrderManager } from '../../core/orders/order-manager.ts';
import { toIsoTimestamp } from '../../core/text/dates.ts';
import type { GainsDeps } from '../gains/gains-deps.ts';
import type { SavedDraft } from './book/save-draft.ts';
import type { Sender } from './describe-plan.ts';
import type { RecurringPlans } from './recurring/recurring-plans.ts';
import type { SubmissionDeps } from './submission/submission.ts';
import type { Submissions } from './submission/submissions.ts';

/** What the tools over plans and drafts need. */
export interface DraftToolDeps extends GainsDeps {
  readonly broker: Broker;
  readonly orderManager: OrderManager;
  readonly drafts: SubmissionDeps;
  readonly submissions: Submissions;
  readonly recurringPlans: RecurringPlans;
}

/** The id of a draft, as every tool of drafts takes it. */
export const draftId = () =>
  withJsonSchema(z.string('must be a draftId').regex(/^[0-9a-f]{16}$/, 'must be a draftId returned by this server'), {
    type: 'string',
    description: 'Draft id',
  });

export const version = () => integer({ min: 1, max: 1_000_000 }, 'As read');

/** Where legs were kept, as tools return it. */
export const savedFields = ({ draftId, version, expiresAt }: SavedDraft) => ({
  draftId,
  version,
  expiresAt: toIsoTimestamp(expiresAt),
});

/** Who can send a draft of this server: the model with submit_draft, or only a person in a terminal. */
export const getSender = ({ config }: Pick<DraftToolDeps, 'config'>): Sender =>
  isInToolsets(submitRegistration, config) && !config.readOnly ? 'tool' : 'person';

export const submitRegistration = { toolset: 'drafting', needs: 'trading' } as const;
