/** From a reply to the answer: the same JSON as structuredContent and as text, within the size that hosts take. */
import type { Environment } from '../config.ts';
import { sanitizeDeep } from '../sanitize-text.ts';
import type { ListPage } from './pagination.ts';
import { toIsoTimestamp } from './timestamps.ts';
import type { ToolReply } from './tool.ts';

/** Hosts cut longer texts in the middle, the shortest at about this length, and a model sees no sign of it in JSON. */
export const maxCharacters = 10_000;

export type ResponseBody = Record<string, unknown>;

export function buildToolResult(
  reply: ToolReply & { readonly asOf: number },
  environment: Environment,
): { body: ResponseBody; text: string } {
  const head = sanitizeDeep({
    env: environment,
    ...(environment === 'sandbox' ? { simulated: true } : {}),
    asOf: toIsoTimestamp(reply.asOf),
    ...reply.fields,
  }) as ResponseBody;
  if (!reply.list) return withText(head);

  const list = { ...reply.list, rows: sanitizeDeep(reply.list.rows) as unknown[] };
  const kept = rowsThatFit(head, list);
  return withText(assemble(head, list, kept));
}

const withText = (body: ResponseBody) => {
  // What JSON leaves out (undefined) is left out of both, so that the two are the same.
  const text = JSON.stringify(body);
  return { body: JSON.parse(text) as ResponseBody, text };
};

function assemble(head: ResponseBody, list: ListPage, kept: number): ResponseBody {
  const rows = list.rows.slice(0, kept);
  const nextCursor = list.cursorAfter(kept);
  // Nothing is cut silently, also where no cursor can go on.
  const isCut = kept > 0 && kept < list.rows.length && nextCursor === undefined;
  const cut = isCut
    ? `Only the first ${kept} of ${list.rows.length} rows fit; ${list.rest ?? 'request fewer rows'}.`
    : undefined;
  return {
    ...head,
    ...(cut === undefined ? {} : { note: [head.note, cut].filter(Boolean).join(' ') }),
    // Before the rows, where a host that cuts all the same leaves it.
    ...(nextCursor === undefined ? {} : { nextCursor }),
    ...(list.columns ? { columns: list.columns, rows } : { items: rows }),
  };
}

/** How many rows fit; at least one, because an answer without rows would never get on. */
function rowsThatFit(head: ResponseBody, list: ListPage): number {
  let characters = JSON.stringify(assemble(head, list, 0)).length;
  let kept = 0;
  for (const row of list.rows) {
    characters += JSON.stringify(row).length + 1;
    if (kept > 0 && characters > maxCharacters) break;
    kept++;
  }
  // The cursor and the note depend on where it is cut.
  while (kept > 1 && JSON.stringify(assemble(head, list, kept)).length > maxCharacters) kept--;
  return kept;
}
