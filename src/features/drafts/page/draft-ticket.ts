/** The orders of a draft on the page that asks for their approval: one line for each, with the facts of a ticket. */
import { drawValue, factList } from '../../../core/approval/page/draw-facts.ts';
import { type Html, html } from '../../../core/approval/page/html.ts';
import {
  describePending,
  identityList,
  lesserFacts,
  orderTitle,
  pendingOrders,
  repetitionBox,
  ticketFigures,
  typeLine,
  warningBox,
} from '../../../core/approval/page/ticket-details.ts';
import { listWarnings, positionFact } from '../../../core/approval/ticket-facts.ts';
import type { DraftLegTicket, DraftTicket } from '../../../core/orders/intent/draft-approval.ts';
import { countOf } from '../../../core/text/count-of.ts';
import { describeSharedText, findSharedTexts, nameOrders } from '../../../core/text/shared-texts.ts';
import { cashAfter, describeTerms, draftedFact, listMarks, totalFigures, totalShares } from '../draft-ticket-facts.ts';
import { areOpen, drawWorth, type OrderRow, orderList } from './order-row.ts';

/** What became of an order, by the number of its leg. */
export type LegResults = ReadonlyMap<number, Html>;

/** Up to this number of different warnings, all are above the sums with the numbers of their orders. */
const maxAbove = 3;

/** The warnings that are above the sums: those that several orders have, and of a few all. */
function findAbove(legs: DraftTicket['legs']) {
  const texts = legs.map((leg) => ({ number: leg.number, texts: listWarnings(leg.ticket) }));
  const all = findSharedTexts(texts, 1);
  return all.length > maxAbove ? findSharedTexts(texts) : all;
}

/** What a person is warned of before the sums; the orders whose warnings are on their own lines are named. */
export function warningList({ legs }: Pick<DraftTicket, 'legs'>): Html | false {
  const above = findAbove(legs);
  const isAbove = new Set(above.map(({ text }) => text));
  const others = legs.filter(({ ticket }) => listWarnings(ticket).some((text) => !isAbove.has(text)));
  const numbers = others.map(({ number }) => number).toSorted((a, b) => a - b);
  const assumed = legs.filter((leg) => leg.isPriceAssumed).map(({ number }) => number);
  const lines = [
    ...(assumed.length > 0
      ? [describeSharedText({ text: 'The price is assumed.', numbers: assumed }, legs.length)]
      : []),
    ...above.map((one) => describeSharedText(one, legs.length)),
    ...(numbers.length > 0
      ? [`${nameOrders(numbers)}: ${numbers.length === 1 ? 'a warning' : 'warnings'} below.`]
      : []),
  ];
  return warningBox(lines);
}

/** Of the only order, the sums are among its facts; without them the list is of the orders alone. */
type ListedTicket = Pick<DraftTicket, 'legs'> & Partial<Pick<DraftTicket, 'totals'>>;

/**
 * All orders in the sequence in which they are sent, by the numbers of the draft. With results each row has what became
 * of its order and is closed.
 */
export function ticketList(ticket: ListedTicket, results?: LegResults): Html {
  const { legs } = ticket;
  const above = new Set(findAbove(legs).map(({ text }) => text));
  return orderList({
    title: legs.length === 1 ? 'The order' : 'Orders',
    caption: 'Values are estimates.',
    shared: [],
    rows: legs.map((leg, index) => ({
      ...toRow(leg, ticket, results ? undefined : above, leg.isDependent && !saysDependent(legs, index)),
      group: nameGroup(legs, index),
      result: results && (results.get(leg.number) ?? html`Waiting`),
      isOpen: !results && (areOpen(legs.length) || leg.ticket.isRepetition),
    })),
  });
}

/** Above the first order of each side, where there are both: when these are sent, and once what the numbers are. */
function nameGroup(legs: DraftTicket['legs'], index: number): Html | undefined {
  const sideAt = (at: number) => legs[at]?.ticket.order.side;
  const side = sideAt(index);
  if (side === sideAt(index - 1) || legs.every((_, at) => sideAt(at) === side)) return undefined;
  const end = legs.findIndex((_, at) => at > index && sideAt(at) !== side);
  const count = (end < 0 ? legs.length : end) - index;
  const when = index === 0 ? 'Sent first' : saysDependent(legs, index) ? 'When the sells are filled' : 'Then';
  const isNumberedOtherwise = index === 0 && legs.some(({ number }, at) => number !== at + 1);
  return html`${when}: ${countOf(count, side === 'SELL' ? 'sell' : 'buy')}${isNumberedOtherwise && html` <span class="aside">numbered as drafted</span>`}`;
}

/** Whether the group of an order waits for the sells in all its orders, which its title says once. */
const saysDependent = (legs: DraftTicket['legs'], index: number): boolean =>
  legs.some(({ ticket }) => ticket.order.side === 'SELL') &&
  legs.filter(({ ticket }) => ticket.order.side === legs[index]?.ticket.order.side).every((leg) => leg.isDependent);

/**
 * Warnings are on the line, except those `above` the list, and everything else that a ticket says is below it. Without
 * `above` the orders were decided, and the warnings of that moment are among the other facts.
 */
function toRow(
  leg: DraftLegTicket,
  draft: ListedTicket,
  above: ReadonlySet<string> | undefined,
  isDependent: boolean,
): Omit<OrderRow, 'group' | 'result' | 'isOpen'> {
  const { number, ticket, isPriceAssumed } = leg;
  const pending = describePending(ticket);
  return {
    number,
    title: orderTitle(ticket.order, ticket.instrument),
    terms: html`${drawValue(describeTerms(ticket.order, ticket.instrument.currency))}${isDependent && ', after the sells'}`,
    more: pending === undefined ? undefined : html`${pending}`,
    flags: [
      ...(ticket.isRepetition ? ['second identical order'] : []),
      ...listMarks({ isPriceAssumed }).map(({ mark }) => mark),
    ],
    warnings: above ? listWarnings(leg.ticket).filter((text) => !above.has(text)) : [],
    worth: drawWorth(ticket),
    facts: ticketFacts(leg, draft, [
      ...listMarks({ isPriceAssumed, isDependent }).map(({ note }) => note),
      ...(above ? [] : listWarnings(ticket)),
    ]),
  };
}

/** What is unusual comes right after the figures, and the service's text about the instrument last. */
function ticketFacts(leg: DraftLegTicket, draft: ListedTicket, remarks: readonly string[]): Html {
  const { ticket } = leg;
  const position = positionFact(ticket);
  const { legs, totals } = draft;
  const sums = totals && legs.length === 1 ? { legs, totals } : undefined;
  const cash = sums && cashAfter(totalFigures(sums));
  const added = sums ? [position, ...totalShares(sums).slice(0, 1)] : [];
  const lesser = [...lesserFacts(ticket), ...added, draftedFact(leg)];
  return html`
${repetitionBox(ticket)}
${typeLine(ticket)}
${ticketFigures(ticket, cash ?? position)}
${remarks.map((text) => html`<p class="remark">${text}</p>`)}
${factList(lesser, 'lesser')}
${pendingOrders(ticket)}
${identityList(ticket)}`;
}
