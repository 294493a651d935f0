/** Draws the allocation: a treemap of the holdings, area by value and colour by profit or loss. */

import { type HierarchyRectangularNode, treemapSquarify } from 'd3-hierarchy';
import { html, type Markup } from '../../../core/text/html-template.ts';
import type { HoldingModel, PortfolioModel } from '../model/read-portfolio.ts';
import { divergingScale, type Tone } from '../palette.ts';
import { fitText, textWidth } from './charts.ts';
import { type FormatOptions, formatPercent, formatSignedPercent, toNumber } from './format-values.ts';
import { describeHolding, holdingsTable, nameCountries, portfolioFigures, registrationNote } from './holdings.ts';
import { asTable, drawing, empty, section } from './section.ts';

export function drawAllocation(read: PortfolioModel, look: FormatOptions): Markup {
  const portfolio = nameCountries(read, look);
  const { holdings, frame, isByCountry } = portfolio;
  const drawn = holdings.filter((holding) => toNumber(holding.value) > 0);
  const body = html`${portfolioFigures(portfolio, look, true)}
${drawn.length === 0 ? empty(frame, 'No open position with a value.') : treemap(portfolio, drawn, look)}
${isByCountry && html`<p class="soft">${registrationNote}</p>`}
${holdings.length > drawn.length && html`<p class="soft">${leftOut(holdings.length - drawn.length)}</p>`}
${holdings.length > 0 && asTable(holdingsTable(portfolio, look))}`;
  const rows = { shown: holdings.length, what: 'rows' };
  return section({ id: 'allocation', title: 'Allocation', frame, rows, body }, look);
}

const leftOut = (count: number): string =>
  `${count === 1 ? 'One row' : `${count} rows`} without a value above zero cannot be drawn; the table includes ${count === 1 ? 'it' : 'them'}.`;

function treemap({ currency }: PortfolioModel, drawn: readonly HoldingModel[], look: FormatOptions): Markup {
  const title = 'Holdings by value';
  const description = `${drawn.length === 1 ? 'One field' : `${drawn.length} fields`}; the area is the value, the colour the profit or loss in percent.`;
  return html`${drawing({ id: 'allocation', title, description }, (width) => {
    const height = Math.round(width * (width < 400 ? 1 : 0.58));
    const tiles = squarify(
      drawn.map((holding) => toNumber(holding.value)),
      width,
      height,
    );
    const content = html`${drawn.map((holding, index) =>
      field(holding, tiles[index] as Tile, {
        sentence: describeHolding(holding, currency, look),
        isFirst: index === 0,
        look,
      }),
    )}`;
    return { height, content };
  })}${legend(drawn)}`;
}

/** Steps at 5 and 20 percent, so that each colour has an entry in the legend. */
export function colorFor(profitLossPercent: string | undefined): Tone | 'unknown' {
  if (profitLossPercent === undefined) return 'unknown';
  const value = toNumber(profitLossPercent);
  const size = Math.abs(value) >= 20 ? 3 : Math.abs(value) >= 5 ? 2 : 1;
  return value === 0 ? 'even' : (divergingScale[value < 0 ? 3 - size : 3 + size] as Tone);
}

function field(
  holding: HoldingModel,
  tile: Tile,
  { sentence, isFirst, look }: { readonly sentence: string; readonly isFirst: boolean; readonly look: FormatOptions },
): Markup {
  // A fixed gap between tiles would cover small ones.
  const gap = Math.min(1, tile.width / 6, tile.height / 6);
  const box = {
    x: tile.x + gap,
    y: tile.y + gap,
    width: tile.width - 2 * gap,
    height: tile.height - 2 * gap,
  };
  const rect = (name: string) =>
    html`<rect class="${name}" x="${box.x}" y="${box.y}" width="${box.width}" height="${box.height}"/>`;
  return html`<g data-mark role="img" tabindex="${isFirst ? 0 : -1}" class="${colorFor(holding.profitLossPercent)}" aria-label="${sentence}">${rect('box')}${labels(holding, box, look)}${rect('hit')}</g>`;
}

const size = 13;
const line = 17;
const pad = 6;

/** Returns as many lines as fit: name, weight, profit or loss. */
function labels(holding: HoldingModel, box: Tile, look: FormatOptions): Markup {
  const room = box.width - 2 * pad;
  const lines = Math.floor((box.height - pad) / line);
  const { weightPercent, profitLossPercent } = holding;
  const figures = [
    weightPercent === undefined ? undefined : formatPercent(weightPercent, look),
    profitLossPercent === undefined ? undefined : formatSignedPercent(profitLossPercent, look),
  ].filter((text) => text !== undefined && textWidth(text, size) <= room);
  const shown = [nameIn(holding, room), ...figures].filter((text) => text !== '').slice(0, Math.max(0, lines));
  return html`${shown.map(
    (text, index) =>
      html`<text class="${index === 0 && 'strong'}" x="${box.x + pad}" y="${box.y + pad + size - 2 + index * line}">${text}</text>`,
  )}`;
}

/** Returns the name if it fits, else the symbol of the ticker, else the beginning of the name. */
function nameIn({ label, ticker }: HoldingModel, room: number): string {
  const bold = size * 1.12;
  if (textWidth(label, bold) <= room) return label;
  const symbol = (ticker ?? label).split('_')[0] ?? '';
  if (symbol !== '' && textWidth(symbol, bold) <= room && room < 110) return symbol;
  return fitText(label, room, bold);
}

const legendLabels: Readonly<Record<Tone, string>> = {
  'down-3': 'loss ≥ 20%',
  'down-2': 'loss 5–20%',
  'down-1': 'loss < 5%',
  even: 'even',
  'up-1': 'gain < 5%',
  'up-2': 'gain 5–20%',
  'up-3': 'gain ≥ 20%',
};

const legend = (drawn: readonly HoldingModel[]): Markup => {
  const hasUnknown = drawn.some(({ profitLossPercent }) => profitLossPercent === undefined);
  return html`<ul class="legend" aria-label="Colours: profit or loss in percent">${divergingScale.map(
    (tone) => html`<li><i class="${tone}"></i>${legendLabels[tone]}</li>`,
  )}${hasUnknown && html`<li><i class="unknown"></i>unknown</li>`}</ul>`;
};

// A squarified treemap (Bruls, Huizing, van Wijk 2000): areas in proportion, tiles as square as possible.

export interface Tile {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/**
 * Returns one tile per value, in the order of the values. Together they fill `width` × `height`. All values must be
 * above 0.
 */
export function squarify(values: readonly number[], width: number, height: number): readonly Tile[] {
  const nodes = values.map((value) => ({ value, x0: 0, y0: 0, x1: 0, y1: 0 }));
  const root = {
    value: values.reduce((sum, value) => sum + value, 0),
    // Largest first, because the algorithm makes square tiles only in that order.
    children: [...nodes].sort((a, b) => b.value - a.value),
  };
  // d3's algorithm reads only these fields; with d3's own tree the view would be 4 kB larger.
  treemapSquarify.ratio(1)(root as HierarchyRectangularNode<unknown>, 0, 0, width, height);
  // Clamps: rounding lets the last row of very unequal values exceed the border by a billionth of its length.
  return nodes.map(({ x0, y0, x1, y1 }) => ({
    x: x0,
    y: y0,
    width: Math.min(x1, width) - x0,
    height: Math.min(y1, height) - y0,
  }));
}
