/**
 * Bounds of a report, each several times what a year of a busy account needs. A file that exceeds one is refused,
 * because reading all of it takes time and memory.
 */
import { BrokerageError } from '../../../core/errors.ts';

/** Rows of a file, without the header. */
export const maxReportRows = 250_000;
/** Rows that cannot be read. Each leaves out a second of the history, which pages must then supply. */
export const maxUnreadRows = 2_000;
/** Characters of a row. */
export const maxRowLength = 20_000;
/** Columns of the header, and cells of a row. */
export const maxColumns = 200;
/** Characters of the name of a column. */
export const maxNameLength = 200;

/** Which bound a report exceeds. The codes are public. */
export type ReportFault = 'too_many_rows' | 'too_many_unread_rows' | 'row_too_long' | 'too_many_columns';

/** The error of a report that exceeds a bound. `words` completes "the report is refused because". */
export const refusedReport = (
  reportFault: ReportFault,
  words: string,
  facts: { readonly line?: number; readonly unreadRows?: Readonly<Record<string, number>> } = {},
): BrokerageError =>
  new BrokerageError(
    'unexpected_answer',
    `The report is refused because ${words}.`,
    'Request a report of a shorter range, or read the range with fetch_history.',
    { reportFault, ...facts },
  );
