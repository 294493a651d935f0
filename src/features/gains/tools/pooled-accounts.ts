/** The taxable accounts of one owner, whose shares the UK rules match together. */

import { endpoints } from '../../../core/endpoints/index.ts';
import { orElse } from '../../../core/log.ts';
import type { ToolCall } from '../../../core/mcp/tool.ts';
import type { Check } from '../../analytics/check.ts';
import { checkHoldings } from '../../analytics/reconciliation.ts';
import { compareExecution, nameAccount, type Trade } from '../../analytics/trades.ts';
import type { Coverage } from '../../history/history-port.ts';
import type { GainsDeps } from '../gains-deps.ts';

/** The account, and those whose shares are matched together with its own. */
export const listPooled = (deps: GainsDeps): readonly GainsDeps[] => [deps, ...(deps.pooledWith ?? [])];

/** Whether the rows of several accounts are one list. */
export const isPooled = ({ pooledWith = [] }: GainsDeps): boolean => pooledWith.length > 0;

interface OfAccount {
  readonly of: GainsDeps;
}

const nameOf = ({ config }: GainsDeps): string => config.account?.name ?? '';

/** The trades of all accounts in the order of execution, which name their account where there are several. */
export function joinTrades(accounts: readonly (OfAccount & { readonly trades: readonly Trade[] })[]): readonly Trade[] {
  const [first, ...others] = accounts;
  if (first && others.length === 0) return first.trades;
  return accounts.flatMap(({ of, trades }) => nameAccount(trades, nameOf(of))).sort(compareExecution);
}

/** What was read of all accounts, at least one: the part of the time that is known of each. */
export function joinCoverage(accounts: readonly (OfAccount & { readonly coverage: Coverage })[]): Coverage {
  const [first, ...others] = accounts.map(({ coverage }) => coverage) as [Coverage, ...Coverage[]];
  if (others.length === 0) return first;
  const all = [first, ...others];
  const starts = all.map(({ from }) => from);
  const ends = all.flatMap(({ to }) => to ?? []);
  const waits = all.flatMap(({ nextPageInSeconds }) => nextPageInSeconds ?? []);
  const missing = accounts.flatMap(({ of, coverage: { missing: reasons = [] } }) =>
    reasons.map((reason) => `${nameOf(of)}: ${reason}`),
  );
  const error = all.find((coverage) => coverage.error)?.error;
  return {
    ...(starts.includes(undefined)
      ? {}
      : { from: starts.reduce((a, b) => ((a ?? '') > (b ?? '') ? a : b), null) ?? null }),
    ...(ends.length < all.length ? {} : { to: ends.reduce((a, b) => (a < b ? a : b)) }),
    complete: all.every(({ complete }) => complete),
    rows: all.reduce((sum, { rows }) => sum + rows, 0),
    ...(all.some(({ reading }) => reading) && { reading: true }),
    ...(waits.length > 0 && { nextPageInSeconds: Math.max(...waits) }),
    ...(missing.length > 0 && { missing }),
    ...(error && { error }),
  };
}

/** Compares the shares of all trades with the positions; no check when these cannot be read. */
export async function checkPositions(
  trades: readonly Trade[],
  ticker: string | undefined,
  call: ToolCall,
  deps: GainsDeps,
): Promise<readonly Check[]> {
  const read = ({ broker }: GainsDeps) => broker.call(endpoints.listPositions, {}, call.context());
  const positions = await Promise.all(listPooled(deps).map(read))
    .then((accounts) => accounts.flatMap(({ data }) => data))
    .catch(orElse('a request', undefined));
  if (!positions) return [];
  const isChosen = (name: string | undefined) => ticker === undefined || name === ticker;
  return checkHoldings(
    trades.filter((trade) => isChosen(trade.ticker)),
    positions.filter(({ instrument }) => isChosen(instrument?.ticker)),
  );
}
