/** Why a draft is refused, for the person on its page: the order, the limit that it breaks, and the way out. */

import { drawNumber } from '../../../core/approval/page/draw-facts.ts';
import { type Html, html } from '../../../core/approval/page/html.ts';
import type { RuleName } from '../../../core/orders/intent/refusal.ts';
import type { RiskLimits } from '../../../core/orders/intent/risk-limits.ts';
import { countOf } from '../../../core/text/count-of.ts';
import { defaultLocale, writeMoney } from '../../../core/text/format-money.ts';
import { ruleTitles } from '../../../core/text/outcome-sentences.ts';
import type { DraftSheet } from '../draft-sheet.ts';
import { getPersonRefusalStep } from '../submission/check-submission.ts';
import { type FormFields, lowerForm, removeForm } from './draft-leg.ts';

type Refused = NonNullable<DraftSheet['refused']>;

/** The limit of the owner behind a rule, after “is over”; `money` writes an amount of the account. */
const limitNames: Partial<Record<RuleName, (limits: RiskLimits, money: (amount: string) => string) => string>> = {
  max_order_value: ({ maxOrderValue }, money) => `the ${money(maxOrderValue)} limit per order`,
  max_day_value: ({ maxDayValue }, money) => `what is left of the ${money(maxDayValue)} limit of 24 hours`,
  max_order_quantity: ({ maxOrderQuantity }) => `the limit of ${drawNumber(maxOrderQuantity)} shares per order`,
  orders_per_minute: ({ ordersPerMinute }) => `the limit of ${countOf(ordersPerMinute, 'order')} per minute`,
  orders_per_hour: ({ ordersPerHour }) => `the limit of ${countOf(ordersPerHour, 'order')} per hour`,
  orders_per_day: ({ ordersPerDay }) => `the limit of ${countOf(ordersPerDay, 'order')} per day`,
  pending_orders: ({ maxPendingPerTicker }) => `the limit of ${maxPendingPerTicker} pending orders on one ticker`,
};

/** Rules that a smaller or a removed order satisfies. Of any other, the step of the terminal is the way out. */
const curedByEditing: ReadonlySet<RuleName> = new Set([
  'cash',
  'duplicate_order',
  'instrument_type',
  'max_day_value',
  'max_open_quantity',
  'max_order_quantity',
  'max_order_value',
  'no_price',
  'orders_per_day',
  'orders_per_hour',
  'orders_per_minute',
  'pending_orders',
  'price_distance',
  'shares',
  'tickers',
  'value_unknown',
]);

/** The leg that the notice names; undefined where it names none, or that leg breaks another rule first. */
const findNamed = ({ legs, refused }: DraftSheet) =>
  legs.find(({ number, refusal }) => number === refused?.leg && refusal?.rule === refused.rule);

/** The button of the notice: what to do with the leg that it names, whose row then needs no button of its own. */
interface DraftCure {
  readonly leg: number;
  /** The quantity to lower it to; undefined to remove it. */
  readonly quantity: string | undefined;
}

/** Returns undefined where no change of one order cures the draft. */
export function findCure(sheet: DraftSheet): DraftCure | undefined {
  const named = findNamed(sheet);
  if (!named?.refusal) return undefined;
  const { number, refusal } = named;
  // Another price can cure that one, so its row has the fields.
  const isRemovable = sheet.legs.length > 1 && curedByEditing.has(refusal.rule) && refusal.rule !== 'price_distance';
  const quantity = refusal.largestQuantity;
  return quantity !== undefined || isRemovable ? { leg: number, quantity } : undefined;
}

/** Why none of it would be sent, and one way out. A reason that is on the line of its order is not repeated. */
export function refusedNotice(sheet: DraftSheet, refused: Refused, forms: FormFields | undefined): Html {
  const named = findNamed(sheet);
  return html`<div class="alert bad"><p><strong>${describeRefusal(sheet, refused, named !== undefined)}</strong> ${!named && html`${refused.reason} `}None of the draft would be sent.</p>
${forms && drawWayOut(sheet, refused, forms)}</div>`;
}

function describeRefusal({ legs, limits, totals }: DraftSheet, { rule, leg }: Refused, isNamed: boolean): Html {
  const subject =
    leg === undefined ? 'The draft' : legs.length === 1 ? 'The order' : html`<a href="#leg-${leg}">Order ${leg}</a>`;
  const name = limits && limitNames[rule];
  // The reason, which is beside it, says what the rule is about.
  if (!name) return html`${subject} is refused${isNamed && `: ${ruleTitles[rule]}`}.`;
  return html`${subject} is over ${name(limits, (amount) => writeMoney(amount, totals?.currency, defaultLocale))}.`;
}

function drawWayOut(sheet: DraftSheet, refused: Refused, forms: FormFields): Html {
  const cure = findCure(sheet);
  if (cure)
    return cure.quantity === undefined ? removeForm(cure.leg, forms) : lowerForm(cure.leg, cure.quantity, forms);
  if (!curedByEditing.has(refused.rule)) return html`<p>${getPersonRefusalStep(sheet.draft.id, refused)}</p>`;
  const what =
    sheet.legs.length === 1
      ? 'Change it'
      : refused.leg === undefined
        ? 'Lower or remove orders'
        : `Change or remove order ${refused.leg}`;
  return html`<p>${what} here, or ask your assistant for another plan.</p>`;
}
