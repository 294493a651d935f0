/** The orders of a draft on the page that asks for their approval: one line for each, with the facts of a ticket. */
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
import { countOf } from '../../../core/text/count-of.ts';
import { formatTicker } from '../../../core/text/format-money.ts';
import { describeSharedText, findSharedTexts } from '../../../core/text/shared-texts.ts';
import { draftedFact, listMarks, listNotes, listWarnings, summarizeLeg } from '../draft-ticket-facts.ts';
import { areOpen, type OrderRow, orderList } from './order-row.ts';

/** What became of an order, by the number of its leg. */
export type LegResults = ReadonlyMap<number, Html>;

/**
 * All orders in the sequence in which they are sent. With results each row has what became of its order and is closed. A
 * warning that several orders have is above them.
 */
export function ticketList({ legs }: Pick<DraftTicket, 'legs'>, results?: LegResults): Html {
  const shared = findSharedTexts(legs.map((leg) => ({ number: leg.number, texts: listWarnings(leg) })));
  const above = new Set(shared.map(({ text }) => text));
  const isInSequence = legs.every(({ number }, index) => number === index + 1);
  return orderList({
    title: legs.length === 1 ? 'The order' : 'Orders, in the sequence of sending',
    caption: `${isInSequence ? '' : 'Numbered as in the draft. '}Values are estimates, with the part of the account.`,
    shared: results ? [] : shared.map((one) => describeSharedText(one, legs.length)),
    rows: legs.map((leg) => ({
      ...toRow(leg, results ? undefined : above),
      result: results && (results.get(leg.number) ?? html`Waiting`),
      isOpen: !results && (areOpen(legs.length) || leg.ticket.isRepetition),
    })),
  });
}

/**
 * Warnings are on the line, except those `above` the list, and everything else that a ticket says is below it. Without
 * `above` the orders were decided, and the warnings of that moment are among the other facts.
 */
function toRow(leg: DraftLegTicket, above: ReadonlySet<string> | undefined): Omit<OrderRow, 'result' | 'isOpen'> {
  const { number, ticket, isDependent, isPriceAssumed } = leg;
  const { terms, value, percentOfAccount: percent } = summarizeLeg(leg);
  const pending = ticket.pendingOnTicker.length + (ticket.morePending ?? 0);
  return {
    number,
    title: orderTitle(ticket.order, ticket.instrument),
    terms: html`${drawValue(terms)}${isDependent && ', after the sells'}${pending > 0 && `, ${countOf(pending, 'pending order')} on it`}`,
    flags: [
      ...(ticket.isRepetition ? ['second identical order'] : []),
      ...listMarks({ isPriceAssumed }).map(({ mark }) => mark),
    ],
    warnings: above ? listWarnings(leg).filter((text) => !above.has(text)) : [],
    worth:
      value === undefined
        ? html`<b class="unknown">unknown</b>`
        : html`${drawValue(amount(value, ticket.estimate.currency))} <span class="part">${
            percent === undefined ? 'part unknown' : drawValue([{ percent }])
          }</span>`,
    facts: ticketFacts(leg, above ? listMarks(leg).map(({ note }) => note) : listNotes(leg)),
  };
}

/** What is unusual comes right after the figures, and the service's text about the instrument last. */
function ticketFacts(leg: DraftLegTicket, remarks: readonly string[]): Html {
  const { ticket } = leg;
  return html`
${
  ticket.isRepetition &&
  html`<p class="repetition"><strong>SECOND IDENTICAL ORDER</strong> An order exactly like this one was placed before.</p>`
}
${typeLine(ticket)}
${ticketFigures(ticket, positionFact(ticket))}
${remarks.map((text) => html`<p class="remark">${text}</p>`)}
${factList([...lesserFacts(ticket), draftedFact(leg)], 'lesser')}
${
  ticket.pendingOnTicker.length > 0 &&
  html`<h4>Pending orders on <bdi>${formatTicker(ticket.order.ticker)}</bdi></h4>${pendingTable(ticket)}`
}
${identityList(ticket)}`;
}
