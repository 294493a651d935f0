/** Reads the cells of one row by column. A cell that cannot be read is noted as a problem, never guessed. */
import type { MoneyColumn, ReportColumns } from './header.ts';
import { readDecimal } from './parse-cell.ts';

/** An amount and its currency, as far as the row has them. */
export interface Money {
  readonly value: string | undefined;
  readonly currency: string | undefined;
}

export interface RowCells {
  readonly columns: ReportColumns;
  /** Trimmed; undefined when empty. */
  text(at: number | undefined): string | undefined;
  decimal(name: string, at: number | undefined): string | undefined;
  money(column: MoneyColumn): Money;
  /** The charges of the row that are not zero, by name. */
  charges(): readonly { readonly name: string; readonly value: string; readonly currency: string | undefined }[];
  /**
   * The cash that the row moves. Undefined when the file has only the amount before charges and the row has charges,
   * because files differ in whether that amount contains them.
   */
  total(): Money;
  /** Reasons why the row cannot be read, as sentences without a period; empty while every cell could be read. */
  readonly problems: string[];
}

/** More reasons are not noted: a row can have hundreds of columns. */
const maxProblems = 5;

export function rowCells(cells: readonly string[], columns: ReportColumns): RowCells {
  const problems: string[] = [];
  const note = (problem: string) =>
    void (problems.length >= maxProblems || problems.includes(problem) || problems.push(problem));
  const text = (at: number | undefined) => (at === undefined ? undefined : cells[at]?.trim() || undefined);
  const decimal = (name: string, at: number | undefined) => {
    const cell = text(at);
    if (cell === undefined) return undefined;
    const value = readDecimal(cell);
    if (value === undefined) note(`${name} is not a number`);
    return value;
  };
  const money = ({ name, places }: MoneyColumn): Money => {
    let [place] = places;
    if (places.length > 1) {
      const filled = places.filter(({ at }) => text(at) !== undefined);
      if (filled.length > 1) note(`${name} is in more than one column`);
      // If the amount is in none of the columns, its currency is unknown too.
      [place] = filled;
    }
    if (!place) return { value: undefined, currency: undefined };
    return { value: decimal(name, place.at), currency: place.currency ?? text(place.currencyAt) };
  };
  const charges = () =>
    columns.charges.flatMap((column) => {
      const { value, currency } = money(column);
      return value === undefined || value === '0' ? [] : [{ name: column.name, value, currency }];
    });
  const total = (): Money => {
    const found = columns.totals.map(money).filter(({ value }) => value !== undefined);
    if (found[0]) return found[0];
    const gross = money(columns.grossTotal);
    const extra = [money(columns.taxes), money(columns.withholdingTax)];
    const isNet = charges().length === 0 && extra.every(({ value }) => value === undefined || value === '0');
    return isNet ? gross : { value: undefined, currency: gross.currency };
  };
  return { columns, text, decimal, money, charges, total, problems };
}
