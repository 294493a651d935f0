/** All tools, in the order in which clients list them. A new tool is one definition and one line here. */
import type { ToolDefinition } from '../core/mcp/tool.ts';
import * as account from '../core/tools/account.ts';
import { listExchanges } from '../core/tools/exchanges.ts';
import * as orders from '../core/tools/orders.ts';
import * as pies from '../core/tools/pies.ts';
import * as status from '../core/tools/server-status.ts';
import * as trading from '../core/tools/trading.ts';
import { summarizeCostsTool } from '../features/analytics/tools/costs.ts';
import { summarizeDividendsTool } from '../features/analytics/tools/dividends.ts';
import { analyzePortfolioTool } from '../features/analytics/tools/portfolio.ts';
import { calculateReturnsTool } from '../features/analytics/tools/returns.ts';
import { discardDraftTool, listDraftsTool, saveDraftTool, submitDraftTool } from '../features/drafts/drafting.ts';
import { planOrdersTool } from '../features/drafts/plan-orders.ts';
import { summarizeRealisedGainsTool } from '../features/gains/tools/realized-gains.ts';
import * as history from '../features/history/fetch-history.ts';
import { downloadExport } from '../features/reports/tools/download-export.ts';
import { importHistoryTool } from '../features/reports/tools/import-history.ts';
import { listExports } from '../features/reports/tools/list-exports.ts';
import { requestExport } from '../features/reports/tools/request-export.ts';
import * as instruments from '../features/search/search-tool.ts';

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
  trading.cancelOrder,
  history.fetchHistory,
  requestExport,
  listExports,
  downloadExport,
  importHistoryTool,
  analyzePortfolioTool,
  summarizeDividendsTool,
  summarizeRealisedGainsTool,
  calculateReturnsTool,
  summarizeCostsTool,
  status.getServerStatus,
  pies.listPies,
  pies.getPie,
  pies.createPie,
  pies.updatePie,
  pies.deletePie,
  pies.duplicatePie,
];
