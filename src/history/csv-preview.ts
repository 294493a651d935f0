import { parse } from 'csv-parse/sync';
import { BrokerageError } from '../errors.ts';

export interface CsvPreview {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
  readonly totalRows: number;
}

/** The header, the first rows and the number of rows of a report. Columns come as the file names them. */
export function previewCsv(text: string, count: number): CsvPreview {
  let rows: string[][];
  try {
    rows = parse(text, { bom: true, skip_empty_lines: true, relax_column_count: true });
  } catch {
    throw new BrokerageError('unexpected_answer', 'The report is not a readable CSV file.', 'Request the report anew.');
  }
  const [columns = [], ...body] = rows;
  return { columns, rows: body.slice(0, count), totalRows: body.length };
}
