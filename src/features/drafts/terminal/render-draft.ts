/** Renders drafts as lines of text for a person: one that is kept, and one that waits for approval. No text of the model. */

import {
  amount,
  identityFacts,
  validityLabels,
  writeOrder,
  writePlace,
  writeValue,
} from '../../../core/approval/ticket-facts.ts';
import { pendingFacts, textRow, writeRow, wrongPassphrasesText } from '../../../core/approval/ticket-text.ts';
import type { DraftLegTicket } from '../../../core/orders/intent/draft-approval.ts';
import { countOf, formatConstant } from '../../../core/text/count-of.ts';
import type { SayMoment } from '../../../core/text/format-moment.ts';
import { orderTitles, ruleTitles } from '../../../core/text/outcome-sentences.ts';
import { removeUnseen } from '../../../core/text/sanitize-text.ts';
import { separateShared } from '../../../core/text/shared-texts.ts';
import type { AssessedLeg, DraftAssessment, SheetTotals } from '../assess-draft.ts';
import type { Draft, DraftLeg } from '../book/draft.ts';
import { nameDraft } from '../book/draft-plan.ts';
import type { RecentTrade } from '../book/recent-trade.ts';
import { draftTitles } from '../draft-sentences.ts';
import {
  legFacts,
  listMarks,
  listNotes,
  sheetChecks,
  sheetFigures,
  summarizeLeg,
  ticketTotals,
} from '../draft-ticket-facts.ts';
import type { DraftTicketView } from '../submission/approve-draft.ts';
import type { SubmissionReport } from '../submission/describe-submission.ts';

export interface DraftToShow {
  readonly draft: Draft;
  /** The name of its account, where the owner has several. */
  readonly account?: string | undefined;
  readonly legs: readonly DraftLeg[];
  /** Its state now. */
  readonly state: string;
  /** Undefined for a draft that was not compared with the account. */
  readonly review: (DraftAssessment & { readonly totals: SheetTotals }) | undefined;
  /** The newest attempt to send it, if there was one. */
  readonly sent: SubmissionReport | undefined;
  readonly sayMoment: SayMoment;
}

/** The draft as text. */
export function draftText({ draft, account, legs, state, review, sent, sayMoment }: DraftToShow): string {
  const { totals, problem, refused } = review ?? {};
  const shown = review?.legs ?? legs.map((leg) => ({ leg, warnings: [], dependsOnSells: false }));
  const { shared, own } = separateShared(shown.map(({ warnings }) => warnings));
  const lines = [
    `=== ${writePlace({ environment: draft.environment, account })} · DRAFT ${draft.id} · version ${draft.version} · ${state} ===`,
    ...shown.flatMap((leg, index) => legLines({ ...leg, warnings: own[index] ?? [] }, index + 1, review)),
    ...shared.map((text) => textRow('Note', text)),
    ...(totals === undefined ? [] : [...sheetFigures(totals), ...sheetChecks(totals)].map(writeRow)),
    textRow('Expires', sayMoment(draft.expiresAt)),
    ...(refused === undefined ? [] : [textRow('REFUSED NOW', describeRefusal(refused))]),
    ...(problem === undefined ? [] : [textRow('Note', `The orders could not all be checked: ${problem}`)]),
    textRow('Name', `“${nameDraft(draft, legs)}”`),
    ...(sent === undefined ? ['Nothing of this draft has been sent.'] : sentLines(sent)),
  ];
  return lines.map(removeUnseen).join('\n');
}

/** Why submitting the draft would send none of it. */
const describeRefusal = ({ leg, rule, reason }: NonNullable<DraftAssessment['refused']>): string =>
  `All of it${leg === undefined ? '' : ` (order ${leg})`}, ${ruleTitles[rule]}: ${reason}`;

/** What became of each leg when the draft was submitted. */
function sentLines({ submissionId, version, outcome, message, legs }: SubmissionReport): string[] {
  return [
    `Version ${version} was submitted. ${draftTitles[outcome]}: ${message}`,
    `Submission ${submissionId}`,
    ...legs.map(
      ({ leg, order, outcome: result, orderId, reason }) =>
        `  ${String(leg).padStart(2)}. ${order}: ${result === 'waiting' ? 'Waiting' : orderTitles[result].title}${orderId === undefined ? '' : `, order ${orderId}`}${reason === undefined ? '' : `. ${reason}`}`,
    ),
  ];
}

