/** One order of a draft on its page: what is wrong, its facts, and the forms that make it smaller or stricter. */

import { drawNumber, drawValue, factList } from '../../../core/approval/page/draw-facts.ts';
import { type Html, html } from '../../../core/approval/page/html.ts';
import {
  identityList,
  lesserFacts,
  orderTitle,
  pendingOrders,
  ticketFigures,
  typeLine,
} from '../../../core/approval/page/ticket-details.ts';
import {
  amount,
  type Fact,
  listWarnings,
  positionFact,
  price,
  priceFacts,
  type Value,
  validityLabels,
} from '../../../core/approval/ticket-facts.ts';
import type { DraftLegTicket } from '../../../core/orders/intent/draft-approval.ts';
import type { Refusal } from '../../../core/orders/intent/refusal.ts';
import { countOf } from '../../../core/text/count-of.ts';
import type { SheetTotals } from '../assess-draft.ts';
import type { DraftLeg } from '../book/draft.ts';
import type { DraftWeight } from '../book/draft-plan.ts';
import type { DraftSheet, SheetLeg } from '../draft-sheet.ts';
import { cashAfter, describeTerms, draftedFact, listMarks, sheetChecks, sheetFigures } from '../draft-ticket-facts.ts';
import { drawWorth, type OrderRow } from './order-row.ts';

/** What every form of the page sends. */
export interface FormFields {
  readonly path: string;
  readonly csrf: string;
  readonly version: number;
}

export interface LegRowProps {
  /** Undefined when the draft cannot be edited. */
  readonly forms: FormFields | undefined;
  readonly isOnly: boolean;
  /** Whether the notice above the orders has the button that lowers this one. */
  readonly isCuredAbove: boolean;
  /** Whether it is open from the start. */
  readonly isOpen: boolean;
  /** Whether the account was read for any leg of the draft. */
  readonly hasValues: boolean;
  /** Of its instrument, where a plan made the draft. */
  readonly weight: DraftWeight | undefined;
  /** Warnings that are above the rows. */
  readonly sharedWarnings: ReadonlySet<string>;
  readonly instruments: Instruments;
  /** The sums, where it is the only order: then they are among its facts. */
  readonly sums: SheetTotals | undefined;
  /** What was saved just now, if it is about this leg. */
  readonly saved: Html | undefined;
}

/** By ticker; an instrument whose name is not known is called by its symbol. */
export type Instruments = Pick<DraftSheet, 'names' | 'currencies'>;

/** Side, quantity and instrument of a leg. */
export const legTitle = (leg: Pick<DraftLeg, 'side' | 'quantity' | 'ticker'>, { names }: Instruments): Html =>
  orderTitle(leg, { name: names[leg.ticker] });

/** The row of a leg: its terms and its value, and everything else below them. */
export function legRow(one: SheetLeg, props: LegRowProps): OrderRow {
  const { forms, isCuredAbove, isOpen, sharedWarnings, instruments, saved, weight, sums } = props;
  const { number, leg, ticket, refusal } = one;
  const currency = instruments.currencies[leg.ticker];
  const cash = sums && cashAfter(sheetFigures(sums));
  return {
    number,
    title: legTitle(leg, instruments),
    // The ticket below has how long the order is valid.
    terms: ticket ? drawValue(describeTerms(leg, currency)) : legTerms(leg, instruments),
    more: props.hasValues && weight ? html`Weight ${drawValue(writeWeight(weight))}` : undefined,
    flags: ticket ? listMarks({ isPriceAssumed: ticket.isPriceAssumed }).map(({ mark }) => mark) : [],
    warnings: ticket ? listWarnings(ticket.ticket).filter((text) => !sharedWarnings.has(text)) : [],
    refusal: refusal && describeRefusal(refusal, forms === undefined),
    worth: props.hasValues ? drawWorth(ticket?.ticket) : undefined,
    result: undefined,
    isOpen: isOpen || (refusal !== undefined && !isCuredAbove) || saved !== undefined,
    facts: html`
${saved}
${forms && refusal && !isCuredAbove && changes(one, forms, props, currency)}
${ticket && typeLine(ticket.ticket)}
${ticket ? ticketFigures(ticket.ticket, cash ?? positionFact(ticket.ticket)) : factList(priceFacts(leg, currency))}
${ticket && listMarks(ticket).map(({ note }) => html`<p class="remark">${note}</p>`)}
${ticket && pendingOrders(ticket.ticket)}
${
  ticket &&
  html`<details class="folded"><summary>More about this order</summary>${factList(lesserOf(one, ticket, sums), 'lesser')}
${identityList(ticket.ticket)}</details>`
}
${forms && (!refusal || isCuredAbove) && changes(one, forms, props, currency)}`,
  };
}

