/** The orders of a draft on a page: one line for each, and each with the facts of a ticket. */
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
import { draftedFact, listNotes, listWarnings, summarizeLeg } from '../draft-ticket-facts.ts';

/** All orders in the sequence in which they are sent, each as a card. A warning that several have is above them. */
export function ticketLegs({ legs }: Pick<DraftTicket, 'legs'>): Html {
  const shared = findSharedTexts(legs.map((leg) => ({ number: leg.number, texts: listWarnings(leg) })));
  const above = new Set(shared.map(({ text }) => text));
  return html`${
    shared.length > 0 &&
    html`<ul class="notes">${shared.map((one) => html`<li>${describeSharedText(one, legs.length)}</li>`)}</ul>`
  }${legs.map((leg) => legCard(leg, above))}`;
}

/** What is unusual comes right after the figures, and the service's text about the instrument last. */
function legCard(leg: DraftLegTicket, above: ReadonlySet<string>): Html {
  const { number, ticket } = leg;
  const notes = listNotes(leg).filter((text) => !above.has(text));
  return html`
<section class="card leg" aria-labelledby="leg-${number}">
<h2 id="leg-${number}"><span class="place">${number}.</span> ${orderTitle(ticket.order, ticket.instrument)}</h2>
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

/** One line for each order: it leads to the card, or has what became of the order when `results` has that. */
export const ticketList = ({ legs }: Pick<DraftTicket, 'legs'>, results?: LegResults): Html => html`
<table class="lines${results && html` results`}">
<caption>${legs.length === 1 ? 'One order' : 'In the sequence of sending'}${
  legs.some(({ number }, index) => number !== index + 1) && ', with the numbers of the draft'
}</caption>
<thead><tr><th scope="col" colspan="2">Order</th>${
  results && html`<th scope="col">Result</th>`
}<th scope="col" class="number">Value, part of account</th></tr></thead>
<tbody>${legs.map((leg) => legLine(leg, results))}</tbody>
</table>`;

function legLine(leg: DraftLegTicket, results: LegResults | undefined): Html {
  const { order, instrument, estimate } = leg.ticket;
  const { terms, value, percentOfAccount: percent, marks } = summarizeLeg(leg);
  return html`<tr><td class="number">${results ? leg.number : html`<a href="#leg-${leg.number}">${leg.number}</a>`}</td> <th scope="row">${orderTitle(order, instrument)} <span class="detail"><span class="terms">${drawValue(terms)}</span>${marks.map(
    (mark) => html` <span class="flag">${mark}</span>`,
  )}</span></th>${results && html`<td>${results.get(leg.number) ?? 'Waiting'}</td>`}<td class="number">${
    value === undefined
      ? html`<b class="unknown">unknown</b>`
      : html`${drawValue(amount(value, estimate.currency))} <span class="terms">${percent === undefined ? 'part unknown' : drawValue([{ percent }])}</span>`
  }</td></tr>`;
}
