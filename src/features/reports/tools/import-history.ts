import * as z from 'zod';
import { endpoints } from '../../../core/endpoints/index.ts';
import { integer } from '../../../core/mcp/arguments.ts';
import { count, group, groups, oneOf, text, yesNo } from '../../../core/mcp/output-schemas.ts';
import { defineTool, type ToolCall } from '../../../core/mcp/tool.ts';
import { countOf } from '../../../core/text/count-of.ts';
import { historyEndpoints } from '../../history/kinds.ts';
import type { ImportProgress } from '../import/history-import.ts';
import type { AbandonedFile } from '../import/import-record.ts';
import { maxImportYears } from '../import/plan-years.ts';
import type { ReportDeps } from './export-tools.ts';

/** How long (ms) one call waits for the import, which goes on in the background. */
const maxWaitMs = 45_000;
const pollMs = 1_000;
/** Seconds until a repeated call can show more. */
const minRetrySeconds = 10;

export const importHistoryTool = defineTool({
  name: 'import_history',
  title: 'Import the history',
  toolset: 'exports',
  effect: 'creates',
  endpoints: [
    endpoints.requestReport,
    endpoints.listReports,
    endpoints.listPositions,
    endpoints.listInstruments,
    ...historyEndpoints,
  ],
  description:
    'Imports (loads, syncs, pulls in) the complete history (everything) quickly, where it is incomplete or missing; continues in the background. Repeat the call for its progress.',
  searchHint:
    'import, load, sync the full history, all years, load my complete history quickly, my history incomplete, rows are missing, it still reading, it takes too long, get all data, read everything, old trades are missing, refresh, make it complete, why it not complete, faster, import from the broker, load my old trades, it only shows this year, history is incomplete, pull in everything since I opened the account, bring in, import older transactions, the data is missing, sync my transactions, update the history, gaps, not all trades are there, earlier years, from the beginning, how far is the import, progress',
  input: z.strictObject({
    years: integer({ min: 1, max: maxImportYears }, `Counted from now, 1 to ${maxImportYears}; default all`).optional(),
  }),
  output: () => ({
    complete: yesNo(),
    way: oneOf(['reports', 'pages']),
    years: group({ requested: count(), ready: count(), expected: count() }),
    rows: count(),
    secondsLeft: count(),
    retryAfterSeconds: count(),
    unreadRows: z.record(z.string(), z.number()).optional(),
    unreadReports: groups({
      reportId: text(),
      code: text(),
      reportFault: text(),
      reason: text(),
      timeFrom: text(),
      timeTo: text(),
    }),
    trouble: group({ code: text(), message: text() }),
  }),
  run: async ({ years }, call, deps: ReportDeps) => {
    await deps.historyImport.start(years);
    const progress = await waitForImport(call, deps);
    return { fields: progress ? describe(progress) : { complete: false } };
  },
});

/** Waits until the import is done or the call has to return. Undefined when the record cannot be read. */
async function waitForImport(call: ToolCall, deps: ReportDeps): Promise<ImportProgress | undefined> {
  const until = Math.min(deps.clock.now() + maxWaitMs, call.deadlineAt - 2_000);
  let reported = '';
  for (;;) {
    const progress = await deps.historyImport.progress();
    if (!progress || progress.isDone || deps.clock.now() >= until) return progress;
    const { requested, ready, expected } = progress.years;
    const line =
      progress.phase === 'pages'
        ? `Reading the newest pages: ${countOf(progress.rows, 'row')}`
        : `${ready} of about ${countOf(expected, 'year')} read, ${requested} requested: ${countOf(progress.rows, 'row')}`;
    if (line !== reported) call.progress(line, ready, expected);
    reported = line;
    await deps.clock.sleep(Math.min(pollMs, until - deps.clock.now()), call.signal);
  }
}

function describe(progress: ImportProgress) {
  const { isDone, way, years, rows, leftMs, unread, abandonedFiles, trouble } = progress;
  const secondsLeft = leftMs === undefined ? undefined : Math.ceil(leftMs / 1000);
  return {
    complete: isDone,
    way,
    years,
    rows,
    ...(Object.keys(unread).length > 0 ? { unreadRows: unread } : {}),
    ...(abandonedFiles.length > 0 ? { unreadReports: abandonedFiles.map(describeFile) } : {}),
    ...(isDone ? {} : { secondsLeft, retryAfterSeconds: Math.max(minRetrySeconds, Math.min(secondsLeft ?? 0, 60)) }),
    ...(trouble ? { trouble } : {}),
    ...describeNote(progress),
  };
}

const describeFile = ({ from, to, ...file }: AbandonedFile) => ({
  ...file,
  timeFrom: new Date(from).toISOString(),
  timeTo: new Date(to).toISOString(),
});

function describeNote({ isDone, way, phase, unread, abandonedFiles }: ImportProgress): { readonly note?: string } {
  const notes = [
    ...(way === 'pages' ? ['The service refuses reports for this account, so the history is read page by page.'] : []),
    ...(Object.keys(unread).length > 0 ? ['Some rows of reports could not be read; pages replace them.'] : []),
    ...(abandonedFiles.length > 0 ? ['Some reports could not be read; pages replace them.'] : []),
    ...(isDone
      ? []
      : [phase === 'pages' ? 'Pages are being read in the background.' : 'Reports are being read in the background.']),
  ];
  return notes.length > 0 ? { note: notes.join(' ') } : {};
}
