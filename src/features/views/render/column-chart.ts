/** Draws columns over time. Projected columns are hatched, outlined and labelled as projected. */
import { html, type Markup } from '../../../core/text/html-template.ts';
import { type FormatOptions, formatPeriod, toNumber } from './format-values.ts';
import { niceScale, normalize } from './scale.ts';
import { textWidth } from './text-fit.ts';

export interface TimeBar {
  readonly group: string;
  readonly decimal: string | undefined;
  readonly isProjected: boolean;
  /** What is projected in addition to what was paid. */
  readonly projected?: string | undefined;
  readonly sentence: string;
}

const top = 24;
const bottom = 36;

export function columns(
  rows: readonly TimeBar[],
  width: number,
  id: string,
  look: FormatOptions,
): { readonly height: number; readonly content: Markup } {
  const height = width < 400 ? 240 : 270;
  const scale = niceScale(
    rows.map(({ decimal, projected }) => toNumber(decimal) + toNumber(projected)),
    4,
  );
  const compact = new Intl.NumberFormat(look.locale, { notation: 'compact', maximumFractionDigits: 2 });
  const labels = scale.ticks.map((tick) => compact.format(tick).replace('-', '−'));
  const left = Math.max(...labels.map((label) => textWidth(label, 12))) + 6;
  const toY = (value: number) => top + (1 - normalize(value, scale)) * (height - top - bottom);
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
/>${above}<rect class="hit" x="${x + gap / 2}" y="${top - 4}" width="${slot - gap}" height="${height - top - bottom + 8}" rx="2"/></g>`;
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

/** Marks where paid columns end and projected ones begin. */
function projectionHead(first: number, left: number, slot: number, width: number, height: number): Markup {
  const x = left + first * slot;
  const word = 'projection';
  // Near the right edge the label is left of the line.
  const isCramped = x + textWidth(word, 12) + 6 > width;
  return html`${first > 0 && html`<line class="split" x1="${x}" x2="${x}" y1="4" y2="${height - bottom}"/>`}
<text class="quiet strong" x="${isCramped ? x - 5 : x + 5}" y="13" text-anchor="${isCramped ? 'end' : 'start'}">${word}</text>`;
}

/** Draws as many labels as fit, and the year below the first label of each year. */
function timeAxis(rows: readonly TimeBar[], left: number, slot: number, height: number, look: FormatOptions): Markup {
  const words = rows.map(({ group }) => formatPeriod(group, look));
  const widest = Math.max(...words.map(({ short }) => textWidth(short, 12))) + 6;
  const every = Math.max(1, Math.ceil(widest / slot));
  let year = '';
  return html`${words.map((word, index) => {
    if (index % every !== 0) return undefined;
    const x = left + (index + 0.5) * slot;
    // The label is centred on its column and must stay inside the drawing.
    if (x + textWidth(word.short, 12) / 2 > left + rows.length * slot) return undefined;
    const isNewYear = word.year !== '' && word.year !== year;
    year = word.year;
    return html`<text class="quiet" text-anchor="middle" x="${x}" y="${height - 19}">${word.short}</text>${
      isNewYear && html`<text class="quiet strong" text-anchor="middle" x="${x}" y="${height - 4}">${word.year}</text>`
    }`;
  })}`;
}
