/** Tables of all legs of a draft at a glance: one line for each, and the weights of a plan. */
import Big from 'big.js';
import { groupThousands } from '../../../core/approval/page/amounts.ts';
import { type Html, html } from '../../../core/approval/page/html.ts';
import { orderTitle } from '../../../core/approval/page/ticket-details.ts';
import { countOf } from '../../../core/text/count-of.ts';
import type { DraftWeight } from '../book/draft-weights.ts';
import type { SheetLeg } from '../draft-sheet.ts';

/** One line for each leg, which leads to its card. */
export function legOverview(legs: readonly SheetLeg[], isDraftRefused: boolean): Html {
  const currency = legs.find(({ ticket }) => ticket?.ticket.estimate.currency)?.ticket?.ticket.estimate.currency;
  const refused = legs.filter(({ refusal }) => refusal).length;
  return html`
<section class="card" aria-labelledby="overview"><h2 id="overview">At a glance</h2>
<table class="overview">
<caption>${refused === 0 ? (isDraftRefused ? 'The draft is refused now' : 'Every leg passes the rules now') : `${refused} of ${countOf(legs.length, 'leg')} ${refused === 1 ? 'is' : 'are'} refused now`}; values are estimates in ${currency ?? 'the account’s currency'}</caption>
<thead><tr><th scope="col" class="number">Leg</th><th scope="col">Order</th><th scope="col" class="number">Value</th><th scope="col">Rules</th></tr></thead>
<tbody>${legs.map(overviewRow)}</tbody></table>
</section>`;
}

const overviewRow = ({ number, leg, ticket, refusal }: SheetLeg): Html => {
  const { value, assumed } = ticket?.ticket.estimate ?? {};
  return html`<tr><td class="number">${number}</td><th scope="row"><a href="#leg-${number}">${orderTitle(leg)}</a></th
><td class="number">${assumed ? html`${groupThousands(assumed.value)} assumed` : value === undefined ? 'unknown' : groupThousands(value)}</td><td>${
    ticket ? (refusal ? html`<b class="result bad">refused</b>` : 'pass') : 'unknown'
  }</td></tr>`;
};

/** Percentages of the tickers of a plan; nothing for a draft that no plan computed. */
export const weightTable = (weights: readonly DraftWeight[] | undefined): Html | false =>
  weights !== undefined &&
  weights.length > 0 &&
  html`
<section class="card" aria-labelledby="weights"><h2 id="weights">Weights</h2>
<table class="weights">
<caption>In percent of the planned tickers, at the prices of the plan; after the legs as they are now. Tickers without an order are not listed.</caption>
<thead><tr><th scope="col">Ticker</th><th scope="col" class="number">Before</th><th scope="col" class="number">Target</th><th scope="col" class="number">After</th></tr></thead>
<tbody>${weights.map(
    ({ ticker, before, target, after }) =>
      html`<tr><th scope="row"><bdi class="ticker">${ticker}</bdi></th><td class="number">${toPercent(before)}</td><td class="number">${
        target === undefined ? 'none' : toPercent(target)
      }</td><td class="number"><b>${toPercent(after)}</b></td></tr>`,
  )}</tbody></table>
</section>`;

const toPercent = (value: string): string => new Big(value).toFixed(2);
