/** Everything that a person sees of a draft before changing it: the facts of each leg, the sums and the history. */
import type { CallContext } from '../../core/broker/types.ts';
import { listCurrencies, nameInstruments } from '../../core/instruments/name-instruments.ts';
import { approvalInForce } from '../../core/orders/halt/trading-state.ts';
import type { ApprovalMethod } from '../../core/orders/intent/approval-methods.ts';
import type { DraftLegTicket } from '../../core/orders/intent/draft-approval.ts';
import type { Refusal } from '../../core/orders/intent/refusal.ts';
import type { RiskLimits } from '../../core/orders/intent/risk-limits.ts';
import { assessDraft, type DraftAssessment, type SheetTotals, sumSheet } from './assess-draft.ts';
import type { Draft, DraftLeg, DraftVersion } from './book/draft.ts';
import { type DraftWeight, listDraftWeights } from './book/draft-plan.ts';
import { readDraft } from './book/find-draft.ts';
import {
  type DraftPhase,
  describeDraftState,
  isChecked,
  openOutcomes,
  reportLatest,
  type SubmissionReport,
} from './submission/describe-submission.ts';
import type { SubmissionDeps } from './submission/submission.ts';

/** A leg as it is now. Without a ticket the account was not read for it. */
export interface SheetLeg {
  readonly number: number;
  readonly leg: DraftLeg;
  readonly ticket?: DraftLegTicket | undefined;
  /** In the account currency; undefined when no own fill shows what such an order is charged. */
  readonly charges?: string | undefined;
  /** The first rule that the leg breaks on its own; undefined when it passes all of them, or was not checked. */
  readonly refusal?: Refusal | undefined;
}

export interface DraftSheet {
  readonly draft: Draft;
  /** The name of its account, where the owner has several. */
  readonly account?: string | undefined;
  readonly phase: DraftPhase;
  /** When it was made (ms), for times in texts. */
  readonly now: number;
  /** Oldest first. */
  readonly versions: readonly DraftVersion[];
  readonly legs: readonly SheetLeg[];
  /** Undefined when the legs were not compared with the account: while they are sent, and when the draft has ended. */
  readonly totals?: SheetTotals | undefined;
  readonly weights?: readonly DraftWeight[] | undefined;
  /** The account's number at the broker; undefined when it was not read. */
  readonly accountId?: string | undefined;
  /** Why not every leg could be compared with the account, in one sentence. */
  readonly problem?: string | undefined;
  /** Why submitting it would send none of it; undefined when it passes, or was not checked. */
  readonly refused?: DraftAssessment['refused'];
  /** The limits that it was compared with; undefined when the account was not read. */
  readonly limits?: RiskLimits | undefined;
  /** When the account was read (ms). */
  readonly asOf?: number | undefined;
  /** The names of instruments by ticker, where they are known. */
  readonly names: Readonly<Record<string, string>>;
  /** The currencies of their prices, where they are known. */
  readonly currencies: Readonly<Record<string, string>>;
  /** How a person approves orders here. */
  readonly method: ApprovalMethod | 'none';
  /** The newest attempt to send it. */
  readonly sent: SubmissionReport | undefined;
}

/** Whether legs of the draft can still leave. */
export const isOpenPhase = (phase: DraftPhase): boolean => openOutcomes.has(phase);

/** Whether the draft can neither be changed nor sent any more. */
export const isEndedPhase = (phase: DraftPhase): boolean => phase !== 'open' && !isOpenPhase(phase);

/** Reads a draft of this account and environment with the account as it is now. Throws `not_found` and `cancelled`. */
export async function readDraftSheet(deps: SubmissionDeps, draftId: string, context: CallContext): Promise<DraftSheet> {
  const sent = await reportLatest(deps, draftId, 'person');
  const { draft, versions } = await readDraft(deps, draftId);
  const now = deps.clock.now();
  const phase = describeDraftState(draft, sent, now);
  const legs = versions.at(-1)?.legs ?? [];
  const method = await deps.store.read((tx) => approvalInForce(deps.settings, tx));
  const base = { draft, account: deps.settings.account, phase, now, versions, sent, method };
  const tickers = versions.flatMap((version) => version.legs.map(({ ticker }) => ticker));
  const getInstruments = () => ({
    names: nameInstruments(deps.directory, tickers),
    currencies: listCurrencies(deps.directory, tickers),
  });
  if (!isChecked(phase))
    return { ...base, ...getInstruments(), legs: legs.map((leg, index) => ({ number: index + 1, leg })) };
  const toAssess = { legs, isForPerson: true, isSubmitted: phase !== 'open' };
  const assessment = await assessDraft(deps, toAssess, context);
  const { totals, accountId, problem, refused, limits, asOf } = assessment;
  return {
    ...base,
    legs: assessment.legs.map(({ leg, ticket, charges, refusal }, index) => ({
      number: index + 1,
      leg,
      ticket,
      charges,
      refusal,
    })),
    totals: sumSheet(
      totals,
      assessment.legs.map(({ charges }) => charges),
    ),
    weights: listDraftWeights(versions),
    ...getInstruments(),
    ...{ accountId, problem, refused, limits, asOf },
  };
}
