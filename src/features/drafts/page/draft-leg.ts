/** One order of a draft on its page: what is wrong, its facts, and the forms that make it smaller or stricter. */

import { drawNumber, drawValue, factList } from '../../../core/approval/page/draw-facts.ts';
import { type Html, html } from '../../../core/approval/page/html.ts';
import {
  identityList,
  lesserFacts,
  orderTitle,
  pendingTable,
  ticketFigures,
} from '../../../core/approval/page/ticket-details.ts';
import {
  amount,
  type Fact,
  positionFact,
  price,
  priceFacts,
  validityLabels,
} from '../../../core/approval/ticket-facts.ts';
import type { DraftLegTicket } from '../../../core/orders/intent/draft-approval.ts';
import { formatConstant } from '../../../core/text/count-of.ts';
import { ruleTitles } from '../../../core/text/outcome-sentences.ts';
import type { DraftLeg } from '../book/draft.ts';
import type { DraftSheet, SheetLeg } from '../draft-sheet.ts';
import { draftedFact, listNotes } from '../draft-ticket-facts.ts';

/** What every form of the page sends. */
export interface FormFields {
  readonly path: string;
  readonly csrf: string;
  readonly version: number;
}

export interface LegCardProps {
  /** Undefined when the draft cannot be edited. */
  readonly forms: FormFields | undefined;
  readonly isOnly: boolean;
  /** Another leg, or the sum of the legs, breaks a rule: none of them would be sent. */
  readonly isDraftRefused: boolean;
  /** Warnings that stand above the cards. */
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

/** The card of a leg. The lines of the overview lead to its id. */
export function legCard(one: SheetLeg, props: LegCardProps): Html {
  const { forms, isOnly, isDraftRefused, sharedWarnings, instruments, saved } = props;
  const { number, leg, ticket } = one;
  const id = `leg-${number}`;
  return html`
<li class="card draft-leg" id="${id}">
<h3><span class="place">${number}.</span> ${legTitle(leg, instruments)}</h3>
<p class="terms">${orderTerms(leg)}</p>
${saved}
${ticket && (one.refusal || isOnly) && verdict(one, isDraftRefused)}
${ticket ? ticketFigures(ticket.ticket, positionFact(ticket.ticket)) : factList(priceFacts(leg, instruments.currencies[leg.ticker]))}
${ticket && notes(ticket, sharedWarnings)}
${ticket && factList(draftFacts(one, ticket), 'lesser')}
<div class="folds">${ticket && moreFacts(ticket)}${forms && changes(one, forms, isOnly, instruments.currencies[leg.ticker])}</div>
</li>`;
}

const verdict = ({ refusal }: SheetLeg, isDraftRefused: boolean): Html =>
  refusal
    ? html`<p class="verdict bad"><strong>Refused now: ${ruleTitles[refusal.rule]}.</strong> ${refusal.reason}${
        refusal.largestQuantity !== undefined && html` The largest quantity is ${drawNumber(refusal.largestQuantity)}.`
      }</p>`
    : html`<p class="verdict good">Passes the rules ${isDraftRefused ? 'on its own; the draft is refused' : 'now'}.</p>`;

function notes(ticket: DraftLegTicket, shared: ReadonlySet<string>): Html | false {
  const texts = listNotes(ticket).filter((text) => !shared.has(text));
  return texts.length > 0 && html`<ul class="notes">${texts.map((text) => html`<li>${text}</li>`)}</ul>`;
}

/** What the draft adds to the facts of an order. */
const draftFacts = ({ charges }: SheetLeg, drafted: DraftLegTicket): readonly Fact[] => [
  {
    label: 'Estimated charges',
    value: charges === undefined ? ['unknown'] : amount(charges, drafted.ticket.estimate.currency),
  },
  draftedFact(drafted),
];

const orderTerms = ({ type, timeValidity, extendedHours }: DraftLeg): string =>
  [
    formatConstant(type),
    ...(timeValidity === undefined ? [] : [(validityLabels[timeValidity] ?? timeValidity).toLowerCase()]),
    ...(extendedHours ? ['also outside regular hours'] : []),
  ].join(', ');

/** The terms of an order in one line, with the prices as they are in the draft. */
export const legTerms = (leg: DraftLeg, { currencies }: Instruments): Html =>
  html`${orderTerms(leg)}${priceFacts(leg, currencies[leg.ticker]).map(
    ({ label, value }) => html`, ${label.toLowerCase()} ${drawValue(value)}`,
  )}`;

/** The facts of the ticket that the card does not show already. */
const moreFacts = ({ ticket }: DraftLegTicket): Html => html`<details><summary>All facts</summary>
${factList(lesserFacts(ticket), 'lesser')}
${ticket.pendingOnTicker.length > 0 && pendingTable(ticket)}
${identityList(ticket)}
</details>`;

function changes({ number, leg }: SheetLeg, forms: FormFields, isOnly: boolean, currency: string | undefined): Html {
  const { quantity, limitPrice, side } = leg;
  const field = (action: string, label: Html, value: string, button: string): Html => {
    const id = `${action}-${number}`;
    return html`<form method="post" action="${forms.path}" accept-charset="utf-8" class="edit">${hiddenFields(forms, action)}
<input type="hidden" name="leg" value="${number}"><label for="${id}">${label}</label>
<input id="${id}" name="value" value="${value}" required maxlength="40" inputmode="decimal" autocomplete="off"
><button class="button quiet" type="submit">${button}</button></form>`;
  };
  return html`<details><summary>Change or remove</summary>
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

/** The fields of every form of the page. */
export const hiddenFields = ({ csrf, version }: FormFields, action: string): Html =>
  html`<input type="hidden" name="action" value="${action}"><input type="hidden" name="csrf" value="${csrf}"
><input type="hidden" name="version" value="${version}">`;
