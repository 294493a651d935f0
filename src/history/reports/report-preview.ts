import { readRows } from './csv-scanner.ts';
import { invalidReport } from './header.ts';

export interface ReportPreview {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
  /** Of the whole file, the header not counted. */
  readonly totalRows: number;
}

/**
 * The header, the first `count` rows and the number of rows of a report, as the file has them
 * (docs/interface.md, Reports). Throws `unexpected_answer` when its quotes do not match.
 */
export function previewReport(text: string, count: number): ReportPreview {
  let columns: readonly string[] | undefined;
  const rows: (readonly string[])[] = [];
  let totalRows = 0;
  readRows(text, ({ cells, flaw }) => {
    if (flaw) throw invalidReport('The report is not a readable CSV file.');
    if (columns === undefined) {
      columns = cells;
      return;
    }
    if (totalRows++ < count) rows.push(cells);
  });
  return { columns: columns ?? [], rows, totalRows };
}
