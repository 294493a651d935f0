/** The tool save_report: writes a report, a tax pack or the account's records for another program as files. */

import * as z from 'zod';
import { endpoints } from '../../core/endpoints/index.ts';
import { BrokerageError, type ErrorCode } from '../../core/errors.ts';
import { taxYear } from '../../core/mcp/arguments.ts';
import { count, text, texts, yesNo } from '../../core/mcp/output-schemas.ts';
import { runTool } from '../../core/mcp/run-tool.ts';
import { defineTool, type ToolCall, type ToolReply } from '../../core/mcp/tool.ts';
import type { ResponseBody } from '../../core/mcp/tool-result.ts';
import type { ViewData } from '../../core/mcp/view-data.ts';
import { countOf } from '../../core/text/count-of.ts';
import { toZoneDate } from '../../core/text/dates.ts';
import type { GainsDeps } from '../gains/gains-deps.ts';
import { zoneOf } from '../history/date-range.ts';
import { historyEndpoints } from '../history/kinds.ts';
import type { PackSection } from '../tax-pack/pack-section.ts';
import { taxPackTool } from '../tax-pack/tax-pack-tool.ts';
import { isForForm } from '../views/render/draw-pack-section.ts';
import { buildReportPage, listReportGaps, reportTitle } from '../views/report-page.ts';
import { type CollectedReport, collectReport } from './collect-report.ts';
import type { DocumentFiles, SavedFile } from './document-files.ts';
import { fileFormats } from './file-formats.ts';
import { type FileFormatName, fileFormatNames } from './format-names.ts';
import { incompleteReasons, listFailures } from './read-progress.ts';
import { buildTaxPackFiles, taxPackPage } from './tax-pack-files.ts';
import { writeRecords } from './write-records.ts';

export interface DocumentDeps extends GainsDeps {
  readonly documents: DocumentFiles;
}

const kinds = ['report', 'tax_pack', ...fileFormatNames] as const;

/** The time (ms) that is kept for writing the files. */
const writingMs = 5_000;

export const saveReportTool = defineTool({
  name: 'save_report',
  title: 'Save a report',
  toolset: 'exports',
  effect: 'saves',
  endpoints: [...historyEndpoints, endpoints.getAccountSummary, endpoints.listPositions, endpoints.listInstruments],
  description:
    'Saves a report to print, a UK tax pack (tax return, accountant), or an export for Portfolio Performance, Ghostfolio, beancount.',
  view: 'document',
  searchHint:
    'report, PDF, print, web page, can I have as file, document papers for my accountant, something for my accountant, make my tax return, self assessment figures, SA108, save the tax pack for tax year, put together report of my portfolio, export everything or my data for Portfolio Performance, Ghostfolio, cgt-calc, beancount, use it in another program, spreadsheet, CSV, paperwork, for the tax man, HMRC, tax documents, write report, summary to print, send it to my accountant adviser, HTML, Excel, export my trades, back up, give me CSV, export Ghostfolio, export beancount ledger, export to Ghostfolio, get my trades into Portfolio Performance, year end report, I need an annual statement, I need a report, annual report, tax pack, make me a PDF of my portfolio to print, for my husband or wife, stuff for my accountant, spreadsheet of my gains, file for the tax return, save as, printable, tax office, ledger, cgt-calc, SA100, SA106, bookkeeper, statement for my records, put it in a document, share with, bank, mortgage',
  input: z
    .strictObject({
      kind: z.enum(kinds, `must be ${kinds.join(', ')}`).meta({ description: 'Kind' }),
      taxYear: taxYear().optional(),
    })
    .refine(
      (args) => (args.kind === 'tax_pack') === (args.taxYear !== undefined),
      'taxYear belongs to tax_pack, which needs it',
    ),
  output: () => ({
    message: z.string(),
    next: z.string(),
    path: text(),
    uri: text(),
    files: texts(),
    complete: yesNo(),
    lacks: texts(),
    retryAfterSeconds: count(),
  }),
  run: async ({ kind, taxYear: year }, call, deps: DocumentDeps) => {
    switch (kind) {
      case 'report':
        return saveReport(call, deps);
      case 'tax_pack':
        return saveTaxPack(year ?? '', call, deps);
      default:
        return saveRecords(kind, call, deps);
    }
  },
});

const dayOf = (deps: DocumentDeps): string => toZoneDate(deps.clock.now(), zoneOf(deps, undefined));

