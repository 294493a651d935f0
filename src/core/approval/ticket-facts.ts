/** What a ticket says of an order, computed and phrased here alone. The page, a terminal and a form draw it. */

import type { LegTicket as Ticket } from '../orders/intent/draft-approval.ts';
import { formatConstant, toWords } from '../text/count-of.ts';
import { isPence } from '../text/currency-units.ts';
import { foreignName } from '../text/sanitize-text.ts';

/** A part of a value: text of this program, or something that every channel sets apart. */
export type Piece =
  | string
  /** An exact decimal, as it is; a page separates its thousands. */
  | { readonly figure: string }
  /** Something that is not known, which must catch the eye. */
  | { readonly unknown: string }
  /** What must not be overlooked. */
  | { readonly flag: string }
  | { readonly code: string }
  /** Text of the service, cleaned; it is quoted, so that it is not read as a fact. */
  | { readonly foreign: string };

/** The parts have a space between them. */
export type Value = readonly Piece[];

export interface Fact {
  readonly label: string;
  readonly value: Value;
}

/** An amount of money has two decimals or more: `70` is written `70.00`. */
const withPence = (decimal: string): string =>
  decimal.replace(/^(-?\d+)(?:\.(\d))?$/, (_, integer, fraction = '') => `${integer}.${fraction.padEnd(2, '0')}`);

/** An amount in the account currency, and what is said of it. */
export const amount = (value: string, currency: string | undefined, remark = ''): Value => [
  { figure: withPence(value) },
  `${currency ?? 'in the account’s currency'}${remark}`,
];

/** A price of the instrument, and what is said of it. Pence are marked each time. */
export const price = (value: string, currency: string | undefined, remark = ''): Value => [
  { figure: withPence(value) },
  `${currency ?? 'in an unknown currency'}${isPence(currency) ? ' (pence)' : ''}${remark}`,
];

/** A percentage, which can end with its sign. */
export const percentValue = (percent: string, remark = ''): Value => [
  { figure: `${percent.replace(/\s*%$/, '')}\u202f%` },
  ...(remark === '' ? [] : [remark]),
];

/** The value as text. */
export const writeValue = (value: Value): string => value.map(writePiece).join(' ').replaceAll('\u202f', ' ');

function writePiece(piece: Piece): string {
  if (typeof piece === 'string') return piece;
  if ('figure' in piece) return piece.figure;
  if ('unknown' in piece) return piece.unknown.toUpperCase();
  if ('flag' in piece) return piece.flag;
  return 'code' in piece ? piece.code : `“${piece.foreign}”`;
}

// What a ticket says of an order: computed and phrased here alone, for the page, a terminal and a form.

type Terms = Ticket['order'];

/** A fact of the order itself, which a form of several orders says in one or two words. */
interface OrderFact extends Fact {
  readonly short: string;
}

const orderTypeLabels: Record<Terms['type'], string> = {
  MARKET: 'Market: at the next available price, whatever it is',
  LIMIT: 'Limit: at the limit price or better',
  STOP: 'Stop: becomes a market order when the stop price is reached',
  STOP_LIMIT: 'Stop limit: becomes a limit order when the stop price is reached',
};

export const validityLabels = { DAY: 'Today only', GOOD_TILL_CANCEL: 'Until it is cancelled' } as const;

const compact = <T>(values: readonly (T | undefined)[]): readonly T[] => values.filter((value) => value !== undefined);

/** Side, quantity and ticker. */
export const writeOrder = ({ side, quantity, ticker }: Pick<Terms, 'side' | 'quantity' | 'ticker'>): string =>
  `${side} ${quantity} × ${ticker}`;

/** Type, prices, worst case, validity. None of it is free text. */
export const orderFacts = (ticket: Ticket): readonly OrderFact[] => [
  typeFact(ticket.order),
  ...priceFacts(ticket.order, ticket.instrument.currency),
  ...boundFacts(ticket),
];

/** The same in one line, as short as it goes. */
export const writeTerms = ({ order, estimate, instrument }: Ticket): string =>
  [typeFact(order), ...priceFacts(order, instrument.currency), ...listBounds(order, estimate)]
    .map(({ short }) => short)
    .filter((short) => short !== '')
    .join(' ');

const typeFact = ({ type }: Terms): OrderFact => ({
  label: 'Type',
  value: [orderTypeLabels[type] ?? formatConstant(type)],
  short: type,
});

