/** All tools, in the order in which clients list them. A new tool is one definition and one line here. */
import type { ToolDefinition } from '../core/mcp/tool.ts';
import * as account from '../core/tools/account.ts';
import { summarizeCostsTool } from './tools/analytics/costs.ts';
import { summarizeDividendsTool } from './tools/analytics/dividends.ts';
import { analyzePortfolioTool } from './tools/analytics/portfolio.ts';
import { summarizeRealisedGainsTool } from './tools/analytics/realized-gains.ts';
import { calculateReturnsTool } from './tools/analytics/returns.ts';
import { discardDraftTool, listDraftsTool, saveDraftTool, submitDraftTool } from './tools/drafting.ts';
import { listExchanges } from '../core/tools/exchanges.ts';
import { downloadExport } from './tools/exports/download-export.ts';
import { importHistoryTool } from './tools/exports/import-history.ts';
import { listExports } from './tools/exports/list-exports.ts';
import { requestExport } from './tools/exports/request-export.ts';
import * as history from './tools/fetch-history.ts';
import * as instruments from './tools/instruments.ts';
import * as orders from '../core/tools/orders.ts';
import * as pies from '../core/tools/pies.ts';
import { planOrdersTool } from './tools/plan-orders.ts';
import * as status from '../core/tools/server-status.ts';
import * as trading from '../core/tools/trading.ts';

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