async function saveReport(call: ToolCall, deps: DocumentDeps): Promise<ToolReply> {
  const { answers, incomplete } = await collectReport(deps, {
    until: call.deadlineAt - writingMs,
    isBound: true,
    shutdownSignal: call.signal,
    tell: call.progress,
  });
  const note = incomplete && incompleteReasons[incomplete];
  const text = buildReportPage({ title: reportTitle, madeAt: deps.clock.now(), answers, incomplete: note });
  const saved = await deps.documents.save(`report-${dayOf(deps)}`, [{ name: 'report.html', text }]);
  const lacks = [...(note === undefined ? [] : [note]), ...listReportGaps(answers)];
  return reply(saved, {
    title: reportTitle,
    message: 'The report is a page with the returns, allocation, profit and loss, dividends, costs and sales.',
    lacks,
    mimeType: 'text/html',
    picture: selectFigures(answers),
  });
}

async function saveTaxPack(year: string, call: ToolCall, deps: DocumentDeps): Promise<ToolReply> {
  const { signal, deadlineAt } = call;
  const timeoutMs = deadlineAt - writingMs - deps.clock.now();
  const options = { signal, timeoutMs, wantsAllRows: true };
  const result = await runTool([taxPackTool], taxPackTool.name, { taxYear: year }, deps, options);
  const { body } = result;
  if (result.isError) throw toError(body);
  const { files, lacks } = buildTaxPackFiles({
    answer: { ...body, ...result.viewData },
    taxYear: year,
    madeAt: deps.clock.now(),
    reason: listFailures(body).length > 0 ? 'failed' : 'out_of_time',
    nameCommands: String,
  });
  const saved = await deps.documents.save(`tax-pack-${year.replace('/', '-')}`, files);
  const open = typeof body.notFinal === 'string' ? [body.notFinal] : [];
  const { currency, sections } = body;
  return reply(saved, {
    title: `UK tax year ${year}`,
    message: `The tax pack of ${year} is a page, ${taxPackPage}, and ${countOf(files.length - 1, 'CSV file')} with its rows.`,
    lacks: [...open, ...lacks],
    retryAfterSeconds: body.retryAfterSeconds,
    mimeType: 'text/html',
    // What goes into the forms; the rows behind it are in the files.
    picture: {
      currency,
      taxYear: year,
      sections: (sections as readonly PackSection[]).filter(({ name }) => isForForm(name)),
    },
  });
}

const toError = ({ code, message, next }: ResponseBody): BrokerageError =>
  new BrokerageError(code as ErrorCode, String(message), String(next));

async function saveRecords(name: FileFormatName, call: ToolCall, deps: DocumentDeps): Promise<ToolReply> {
  const { program, howTo, fileName, mimeType } = fileFormats[name];
  const { text, count, lacks, asOf, retryAfterSeconds } = await writeRecords(name, call, deps);
  const saved = await deps.documents.save(`records-${dayOf(deps)}`, [{ name: fileName, text }]);
  const message = `The file has ${countOf(count, 'record')} for ${program}. ${howTo}`;
  return { asOf, ...reply(saved, { title: `Records for ${program}`, message, lacks, retryAfterSeconds, mimeType }) };
}

/**
 * The picture of a report is a card: its main figures, and the sums of its parts. A host keeps each result with its
 * picture, and the page grows with every sale, while this is bounded.
 */
const selectFigures = ({ returns, portfolio, dividends, gains, costs }: CollectedReport['answers']) => ({
  returns: { ...returns, values: undefined },
  portfolio: portfolio && { ...portfolio, rows: [] },
  sums: { dividends: pickSums(dividends), gains: pickSums(gains), costs: pickSums(costs) },
});

const sumNames = new Set(['currency', 'total', 'totals']);

const pickSums = (answer: object | undefined) =>
  Object.fromEntries(Object.entries(answer ?? {}).filter(([name]) => sumNames.has(name)));

interface Written {
  /** Of its picture. */
  readonly title: string;
  readonly message: string;
  /** What is missing, in sentences. */
  readonly lacks: readonly string[];
  readonly retryAfterSeconds?: unknown;
  readonly mimeType: string;
  /** What the picture draws; a file of records has none. */
  readonly picture?: ViewData['document'];
}

function reply(
  saved: readonly SavedFile[],
  { title, message, lacks, retryAfterSeconds, mimeType, picture }: Written,
): ToolReply {
  const [first, ...others] = saved;
  const isPartial = lacks.length > 0;
  return {
    fields: {
      message: `Saved ${first?.path}. ${message}`,
      complete: !isPartial,
      path: first?.path,
      uri: first?.uri,
      ...(others.length > 0 ? { files: saved.map(({ path }) => path) } : {}),
      ...(isPartial ? { lacks } : {}),
      ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
      next: isPartial
        ? 'Tell the user the path and what the file lacks. Where rows are still being read, the same call writes it again.'
        : 'Tell the user the path. The file is on the machine of this server.',
    },
    viewData: { document: { title, about: message, ...picture } },
    ...(first ? { links: [{ uri: first.uri, name: first.name, mimeType }] } : {}),
  };
}
