/** The orders of a draft on a page: a line for each, which opens to the facts of its order. */

import { drawValue } from '../../../core/approval/page/draw-facts.ts';
import { type Html, html } from '../../../core/approval/page/html.ts';
import { amount } from '../../../core/approval/ticket-facts.ts';
import type { LegTicket } from '../../../core/orders/intent/draft-approval.ts';

/** Up to this number of orders, each is open from the start. */
const maxOpen = 3;

/** Whether the orders of a draft with this number of them are open from the start. */
export const areOpen = (count: number): boolean => count <= maxOpen;

/** The value of an order, at an assumed price where no other is known. */
export function drawWorth(ticket: LegTicket | undefined): Html {
  const { value, assumed, currency } = ticket?.estimate ?? {};
  const known = value ?? assumed?.value;
  return html`${known === undefined ? html`<b class="unknown">unknown</b>` : drawValue(amount(known, currency))}${assumed && html` assumed`}`;
}

export interface OrderRow {
  /** In the draft, from 1. The id of the row is made of it. */
  readonly number: number;
  /** Side, quantity and instrument. */
  readonly title: Html;
  /** The type of the order and its prices. */
  readonly terms: Html;
  /** Beside the terms; on a phone in a line of its own. */
  readonly more?: Html | undefined;
  /** Why it would not be sent. */
  readonly refusal?: Html | undefined;
  /** What is above it: the title of the group that it begins. */
  readonly group?: Html | undefined;
  /** What must not be overlooked, in a few words each. */
  readonly flags: readonly string[];
  /** Warnings of this order alone. */
  readonly warnings: readonly string[];
  /** Its value; undefined where the account was not read. */
  readonly worth: Html | undefined;
  /** What became of it, or what the rules say. */
  readonly result: Html | undefined;
  readonly isOpen: boolean;
  /** Everything else. */
  readonly facts: Html;
}

/** What a person decides by is on the line, also while the row is closed. */
const orderRow = (row: OrderRow): Html => html`
${row.group !== undefined && html`<li class="group">${row.group}</li>`}<li class="order" id="leg-${row.number}"><details${row.isOpen && html` open`}>
<summary><span class="place">${row.number}.</span> <h3>${row.title}</h3> <span class="lines"><span class="terms">${row.terms}${row.flags.map(
  (flag) => html` <span class="flag">${flag}</span>`,
)}</span>${row.more && html` <span class="beside">${row.more}</span>`}</span>${row.result && html` <span class="became">${row.result}</span>`}${row.worth && html` <span class="worth">${row.worth}</span>`}${row.refusal && html` <span class="caution bad">${row.refusal}</span>`}${row.warnings.map(
  (text) => html` <span class="caution">${text}</span>`,
)}</summary>
<div class="order-facts">${row.facts}</div>
</details></li>`;

/** The rows under one title, with what several of them share above them. */
export const orderList = (list: {
  readonly title: string;
  /** Above the rows: what the rules say of all. */
  readonly verdict?: string | undefined;
  /** Below the rows: what their figures are. */
  readonly caption: string;
  readonly shared: readonly string[];
  readonly rows: readonly OrderRow[];
  readonly below?: Html | undefined;
}): Html => html`
<section class="card orders-card" aria-labelledby="orders">
<h2 id="orders"${(list.rows.length === 1 || list.rows[0]?.group) && html` class="unseen"`}>${list.title}</h2>
${list.verdict !== undefined && html`<p class="soft">${list.verdict}</p>`}
${list.shared.length > 0 && html`<ul class="notes">${list.shared.map((text) => html`<li>${text}</li>`)}</ul>`}
<ol class="orders">${list.rows.map(orderRow)}</ol>
<p class="soft caption">${list.caption}${!list.rows.every(({ isOpen }) => isOpen) && html` Open an order to see all of it.`}</p>
${list.below}
</section>`;
