/**
 * Asks the user through the host for an approval. Only this program writes the text of the question, never the model.
 */

import {
  balanceFacts,
  costFacts,
  identityFacts,
  orderFacts,
  writeOrder,
  writePlace,
} from '../approval/ticket-facts.ts';
import { writeFact, writeForm } from '../approval/ticket-text.ts';
import type { Ticket } from '../orders/intent/approval-port.ts';

export type ElicitationRequest = QuestionState & { readonly message: string } & (
    | { readonly kind: 'form'; readonly schema: object }
    | { readonly kind: 'url'; readonly url: string }
  );

export interface ElicitationResult extends QuestionState {
  readonly action: 'accept' | 'decline' | 'cancel';
  /** The fields of the form, as the host sent them. */
  readonly content: Readonly<Record<string, unknown>>;
}

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

/** What a question to the user leaves with the client, which returns it with the user's reply. */

interface QuestionState {
  /** One-time value of the question; it identifies what is approved. */
  readonly nonce: string;
  /** Whether the call that asked matched an earlier one. A client can change it, so only the words of a result use it. */
  readonly isRepeat?: boolean | undefined;
}

const repeatMark = '.repeat';

export const writeState = ({ nonce, isRepeat }: QuestionState): string => (isRepeat ? nonce + repeatMark : nonce);

export const readState = (state: string): QuestionState =>
  state.endsWith(repeatMark) ? { nonce: state.slice(0, -repeatMark.length), isRepeat: true } : { nonce: state };
