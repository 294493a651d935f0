/** Draws amounts over time: columns, of which projected ones are hatched, outlined and labelled, and lines. */

import { dayMs } from '../../../core/clock.ts';
import { html, type Markup } from '../../../core/text/html-template.ts';
import { niceScale, normalize } from './chart-axis.ts';
import { createAxisFormat, type FormatOptions, formatDay, formatPeriod, toNumber } from './format-values.ts';
import { textWidth } from './wrap-text.ts';

/** The currency is that of the amounts. */
type Look = FormatOptions & { readonly currency: string | undefined };

const size = 13;

export interface TimeBar {
  readonly group: string;
  readonly decimal: string | undefined;
  readonly isProjected: boolean;
  /** What is projected in addition to what was paid. */
  readonly projected?: string | undefined;
  readonly sentence: string;
}

const headroom = 24;
const bottom = 36;

export function columns(
  rows: readonly TimeBar[],
  width: number,
  id: string,
  look: Look,
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
  const marks = rows.map((row, index) => {
    const value = toNumber(row.decimal);
    const x = left + index * slot;
    const gap = Math.min(3, slot * 0.12);
    const y = Math.min(toY(0), toY(value));
    const look = row.isProjected
      ? html`class="outlined" fill="url(#${id}-hatch)"`
      : html`class="${value < 0 ? 'loss' : 'gain'}"`;
    const peak = toY(value + toNumber(row.projected));
    const above =
      row.projected !== undefined &&
      html`<rect class="outlined" fill="url(#${id}-hatch)" x="${x + gap}" y="${peak}" width="${slot - 2 * gap}" height="${y - peak}"/>`;
    return html`<g data-mark role="img" tabindex="${index === 0 ? 0 : -1}" aria-label="${row.sentence}"
><rect ${look} x="${x + gap}" y="${y}" width="${slot - 2 * gap}" height="${Math.abs(toY(value) - toY(0))}"
/>${above}<rect class="hit" x="${x + gap / 2}" y="${headroom - 4}" width="${slot - gap}" height="${height - headroom - bottom + 8}" rx="2"/></g>`;
  });
  const content = html`
<defs><pattern id="${id}-hatch" class="hatch" width="7" height="7" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><rect width="7" height="7"/><path d="M0 0V7"/></pattern></defs>
<g aria-hidden="true">${scale.ticks.map(
    (
      tick,
      index,
    ) => html`<line class="${tick === 0 ? 'zero' : 'grid'}" x1="${left}" x2="${width}" y1="${toY(tick)}" y2="${toY(tick)}"/>
<text class="quiet" text-anchor="end" x="${left - 6}" y="${toY(tick) + 4}">${labels[index]}</text>`,
  )}${firstProjected >= 0 && projectionHead(firstProjected, left, slot, width, height)}${timeAxis(rows, left, slot, height, look)}</g>
${marks}`;
  return { height, content };
}

/** Marks where paid columns end and projected ones begin; the line begins below its label, which is never left of it alone. */
function projectionHead(first: number, left: number, slot: number, width: number, height: number): Markup {
  const x = left + first * slot;
  const word = 'Projection';
  const start = Math.min(x + 5, width - textWidth(word, 12) * 1.12);
  return html`${first > 0 && html`<line class="split" x1="${x}" x2="${x}" y1="${start < x ? 18 : 4}" y2="${height - bottom}"/>`}
<text class="quiet strong" x="${start}" y="13">${word}</text>`;
}

/** Draws as many labels as fit, and the year below the first label of each year. */
function timeAxis(rows: readonly TimeBar[], left: number, slot: number, height: number, look: FormatOptions): Markup {
  const words = rows.map(({ group }) => formatPeriod(group, look));
  const widest = Math.max(...words.map(({ short }) => textWidth(short, 12))) + 6;
  const every = Math.max(1, Math.ceil(widest / slot));
  const shown = words.flatMap((word, index) => {
    const x = left + (index + 0.5) * slot;
    // The label is centred on its column and must stay inside the drawing.
    const isInside = x + textWidth(word.short, 12) / 2 <= left + rows.length * slot;
    return index % every === 0 && isInside ? [{ ...word, x }] : [];
  });
  const firsts = shown.filter(({ year }, at) => year !== '' && year !== shown[at - 1]?.year);
  const half = (year: string) => (textWidth(year, 12) * 1.12) / 2;
  // The year before gives way where two do not fit beside each other.
  const years = firsts.filter((one, at) => {
    const next = firsts[at + 1];
    return !next || one.x + half(one.year) + 4 < next.x - half(next.year);
  });
  return html`${shown.map(
    (word) =>
      html`<text class="quiet" text-anchor="middle" x="${word.x}" y="${height - 19}">${word.short}</text>${
        years.includes(word) &&
        html`<text class="quiet strong" text-anchor="middle" x="${word.x}" y="${height - 4}">${word.year}</text>`
      }`,
  )}`;
}

interface DayPoint {
  /** YYYY-MM-DD. */
  readonly day: string;
  readonly decimal: string;
  /** Of a second, dashed line; undefined where it has no value. */
  readonly below?: string | undefined;
  readonly text: string;
  readonly sentence: string;
}

