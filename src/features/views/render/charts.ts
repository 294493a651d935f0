/** Draws one row for each name, with marks on a common horizontal axis. */

import { formatTicker } from '../../../core/text/format-money.ts';
import { html, type Markup } from '../../../core/text/html-template.ts';
import type { WeightModel } from '../model/read-draft.ts';
import {
  createAxisFormat,
  type FormatOptions,
  formatMoney,
  formatPercent,
  formatPeriod,
  toNumber,
} from './format-values.ts';
import { drawing, sample } from './section.ts';
import { boldWidth, textWidth, wrapNames } from './wrap-text.ts';

/** The currency is that of the amounts. */
type Look = FormatOptions & { readonly currency: string | undefined };

interface ChartRow {
  readonly name: string;
  /** What ends a name that is cut; undefined where the name is a symbol itself. */
  readonly symbol?: string | undefined;
  /** The text at the end of the row, and a second one right of it. */
  readonly text: string;
  readonly note?: string | undefined;
  /** The row as a sentence for screen readers. */
  readonly sentence: string;
}

/** The maximum number of rows that stay readable. */
export const maxRows = 30;

const [size, top, maxNarrow] = [13, 22, 450] as const;

/** The height of a line of text. */
const lineHeight = 16;

/** Draws the rows. A narrow drawing puts the name above its marks, in one line; a wide one beside them. */
function rowChart<Row extends ChartRow>(
  rows: readonly Row[],
  {
    width,
    inset = 0,
    gap = 12,
    hasPoints = false,
    format,
    getValues,
    drawMarks,
  }: {
    readonly width: number;
    /** Pixels that stay free on both sides of the axis, for marks that are wider than their value. */
    readonly inset?: number;
    /** Pixels between the lines of two rows; a narrow drawing has its own. */
    readonly gap?: number | undefined;
    /** Whether the marks are points: then the axis begins near the first, and not at 0 as that of a length. */
    readonly hasPoints?: boolean;
    /** Of the values at the axis. */
    readonly format: Intl.NumberFormat;
    readonly getValues: (row: Row) => readonly number[];
    /** Draws the marks of a row around the line `y`. */
    readonly drawMarks: (row: Row, toX: (value: number) => number, y: number, isNarrow: boolean) => Markup;
  },
): { readonly height: number; readonly content: Markup } {
  const isNarrow = width < maxNarrow;
  const nameRoom = isNarrow
    ? 0
    : Math.min(width * 0.42, Math.max(...rows.map(({ name }) => textWidth(name, size)))) + 10;
  const textRoom = Math.max(...rows.map(({ text }) => textWidth(text, size)));
  const noteRoom = Math.max(...rows.map(({ note = '' }) => (note === '' ? 0 : textWidth(note, size) + 10)));
  const figureRoom = isNarrow ? 0 : textRoom + noteRoom + 8;
  // A length is read from its figure; a place needs its axis.
  const hasAxis = !isNarrow || hasPoints;
  const placed = placeRows(
    rows,
    hasAxis ? top : 0,
    isNarrow ? [hasPoints ? 26 : 22, 1] : [gap, hasPoints ? 3 : 2],
    ({ text }) => (isNarrow ? width - textWidth(text, size) - noteRoom - 14 : nameRoom - 10),
  );
  const span = width - nameRoom - figureRoom - 2 * inset;
  const values = rows.flatMap(getValues);
  const least = values.length > 0 ? Math.min(...values) : 0;
  const scale = hasPoints ? niceScale(values, isNarrow ? 3 : 4, least) : trimScale(values, span, format);
  const toX = (value: number) => nameRoom + inset + normalize(value, scale) * span;
  const height = (placed.at(-1)?.bottom ?? top) + 4;
  const axis = (hasAxis ? scale.ticks : []).map((tick) => {
    const text = format.format(tick).replace('-', '−');
    // Keeps the first and last labels inside the drawing.
    const half = textWidth(text, 12) / 2;
    const x = Math.min(width - half, Math.max(half, toX(tick)));
    return html`${!isNarrow && html`<line class="${tick === 0 ? 'zero' : 'grid'}" x1="${toX(tick)}" x2="${toX(tick)}" y1="${top - 4}" y2="${height}"/>`}
<text class="quiet" text-anchor="middle" x="${x}" y="12">${text}</text>`;
  });
  // Below the name of a narrow row: the length of the axis for points, its zero for bars.
  const guide = (y: number) =>
    hasPoints
      ? html`<line class="grid" x1="${inset}" x2="${width - inset}" y1="${y}" y2="${y}"/>`
      : html`<line class="zero" x1="${toX(0)}" x2="${toX(0)}" y1="${y - 6}" y2="${y + 6}"/>`;
  const marks = placed.map(({ row, lines, y, bottom }, index) => {
    const names = lines.length * lineHeight;
    // Beside its marks, a name of two lines is centred on them.
    const first = isNarrow ? y + 15 : (y + bottom - names) / 2 + 12;
    const middle = isNarrow ? y + names + (hasPoints ? 13 : 11) : (y + bottom) / 2 - 1;
    return html`<g data-mark role="img" tabindex="${index === 0 ? 0 : -1}" aria-label="${row.sentence}">
${isNarrow && guide(middle)}${drawMarks(row, toX, middle, isNarrow)}
${lines.map(({ before, text, after }, n) => html`<text class="halo" x="0" y="${first + n * lineHeight}">${before && html`<tspan class="strong">${before}</tspan> `}${text}${after && ` ${after}`}</text>`)}
${[row.note, row.text].map((text, n) => text !== undefined && html`<text class="halo" text-anchor="end" x="${width - n * noteRoom}" y="${isNarrow ? first : middle + 5}">${text}</text>`)}
<rect class="hit" x="1.5" y="${y + 1}" width="${width - 3}" height="${bottom - y - 2}" rx="3"/></g>`;
  });
  return { height, content: html`<g aria-hidden="true">${axis}</g>${marks}` };
}

