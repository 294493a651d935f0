/** Draws the allocation: a treemap of the holdings, area by value and colour by profit or loss. */

import { type HierarchyRectangularNode, treemapSquarify } from 'd3-hierarchy';
import { countOf } from '../../../core/text/count-of.ts';
import { formatTicker } from '../../../core/text/format-money.ts';
import { html, type Markup } from '../../../core/text/html-template.ts';
import type { HoldingModel, PortfolioModel } from '../model/read-portfolio.ts';
import { divergingScale, type Tone } from '../palette.ts';
import { bars, maxRows } from './charts.ts';
import { type FormatOptions, formatPercent, formatSignedPercent, getSign, toNumber } from './format-values.ts';
import {
  describeHolding,
  holdingsTable,
  mergeHoldings,
  nameCountries,
  portfolioFigures,
  registrationNote,
} from './holdings.ts';
import { drawing, empty, fold, section } from './section.ts';
import { boldWidth, cutMiddle, textWidth, wrapWords } from './wrap-text.ts';

export function drawAllocation(read: PortfolioModel, look: FormatOptions): Markup {
  const portfolio = nameCountries(read, look);
  const { holdings, frame, isByCountry } = portfolio;
  const drawn = holdings.filter((holding) => toNumber(holding.value) > 0);
  // One is all of them.
  const hasWeights = drawn.length > 1 && drawn.some(({ weightPercent }) => weightPercent !== undefined);
  const hasReturns = drawn.some(({ profitLossPercent }) => profitLossPercent !== undefined);
  const basis = hasWeights && `Each holding: its share of all holdings${hasReturns ? ', then its return' : ''}.`;
  const account = drawn.length > 0 && drawAccount(portfolio, look, basis);
  // One field would say nothing: its row does.
  const list = holdingsTable(portfolio, look, 'value');
  const body = html`${portfolioFigures(portfolio, look, 'value')}
${account || (basis && html`<p class="below">${basis}</p>`)}
${drawn.length === 0 ? empty(frame, holdings.length === 0 ? sayNothingHeld(portfolio) : 'No open position has a value.') : drawn.length > 1 && treemap(drawn, { ...look, currency: portfolio.currency })}
${isByCountry && html`<p class="below">${registrationNote}</p>`}
${holdings.length > drawn.length && html`<p class="soft">${leftOut(holdings.length - drawn.length)}</p>`}
${holdings.length > 0 && (drawn.length === 1 ? list : fold('Show as a table', list))}`;
  const rows = { shown: holdings.length, what: 'rows' };
  return section(
    { id: 'allocation', title: isByCountry ? 'Allocation by country' : 'Allocation', frame, rows, body },
    look,
  );
}

const sayNothingHeld = ({ cash }: PortfolioModel): string =>
  getSign(cash) > 0 ? 'Nothing is held: all of it is cash.' : 'Nothing is held.';

const leftOut = (count: number): string =>
  `${count === 1 ? 'One row' : `${count} rows`} without a value above zero cannot be drawn; the table includes ${count === 1 ? 'it' : 'them'}.`;

interface TileModel {
  readonly holding: HoldingModel;
  readonly name: string;
  /** What fits where the name does not. */
  readonly symbol: string;
  readonly value: number;
  readonly figures: readonly string[];
  readonly tone: Tone | 'unknown' | 'rest';
  readonly sentence: string;
}

type Look = FormatOptions & Pick<PortfolioModel, 'currency'>;

function toTile(holding: HoldingModel, look: Look): TileModel {
  const { label, ticker, isTicker, value, weightPercent, profitLossPercent } = holding;
  const symbol = formatTicker(ticker ?? label);
  return {
    holding,
    name: isTicker ? symbol : label,
    symbol: ticker === undefined && !isTicker ? label : symbol,
    value: toNumber(value),
    figures: [
      ...(weightPercent === undefined ? [] : [formatPercent(weightPercent, look)]),
      ...(profitLossPercent === undefined ? [] : [formatSignedPercent(profitLossPercent, look)]),
    ],
    tone: colorFor(profitLossPercent),
    sentence: describeHolding(holding, look.currency, look),
  };
}

/** The first `count` tiles, and the others as one. */
const mergeFrom = (tiles: readonly TileModel[], count: number, look: Look): readonly TileModel[] => {
  const others = tiles.slice(count).map(({ holding }) => holding);
  return [
    ...tiles.slice(0, count),
    { ...toTile(mergeHoldings(others), look), symbol: `+${others.length}`, tone: 'rest' },
  ];
};

