/**
 * The audit trail as a resource for hosts and people: one line per event, without the bulk that only recovery needs.
 */
import { type Clock, dayMs } from '../../../core/clock.ts';
import { countFitting, hostLength, maxCharacters } from '../../../core/mcp/host-length.ts';
import { toIsoTimestamp } from '../../../core/mcp/timestamps.ts';
import type { AuditEntry, AuditTrail } from '../../../core/store/audit.ts';
import { countOf } from '../../../core/text/count-of.ts';
import { sanitizeDeep } from '../../../core/text/sanitize-text.ts';
import { continuation } from './resource-pages.ts';

const maxEntries = 1_000;

/**
 * Returns one page as JSON: the start time, the events before the number `before`, newest first, and whether the hash chain
 * of today is valid. Some hosts read the first page only.
 */
export async function readAudit(
  { audit, clock }: { readonly audit: AuditTrail; readonly clock: Clock },
  before = Infinity,
): Promise<string> {
  const since = Math.floor(clock.now() / dayMs) * dayMs;
  const entries = await audit.since(since, maxEntries);
  // Checks the listed entries only; `brokerage-mcp status` checks the complete chain.
  const chain = await audit.verify(entries[0]?.seq ?? 1);
  const earlier = entries.filter(({ seq }) => seq < before).reverse();
  const rows = earlier.map((entry) => sanitizeDeep(summarizeAudit(entry)));
  const write = (page: readonly unknown[]) => {
    const last = page.at(-1) as { readonly seq: number } | undefined;
    const nextUri = last && page.length < rows.length ? `audit://today?before=${last.seq}` : undefined;
    return JSON.stringify({
      ...continuation(nextUri, countOf(page.length, 'event')),
      since: toIsoTimestamp(since),
      complete: entries.length < maxEntries,
      chain,
      entries: page,
    });
  };
  const measure = (kept: number) => hostLength(write(rows.slice(0, kept)), 'page');
  return write(rows.slice(0, countFitting(rows.length, maxCharacters, measure)));
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
