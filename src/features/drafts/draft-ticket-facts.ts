/** What the ticket of a draft says beyond the tickets of its orders: of each leg, of all legs, and of a draft's sums. */

import Big from 'big.js';
import {
  amount,
  costFacts,
  type Fact,
  getPlainName,
  listWarnings,
  orderFacts,
  positionFact,
  price,
  type Value,
} from '../../core/approval/ticket-facts.ts';
import type { DraftLegTicket, DraftTicket } from '../../core/orders/intent/draft-approval.ts';
import type { OrderRequest } from '../../core/orders/intent/order-request.ts';
import { countOf, formatConstant } from '../../core/text/count-of.ts';
import type { SheetTotals } from './assess-draft.ts';

interface LegMark {
  /** In a list of the orders. */
  readonly mark: string;
  /** Beside the facts of the order. */
  readonly note: string;
}

/** What can be unusual about a leg, in the sequence in which every channel shows it. */
const marks: Readonly<Record<'isPriceAssumed' | 'isDependent', LegMark>> = {
  isPriceAssumed: { mark: 'price assumed', note: 'The price that sized this order was assumed.' },
  isDependent: { mark: 'after the sells', note: 'It is sent after the sells are filled, which pay for it.' },
};

const markNames = Object.keys(marks) as (keyof typeof marks)[];

/** What a person has to know of a leg, on a page, in a terminal and in a form. */
export const listMarks = (leg: { readonly [mark in keyof typeof marks]?: boolean | undefined }): readonly LegMark[] =>
  markNames.filter((name) => leg[name]).map((name) => marks[name]);

/** What is unusual about a leg, and its warnings. */
export const listNotes = (leg: DraftLegTicket): readonly string[] => [
  ...listMarks(leg).map(({ note }) => note),
  ...listWarnings(leg.ticket),
];

/** The order, what it costs, how the price moved, and the position before and after. */
export const legFacts = (leg: DraftLegTicket): readonly Fact[] => [
  ...orderFacts(leg.ticket),
  ...costFacts(leg.ticket),
  draftedFact(leg),
  positionFact(leg.ticket),
];

/** The price when the version was made, and how the last price moved since. */
export function draftedFact({ ticket, priceThen, priceNow, isPriceAssumed }: DraftLegTicket): Fact {
  const label = 'When drafted';
  if (priceThen === undefined) return { label, value: ['price unknown'] };
  const value = [...price(priceThen, ticket.instrument.currency), ...(isPriceAssumed ? [{ flag: 'assumed' }] : [])];
  return { label, value, note: priceNow === undefined ? undefined : describeMove(priceThen, priceNow) };
}

function describeMove(then: string, now: string): Value {
  if (new Big(then).eq(0)) return ['cannot be compared'];
  const percent = new Big(now).div(then).minus(1).times(100).round(1);
  if (percent.eq(0)) return ['unchanged since'];
  return [`${percent.gt(0) ? 'up' : 'down'}`, { percent: percent.abs().toFixed(1) }, 'since'];
}

interface LegSummary {
  /** The type and the prices. */
  readonly terms: Value;
  /** In the account currency, at an assumed price where no other is known; undefined where it is unknown. */
  readonly value: string | undefined;
  readonly percentOfAccount: string | undefined;
  readonly marks: readonly string[];
}

/** The type of an order and its prices: `Limit £88.40`, `Stop limit, stop £80.00, limit £79.00`, `Market`. */
export function describeTerms(
  { type, stopPrice, limitPrice }: Pick<OrderRequest, 'type' | 'stopPrice' | 'limitPrice'>,
  currency: string | undefined,
): Value {
  const [limit, stop] = [limitPrice, stopPrice].map((one) => (one === undefined ? undefined : price(one, currency)));
  const name = formatConstant(type);
  if (limit && stop) return [name, ', stop', ...stop, ', limit', ...limit];
  return [name, ...(stop ?? limit ?? [])];
}

/** A leg in one line of a list of all orders. */
export function summarizeLeg(leg: DraftLegTicket): LegSummary {
  const { order, instrument, estimate, isRepetition } = leg.ticket;
  const warnings = listWarnings(leg.ticket);
  return {
    terms: describeTerms(order, instrument.currency),
    value: estimate.value ?? estimate.assumed?.value,
    percentOfAccount: estimate.percentOfAccount,
    marks: [
      ...(isRepetition ? ['second identical order'] : []),
      ...listMarks(leg).map(({ mark }) => mark),
      ...(warnings.length > 0 ? [countOf(warnings.length, 'warning')] : []),
    ],
  };
}

/** A sum that leaves orders out is a lower bound. */
export const atLeast = ({ unknownValues }: { readonly unknownValues: number }, value: Value): Value =>
  unknownValues === 0 ? value : ['at least', ...value];

