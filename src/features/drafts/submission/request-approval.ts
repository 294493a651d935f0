/** Creates what a person is shown before approving a draft, from facts alone and without text of the model. */
import { randomBytes } from 'node:crypto';
import Big from 'big.js';
import { draftDigest, legDigest } from '../../../core/approval/draft-digest.ts';
import type { ApprovalMethod } from '../../../core/orders/intent/approval-methods.ts';
import type { DraftApproval, DraftLegTicket, DraftTicket } from '../../../core/orders/intent/draft-approval.ts';
import { maxApprovalMs } from '../../../core/orders/intent/intent.ts';
import { cashAfterAll, sumCharges } from '../order-outlook.ts';
import { createLegTickets, type DraftFacts } from './draft-facts.ts';
import type { Submission } from './submission.ts';

/** Time to approve a draft, for the first legs and for each further one. */
const baseMs = 120_000;
const perLegMs = 10_000;
const legsInBase = 3;

/** Milliseconds in which a person can approve a draft with this number of legs. */
const getApprovalMs = (legs: number): number =>
  Math.min(maxApprovalMs, baseMs + Math.max(0, legs - legsInBase) * perLegMs);

/** What an approval of a draft is created from. `repeats` has the repeated intents by the number of the leg. */
export interface ApprovalInput {
  readonly facts: DraftFacts;
  readonly repeats: ReadonlyMap<number, string>;
  /** Estimated for each leg of the facts, in the account currency; undefined when unknown. */
  readonly charges: readonly (string | undefined)[];
  /** The approval that is required. */
  readonly method: ApprovalMethod;
  readonly now: number;
  /** The name of the account, where the owner has several. */
  readonly account?: string | undefined;
}

/** Creates the approval request of an attempt, with a random handle and nonce. */
export function createDraftApproval(
  submission: Omit<Submission, 'approval' | 'state' | 'endsAt'>,
  input: ApprovalInput,
): DraftApproval {
  const { facts, repeats, method, now } = input;
  const approval = {
    handle: randomBytes(24).toString('base64url'),
    method,
    nonce: randomBytes(16).toString('hex'),
    askedAt: now,
    expiresAt: now + getApprovalMs(facts.legs.length),
    legs: facts.legs.map(({ number, order }) => ({ number, digest: legDigest(number, order, repeats.get(number)) })),
    // Converted through JSON, the form in the store, so that every reader computes the digest from the same bytes.
    ticket: JSON.parse(JSON.stringify(createDraftTicket(submission, input))) as DraftTicket,
  };
  return { ...approval, digest: draftDigest(submission, approval) };
}

function createDraftTicket(
  { id, draftId, version, environment }: Pick<Submission, 'id' | 'draftId' | 'version' | 'environment'>,
  { facts, repeats, charges, now, account }: ApprovalInput,
): DraftTicket {
  const { exchanges, limits, own } = facts;
  const legs = createLegTickets(facts.legs, { environment, limits, repeats, own, exchanges, now });
  return {
    submissionId: id,
    draftId,
    version,
    environment,
    account,
    legs,
    totals: sumTickets(legs, charges, facts),
  };
}

function sumTickets(
  legs: readonly DraftLegTicket[],
  charges: readonly (string | undefined)[],
  { cash, legs: [first] }: DraftFacts,
): DraftTicket['totals'] {
  const shares = legs.flatMap(({ ticket }) => ticket.estimate.percentOfAccount ?? []);
  const [bought, sold] = [sumValues(legs, 'BUY', 'value'), sumValues(legs, 'SELL', 'value')];
  const unknownValues = legs.filter(({ ticket }) => ticket.estimate.value === undefined).length;
  return {
    bought,
    sold,
    currency: legs.find(({ ticket }) => ticket.estimate.currency !== undefined)?.ticket.estimate.currency,
    unknownValues,
    worst: sumValues(legs, 'BUY', 'worst'),
    charges: sumCharges(charges),
    cash: cash && {
      before: cash.toFixed(2),
      after: unknownValues > 0 ? undefined : cashAfterAll(cash, { bought, sold, charges }),
    },
    largestPercent: shares.toSorted((a, b) => new Big(b).cmp(a))[0],
    largestShare: findLargestShare(legs, first?.facts.summary.totalValue),
  };
}

const sumValues = (legs: readonly DraftLegTicket[], side: string, value: 'value' | 'worst'): string =>
  legs
    .filter(({ ticket }) => ticket.order.side === side)
    .reduce((total, { ticket }) => total.plus(ticket.estimate[value] ?? 0), new Big(0))
    .toFixed(2);

/** Of the worst cases, as the percentages of the legs are. Legs of unknown value count for nothing. */
function findLargestShare(
  legs: readonly DraftLegTicket[],
  account: string | undefined,
): DraftTicket['totals']['largestShare'] {
  if (account === undefined || !new Big(account).gt(0)) return undefined;
  const values = new Map<string, Big>();
  for (const { ticket } of legs) {
    const { order, estimate } = ticket;
    if (estimate.worst !== undefined)
      values.set(order.ticker, new Big(estimate.worst).plus(values.get(order.ticker) ?? 0));
  }
  const [largest] = [...values].toSorted(([, a], [, b]) => b.cmp(a));
  return largest && { ticker: largest[0], percent: largest[1].div(account).times(100).toFixed(1) };
}
