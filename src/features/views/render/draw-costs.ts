/** Draws charges and fees: their sum, its part of what was traded, and a bar for each kind. */

import { countOf, formatConstant } from '../../../core/text/count-of.ts';
import { html, type Markup } from '../../../core/text/html-template.ts';
import type { CostModel, CostsModel } from '../model/read-costs.ts';
import { bars, maxRows } from './charts.ts';
import { type FormatOptions, formatMoney, formatNumber, formatPercent } from './format-values.ts';
import { asTable, drawing, empty, type Figure, hero, section, table } from './section.ts';

export function drawCosts(costs: CostsModel, look: FormatOptions): Markup {
  const { frame, currency, total, count, turnover, percentOfTurnover, percentReason, trades, others, kinds } = costs;
  const money = (term: string, decimal: string | undefined, of = currency): Figure | false =>
    decimal !== undefined && [term, formatMoney(decimal, of, look)];
  const body = html`${hero(
    money('Charges and fees', total),
    [
      percentOfTurnover !== undefined && ['Of what was traded', formatPercent(percentOfTurnover, look)],
      money('Traded', turnover),
    ],
    [
      trades !== undefined && ['Trades', formatNumber(trades, look)],
      count !== undefined && ['Charges', formatNumber(count, look)],
      ...others.map((other) => money('In another currency', other.amount, other.currency)),
    ],
  )}
${kinds.length === 0 ? empty(frame, 'No charges in this period.') : chart(costs, look)}
${percentReason !== undefined && html`<p class="soft">${percentReason}</p>`}
${kinds.length > 0 && asTable(table('Charges and fees', listColumns(look), kinds))}`;
  return section({ id: 'costs', title: 'Costs', frame, rows: { shown: kinds.length, what: 'rows' }, body }, look);
}

/** Amounts of other currencies have no place on the axis; the table has them. */
function chart({ kinds, currency }: CostsModel, look: FormatOptions): Markup | false {
  const rows = kinds
    .flatMap(({ amount, ...kind }) => (amount !== undefined && kind.currency === currency ? [{ ...kind, amount }] : []))
    .slice(0, maxRows)
    .map(({ amount, count, ...kind }) => {
      const [name, text] = [formatConstant(kind.name), formatMoney(amount, currency, look)];
      const times = count === undefined ? '' : `, ${countOf(count, 'charge')}`;
      return { name, decimal: amount, text, sentence: `${name}: ${text}${times}` };
    });
  const title = 'Charges and fees by kind';
  const description = `${countOf(rows.length, 'bar')}; a bar left of zero is a refund.`;
  return (
    rows.length > 0 &&
    drawing({ id: 'costs', title, description, isPrinted: true }, (width) =>
      bars(rows, width, { ...look, currency }, (value) => (value < 0 ? 'gain' : 'loss')),
    )
  );
}

const listColumns = (look: FormatOptions) => [
  { label: 'Kind', text: ({ name }: CostModel) => formatConstant(name) },
  {
    label: 'Amount',
    text: ({ amount, currency }: CostModel) => formatMoney(amount, currency, look),
    key: ({ amount }: CostModel) => amount,
    isNumber: true,
  },
  {
    label: 'Times',
    text: ({ count }: CostModel) => formatNumber(count, look),
    key: ({ count }: CostModel) => count,
    isNumber: true,
  },
];