/** More marks than these cannot be pointed at. */
const maxMarks = 24;

/** The line of the days, on an axis that does not begin at zero: what changes is what a reader wants to see. */
export function line(
  points: readonly DayPoint[],
  width: number,
  look: Look,
): { readonly height: number; readonly content: Markup } {
  const height = width < 400 ? 190 : 220;
  const values = points.map(({ decimal }) => toNumber(decimal));
  const seconds = points.flatMap(({ below }) => (below === undefined ? [] : [toNumber(below)]));
  const scale = niceScale([...values, ...seconds], 4, Math.min(...values, ...seconds));
  const axis = createAxisFormat(look.currency, look);
  const labels = scale.ticks.map((tick) => axis.format(tick).replace('-', '−'));
  const left = Math.max(...labels.map((label) => textWidth(label, 12))) + 6;
  const right = width - 6;
  const floor = height - 24;
  const toY = (value: number) => 10 + (1 - normalize(value, scale)) * (floor - 10);
  const days = points.map(({ day }) => Date.parse(day) / dayMs);
  const [from, to] = [days[0] ?? 0, days.at(-1) ?? 0];
  const toX = (day: number) => left + ((day - from) / Math.max(1, to - from)) * (right - left);
  const round = (pixel: number) => Math.round(pixel * 10) / 10;
  const join = (list: readonly number[]) =>
    list.map((value, n) => `${round(toX(days[n] ?? 0))} ${round(toY(value))}`).join('L');
  const every = Math.max(1, Math.ceil((points.length - 1) / (maxMarks - 1)));
  const marks = points.flatMap(({ sentence }, n) => {
    if (n % every !== 0 && n !== points.length - 1) return [];
    const [x, y] = [toX(days[n] ?? 0), toY(values[n] ?? 0)];
    const isFirst = n === 0;
    const room = (right - left) / maxMarks;
    return html`<g data-mark role="img" tabindex="${isFirst ? 0 : -1}" aria-label="${sentence}">${(isFirst || n === points.length - 1) && html`<circle class="dot" cx="${x}" cy="${y}" r="4"/>`}<rect class="hit" x="${Math.max(left, x - room / 2)}" y="6" width="${Math.min(room, right - x + room / 2)}" height="${floor - 4}"/></g>`;
  });
  // The values of both ends, above or below what the line does beside them, whichever is nearer.
  const ends = [0, points.length - 1].map((n) => {
    const { text = '' } = points[n] ?? {};
    const [x, y, room] = [toX(days[n] ?? 0), toY(values[n] ?? 0), textWidth(text, size * 1.12)];
    const near = points.flatMap((_, k) =>
      Math.abs(toX(days[k] ?? 0) - x) > room ? [] : [values[k] ?? 0, seconds[k] ?? values[k] ?? 0].map(toY),
    );
    const [above, below] = [Math.min(...near) - 9, Math.max(...near) + 19];
    const isBelow = above < 12 || (below - y < y - above && below < floor);
    return html`<text class="strong halo" text-anchor="${n > 0 ? 'end' : 'start'}" x="${x}" y="${isBelow ? below : above}">${text}</text>`;
  });
  const marksBelow = listDays(points, toX, left, right, look);
  return {
    height,
    content: html`<g aria-hidden="true">${scale.ticks.map(
      (tick, n) => html`<line class="grid" x1="${left}" x2="${right}" y1="${toY(tick)}" y2="${toY(tick)}"/>
<text class="quiet" text-anchor="end" x="${left - 6}" y="${toY(tick) + 4}">${labels[n]}</text>`,
    )}${marksBelow.map(({ x, text, anchor }) => html`<text class="quiet" text-anchor="${anchor}" x="${x}" y="${height - 6}">${text}</text>`)}
${seconds.length === points.length && html`<path class="line paid" d="M${join(seconds)}"/>`}<path class="line" d="M${join(values)}"/>${ends}</g>${marks}`,
  };
}

/** The first and the last day with their years, and between them the first days of months or years, as many as fit. */
function listDays(
  points: readonly DayPoint[],
  toX: (day: number) => number,
  left: number,
  right: number,
  look: FormatOptions,
) {
  const [from = '', to = ''] = [points[0]?.day, points.at(-1)?.day];
  const [first, last] = [from, to].map((day) => formatDay(day, { ...look, now: undefined })) as [string, string];
  const end = right - textWidth(last, 12) - 8;
  const isLong = Date.parse(to) - Date.parse(from) > 500 * dayMs;
  const unit = isLong ? 4 : 7;
  let free = left + textWidth(first, 12) + 8;
  const between = points.flatMap(({ day }, n) => {
    const isNew = n > 0 && points[n - 1]?.day.slice(0, unit) !== day.slice(0, unit);
    const { short, year } = formatPeriod(day.slice(0, 7), look);
    const text = isLong || day.slice(5, 7) === '01' ? year : short;
    const x = toX(Date.parse(day) / dayMs);
    const half = textWidth(text, 12) / 2;
    if (!isNew || x - half < free || x + half > end) return [];
    free = x + half + 8;
    return [{ x, text, anchor: 'middle' }];
  });
  return [{ x: left, text: first, anchor: 'start' }, ...between, { x: right, text: last, anchor: 'end' }];
}
