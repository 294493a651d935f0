/** Draws the allocation: a treemap of the holdings, area by value and colour by profit or loss. */

import { type HierarchyRectangularNode, treemapSquarify } from 'd3-hierarchy';
import { countOf } from '../../../core/text/count-of.ts';
import { formatTicker } from '../../../core/text/format-money.ts';
import { html, type Markup } from '../../../core/text/html-template.ts';
import type { HoldingModel, PortfolioModel } from '../model/read-portfolio.ts';
import { divergingScale, type Tone } from '../palette.ts';
import {
  type FormatOptions,
  formatMoney,
  formatPercent,
  formatSignedPercent,
  getSign,
  toNumber,
} from './format-values.ts';
import {
  describeHolding,
  holdingsTable,
  nameCountries,
  nothingHeld,
  portfolioFigures,
  registrationNote,
} from './holdings.ts';
import { drawing, empty, fold, section } from './section.ts';
import { fitText, textWidth, wrapWords } from './wrap-text.ts';

export function drawAllocation(read: PortfolioModel, look: FormatOptions): Markup {
  const portfolio = nameCountries(read, look);
  const { holdings, frame, isByCountry } = portfolio;
  const drawn = holdings.filter((holding) => toNumber(holding.value) > 0);
  const body = html`${portfolioFigures(portfolio, look, 'value')}
${drawn.length === 0 ? empty(frame, holdings.length === 0 ? nothingHeld : 'No open position has a value.') : treemap(portfolio, drawn, look)}
${isByCountry && html`<p class="below">${registrationNote}</p>`}
${holdings.length > drawn.length && html`<p class="soft">${leftOut(holdings.length - drawn.length)}</p>`}
${holdings.length > 0 && fold('Show as a table', holdingsTable(portfolio, look))}`;
  const rows = { shown: holdings.length, what: 'rows' };
  return section(
    { id: 'allocation', title: isByCountry ? 'Allocation by country' : 'Allocation', frame, rows, body },
    look,
  );
}

const leftOut = (count: number): string =>
  `${count === 1 ? 'One row' : `${count} rows`} without a value above zero cannot be drawn; the table includes ${count === 1 ? 'it' : 'them'}.`;

interface TileModel {
  readonly name: string;
  /** What fits where the name does not. */
  readonly symbol: string;
  readonly value: string | undefined;
  readonly figures: readonly string[];
  readonly tone: Tone | 'unknown' | 'cash';
  readonly sentence: string;
}

/** The holdings, and the cash beside them where the result is about the account. */
function listTiles(
  { currency, cash, totalValue }: PortfolioModel,
  drawn: readonly HoldingModel[],
  look: FormatOptions,
) {
  const hasCash = totalValue !== undefined && getSign(cash) > 0;
  // A field is as large as its share of the account, so that is what it says; weights leave the cash out.
  const share = (value: string | undefined): string | undefined =>
    hasCash && value !== undefined ? ((100 * toNumber(value)) / toNumber(totalValue)).toFixed(2) : undefined;
  const tiles = drawn.map((holding): TileModel => {
    const { label, ticker, isTicker, value, profitLossPercent } = holding;
    const weightPercent = share(value) ?? holding.weightPercent;
    const symbol = formatTicker(ticker ?? label);
    return {
      name: isTicker ? symbol : label,
      symbol: ticker === undefined && !isTicker ? label : symbol,
      value,
      figures: [
        ...(weightPercent === undefined ? [] : [formatPercent(weightPercent, look)]),
        ...(profitLossPercent === undefined ? [] : [formatSignedPercent(profitLossPercent, look)]),
      ],
      tone: colorFor(profitLossPercent),
      sentence: describeHolding(holding, currency, look),
    };
  });
  if (!hasCash) return tiles;
  const money = formatMoney(cash, currency, look);
  const tile: TileModel = {
    name: 'Cash',
    symbol: 'Cash',
    value: cash,
    figures: [formatPercent(share(cash), look), money],
    tone: 'cash',
    sentence: `Cash, ${money}`,
  };
  return [...tiles, tile];
}

/** The most fields that have a number and are named below the drawing. */
const maxListed = 24;

function treemap(portfolio: PortfolioModel, drawn: readonly HoldingModel[], look: FormatOptions): Markup {
  const tiles = listTiles(portfolio, drawn, look);
  const title = 'The account by value';
  const description = `${countOf(tiles.length, 'field')}; the area is the value, the colour the profit or loss in percent.`;
  return html`${drawing({ id: 'allocation', title, description }, (width) => {
    const height = Math.round(width * (width < 400 ? (tiles.length > 12 ? 1.3 : 1) : 0.58));
    const boxes = squarify(
      tiles.map(({ value }) => toNumber(value)),
      width,
      height,
    );
    const names = tiles.map(({ name }) => name);
    const listed: string[] = [];
    let more = 0;
    const fields = tiles.map((tile, index) => {
      const shown = label(tile, boxes[index] as Tile, names);
      const number = String(listed.length + 1);
      if (shown.head.length > 0 || shown.tiny !== undefined) return field(tile, shown, index === 0);
      if (listed.length === maxListed || !fitsTiny(number, shown.inner)) {
        more++;
        return field(tile, shown, index === 0);
      }
      listed.push([number, tile.name, tile.figures[0]].filter(Boolean).join(' '));
      return field(tile, { ...shown, tiny: number }, index === 0);
    });
    if (more > 0) listed.push(`${listed.length > 0 ? 'and ' : ''}${more} more in the table`);
    return {
      height,
      content: html`${fields}`,
      below: html`${listed.length > 0 && html`<p class="below">By number: ${listed.join(', ')}</p>`}`,
    };
  })}${legend(tiles)}${
    tiles.some(({ tone }) => tone === 'cash') &&
    html`<p class="below">First figure: share of the account, with its cash. The table has weights in the holdings.</p>`
  }`;
}

