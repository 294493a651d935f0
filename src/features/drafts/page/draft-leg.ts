/** One order of a draft on its page: what is wrong, its facts, and the forms that make it smaller or stricter. */

import { drawNumber, drawValue, factList } from '../../../core/approval/page/draw-facts.ts';
import { type Html, html } from '../../../core/approval/page/html.ts';
import {
  identityList,
  lesserFacts,
  orderTitle,
  pendingTable,
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
import { ruleTitles } from '../../../core/text/outcome-sentences.ts';
import type { DraftLeg } from '../book/draft.ts';
import type { DraftWeight } from '../book/draft-plan.ts';
import type { DraftSheet, SheetLeg } from '../draft-sheet.ts';
import { describeTerms, draftedFact, listMarks } from '../draft-ticket-facts.ts';
import type { OrderRow } from './order-row.ts';

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
  /** Whether it is open from the start. */
  readonly isOpen: boolean;
  /** Whether the account was read for any leg of the draft. */
  readonly hasValues: boolean;
  /** Of its instrument, where a plan made the draft. */
  readonly weight: DraftWeight | undefined;
  /** Another leg, or the sum of the legs, breaks a rule: none of them would be sent. */
  readonly isDraftRefused: boolean;
  /** Warnings that are above the rows. */
  readonly sharedWarnings: ReadonlySet<string>;
  readonly instruments: Instruments;
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
  const { forms, isOnly, isOpen, isDraftRefused, sharedWarnings, instruments, saved, weight } = props;
  const { number, leg, ticket, refusal } = one;
  const currency = instruments.currencies[leg.ticker];
  return {
    number,
    title: legTitle(leg, instruments),
    // The ticket below has how long the order is valid.
    terms: html`${ticket ? drawValue(describeTerms(leg, currency)) : legTerms(leg, instruments)}${ticket?.isDependent && ', after the sells'}${
      props.hasValues && weight && html`<span class="weight">, weight ${drawValue(writeWeight(weight))}</span>`
    }`,
    flags: ticket ? listMarks({ isPriceAssumed: ticket.isPriceAssumed }).map(({ mark }) => mark) : [],
    warnings: ticket ? listWarnings(ticket.ticket).filter((text) => !sharedWarnings.has(text)) : [],
    worth: props.hasValues ? worth(one) : undefined,
    result: undefined,
    isOpen: isOpen || refusal !== undefined || saved !== undefined,
    facts: html`
${saved}
${ticket && (refusal || isOnly) && verdict(one, isDraftRefused)}
${forms && refusal && changes(one, forms, isOnly, currency)}
${ticket && typeLine(ticket.ticket)}
${ticket ? ticketFigures(ticket.ticket, positionFact(ticket.ticket)) : factList(priceFacts(leg, currency))}
${ticket && listMarks(ticket).map(({ note }) => html`<p class="remark">${note}</p>`)}
${ticket && factList([...draftFacts(one, ticket, weight), ...lesserFacts(ticket.ticket)], 'lesser')}
${ticket && ticket.ticket.pendingOnTicker.length > 0 && pendingTable(ticket.ticket)}
${ticket && identityList(ticket.ticket)}
${forms && !refusal && changes(one, forms, isOnly, currency)}`,
  };
}

/** The value of an order. */
function worth({ ticket }: SheetLeg): Html {
  const { value, assumed, currency } = ticket?.ticket.estimate ?? {};
  const known = value ?? assumed?.value;
  return html`${known === undefined ? html`<b class="unknown">unknown</b>` : drawValue(amount(known, currency))}${assumed && html` assumed`}`;
}

const writeWeight = ({ before, after }: DraftWeight): Value => [{ percent: before }, '→', { percent: after }];

const verdict = ({ refusal }: SheetLeg, isDraftRefused: boolean): Html =>
  refusal
    ? html`<p class="verdict bad"><strong>Refused now: ${ruleTitles[refusal.rule]}.</strong> ${refusal.reason}${
        refusal.largestQuantity !== undefined && html` The largest quantity is ${drawNumber(refusal.largestQuantity)}.`
      }</p>`
    : html`<p class="verdict good">Passes the rules ${isDraftRefused ? 'on its own; the draft is refused' : 'now'}.</p>`;

/** What the draft adds to the facts of an order. */
const draftFacts = (
  { charges }: SheetLeg,
  drafted: DraftLegTicket,
  weight: DraftWeight | undefined,
): readonly Fact[] => [
  {
    label: 'Estimated charges',
    value: charges === undefined ? ['unknown'] : amount(charges, drafted.ticket.estimate.currency),
  },
  draftedFact(drafted),
  ...(weight
    ? [
        {
          label: 'Weight in the plan',
          value: writeWeight(weight),
          note: weight.target === undefined ? ['no target'] : ['target', { percent: weight.target }],
        },
      ]
    : []),
];

/** The terms of an order in one line, with the prices as they are in the draft. */
export const legTerms = (leg: DraftLeg, { currencies }: Instruments): Html =>
  html`${drawValue(describeTerms(leg, currencies[leg.ticker]))}${
    leg.timeValidity !== undefined && `, ${(validityLabels[leg.timeValidity] ?? leg.timeValidity).toLowerCase()}`
  }${leg.extendedHours && ', also outside regular hours'}`;

/** Of a refused order it is open, because it is what a person can do; where a quantity would pass, one button lowers to it. */
function changes(
  { number, leg, refusal }: SheetLeg,
  forms: FormFields,
  isOnly: boolean,
  currency: string | undefined,
): Html {
  const { quantity, limitPrice, side } = leg;
  const largest = refusal?.largestQuantity;
  const field = (action: string, label: Html, value: string, button: string): Html => {
    const id = `${action}-${number}`;
    return html`<form method="post" action="${forms.path}" accept-charset="utf-8" class="edit">${hiddenFields(forms, action)}
<input type="hidden" name="leg" value="${number}"><label for="${id}">${label}</label>
<input id="${id}" name="value" value="${value}" required maxlength="40" inputmode="decimal" autocomplete="off"
><button class="button quiet" type="submit">${button}</button></form>`;
  };
  return html`${largest !== undefined && lowerTo(largest, number, forms)}
<details${refusal && largest === undefined && html` open`}><summary>Change or remove</summary>
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
    : html`<form method="post" action="${forms.path}" accept-charset="utf-8">${hiddenFields(forms, 'remove')}
<input type="hidden" name="leg" value="${number}"><button class="button quiet" type="submit">Remove order ${number}</button></form>`
}
</details>`;
}

const lowerTo = (quantity: string, number: number, forms: FormFields): Html =>
  html`<form method="post" action="${forms.path}" accept-charset="utf-8" class="cure">${hiddenFields(forms, 'quantity')}
<input type="hidden" name="leg" value="${number}"><input type="hidden" name="value" value="${quantity}"
><button class="button" type="submit">Lower to ${drawNumber(quantity)}</button></form>`;

/** The fields of every form of the page. */
export const hiddenFields = ({ csrf, version }: FormFields, action: string): Html =>
  html`<input type="hidden" name="action" value="${action}"><input type="hidden" name="csrf" value="${csrf}"
><input type="hidden" name="version" value="${version}">`;
