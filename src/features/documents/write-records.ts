/** Writes the account's records in the format of another program, and says what the file lacks. */

import type { ToolCall } from '../../core/mcp/tool.ts';
import { countOf, formatConstant } from '../../core/text/count-of.ts';
import { toZoneDate, toZoneTime } from '../../core/text/dates.ts';
import { nameFile } from '../../core/text/environment-labels.ts';
import { listNames } from '../analytics/names.ts';
import { coverageFields } from '../analytics/tools/coverage-fields.ts';
import type { HistoryDeps } from '../history/history-deps.ts';
import type { AccountRecord } from './account-records.ts';
import { fileFormats } from './file-formats.ts';
import type { FileFormatName } from './format-names.ts';
import { readBooks } from './read-books.ts';

export interface WrittenRecords {
  readonly text: string;
  /** The records in the text. */
  readonly count: number;
  /** What is missing, in sentences. */
  readonly lacks: readonly string[];
  /** Whether every row was read. */
  readonly isComplete: boolean;
  /** Seconds after which more rows are read; undefined when none are missing. */
  readonly retryAfterSeconds: number | undefined;
  /** Time of the service's data (ms). */
  readonly asOf: number;
}

export async function writeRecords(name: FileFormatName, call: ToolCall, deps: HistoryDeps): Promise<WrittenRecords> {
  const { write, holds = () => true } = fileFormats[name];
  const { books, currency, zone, asOf, coverage } = await readBooks(call, deps);
  const records = books.records.filter(holds);
  const { complete, note, retryAfterSeconds } = coverageFields(coverage);
  return {
    text: write(records, {
      title: nameFile('Brokerage account', deps.config.environment === 'sandbox'),
      madeAt: deps.clock.now(),
      currency,
      toDate: (at) => toZoneDate(at, zone),
      toTime: (at) => toZoneTime(at, zone),
    }),
    count: records.length,
    lacks: [
      ...(complete || note === undefined ? [] : [note]),
      ...books.leftOut,
      ...describeDropped(books.records.filter((record) => !holds(record))),
    ],
    isComplete: complete,
    retryAfterSeconds,
    asOf,
  };
}

/** What the format has no place for. Without it, the other program shows other shares or another balance. */
function describeDropped(records: readonly AccountRecord[]): string[] {
  const actions = new Map<string, number>();
  for (const record of records)
    if (record.kind === 'action') {
      const name = `${formatConstant(record.type).toLowerCase()} of ${record.security.ticker}`;
      actions.set(name, (actions.get(name) ?? 0) + 1);
    }
  const names = [...actions].map(([name, count]) => (count === 1 ? name : `${count} × ${name}`));
  const moved = records.filter(({ kind }) => kind !== 'action').length;
  return [
    ...(names.length === 0
      ? []
      : [`The format has no place for corporate actions: enter them in the other program (${listNames(names)}).`]),
    ...(moved === 0 ? [] : [`The format has no place for cash that was moved: ${countOf(moved, 'booking')}.`]),
  ];
}
