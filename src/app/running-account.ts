/** Calls over the accounts of one process. */

import type { RunTool } from '../core/mcp/run-tool.ts';
import type { ToolDefinition } from '../core/mcp/tool.ts';
import { createAccountRunner, type RunningAccount } from '../features/accounts/run-on-accounts.ts';
import type { Services } from './registry.ts';

/** The app of an account, and what runs a call on it. */
export interface AccountApp {
  readonly services: Services;
  /** Resolves when the app can take calls. */
  ready(): Promise<void>;
  /** With services, a call reads the rows of these accounts beside its own, for what the law counts together. */
  readonly runWith: (pooledWith?: readonly Services[]) => RunTool;
}

/** Runs a call on the account that it names, or on all of them; with one account, on it. */
export function runOver(apps: readonly [AccountApp, ...AccountApp[]], tools: readonly ToolDefinition[]): RunTool {
  const [first, ...others] = apps;
  if (others.length === 0) return first.runWith();
  const { environment, isaAllowance } = first.services.config;
  const toRunning = (app: AccountApp): RunningAccount => ({
    name: nameAccountOf(app),
    kind: app.services.config.account?.kind ?? 'invest',
    run: app.runWith(),
    id: () => app.services.drafts.accountKey(),
    read: async (context) => {
      await app.ready();
      return app.services.orderManager.readAccount(context);
    },
    runTogether: (names) => {
      const beside = apps.filter((other) => names.includes(nameAccountOf(other)));
      return async (name, args, options) => {
        await Promise.all(beside.map((other) => other.ready()));
        return app.runWith(beside.map(({ services }) => services))(name, args, options);
      };
    },
  });
  return createAccountRunner({
    accounts: [toRunning(first), ...others.map(toRunning)],
    tools,
    environment,
    isaAllowance,
  });
}

/** The name that the owner gave the account; empty where there is one account. */
export const nameAccountOf = ({ services }: Pick<AccountApp, 'services'>): string =>
  services.config.account?.name ?? '';
