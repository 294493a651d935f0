/** The page on which a person approves all orders of a draft at once. */
import { countOf } from '../../count-of.ts';
import { isBeingSent, type LegReport } from '../../drafting/submission/describe-submission.ts';
import type { ShownPlan } from '../../drafting/submission/plan-approvals.ts';
import { amount } from './amounts.ts';
import {
  alertBox,
  approveForm,
  countdown,
  type DecisionFormProps,
  guesses,
  rejectForm,
  stopForm,
} from './decision-form.ts';
import { type Html, html } from './html.ts';
import { planUnlockHint } from './labels.ts';
import { accountPage } from './layout.ts';
import { describeProgress, isPlanDone, legLabels, outcomeLabels } from './plan-labels.ts';
import { planLegs, planList, planTotals } from './plan-legs.ts';

/** Whether a person can still decide. */
const isOpen = ({ report, secondsLeft }: ShownPlan): boolean =>
  report.outcome === 'pending_approval' && secondsLeft > 0;

/** Whether the page has a form: for the decision, or to stop. */
export const hasPlanForm = (plan: ShownPlan): boolean => isOpen(plan) || isBeingSent(plan.report);

export function planPage(plan: ShownPlan, answering: DecisionFormProps): Html {
  const { ticket, secondsLeft, report } = plan;
  const open = isOpen(plan);
  const done = isPlanDone(report);
  const count = countOf(ticket.legs.length, 'order');
  return accountPage({
    environment: ticket.environment,
    title: `${open ? 'Approve?' : `${outcomeLabels[report.outcome].title}:`} ${count}`,
    reloads: !open && !done,
    main: html`
<main id="ticket" class="plan" data-state="${report.outcome}" data-message="${describeProgress(plan)}" data-seconds="${secondsLeft}" data-open="${
      open ? 'yes' : 'no'
    }" data-done="${done ? 'yes' : 'no'}">
<h1>${open ? `Approve ${count}?` : count}</h1>
<p class="sum">${sumLine(plan)}</p>
<p id="lost" class="alert" role="status" hidden>The server does not respond. Check your account to see the state of the orders.</p>
${open ? decisionBar(plan, answering) : outcome(plan, answering)}
<div class="facts">${planLegs(ticket)}</div>
${open && decision(plan, answering)}
</main>`,
  });
}

/** The amounts in one line, for the top of the page. */
function sumLine({ ticket: { totals } }: ShownPlan): Html {
  const { bought, sold, currency, unknownValues } = totals;
  const known = (value: Html) => (unknownValues === 0 ? value : html`at least ${value}`);
  return html`Buys ${known(amount(bought, currency))}, sells ${known(amount(sold, currency))}${
    unknownValues > 0 && html`, and <b class="unknown">${unknownValues} of unknown value</b>`
  }`;
}

/** Stays visible while the orders are read: the time left, the way out, and the way to the end. */
const decisionBar = (plan: ShownPlan, answering: DecisionFormProps): Html => html`
<div class="bar">
${countdown(plan, answering.path)}
<a class="jump" href="#decide">To the approval</a>
${rejectForm(plan, answering)}
</div>`;

/** The end of the page: all orders once more, a line each, beside the totals and the passphrase. */
function decision(plan: ShownPlan, answering: DecisionFormProps): Html {
  const { ticket, wrongPassphrases: wrong } = plan;
  const { alert } = answering;
  const count = ticket.legs.length === 1 ? 'the order' : `all ${ticket.legs.length} orders`;
  return html`
<section class="card together" aria-labelledby="decide">
<h2 id="decide">All orders</h2>
<div class="all">${planList(ticket)}</div>
<div class="sums">${planTotals(ticket)}
${wrong && guesses(wrong)}
${alert && alertBox(alert)}
${
  wrong?.isPageLocked
    ? !alert && html`<p class="hint">${planUnlockHint(ticket.draftId)}</p>`
    : approveForm(plan, answering, { look: 'buy', label: `Approve and send ${count}` })
}
<p class="soft">One approval is for exactly these orders. They are sent within 15 minutes after it.</p>
</div>
</section>`;
}

/** What became of the orders. The title is focused, so that a screen reader reads it when the page opens. */
function outcome(plan: ShownPlan, answering: DecisionFormProps): Html {
  const { ticket, report } = plan;
  const { title, tone } = outcomeLabels[report.outcome];
  const { alert } = answering;
  const results = new Map(report.legs.map((leg) => [leg.leg, describeLeg(leg)]));
  return html`
${alert && alertBox(alert)}
<section class="card outcome ${tone}" aria-labelledby="outcome">
<h2 id="outcome" tabindex="-1"${!alert && html` autofocus`}>${title}</h2>
<p class="message">${describeProgress(plan)}</p>
${report.reason !== undefined && html`<p>Reason: ${report.reason}</p>`}
${
  report.remainingVersion !== undefined &&
  html`<p>Version ${report.remainingVersion} of the draft holds the orders that were not sent.</p>`
}
<p class="soft">${isPlanDone(report) ? 'You can close this page.' : 'This page updates automatically.'}</p>
${isBeingSent(report) && stopForm(plan, answering)}
</section>
<section class="card results">${planList(ticket, results)}${planTotals(ticket)}</section>`;
}

const describeLeg = ({ outcome: result, orderId, reason }: LegReport): Html =>
  html`${legLabels[result]}${orderId !== undefined && html` <code>${orderId}</code>`}${
    reason !== undefined && html` <span class="soft">${reason}</span>`
  }`;
