/** What `approve` does at the terminal with an order that waits: shows it, asks for the passphrase, and says what became of it. */
import { ticketText } from '../core/approval/terminal/render-ticket.ts';
import type { Clock } from '../core/clock.ts';
import type { Approvals } from '../core/orders/intent/approval-port.ts';
import type { Tty } from '../core/process/terminal.ts';
import { createSayMoment } from '../core/text/say-moment.ts';
import { askPassphrase } from './ask-passphrase.ts';
import { chooseOrder, explainDecision, sayTicket } from './choose-order.ts';

/** How long (ms) the command waits for the result: another server, which holds the pending order, sends it. */
const followMs = 15_000;
const pollIntervalMs = 250;

/** Approves the order with this intent, or the only one that waits. Returns the exit code. */
export async function approveOrder(
  tty: Tty,
  approvals: Approvals,
  intentId: string | undefined,
  { clock, zone }: { readonly clock: Clock; readonly zone: string },
): Promise<number> {
  const view = await chooseOrder(approvals, intentId, 'approve');
  const { ticket, digest, wrongPassphrases } = view;
  sayTicket(tty, ticketText(view, createSayMoment(zone, clock)), ticket.environment);
  const prompt = 'Passphrase to approve (press Enter to leave the order pending): ';
  const decision = await askPassphrase(tty, prompt, wrongPassphrases?.count ?? 0, (passphrase, seen) =>
    approvals.approve({ intentId: ticket.intentId, digest, passphrase, channel: 'terminal', seen }),
  );
  if (!decision) {
    tty.say('The order is still pending.');
    return 1;
  }
  tty.say(explainDecision(decision), decision.kind === 'approved' ? 'good' : 'bad');
  return decision.kind === 'approved' ? await followOrder(tty, approvals, ticket.intentId, clock) : 1;
}

/** Waits until an approved order has been sent or has ended, and says how. Returns the exit code. */
export async function followOrder(tty: Tty, approvals: Approvals, intentId: string, clock: Clock): Promise<number> {
  const until = clock.now() + followMs;
  while (clock.now() < until) {
    const view = await approvals.view(intentId);
    if (view && view.state !== 'APPROVED' && view.state !== 'SENDING') {
      const isPlaced = view.state === 'PLACED';
      const order = view.orderId === undefined ? '' : ` Order ${view.orderId}.`;
      tty.say(`${view.state}: ${view.message}${order}`, isPlaced ? 'good' : 'bad');
      return isPlaced ? 0 : 1;
    }
    await clock.sleep(pollIntervalMs);
  }
  tty.say('No server that may trade has sent the order yet; one can until the approval expires.');
  return 1;
}
