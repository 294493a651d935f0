/** An order on the approval page. Only this file decides on orders. */
import type { Approvals, TicketView } from '../../orders/intent/approval-port.ts';
import { isFinal } from '../../orders/intent/states.ts';
import { alertFor, orderUnlockHint } from './labels.ts';
import type { FindSubject, Subject } from './subject.ts';
import { isOpen, ticketPage } from './ticket-page.ts';

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
            channel: 'page',
            seen: form.seen,
          }),
    describeRefusal: (refusal) => alertFor(refusal, orderUnlockHint),
  };
}
