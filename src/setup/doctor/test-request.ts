import { BrokerageError, type ErrorCode } from '../../core/errors.ts';
import type { DoctorContext } from './context.ts';
import { type Finding, fault, note, ok, warning } from './finding.ts';
import { networkFix } from './network-fixes.ts';

/** Makes one real request for the account's summary, with the same rate limits and cache as every tool. */
export async function checkRequest(context: DoctorContext, signal: AbortSignal): Promise<readonly Finding[]> {
  const skipped = skipReason(context);
  if (skipped) return [skipped];
  const startedAt = performance.now();
  try {
    const { data, shared } = await context.askSummary(signal);
    const ms = Math.round(performance.now() - startedAt);
    const how = shared ? 'was served from a recent request' : `was read in ${ms} ms`;
    const account = `account ${formatIdSuffix(data.id)} in ${data.currency ?? 'an unknown currency'}`;
    return [
      ok(`The summary ${how}: ${account}${context.config?.environment === 'sandbox' ? ' (simulated)' : ''}.`),
      ...(await limitSeen(context)),
    ];
  } catch (error) {
    if (!(error instanceof BrokerageError)) throw error;
    return [judge(error, context)];
  }
}

/** Returns why the request is skipped; undefined when it is made. */
export function skipReason({ config, isOffline }: DoctorContext): Finding | undefined {
  if (isOffline) return note('Not checked: --offline sends no requests.', 'Run doctor without --offline.');
  const isReady = config && (config.environment === 'sandbox' || (config.baseUrl && config.credentials));
  return isReady
    ? undefined
    : note('Not checked: the configuration is incomplete.', 'Fix the problem reported by "configuration".');
}

/** Shows enough of the id to distinguish two accounts, and no more. */
const formatIdSuffix = (id: string | undefined) =>
  id === undefined ? 'without a number' : `…${id.slice(-Math.min(4, Math.floor(id.length / 2)))}`;

async function limitSeen(context: DoctorContext): Promise<Finding[]> {
  const rows = await context.parts().services.allowance();
  const row = rows.find(({ endpoint }) => endpoint === 'GET /equity/account/summary');
  if (!row) return [];
  const source = row.source === 'headers' ? 'from its headers' : 'from the interface, without headers';
  return [ok(`Its limit is ${row.limit} per ${row.periodSeconds} s (${source}); ${row.free} free now.`)];
}

function judge(error: BrokerageError, context: DoctorContext): Finding {
  const { code, next, facts } = error;
  const message = withStatus(error);
  // The rate limits are in the store, and waiting for the store used the time of the request.
  if (code === 'timeout' && context.parts().services.getStoreError() !== undefined)
    return note('Unknown: the store delayed the request.', 'Fix the problem reported by "store".');
  const environment = context.config?.environment ?? '';
  switch (code) {
    case 'unauthorized':
      return fault(
        message,
        context.config?.credentials?.secret === undefined
          ? `Check that the key is complete and belongs to the ${environment} environment (BROKER_ENV); if it was created with a secret, also set BROKER_API_SECRET_FILE.`
          : `Check that key and secret belong to the ${environment} environment (BROKER_ENV), are complete and are not swapped; otherwise create a new pair in the broker’s application.`,
      );
    case 'forbidden':
      return fault(
        message,
        'Give the key the permission to read the account in the broker’s application, or create a new key that has it.',
      );
    case 'rate_limited':
      return warning(
        message,
        `Wait ${facts.retryAfterSeconds ?? 60} s and run doctor again; if the error persists, stop the other program that uses this account’s key.`,
      );
    case 'timeout':
      return fault(
        message,
        'Open the service’s address in a browser on this machine; if it responds there, a firewall or a proxy blocks this program’s requests.',
      );
    case 'unreachable':
      return fault(message, networkFix(error.cause?.network, context));
    case 'upstream_error':
      return fault(message, 'Wait a few minutes and run doctor again: the service itself is failing.');
    case 'unexpected_answer':
      return fault(
        message,
        `Check BROKER_${environment.toUpperCase()}_BASE_URL (the host alone, or the host and /api/v0): another server responds there, or the service has changed.`,
      );
    default:
      return fault(message, next);
  }
}

/** The messages of these errors contain the status. */
const saysStatus = new Set<ErrorCode>(['upstream_error', 'unexpected_answer']);

const withStatus = ({ code, message, facts: { status } }: BrokerageError): string =>
  status === undefined || saysStatus.has(code) ? message : `${message.replace(/\.$/, '')} (status ${status}).`;
