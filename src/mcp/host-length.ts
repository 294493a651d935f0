/** How long a text is for a host. Hosts cut longer texts in the middle, which a model cannot notice. */

/** The most characters that the text of a result or of a page may have. */
export const maxCharacters = 6_800;

/**
 * The shortest limit of known hosts. They count the response as JSON, where the text is a string: a quote in it has two
 * characters.
 */
const maxQuotedCharacters = 8_000;

/** The response around the text: its other fields, and around a page also the URI, twice, with a cursor. */
const charactersAround = { result: 150, page: 500 } as const;

/** Returns the length of a text in the measure of `maxCharacters`: as it is or as hosts quote it, whichever is nearer its limit. */
export function hostLength(text: string, of: keyof typeof charactersAround = 'result'): number {
  const quoted = JSON.stringify(text).length + charactersAround[of];
  return Math.max(text.length, Math.ceil((quoted * maxCharacters) / maxQuotedCharacters));
}

/**
 * Returns how many of `count` rows fit into `most`, where `lengthOf` measures a page with so many of them. At least one,
 * because a page without rows would never advance.
 */
export function countFitting(count: number, most: number, lengthOf: (kept: number) => number): number {
  let [fits, tooMany] = [1, count + 1];
  while (tooMany - fits > 1) {
    const middle = Math.floor((fits + tooMany) / 2);
    if (lengthOf(middle) <= most) fits = middle;
    else tooMany = middle;
  }
  return fits;
}