/** The rows from top to bottom, each with the lines of its name, at most `most`. */
function placeRows<Row extends ChartRow>(
  rows: readonly Row[],
  start: number,
  [gap, most]: readonly [gap: number, most: number],
  getRoom: (row: Row) => number,
) {
  let bottom = start;
  return wrapNames(rows, getRoom, size, most).map(({ row, lines }) => {
    const y = bottom;
    bottom += gap + lines.length * lineHeight;
    return { row, lines, y, bottom };
  });
}

// Draws horizontal bars around a zero line, one row each: for profit and loss, and for income by group.

interface Bar extends ChartRow {
  readonly decimal: string;
}

/** Ends where the lengths end, and has as many ticks as have room for their labels. */
function trimScale(values: readonly number[], span: number, format: Intl.NumberFormat): Scale {
  const from = Math.min(0, ...values);
  const to = Math.max(from + Number.MIN_VALUE, 0, ...values);
  const scales = [6, 4, 3, 2].map((steps) => niceScale(values, steps).ticks);
  const hasRoom = (ticks: readonly number[]) =>
    Math.max(...ticks.map((tick) => textWidth(format.format(tick), 12))) + 4 <=
    (span * ((ticks[1] ?? 0) - (ticks[0] ?? 0))) / (to - from);
  const ticks = scales.find(hasRoom) ?? [0];
  return { from, to, ticks: ticks.filter((tick) => tick >= from && tick <= to) };
}

