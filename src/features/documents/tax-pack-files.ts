/** The files of a tax pack: the page, a CSV file for each table of it, and the notes; and what they lack. */

import type { ResponseBody } from '../../core/mcp/tool-result.ts';
import { countOf } from '../../core/text/count-of.ts';
import type { Coverage } from '../history/history-port.ts';
import { notAdvice, type PackSection } from '../tax-pack/pack-section.ts';
import type { UnknownTaxCounts } from '../tax-pack/tax-pack-tool.ts';
import { buildTaxPackPage } from '../views/tax-pack-page.ts';
import { formatCsv } from './csv-file.ts';
import { incompleteReasons } from './read-progress.ts';

export const taxPackPage = 'tax-pack.html';

export interface TaxPackContent {
  /** Result of tax_pack. */
  readonly answer: ResponseBody;
  readonly taxYear: string;
  /** Milliseconds since 1970. */
  readonly madeAt: number;
  /** Why rows are missing, when some are. */
  readonly reason: keyof typeof incompleteReasons;
  /** Writes the commands of a text as they run here. */
  readonly nameCommands: (text: string) => string;
}

/** The files by their name, and what they lack, in sentences. */
export function buildTaxPackFiles({ answer, taxYear, madeAt, reason, nameCommands }: TaxPackContent) {
  const title = `UK tax year ${taxYear}`;
  const sections = answer.sections as readonly PackSection[];
  const unread = answer.complete === true ? [] : [incompleteReasons[reason]];
  const gaps = describeGaps(answer, sections).map(nameCommands);
  const notes = listNotes(answer, sections, [...unread, ...listMissing(answer), ...gaps]);
  return {
    files: [
      {
        name: taxPackPage,
        text: buildTaxPackPage({ title, madeAt, answer, remark: notAdvice, lacks: [...unread, ...gaps] }),
      },
      ...sections.map(({ name, columns, rows }) => ({ name: `${name}.csv`, text: formatCsv(columns, rows) })),
      { name: 'notes.csv', text: formatCsv(['file', 'note'], notes) },
    ],
    lacks: describeIncomplete(answer, gaps).map(nameCommands),
  };
}

/** What the page says about its figures, for readers of the CSV files: the file, or `all`, and the note. */
export const listNotes = (
  answer: ResponseBody,
  sections: readonly PackSection[],
  incomplete: readonly string[],
): string[][] => [
  ...incomplete.map((note) => ['all', note]),
  ...failedChecks(answer).map((line) => ['all', line]),
  ['all', notAdvice],
  ...(answer.remarks as readonly string[]).map((remark) => ['all', remark]),
  ...sections.flatMap(({ name, note }) => (note === undefined ? [] : [[`${name}.csv`, note]])),
];

/** Of how many dividends the tax is unknown, and what names it; nothing where every tax is known. */
function describeUnknownTaxes({ unknownTaxes }: ResponseBody): string[] {
  const { dividends, unknown, inReports } = unknownTaxes as UnknownTaxCounts;
  if (unknown === 0) return [];
  const way =
    inReports > 0
      ? `Import the broker’s reports${inReports < unknown ? ` for ${inReports} of them` : ''} (brokerage-mcp import), and make the pack again.`
      : 'No report that was read names it.';
  return [`The tax withheld from ${unknown} of ${countOf(dividends, 'dividend')} is unknown. ${way}`];
}

/** What the rows that were read do not say: withheld taxes, and the cost of trades. */
export function describeGaps(answer: ResponseBody, sections: readonly PackSection[]): string[] {
  const unmatched = sections.find(({ name }) => name === 'unmatched')?.rows.length ?? 0;
  return [
    ...describeUnknownTaxes(answer),
    ...(unmatched > 0 ? [`In no figure: ${countOf(unmatched, 'trade')}, listed in unmatched.csv.`] : []),
  ];
}

/** What the files lack: rows that are not read, failed checks, withheld taxes, and trades in no figure. */
export function describeIncomplete(answer: ResponseBody, gaps: readonly string[]): string[] {
  return [
    ...gaps,
    ...(answer.complete === true ? [] : describeUnread(answer)),
    ...(answer.complete === true && answer.note !== undefined ? [String(answer.note)] : []),
    ...failedChecks(answer),
  ];
}

/** What is not read yet, by history. */
const describeUnread = (answer: ResponseBody): string[] => [
  'Incomplete: not every row has been read, so figures will change. Run the command again; brokerage-mcp import reads a long history faster.',
  ...listMissing(answer).map((reason) => `  ${reason}`),
];

/** Why rows are missing, as the history knows it. */
export const listMissing = ({ coverage }: ResponseBody): string[] =>
  Object.entries(coverage as Readonly<Record<string, Coverage>>).flatMap(([kind, { missing = [] }]) =>
    missing.map((reason) => `${kind}: ${reason}`),
  );

const failedChecks = ({ checks }: ResponseBody): string[] =>
  (checks as readonly { name: string; holds: boolean }[])
    .filter(({ holds }) => !holds)
    .map(({ name }) => `A check failed: ${name}.`);
