import { stateLabels } from '../core/approval/page/labels.ts';
import { writeOrder, writeTerms } from '../core/approval/ticket-facts.ts';
import { ticketText } from '../core/approval/ticket-text.ts';
import { type Clock, systemClock } from '../core/clock.ts';
import { UsageError } from '../core/errors.ts';
import type { Approvals, Ticket, TicketView } from '../core/orders/intent/approval-port.ts';
import type { ProcessContext } from '../core/process/process-context.ts';
import { confirm, openTty, type Tty } from '../core/process/terminal.ts';
import { createStyle } from '../core/process/text-style.ts';
import { createSayMoment } from '../core/text/format-moment.ts';
import { removeUnseen } from '../core/text/sanitize-text.ts';
import { reportSubmission } from '../features/drafts/submission/describe-submission.ts';
import { askPassphrase } from './ask-passphrase.ts';
import { chooseOrder, explainDecision, sayTicket } from './choose-order.ts';
import type { Command } from './command.ts';
import { approveDraftInTerminal } from './decide-draft.ts';
import { findAccount, requireOwnersTty, withNamedStore } from './with-app.ts';

/** Shows a pending order, or the draft of a submission, and approves it with the passphrase. */
export const approveCommand: Command = async ({ words, flags: given }, terminal) => {
  const [id] = words;
  // A draft belongs to one account, and orders of all accounts wait together.
  const account =
    id === undefined
      ? undefined
      : await findAccount(
          given,
          terminal,
          async ({ services }) => (await reportSubmission(services.drafts, id, 'person')) !== undefined,
        );
  const flags = account === undefined ? given : { ...given, account };
  return withNamedStore(flags, terminal, async (parts) => {
    const { approvals, drafts } = parts.services;
    const submission = words[0] === undefined ? undefined : await reportSubmission(drafts, words[0], 'person');
    if (submission?.outcome === 'pending_approval') return approveDraftInTerminal(parts, submission, terminal);
    if (submission) throw new UsageError(`${words[0]} is no longer waiting for approval: ${submission.message}`);
    const tty = requireOwnersTty(terminal, 'approve');
    try {
      return await approveOrder(tty, approvals, words[0], { clock: systemClock, zone: terminal.zone() });
    } finally {
      tty.close();
    }
  });
};

// What `approve` does at the terminal with an order that waits: shows it, asks for the passphrase, and says what became of it.

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
      tty.say(`${stateLabels[view.state].title}: ${view.message}${order}`, isPlaced ? 'good' : 'bad');
      return isPlaced ? 0 : 1;
    }
    await clock.sleep(pollIntervalMs);
  }
  tty.say('No server that may trade has sent the order yet; one can until the approval expires.');
  return 1;
}

/** Shows a pending order and rejects it. Rejecting can only prevent an order, so it needs no passphrase. */
export const rejectCommand: Command = (input, terminal) =>
  withNamedStore(input.flags, terminal, ({ services: { approvals } }) => rejectOrder(approvals, input, terminal));

/** Rejects the order with this intent, or the only one that waits. Returns the exit code. */
export async function rejectOrder(
  approvals: Approvals,
  { words: [intentId], flags }: Parameters<Command>[0],
  terminal: ProcessContext,
  open: typeof openTty = openTty,
): Promise<number> {
  const view = await chooseOrder(approvals, intentId, 'reject');
  const isNamed = intentId !== undefined;
  if (flags.yes !== 'true' && !(await mayReject(view, { isNamed, tty: open(terminal) }, terminal))) {
    terminal.print('The order is still pending.');
    return 1;
  }
  const { ticket } = view;
  const decision = await approvals.reject({ intentId: ticket.intentId, channel: 'terminal' });
  const isRejected = decision.kind === 'rejected';
  const style = createStyle(terminal.env, terminal.screens.output.isTerminal);
  terminal.print(style(isRejected ? 'good' : 'bad', isRejected ? describe(ticket) : explainDecision(decision)));
  return isRejected ? 0 : 1;
}

/** Asks the person at the terminal. Without one, the id of the order is the decision. */
async function mayReject(
  view: TicketView,
  { isNamed, tty }: { readonly isNamed: boolean; readonly tty: Tty | undefined },
  terminal: ProcessContext,
): Promise<boolean> {
  if (!tty && !isNamed)
    throw new UsageError('Without a terminal, reject needs the intent of the order, or --yes for the only one.');
  if (!tty) return true;
  try {
    sayTicket(tty, ticketText(view, createSayMoment(terminal.zone(), systemClock)), view.ticket.environment);
    return await confirm(tty, 'Reject this order? [y/N] ');
  } finally {
    tty.close();
  }
}

/** The rejected order in one line, for a log. */
const describe = (ticket: Ticket): string =>
  removeUnseen(
    `Rejected: ${writeOrder(ticket.order)} ${writeTerms(ticket)} (${ticket.environment}, ${ticket.intentId})`,
  );
