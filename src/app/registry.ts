/** All tools, in the order in which clients list them. A new tool is one definition and one line here. */

import type { ToolDefinition } from '../core/mcp/tool.ts';
import * as account from '../core/tools/account-tools.ts';
import { cancelOrder } from '../core/tools/cancel-tool.ts';
import type { EndpointDeps } from '../core/tools/endpoint-deps.ts';
import { listExchanges } from '../core/tools/exchange-tool.ts';
import * as orders from '../core/tools/order-tools.ts';
import * as pies from '../core/tools/pie-tools.ts';
import * as status from '../core/tools/status-tool.ts';
import * as trading from '../core/tools/trading-tools.ts';
import { summarizeCostsTool } from '../features/analytics/tools/costs-tool.ts';
import { summarizeDividendsTool } from '../features/analytics/tools/dividends-tool.ts';
import { analyzePortfolioTool } from '../features/analytics/tools/portfolio-tool.ts';
import { calculateReturnsTool } from '../features/analytics/tools/returns-tool.ts';
import { type ChangesDeps, getChangesTool } from '../features/changes/changes-tool.ts';
import { type DocumentDeps, saveReportTool } from '../features/documents/save-report-tool.ts';
import type { DraftToolDeps } from '../features/drafts/draft-tool-deps.ts';
import { discardDraftTool, listDraftsTool, saveDraftTool } from '../features/drafts/draft-tools.ts';
import { planOrdersTool } from '../features/drafts/plan-orders.ts';
import type { DraftApprovals } from '../features/drafts/submission/draft-approvals.ts';
import { submitDraftTool } from '../features/drafts/submit-tool.ts';
import type { GainsDeps } from '../features/gains/gains-deps.ts';
import { summarizeRealisedGainsTool } from '../features/gains/tools/gains-tool.ts';
import * as history from '../features/history/fetch-history.ts';
import type { HistoryImport } from '../features/reports/import/history-import.ts';
import { downloadExport, listExports, type ReportDeps } from '../features/reports/tools/export-tools.ts';
import { importHistoryTool } from '../features/reports/tools/import-history.ts';
import { requestExport } from '../features/reports/tools/request-export.ts';
import * as instruments from '../features/search/search-tool.ts';
import { type WatchToolDeps, watchTool } from '../features/watches/watch-tool.ts';

export const tools: readonly ToolDefinition[] = [
  account.getAccountSummary,
  account.listPositions,
  instruments.searchInstruments,
  listExchanges,
  orders.listOrders,
  orders.getOrder,
  planOrdersTool,
  saveDraftTool,
  listDraftsTool,
  submitDraftTool,
  discardDraftTool,
  trading.previewOrder,
  trading.placeLimitOrder,
  trading.placeMarketOrder,
  trading.placeStopOrder,
  trading.placeStopLimitOrder,
  cancelOrder,
  history.fetchHistory,
  requestExport,
  listExports,
  downloadExport,
  importHistoryTool,
  saveReportTool,
  analyzePortfolioTool,
  summarizeDividendsTool,
  summarizeRealisedGainsTool,
  calculateReturnsTool,
  getChangesTool,
  summarizeCostsTool,
  status.getServerStatus,
  watchTool,
  pies.listPies,
  pies.getPie,
  pies.createPie,
  pies.updatePie,
  pies.deletePie,
  pies.duplicatePie,
];

/** What tools, commands and background work use; the composition root builds it. A tool sees the part of its feature. */
export interface Services
  extends EndpointDeps,
    DraftToolDeps,
    GainsDeps,
    ReportDeps,
    ChangesDeps,
    DocumentDeps,
    WatchToolDeps {
  readonly historyImport: HistoryImport;
  readonly draftApprovals: DraftApprovals;
}
