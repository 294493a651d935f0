import type { Environment } from '../config.ts';

export interface Refusal {
  /** The rule's stable name. */
  readonly rule: string;
  readonly reason: string;
}

/** What our own rules say against sending orders at all, or undefined. */
export function refusal(parts: { environment: Environment; liveTrading: boolean }): Refusal | undefined {
  if (parts.environment !== 'live') return undefined;
  if (!parts.liveTrading) {
    return { rule: 'live_not_enabled', reason: 'Live orders are off: BROKER_LIVE_TRADING is not true.' };
  }
  // Real money moves only after a human's approval, and this version has no channel to ask for one.
  return {
    rule: 'approval_missing',
    reason: 'Live orders need the approval of a human, and no approval passphrase is enrolled.',
  };
}
