/** Asking the person through the host: what is asked, and what comes back. The words are ours; none is the model's. */
import { instrumentLines, orderLines } from '../orders/approval/ticket-lines.ts';
import type { Ticket } from '../orders/intent/approval-port.ts';
import { sanitizeText } from '../sanitize-text.ts';

export type ElicitationRequest =
  | { readonly kind: 'form'; readonly nonce: string; readonly message: string }
  | { readonly kind: 'url'; readonly nonce: string; readonly message: string; readonly url: string };

export interface ElicitationResult {
  /** Of the question; it names the intent. */
  readonly nonce: string;
  readonly action: 'accept' | 'decline' | 'cancel';
  readonly confirmQuantity: unknown;
}

/** One field, which an empty automatic accept does not fill. */
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

/** Characters of a form's message; hosts cut what is longer. */
const maxMessageLength = 1_000;

/** What a form says of an order: facts first, in the order of the page and the terminal; what others wrote last. */
export function describeTicket(ticket: Ticket): string {
  const lines = [
    `${ticket.environment.toUpperCase()}${ticket.isRepetition ? ', SECOND IDENTICAL ORDER' : ''}`,
    ...orderLines(ticket).map(([name, value]) => `${name}: ${value}`),
    `Position after: ${ticket.position.after}`,
    ...ticket.warnings,
    'Type the quantity to approve',
    ...instrumentLines(ticket).map(([name, value]) => `${name}: ${value}`),
  ];
  return sanitizeText(lines.join(' · '), maxMessageLength) ?? '';
}
