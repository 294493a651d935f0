/** How long a text is for a host. Hosts cut longer texts in the middle, which a model cannot notice. */

/** The most characters that the text of a result or of a page may have. */
export const maxCharacters = 6_800;

/**
 * The shortest limit of known hosts, less what is around the text. They count the response as JSON, where the text is a
 * string: a quote in it has two characters. A result can also be a resource, with its URI twice and a note; the URI of a
 * page has a cursor.
 */
const maxQuotedCharacters = { result: 8_000 - 250, page: 8_000 - 500 } as const;

/**
 * Returns the length of a text in the measure of `maxCharacters`: as it is or as hosts quote it, whichever is nearer to
 * its limit.
 */
export function hostLength(text: string, of: keyof typeof maxQuotedCharacters = 'result'): number {
  const quoted = JSON.stringify(text).length;
  return Math.max(text.length, Math.ceil((quoted * maxCharacters) / maxQuotedCharacters[of]));
}

/**
 * Returns how many of `count` rows fit into `most`, where `lengthOf` measures a page with a number of them. At least one,
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
