import { chooseOrder, explainDecision } from './choose-order.ts';
import type { Command } from './command.ts';
import { withApp } from './with-app.ts';

/** Rejecting can only prevent an order, so it needs no passphrase. */
export const rejectCommand: Command = ({ words, flags }, terminal) =>
  withApp(flags, terminal, async ({ services: { approvals } }) => {
    const view = await chooseOrder(approvals, words[0], 'reject');
    const decision = await approvals.reject({ intentId: view.ticket.intentId, channel: 'terminal' });
    terminal.print(decision.kind === 'rejected' ? `Rejected: ${view.ticket.intentId}` : explainDecision(decision));
    return decision.kind === 'rejected' ? 0 : 1;
  });
