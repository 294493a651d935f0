/** What a ticket says of an order, computed and phrased here alone. The page, a terminal and a form draw it. */

import type Big from 'big.js';
import type { Ticket as OrderTicket } from '../orders/intent/approval-port.ts';
import type { LegTicket as Ticket } from '../orders/intent/draft-approval.ts';
import { priceDeviations } from '../orders/risk/risk-rules.ts';
import { formatConstant } from '../text/count-of.ts';
import { isPence, penceFact } from '../text/currency-units.ts';
import { defaultLocale, withPence, writePercent } from '../text/format-money.ts';
import { foreignInstrument, isPlainName } from '../text/sanitize-text.ts';

/** A part of a value: text of this program, or something that every channel sets apart. */
export type Piece =
  | string
  /** An exact decimal, as it is; a page separates its thousands. */
  | { readonly figure: string }
  /** Money of the account; its currency can be unknown. */
  | { readonly amount: string; readonly currency: string | undefined }
  /** A price of the instrument. Pence are marked each time. */
  | { readonly price: string; readonly currency: string | undefined }
  | { readonly percent: string }
  /** Something that is not known, which must catch the eye. */
  | { readonly unknown: string }
  /** What must not be overlooked. */
  | { readonly flag: string }
  | { readonly code: string }
  /** An instrument: a page calls it by its name. */
  | { readonly ticker: string; readonly name: string | undefined }
  /** Text of the service, cleaned; it is quoted, so that it is not read as a fact. */
  | { readonly foreign: string };

/** The parts have a space between them, except before a comma. */
export type Value = readonly Piece[];

export interface Fact {
  readonly label: string;
  readonly value: Value;
  /** What the value rests on, or is compared with. */
  readonly note?: Value | undefined;
}

export const amount = (value: string, currency: string | undefined): Value => [{ amount: value, currency }];
export const price = (value: string, currency: string | undefined): Value => [{ price: value, currency }];

/** Whether a space separates a part of a value from the one before it. */
export const hasSpace = (piece: Piece, index: number): boolean =>
  index > 0 && !(typeof piece === 'string' && piece.startsWith(','));

/** The value and its note as one. */
export const joinNote = ({ value, note }: Pick<Fact, 'value' | 'note'>): Value =>
  note === undefined ? value : [...value, ',', ...note];

/** The value as text. */
export const writeValue = (value: Value): string =>
  value.map((piece, index) => (hasSpace(piece, index) ? ' ' : '') + writePiece(piece)).join('');

function writePiece(piece: Piece): string {
  if (typeof piece === 'string') return piece;
  if ('figure' in piece) return piece.figure;
  if ('amount' in piece) return `${withPence(piece.amount)} ${piece.currency ?? inAccountCurrency}`;
  if ('price' in piece)
    return `${withPence(piece.price)} ${piece.currency ?? inUnknownCurrency}${isPence(piece.currency) ? ' (pence)' : ''}`;
  if ('percent' in piece) return writePercent(piece.percent, defaultLocale);
  if ('unknown' in piece) return piece.unknown.toUpperCase();
  if ('flag' in piece) return piece.flag;
  if ('ticker' in piece) return piece.ticker;
  return 'code' in piece ? piece.code : `“${piece.foreign}”`;
}

export const inAccountCurrency = 'in the account’s currency';
export const inUnknownCurrency = 'in an unknown currency';

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

/** At which price the value of an order is estimated, where its type does not say so. */
const priceSources: Readonly<Record<string, Value>> = {
  stopPrice: ['at the stop price'],
  lastKnownPrice: ['at the last price'],
};

const compact = <T>(values: readonly (T | undefined)[]): readonly T[] => values.filter((value) => value !== undefined);

/** The name of the instrument, to be written before its ticker; undefined for one that could be read as a fact. */
export function getPlainName({ name }: Pick<Ticket['instrument'], 'name'>): string | undefined {
  const shown = foreignInstrument(name);
  return isPlainName(shown) ? shown : undefined;
}

/** The environment, and the account where the owner has several: the banner of every ticket in text. */
export const writePlace = ({ environment, account }: Pick<OrderTicket, 'environment' | 'account'>): string =>
  [environment, ...(account === undefined ? [] : [`account ${account}`])].join(' · ').toUpperCase();

/** Side, quantity, name and ticker. */
export function writeOrder(
  { side, quantity, ticker }: Pick<Terms, 'side' | 'quantity' | 'ticker'>,
  instrument: Pick<Ticket['instrument'], 'name'> = { name: undefined },
): string {
  const name = getPlainName(instrument);
  return `${side} ${quantity} × ${name === undefined ? '' : `${name}, `}${ticker}`;
}

