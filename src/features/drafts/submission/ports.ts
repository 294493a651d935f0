/** What an attempt to send a draft needs from the store and from the other parts. */

import type { TradingSettings } from '../../../core/approval/enrollment/trading-settings.ts';
import type { Broker } from '../../../core/broker/types.ts';
import type { Clock } from '../../../core/clock.ts';
import type { InstrumentDirectory } from '../../../core/instruments/instrument-directory.ts';
import type { SnapshotReader } from '../../../core/orders/account/account-snapshot.ts';
import type {
  ApprovalChannels,
  JournalChange,
  JournalView,
  ProcessRegistry,
} from '../../../core/orders/intent/ports.ts';
import type { RiskLimits } from '../../../core/orders/intent/risk-limits.ts';
import type { OrderManager } from '../../../core/orders/order-manager.ts';
import type { History } from '../../history/history-port.ts';
import type { DraftChange, DraftView } from '../book/ports.ts';
import type { Submission, SubmissionLeg, SubmissionState } from './submission.ts';

/** Reads of one transaction, of drafts, their attempts and the orders. */
export interface SubmissionView extends DraftView, JournalView {
  findSubmission(id: string): Promise<Submission | undefined>;
  /** Newest first. */
  listSubmissions(filter: {
    readonly accountKey?: string;
    readonly environment?: string;
    readonly draftId?: string;
    readonly repeatOf?: string;
    readonly states?: readonly SubmissionState[];
    readonly createdSince?: number;
    readonly handle?: string;
    readonly nonce?: string;
  }): Promise<readonly Submission[]>;
  /** In the order of their numbers. */
  listSubmissionLegs(submissionId: string): Promise<readonly SubmissionLeg[]>;
}

export interface SubmissionChange extends SubmissionView, DraftChange, JournalChange {
  findSubmission(id: string): Promise<Submission | undefined>;
  insertSubmission(submission: Submission, legs: readonly SubmissionLeg[]): Promise<void>;
  /** The attempt no longer uses up the repetition of the one that it names, because it sent nothing. */
  releaseRepetition(id: string): Promise<void>;
  /** Compare-and-set on the state; undefined when it is another one by then. */
  moveSubmission(id: string, from: SubmissionState, change: Partial<Submission>): Promise<Submission | undefined>;
}

/** The store of all processes. Both functions throw `store_unavailable`. */
export interface SubmissionStore {
  change<Result>(work: (tx: SubmissionChange) => Promise<Result>): Promise<Result>;
  read<Result>(work: (tx: SubmissionView) => Promise<Result>): Promise<Result>;
}

export interface SubmissionDeps {
  readonly store: SubmissionStore;
  readonly clock: Clock;
  readonly processes: ProcessRegistry;
  readonly settings: TradingSettings;
  readonly environment: string;
  readonly broker: Broker;
  readonly directory: InstrumentDirectory;
  readonly facts: SnapshotReader;
  /** Own fills, which show what orders are charged. */
  readonly history: History;
  readonly orderManager: Pick<OrderManager, 'placeLeg'>;
  readonly channels: ApprovalChannels;
  /** The limits in force now. */
  readonly limits: (tx: JournalView) => Promise<RiskLimits>;
  readonly accountKey: () => Promise<string>;
  /** A read-only process submits nothing and sends no leg. It can still discard a draft, which stops it. */
  readonly readOnly: boolean;
}
