import type { TicketView } from '../../orders/intent/approval-port.ts';
import { isFinal } from '../../orders/intent/states.ts';
import { type Html, html } from './html.ts';
import { stateLabels } from './labels.ts';

/** The state of the order so far. It is focused, so that a screen reader reads it when the page opens. */
export function outcome({ state, message, orderId, reason }: TicketView, isFocused: boolean): Html {
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
