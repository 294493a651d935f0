/** The orders of a draft on a page: each with the facts of a ticket, then one line for each. */
import { drawValue, factList } from '../../../core/approval/page/draw-facts.ts';
import { type Html, html } from '../../../core/approval/page/html.ts';
import {
  identityList,
  lesserFacts,
  orderTitle,
  pendingTable,
  ticketFigures,
  typeLine,
} from '../../../core/approval/page/ticket-details.ts';
import { amount, positionFact } from '../../../core/approval/ticket-facts.ts';
import type { DraftLegTicket, DraftTicket } from '../../../core/orders/intent/draft-approval.ts';
import { formatTicker } from '../../../core/text/format-money.ts';
import { describeSharedText, findSharedTexts } from '../../../core/text/shared-texts.ts';
import { draftedFact, listNotes, summarizeLeg } from '../draft-ticket-facts.ts';

/** All orders in the sequence in which they are sent, each as a card. A warning that several have is above them. */
export function ticketLegs({ legs }: Pick<DraftTicket, 'legs'>): Html {
  const shared = findSharedTexts(legs.map(({ ticket }, index) => ({ number: index + 1, texts: ticket.warnings })));
  const above = new Set(shared.map(({ text }) => text));
  return html`${
    shared.length > 0 &&
    html`<section class="card"><ul class="notes">${shared.map((one) => html`<li>${describeSharedText(one, legs.length)}</li>`)}</ul></section>`
  }${legs.map((leg, index) => legCard(leg, index + 1, legs.length, above))}`;
}

/** What is unusual comes right after the figures, and the service's text about the instrument last. */
function legCard(leg: DraftLegTicket, place: number, count: number, above: ReadonlySet<string>): Html {
  const { number, ticket } = leg;
  const notes = listNotes(leg).filter((text) => !above.has(text));
  return html`
<section class="card leg" aria-labelledby="leg-${number}">
<h2 id="leg-${number}">${orderTitle(ticket.order, ticket.instrument)} <span class="place">${place} of ${count}</span></h2>
${
  ticket.isRepetition &&
  html`<p class="repetition"><strong>SECOND IDENTICAL ORDER</strong> An order exactly like this one was placed before.</p>`
}
${typeLine(ticket)}
${ticketFigures(ticket, positionFact(ticket))}
${notes.length > 0 && html`<ul class="notes">${notes.map((note) => html`<li>${note}</li>`)}</ul>`}
${factList([...lesserFacts(ticket), draftedFact(leg)], 'lesser')}
${
  ticket.pendingOnTicker.length > 0 &&
  html`<h3>Pending orders on <bdi>${formatTicker(ticket.order.ticker)}</bdi></h3>${pendingTable(ticket)}`
}
${identityList(ticket)}
</section>`;
}

/** What became of an order, by the number of its leg. */
export type LegResults = ReadonlyMap<number, Html>;

/** One line for each order, with what became of it when `results` has that. */
export const ticketList = ({ legs }: Pick<DraftTicket, 'legs'>, results?: LegResults): Html => html`
<table class="lines">
<caption>${legs.length === 1 ? 'One order' : `${legs.length} orders`}, sent in this sequence</caption>
<thead><tr><th scope="col">Order</th>${
  results && html`<th scope="col">Result</th>`
}<th scope="col" class="number">Value, % of account</th></tr></thead>
<tbody>${legs.map((leg, index) => legLine(leg, index + 1, results))}</tbody>
</table>`;

function legLine(leg: DraftLegTicket, place: number, results: LegResults | undefined): Html {
  const { order, instrument, estimate } = leg.ticket;
  const { terms, value, percentOfAccount: percent, marks } = summarizeLeg(leg);
  return html`<tr><th scope="row"><a href="#leg-${leg.number}">${place}</a> ${orderTitle(order, instrument)} <span class="terms">${drawValue(terms)}</span>${marks.map(
    (mark) => html` <span class="flag">${mark}</span>`,
  )}</th>${results && html`<td>${results.get(leg.number) ?? 'waiting'}</td>`}<td class="number">${
    value === undefined
      ? html`<b class="unknown">unknown</b>`
      : html`${drawValue(amount(value, estimate.currency))} <span class="terms">${percent === undefined ? 'unknown %' : drawValue([{ percent }])}</span>`
  }</td></tr>`;
}
