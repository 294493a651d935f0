/** What the ticket of a draft says beyond the tickets of its orders: of each leg, of all legs, and of a draft's sums. */

import Big from 'big.js';
import {
  amount,
  costFacts,
  type Fact,
  orderFacts,
  percentValue,
  positionFact,
  price,
  type Value,
} from '../../core/approval/ticket-facts.ts';
import type { DraftLegTicket, DraftTicket } from '../../core/orders/intent/draft-approval.ts';
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
  ...leg.ticket.warnings,
];

/** The order, what it costs, how the price moved, and the position before and after. */
export const legFacts = (leg: DraftLegTicket): readonly Fact[] => [
  ...orderFacts(leg.ticket),
  ...costFacts(leg.ticket),
  ...priceMoveFacts(leg),
  positionFact(leg.ticket),
];

/** The price when the version was made, and now. */
export function priceMoveFacts({ ticket, priceThen, priceNow, isPriceAssumed }: DraftLegTicket): readonly Fact[] {
  const { currency } = ticket.instrument;
  const at = (value: string | undefined, remark = ''): Value =>
    value === undefined ? ['price unknown'] : price(value, currency, remark);
  const move = priceThen === undefined || priceNow === undefined ? '' : `, ${describeMove(priceThen, priceNow)}`;
  return [
    { label: 'When drafted', value: [...at(priceThen), ...(isPriceAssumed ? [{ flag: 'assumed' }] : [])] },
    { label: 'Known now', value: at(priceNow, move) },
  ];
}

function describeMove(then: string, now: string): string {
  if (new Big(then).eq(0)) return 'cannot be compared';
  const percent = new Big(now).div(then).minus(1).times(100);
  if (percent.round(2).eq(0)) return 'unchanged';
  return `${percent.gt(0) ? '+' : '−'}${percent.abs().toFixed(2)} %`;
}

export interface LegSummary {
  /** The type, or the prices. */
  readonly terms: Value;
  /** In the account currency, at an assumed price where no other is known; undefined where it is unknown. */
  readonly value: string | undefined;
  readonly percentOfAccount: string | undefined;
  readonly marks: readonly string[];
}

/** A leg in one line of a list of all orders. */
export function summarizeLeg(leg: DraftLegTicket): LegSummary {
  const { order, estimate, isRepetition, warnings } = leg.ticket;
  const prices: Value = [
    ...(order.stopPrice === undefined ? [] : ['stop', { figure: order.stopPrice }]),
    ...(order.limitPrice === undefined ? [] : ['limit', { figure: order.limitPrice }]),
  ];
  return {
    terms: prices.length > 0 ? prices : [formatConstant(order.type)],
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

/** What the orders that wait for approval come to together. */
export function ticketTotals({ totals }: Pick<DraftTicket, 'totals'>): readonly Fact[] {
  const { bought, sold, worst, charges, currency, unknownValues, largestPercent, largestShare } = totals;
  const share = (percent: string, remark: string) => atLeast(totals, percentValue(percent, remark));
  return [
    { label: 'Buys', value: atLeast(totals, amount(bought, currency)) },
    { label: 'Buys, worst case', value: atLeast(totals, amount(worst, currency)) },
    { label: 'Sells', value: atLeast(totals, amount(sold, currency)) },
    { label: 'Charges', value: charges === undefined ? ['unknown'] : amount(charges, currency, ', estimated') },
    {
      label: 'Largest order',
      value: largestPercent === undefined ? ['unknown'] : share(largestPercent, 'of the account'),
    },
    {
      label: 'Largest ticker',
      value:
        largestShare === undefined
          ? ['unknown']
          : share(largestShare.percent, `of the account, ${largestShare.ticker}`),
    },
    ...(unknownValues === 0 ? [] : [{ label: 'Value unknown', value: [{ flag: countOf(unknownValues, 'order') }] }]),
  ];
}

const enoughCash = { true: 'Yes, with a margin of 2\u202f%', undefined: 'Unknown' } as const;

/** What the legs of a draft come to together, and the cash before and after. */
export function sheetTotals(totals: SheetTotals): readonly Fact[] {
  const { currency, bought, sold, unknownValues, charges, cash, cashAfter, isFunded } = totals;
  const orUnknown = (value: string | undefined, remark = ''): Value =>
    value === undefined ? [{ unknown: 'Unknown' }] : amount(value, currency, remark);
  const left = { flag: `${countOf(unknownValues, 'leg')} of unknown or assumed value` };
  return [
    { label: 'Buys', value: atLeast(totals, amount(bought, currency)) },
    { label: 'Sells', value: atLeast(totals, amount(sold, currency)) },
    ...(unknownValues === 0 ? [] : [{ label: 'In no sum', value: [left] }]),
    { label: 'Charges', value: charges === undefined ? ['unknown for some orders'] : amount(charges, currency) },
    { label: 'Cash now', value: orUnknown(cash) },
    {
      label: 'Cash if all are filled',
      value: orUnknown(cashAfter, charges === undefined ? ', after the charges that are known' : ''),
    },
    {
      label: 'Enough cash',
      value:
        isFunded === false
          ? [{ flag: 'No: the buys cost more than the cash and the sells' }]
          : [enoughCash[`${isFunded}`]],
    },
  ];
}
