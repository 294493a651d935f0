/** Draws the weight of each ticker before and after a plan as two dots, and its target as a line across them. */
import { html, type Markup } from '../../../core/text/html-template.ts';
import type { WeightModel } from '../model/draft.ts';
import { type FormatOptions, formatMoney, formatPercent, toNumber } from './format-values.ts';
import { maxRows, rowChart } from './row-chart.ts';
import { drawing } from './section.ts';

type Look = FormatOptions & { readonly currency: string | undefined };

/** Draws the heaviest tickers. */
export function weightChart(weights: readonly WeightModel[], look: Look): Markup {
  const heaviest = ({ before, after }: WeightModel) => Math.max(toNumber(before), toNumber(after));
  const rows = [...weights]
    .sort((a, b) => heaviest(b) - heaviest(a))
    .slice(0, maxRows)
    .map((weight) => ({
      ...weight,
      name: weight.ticker,
      text: `${formatPercent(weight.before, look)} → ${formatPercent(weight.after, look)}`,
      sentence: describeWeight(weight, look),
    }));
  const hasTarget = rows.some(({ target }) => target !== undefined);
  const title = 'Weights before and after';
  const description = 'A hollow dot is the weight before, a filled dot the weight after, a line the target.';
  const format = new Intl.NumberFormat(look.locale, { style: 'unit', unit: 'percent', maximumFractionDigits: 2 });
  return html`${drawing({ id: 'draft', title, description }, (width) =>
    rowChart(rows, { width, inset: 6, format, getValues, drawMarks }),
  )}
<ul class="legend" aria-label="Marks">${sample('before', before(7, 7))}${sample('after', after(7, 7))}${hasTarget && sample('target', target(7, 7, 7))}</ul>
${weights.length > rows.length && html`<p class="soft">The ${rows.length} largest of ${weights.length} are drawn; the table has all.</p>`}`;
}

const describeWeight = ({ ticker, before, target, after, valueBefore, valueAfter }: WeightModel, look: Look): string =>
  [
    `${ticker}: before ${formatPercent(before, look)}`,
    ...(target === undefined ? [] : [`target ${formatPercent(target, look)}`]),
    `after ${formatPercent(after, look)}`,
    `value ${formatMoney(valueBefore, look.currency, look)} to ${formatMoney(valueAfter, look.currency, look)}`,
  ].join(', ');

const getValues = ({ before, target, after }: WeightModel): readonly number[] => [before, target, after].map(toNumber);

/** An unknown weight has no mark. */
function drawMarks(weight: WeightModel, toX: (value: number) => number, y: number): Markup {
  const [from, aim, to] = [weight.before, weight.target, weight.after].map((percent) =>
    percent === undefined ? undefined : toX(toNumber(percent)),
  );
  return html`${
    from !== undefined &&
    to !== undefined &&
    html`<rect class="gain" x="${Math.min(from, to)}" y="${y - 1.5}" width="${Math.abs(to - from)}" height="3"/>`
  }${aim !== undefined && target(aim, y)}${from !== undefined && before(from, y)}${to !== undefined && after(to, y)}`;
}

const before = (x: number, y: number): Markup => html`<circle class="before" cx="${x}" cy="${y}" r="4.5"/>`;
const after = (x: number, y: number): Markup => html`<circle class="gain" cx="${x}" cy="${y}" r="5"/>`;
const target = (x: number, y: number, half = 9): Markup =>
  html`<line class="target" x1="${x}" x2="${x}" y1="${y - half}" y2="${y + half}"/>`;

const sample = (name: string, mark: Markup): Markup => html`<li><svg aria-hidden="true">${mark}</svg>${name}</li>`;
