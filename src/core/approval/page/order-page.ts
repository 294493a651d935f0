/** An order on the approval page. Only this file decides on orders. */

import type { Approvals, TicketView } from '../../orders/intent/approval-port.ts';
import { isFinal } from '../../orders/intent/states.ts';
import type { FindSubject, Subject } from './decision-form.ts';
import { alertBox, type DecisionFormProps, decision, decisionMessages } from './decision-form.ts';
import { type Html, html } from './html.ts';
import { alertFor, orderUnlockHint, stateLabels } from './labels.ts';
import { accountPage } from './layout.ts';
import { describePending, orderTitle, repetitionBox, ticketDetails, typeLine, writeTitle } from './ticket-details.ts';

/** Finds the tickets of orders. */
export const findOrders =
  (approvals: Approvals): FindSubject =>
  async (handle) => {
    const view = await approvals.viewByHandle(handle);
    return view && orderSubject(approvals, view);
  };

function orderSubject(approvals: Approvals, view: TicketView): Subject {
  const { state, message, secondsLeft, digest, ticket } = view;
  const { intentId } = ticket;
  return {
    digest,
    hasForm: isOpen(view),
    status: { state, message, secondsLeft, done: isFinal(state) },
    actions: ['approve', 'reject'],
    render: (answering) => ticketPage(view, answering),
    decide: (action, form) =>
      action === 'reject'
        ? approvals.reject({ intentId, channel: 'page' })
        : approvals.approve({
            intentId,
            digest: form.digest,
            passphrase: form.passphrase,
            proof: form.proof,
            channel: 'page',
            seen: form.seen,
          }),
    describeRefusal: (refusal) => alertFor(refusal, orderUnlockHint),
  };
}

/** Whether a person can still decide. */
const isOpen = ({ state, secondsLeft }: TicketView): boolean => state === 'AWAITING_APPROVAL' && secondsLeft > 0;

/** A longer title is in smaller letters, so that the decision stays in sight beside it (characters). */
const longTitle = 80;

export function ticketPage(view: TicketView, answering: DecisionFormProps): Html {
  const { ticket, state, message, secondsLeft } = view;
  const { order, environment } = ticket;
  const open = isOpen(view);
  const done = isFinal(state);
  const { alert } = answering;
  const pending = describePending(ticket);
  const side = order.side === 'BUY' ? 'buy' : 'sell';
  return accountPage({
    environment,
    account: ticket.account,
    title: `${open ? 'Approve?' : `${stateLabels[state].title}:`} ${writeTitle(ticket)}`,
    reloads: !open && !done,
    main: html`
<main id="ticket"${open && html` class="open"`} data-state="${state}" data-message="${message}" data-seconds="${secondsLeft}" data-open="${
      open ? 'yes' : 'no'
    }" data-done="${done ? 'yes' : 'no'}">
${repetitionBox(ticket)}
<h1${writeTitle(ticket).length > longTitle && html` class="long"`}>${orderTitle(order, ticket.instrument)}</h1>
${typeLine(ticket)}
${open && pending !== undefined && html`<p class="sum pending">${pending}</p>`}
<p id="lost" class="alert" role="status" hidden>The server does not respond. Check your account to see the state of the order.</p>
${open ? decisionMessages(view, alert) : alert && alertBox(alert)}
${!open && outcome(view, !alert)}
<div class="facts">${ticketDetails(ticket, open)}</div>
${open && decision(view, answering, { label: `Approve and ${side}`, unlockHint: orderUnlockHint })}
</main>`,
  });
}

/** The state of the order so far. It is focused, so that a screen reader reads it when the page opens. */
function outcome({ state, message, orderId, reason }: TicketView, isFocused: boolean): Html {
  const { title, tone } = stateLabels[state];
  return html`
<section class="card outcome ${tone}" aria-labelledby="outcome">
<h2 id="outcome" tabindex="-1"${isFocused && html` autofocus`}>${title}</h2>
<p class="message">${message}</p>
${orderId !== undefined && html`<p>Order id <code>${orderId}</code></p>`}
${reason !== undefined && html`<p>Reason: ${reason}</p>`}
<p class="soft">${isFinal(state) ? 'You can close this page.' : 'This page updates automatically.'}</p>
</section>`;
}
