/** Draws horizontal bars around a zero line, one row each: for profit and loss, and for income by group. */
import { html } from '../../../core/text/html-template.ts';
import { type FormatOptions, toNumber } from './format-values.ts';
import { type ChartRow, rowChart } from './row-chart.ts';

export interface Bar extends ChartRow {
  readonly decimal: string;
}

export const bars = (rows: readonly Bar[], width: number, look: FormatOptions) =>
  rowChart(rows, {
    width,
    format: new Intl.NumberFormat(look.locale, { notation: 'compact', maximumFractionDigits: 2 }),
    getValues: ({ decimal }) => [toNumber(decimal)],
    drawMarks: ({ decimal }, toX, y) => {
      const value = toNumber(decimal);
      const [zero, end] = [toX(0), toX(value)];
      return html`<rect class="${value < 0 ? 'loss' : 'gain'}" x="${Math.min(zero, end)}" y="${y - 8}" width="${Math.abs(end - zero)}" height="16" rx="2"/>`;
    },
  });