const writeWeight = ({ before, after, target }: DraftWeight): Value => [
  { percent: before },
  '→',
  { percent: after },
  ...(target === undefined ? [] : [', target', { percent: target }]),
];

/** A button lowers the order to the largest quantity, so that one is in words only where there is no button. */
const describeRefusal = ({ reason, largestQuantity: largest }: Refusal, hasNoButton: boolean): Html =>
  html`<b>Refused now.</b> ${reason}${hasNoButton && largest !== undefined && html` The largest quantity is ${drawNumber(largest)}.`}`;

/** The facts of a lower rank, with what the draft adds to them. */
const lesserOf = ({ charges }: SheetLeg, drafted: DraftLegTicket, sums: SheetTotals | undefined): readonly Fact[] => [
  ...lesserFacts(drafted.ticket),
  ...(sums
    ? [positionFact(drafted.ticket), ...sheetChecks({ ...sums, unknownValues: 0 })]
    : [{ label: 'Estimated charges', value: describeCharges(charges, drafted) }]),
  draftedFact(drafted),
];

const describeCharges = (charges: string | undefined, { ticket }: DraftLegTicket): Value =>
  charges === undefined ? ['unknown'] : amount(charges, ticket.estimate.currency);

/** The terms of an order in one line, with the prices as they are in the draft. */
export const legTerms = (leg: DraftLeg, { currencies }: Instruments): Html =>
  html`${drawValue(describeTerms(leg, currencies[leg.ticker]))}${
    leg.timeValidity !== undefined && `, ${(validityLabels[leg.timeValidity] ?? leg.timeValidity).toLowerCase()}`
  }${leg.extendedHours && ', also outside regular hours'}`;

/** Of a refused order it is open, because it is what a person can do; where a quantity would pass, one button lowers to it. */
function changes(
  { number, leg, refusal }: SheetLeg,
  forms: FormFields,
  { isOnly, isCuredAbove }: Pick<LegRowProps, 'isOnly' | 'isCuredAbove'>,
  currency: string | undefined,
): Html {
  const { quantity, limitPrice, side } = leg;
  const largest = isCuredAbove ? undefined : refusal?.largestQuantity;
  const isOpen = refusal !== undefined && !isCuredAbove && largest === undefined;
  const field = (action: string, label: Html, value: string, button: string): Html => {
    const id = `${action}-${number}`;
    return html`<form method="post" action="${forms.path}" accept-charset="utf-8" class="edit">${hiddenFields(forms, action)}
<input type="hidden" name="leg" value="${number}"><label for="${id}">${label}</label>
<input id="${id}" name="value" value="${value}" required maxlength="40" inputmode="decimal" autocomplete="off"
><button class="button quiet" type="submit">${button}</button></form>`;
  };
  return html`${largest !== undefined && lowerForm(number, largest, forms)}
<details${isOpen && html` open`}><summary>${isOnly ? 'Change it' : 'Change or remove it'}</summary>
${field('quantity', html`Quantity, below <b>${drawNumber(quantity)}</b>`, quantity, 'Lower')}
${
  limitPrice !== undefined &&
  field(
    'limitPrice',
    html`Limit price, ${side === 'BUY' ? 'below' : 'above'} ${drawValue(price(limitPrice, currency))}`,
    limitPrice,
    side === 'BUY' ? 'Lower' : 'Raise',
  )
}
${
  isOnly
    ? html`<p class="hint">This is the only order: discard the draft instead of removing it.</p>`
    : removeForm(number, forms)
}
</details>`;
}

/** The button that lowers an order to the largest quantity that would pass. */
export const lowerForm = (number: number, quantity: string, forms: FormFields): Html =>
  html`<form method="post" action="${forms.path}" accept-charset="utf-8" class="cure">${hiddenFields(forms, 'quantity')}
<input type="hidden" name="leg" value="${number}"><input type="hidden" name="value" value="${quantity}"
><button class="button" type="submit">Lower order ${number} to ${countOf(drawNumber(quantity), 'share')}</button></form>`;

/** The button that takes an order out of the draft. */
export const removeForm = (number: number, forms: FormFields): Html =>
  html`<form method="post" action="${forms.path}" accept-charset="utf-8" class="cure">${hiddenFields(forms, 'remove')}
<input type="hidden" name="leg" value="${number}"><button class="button quiet" type="submit">Remove order ${number}</button></form>`;

/** The fields of every form of the page. */
export const hiddenFields = ({ csrf, version }: FormFields, action: string): Html =>
  html`<input type="hidden" name="action" value="${action}"><input type="hidden" name="csrf" value="${csrf}"
><input type="hidden" name="version" value="${version}">`;
