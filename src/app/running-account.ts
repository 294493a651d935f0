/** Calls over the accounts of one process. */

import type { RunTool } from '../core/mcp/run-tool.ts';
import type { ToolDefinition } from '../core/mcp/tool.ts';
import { createAccountRunner, type RunningAccount } from '../features/accounts/run-on-accounts.ts';
import type { Services } from './registry.ts';

/** The account of an app, and what runs a call on it. `ready` resolves once its store can be used. */
export const toRunningAccount = (
  { config, drafts, orderManager }: Services,
  run: RunTool,
  ready: () => Promise<void> = async () => undefined,
): RunningAccount => ({
  name: config.account?.name ?? '',
  kind: config.account?.kind ?? 'invest',
  run,
  id: () => drafts.accountKey(),
  read: async (context) => {
    await ready();
    return orderManager.readAccount(context);
  },
});

/** Runs a call on the account that it names, or on all of them; with one account, on it. */
export function runOver(
  accounts: readonly [RunningAccount, ...RunningAccount[]],
  tools: readonly ToolDefinition[],
  { environment, isaAllowance }: Services['config'],
): RunTool {
  const [first, ...others] = accounts;
  return others.length === 0 ? first.run : createAccountRunner({ accounts, tools, environment, isaAllowance });
}
