import { BrokerageError, type ErrorCode } from '../errors.ts';
import type { DoctorContext } from './context.ts';
import { type Finding, fault, note, ok, warning } from './finding.ts';
import { networkFix } from './network-fixes.ts';

/** One real request for the account's summary, through the chain that every tool uses: with its limits and its cache. */
export async function checkRequest(scene: DoctorContext, signal: AbortSignal): Promise<readonly Finding[]> {
  const skipped = skipReason(scene);
  if (skipped) return [skipped];
  const startedAt = performance.now();
  try {
    const { data, shared } = await scene.askSummary(signal);
    const ms = Math.round(performance.now() - startedAt);
    const how = shared ? 'was answered with what another request brought a moment ago' : `was answered in ${ms} ms`;
    const account = `account ${formatIdSuffix(data.id)} in ${data.currency ?? 'an unknown currency'}`;
    return [
      ok(`The summary ${how}: ${account}${scene.config?.environment === 'sandbox' ? ' (simulated)' : ''}.`),
      ...(await limitSeen(scene)),
    ];
  } catch (error) {
    if (!(error instanceof BrokerageError)) throw error;
    return [judge(error, scene)];
  }
}

/** Why nothing is sent; undefined when it is. */
export function skipReason({ config, isOffline }: DoctorContext): Finding | undefined {
  if (isOffline) return note('Not looked at: --offline sends nothing.', 'Run doctor without --offline.');
  const isReady = config && (config.environment === 'sandbox' || (config.baseUrl && config.credentials));
  return isReady
    ? undefined
    : note('Not looked at: the configuration is not complete.', 'Mend what "configuration" tells.');
}

/** Enough to tell two accounts apart, and no more. */
const formatIdSuffix = (id: string | undefined) =>
  id === undefined ? 'without a number' : `…${id.slice(-Math.min(4, Math.floor(id.length / 2)))}`;

async function limitSeen(scene: DoctorContext): Promise<Finding[]> {
  const rows = await scene.parts().services.allowance();
  const row = rows.find(({ endpoint }) => endpoint === 'GET /equity/account/summary');
  if (!row) return [];
  const source = row.source === 'headers' ? 'as its headers say' : 'as the interface says, without headers';
  return [ok(`Its limit is ${row.limit} per ${row.periodSeconds} s (${source}); ${row.free} free now.`)];
}

function judge(error: BrokerageError, scene: DoctorContext): Finding {
  const { code, next, facts } = error;
  const message = withStatus(error);
  // The limits are kept there, and waiting for it takes the time of the request.
  if (code === 'timeout' && scene.parts().services.getStoreError() !== undefined)
    return note('Not known: the store held the request up.', 'Mend what "store" tells.');
  const environment = scene.config?.environment ?? '';
  switch (code) {
    case 'unauthorized':
      return fault(
        message,
        scene.config?.credentials?.secret === undefined
          ? `Check that the key is one of the ${environment} environment (BROKER_ENV), and whole; if it was made with a secret, set BROKER_API_SECRET_FILE too.`
          : `Check that key and secret are those of the ${environment} environment (BROKER_ENV), whole and in this order; else make a new pair in the broker’s application.`,
      );
    case 'forbidden':
      return fault(
        message,
        'Give the key the permission to read the account in the broker’s application, or make a new one that has it.',
      );
    case 'rate_limited':
      return warning(
        message,
        `Wait ${facts.retryAfterSeconds ?? 60} s and run doctor again; if it stays, end the other program that uses this account’s key.`,
      );
    case 'timeout':
      return fault(
        message,
        'Try the service’s address in a browser of this machine; if it answers there, a firewall or a proxy holds this program’s requests.',
      );
    case 'unreachable':
      return fault(message, networkFix(error.cause?.network, scene));
    case 'upstream_error':
      return fault(message, 'Wait some minutes and run doctor again: the service itself fails.');
    case 'unexpected_answer':
      return fault(
        message,
        `Check BROKER_${environment.toUpperCase()}_BASE_URL (the host alone, or the host and /api/v0): something else answers there, or the service has changed.`,
      );
    default:
      return fault(message, next);
  }
}

/** The sentences of these errors say the status. */
const saysStatus = new Set<ErrorCode>(['upstream_error', 'unexpected_answer']);

const withStatus = ({ code, message, facts: { status } }: BrokerageError): string =>
  status === undefined || saysStatus.has(code) ? message : `${message.replace(/\.$/, '')} (status ${status}).`;
