import type { TicketView } from '../../orders/intent/approval-port.ts';
import { isFinal } from '../../orders/intent/states.ts';
import { groupThousands } from './amounts.ts';
import { alertBox, type DecisionFormProps, decision } from './decision-form.ts';
import { type Html, html } from './html.ts';
import { stateLabels } from './labels.ts';
import { accountPage } from './layout.ts';
import { outcome } from './status-section.ts';
import { costLine, ticketDetails } from './ticket-details.ts';

/** Whether a person can still decide. */
export const isOpen = ({ state, secondsLeft }: TicketView): boolean => state === 'AWAITING_APPROVAL' && secondsLeft > 0;

export function ticketPage(view: TicketView, answering: DecisionFormProps): Html {
  const { ticket, state, message, secondsLeft } = view;
  const { order, environment } = ticket;
  const open = isOpen(view);
  const done = isFinal(state);
  const { alert } = answering;
  return accountPage({
    environment,
    title: `${open ? 'Approve?' : `${stateLabels[state].title}:`} ${order.side} ${groupThousands(order.quantity)} × ${order.ticker}`,
    reloads: !open && !done,
    main: html`
<main id="ticket"${open && html` class="open"`} data-state="${state}" data-message="${message}" data-seconds="${secondsLeft}" data-open="${
      open ? 'yes' : 'no'
    }" data-done="${done ? 'yes' : 'no'}">
${
  ticket.isRepetition &&
  html`<p class="repetition"><strong>SECOND IDENTICAL ORDER</strong> An order exactly like this one was placed before.</p>`
}
<h1 class="${order.side === 'BUY' ? 'buy' : 'sell'}"><span class="side">${order.side}</span> <bdi>${groupThousands(
      order.quantity,
    )}</bdi> <span class="times">×</span> <bdi class="ticker">${order.ticker}</bdi></h1>
<p class="sum">${costLine(ticket)}</p>
<p id="lost" class="alert" role="status" hidden>The server does not respond. Check your account to see the state of the order.</p>
${!open && alert && alertBox(alert)}
${!open && outcome(view, !alert)}
<div class="facts">${ticketDetails(ticket, open)}</div>
${open && decision(view, answering)}
</main>`,
  });
}
