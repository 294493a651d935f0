import type { EndpointDeps } from '../core/tools/endpoint-deps.ts';
import type { DraftToolDeps } from '../features/drafts/draft-tool-deps.ts';
import type { RecurringPlans } from '../features/drafts/recurring/recurring-plans.ts';
import type { DraftApprovals } from '../features/drafts/submission/draft-approvals.ts';
import type { GainsDeps } from '../features/gains/gains-deps.ts';
import type { HistoryImport } from '../features/reports/import/history-import.ts';
import type { ReportDeps } from '../features/reports/report-deps.ts';

/** What tools, commands and background work use; the composition root builds it. A tool sees the part of its feature. */
export interface Services extends EndpointDeps, DraftToolDeps, GainsDeps, ReportDeps {
  readonly historyImport: HistoryImport;
  readonly draftApprovals: DraftApprovals;
  readonly recurringPlans: RecurringPlans;
}
