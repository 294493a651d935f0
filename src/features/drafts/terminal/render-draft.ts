/** Renders a draft as lines of text for a person: the facts of each leg, then the totals. No text of the model. */

import type { SayMoment } from '../../../core/text/format-moment.ts';
import { removeUnseen } from '../../../core/text/sanitize-text.ts';
import { separateShared } from '../../../core/text/shared-texts.ts';
import type { Draft, DraftLeg } from '../book/draft.ts';
import { nameDraft } from '../book/draft-plan.ts';
import type { RecentTrade, ReviewedLeg } from '../book/review-draft.ts';
import type { DraftCheck } from '../check-draft.ts';
import type { SheetTotals } from '../draft-sheet.ts';
import type { SubmissionReport } from '../submission/describe-submission.ts';

export interface DraftToShow {
  readonly draft: Draft;
  readonly legs: readonly DraftLeg[];
  /** Its state now. */
  readonly state: string;
  /** Undefined for a draft that was not compared with the account. */
  readonly review: (DraftCheck & { readonly totals: SheetTotals }) | undefined;
  /** The newest attempt to send it, if there was one. */
  readonly sent: SubmissionReport | undefined;
  readonly sayMoment: SayMoment;
}

/** The draft as text. */
export function draftText({ draft, legs, state, review, sent, sayMoment }: DraftToShow): string {
  const { totals, problem, refused } = review ?? {};
  const shown = review?.legs ?? legs.map((leg) => ({ leg, warnings: [], dependsOnSells: false }));
  const { shared, own } = separateShared(shown.map(({ warnings }) => warnings));
  const lines = [
    `=== ${draft.environment.toUpperCase()} · DRAFT ${draft.id} · version ${draft.version} · ${state} ===`,
    ...shown.flatMap((leg, index) => legLines({ ...leg, warnings: own[index] ?? [] }, index + 1, review)),
    ...shared.map((text) => `  Note         ${text}`),
    ...(totals === undefined ? [] : totalLines(totals)),
    `  Expires      ${sayMoment(draft.expiresAt)}`,
    ...(refused === undefined ? [] : [`  REFUSED NOW  ${describeRefusal(refused)}`]),
    ...(problem === undefined ? [] : [`  Note         The legs could not all be checked: ${problem}`]),
    `  Name         “${nameDraft(draft, legs)}”`,
    ...(sent === undefined ? ['Nothing of this draft has been sent.'] : sentLines(sent)),
  ];
  return lines.map(removeUnseen).join('\n');
}

/** Why submitting the draft would send none of it. */
const describeRefusal = ({ leg, rule, reason }: NonNullable<DraftCheck['refused']>): string =>
  `All of it (${rule}${leg === undefined ? '' : `, leg ${leg}`}): ${reason}`;

/** What became of each leg when the draft was submitted. */
function sentLines({ submissionId, version, outcome, message, legs }: SubmissionReport): string[] {
  return [
    `Version ${version} was submitted: ${outcome}. ${message}`,
    `Submission ${submissionId}`,
    ...legs.map(
      ({ leg, order, outcome: result, orderId, reason }) =>
        `  ${String(leg).padStart(2)}. ${order}: ${result}${orderId === undefined ? '' : `, order ${orderId}`}${reason === undefined ? '' : `. ${reason}`}`,
    ),
  ];
}

function legLines(reviewed: ReviewedLeg, number: number, review: DraftToShow['review']): string[] {
  const { leg, estimate } = reviewed;
  const prices = [
    leg.limitPrice === undefined ? undefined : `limit ${leg.limitPrice}`,
    leg.stopPrice === undefined ? undefined : `stop ${leg.stopPrice}`,
  ].filter((price) => price !== undefined);
  const { assumed, value = assumed?.value, currency = '' } = estimate ?? {};
  const known = value === undefined ? 'VALUE UNKNOWN' : `${value} ${currency}`.trim();
  const terms = [
    leg.type,
    ...prices,
    review ? `${known}${assumed ? ` at an assumed price of ${assumed.price}` : ''}` : undefined,
    leg.timeValidity,
    leg.extendedHours ? 'extended hours' : undefined,
  ];
  return [
    `  ${String(number).padStart(2)}. ${leg.side} ${leg.quantity} × ${leg.ticker}`,
    `      ${terms.filter((term) => term !== undefined).join(' · ')}`,
    ...listNotes(reviewed, number, review?.refused).map((note) => `      ${note}`),
  ];
}

/** The notes on a leg. The line that refuses the draft has the reason, so the legs do not repeat it. */
function listNotes(
  { leg, refusal, repeats, warnings, dependsOnSells }: ReviewedLeg,
  number: number,
  refused: DraftCheck['refused'],
): string[] {
  const isReasonBelow = refused?.leg === number && refused.rule === refusal?.rule;
  return [
    ...(leg.isPriceAssumed ? ['The price that sized this leg was assumed.'] : []),
    ...(dependsOnSells ? ['The cash for this buy comes from sells of the draft.'] : []),
    ...(refusal ? [`REFUSED NOW (${refusal.rule})${isReasonBelow ? '' : `: ${refusal.reason}`}`] : []),
    ...(repeats ? [describeRepetition(repeats, refused)] : []),
    ...warnings,
  ];
}

const describeRepetition = ({ submissionId, text }: RecentTrade, refused: DraftCheck['refused']): string =>
  refused?.rule === 'repeated_submission' ? `Repeats a trade of submission ${submissionId}.` : text;

function totalLines(totals: SheetTotals): string[] {
  const { currency, bought, sold, unknownValues, charges, cash, cashAfter, isFunded } = totals;
  const unit = currency ?? '';
  const funded = { true: 'enough', false: 'NOT ENOUGH', undefined: 'unknown whether it is enough' }[String(isFunded)];
  // A sum that leaves legs out is a lower bound.
  const known = unknownValues === 0 ? '' : 'at least ';
  return [
    `  Buys         ${known}${bought} ${unit} before charges`,
    `  Sells        ${known}${sold} ${unit} before charges`,
    ...(unknownValues === 0
      ? []
      : [`  Not counted  ${unknownValues} of the legs, because their value is unknown or assumed`]),
    `  Charges      ${charges === undefined ? 'unknown for some legs' : `${charges} ${unit}, estimated from own fills`}`,
    `  Cash         ${cash === undefined ? 'unknown' : `${cash} ${unit}, ${funded}`}`,
    `  Cash after   ${cashAfter === undefined ? 'unknown' : `${cashAfter} ${unit} if all legs are filled${charges === undefined ? ', after the charges that are known' : ''}`}`,
  ];
}
