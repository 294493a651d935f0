/** The page on which a person approves all orders of a draft at once. */

import {
  alertBox,
  approveForm,
  countdown,
  type DecisionFormProps,
  type FindSubject,
  guesses,
  rejectForm,
  type Subject,
  stopForm,
} from '../../../core/approval/page/decision-form.ts';
import { factList, figureList } from '../../../core/approval/page/draw-facts.ts';
import { type Html, html } from '../../../core/approval/page/html.ts';
import { alertFor, draftUnlockHint } from '../../../core/approval/page/labels.ts';
import { accountPage } from '../../../core/approval/page/layout.ts';
import { countOf } from '../../../core/text/count-of.ts';
import { ticketTotals, totalFigures } from '../draft-ticket-facts.ts';
import { isBeingSent, type LegReport } from '../submission/describe-submission.ts';
import type { DraftApprovals, ShownDraftTicket } from '../submission/draft-approvals.ts';
import { describeProgress, drawLegLabel, isSubmissionDone, outcomeLabels } from './draft-approval-labels.ts';
import { ticketLegs, ticketList } from './draft-ticket.ts';

/** Whether a person can still decide. */
const isOpen = ({ report, secondsLeft }: ShownDraftTicket): boolean =>
  report.outcome === 'pending_approval' && secondsLeft > 0;

/** Whether the page has a form: for the decision, or to stop. */
const hasDraftForm = (draft: ShownDraftTicket): boolean => isOpen(draft) || isBeingSent(draft.report);

export function draftApprovalPage(draft: ShownDraftTicket, answering: DecisionFormProps): Html {
  const { ticket, secondsLeft, report } = draft;
  const open = isOpen(draft);
  const done = isSubmissionDone(report);
  const count = countOf(ticket.legs.length, 'order');
  return accountPage({
    environment: ticket.environment,
    title: `${open ? 'Approve?' : `${outcomeLabels[report.outcome].title}:`} ${count}`,
    reloads: !open && !done,
    main: html`
<main id="ticket" class="draft-approval" data-state="${report.outcome}" data-message="${describeProgress(draft)}" data-seconds="${secondsLeft}" data-open="${
      open ? 'yes' : 'no'
    }" data-done="${done ? 'yes' : 'no'}">
<h1>${open ? `Approve ${count}?` : count}</h1>
${!open && outcome(draft, answering)}
<section class="card" aria-labelledby="sums"><h2 id="sums" class="unseen">Together</h2>
${figureList(totalFigures(ticket))}
</section>
<p id="lost" class="alert" role="status" hidden>The server does not respond. Check your account to see the state of the orders.</p>
${open ? decisionBar(draft, answering) : results(draft)}
<div class="facts">${ticketLegs(ticket)}</div>
${open && decision(draft, answering)}
</main>`,
  });
}

/** Stays visible while the orders are read: the time left, the way out, and the way to the end. */
const decisionBar = (draft: ShownDraftTicket, answering: DecisionFormProps): Html => html`
<div class="bar">
${countdown(draft, answering.path)}
<a class="jump" href="#decide">To the approval</a>
${rejectForm(draft, answering)}
</div>`;

/** The end of the page: all orders once more, a line each, beside the totals and the passphrase. */
function decision(draft: ShownDraftTicket, answering: DecisionFormProps): Html {
  const { ticket, wrongPassphrases: wrong } = draft;
  const { alert } = answering;
  const count = ticket.legs.length === 1 ? 'the order' : `all ${ticket.legs.length} orders`;
  return html`
<section class="card together" aria-labelledby="decide">
<h2 id="decide">All orders</h2>
<div class="all">${ticketList(ticket)}</div>
<div class="sums">${factList(ticketTotals(ticket))}
${wrong && guesses(wrong)}
${alert && alertBox(alert)}
${
  wrong?.isPageLocked && !answering.passkey
    ? !alert && html`<p class="hint">${draftUnlockHint(ticket.draftId)}</p>`
    : approveForm(draft, answering, { look: 'buy', label: `Approve and send ${count}` })
}
<p class="soft">One approval is for exactly these orders. They are sent within 15 minutes after it.</p>
</div>
</section>`;
}

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
  html`<section class="card results">${ticketList(ticket, new Map(report.legs.map((leg) => [leg.leg, describeLeg(leg)])))}</section>`;

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
