import type { OrderRequest } from './request.ts';
import type { IntentState } from './states.ts';

/** One decision to place one order. The row holds all that a restart needs to know, and no secret. */
export interface Intent {
  /** 128 random bits, made by the server; never by the model. */
  readonly id: string;
  readonly state: IntentState;
  readonly environment: string;
  readonly accountKey: string;
  readonly fingerprint: string;
  readonly request: OrderRequest;
  readonly createdAt: number;
  readonly changedAt: number;
  /** When the bytes were allowed to leave. */
  readonly sentAt?: number | undefined;
  readonly orderId?: string | undefined;
  /** The status that the broker gave in its answer. */
  readonly orderStatus?: string | undefined;
  /** The rule of ours that refused it. */
  readonly rule?: string | undefined;
  /** One sentence on why it is in this state. */
  readonly reason?: string | undefined;
  /** The broker's own code, when it rejected the order. */
  readonly brokerCode?: string | undefined;
  /** What the broker's echo had different from the request. */
  readonly mismatch?: readonly string[] | undefined;
}
