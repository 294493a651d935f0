import type { TicketView } from '../../orders/intent/approval-port.ts';
import { isFinal } from '../../orders/intent/states.ts';
import { type Html, html } from './html.ts';
import { stateLabels } from './labels.ts';

/** What became of the order so far. Focused, so that it is read out when the page comes up with it. */
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
