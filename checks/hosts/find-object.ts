/** Finds our object in what a host made of a result: an object, text in a list, text in text, words before it. */

type Found = Readonly<Record<string, unknown>>;

/** The fields of which every result or error of ours has one. */
const marks = ['env', 'code'] as const;

/** Returns the outermost object of ours; an empty one when there is none. */
export function findObject(text: string): Found {
  return [...listObjects(text)].find((one) => marks.some((mark) => typeof one[mark] === 'string')) ?? {};
}

function* listObjects(text: string): Generator<Found> {
  const start = text.search(/[[{]/);
  if (start < 0) return;
  for (
    let end = text.length;
    end > start;
    end = Math.max(text.lastIndexOf('}', end - 1), text.lastIndexOf(']', end - 1)) + 1
  ) {
    const value = parse(text.slice(start, end));
    if (value !== undefined) {
      yield* listInside(value);
      return;
    }
    if (end === 0) break;
  }
  yield* listObjects(text.slice(start + 1));
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
    // Not JSON to that place.
    return undefined;
  }
}
