/** What became of each order when the draft was submitted, and the button that stops the rest. */

import { type Html, html } from '../../../core/approval/page/html.ts';
import type { ApprovalMethod } from '../../../core/orders/intent/approval-methods.ts';
import { countOf } from '../../../core/text/count-of.ts';
import { drawCommand } from '../../../core/text/draw-command.ts';
import type { DraftLeg } from '../book/draft.ts';
import { draftSentences, draftTitles } from '../draft-sentences.ts';
import type { LegReport, SubmissionReport, WaitingApproval } from '../submission/describe-submission.ts';
import type { SubmissionOutcome } from '../submission/submission.ts';
import { describeResults, drawLegLabel, outcomeLabels, outcomeMessages } from './draft-approval-labels.ts';
import { type FormFields, hiddenFields, type Instruments, legTerms, legTitle } from './draft-leg.ts';

type ShownState = (typeof outcomeLabels)[SubmissionOutcome] & { readonly text: string };

/** Where this page says something else than the one that asks for the approval. */
const ownWords: Partial<Record<SubmissionOutcome, Partial<ShownState>>> = {
  pending_approval: {
    title: draftTitles.pending_approval,
    text: 'Nothing has been sent.',
  },
  waiting_for_fills: { title: draftTitles.waiting_for_fills, text: draftSentences.waiting_for_fills },
  done: { title: draftTitles.done },
  expired: { title: 'Not approved in time', text: 'Nothing was sent.' },
  refused: { title: 'Refused' },
};

function getState({ outcome, sender, legs, draftId }: SubmissionReport, placed: number): ShownState {
  if (sender === 'gone')
    return {
      title: 'Not being sent now',
      tone: 'bad',
      text: `The program that sent the orders has ended. “brokerage-mcp drafts submit ${draftId}” in a terminal carries on, as does a server with trading that runs.`,
    };
  if (outcome === 'stopped' && placed === legs.length)
    return { title: 'Sent', tone: 'good', text: 'Sending stopped, but every order is placed now.' };
  return { ...outcomeLabels[outcome], text: outcomeMessages[outcome], ...ownWords[outcome] };
}

export interface SubmissionCardProps {
  /** Given while legs can still leave: then the rest can be stopped. */
  readonly fields: FormFields | undefined;
  readonly isFocused: boolean;
  /** Whether the results are folded, because the page lists what is left. */
  readonly isFolded: boolean;
  /** The legs of the version that was submitted. */
  readonly legs: readonly DraftLeg[];
  readonly instruments: Instruments;
}

export function submissionCard(
  report: SubmissionReport,
  { fields, isFocused, isFolded, legs, instruments }: SubmissionCardProps,
): Html {
  const { version, outcome, reason, warnings, approval } = report;
  const placed = report.legs.filter((leg) => leg.outcome === 'placed').length;
  const { title, tone, text } = getState(report, placed);
  const results = resultTable(report, placed, { legs, instruments });
  return html`
<section class="card outcome ${tone}" aria-labelledby="outcome">
<h2 id="outcome" tabindex="-1"${isFocused && fields && html` autofocus`}>${title}: version ${version}</h2>
<p>${outcome === 'stopped' && html`${describeResults(report)} `}${text}</p>
${reason !== undefined && html`<p>Reason: ${reason}</p>`}
${fields && approval && wayToApproval(approval, report.draftId)}
${fields && stopForm(fields, approval !== undefined)}
${warnings.length > 0 && html`<ul class="notes">${warnings.map((warning) => html`<li>${warning}</li>`)}</ul>`}
${!approval && (isFolded ? html`<details><summary>What became of each order</summary>${results}</details>` : results)}
${fields && html`<p class="soft">This page updates automatically.</p>`}
</section>`;
}

const resultTable = (
  { outcome, legs: reports }: SubmissionReport,
  placed: number,
  { legs, instruments }: Pick<SubmissionCardProps, 'legs' | 'instruments'>,
): Html => html`
<table class="sent results"><caption>${placed} of ${countOf(reports.length, 'order')} placed${
  placed > 0 && outcome !== 'done' && html`; placed orders stay`
}</caption>
<thead><tr><th scope="col" colspan="2">Order</th><th scope="col">Result</th></tr></thead>
<tbody>${reports.map((leg) => legRow(leg, legs[leg.leg - 1], instruments))}</tbody></table>`;

/** Where a person decides. The address has the random handle of the page alone, and approves nothing. */
const wayToApproval = ({ address, method }: WaitingApproval, draftId: string): Html =>
  address === undefined
    ? html`<p>${decideElsewhere[method]} ${drawCommand(`brokerage-mcp drafts submit ${draftId}`)} in a terminal.</p>`
    : html`<p class="decide"><a class="button" href="${address}">Go to the approval</a> <span>It shows every order again, and asks for your passphrase.</span></p>`;

const decideElsewhere: Readonly<Record<ApprovalMethod, string>> = {
  page: 'The approval page is not available now: decide with',
  terminal: 'Decide with',
  elicitation: 'Decide in the form that your program shows, or with',
};

const stopForm = (fields: FormFields, isWaiting: boolean): Html => html`
<form method="post" action="${fields.path}" accept-charset="utf-8" class="stop">${hiddenFields(fields, 'stop')}
<button class="button ${isWaiting ? 'quiet' : 'stop-button'}" type="submit">Stop</button>
<span>${isWaiting ? 'Nothing is sent then, and the orders' : 'Orders that have not left are not sent, and'} can be edited here.</span>
</form>`;

const legRow = (leg: LegReport, sent: DraftLeg | undefined, instruments: Instruments) =>
  html`<tr><td class="number">${leg.leg}</td><th scope="row">${
    sent ? html`${legTitle(sent, instruments)} <span class="why">${legTerms(sent, instruments)}</span>` : leg.order
  }</th><td>${drawLegLabel(leg)}${
    leg.orderId !== undefined && html` order <code>${leg.orderId}</code>`
  }${leg.reason !== undefined && !leg.unsentBecause && html` <span class="why">${leg.reason}</span>`}</td></tr>`;
