/** Draws horizontal bars around a zero line, one row each: for profit and loss, and for income by group. */

import { html, type Markup } from '../../html-template.ts';
import { type FormatOptions, toNumber } from './format-values.ts';
import { niceScale, normalize } from './scale.ts';
import { fitText, textWidth } from './text-fit.ts';

export interface Bar {
  readonly name: string;
  readonly decimal: string;
  /** The text beside the bar. */
  readonly text: string;
  /** The bar as a sentence for screen readers. */
  readonly sentence: string;
}

const size = 13;
const top = 22;

/** Draws the rows. A narrow drawing puts the name above its bar, a wide one beside it. */
export function bars(
  rows: readonly Bar[],
  width: number,
  look: FormatOptions,
): { readonly height: number; readonly content: Markup } {
  const isNarrow = width < 450;
  const rowHeight = isNarrow ? 42 : 28;
  const nameRoom = isNarrow ? 0 : Math.min(210, Math.max(...rows.map(({ name }) => textWidth(name, size)))) + 10;
  const figureRoom = isNarrow ? 0 : Math.max(...rows.map(({ text }) => textWidth(text, size))) + 8;
  const left = nameRoom;
  const span = width - nameRoom - figureRoom;
  const scale = niceScale(
    rows.map(({ decimal }) => toNumber(decimal)),
    isNarrow ? 3 : 4,
  );
  const toX = (value: number) => left + normalize(value, scale) * span;
  const height = top + rows.length * rowHeight + 4;
  const compact = new Intl.NumberFormat(look.locale, { notation: 'compact', maximumFractionDigits: 2 });
  const axis = scale.ticks.map((tick) => {
    // Keeps the first and last labels inside the drawing.
    const half = textWidth(compact.format(tick), 12) / 2;
    const x = Math.min(width - half, Math.max(half, toX(tick)));
    return html`<line class="${tick === 0 ? 'zero' : 'grid'}" x1="${toX(tick)}" x2="${toX(tick)}" y1="${top - 4}" y2="${height}"/>
<text class="quiet" text-anchor="middle" x="${x}" y="12">${compact.format(tick).replace('-', '−')}</text>`;
  });
  const marks = rows.map(({ name, decimal, text, sentence }, index) => {
    const y = top + index * rowHeight;
    const value = toNumber(decimal);
    const from = Math.min(toX(0), toX(value));
    const length = Math.abs(toX(value) - toX(0));
    const barY = isNarrow ? y + 21 : y + 5;
    const nameWidth = isNarrow ? width - textWidth(text, size) - 14 : nameRoom - 10;
    return html`<g data-mark role="img" tabindex="${index === 0 ? 0 : -1}" aria-label="${sentence}">
<rect class="${value < 0 ? 'loss' : 'gain'}" x="${from}" y="${barY}" width="${length}" height="16" rx="2"/>
<text class="halo" x="0" y="${isNarrow ? y + 15 : y + 18}">${fitText(name, nameWidth, size)}</text>
<text class="halo" text-anchor="end" x="${width}" y="${isNarrow ? y + 15 : y + 18}">${text}</text>
<rect class="hit" x="1.5" y="${y + 1}" width="${width - 3}" height="${rowHeight - 2}" rx="3"/></g>`;
  });
  return { height, content: html`<g aria-hidden="true">${axis}</g>${marks}` };
}
