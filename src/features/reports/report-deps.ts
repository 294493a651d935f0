import type { WriteJournal } from '../../core/orders/write-journal.ts';
import type { HistoryDeps } from '../history/history-deps.ts';
import type { ExportFiles } from './export-files.ts';
import type { HistoryImport } from './import/history-import.ts';

/** What the tools over reports need. */
export interface ReportDeps extends HistoryDeps {
  readonly writes: WriteJournal;
  readonly exports: ExportFiles;
  readonly historyImport: HistoryImport;
}
