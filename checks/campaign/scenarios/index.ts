/** Every scenario, in the order of the table. */
import type { Scenario } from '../trial-environment.ts';
import { tlsFailures, wrongAddresses } from './addresses.ts';
import { bodies, redirects, refusalsForRate, resets, statuses } from './answers.ts';
import { approvalEnds, approvalKills, approvalRaces } from './approval-races.ts';
import { approvalForms, approvalPages } from './approvals.ts';
import { auditTrails } from './audits.ts';
import { cancelling } from './cancel-orders.ts';
import { cancels } from './cancels.ts';
import { noConnections } from './connections.ts';
import { failingWrites } from './failing-writes.ts';
import { hangs } from './hangs.ts';
import { heldStore } from './held-store.ts';
import { killedImports } from './imports.ts';
import { endsOfInput, killsAtAnyTime, killsAtSteps } from './kills.ts';
import { unknownCounts } from './limits.ts';
import { pageLockouts } from './lockouts.ts';
import { fileLimits, fullDisks } from './no-space.ts';
import { noStore } from './no-store.ts';
import { duePlans } from './plans.ts';
import { differentOrderRaces, killedRaces, repetitionRaces, sameOrderRaces } from './races.ts';
import { sharedRates } from './shared-rates.ts';
import { submissionApprovals } from './submission-approvals.ts';
import { submissionKills, submissionSleeps } from './submission-kills.ts';
import { submissionKilledRaces, submissionRaces } from './submission-races.ts';
import { submissionEdits, submissionStops } from './submission-stops.ts';
import { submissionFills, submissionReadOnly } from './submission-waits.ts';
import { limitSums } from './sums.ts';
import { twoAccounts } from './two-accounts.ts';

export const scenarios = {
  noConnections,
  wrongAddresses,
  tlsFailures,
  resets,
  bodies,
  statuses,
  redirects,
  refusalsForRate,
  hangs,
  killsAtSteps,
  killsAtAnyTime,
  endsOfInput,
  cancels,
  sameOrderRaces,
  differentOrderRaces,
  repetitionRaces,
  killedRaces,
  noStore,
  failingWrites,
  heldStore,
  fileLimits,
  fullDisks,
  approvalForms,
  approvalPages,
  approvalRaces,
  approvalKills,
  approvalEnds,
  unknownCounts,
  cancelling,
  submissionKills,
  submissionSleeps,
  submissionRaces,
  submissionKilledRaces,
  submissionStops,
  submissionEdits,
  submissionApprovals,
  submissionFills,
  submissionReadOnly,
  limitSums,
  sharedRates,
  pageLockouts,
  auditTrails,
  duePlans,
  killedImports,
  twoAccounts,
} as const satisfies Record<string, Scenario>;
