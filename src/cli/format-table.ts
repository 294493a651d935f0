/** A table for a terminal: a line for each row, in the width that there is. */

import type { Style } from '../core/process/text-style.ts';

interface FormattedTable {
  readonly lines: readonly string[];
  /** The headers of the columns that do not fit. */
  readonly omitted: readonly string[];
}

interface Column {
  readonly header: string;
  readonly cells: readonly string[];
  readonly isNumber: boolean;
  /** Characters that show all of it. */
  readonly full: number;
  /** The least characters to which a text can be cut; a number is never cut. */
  readonly least: number;
}

const gap = 2;
const minTextWidth = 12;

/** Aligns the columns, numbers to the right. Cuts long texts, and then leaves out columns, until a row fits on a line. */
export function formatTable(
  headers: readonly string[],
  rows: readonly (readonly string[])[],
  {
    width,
    indent = 0,
    style,
    wraps = false,
  }: {
    /** Characters of a line. */
    readonly width: number;
    readonly indent?: number;
    readonly style: Style;
    /** Whether a text that is too long goes on in the next line, where else it is cut. */
    readonly wraps?: boolean;
  },
): FormattedTable {
  const all = headers.map((header, at) =>
    describeColumn(
      header,
      rows.map((row) => row[at] ?? ''),
    ),
  );
  const kept = chooseColumns(all, width - indent);
  const widths = shareWidth(kept, width - indent);
  const margin = ' '.repeat(indent);
  const line = (cells: readonly string[]) =>
    `${margin}${cells.map((cell, at) => align(cell, widths[at] ?? 0, kept[at]?.isNumber === true)).join(' '.repeat(gap))}`.trimEnd();
  return {
    lines: [
      ...headerLines(kept, widths).map((cells) => style('dim', line(cells))),
      ...rows.flatMap((_, at) => {
        const cells = kept.map((column) => column.cells[at] ?? '');
        return wraps ? stack(cells.map((cell, place) => wrap(cell, widths[place] ?? 0))).map(line) : [line(cells)];
      }),
    ],
    omitted: all.filter((column) => !kept.includes(column)).map(({ header }) => header),
  };
}

function describeColumn(header: string, cells: readonly string[]): Column {
  const known = cells.filter((cell) => cell !== '' && cell !== '–');
  // A part of an id or a time is useless.
  const canBeCut = cells.some((cell) => cell.includes(' ')) && !known.every((cell) => /\d\d:\d\d$/.test(cell));
  const isNumber = known.length > 0 && known.every((cell) => /^[-+]?\d+(\.\d+)?( [A-Z]{3,5})?$/.test(cell));
  const longestWord = Math.max(...header.split(' ').map(lengthOf));
  const full = Math.max(longestWord, ...cells.map(lengthOf));
  return {
    header,
    cells,
    isNumber,
    full,
    least: isNumber || !canBeCut ? full : Math.min(full, Math.max(longestWord, minTextWidth)),
  };
}

const total = (widths: readonly number[]) => widths.reduce((sum, one) => sum + one + gap, -gap);

function chooseColumns(all: readonly Column[], width: number): readonly Column[] {
  let kept = all;
  while (kept.length > 2 && total(kept.map(({ least }) => least)) > width) {
    const header = findLeastImportant(kept.map((column) => column.header));
    const out = kept.find((column) => column.header === header);
    kept = kept.filter((column) => column !== out);
  }
  return kept;
}

/** The width of each column: the widest text gives way first. */
function shareWidth(kept: readonly Column[], width: number): readonly number[] {
  const widths = kept.map(({ full }) => full);
  for (let excess = total(widths) - width; excess > 0; excess--) {
    const wide = widths.map((one, at) => (one > (kept[at]?.least ?? one) ? one : 0));
    const widest = Math.max(0, ...wide);
    if (widest === 0) break;
    const at = wide.indexOf(widest);
    widths[at] = widest - 1;
  }
  return widths;
}

/** The headers, broken at spaces and aligned at the bottom, directly above the rows. */
function headerLines(kept: readonly Column[], widths: readonly number[]): readonly (readonly string[])[] {
  const broken = kept.map(({ header }, at) => wrap(header, widths[at] ?? 0));
  const height = Math.max(0, ...broken.map((lines) => lines.length));
  return Array.from({ length: height }, (_, line) =>
    broken.map((lines) => lines[line - (height - lines.length)] ?? ''),
  );
}

function align(text: string, width: number, isNumber: boolean): string {
  const shown = lengthOf(text) > width ? `${[...text].slice(0, Math.max(0, width - 1)).join('')}…` : text;
  const pad = ' '.repeat(Math.max(0, width - lengthOf(shown)));
  return isNumber ? pad + shown : shown + pad;
}

