/** One attempt to send the legs of a version of a draft. */

import { draftApprovalMs } from '../../../core/approval/draft-digest.ts';
import type { TradingSettings } from '../../../core/approval/enrollment/live-origin-guard.ts';
import type { Broker } from '../../../core/broker/types.ts';
import { type Clock, holdsUntil } from '../../../core/clock.ts';
import type { InstrumentDirectory } from '../../../core/instruments/instrument-directory.ts';
import type { ProcessRegistry } from '../../../core/lease.ts';
import type { SnapshotReader } from '../../../core/orders/account/account-snapshot.ts';
import type { DraftApproval } from '../../../core/orders/intent/draft-approval.ts';
import type { LegReference } from '../../../core/orders/intent/intent.ts';
import type { ApprovalChannels, JournalChange, JournalView } from '../../../core/orders/intent/journal-port.ts';
import type { RuleName } from '../../../core/orders/intent/refusal.ts';
import type { RiskLimits } from '../../../core/orders/intent/risk-limits.ts';
import type { OrderManager } from '../../../core/orders/order-manager.ts';
import type { History } from '../../history/history-port.ts';
import type { DraftChange, DraftView } from '../book/draft.ts';

/** The states in which an attempt can still send a leg. The database allows one such attempt per account. */
export const openStates = ['awaiting_approval', 'sending'] as const;

const endStates = ['done', 'stopped', 'declined', 'expired'] as const;

export type SubmissionState = (typeof openStates)[number] | (typeof endStates)[number];

/** The outcomes that change without a call. */
export const openOutcomes = ['pending_approval', 'sending', 'waiting_for_fills'] as const;
export type OpenOutcome = (typeof openOutcomes)[number];

/** What a report says of an attempt. The outcomes are public. */
export const submissionOutcomes = [...openOutcomes, ...endStates, 'refused'] as const;
export type SubmissionOutcome = (typeof submissionOutcomes)[number];

/** What ended an attempt before a leg was sent, where it was not the outcome of another leg. */
export const unsentCauses = ['stopped', 'discarded', 'halted', 'time'] as const;
export type UnsentCause = (typeof unsentCauses)[number];

/** Times are milliseconds since 1970. */
export interface Submission {
  /** 128 random bits in hexadecimal. */
  readonly id: string;
  readonly draftId: string;
  readonly version: number;
  readonly accountKey: string;
  readonly environment: string;
  readonly state: SubmissionState;
  readonly createdAt: number;
  /** No leg leaves after this time. */
  readonly endsAt: number;
  /** `readHaltCount` when it was created: a halt since then stops it. */
  readonly haltCount: number;
  /** The attempt that this one repeats on purpose. */
  readonly repeatOf?: string | undefined;
  /** The process that takes the next step, and the time until which no other process may. */
  readonly owner?: string | undefined;
  readonly leaseUntil?: number | undefined;
  /** Why it stopped, and the rule that stopped it if one did; `endedBy` where it was someone. */
  readonly rule?: RuleName | undefined;
  readonly endedBy?: 'stop' | 'discard' | undefined;
  readonly reason?: string | undefined;
  /** Undefined where orders need no approval. */
  readonly approval?: DraftApproval | undefined;
  /** What the owner should know although it stops nothing. */
  readonly warnings?: readonly string[] | undefined;
}

/**
 * A leg of an attempt. `waiting`: it has no intent, and its limits are reserved while the attempt is open. `taken`: it
 * has one.
 */
export interface SubmissionLeg extends LegReference {
  readonly state: 'waiting' | 'taken';
  /** Its place in the sequence, from 0: sells first. */
  readonly position: number;
  /** The worst-case value in the account currency; undefined when unknown. */
  readonly value?: string | undefined;
  /** A buy that waits for the fills of the sells, because the present cash is not enough. */
  readonly isDependent: boolean;
  /** The intent that the order of this leg repeats on purpose. */
  readonly repeatOf?: string | undefined;
}

/** Whether it can still send a leg. */
export const isOpenSubmission = ({ state }: Pick<Submission, 'state'>): boolean =>
  (openStates as readonly string[]).includes(state);

/** Milliseconds in which the legs of an attempt can be sent: the time that its approval lasts. */
export const submissionMs = draftApprovalMs;

/** Longer (ms) than one leg can take, so that a process that is alive keeps its lease. */
export const leaseMs = 90_000;

/** Whether no leg of an attempt may leave any more, because its time has passed. */
export const isPastEnd = ({ endsAt }: Pick<Submission, 'endsAt'>, now: number): boolean =>
  !holdsUntil(endsAt, now, submissionMs);

// What an attempt to send a draft needs from the store and from the other parts.

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
