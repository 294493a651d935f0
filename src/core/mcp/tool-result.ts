/**
 * Builds the result of a call from a reply: the same JSON as structuredContent and as text, within the size that hosts
 * accept.
 */
import type { Environment } from '../settings/config.ts';
import { sanitizeDeep } from '../text/sanitize-text.ts';
import { fitFields } from './fit-fields.ts';
import { countFitting, hostLength, maxCharacters } from './host-length.ts';
import type { ListPage } from './pagination.ts';
import { toIsoTimestamp } from './timestamps.ts';
import type { ToolReply } from './tool.ts';

/** The part of a result that the fields beside the rows may take, so that a page has many rows. */
const fieldShares = {
  first: 0.6,
  /** The first page had these fields. */
  continued: 0.25,
  /** Rows without a cursor cannot be read later. */
  withoutCursor: 0.4,
} as const;

/** The JSON object of a result. */
export type ResponseBody = Record<string, unknown>;

/** `most` is in the measure of `hostLength`; a single row can be longer. */
export function buildToolResult(
  reply: ToolReply & { readonly asOf: number },
  environment: Environment,
  most = maxCharacters,
): { body: ResponseBody; text: string } {
  const head = sanitizeDeep({
    env: environment,
    ...(environment === 'sandbox' ? { simulated: true } : {}),
    asOf: toIsoTimestamp(reply.asOf),
    ...reply.fields,
  }) as ResponseBody;
  if (!reply.list) return withText(fitFields(head, most));

  const list = { ...reply.list, rows: sanitizeDeep(reply.list.rows) as unknown[] };
  const whole = assemble(head, list, list.rows.length);
  if (hostLength(JSON.stringify(whole)) <= most) return withText(whole);
  const fields = fitFields(head, most * fieldShare(list));
  const measure = (kept: number) => hostLength(JSON.stringify(assemble(fields, list, kept)));
  return withText(assemble(fields, list, list.rows.length === 0 ? 0 : countFitting(list.rows.length, most, measure)));
}

function fieldShare({ rows, cursorAfter, isContinued }: ListPage): number {
  if (rows.length === 0) return 0.9;
  if (isContinued) return fieldShares.continued;
  return cursorAfter(0) === undefined ? fieldShares.withoutCursor : fieldShares.first;
}

const withText = (body: ResponseBody) => {
  // JSON drops undefined fields; parsing the text keeps both forms equal.
  const text = JSON.stringify(body);
  return { body: JSON.parse(text) as ResponseBody, text };
};

function assemble(head: ResponseBody, list: ListPage, kept: number): ResponseBody {
  const rows = list.rows.slice(0, kept);
  const nextCursor = list.cursorAfter(kept);
  // A cut is always reported, also for a list without a cursor.
  const isCut = kept > 0 && kept < list.rows.length && nextCursor === undefined;
  const cut = isCut
    ? `Only the first ${kept} of ${list.rows.length} rows fit; ${list.rest ?? 'request fewer rows'}.`
    : undefined;
  return {
    ...head,
    ...(cut === undefined ? {} : { note: [head.note, cut].filter(Boolean).join(' ') }),
    // Before the rows, so that a host that cuts the text still shows it.
    ...(list.count !== undefined && kept < list.count ? { rowCount: list.count } : {}),
    ...(nextCursor === undefined ? {} : { nextCursor }),
    // Also on the last page, which has no cursor.
    ...(list.columns ? { columns: list.columns, rows } : { items: rows }),
  };
}
