/** Where a person can approve a draft that waits: starts the page, and says how. */

import Big from 'big.js';
import {
  instrumentFacts,
  writeOrder,
  writePlace,
  writeTerms,
  writeValue,
} from '../../../core/approval/ticket-facts.ts';
import { maxFormLength, writeFact, writeForm } from '../../../core/approval/ticket-text.ts';
import { type ApprovalMethod, describeWay, methodFacts } from '../../../core/orders/intent/approval-methods.ts';
import type { DraftApproval, DraftLegTicket, DraftTicket } from '../../../core/orders/intent/draft-approval.ts';
import type { ApprovalChannels } from '../../../core/orders/intent/journal-port.ts';
import { countOf } from '../../../core/text/count-of.ts';
import { listMarks, ticketTotals } from '../draft-ticket-facts.ts';
import type { SubmissionReport } from './describe-submission.ts';
import type { SubmissionDeps } from './submission.ts';

/** What the caller can show to its user. */
export interface HostAbilities {
  readonly canAsk?: boolean | undefined;
  readonly canOpen?: boolean | undefined;
}

/** What the caller shows to its user: a form, or an address to open. The response names the nonce. */
export interface DraftPrompt {
  readonly nonce: string;
  readonly ticket: DraftTicket;
  readonly address?: string | undefined;
  /** What was wrong with the form before. */
  readonly problem?: string | undefined;
}

export interface Announced {
  readonly report: SubmissionReport;
  readonly ask?: DraftPrompt | undefined;
}

/** Completes the report of a draft that waits for a person; any other report stays as it is. */
export async function announceApproval(
  { store, channels, readOnly }: Pick<SubmissionDeps, 'store' | 'channels' | 'readOnly'>,
  report: SubmissionReport,
  host: HostAbilities = {},
): Promise<Announced> {
  const submission = await store.read((tx) => tx.findSubmission(report.submissionId));
  const { approval } = submission ?? {};
  if (!report.approval || !approval) return { report };
  // A read-only server serves no approval page.
  const address = readOnly ? undefined : await getPageUrl(channels, approval);
  const method = getUsedMethod(approval);
  const { nonce, ticket, form } = approval;
  const command = `drafts submit ${report.draftId}`;
  const words = { what: 'the draft', asked: 'the number of orders and their total', command };
  const how = describeWay(method, { address, form, canAsk: host.canAsk, words });
  const asksForm = methodFacts[method].hostOpens === 'form' && host.canAsk;
  const asksPage = address !== undefined && host.canOpen;
  return {
    report: { ...report, approval: { ...report.approval, how, address } },
    ask: asksForm ? { nonce, ticket } : asksPage ? { nonce, ticket, address } : undefined,
  };
}

/** Starts the page of a draft, and returns its address; undefined where the draft is not approved on a page. */
export async function getPageUrl(
  channels: ApprovalChannels,
  approval: Pick<DraftApproval, 'method' | 'ticket' | 'handle'>,
): Promise<string | undefined> {
  return methodFacts[getUsedMethod(approval)].hostOpens === 'page' ? channels.pageUrl(approval.handle) : undefined;
}

/** What no form can show is approved on the page instead, which is stricter. */
const getUsedMethod = ({ method, ticket }: Pick<DraftApproval, 'method' | 'ticket'>): ApprovalMethod =>
  methodFacts[method].hostOpens === 'form' && !canUseForm(ticket) ? 'page' : method;

// The form of a host for a draft: all facts in one text, and what a person types to approve.

/** More legs than this need the page or the terminal, because a form is too short to read them. */
const maxLegs = 10;

/**
 * Whether a form can show every fact of a draft, with what was wrong with the form before, and its total is that of
 * every leg.
 */
export const canUseForm = (ticket: DraftTicket, problem = ''): boolean =>
  ticket.legs.length <= maxLegs &&
  ticket.totals.unknownValues === 0 &&
  [problem, ...listFacts(ticket)].join('\n').trim().length <= maxFormLength;

/**
 * Describes a draft in a form: facts first, and text from other sources last, where it may be cut. Only for a draft
 * that a form can show. `problem` is what was wrong with the form before.
 */
export function writeDraftForm(ticket: DraftTicket, problem = ''): string {
  const names = ticket.legs.map(({ ticket: leg }) =>
    instrumentFacts(leg, false)
      .map(({ value }) => writeValue(value))
      .join(', '),
  );
  return writeForm([problem, ...listFacts(ticket), ...names]);
}

/** Buys plus sells, as a person types it. */
export const getFormTotal = ({ totals: { bought, sold } }: DraftTicket): string =>
  new Big(bought).plus(sold).toFixed(2);

const listFacts = (ticket: DraftTicket): readonly string[] => [
  `${writePlace(ticket)}, ${countOf(ticket.legs.length, 'order').toUpperCase()}`,
  ...ticket.legs.map((leg) => `${leg.number}: ${describeLeg(leg)}`),
  ...ticketTotals(ticket).map(writeFact),
  `Total: ${getFormTotal(ticket)}`,
  ...listWarnings(ticket.legs),
  'Type the number of orders and the total to approve',
];

const describeLeg = (leg: DraftLegTicket): string =>
  [
    ...(leg.ticket.isRepetition ? ['SECOND IDENTICAL ORDER:'] : []),
    writeOrder(leg.ticket.order),
    writeTerms(leg.ticket),
    ...listMarks(leg).map(({ mark }) => mark),
  ].join(' ');

/** Each warning once, with the orders that it is about. */
function listWarnings(legs: readonly DraftLegTicket[]): readonly string[] {
  const places = new Map<string, number[]>();
  for (const { number, ticket } of legs)
    for (const text of ticket.warnings) places.set(text, [...(places.get(text) ?? []), number]);
  return [...places].map(([text, numbers]) => `${numbers.toSorted((a, b) => a - b).join(', ')}: ${text}`);
}