/** What a person is warned of. That prices are in pence is a fact of the instrument already. */
export const listWarnings = ({ warnings }: Pick<Ticket, 'warnings'>): readonly string[] =>
  warnings.filter((text) => text !== penceFact);

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
  const added = hasBound ? 'for charges and exchange' : 'for the price, charges and exchange';
  return { ...fact, value: amount(worst, currency), note: ['with', { percent: '2' }, added] };
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

/** What the order is expected to cost or to bring, what that rests on, and the last price. */
export const costFacts = (ticket: Ticket): readonly Fact[] => [
  estimatedValue(ticket),
  ...shareFacts(ticket),
  lastPriceFact(ticket),
];

export function estimatedValue({ order, estimate, instrument }: Ticket): Fact {
  const { value, assumed, currency, priceFrom = '' } = estimate;
  const label = order.side === 'BUY' ? 'Estimated cost' : 'Estimated proceeds';
  if (assumed) {
    const note = ['at an assumed price of', ...price(assumed.price, instrument.currency)];
    return { label, value: amount(assumed.value, currency), note };
  }
  if (value === undefined) return { label, value: [{ unknown: 'Value unknown' }] };
  return { label, value: amount(value, currency), note: priceSources[priceFrom] };
}

/** The part of the account; of an order of unknown value, a warning says why there is none. */
export const shareFacts = ({ estimate: { value, percentOfAccount: percent } }: Ticket): readonly Fact[] =>
  value === undefined ? [] : [{ label: 'Of the account', value: percent === undefined ? ['unknown'] : [{ percent }] }];

/** The last known price, and how far the prices of the order are from it. */
export function lastPriceFact({ order, estimate: { lastKnownPrice: last }, instrument: { currency } }: Ticket): Fact {
  const label = 'Last price';
  const compared = priceDeviations(order, last).flatMap(({ name, percent }, index) => [
    ...(index === 0 ? [] : ['and']),
    `${priceNames[name]}${index === 0 ? ' is' : ''}`,
    ...describeDistance(percent),
  ]);
  if (last !== undefined)
    return { label, value: price(last, currency), note: compared.length > 0 ? [...compared, 'it'] : undefined };
  const hasPrice = order.limitPrice !== undefined || order.stopPrice !== undefined;
  return {
    label,
    value: [{ unknown: 'Not known' }],
    note: hasPrice ? ['so the price cannot be compared'] : undefined,
  };
}

const priceNames = { limitPrice: 'the limit', stopPrice: 'the stop' } as const;

const describeDistance = (percent: Big): Value =>
  percent.eq(0) ? ['equal to'] : [{ percent: percent.abs().toFixed(1) }, percent.gt(0) ? 'above' : 'below'];

/** The cash and the position, before the order and after it. */
export const balanceFacts = (ticket: OrderTicket): readonly Fact[] => [cashFact(ticket), positionFact(ticket)];

export function cashFact({ cash, estimate: { currency } }: Pick<OrderTicket, 'cash' | 'estimate'>): Fact {
  const { before, after } = cash ?? {};
  return {
    label: 'Cash after',
    value: after === undefined ? [{ unknown: 'Unknown' }] : amount(after, currency),
    note: before === undefined ? undefined : ['now', ...amount(before, currency), ', before charges'],
  };
}

export const positionFact = ({ position: { before, after } }: Ticket): Fact => ({
  label: 'Position',
  value: [{ figure: before }, '→', { figure: after }],
});

export const instrumentFacts = (ticket: Ticket, isOrderNamed = true): readonly Fact[] => [
  { label: 'Ticker', value: [{ code: ticket.order.ticker }] },
  ...identityFacts(ticket, isOrderNamed),
];

const kinds: Readonly<Record<string, string>> = { ETF: 'ETF' };

/**
 * What the service says of the instrument. A name that could be read as a fact of the order comes here, last and in
 * quotes, so that it displaces nothing; any other is part of the order, unless this is written without names.
 */
export function identityFacts({ instrument }: Ticket, isOrderNamed = true): readonly Fact[] {
  const { name, isin, type, currency } = instrument;
  const shownName = foreignInstrument(name);
  return [
    { label: 'ISIN', value: [isin === undefined ? 'unknown' : { code: isin }] },
    { label: 'Kind', value: [type === undefined ? 'unknown' : (kinds[type] ?? formatConstant(type))] },
    {
      label: 'Currency',
      value: [currency ?? 'unknown', ...(isPence(currency) ? [{ flag: 'prices in pence' }, '100 GBX are 1 GBP'] : [])],
    },
    ...(isOrderNamed && isPlainName(shownName)
      ? []
      : [{ label: 'Name', value: [shownName === undefined ? 'unknown' : { foreign: shownName }] }]),
  ];
}