/** What is held and what is cash, as parts of the account; undefined where the result is not about the account. */
function drawAccount(
  { cash, totalValue }: PortfolioModel,
  look: FormatOptions,
  note: string | false,
): Markup | undefined {
  if (getSign(totalValue) <= 0 || getSign(cash) <= 0) return undefined;
  const share = Math.min(100, (100 * toNumber(cash)) / toNumber(totalValue));
  const parts = [
    { kind: 'held', name: 'Holdings', from: 0, size: 100 - share },
    { kind: 'cash', name: 'Cash', from: 100 - share, size: share },
  ];
  return html`<svg class="account" aria-hidden="true">${parts.map(({ kind, from, size }) => html`<rect class="${kind}" x="${from}%" width="${size}%" height="100%"/>`)}</svg>
<ul class="legend">${parts.map(({ kind, name, size }) => html`<li><i class="${kind}"></i>${name} ${formatPercent(size.toFixed(9), look)}</li>`)}${note && html`<li>${note}</li>`}</ul>`;
}

function treemap(drawn: readonly HoldingModel[], look: Look): Markup {
  const tiles = drawn.map((holding) => toTile(holding, look)).sort((a, b) => b.value - a.value);
  const title = 'The holdings by value';
  const description = `${countOf(tiles.length, 'holding')}; the size is the value, the colour the profit or loss in percent.`;
  return drawing({ id: 'allocation', title, description }, (width) => {
    const { height, content, drawnTiles, unnamed, isWhole } =
      width < 400 ? drawBars(tiles, width, look) : drawFields(tiles, width, look);
    return {
      height,
      content,
      below: html`${legend(drawnTiles)}${listBelow(unnamed)}${!isWhole && html`<p class="below">The table has all ${tiles.length}.</p>`}`,
    };
  });
}

/** A drawing of the tiles, and the holdings whose names have no room in it. */
interface Part {
  readonly height: number;
  readonly content: Markup;
  readonly drawnTiles: readonly TileModel[];
  readonly unnamed: readonly TileModel[];
  /** Whether each holding is drawn. */
  readonly isWhole: boolean;
}

function drawFields(tiles: readonly TileModel[], width: number, look: Look): Part {
  // A document has room for it below the returns, on its first page.
  const height = Math.round(width * (look.isPart ? 0.43 : 0.54) * (tiles.length > maxRows ? 1.3 : 1));
  const fields = layOut(tiles, width, height, look);
  const drawnTiles = fields.map(([tile]) => tile);
  const named = new Set(fields.flatMap(([tile, { head }]) => (head.join(' ') === tile.name ? [tile] : [])));
  const unnamed = drawnTiles.filter((tile) => !named.has(tile) && tile.tone !== 'rest');
  const isWhole = drawnTiles.length === tiles.length;
  return { height, content: html`${fields.map(field)}`, drawnTiles, unnamed, isWhole };
}

/** The line of the heads above the figures of the rows. */
const headHeight = 16;

/** On a phone most fields have no room for a name: each holding has a row, and its length is the value. */
function drawBars(tiles: readonly TileModel[], width: number, look: Look): Part {
  const isWhole = tiles.length <= maxRows;
  const drawn = isWhole ? tiles : mergeFrom(tiles, maxRows - 1, look);
  const rows = drawn.map(({ name, symbol, value, figures: [text = '', note], sentence }) => ({
    ...{ name, symbol: symbol === name ? undefined : symbol, text, note, sentence },
    decimal: String(value),
  }));
  const chart = bars(rows, width, { ...look, currency: undefined }, (_, index) => drawn[index]?.tone ?? 'unknown');
  const heads = drawn[0]?.figures.length === 2 ? ['Weight', 'Return'] : [];
  const headRoom = Math.max(...rows.map(({ note = '' }) => textWidth(note, normal.size))) + 10;
  return {
    height: headHeight + chart.height,
    content: html`<g aria-hidden="true">${heads.map((head, n) => html`<text class="quiet" text-anchor="end" x="${width - (1 - n) * headRoom}" y="12">${head}</text>`)}</g><g transform="translate(0 ${headHeight})">${chart.content}</g>`,
    drawnTiles: drawn,
    unnamed: [],
    isWhole,
  };
}

/** Letters of a name below the drawing. */
const maxNameLength = 60;

/** The holdings whose field has no room for the name: what they are, and their figures. */
const listBelow = (tiles: readonly TileModel[]): Markup =>
  html`${
    tiles.length > 0 &&
    html`${tiles.length > 2 && html`<p class="below">Names</p>`}<ul class="key">${tiles.map(
      ({ name, symbol, figures, tone }) =>
        html`<li><i class="${tone}"></i><span>${name !== symbol && html`<b>${symbol}</b> `}${cutMiddle(name, maxNameLength)}</span>${figures.map((text) => html`<span class="number">${text}</span>`)}</li>`,
    )}</ul>`
  }`;

/** The most fields of their own: more would be too small to see. */
const maxFields = 60;