/** What the orders that wait for approval come to together, and what they leave of the cash. */
export function totalFigures({ totals, legs }: Pick<DraftTicket, 'totals' | 'legs'>): readonly Fact[] {
  const { bought, sold, worst, currency, charges, cash } = totals;
  const has = (side: string) => legs.some(({ ticket }) => ticket.order.side === side);
  const buys = sideFacts('Buys', bought, totals).map((fact) => ({
    ...fact,
    note: ['at worst', ...amount(worst, currency)],
  }));
  return [
    ...(has('BUY') ? buys : []),
    ...(has('SELL') ? sideFacts('Sells', sold, totals) : []),
    cashFact({ currency, charges, before: cash?.before, after: cash?.after }),
  ];
}

/** Nothing for a side without orders. */
const sideFacts = (
  label: string,
  value: string,
  totals: { readonly unknownValues: number; readonly currency: string | undefined },
): readonly Fact[] =>
  new Big(value).eq(0) && totals.unknownValues === 0
    ? []
    : [{ label, value: atLeast(totals, amount(value, totals.currency)) }];

function cashFact({
  currency,
  charges,
  before,
  after,
}: Readonly<Record<'currency' | 'charges' | 'before' | 'after', string | undefined>>): Fact {
  const known = charges === undefined ? [', after the charges that are known'] : [];
  return {
    label: 'Cash if all are filled',
    value: after === undefined ? [{ unknown: 'Unknown' }] : amount(after, currency),
    note:
      before === undefined ? undefined : ['now', ...amount(before, currency), ...(after === undefined ? [] : known)],
  };
}

/** The cash among the figures of the only order of a draft, as the ticket of an order calls it. */
export function cashAfter(figures: readonly Fact[]): Fact | undefined {
  const cash = figures.at(-1);
  return cash && { ...cash, label: 'Cash after' };
}

/** The cash after the orders has paid the charges that are known, so it says what they are at least. */
function chargesFact({
  bought,
  sold,
  ...totals
}: Pick<SheetTotals, 'bought' | 'sold'> & Parameters<typeof cashFact>[0]): Fact {
  const { currency, charges, before, after } = totals;
  const label = 'Charges';
  if (charges !== undefined) return { label, value: amount(charges, currency), note: ['estimated'] };
  const known =
    before === undefined || after === undefined ? new Big(0) : new Big(before).plus(sold).minus(bought).minus(after);
  return known.gt(0)
    ? { label, value: ['at least', ...amount(known.toFixed(2), currency)], note: ['unknown for some orders'] }
    : { label, value: ['unknown'] };
}

const ofTheAccount = 'of the account';

/** The charges of these orders, and how large their parts of the account are. */
export function totalShares({ totals, legs }: Pick<DraftTicket, 'totals' | 'legs'>): readonly Fact[] {
  const { unknownValues, largestPercent, largestShare } = totals;
  const share = (percent: string): Value => atLeast(totals, [{ percent }, ofTheAccount]);
  const largest = legs.find(({ ticket }) => ticket.order.ticker === largestShare?.ticker)?.ticket.instrument;
  return [
    chargesFact({ ...totals, before: totals.cash?.before, after: totals.cash?.after }),
    { label: 'Largest order', value: largestPercent === undefined ? ['unknown'] : share(largestPercent) },
    {
      label: 'Largest instrument',
      ...(largestShare === undefined
        ? { value: ['unknown'] }
        : {
            value: share(largestShare.percent),
            note: [{ ticker: largestShare.ticker, name: largest && getPlainName(largest) }],
          }),
    },
    ...(unknownValues === 0 ? [] : [{ label: 'Value unknown', value: [{ flag: countOf(unknownValues, 'order') }] }]),
  ];
}

export const ticketTotals = (ticket: Pick<DraftTicket, 'totals' | 'legs'>): readonly Fact[] => [
  ...totalFigures(ticket),
  ...totalShares(ticket),
];

/** What the legs of a draft come to together, and the cash before and after. */
export function sheetFigures(totals: SheetTotals): readonly Fact[] {
  const { currency, bought, sold, charges, cash, cashAfter } = totals;
  return [
    ...sideFacts('Buys', bought, totals),
    ...sideFacts('Sells', sold, totals),
    cashFact({ currency, charges, before: cash, after: cashAfter }),
  ];
}

const enoughCash: Readonly<Record<'true' | 'undefined', Value>> = {
  true: ['Yes, with a', { percent: '2' }, 'margin'],
  undefined: ['Unknown'],
};

/** What the figures of a draft leave out, and whether the cash is enough. */
export function sheetChecks(totals: SheetTotals): readonly Fact[] {
  const { unknownValues, isFunded, cash, cashAfter } = totals;
  const left = { flag: `${countOf(unknownValues, 'order')} of unknown or assumed value` };
  return [
    ...(unknownValues === 0 ? [] : [{ label: 'Not in the sums', value: [left] }]),
    chargesFact({ ...totals, before: cash, after: cashAfter }),
    {
      label: 'Enough cash',
      value:
        isFunded === false
          ? [{ flag: 'No: the buys cost more than the cash and the sells' }]
          : enoughCash[`${isFunded}`],
    },
  ];
}
