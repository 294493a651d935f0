/**
 * Binds the key to the address of the live service that the owner enrolled. Otherwise a variable could send it to another
 * host with the first read.
 */
import { serviceName } from '../../broker/service-url.ts';
import { BrokerageError } from '../../errors.ts';
import type { JournalView } from '../../orders/intent/ports.ts';
import type { Environment } from '../../settings/config.ts';
import { readEnrolment } from './enrollment.ts';
import { isLiveKey, isLiveOrigin } from './live-origin-guard.ts';

/** Where a process sends the key. */
export interface KeyDestination {
  readonly environment: Environment;
  readonly address: string;
  readonly keyHash: string | undefined;
}

/** The enrolled address, if the key must not be sent to the configured one; otherwise undefined. */
export async function findOtherAddress(
  tx: JournalView,
  { environment, address, keyHash }: KeyDestination,
): Promise<string | undefined> {
  const enrolled = (await readEnrolment(tx))?.origin;
  if (enrolled === undefined || enrolled === serviceName(address)) return undefined;
  if (environment === 'live') return enrolled;
  return (await isLiveKey(tx, keyHash)) && !(await isLiveOrigin(tx, address)) ? enrolled : undefined;
}

/** One sentence for a refusal of orders and the error of a request. */
export const describeOtherAddress = (enrolled: string, configured: string): string =>
  `The key is enrolled for ${enrolled}, and this server is set to ${serviceName(configured)}, so the key is not sent.`;

export const otherAddressError = (enrolled: string, configured: string): BrokerageError =>
  new BrokerageError(
    'not_configured',
    describeOtherAddress(enrolled, configured),
    'Correct the base URL. If the service has moved, the owner must run brokerage-mcp enroll in a terminal, which shows both addresses.',
    { problem: 'other_address', enrolled, configured: serviceName(configured) },
  );
