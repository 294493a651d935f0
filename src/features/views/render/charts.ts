/** Draws one row for each name, with marks on a common horizontal axis. */

import { formatTicker } from '../../../core/text/format-money.ts';
import { html, type Markup } from '../../../core/text/html-template.ts';
import type { WeightModel } from '../model/read-draft.ts';
import { niceScale, normalize } from './chart-axis.ts';
import { createAxisFormat, type FormatOptions, formatMoney, formatPercent, toNumber } from './format-values.ts';
import { drawing } from './section.ts';
import { textWidth, wrapText } from './wrap-text.ts';

/** The currency is that of the amounts. */
type Look = FormatOptions & { readonly currency: string | undefined };

interface ChartRow {
  readonly name: string;
  /** The text at the end of the row, and a second one right of it. */
  readonly text: string;
  readonly note?: string | undefined;
  /** The row as a sentence for screen readers. */
  readonly sentence: string;
}

/** The maximum number of rows that stay readable. */
export const maxRows = 30;

const size = 13;
const top = 22;

/** The height of a line of text. */
const lineHeight = 16;

/** Draws the rows. A narrow drawing puts the name above its marks, a wide one beside them; a long name takes two lines. */
function rowChart<Row extends ChartRow>(
  rows: readonly Row[],
  {
    width,
    inset = 0,
    gap = 12,
    format,
    getValues,
    drawMarks,
  }: {
    readonly width: number;
    /** Pixels that stay free on both sides of the axis, for marks that are wider than their value. */
    readonly inset?: number;
    /** Pixels between the lines of two rows; a narrow drawing has its own. */
    readonly gap?: number | undefined;
    /** Of the values at the axis. */
    readonly format: Intl.NumberFormat;
    readonly getValues: (row: Row) => readonly number[];
    /** Draws the marks of a row around the line `y`. */
    readonly drawMarks: (row: Row, toX: (value: number) => number, y: number) => Markup;
  },
): { readonly height: number; readonly content: Markup } {
  const isNarrow = width < 450;
  const nameRoom = isNarrow
    ? 0
    : Math.min(width * 0.42, Math.max(...rows.map(({ name }) => textWidth(name, size)))) + 10;
  const [textRoom, noteRoom] = [
    Math.max(...rows.map(({ text }) => textWidth(text, size))),
    Math.max(...rows.map(({ note = '' }) => (note === '' ? 0 : textWidth(note, size) + 10))),
  ];
  const figureRoom = isNarrow ? 0 : textRoom + noteRoom + 8;
  const placed = placeRows(rows, isNarrow ? 26 : gap, ({ text }) =>
    isNarrow ? width - textWidth(text, size) - noteRoom - 14 : nameRoom - 10,
  );
  const span = width - nameRoom - figureRoom - 2 * inset;
  const scale = niceScale(rows.flatMap(getValues), isNarrow ? 3 : 4);
  const toX = (value: number) => nameRoom + inset + normalize(value, scale) * span;
  const height = (placed.at(-1)?.bottom ?? top) + 4;
  const axis = scale.ticks.map((tick) => {
    const text = format.format(tick).replace('-', '−');
    // Keeps the first and last labels inside the drawing.
    const half = textWidth(text, 12) / 2;
    const x = Math.min(width - half, Math.max(half, toX(tick)));
    return html`<line class="${tick === 0 ? 'zero' : 'grid'}" x1="${toX(tick)}" x2="${toX(tick)}" y1="${top - 4}" y2="${height}"/>
<text class="quiet" text-anchor="middle" x="${x}" y="12">${text}</text>`;
  });
  const marks = placed.map(({ row, lines, y, bottom }, index) => {
    const names = lines.length * lineHeight;
    // Beside its marks, a name of two lines is centred on them.
    const first = isNarrow ? y + 15 : (y + bottom - names) / 2 + 12;
    const middle = isNarrow ? y + names + 13 : (y + bottom) / 2 - 1;
    return html`<g data-mark role="img" tabindex="${index === 0 ? 0 : -1}" aria-label="${row.sentence}">
${drawMarks(row, toX, middle)}
${isNarrow && html`<rect class="paper" x="0" y="${y + 1}" width="${width}" height="${names + 3}"/>`}${lines.map((line, n) => html`<text class="halo" x="0" y="${first + n * lineHeight}">${line}</text>`)}
${[row.note, row.text].map((text, n) => text !== undefined && html`<text class="halo" text-anchor="end" x="${width - n * noteRoom}" y="${isNarrow ? first : middle + 5}">${text}</text>`)}
<rect class="hit" x="1.5" y="${y + 1}" width="${width - 3}" height="${bottom - y - 2}" rx="3"/></g>`;
  });
  return { height, content: html`<g aria-hidden="true">${axis}</g>${marks}` };
}

/** The rows from top to bottom, each with the lines of its name. */
function placeRows<Row extends ChartRow>(rows: readonly Row[], gap: number, getRoom: (row: Row) => number) {
  let bottom = top;
  return rows.map((row) => {
    const lines = wrapText(row.name, getRoom(row), size);
    const y = bottom;
    bottom += gap + lines.length * lineHeight;
    return { row, lines, y, bottom };
  });
}

// Draws horizontal bars around a zero line, one row each: for profit and loss, and for income by group.

interface Bar extends ChartRow {
  readonly decimal: string;
}

/** `toTone` says which values are good; a cost is not. */
export const bars = (
  rows: readonly Bar[],
  width: number,
  look: Look,
  toTone = (value: number) => (value < 0 ? 'loss' : 'gain'),
) =>
  rowChart(rows, {
    width,
    // A page of paper has as many rows as possible.
    gap: look.isPart ? 6 : undefined,
    format: createAxisFormat(look.currency, look),
    getValues: ({ decimal }) => [toNumber(decimal)],
    drawMarks: ({ decimal }, toX, y) => {
      const value = toNumber(decimal);
      const [zero, end] = [toX(0), toX(value)];
      return html`<rect class="${toTone(value)}" x="${Math.min(zero, end)}" y="${y - 8}" width="${Math.abs(end - zero)}" height="16" rx="2"/>`;
    },
  });

// Draws the weight of each ticker before and after a plan as two dots, and its target as a line across them.

/** Draws the heaviest tickers. */
export function weightChart(weights: readonly WeightModel[], look: Look): Markup {
  const heaviest = ({ before, after }: WeightModel) => Math.max(toNumber(before), toNumber(after));
  const rows = [...weights]
    .sort((a, b) => heaviest(b) - heaviest(a))
    .slice(0, maxRows)
    .map((weight) => ({
      ...weight,
      name: weight.name ?? formatTicker(weight.ticker),
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

const describeWeight = (
  { ticker, name, before, target, after, valueBefore, valueAfter }: WeightModel,
  look: Look,
): string =>
  [
    `${name ?? formatTicker(ticker)}: before ${formatPercent(before, look)}`,
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
