/** Reads the three histories of an account as one list of records. */

import { endpoints } from '../../core/endpoints/index.ts';
import { BrokerageError } from '../../core/errors.ts';
import { orElse } from '../../core/log.ts';
import type { ToolCall } from '../../core/mcp/tool.ts';
import { executions } from '../analytics/executions.ts';
import { readOptions } from '../analytics/tools/coverage-fields.ts';
import { allDividends, allTransactions } from '../history/all-rows.ts';
import { zoneOf } from '../history/date-range.ts';
import type { HistoryDeps } from '../history/history-deps.ts';
import { type AccountBooks, toAccountBooks } from './account-records.ts';

/** How long (ms) the list of instruments may take, which only adds names. */
const namesWaitMs = 5_000;

/** Throws `upstream_error` when the service names no currency of the account: no amount could be written then. */
export async function readBooks(call: ToolCall, deps: HistoryDeps) {
  const options = () => readOptions(call, deps);
  const [orders, dividends, transactions, { data: summary }, names] = await Promise.all([
    deps.history.derive({ kind: 'orders' }, executions, options()),
    deps.history.derive({ kind: 'dividends' }, allDividends, options()),
    deps.history.derive({ kind: 'transactions' }, allTransactions, options()),
    deps.broker.call(endpoints.getAccountSummary, {}, call.context()),
    readNames(call, deps),
  ]);
  const { currency } = summary;
  if (currency === undefined)
    throw new BrokerageError(
      'upstream_error',
      'The service did not report the currency of the account, so no amount can be written.',
      'Try again later.',
    );
  const books: AccountBooks = toAccountBooks({
    trades: orders.value.trades,
    dividends: dividends.value,
    transactions: transactions.value,
    currency,
    nameOf: (ticker) => names.get(ticker),
  });
  return {
    books,
    currency,
    zone: zoneOf(deps, currency),
    asOf: Math.min(orders.asOf, dividends.asOf, transactions.asOf),
    coverage: { orders: orders.coverage, dividends: dividends.coverage, transactions: transactions.coverage },
  };
}

async function readNames(call: ToolCall, deps: HistoryDeps): Promise<ReadonlyMap<string, string>> {
  const instruments = await deps.broker
    .call(endpoints.listInstruments, {}, call.context({ waitUntil: deps.clock.now() + namesWaitMs }))
    .then(({ data }) => data)
    .catch(orElse('a request', []));
  return new Map(
    instruments.flatMap(({ ticker, name }) => (ticker === undefined || name === undefined ? [] : [[ticker, name]])),
  );
}
