/**
 * Builds the result of a call from a reply: the same JSON as structuredContent and as text, within the size that hosts
 * accept.
 */
import type { Environment } from '../config.ts';
import { sanitizeDeep } from '../sanitize-text.ts';
import type { ListPage } from './pagination.ts';
import { toIsoTimestamp } from './timestamps.ts';
import type { ToolReply } from './tool.ts';

/**
 * The shortest limit of known hosts is about this length. They cut longer texts in the middle, which a model cannot
 * notice in JSON.
 */
const maxCharacters = 10_000;

/** The JSON object of a result. */
export type ResponseBody = Record<string, unknown>;

/** With `wantsAllRows` the list is not cut to that size: its reader is a file, which has no cursor to continue with. */
export function buildToolResult(
  reply: ToolReply & { readonly asOf: number },
  environment: Environment,
  { wantsAllRows = false }: { readonly wantsAllRows?: boolean | undefined } = {},
): { body: ResponseBody; text: string } {
  const head = sanitizeDeep({
    env: environment,
    ...(environment === 'sandbox' ? { simulated: true } : {}),
    asOf: toIsoTimestamp(reply.asOf),
    ...reply.fields,
  }) as ResponseBody;
  if (!reply.list) return withText(head);

  const list = { ...reply.list, rows: sanitizeDeep(reply.list.rows) as unknown[] };
  const kept = wantsAllRows ? list.rows.length : rowsThatFit(head, list);
  return withText(assemble(head, list, kept));
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
    ...(nextCursor === undefined ? {} : { nextCursor }),
    // Also on the last page, which has no cursor.
    ...(list.count !== undefined && kept < list.count ? { rowCount: list.count } : {}),
    ...(list.columns ? { columns: list.columns, rows } : { items: rows }),
  };
}

/** Returns how many rows fit; at least one, because a page without rows would never advance. */
function rowsThatFit(head: ResponseBody, list: ListPage): number {
  let characters = JSON.stringify(assemble(head, list, 0)).length;
  let kept = 0;
  for (const row of list.rows) {
    characters += JSON.stringify(row).length + 1;
    if (kept > 0 && characters > maxCharacters) break;
    kept++;
  }
  // The length of the cursor and of the note depends on the cut.
  while (kept > 1 && JSON.stringify(assemble(head, list, kept)).length > maxCharacters) kept--;
  return kept;
}
