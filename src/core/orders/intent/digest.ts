import { createHash } from 'node:crypto';
import type { Intent } from './intent.ts';

/**
 * Returns the SHA-256 (hexadecimal) that an approval is bound to. It covers the order, the account, the intent, the
 * expiry time and everything that the human was shown, and changes with any of them.
 */
export function approvalDigest(
  intent: Pick<Intent, 'id' | 'environment' | 'accountKey' | 'request' | 'fingerprint'>,
  approval: Pick<NonNullable<Intent['approval']>, 'nonce' | 'expiresAt' | 'ticket'>,
): string {
  const { type, ticker, side, quantity, limitPrice, stopPrice, timeValidity, extendedHours } = intent.request;
  const order = [type, ticker, side, quantity, limitPrice, stopPrice, timeValidity, extendedHours ?? false];
  const bound = [
    intent.environment,
    intent.accountKey,
    intent.id,
    intent.fingerprint,
    order,
    approval.nonce,
    approval.expiresAt,
    approval.ticket,
  ];
  return createHash('sha256').update(JSON.stringify(bound)).digest('hex');
}
