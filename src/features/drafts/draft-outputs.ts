/** What tools return of drafts and of their submissions, as parts of output schemas. */

import * as z from 'zod';
import {
  amount,
  approvalOutput,
  count,
  group,
  groups,
  oneOf,
  refusalOutput,
  ruleNames,
  text,
  texts,
  yesNo,
} from '../../core/mcp/output-schemas.ts';
import { outcomeNames } from '../../core/orders/intent/outcome.ts';
import type { DraftPhase } from './submission/describe-submission.ts';
import { openOutcomes, submissionOutcomes, unsentCauses } from './submission/submission.ts';

export const draftStates = [
  'open',
  'discarded',
  'sent',
  'expired',
  ...openOutcomes,
] as const satisfies readonly DraftPhase[];

export const draftOutput = () => ({
  name: text(),
  version: count(),
  state: oneOf(draftStates),
  source: text(),
  createdAt: text(),
  expiresAt: text(),
});

export const draftRefusalOutput = () => ({
  ...refusalOutput(),
  leg: count(),
  next: text(),
  retryAfterSeconds: count(),
  submissionIds: texts(),
});

export const submissionOutput = () => ({
  submissionId: text(),
  draftId: text(),
  version: count(),
  outcome: z.enum(submissionOutcomes),
  sender: oneOf(['gone']),
  rule: oneOf(ruleNames),
  reason: text(),
  formDeclined: yesNo(),
  message: z.string(),
  next: text(),
  retryAfterSeconds: count(),
  endsAt: text(),
  warnings: texts(),
  approval: approvalOutput({
    totals: group({
      bought: amount(),
      sold: amount(),
      currency: text(),
      unknownValues: count(),
      worst: amount(),
      charges: amount(),
      cash: group({ before: amount(), after: amount() }),
      largestPercent: amount(),
      largestShare: group({ ticker: text(), percent: amount() }),
    }),
  }),
  legs: groups({
    leg: count(),
    order: text(),
    outcome: oneOf([...outcomeNames, 'waiting']),
    intentId: text(),
    orderId: text(),
    status: text(),
    inFlight: yesNo(),
    unsentBecause: oneOf(unsentCauses),
    rule: oneOf(ruleNames),
    reason: text(),
  }),
  remainingVersion: count(),
  coalesced: yesNo(),
});
