/** From a reply to the answer: the same JSON as structuredContent and as text, within the size that hosts take. */
import type { Environment } from '../config.ts';
import { cleanDeep } from './clean.ts';
import type { ListPart } from './list.ts';
import { isoMoment } from './moment.ts';
import { estimateTokens } from './tokens.ts';
import type { Reply } from './tool.ts';

/** Hosts cut results at about 25,000 tokens, and a model reads short ones better. */
export const mostTokens = 8_000;
export const mostCharacters = 40_000;

export type AnswerBody = Record<string, unknown>;

export function buildAnswer(
  reply: Reply & { readonly asOf: number },
  environment: Environment,
): { body: AnswerBody; text: string } {
  const head = cleanDeep({
    env: environment,
    ...(environment === 'sandbox' ? { simulated: true } : {}),
    asOf: isoMoment(reply.asOf),
    ...reply.fields,
  }) as AnswerBody;
  if (!reply.list) return withText(head);

  const list = { ...reply.list, rows: cleanDeep(reply.list.rows) as unknown[] };
  const kept = rowsThatFit(head, list);
  return withText(assemble(head, list, kept));
}

const withText = (body: AnswerBody) => {
  // What JSON leaves out (undefined) is left out of both, so that the two are the same.
  const text = JSON.stringify(body);
  return { body: JSON.parse(text) as AnswerBody, text };
};

function assemble(head: AnswerBody, list: ListPart, kept: number): AnswerBody {
  const rows = list.rows.slice(0, kept);
  const nextCursor = list.cursorAfter(kept);
  // Nothing is cut silently, also where no cursor can go on.
  const isCut = kept > 0 && kept < list.rows.length && nextCursor === undefined;
  const cut = isCut
    ? `Only the first ${kept} of ${list.rows.length} rows fit; ${list.rest ?? 'ask for fewer'}.`
    : undefined;
  return {
    ...head,
    ...(cut === undefined ? {} : { note: [head.note, cut].filter(Boolean).join(' ') }),
    ...(list.columns ? { columns: list.columns, rows } : { items: rows }),
    ...(nextCursor === undefined ? {} : { nextCursor }),
  };
}

/** How many rows fit; at least one, because an answer without rows would never get on. */
function rowsThatFit(head: AnswerBody, list: ListPart): number {
  const fixed = JSON.stringify(assemble(head, list, 0));
  let characters = fixed.length + 200;
  let tokens = estimateTokens(fixed) + 60;
  let kept = 0;
  for (const row of list.rows) {
    const text = JSON.stringify(row);
    characters += text.length + 1;
    tokens += estimateTokens(text) + 1;
    if (kept > 0 && (characters > mostCharacters || tokens > mostTokens)) break;
    kept++;
  }
  return kept;
}
