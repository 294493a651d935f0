/** Programs that share one store and one broker. Each can be killed wherever it waits, and then does nothing more. */

import { createApprovals } from '../../../../../src/core/approval/approval-service.ts';
import type { Security } from '../../../../../src/core/approval/enrollment/enrollment.ts';
import type { TradingSettings } from '../../../../../src/core/approval/enrollment/live-origin-guard.ts';
import type { BrokerageError } from '../../../../../src/core/errors.ts';
import { BrokerageError as StoreError } from '../../../../../src/core/errors.ts';
import { createSnapshotReader } from '../../../../../src/core/orders/account/account-snapshot.ts';
import { currentLimits } from '../../../../../src/core/orders/halt/trading-state.ts';
import type { ApprovalMethod } from '../../../../../src/core/orders/intent/approval-methods.ts';
import type { Intent } from '../../../../../src/core/orders/intent/intent.ts';
import type { WriteIntent } from '../../../../../src/core/orders/intent/journal-port.ts';
import type { ConfiguredLimits } from '../../../../../src/core/orders/intent/risk-limits.ts';
import type { IntentState } from '../../../../../src/core/orders/intent/states.ts';
import { createOrderManager } from '../../../../../src/core/orders/order-manager.ts';
import type { Engine } from '../../../../../src/core/store/engine.ts';
import { createJournal } from '../../../../../src/core/store/journal-table.ts';
import type { Draft, DraftVersion } from '../../../../../src/features/drafts/book/draft.ts';
import { createDraftApprovals } from '../../../../../src/features/drafts/submission/draft-approvals.ts';
import type {
  Submission,
  SubmissionChange,
  SubmissionDeps,
  SubmissionLeg,
} from '../../../../../src/features/drafts/submission/submission.ts';
import { createSubmissions } from '../../../../../src/features/drafts/submission/submissions.ts';
import { type Book, prices } from './broker.ts';
import type { VirtualClock } from './virtual-clock.ts';

export const accountKey = 'account';
export const environment = 'demo';
export const passphrase = 'only the owner knows this';

/** What a transaction did that the rules of the model are about. It is told before any other transaction begins. */
export interface Watched {
  inserted(intent: Intent): void;
  moved(intentId: string, from: IntentState, change: Partial<Intent>): void;
  submitted(submission: Submission, legs: readonly SubmissionLeg[]): void;
  submissionMoved(submission: Submission): void;
  versionAdded(version: DraftVersion): void;
}

export interface WorldOptions {
  readonly clock: VirtualClock;
  readonly book: Book;
  readonly engine: Engine;
  readonly approval: ApprovalMethod | 'none';
  readonly limits: ConfiguredLimits;
  readonly watched: Watched;
}

export interface Program {
  readonly name: string;
  readonly deps: SubmissionDeps;
  readonly submissions: ReturnType<typeof createSubmissions>;
  readonly approvals: ReturnType<typeof createDraftApprovals>;
  readonly orderManager: ReturnType<typeof createOrderManager>;
  readonly state: ProgramState;
}

interface ProgramState {
  isDead: boolean;
  /** It is killed at the point after this many. */
  pointsLeft: number;
}

/** How the store fails next: before a transaction, or after it was committed and before its caller knows. */
export interface StoreFailure {
  kind: 'before' | 'afterCommit';
  /** Transactions until it begins, and that fail then. */
  after: number;
  times: number;
}

const never = new Promise<never>(() => undefined);

export function createWorld(options: WorldOptions) {
  const { clock, engine, watched } = options;
  const base = createJournal<Intent, WriteIntent, Draft, DraftVersion, Submission, SubmissionLeg>(engine, clock);
  const programs: Program[] = [];
  const shared = { failure: undefined as StoreFailure | undefined, inStore: 0, isMistaken: false, started: 0 };

  /** Nothing but time can change anything any more. */
  const settle = async () => {
    for (let quiet = 0; quiet < 2; quiet++) {
      await new Promise((resolve) => setImmediate(resolve));
      if (shared.inStore > 0) quiet = -1;
    }
  };

  const change = async <Result>(work: (tx: SubmissionChange) => Promise<Result>): Promise<Result> => {
    shared.inStore++;
    try {
      return await base.change(async (tx) => {
        const told: (() => void)[] = [];
        const result = await work(watch(tx as unknown as SubmissionChange, told, watched));
        for (const tell of told) tell();
        return result;
      });
    } finally {
      shared.inStore--;
    }
  };
  const read: SubmissionDeps['store']['read'] = async (work) => {
    shared.inStore++;
    try {
      return await base.read((tx) => work(tx as never));
    } finally {
      shared.inStore--;
    }
  };

  const start = (): Program => {
    const program = createProgram(options, `p${++shared.started}`, { change, read }, programs, shared);
    programs.push(program);
    return program;
  };
  return { programs, shared, store: { change, read }, settle, start };
}

export type World = ReturnType<typeof createWorld>;

