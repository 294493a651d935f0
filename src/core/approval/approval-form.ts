/** The forms of a host that ask for an approval. Only this program writes their text, never the model. */

import type { Ticket } from '../orders/intent/approval-port.ts';
import { balanceFacts, costFacts, identityFacts, orderFacts, writeOrder, writePlace } from './ticket-facts.ts';
import { writeFact, writeForm } from './ticket-text.ts';

/** One required field, so that an automatic accept with an empty form does not approve. */
export const approvalForm = {
  type: 'object',
  properties: {
    confirmQuantity: {
      type: 'string',
      title: 'Quantity',
      description: 'Type the quantity of the order to approve it',
    },
  },
  required: ['confirmQuantity'],
} as const;

/** The same for a draft. */
export const draftApprovalForm = {
  type: 'object',
  properties: {
    confirmLegs: {
      type: 'number',
      title: 'Number of orders',
      description: 'Type the number of orders to approve them',
    },
    confirmTotal: {
      type: 'string',
      title: 'Total',
      description: 'Type buys plus sells, with two decimals',
    },
  },
  required: ['confirmLegs', 'confirmTotal'],
} as const;

/**
 * Describes an order in a form: facts first, in the order of the approval page and the terminal; text from other
 * sources last. `problem` is what was wrong with the form before.
 */
export function describeTicket(ticket: Ticket, problem?: string): string {
  return writeForm([
    ...(problem === undefined ? [] : [problem]),
    `${writePlace(ticket)}${ticket.isRepetition ? ', SECOND IDENTICAL ORDER' : ''}`,
    `Order: ${writeOrder(ticket.order, ticket.instrument)}`,
    ...[...orderFacts(ticket), ...costFacts(ticket), ...balanceFacts(ticket)].map(writeFact),
    ...ticket.warnings,
    'Type the quantity to approve',
    ...identityFacts(ticket).map(writeFact),
  ]);
}