/** `toTone` says which values are good; a cost is not. */
export const bars = (
  rows: readonly Bar[],
  width: number,
  look: Look,
  toTone: (value: number, index: number) => string = (value) => (value < 0 ? 'loss' : 'gain'),
) => {
  // Losses alone, on a phone, begin at the left like other lengths: there is no axis that they could be left of.
  const sign = width < maxNarrow && rows.every(({ decimal }) => toNumber(decimal) <= 0) ? -1 : 1;
  return rowChart(rows, {
    width,
    // A page of paper has as many rows as possible.
    gap: look.isPart ? 6 : undefined,
    format: createAxisFormat(look.currency, look),
    getValues: ({ decimal }) => [sign * toNumber(decimal)],
    drawMarks: (row, toX, y, isNarrow) => {
      const value = toNumber(row.decimal);
      const [zero, end] = [toX(0), toX(sign * value)];
      const half = isNarrow ? 4 : 8;
      return html`<rect class="${toTone(value, rows.indexOf(row))}" x="${Math.min(zero, end)}" y="${y - half}" width="${Math.abs(end - zero)}" height="${2 * half}" rx="2"/>`;
    },
  });
};

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
      symbol: weight.name && formatTicker(weight.ticker),
      text: `${formatPercent(weight.before, look)} → ${formatPercent(weight.after, look)}`,
      sentence: describeWeight(weight, look),
    }));
  const hasTarget = rows.some(({ target }) => target !== undefined);
  const description = 'A hollow dot is the weight before, a filled dot the weight after, a line the target.';
  const format = new Intl.NumberFormat(look.locale, { style: 'unit', unit: 'percent', maximumFractionDigits: 2 });
  return html`<ul class="legend" aria-label="Marks">${sample('before', before(7, 7))}${sample('after', after(7, 7))}${hasTarget && sample('target', target(7, 7, 7))}</ul>
${drawing({ id: 'draft', title: 'Weights before and after', description }, (width) =>
  rowChart(rows, { width, inset: 6, hasPoints: true, format, getValues, drawMarks }),
)}
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

const getValues = ({ before, target, after }: WeightModel): readonly number[] =>
  [before, target, after].filter((percent) => percent !== undefined).map(toNumber);

/** An unknown weight has no mark. */
function drawMarks(weight: WeightModel, toX: (value: number) => number, y: number): Markup {
  const [from, aim, to] = [weight.before, weight.target, weight.after].map((percent) =>
    percent === undefined ? undefined : toX(toNumber(percent)),
  );
  return html`${
    from !== undefined &&
    to !== undefined &&
    html`<rect class="gain" x="${Math.min(from, to)}" y="${y - 1.5}" width="${Math.abs(to - from)}" height="3"/>`
  }${from !== undefined && before(from, y)}${to !== undefined && after(to, y)}${aim !== undefined && target(aim, y)}`;
}

const before = (x: number, y: number): Markup => html`<circle class="before" cx="${x}" cy="${y}" r="4.5"/>`;
const after = (x: number, y: number): Markup => html`<circle class="gain" cx="${x}" cy="${y}" r="5"/>`;
const target = (x: number, y: number, half = 10): Markup =>
  html`<line class="target" x1="${x}" x2="${x}" y1="${y - half}" y2="${y + half}"/>`;

// Draws columns over time. Projected columns are pale, outlined and labelled as projected.

export interface TimeBar {
  readonly group: string;
  readonly decimal: string | undefined;
  readonly isProjected: boolean;
  /** What is projected in addition to what was paid. */
  readonly projected?: string | undefined;
  /** The amount in words of the reader. */
  readonly text: string;
  readonly sentence: string;
}

const headroom = 24;
const bottom = 36;

/** Whether each column has room for its amount. */
export const fitsAmounts = (rows: readonly TimeBar[], width: number): boolean =>
  Math.max(...rows.map(({ text }) => textWidth(text, 12))) + 6 <= (width - axisRoom) / rows.length;

/** Pixels left of the columns, for the amounts of the axis. */
const axisRoom = 46;

/** Whether nothing more is projected for a period. */
export const isOver = ({ isProjected, projected }: TimeBar): boolean => !isProjected && projected === undefined;

/** The mean of what was paid in the periods that are over; undefined for fewer than two. */
export function findMean(rows: readonly TimeBar[]): number | undefined {
  const paid = rows.filter(isOver);
  return paid.length < 2 ? undefined : paid.reduce((sum, { decimal }) => sum + toNumber(decimal), 0) / paid.length;
}

/** The column of the largest payment. */
const findPeak = (rows: readonly TimeBar[]): TimeBar | undefined =>
  rows
    .filter(({ isProjected }) => !isProjected)
    .reduce<TimeBar | undefined>((a, b) => (a && toNumber(a.decimal) >= toNumber(b.decimal) ? a : b), undefined);

/** `mean` is drawn as a line across the periods that are over. */
export function columns(
  rows: readonly TimeBar[],
  width: number,
  look: Look,
  mean?: number,
): { readonly height: number; readonly content: Markup } {
  const height = width < 400 ? 240 : 270;
  const scale = niceScale(
    rows.map(({ decimal, projected }) => toNumber(decimal) + toNumber(projected)),
    4,
  );
  const compact = createAxisFormat(look.currency, look);
  const labels = scale.ticks.map((tick) => compact.format(tick).replace('-', '−'));
  const left = Math.max(...labels.map((label) => textWidth(label, 12))) + 6;
  const toY = (value: number) => headroom + (1 - normalize(value, scale)) * (height - headroom - bottom);
  const slot = (width - left) / rows.length;
  const firstProjected = rows.findIndex(({ isProjected }) => isProjected);
  const hasAll = fitsAmounts(rows, width);
  const peakBar = findPeak(rows);
  const paidEnd = firstProjected < 0 ? width : left + firstProjected * slot;
  const meanEnd = left + rows.filter(isOver).length * slot;
  const texts = rows.flatMap((row, index) => {
    if (row.projected !== undefined || !(hasAll || row === peakBar)) return [];
    const half = textWidth(row.text, 12) / 2;
    const value = toNumber(row.decimal);
    // A text that is wider than its column stays on the side of what was paid.
    const most = hasAll ? width : paidEnd - half - 3;
    const x = Math.max(left + half, Math.min(most, left + (index + 0.5) * slot));
    const drawn = html`<text class="quiet halo" text-anchor="middle" x="${x}" y="${toY(value) + (value < 0 ? 14 : -5)}">${row.text}</text>`;
    return [drawn];
  });
  const marks = rows.map((row, index) => {
    const value = toNumber(row.decimal);
    const x = left + index * slot;
    const gap = Math.min(3, slot * 0.12);
    const y = Math.min(toY(0), toY(value));
    const look = row.isProjected ? html`class="outlined"` : html`class="${value < 0 ? 'loss' : 'gain'}"`;
    const peak = toY(value + toNumber(row.projected));
    const above =
      row.projected !== undefined &&
      html`<rect class="outlined" x="${x + gap}" y="${peak}" width="${slot - 2 * gap}" height="${y - peak}"/>`;
    return html`<g data-mark role="img" tabindex="${index === 0 ? 0 : -1}" aria-label="${row.sentence}"