/** The prices that the order names, in the currency of the instrument. */
export function priceFacts(
  { limitPrice, stopPrice }: Pick<Terms, 'limitPrice' | 'stopPrice'>,
  currency: string | undefined,
): readonly OrderFact[] {
  const unit = currency ?? '(currency unknown)';
  const fact = (label: string, word: string, value: string | undefined): OrderFact | undefined =>
    value === undefined ? undefined : { label, value: price(value, currency), short: `${word} ${value} ${unit}` };
  return compact([fact('Limit price', 'limit', limitPrice), fact('Stop price', 'stop', stopPrice)]);
}

/** The worst case, how long the order is valid, and whether it can be filled outside regular hours. */
export const boundFacts = ({ order, estimate }: Ticket): readonly OrderFact[] =>
  listBounds(order, estimate).filter(({ value }) => value.length > 0);

const listBounds = (order: Terms, estimate: Ticket['estimate']): readonly OrderFact[] =>
  compact([worstCase(order, estimate), validity(order), extendedHours(order)]);

/** For a sale this is the estimate, and calling it the worst case would promise too much: only the short form has it. */
function worstCase({ side, type }: Terms, { value, worst, currency }: Ticket['estimate']): OrderFact {
  const isBuy = side === 'BUY';
  const fact = { label: 'Worst case', short: `${isBuy ? 'at worst' : 'about'} ${worst ?? 'UNKNOWN'}` };
  if (worst === undefined) return { ...fact, value: [{ unknown: 'Value unknown' }] };
  if (!isBuy) return { ...fact, value: worst === value ? [] : amount(worst, currency) };
  // The price of a limit order is bound, so what can be added is charges and the exchange rate.
  const hasBound = type === 'LIMIT' || type === 'STOP_LIMIT';
  const added = hasBound ? 'charges and exchange' : 'the price, charges and exchange';
  return { ...fact, value: amount(worst, currency, `, with 2\u202f% for ${added}`) };
}

const validity = ({ timeValidity }: Terms): OrderFact | undefined =>
  timeValidity && { label: 'Valid', value: [validityLabels[timeValidity] ?? timeValidity], short: timeValidity };

const extendedHours = ({ type, extendedHours: isExtended }: Terms): OrderFact | undefined =>
  type === 'MARKET'
    ? {
        label: 'Extended hours',
        value: [isExtended ? 'Yes, also outside regular hours' : 'No, regular hours only'],
        short: isExtended ? 'extended hours' : '',
      }
    : undefined;

/** What the order is expected to cost or to bring, and what that rests on. */
export const costFacts = (ticket: Ticket): readonly Fact[] => [estimatedValue(ticket), ...estimateFacts(ticket)];

export function estimatedValue({ order, estimate, instrument }: Ticket): Fact {
  const { value, assumed, currency } = estimate;
  return {
    label: order.side === 'BUY' ? 'Estimated cost' : 'Estimated proceeds',
    value: assumed
      ? [...amount(assumed.value, currency, ' at an assumed price of'), ...price(assumed.price, instrument.currency)]
      : value === undefined
        ? [{ unknown: 'Value unknown' }]
        : amount(value, currency),
  };
}

/** What the estimated value rests on. */
export function estimateFacts({ estimate, instrument }: Ticket): readonly Fact[] {
  const { value, assumed, percentOfAccount, price: used, priceFrom } = estimate;
  if (assumed) return [];
  if (value === undefined)
    return [{ label: 'Why', value: ['The price, or the exchange rate to the account’s currency, is unknown.'] }];
  const from = priceFrom === undefined ? '' : `, the ${toWords(priceFrom)}`;
  return compact([
    { label: 'Of the account', value: percentOfAccount === undefined ? ['unknown'] : percentValue(percentOfAccount) },
    used === undefined ? undefined : { label: 'Price used', value: price(used, instrument.currency, from) },
  ]);
}

export const positionFact = ({ position: { before, after } }: Ticket): Fact => ({
  label: 'Position',
  value: [{ figure: before }, '→', { figure: after }],
});

export const instrumentFacts = (ticket: Ticket): readonly Fact[] => [
  { label: 'Ticker', value: [{ code: ticket.order.ticker }] },
  ...identityFacts(ticket),
];

/** What the service says of the instrument; its name comes last, so that a long or false one displaces nothing. */
export function identityFacts({ instrument }: Ticket): readonly Fact[] {
  const { name, isin, type, currency } = instrument;
  const shownName = foreignName(name);
  return [
    { label: 'ISIN', value: [isin === undefined ? 'unknown' : { code: isin }] },
    { label: 'Kind', value: [type ?? 'unknown'] },
    {
      label: 'Currency',
      value: [currency ?? 'unknown', ...(isPence(currency) ? [{ flag: 'prices in pence' }, '100 GBX are 1 GBP'] : [])],
    },
    { label: 'Name', value: [shownName === undefined ? 'unknown' : { foreign: shownName }] },
  ];
}
