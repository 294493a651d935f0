/** Draws one row for each name, with marks on a common horizontal axis. */
import { html, type Markup } from '../../../core/text/html-template.ts';
import { niceScale, normalize } from './scale.ts';
import { fitText, textWidth } from './text-fit.ts';

export interface ChartRow {
  readonly name: string;
  /** The text at the end of the row. */
  readonly text: string;
  /** The row as a sentence for screen readers. */
  readonly sentence: string;
}

/** The maximum number of rows that stay readable. */
export const maxRows = 30;

const size = 13;
const top = 22;

/** Draws the rows. A narrow drawing puts the name above its marks, a wide one beside them. */
export function rowChart<Row extends ChartRow>(
  rows: readonly Row[],
  {
    width,
    inset = 0,
    format,
    getValues,
    drawMarks,
  }: {
    readonly width: number;
    /** Pixels that stay free on both sides of the axis, for marks that are wider than their value. */
    readonly inset?: number;
    /** Of the values at the axis. */
    readonly format: Intl.NumberFormat;
    readonly getValues: (row: Row) => readonly number[];
    /** Draws the marks of a row around the line `y`. */
    readonly drawMarks: (row: Row, toX: (value: number) => number, y: number) => Markup;
  },
): { readonly height: number; readonly content: Markup } {
  const isNarrow = width < 450;
  const rowHeight = isNarrow ? 42 : 28;
  const nameRoom = isNarrow
    ? 0
    : Math.min(width * 0.42, Math.max(...rows.map(({ name }) => textWidth(name, size)))) + 10;
  const figureRoom = isNarrow ? 0 : Math.max(...rows.map(({ text }) => textWidth(text, size))) + 8;
  const span = width - nameRoom - figureRoom - 2 * inset;
  const scale = niceScale(rows.flatMap(getValues), isNarrow ? 3 : 4);
  const toX = (value: number) => nameRoom + inset + normalize(value, scale) * span;
  const height = top + rows.length * rowHeight + 4;
  const axis = scale.ticks.map((tick) => {
    const text = format.format(tick).replace('-', '−');
    // Keeps the first and last labels inside the drawing.
    const half = textWidth(text, 12) / 2;
    const x = Math.min(width - half, Math.max(half, toX(tick)));
    return html`<line class="${tick === 0 ? 'zero' : 'grid'}" x1="${toX(tick)}" x2="${toX(tick)}" y1="${top - 4}" y2="${height}"/>
<text class="quiet" text-anchor="middle" x="${x}" y="12">${text}</text>`;
  });
  const marks = rows.map((row, index) => {
    const { name, text, sentence } = row;
    const y = top + index * rowHeight;
    const nameWidth = isNarrow ? width - textWidth(text, size) - 14 : nameRoom - 10;
    return html`<g data-mark role="img" tabindex="${index === 0 ? 0 : -1}" aria-label="${sentence}">
${drawMarks(row, toX, isNarrow ? y + 29 : y + 13)}
${isNarrow && html`<rect class="paper" x="0" y="${y + 1}" width="${width}" height="19"/>`}<text class="halo" x="0" y="${isNarrow ? y + 15 : y + 18}">${fitText(name, nameWidth, size)}</text>
<text class="halo" text-anchor="end" x="${width}" y="${isNarrow ? y + 15 : y + 18}">${text}</text>
<rect class="hit" x="1.5" y="${y + 1}" width="${width - 3}" height="${rowHeight - 2}" rx="3"/></g>`;
  });
  return { height, content: html`<g aria-hidden="true">${axis}</g>${marks}` };
}
