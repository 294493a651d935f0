/** Finds the names closest to a mistyped one, so that errors can suggest what was meant. */

/** Longer strings are compared by their beginning, because mistyped names are shorter than this. */
const maxComparedLength = 64;

/**
 * The number of edits between two strings: insertions, deletions, substitutions and swaps of neighbours
 * (Damerau–Levenshtein, optimal alignment). Symmetric. Returns `limit + 1` for every distance over `limit`.
 */
export function editDistance(a: string, b: string, limit = Number.MAX_SAFE_INTEGER): number {
  if (a === b) return 0;
  if (Math.abs(a.length - b.length) > limit) return limit + 1;

  // A common beginning and end cost nothing, and are most of a typo.
  let from = 0;
  while (from < a.length && a.charCodeAt(from) === b.charCodeAt(from)) from++;
  let endA = a.length;
  let endB = b.length;
  while (endA > from && endB > from && a.charCodeAt(endA - 1) === b.charCodeAt(endB - 1)) {
    endA--;
    endB--;
  }
  const restA = endA - from;
  const restB = endB - from;
  if (restA <= 1 && restB <= 1) return Math.min(1, limit + 1);
  if (limit <= 1) {
    const swapped =
      restA === 2 &&
      restB === 2 &&
      a.charCodeAt(from) === b.charCodeAt(from + 1) &&
      a.charCodeAt(from + 1) === b.charCodeAt(from);
    return swapped ? Math.min(1, limit + 1) : limit + 1;
  }
  return matrixDistance(a.slice(from, endA), b.slice(from, endB), limit);
}

function matrixDistance(a: string, b: string, limit: number): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, column) => column);
  let smallestOfLast = 0;
  for (let row = 1; row <= a.length; row++) {
    const current = [row];
    let smallest = row;
    const letter = a.charCodeAt(row - 1);
    for (let column = 1; column <= b.length; column++) {
      const same = letter === b.charCodeAt(column - 1);
      let cost = Math.min(at(last, column) + 1, at(current, column - 1) + 1, at(last, column - 1) + (same ? 0 : 1));
      const swapped =
        row > 1 &&
        column > 1 &&
        letter === b.charCodeAt(column - 2) &&
        a.charCodeAt(row - 2) === b.charCodeAt(column - 1);
      if (swapped) cost = Math.min(cost, at(beforeLast, column - 2) + 1);
      current.push(cost);
      smallest = Math.min(smallest, cost);
    }
    // A swap reaches back two rows, so only two consecutive rows over the limit end the search.
    if (smallest > limit && smallestOfLast > limit) return limit + 1;
    smallestOfLast = smallest;
    beforeLast = last;
    last = current;
  }
  return Math.min(at(last, b.length), limit + 1);
}

const at = (row: readonly number[], index: number) => row[index] ?? Number.POSITIVE_INFINITY;

/**
 * Returns up to `count` candidates that `wanted` may have been meant for, closest first, without repetition. Letter
 * case and separators count less than a letter (`limit_price`, `limitPrice`); a part of a longer name counts as
 * close (`price`). Empty when nothing is close, because a wrong suggestion is worse than none.
 */
export function closestMatches(wanted: string, candidates: readonly string[], count: number): string[] {
  const asked = wanted.slice(0, maxComparedLength);
  const bare = bareForm(asked);
  if (count <= 0 || asked === '') return [];

  const limit = Math.max(1, Math.ceil(bare.length / 3));
  return [...new Set(candidates)]
    .map((name) => ({ name, distance: nameDistance(bare, bareForm(name), limit) }))
    .filter(({ distance }) => distance <= limit)
    .sort((a, b) => a.distance - b.distance || editDistance(asked, a.name) - editDistance(asked, b.name))
    .slice(0, count)
    .map(({ name }) => name);
}

function nameDistance(asked: string, name: string, limit: number): number {
  const distance = editDistance(asked, name, limit);
  const [shorter, longer] = asked.length < name.length ? [asked, name] : [name, asked];
  return shorter.length >= 3 && longer.includes(shorter) ? Math.min(distance, 1) : distance;
}

const bareForm = (name: string) => {
  const lower = name.slice(0, maxComparedLength).toLowerCase();
  // A name that consists only of separators keeps them, because nothing else can be compared.
  return lower.replace(/[\s_./-]+/g, '') || lower;
};

/** The end of an error about an unknown name: the closest name, or all of them when none is close. */
export function didYouMean(wanted: string, candidates: readonly string[], show = (name: string) => name): string {
  const [near] = closestMatches(wanted, candidates, 1);
  return near === undefined ? `it can be ${candidates.map(show).join(', ')}` : `the closest one is ${show(near)}`;
}
