/** The page on which a person approves all orders of a draft at once. */

import {
  alertBox,
  type DecisionFormProps,
  decision,
  decisionMessages,
  type FindSubject,
  type Subject,
  stopForm,
} from '../../../core/approval/page/decision-form.ts';
import { drawValue, factList, figureList } from '../../../core/approval/page/draw-facts.ts';
import { type Html, html } from '../../../core/approval/page/html.ts';
import { alertFor, draftUnlockHint } from '../../../core/approval/page/labels.ts';
import { accountPage } from '../../../core/approval/page/layout.ts';
import type { Fact } from '../../../core/approval/ticket-facts.ts';
import type { DraftTicket } from '../../../core/orders/intent/draft-approval.ts';
import { countOf } from '../../../core/text/count-of.ts';
import { totalFigures, totalShares } from '../draft-ticket-facts.ts';
import { isBeingSent, type LegReport } from '../submission/describe-submission.ts';
import type { DraftApprovals, ShownDraftTicket } from '../submission/draft-approvals.ts';
import { describeProgress, drawLegLabel, isSubmissionDone, outcomeLabels } from './draft-approval-labels.ts';
import { ticketList, warningList } from './draft-ticket.ts';
import { areOpen } from './order-row.ts';

/** Whether a person can still decide. */
const isOpen = ({ report, secondsLeft }: ShownDraftTicket): boolean =>
  report.outcome === 'pending_approval' && secondsLeft > 0;

/** Whether the page has a form: for the decision, or to stop. */
const hasDraftForm = (draft: ShownDraftTicket): boolean => isOpen(draft) || isBeingSent(draft.report);

export function draftApprovalPage(draft: ShownDraftTicket, answering: DecisionFormProps): Html {
  const { ticket, secondsLeft, report } = draft;
  const { environment, legs } = ticket;
  const open = isOpen(draft);
  const done = isSubmissionDone(report);
  const count = countOf(legs.length, 'order');
  return accountPage({
    environment,
    account: ticket.account,
    title: `${open ? 'Approve?' : `${outcomeLabels[report.outcome].title}:`} ${count}`,
    reloads: !open && !done,
    main: html`
<main id="ticket" class="draft-approval" data-state="${report.outcome}" data-message="${describeProgress(draft)}" data-seconds="${secondsLeft}" data-open="${
      open ? 'yes' : 'no'
    }" data-done="${done ? 'yes' : 'no'}">
<h1>${open ? `Approve ${count}?` : count}</h1>
${open && html`<p class="soft">Sent within 15 minutes of the approval.${!areOpen(legs.length) && html` All ${legs.length} are below.`}</p>`}
<p id="lost" class="alert" role="status" hidden>The server does not respond. Check your account to see the state of the orders.</p>
${open ? question(draft, answering) : answer(draft, answering)}
</main>`,
  });
}

/** What happens in all and the orders, a line for each, are beside the decision. */
function question(draft: ShownDraftTicket, answering: DecisionFormProps): Html {
  const { ticket } = draft;
  const count = ticket.legs.length;
  const approve = {
    label: `Approve and send ${count === 1 ? 'the order' : `all ${count} orders`}`,
    unlockHint: draftUnlockHint(ticket.draftId),
  };
  return html`
${decisionMessages(draft, answering.alert)}
<div class="open">
<div class="facts">
${warningList(ticket)}
${count > 1 && sums(ticket)}
${ticketList(ticket)}
<p class="soft">${
    count === 1 ? 'The approval is for exactly this order.' : 'One approval is for exactly these orders.'
  } ${origin(ticket)}</p>
</div>
${decision(draft, answering, approve)}
</div>`;
}

/** What became of the orders comes before what was asked. */
const answer = (draft: ShownDraftTicket, answering: DecisionFormProps): Html => html`
${outcome(draft, answering)}
<div class="facts">
${results(draft)}
${draft.ticket.legs.length > 1 && sums(draft.ticket)}
<p class="soft">${origin(draft.ticket)}</p>
</div>`;

/** An id is for a terminal, so it comes last. */
const origin = ({ version, draftId }: DraftTicket): Html =>
  html`This is version ${version} of draft <code>${draftId}</code>.`;

/** What is less than the sums is folded, so that a phone has an order beside the decision. An unknown value never is. */
function sums(ticket: DraftTicket): Html {
  const [charges, largest, ...others] = totalShares(ticket);
  return html`
<section class="card sums" aria-labelledby="sums"><h2 id="sums" class="unseen">Together</h2>
${figureList(totalFigures(ticket))}
<details class="folded"${ticket.totals.unknownValues > 0 && html` open`}><summary>${charges && drawBriefly(charges)}${largest && html`, ${drawBriefly(largest, true)}`}</summary>
${factList(others, 'lesser')}</details>
</section>`;
}

const drawBriefly = ({ label, value }: Fact, isLater = false): Html =>
  html`${isLater ? label.toLowerCase() : label} ${drawValue(value)}`;

/** What became of the orders. The title is focused, so that a screen reader reads it when the page opens. */
function outcome(draft: ShownDraftTicket, answering: DecisionFormProps): Html {
  const { report } = draft;
  const { title, tone } = outcomeLabels[report.outcome];
  const { alert } = answering;
  return html`
${alert && alertBox(alert)}
<section class="card outcome ${tone}" aria-labelledby="outcome">
<h2 id="outcome" tabindex="-1"${!alert && html` autofocus`}>${title}</h2>
<p class="message">${describeProgress(draft)}</p>
${report.reason !== undefined && html`<p>Reason: ${report.reason}</p>`}
<p class="soft">${isSubmissionDone(report) ? 'You can close this page.' : 'This page updates automatically.'}</p>
${isBeingSent(report) && stopForm(draft, answering)}
</section>`;
}

const results = ({ ticket, report }: ShownDraftTicket): Html =>
  ticketList(ticket, new Map(report.legs.map((leg) => [leg.leg, describeLeg(leg)])));

const describeLeg = (leg: LegReport): Html =>
  html`${drawLegLabel(leg)}${leg.orderId !== undefined && html` <code>${leg.orderId}</code>`}${
    leg.reason !== undefined && !leg.unsentBecause && html` <span class="soft">${leg.reason}</span>`
  }`;

// All orders of a draft on the approval page. Only this file decides on drafts.

export type DraftDecisions = Pick<DraftApprovals, 'viewByHandle' | 'approve' | 'reject' | 'stop'>;

/** Finds the tickets of drafts. */
export const findDrafts =
  (drafts: DraftDecisions): FindSubject =>
  async (handle) => {
    const draft = await drafts.viewByHandle(handle);
    return draft && draftSubject(drafts, draft);
  };

export function draftSubject(drafts: DraftDecisions, draft: ShownDraftTicket): Subject {
  const { report, digest, secondsLeft, ticket } = draft;
  const { submissionId } = ticket;
  return {
    digest,
    hasForm: hasDraftForm(draft),
    status: { state: report.outcome, message: describeProgress(draft), secondsLeft, done: isSubmissionDone(report) },
    actions: ['approve', 'reject', 'stop'],
    render: (answering) => draftApprovalPage(draft, answering),
    decide: (action, { digest: shown, passphrase, proof, seen }) => {
      if (action === 'approve')
        return drafts.approve({ submissionId, digest: shown, passphrase, proof, channel: 'page', seen });
      return action === 'stop'
        ? drafts.stop({ submissionId, channel: 'page' })
        : drafts.reject({ submissionId, channel: 'page' });
    },
    describeRefusal: (refusal) => alertFor(refusal, draftUnlockHint(ticket.draftId)),
  };
}