/** Steps at 5 and 20 percent, so that each colour has an entry in the legend. */
export function colorFor(profitLossPercent: string | undefined): Tone | 'unknown' {
  if (profitLossPercent === undefined) return 'unknown';
  const value = toNumber(profitLossPercent);
  const size = Math.abs(value) >= 20 ? 3 : Math.abs(value) >= 5 ? 2 : 1;
  return value === 0 ? 'even' : (divergingScale[value < 0 ? 3 - size : 3 + size] as Tone);
}

/** What a field says: lines of its name and figures, or one tiny text; neither where there is no room. */
interface Label {
  readonly inner: Tile;
  readonly head: readonly string[];
  readonly rest: readonly string[];
  readonly tiny: string | undefined;
}

function label(tile: TileModel, box: Tile, names: readonly string[]): Label {
  // A fixed gap between tiles would cover small ones.
  const gap = Math.min(1, box.width / 6, box.height / 6);
  const inner = { x: box.x + gap, y: box.y + gap, width: box.width - 2 * gap, height: box.height - 2 * gap };
  const lines = listLabels(tile, inner, names);
  return { inner, ...lines, tiny: lines.head.length === 0 && fitsTiny(tile.symbol, inner) ? tile.symbol : undefined };
}

function field({ sentence, tone }: TileModel, { inner, head, rest, tiny }: Label, isFirst: boolean): Markup {
  const rect = (name: string) =>
    html`<rect class="${name}" x="${inner.x}" y="${inner.y}" width="${inner.width}" height="${inner.height}"/>`;
  return html`<g data-mark role="img" tabindex="${isFirst ? 0 : -1}" class="${tone}" aria-label="${sentence}">${rect('box')}${[
    ...head,
    ...rest,
  ].map(
    (text, index) =>
      html`<text class="${index < head.length && 'strong'}" x="${inner.x + pad}" y="${inner.y + pad + size - 2 + index * line}">${text}</text>`,
  )}${tiny !== undefined && html`<text class="tiny" x="${inner.x + tinyPad}" y="${inner.y + tinyPad + tinySize - 1}">${tiny}</text>`}${rect('hit')}</g>`;
}

const size = 13;
const line = 17;
const pad = 6;

const tinySize = 11;
const tinyPad = 2;

/** Whether a field has room for a text in small letters. */
const fitsTiny = (text: string, box: Tile): boolean =>
  textWidth(text, tinySize) <= box.width - 2 * tinyPad && box.height >= tinySize + 2 * tinyPad;

/** As many lines as fit: name, weight, profit or loss; none when there is no room for a name. */
function listLabels(
  { name, symbol, figures }: Pick<TileModel, 'name' | 'symbol' | 'figures'>,
  box: Tile,
  names: readonly string[],
): { readonly head: readonly string[]; readonly rest: readonly string[] } {
  const room = box.width - 2 * pad;
  const most = Math.floor((box.height - pad) / line);
  const head = most < 1 ? [] : nameIn(name, symbol, room, most, names);
  const fitting = head.length === 0 ? [] : figures.filter((text) => textWidth(text, size) <= room);
  return { head, rest: fitting.slice(0, most - head.length) };
}

/**
 * The name in the lines that leave one for a figure. Its beginning is enough only if no other name begins alike;
 * else the symbol of the ticker does. Empty when none fits.
 */
function nameIn(name: string, symbol: string, room: number, most: number, names: readonly string[]): readonly string[] {
  const bold = size * 1.12;
  const lines = wrapWords(name, room, bold, Math.max(1, Math.min(4, most - 1)));
  const end = lines.at(-1)?.replace(/[^\p{L}\p{N})]+$/u, '') ?? '';
  const start = [...lines.slice(0, -1), end].join(' ');
  if (start !== '' && start === name) return lines;
  const isShared = names.some((other) => other !== name && other.startsWith(start));
  // What is left out is marked, also where the mark cuts the end of the name.
  if (start !== '' && !isShared) return [...lines.slice(0, -1), fitText(`${end}…`, room, bold)];
  return textWidth(symbol, bold) <= room ? [symbol] : [];
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

const legend = (tiles: readonly TileModel[]): Markup => {
  const entries: readonly (readonly [TileModel['tone'], string])[] = [
    ...divergingScale.map((tone) => [tone, legendLabels[tone]] as const),
    ['unknown', 'unknown'],
    ['cash', 'cash'],
  ];
  const drawn = new Set(tiles.map(({ tone }) => tone));
  // The scale is explained as far as it is used.
  return html`<ul class="legend" aria-label="Colours: profit or loss in percent">${entries
    .filter(([tone]) => drawn.has(tone))
    .map(([tone, label]) => html`<li><i class="${tone}"></i>${label}</li>`)}</ul>`;
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
