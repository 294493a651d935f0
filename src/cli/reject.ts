import { ticketText } from '../core/approval/terminal/render-ticket.ts';
import { orderLines } from '../core/approval/ticket-lines.ts';
import { systemClock } from '../core/clock.ts';
import { UsageError } from '../core/errors.ts';
import type { Approvals, Ticket, TicketView } from '../core/orders/intent/approval-port.ts';
import type { ProcessContext } from '../core/process/process-context.ts';
import { createStyle } from '../core/process/style.ts';
import { confirm, openTty, type Tty } from '../core/process/terminal.ts';
import { removeUnseen } from '../core/text/sanitize-text.ts';
import { createSayMoment } from '../core/text/say-moment.ts';
import { chooseOrder, explainDecision, sayTicket } from './choose-order.ts';
import type { Command } from './command.ts';
import { withNamedStore } from './with-app.ts';

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
function describe(ticket: Ticket): string {
  const [order, ...terms] = orderLines(ticket).filter(([name]) => name !== 'At worst' && name !== 'Valid');
  const details = terms.map(([name, value]) => (name === 'Type' ? value : `${name.toLowerCase()} ${value}`));
  return removeUnseen(`Rejected: ${[order?.[1], ...details].join(', ')} (${ticket.environment}, ${ticket.intentId})`);
}
