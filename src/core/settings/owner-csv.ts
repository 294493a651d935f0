/** CSV files that the owner keeps in the configuration folder: a line with names of columns, and a line for each row. */

import { UsageError } from '../errors.ts';

interface OwnerColumn {
  readonly isValid: (text: string) => boolean;
  /** How a cell is written, for the message about one that is not. */
  readonly example: string;
  /** The column, or a cell of it, can be missing. */
  readonly isOptional?: boolean;
}

export interface OwnerRow<Name extends string> {
  /** The number of its line, from 1. */
  readonly number: number;
  /** An optional cell that is missing is empty. */
  readonly cells: Readonly<Record<Name, string>>;
}

/** Characters of a cell that a message repeats. */
const maxCell = 40;

/**
 * Reads the columns in any order, and ignores others. Cells can be in double quotes; a cell has no line break. Empty
 * lines and lines that begin with # are skipped. `file` is the path that a message names. Throws a UsageError of one
 * sentence with the line and the column.
 */
export function parseOwnerCsv<Name extends string>(
  text: string,
  file: string,
  columns: Readonly<Record<Name, OwnerColumn>>,
  maxRows: number,
): readonly OwnerRow<Name>[] {
  const names = Object.keys(columns) as Name[];
  const lines = text
    .replace(/^\ufeff/, '')
    .split(/\r?\n/)
    .map((line, index) => ({ line, number: index + 1 }))
    .filter(({ line }) => line.trim() !== '' && !line.startsWith('#'));
  const [header, ...rows] = lines;
  if (!header) return [];
  const heads = splitCells(header.line).map((name) => name.toLowerCase());
  for (const name of names)
    if (!heads.includes(name) && !columns[name].isOptional)
      throw new UsageError(`${file}, line ${header.number}: the column ${name} is missing.`);
  const over = rows[maxRows];
  if (over) throw new UsageError(`${file}, line ${over.number}: the file has more than ${maxRows} rows.`);
  return rows.map(({ line, number }) => {
    const cells = splitCells(line);
    const read = (name: Name): string => {
      const cell = cells[heads.indexOf(name)] ?? '';
      const { isValid, example, isOptional } = columns[name];
      if ((isOptional && cell === '') || isValid(cell)) return cell;
      throw new UsageError(
        `${file}, line ${number}: ${name} is ${JSON.stringify(cell.slice(0, maxCell))} and should be written as in ${example}.`,
      );
    };
    return { number, cells: Object.fromEntries(names.map((name) => [name, read(name)])) as Record<Name, string> };
  });
}

/** The cells of a line, without blanks around them and without their quotes. */
function splitCells(line: string): readonly string[] {
  const cells: string[] = [];
  let cell = '';
  let isQuoted = false;
  for (let at = 0; at < line.length; at++) {
    const sign = line[at] as string;
    if (isQuoted && sign === '"' && line[at + 1] === '"') {
      cell += '"';
      at++;
    } else if (sign === '"') isQuoted = !isQuoted;
    else if (sign === ',' && !isQuoted) {
      cells.push(cell.trim());
      cell = '';
    } else cell += sign;
  }
  return [...cells, cell.trim()];
}
