/** The journal's record of one write that is not an order. */

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
  /** Rejected by this server: nothing reached the broker. */
  readonly wasKeptBack?: boolean | undefined;
}