/** Tells what the transaction does, at its end. */
function watch(tx: SubmissionChange, told: (() => void)[], watched: Watched): SubmissionChange {
  return {
    ...tx,
    insert: async (intent) => {
      await tx.insert(intent);
      told.push(() => watched.inserted(intent));
    },
    move: async (id, from, next) => {
      const moved = await tx.move(id, from, next);
      if (moved) told.push(() => watched.moved(id, from, next));
      return moved;
    },
    insertSubmission: async (submission, legs) => {
      await tx.insertSubmission(submission, legs);
      told.push(() => watched.submitted(submission, legs));
    },
    moveSubmission: async (id, from, next) => {
      const moved = await tx.moveSubmission(id, from, next);
      if (moved) told.push(() => watched.submissionMoved(moved));
      return moved;
    },
    insertVersion: async (version) => {
      await tx.insertVersion(version);
      told.push(() => watched.versionAdded(version));
    },
  };
}

const instruments = Object.keys(prices).map((ticker) => ({
  ticker,
  type: 'STOCK',
  name: ticker,
  currencyCode: 'GBP',
  workingScheduleId: '1',
}));

const unavailable = (): BrokerageError =>
  new StoreError('store_unavailable', 'The store cannot be used.', 'Try again.', {}, { store: 'disk_trouble' });

function createProgram(
  { clock, book, approval, limits: configured }: WorldOptions,
  name: string,
  base: SubmissionDeps['store'],
  programs: readonly Program[],
  shared: World['shared'],
): Program {
  const state: ProgramState = { isDead: false, pointsLeft: Number.POSITIVE_INFINITY };
  const gate = async (): Promise<void> => {
    if (!state.isDead && state.pointsLeft-- > 0) return undefined;
    state.isDead = true;
    return never;
  };
  const fails = (kind: StoreFailure['kind']): boolean => {
    const { failure } = shared;
    if (failure?.kind !== kind || failure.times === 0) return false;
    if (failure.after > 0) {
      failure.after--;
      return false;
    }
    failure.times--;
    return true;
  };
  const guarded =
    <Work, Result>(run: (work: Work) => Promise<Result>, isChange: boolean) =>
    async (work: Work): Promise<Result> => {
      await gate();
      if (fails('before')) throw unavailable();
      const result = await run(work);
      await gate();
      if (isChange && fails('afterCommit')) throw unavailable();
      return result;
    };
  const store = {
    change: guarded(base.change as never, true),
    read: guarded(base.read as never, false),
  } as unknown as SubmissionDeps['store'];
  const own: VirtualClock = {
    ...clock,
    sleep: async (ms, signal) => {
      await gate();
      await clock.sleep(ms, signal).finally(() => (state.isDead ? never : undefined));
    },
  };
  const processes = {
    self: name,
    isAlive: (owner: string) =>
      owner === name || (!shared.isMistaken && programs.some((other) => other.name === owner && !other.state.isDead)),
  };
  const settings: TradingSettings = {
    environment,
    origin: undefined,
    liveTrading: false,
    approval,
    haltFile: () => false,
  };
  const security: Security = {
    enrolment: async () => undefined,
    check: async (typed) =>
      typed === passphrase ? { kind: 'right' } : ({ kind: 'wrong_passphrase', failures: 1 } as never),
    enrol: async () => ({ clients: 0, passkeys: 0 }),
  };
  const journal = store as never;
  const broker = book.connect(own, gate);
  const directory: SubmissionDeps['directory'] = {
    lastList: () => undefined,
    instruments: async () => ({
      instruments: instruments as never,
      byTicker: (ticker) => instruments.find((one) => one.ticker === ticker) as never,
      answeredAt: own.now(),
      unreadable: 0,
    }),
    exchanges: async () => ({ exchanges: openExchange as never, answeredAt: own.now(), unreadable: 0 }),
    getOrThrow: async (ticker) => instruments.find((one) => one.ticker === ticker) as never,
  };
  const facts = createSnapshotReader(broker, own);
  const channels = { pageUrl: async () => undefined, opensBrowser: false };
  const limits: SubmissionDeps['limits'] = (tx) => currentLimits({ settings, configuredLimits: configured }, tx);
  const common = { clock: own, processes, settings, broker, directory, facts, channels };
  const orderManager = createOrderManager({
    ...common,
    journal,
    configuredLimits: configured,
    approvals: createApprovals({ journal, clock: own, security, settings }),
    accountKey: async () => accountKey,
    identifyAccount: async () => accountKey,
    readOnly: false,
  });
  const noHistory = { derive: async () => Promise.reject(new StoreError('timeout' as never, 'No history.', 'Wait.')) };
  const deps: SubmissionDeps = {
    ...common,
    store,
    environment,
    history: noHistory as never,
    orderManager,
    limits,
    accountKey: async () => accountKey,
    readOnly: false,
  };
  const approvals = createDraftApprovals({ store, clock: own, processes, security, settings, limits });
  return { name, deps, approvals, orderManager, submissions: createSubmissions(deps, approvals), state };
}

const openExchange = [
  {
    id: '1',
    name: 'Exchange',
    workingSchedules: [{ id: '1', timeEvents: [{ date: '2026-01-15T08:00:00Z', type: 'OPEN' }] }],
  },
];
