/** The facts of a ticket as lines of text, in the order in which every channel shows them. */

import type { LegTicket } from '../orders/intent/draft-approval.ts';
import { isPence } from '../text/currency-units.ts';
import { sanitizeText } from '../text/sanitize-text.ts';
import { foreignName } from '../text/untrusted-text.ts';

/** Maximum characters of a form's message; hosts cut longer ones. */
export const maxFormLength = 1_000;

/** The message of a form, a fact on each line. No text from outside can begin a line of its own. */
export function writeForm(lines: readonly string[]): string {
  const text = lines.flatMap((line) => sanitizeText(line, maxFormLength) ?? []).join('\n');
  const characters = [...text];
  return characters.length > maxFormLength ? `${characters.slice(0, maxFormLength - 1).join('')}…` : text;
}

type Line = readonly [name: string, value: string];

/** What is approved: side, quantity and ticker, type, prices, worst case, validity. None of it is free text. */
export function orderLines({ order, instrument, estimate }: LegTicket): readonly Line[] {
  const unit = isPence(instrument.currency) ? 'GBX (pence)' : (instrument.currency ?? '(currency unknown)');
  const share = estimate.percentOfAccount === undefined ? '' : `, ${estimate.percentOfAccount} % of the account`;
  const worst =
    estimate.worst === undefined ? 'VALUE UNKNOWN' : `${[estimate.worst, estimate.currency].join(' ').trim()}${share}`;
  const lines: readonly (Line | undefined)[] = [
    ['Order', `${order.side} ${order.quantity} × ${order.ticker}`],
    ['Type', `${order.type}${order.extendedHours ? ', extended hours' : ''}`],
    order.limitPrice === undefined ? undefined : ['Limit price', `${order.limitPrice} ${unit}`],
    order.stopPrice === undefined ? undefined : ['Stop price', `${order.stopPrice} ${unit}`],
    // For a sale this is the estimate, and "at worst" would promise too much.
    [order.side === 'BUY' ? 'At worst' : 'Brings about', worst],
    order.timeValidity === undefined ? undefined : ['Valid', order.timeValidity],
  ];
  return lines.filter((line) => line !== undefined);
}

/** The orders that are pending on the ticker, a line each, and how many more there are. */
export const pendingLines = ({ pendingOnTicker, morePending }: LegTicket): readonly Line[] => [
  ...pendingOnTicker.map(
    ({ side, quantity, type, limitPrice, stopPrice }): Line => [
      'Pending',
      [side, quantity, type, limitPrice, stopPrice].filter(Boolean).join(' '),
    ],
  ),
  ...(morePending === undefined ? [] : [['Pending', `and ${morePending} more`] as const]),
];

/**
 * What the service reports about the instrument, for the end of a ticket. The name is quoted, so that it is not
 * read as a fact.
 */
export function instrumentLines({ instrument }: Pick<LegTicket, 'instrument'>): readonly Line[] {
  const name = foreignName(instrument.name);
  return [
    ['Name', name === undefined ? 'unknown' : `“${name}”`],
    ['ISIN', instrument.isin ?? 'unknown'],
    ['Kind', instrument.type ?? 'unknown'],
  ];
}