const lengthOf = (text: string) => [...text].length;

/** The lines of a row of cells, which have some lines each. */
function stack(cells: readonly (readonly string[])[]): readonly (readonly string[])[] {
  const height = Math.max(0, ...cells.map((lines) => lines.length));
  return Array.from({ length: height }, (_, at) => cells.map((lines) => lines[at] ?? ''));
}

/** What to say below a table that leaves out columns. */
export const describeOmitted = (headers: readonly string[]): string =>
  `Not shown in this width: ${headers.join(', ')}. --json has all columns.`;

/** Breaks a text at spaces into lines of at most `width` characters; a longer string has a line of its own. */
export function wrap(text: string, width: number): readonly string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && lengthOf(line) + 1 + lengthOf(word) > width) {
      lines.push(line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return [...lines, line];
}

/** What the columns of a result mean to a person: which matter most, and in which currency their amounts are. */

/** Headers of columns that a narrow terminal leaves out first, from the first on: ids and technical facts. */
const leastImportant = [
  'as of',
  'short name',
  'isin',
  'fill type',
  'matched',
  'price from',
  'extended hours',
  'max open quantity',
  'quantity decimals',
  'quantity available for trading',
  'time in force',
  'time validity',
  'created at',
  'order id',
  'id',
  'average price paid',
  'gross amount per share',
  'total cost',
  'fx impact',
  'type',
];

/** Headers of columns that stay longest, from the last that goes on: what the row is about, and its amounts. */
const mostImportant = [
  'ticker',
  'amount',
  'gain',
  'side',
  'quantity',
  'price',
  'current price',
  'limit price',
  'stop price',
  'net value',
  'current value',
  'value',
  'unrealized profit loss',
  'profit loss',
  'proceeds',
  'cost',
  'paid on',
  'filled at',
  'sold on',
  'date time',
  'action',
  'total',
  'no. of shares',
  'time',
  'status',
  'name',
];

/** Returns the header that a table leaves out next. Between the known ones, the last column goes first. */
export function findLeastImportant(headers: readonly string[]): string | undefined {
  const find = (wanted: string | undefined) => headers.find((header) => header.toLowerCase() === wanted);
  const isThere = (header: string) => find(header) !== undefined;
  const least = find(leastImportant.find(isThere));
  const unranked = headers.findLast((header) => !mostImportant.includes(header.toLowerCase()));
  return least ?? unranked ?? find(mostImportant.findLast(isThere));
}

/** The fields of money whose currency a column has, by the name of that column. */
const amountsOf: Readonly<Record<string, readonly string[]>> = {
  tickerCurrency: ['grossAmountPerShare'],
  priceCurrency: ['limitPrice', 'stopPrice', 'lastKnownPrice', 'price', 'priceNow'],
  accountCurrency: ['netValue', 'realisedProfitLoss'],
  currency: [
    'amount',
    'price',
    'averagePricePaid',
    'currentPrice',
    'proceeds',
    'cost',
    'gain',
    'gains',
    'losses',
    'charges',
    'trailingTwelveMonths',
    'gross',
    'withheld',
  ],
};

interface Table {
  readonly names: readonly string[];
  readonly rows: readonly (readonly unknown[])[];
}

/** Moves the currencies of a table into the cells of their amounts, so that no narrow table shows a bare amount. */
export function joinCurrencies({ names, rows }: Table): Table {
  // A report has the currency of the column Total in the column Currency (Total).
  const currencyAt = new Map(
    names.flatMap((name, at) =>
      names.includes(`Currency (${name})`) ? [[at, names.indexOf(`Currency (${name})`)]] : [],
    ),
  );
  for (const [column, amounts] of Object.entries(amountsOf))
    for (const amount of amounts)
      if (names.includes(column) && names.includes(amount))
        currencyAt.set(names.indexOf(amount), names.indexOf(column));
  const joined = new Set(currencyAt.values());
  const keep = <Cell>(cells: readonly Cell[]) => cells.filter((_, at) => !joined.has(at));
  return {
    names: keep(names),
    rows: rows.map((row) =>
      keep(
        row.map((cell, at) => {
          const currency = row[currencyAt.get(at) ?? -1];
          return isAmount(cell) && typeof currency === 'string' ? `${cell} ${currency}` : cell;
        }),
      ),
    ),
  };
}

const isAmount = (cell: unknown): boolean => typeof cell === 'number' || (typeof cell === 'string' && cell !== '');
