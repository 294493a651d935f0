import { readRows } from './csv-scanner.ts';
import { invalidReport } from './header.ts';

/** The first rows of a report, for display. */
export interface ReportPreview {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
  /** Rows in the complete file, without the header. */
  readonly totalRows: number;
}

/**
 * Returns the header, the first `count` rows and the number of rows of a report, unchanged (docs/interface.md,
 * Reports). Throws `unexpected_answer` when its quotes do not match.
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
