/** Draws any other result as figures and a table. */

import { html, type Markup } from '../../html-template.ts';
import { readFrame } from '../model/envelope.ts';
import { type Fields, hasList, toFields, toRows, toText } from '../model/fields.ts';
import type { FormatOptions } from './format-values.ts';
import { empty, figures, section } from './section.ts';
import { table } from './table.ts';

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

/** Shows figures as the result contains them, because their unit is unknown here. */
export function drawPlain(id: string, title: string, answer: Fields, look: FormatOptions): Markup {
  const frame = readFrame(answer);
  const rows = toRows(answer);
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const body = html`${figures(flatFigures(answer))}
${
  hasList(answer) &&
  (rows.length === 0
    ? empty(frame, 'Nothing in this range.')
    : table(
        title,
        names.map((name) => ({
          label: humanize(name),
          text: (row: Fields) => toText(row[name]) ?? 'unknown',
          isNumber: rows.every((row) => row[name] === undefined || /^-?\d+(\.\d+)?$/.test(toText(row[name]) ?? '')),
        })),
        rows,
      ))
}`;
  return section({ id, title, frame, rows: { shown: rows.length, what: 'rows' }, body }, look);
}

/** Returns scalars, and nested scalars under the name of their parent. */
function flatFigures(answer: Fields): readonly (readonly [string, string])[] {
  return Object.entries(answer).flatMap(([name, value]): (readonly [string, string])[] => {
    if (elsewhere.has(name)) return [];
    const text = scalarText(value);
    if (text !== undefined) return [[humanize(name), text]];
    return Object.entries(toFields(value)).flatMap(([inner, part]) => {
      const innerText = scalarText(part);
      return innerText === undefined
        ? []
        : [[`${humanize(name)}: ${humanize(inner).toLowerCase()}`, innerText] as const];
    });
  });
}

const scalarText = (value: unknown): string | undefined =>
  typeof value === 'boolean' ? (value ? 'yes' : 'no') : toText(value);
