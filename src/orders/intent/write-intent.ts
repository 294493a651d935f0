/** One write that is not an order, as the journal keeps it. */

export interface WriteIntent {
  readonly id: string;
  readonly kind: 'write';
  readonly state: 'SENDING' | 'DONE' | 'REJECTED' | 'UNKNOWN';
  readonly environment: string;
  readonly accountKey: string;
  readonly fingerprint: string;
  readonly endpoint: string;
  readonly createdAt: number;
  readonly changedAt: number;
  readonly sender: string;
  readonly reason?: string | undefined;
  /** REJECTED here: nothing reached the broker. */
  readonly wasKeptBack?: boolean | undefined;
}