function legLines(reviewed: AssessedLeg, number: number, review: DraftToShow['review']): string[] {
  const { leg, estimate, ticket } = reviewed;
  const prices = [
    leg.limitPrice === undefined ? undefined : `limit ${leg.limitPrice}`,
    leg.stopPrice === undefined ? undefined : `stop ${leg.stopPrice}`,
  ].filter((price) => price !== undefined);
  const { assumed, value = assumed?.value, currency = '' } = estimate ?? {};
  const known = value === undefined ? 'VALUE UNKNOWN' : `${value} ${currency}`.trim();
  const terms = [
    formatConstant(leg.type),
    ...prices,
    review ? `${known}${assumed ? ` at an assumed price of ${assumed.price}` : ''}` : undefined,
    leg.timeValidity && validityLabels[leg.timeValidity],
    leg.extendedHours ? 'extended hours' : undefined,
  ];
  return [
    `  ${String(number).padStart(2)}. ${writeOrder(leg, ticket?.ticket.instrument)}`,
    `      ${terms.filter((term) => term !== undefined).join(' · ')}`,
    ...describeReview(reviewed, number, review?.refused).map((note) => `      ${note}`),
  ];
}

/** The notes on a leg. The line that refuses the draft has the reason, so the legs do not repeat it. */
function describeReview(
  { leg, refusal, repeats, warnings, dependsOnSells }: AssessedLeg,
  number: number,
  refused: DraftAssessment['refused'],
): string[] {
  const isReasonBelow = refused?.leg === number && refused.rule === refusal?.rule;
  return [
    ...listMarks({ isPriceAssumed: leg.isPriceAssumed, isDependent: dependsOnSells }).map(({ note }) => note),
    ...(refusal ? [`REFUSED NOW (${refusal.rule})${isReasonBelow ? '' : `: ${refusal.reason}`}`] : []),
    ...(repeats ? [describeRepetition(repeats, refused)] : []),
    ...warnings,
  ];
}

const describeRepetition = ({ submissionId, text }: RecentTrade, refused: DraftAssessment['refused']): string =>
  refused?.rule === 'repeated_submission' ? `Repeats a trade of submission ${submissionId}.` : text;

// Renders a draft that waits for approval as lines of text: every leg with the facts of a ticket, then one line for each
// and the totals, so that the end of a long draft shows all of it.

/** The draft as text, with a banner of the environment and without invisible characters. */
export function draftTicketText(
  { ticket, secondsLeft, wrongPassphrases }: DraftTicketView,
  sayMoment: SayMoment,
): string {
  const { draftId, version, legs } = ticket;
  const lines = [
    `=== ${writePlace(ticket)} · ${countOf(legs.length, 'order').toUpperCase()} ===`,
    ...(wrongPassphrases ? [wrongPassphrasesText(wrongPassphrases, sayMoment)] : []),
    ...legs.flatMap((leg) => [
      `--- Order ${leg.number}${leg.ticket.isRepetition ? ' · SECOND IDENTICAL ORDER' : ''}`,
      ...legRows(leg),
    ]),
    '--- All orders, sent in this sequence',
    ...legs.map(summaryLine),
    '--- Together',
    ...ticketTotals(ticket).map(writeRow),
    textRow('Time left', `${secondsLeft} s; after the approval the orders are sent within 15 minutes`),
    textRow('Draft', `${draftId}, version ${version}`),
  ];
  return lines.map(removeUnseen).join('\n');
}

const legRows = (leg: DraftLegTicket): readonly string[] => [
  textRow('Order', writeOrder(leg.ticket.order, leg.ticket.instrument)),
  ...[...legFacts(leg), ...pendingFacts(leg.ticket)].map(writeRow),
  ...listNotes(leg).map((note) => textRow('Note', note)),
  ...identityFacts(leg.ticket).map(writeRow),
];

function summaryLine(leg: DraftLegTicket): string {
  const { order, instrument, estimate } = leg.ticket;
  const { terms, value, percentOfAccount, marks } = summarizeLeg(leg);
  const parts = [
    writeOrder(order, instrument),
    writeValue(terms),
    value === undefined ? 'VALUE UNKNOWN' : writeValue(amount(value, estimate.currency)),
    percentOfAccount === undefined ? 'part unknown' : writeValue([{ percent: percentOfAccount }]),
    ...marks,
  ];
  return `  ${String(leg.number).padStart(2)}. ${parts.join(' · ')}`;
}
