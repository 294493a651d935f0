/** The audit trail as a host or a person reads it: one line per event, without the bulk that recovery needs. */
import { sanitizeDeep } from '../../sanitize-text.ts';
import { toIsoTimestamp } from '../timestamps.ts';
import type { AuditEntry, Services } from '../tool.ts';

const maxEntries = 1_000;
const dayMs = 86_400_000;

/** JSON: since when, the events, and whether the chain of hashes holds. */
export async function readAudit({ audit, clock }: Pick<Services, 'audit' | 'clock'>): Promise<string> {
  const since = Math.floor(clock.now() / dayMs) * dayMs;
  const entries = await audit.since(since, maxEntries);
  // Those that are shown; `brokerage-mcp status` checks the whole chain.
  const chain = await audit.verify(entries[0]?.seq ?? 1);
  const body = {
    since: toIsoTimestamp(since),
    complete: entries.length < maxEntries,
    chain,
    entries: entries.map(summarizeAudit),
  };
  return JSON.stringify(sanitizeDeep(body), null, 1);
}

/** The facts of an event that say what happened. */
export function summarizeAudit({ seq, at, environment, kind, data }: AuditEntry): Record<string, unknown> {
  const { id, intentId, from, state, request, rule, reason, orderId, brokerCode, endpoint, by, ...rest } =
    data as Record<string, unknown>;
  const { approval } = rest as { approval?: { by?: string; approvedAt?: number } };
  return {
    seq,
    at: toIsoTimestamp(at),
    environment,
    event: kind,
    intentId: intentId ?? (kind === 'order' || kind === 'write' ? id : undefined),
    from,
    state,
    order: request,
    endpoint,
    rule,
    reason,
    orderId,
    brokerCode,
    by: by ?? (state === 'APPROVED' ? approval?.by : undefined),
    failures: rest.failures,
  };
}