><rect ${look} x="${x + gap}" y="${y}" width="${slot - 2 * gap}" height="${Math.abs(toY(value) - toY(0))}"
/>${above}<rect class="hit" x="${x + gap / 2}" y="${headroom - 4}" width="${slot - gap}" height="${height - headroom - bottom + 8}" rx="2"/></g>`;
  });
  const content = html`
<g aria-hidden="true">${scale.ticks.map(
    (
      tick,
      index,
    ) => html`<line class="${tick === 0 ? 'zero' : 'grid'}" x1="${left}" x2="${width}" y1="${toY(tick)}" y2="${toY(tick)}"/>
<text class="quiet" text-anchor="end" x="${left - 6}" y="${toY(tick) + 4}">${labels[index]}</text>`,
  )}${firstProjected > 0 && projectionHead(firstProjected, left, slot, width, height)}${timeAxis(rows, left, slot, height, look)}</g>
${marks}<g aria-hidden="true" pointer-events="none">${mean !== undefined && ['case', 'split'].map((kind) => html`<line class="${kind}" x1="${left}" x2="${meanEnd}" y1="${toY(mean)}" y2="${toY(mean)}"/>`)}${texts}</g>`;
  return { height, content };
}

/** Marks where paid columns end and projected ones begin; the line begins below its label, which is never left of it alone. */
function projectionHead(first: number, left: number, slot: number, width: number, height: number): Markup {
  const x = left + first * slot;
  const word = 'Projection';
  const start = Math.min(x + 5, width - textWidth(word, 12) * boldWidth);
  return html`<line class="zero" x1="${x}" x2="${x}" y1="${start < x ? 18 : 4}" y2="${height - bottom}"/>
