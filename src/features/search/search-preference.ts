/** What decides between instruments that fit a search equally well: what the account holds, and its currency. */

import { endpoints } from '../../core/endpoints/index.ts';
import type { ToolCall } from '../../core/mcp/tool.ts';
import type { SearchPreference } from './search.ts';
import type { SearchDeps } from './search-deps.ts';

/** How long (ms) they are used; an instrument that was bought since is found as well, only later in the list. */
const maxAgeMs = 10 * 60_000;

const lastRead = new WeakMap<SearchDeps['broker'], { readonly at: number; readonly preference: SearchPreference }>();

/** A search needs these for the order of its results only, so it waits at most this long (ms) for them. */
const maxWaitMs = 2_000;

/** Never throws: without the positions, a search returns the same instruments in another order. */
export async function readSearchPreference(call: ToolCall, deps: SearchDeps): Promise<SearchPreference> {
  const now = deps.clock.now();
  const last = lastRead.get(deps.broker);
  if (last && last.at <= now && now < last.at + maxAgeMs) return last.preference;
  const preference = await readAccount(call, deps, now);
  if (preference) lastRead.set(deps.broker, { at: now, preference });
  return preference ?? {};
}

async function readAccount(call: ToolCall, deps: SearchDeps, now: number): Promise<SearchPreference | undefined> {
  // Takes no turn at the rate limit that an order or another tool waits for.
  const context = { ...call.context({ waitUntil: now }), deadlineAt: Math.min(call.deadlineAt, now + maxWaitMs) };
  const positions = await deps.broker.call(endpoints.listPositions, {}, context).then(
    ({ data }) => data,
    // A search also works with a key that may not read positions, and while the service refuses them.
    () => undefined,
  );
  if (!positions) return undefined;
  const held = new Set(positions.flatMap(({ instrument }) => instrument?.ticker ?? []));
  const currency = positions.find(({ walletImpact }) => walletImpact?.currency)?.walletImpact?.currency;
  if (currency !== undefined) return { held, currency };
  const summary = await deps.broker.call(endpoints.getAccountSummary, {}, context).then(
    ({ data }) => data,
    // As above.
    () => undefined,
  );
  return { held, currency: summary?.currency };
}
