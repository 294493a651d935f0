/** Asking the person through the host: what is asked, and what comes back. The words are ours; none is the model's. */
import type { Ticket } from '../orders/approval-port.ts';
import { cleanText } from './clean.ts';

export type HostQuestion =
  | { readonly kind: 'form'; readonly nonce: string; readonly message: string }
  | { readonly kind: 'url'; readonly nonce: string; readonly message: string; readonly url: string };

export interface HostAnswer {
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

/** What a form says of an order. */
export function describeTicket(ticket: Ticket): string {
  const { order, instrument, estimate } = ticket;
  const currency = instrument.currency === 'GBX' ? 'GBX (pence)' : instrument.currency;
  const price = (name: string, value: string | undefined) =>
    value === undefined ? [] : [`${name} ${value} ${currency ?? ''}`.trim()];
  const worst =
    estimate.worst === undefined
      ? 'Its value is unknown.'
      : `At worst ${estimate.worst} ${estimate.currency ?? ''}${estimate.percentOfAccount ? ` (${estimate.percentOfAccount} % of the account)` : ''}.`;
  return cleanText(
    [
      `${ticket.environment.toUpperCase()}${ticket.isRepetition ? ', SECOND IDENTICAL ORDER' : ''}: ${order.side} ${order.quantity} × ${order.ticker}`,
      instrument.name ?? '',
      [order.type, ...price('limit', order.limitPrice), ...price('stop', order.stopPrice), order.timeValidity ?? '']
        .filter((part) => part !== '')
        .join(', '),
      worst,
      `Position after: ${ticket.position.after}.`,
      ...ticket.warnings,
      'Type the quantity to approve.',
    ]
      .filter((part) => part !== '')
      .join(' · '),
  );
}
