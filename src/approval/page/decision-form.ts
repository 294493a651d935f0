/**
 * The forms for a decision. There are two, so that Enter in the passphrase field approves, and Enter before that
 * rejects.
 */
import type { TicketView } from '../../orders/intent/approval-port.ts';
import { type Html, html } from './html.ts';
import { type Alert, describeWrongPassphrases, seconds, unlockHint } from './labels.ts';

export interface DecisionFormProps {
  readonly path: string;
  readonly csrf: string;
  readonly alert: Alert | undefined;
}

/** The usual time limit of an approval, as the full length of the bar; longer ones also fill it. */
const usualSeconds = 120;

export function decision(view: TicketView, { path, csrf, alert }: DecisionFormProps): Html {
  const { digest, secondsLeft, wrongPassphrases: wrong } = view;
  const hidden = (action: string) => html`<input type="hidden" name="action" value="${action}"
><input type="hidden" name="csrf" value="${csrf}"><input type="hidden" name="digest" value="${digest}"
><input type="hidden" name="seen" value="${wrong?.count ?? 0}">`;
  const most = Math.max(usualSeconds, secondsLeft);
  return html`
<section class="card decision" aria-labelledby="decide">
<h2 id="decide">Your decision</h2>
<p class="countdown"><span id="left">${seconds(secondsLeft)}</span> left</p>
<progress id="bar" aria-hidden="true" max="${most}" value="${secondsLeft}"></progress>
<p id="moments" class="unseen" role="status"></p>
<noscript><p class="hint"><a href="${path}">Reload to see the seconds left.</a></p></noscript>
${wrong && html`<p class="alert guesses">${describeWrongPassphrases(wrong)}</p>`}
${alert && alertBox(alert)}
<form class="reject" method="post" action="${path}" accept-charset="utf-8">${hidden('reject')}
<button id="reject-button" class="button quiet" type="submit"${!alert && html` autofocus`}>Reject</button>
</form>
${wrong?.isPageLocked ? !alert && html`<p class="hint">${unlockHint}</p>` : approveForm(view, path, hidden('approve'))}
</section>`;
}

function approveForm({ ticket }: TicketView, path: string, hidden: Html): Html {
  const side = ticket.order.side === 'BUY' ? 'buy' : 'sell';
  return html`<form class="approve" method="post" action="${path}" accept-charset="utf-8">${hidden}
<label for="passphrase">Passphrase</label>
<input id="passphrase" name="passphrase" type="password" required maxlength="1000" autocomplete="off"
 autocapitalize="none" spellcheck="false" data-1p-ignore data-lpignore="true">
<button class="button ${side}" type="submit">Approve and ${side}</button>
</form>`;
}

export const alertBox = ({ title, next }: Alert): Html =>
  html`<p id="alert" class="alert" role="alert" tabindex="-1" autofocus><strong>${title}</strong> ${next}</p>`;
