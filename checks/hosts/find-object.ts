/** Finds our object in what a host made of a result: an object, text in a list, text in text, words around it. */

type Found = Readonly<Record<string, unknown>>;

/** The fields of which every result or error of ours has one. */
const marks = ['env', 'code'] as const;

/** Returns the outermost object of ours; an empty one when there is none. */
export function findObject(text: string): Found {
  for (const one of listObjects(text)) if (marks.some((mark) => typeof one[mark] === 'string')) return one;
  return {};
}

/** Every object in a text, and in the texts of these objects. */
function* listObjects(text: string): Generator<Found> {
  let at = 0;
  for (;;) {
    const start = text.slice(at).search(/[[{]/) + at;
    if (start < at) return;
    const end = findEnd(text, start);
    const value = end === undefined ? undefined : parse(text.slice(start, end));
    yield* listInside(value);
    at = value === undefined || end === undefined ? start + 1 : end;
  }
}

/** The place after the bracket that closes the one at `start`; undefined when none does. */
function findEnd(text: string, start: number): number | undefined {
  let depth = 0;
  let isQuoted = false;
  for (let at = start; at < text.length; at += 1) {
    const character = text[at] as string;
    if (character === '\\') at += 1;
    else if (character === '"') isQuoted = !isQuoted;
    else if (!isQuoted && '[{'.includes(character)) depth += 1;
    else if (!isQuoted && ']}'.includes(character)) depth -= 1;
    if (depth === 0) return at + 1;
  }
  return undefined;
}

function* listInside(value: unknown): Generator<Found> {
  if (typeof value === 'string') yield* listObjects(value);
  if (typeof value !== 'object' || value === null) return;
  if (!Array.isArray(value)) yield value as Found;
  for (const inner of Object.values(value)) yield* listInside(inner);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // No JSON begins there.
    return undefined;
  }
}
