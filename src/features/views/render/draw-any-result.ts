/** Draws any other result as figures and a table. */

import { formatConstant } from '../../../core/text/count-of.ts';
import { html, type Markup } from '../../../core/text/html-template.ts';
import { type Fields, hasList, readFrame, toFields, toRows, toText, toTimestamp } from '../model/read-answer.ts';
import { type FormatOptions, formatNumber, formatTimestamp } from './format-values.ts';
import { empty, figures, section, table } from './section.ts';

/** Fields that the frame shows, or that only programs use. */
const elsewhere = new Set([
  'env',
  'simulated',
  'asOf',
  'complete',
  'note',
  'next',
  'nextCursor',
  'rowCount',
  'coverage',
]);

/** Returns `moneyWeightedReturn` as separate words. */
export const humanize = (name: string): string => {
  const words = name
    .replace(/_/g, ' ')
    .replace(/([a-z0-9])([A-Z])/g, (_, before, after) => `${before} ${after.toLowerCase()}`);
  return words.charAt(0).toUpperCase() + words.slice(1);
};

/** Shows figures without their unit, which is unknown here. */
export function drawPlain(id: string, title: string, answer: Fields, look: FormatOptions): Markup {
  const frame = readFrame(answer);
  const rows = toRows(answer);
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const body = html`${figures(flatFigures(answer, look))}
${
  hasList(answer) &&
  (rows.length === 0
    ? empty(frame, 'Nothing in this range.')
    : table(
        title,
        names.map((name) => ({
          label: humanize(name),
          text: (row: Fields) => cellText(name, row[name], look),
          key: (row: Fields) => toText(row[name]),
          isNumber: rows.every((row) => row[name] === undefined || /^-?\d+(\.\d+)?$/.test(toText(row[name]) ?? '')),
        })),
        rows,
      ))
}`;
  return section({ id, title, frame, rows: { shown: rows.length, what: 'rows' }, body }, look);
}

/** Returns scalars, and nested scalars under the name of their parent. */
function flatFigures(answer: Fields, look: FormatOptions): readonly (readonly [string, string])[] {
  return Object.entries(answer).flatMap(([name, value]): (readonly [string, string])[] => {
    if (elsewhere.has(name)) return [];
    const text = scalarText(value, look);
    if (text !== undefined) return [[humanize(name), text]];
    return Object.entries(toFields(value)).flatMap(([inner, part]) => {
      const innerText = scalarText(part, look);
      return innerText === undefined
        ? []
        : [[`${humanize(name)}: ${humanize(inner).toLowerCase()}`, innerText] as const];
    });
  });
}

/** Charges have names such as `STAMP_DUTY_RESERVE_TAX`; tickers are written alike and stay. */
const cellText = (name: string, value: unknown, look: FormatOptions): string => {
  const text = scalarText(value, look) ?? 'unknown';
  return name === 'name' && /^[A-Z]+(?:_[A-Z]+)+$/.test(text) ? formatConstant(text) : text;
};

/** Money with separators, times in the reader's zone, and the names of fields and codes as words. */
function scalarText(value: unknown, look: FormatOptions): string | undefined {
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  const text = toText(value);
  if (text === undefined) return undefined;
  if (/^-?\d+\.\d{2,}$/.test(text)) return formatNumber(text, look);
  const at = /^\d{4}-\d\d-\d\dT/.test(text) ? toTimestamp(text) : undefined;
  if (at !== undefined) return formatTimestamp(at, look);
  return /^[a-z]+(?:[A-Z][a-z]+|_[a-z]+)+$/.test(text) ? humanize(text).toLowerCase() : text;
}
