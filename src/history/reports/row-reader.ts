/** Reads the cells of one row by column. A cell that cannot be read is noted as a problem, never guessed. */
import type { MoneyColumn, ReportColumns } from './header.ts';
import { readDecimal } from './parse-cell.ts';

interface Money {
  readonly value: string | undefined;
  readonly currency: string | undefined;
}

export interface RowCells {
  readonly columns: ReportColumns;
  /** Trimmed; undefined when empty. */
  text(at: number | undefined): string | undefined;
  decimal(name: string, at: number | undefined): string | undefined;
  money(column: MoneyColumn): Money;
  /** Reasons why the row cannot be read, as sentences without a period; empty while every cell could be read. */
  readonly problems: string[];
}

export function rowCells(cells: readonly string[], columns: ReportColumns): RowCells {
  const problems: string[] = [];
  const text = (at: number | undefined) => (at === undefined ? undefined : cells[at]?.trim() || undefined);
  const decimal = (name: string, at: number | undefined) => {
    const cell = text(at);
    if (cell === undefined) return undefined;
    const value = readDecimal(cell);
    if (value === undefined) problems.push(`${name} is not a number`);
    return value;
  };
  const money = ({ name, places }: MoneyColumn): Money => {
    let [place] = places;
    if (places.length > 1) {
      const filled = places.filter(({ at }) => text(at) !== undefined);
      if (filled.length > 1) problems.push(`${name} is in more than one column`);
      // If the amount is in none of the columns, its currency is unknown too.
      [place] = filled;
    }
    if (!place) return { value: undefined, currency: undefined };
    return { value: decimal(name, place.at), currency: place.currency ?? text(place.currencyAt) };
  };
  return { columns, text, decimal, money, problems };
}
