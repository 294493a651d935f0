/**
 * The audit trail as a resource for hosts and people: one line per event, without the bulk that only recovery needs.
 */
import { dayMs } from '../../clock.ts';
import { sanitizeDeep } from '../../sanitize-text.ts';
import { toIsoTimestamp } from '../timestamps.ts';
import type { AuditEntry, Services } from '../tool.ts';

const maxEntries = 1_000;

/** Returns JSON with the start time, the events, and whether the hash chain is valid. */
export async function readAudit({ audit, clock }: Pick<Services, 'audit' | 'clock'>): Promise<string> {
  const since = Math.floor(clock.now() / dayMs) * dayMs;
  const entries = await audit.since(since, maxEntries);
  // Checks the listed entries only; `brokerage-mcp status` checks the complete chain.
  const chain = await audit.verify(entries[0]?.seq ?? 1);
  const body = {
    since: toIsoTimestamp(since),
    complete: entries.length < maxEntries,
    chain,
    entries: entries.map(summarizeAudit),
  };
  return JSON.stringify(sanitizeDeep(body), null, 1);
}

/** Returns the fields of an event that describe what happened. */
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
    submissionId: rest.submissionId,
    draftId: rest.draftId,
    version: rest.version,
    channel: rest.channel,
    edit: rest.edit,
    task: rest.task,
    code: rest.code,
    place: rest.place,
  };
}
