/**
 * What is known to be the live service stays so: a variable that calls its address or its account "demo"
 * would otherwise trade real money under the rules of paper money.
 */
import type { JournalChange, JournalView } from './ports.ts';
import type { Refusal } from './risk.ts';
import type { TradingSettings } from './trading-state.ts';

interface Known {
  readonly origins: readonly string[];
  /** The service's own account ids. */
  readonly accounts: readonly string[];
}

const recordName = 'live service';

/** Called in live alone, with whatever is known. */
export async function rememberLive(
  tx: JournalChange,
  { origin, account }: { readonly origin: string | undefined; readonly account?: string | undefined },
): Promise<void> {
  const known = (await tx.get<Known>(recordName)) ?? { origins: [], accounts: [] };
  const add = (list: readonly string[], value: string | undefined) =>
    value === undefined || list.includes(value) ? list : [...list, value];
  await tx.set(recordName, { origins: add(known.origins, origin), accounts: add(known.accounts, account) });
}

export async function whyLiveInDisguise(
  tx: JournalView,
  { environment, origin }: TradingSettings,
  account?: string | undefined,
): Promise<Refusal | undefined> {
  if (environment !== 'demo') return undefined;
  const known = await tx.get<Known>(recordName);
  const isLive =
    (origin !== undefined && known?.origins.includes(origin)) ||
    (account !== undefined && known?.accounts.includes(account));
  return isLive
    ? {
        rule: 'live_service',
        reason: 'This store knows the service or the account as the live one; demo orders do not go there.',
      }
    : undefined;
}
