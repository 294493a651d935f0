import { BrokerageError, type ErrorCode } from '../../core/errors.ts';
import { orElse } from '../../core/log.ts';
import { type DoctorContext, type Finding, fault, note, ok, warning } from './context.ts';

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

/** Approvals are valid for two minutes, and recovery finds lost orders by time. */
const warnSeconds = 5;
const faultSeconds = 60;

/** Compares this machine's clock with the service's, by the Date header of the test request. */
export async function checkClock(context: DoctorContext, signal: AbortSignal): Promise<readonly Finding[]> {
  const skipped = skipReason(context);
  if (skipped) return [skipped];
  const answer = await context.askSummary(signal).catch(orElse('doctor', undefined));
  if (!answer) return [note('Unknown: the request got no response.', 'Fix the problem reported by "request".')];
  if (answer.serviceOffsetMs === undefined)
    return [
      answer.shared
        ? note('Unknown: the response was shared with an earlier request.', 'Run doctor again in a few seconds.')
        : note('Unknown: the service does not send its time.', 'Compare the clock with another one.'),
    ];
  // The header is cut to full seconds, so the average error is half a second.
  const seconds = Math.round((answer.serviceOffsetMs + 500) / 1_000);
  const distance = Math.abs(seconds);
  const says = `This machine’s clock is ${distance} s ${seconds > 0 ? 'behind' : 'ahead of'} the service’s`;
  if (distance <= warnSeconds) return [ok(`Within ${Math.max(1, distance)} s of the service’s.`)];
  const fix = fixFor(context.terminal.platform);
  if (distance <= faultSeconds) return [warning(`${says}.`, fix)];
  return [fault(`${says}: rate limits, approvals and the search for lost orders depend on it.`, fix)];
}

const fixFor = (platform: string): string => {
  const commands: Readonly<Record<string, string>> = {
    linux: 'sudo timedatectl set-ntp true',
    darwin: 'sudo sntp -sS time.apple.com',
    win32: 'w32tm /resync',
  };
  return `Synchronise the clock with the network: ${commands[platform] ?? 'see the manual of your system'} (in a virtual machine or a container, on its host).`;
};

const certificate =
  'The certificate is not trusted: another server may be responding in place of the service. Behind a company’s TLS-inspecting proxy, set NODE_EXTRA_CA_CERTS to its certificate file; otherwise stop, and check the base URL and the network.';

/** Fixes by error code of the network. */
const fixes: readonly (readonly [RegExp, string])[] = [
  [/ENOTFOUND/, 'Check the spelling of HOST in the base URL, and whether this machine can resolve other names.'],
  [/EAI_AGAIN/, 'DNS is not available: check the network connection of this machine.'],
  [
    /ECONNREFUSED/,
    'Nothing listens at this address: check the host and the port of the base URL, and whether the service runs.',
  ],
  [/EPROTO|WRONG_VERSION|_SSL_|SSL_/, 'The server at this address does not use TLS: check the port of the base URL.'],
  [/ALTNAME/, 'The certificate is for another name: check the host of the base URL.'],
  [
    /EXPIRED|NOT_YET_VALID/,
    'Check the date and the clock of this machine; if they are correct, the service’s certificate has expired.',
  ],
  [/CERT|SIGNATURE|ISSUER/, certificate],
  [
    /EHOSTUNREACH|ENETUNREACH|ETIMEDOUT|TIMEOUT/,
    'Check the network connection of this machine, its VPN and its firewall.',
  ],
];

function networkFix(code = '', { terminal, config }: DoctorContext): string {
  const host = config?.baseUrl === undefined ? 'the host' : new URL(config.baseUrl).hostname;
  const fix = fixes.find(([pattern]) => pattern.test(code))?.[1] ?? 'Check the network and the base URL.';
  const found = fix.replace('HOST', host);
  const proxy = ['HTTPS_PROXY', 'https_proxy', 'ALL_PROXY'].find((name) => terminal.env[name]);
  return proxy ? `${found} (${proxy} is set, but this program does not use it.)` : found;
}