<text class="quiet strong" x="${start}" y="13">${word}</text>`;
}

/** Columns between two labels: of months, so that every January has one where not each month does, and of quarters. */
const labelSteps = { months: [1, 2, 3, 4, 6, 12, 24, 60, 120], quarters: [1, 2, 4, 8, 20, 40] } as const;

/** Counts months or quarters since the year 0; undefined for another period. */
function countPeriods(group: string): { readonly number: number; readonly steps: readonly number[] } | undefined {
  const [, year, quarter, part] = /^(\d{4})-(Q?)(\d{1,2})$/.exec(group) ?? [];
  if (part === undefined) return undefined;
  const size = quarter === '' ? 12 : 4;
  return {
    number: Number(year) * size + Number(part) - 1,
    steps: quarter === '' ? labelSteps.months : labelSteps.quarters,
  };
}

/** Draws as many labels as fit, with a tick where a column has none, and the year below the first label of each year. */
function timeAxis(rows: readonly TimeBar[], left: number, slot: number, height: number, look: FormatOptions): Markup {
  const words = rows.map(({ group }) => formatPeriod(group, look));
  const widest = Math.max(...words.map(({ short }) => textWidth(short, 12))) + 6;
  const least = Math.max(1, Math.ceil(widest / slot));
  const shown = words.flatMap((word, index) => {
    const x = left + (index + 0.5) * slot;
    // The label is centred on its column and must stay inside the drawing.
    const isInside = x + textWidth(word.short, 12) / 2 <= left + rows.length * slot;
    const { number, steps } = countPeriods(rows[index]?.group ?? '') ?? { number: index, steps: [] };
    const every = steps.find((step) => step >= least) ?? least;
    return number % every === 0 && isInside ? [{ ...word, x }] : [];
  });
  const firsts = shown.filter(({ year }, at) => year !== '' && year !== shown[at - 1]?.year);
  const half = (year: string) => (textWidth(year, 12) * boldWidth) / 2;
  // The year before gives way where two do not fit beside each other.
  const years = firsts.filter((one, at) => {
    const next = firsts[at + 1];
    return !next || one.x + half(one.year) + 4 < next.x - half(next.year);
  });
  const axis = height - bottom;
  return html`${shown.map(
    (word) =>
      html`${least > 1 && html`<line class="zero" x1="${word.x}" x2="${word.x}" y1="${axis}" y2="${axis + 4}"/>`}<text class="quiet" text-anchor="middle" x="${word.x}" y="${height - 18}">${word.short}</text>${
        years.includes(word) &&
        html`<text class="quiet strong" text-anchor="middle" x="${word.x}" y="${height - 4}">${word.year}</text>`
      }`,
  )}`;
}

/** An axis, and the round numbers on it. */
interface Scale {
  readonly from: number;
  readonly to: number;
  readonly ticks: readonly number[];
}

/**
 * Returns a scale that covers the values and `least`, with about `steps` steps of 1, 2 or 5 times a power of ten. Lengths
 * need one from 0.
 */
export function niceScale(values: readonly number[], steps: number, least = 0): Scale {
  const low = Math.min(least, ...values);
  const high = Math.max(least, ...values);
  const rough = (high - low) / steps || 1;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = ([1, 2, 5].find((factor) => factor * power >= rough) ?? 10) * power;
  const first = Math.floor(low / step);
  const last = Math.max(first + 1, Math.ceil(high / step));
  // Multiplies instead of adding steps, which would accumulate rounding errors.
  const ticks = Array.from({ length: last - first + 1 }, (_, index) => (first + index) * step);
  return { from: first * step, to: last * step, ticks };
}

/** Returns the position of a value between the ends, 0 to 1. */
export const normalize = (value: number, scale: Scale): number => (value - scale.from) / (scale.to - scale.from);