/** A field for each holding whose symbol has room in it, the largest first, and one for all others. */
function layOut(tiles: readonly TileModel[], width: number, height: number, look: Look) {
  for (let count = Math.min(tiles.length, maxFields); ; count--) {
    const shown = count === tiles.length ? tiles : mergeFrom(tiles, count - 1, look);
    const boxes = squarify(
      shown.map(({ value }) => value),
      width,
      height,
    );
    const fields = shown.map((tile, index) => [tile, label(tile, boxes[index] as Tile)] as const);
    // Of many, a field has its weight too.
    const hasRoom = ([{ figures }, { head, rest }]: (typeof fields)[number]) =>
      head.length > 0 && (tiles.length <= maxRows || rest.length >= Math.min(1, figures.length));
    if (count > 1 && !fields.every(hasRoom)) continue;
    // A field has no larger letters than one that is larger.
    const least = Math.max(...fields.map(([{ value }, { type }]) => (type === small ? value : 0)));
    return fields.map(([tile, own], index) =>
      tile.value > least ? ([tile, own] as const) : ([tile, label(tile, boxes[index] as Tile, [small])] as const),
    );
  }
}

/** Steps at 5 and 20 percent, so that each colour has an entry in the legend. */
export function colorFor(profitLossPercent: string | undefined): Tone | 'unknown' {
  if (profitLossPercent === undefined) return 'unknown';
  const value = toNumber(profitLossPercent);
  const size = Math.abs(value) >= 20 ? 3 : Math.abs(value) >= 5 ? 2 : 1;
  return value === 0 ? 'even' : (divergingScale[value < 0 ? 3 - size : 3 + size] as Tone);
}

/** What a field says: lines of its name and figures; none where there is no room. */
interface Label {
  readonly inner: Tile;
  readonly head: readonly string[];
  readonly rest: readonly string[];
  readonly type: Type;
}

function label(tile: TileModel, box: Tile, types: readonly Type[] = [normal, small]): Label {
  // A fixed gap between tiles would cover small ones.
  const gap = Math.min(1, box.width / 6, box.height / 6);
  const inner = { x: box.x + gap, y: box.y + gap, width: box.width - 2 * gap, height: box.height - 2 * gap };
  return { inner, ...listLabels(tile, inner, types) };
}

function field([{ sentence, tone }, { inner, head, rest, type }]: readonly [TileModel, Label], index: number): Markup {
  const rect = (name: string) =>
    html`<rect class="${name}" x="${inner.x}" y="${inner.y}" width="${inner.width}" height="${inner.height}"/>`;
  const { size, line, pad } = type;
  return html`<g data-mark role="img" tabindex="${index === 0 ? 0 : -1}" class="${tone}" aria-label="${sentence}">${rect('box')}${[
    ...head,
    ...rest,
  ].map(
    (text, n) =>
      html`<text class="${n < head.length && 'strong'}"${type === small && html` font-size="${size}"`} x="${inner.x + pad}" y="${inner.y + pad + size - 2 + n * line}">${text}</text>`,
  )}${rect('hit')}</g>`;
}

/** Letters of a field, and the pixels between its lines and around them. */
interface Type {
  readonly size: number;
  readonly line: number;
  readonly pad: number;
}

const normal: Type = { size: 13, line: 17, pad: 6 };
const small: Type = { size: 11, line: 14, pad: 3 };

/** The name or, where it has no room, the symbol, in the largest letters that leave room for the most figures. */
function listLabels({ name, symbol, figures }: TileModel, box: Tile, types: readonly Type[]): Omit<Label, 'inner'> {
  const write = (type: Type, wrap: (room: number, lines: number) => readonly string[]) => {
    const room = box.width - 2 * type.pad;
    const lines = Math.max(0, Math.floor((box.height - type.pad) / type.line));
    const head = wrap(room / boldWidth, lines);
    const hasRoom = head.length > 0 && figures.every((text) => textWidth(text, type.size) <= room);
    return { type, head, rest: hasRoom ? figures.slice(0, lines - head.length) : [] };
  };
  const writeName = (type: Type) =>
    write(type, (room, lines) => {
      const words = wrapWords(name, room, type.size, Math.min(4, lines - figures.length));
      return words.join(' ') === name ? words : [];
    });
  const writeSymbol = (type: Type) =>
    write(type, (room, lines) => (symbol !== '' && lines > 0 && textWidth(symbol, type.size) <= room ? [symbol] : []));
  const ways = [...types.map(writeName), ...types.map(writeSymbol)];
  const named = ways.filter(({ head }) => head.length > 0);
  const most = Math.max(...named.map(({ rest }) => rest.length));
  return named.find(({ rest }) => rest.length === most) ?? writeSymbol(small);
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
 * above 0; tiles are close to squares where the largest come first.
 */
export function squarify(values: readonly number[], width: number, height: number): readonly Tile[] {
  const nodes = values.map((value) => ({ value, x0: 0, y0: 0, x1: 0, y1: 0 }));
  const root = { value: values.reduce((sum, value) => sum + value, 0), children: nodes };
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
