/** Divides long resources into pages, because hosts cut a long text in the middle, which a model cannot notice. */

/** The shortest limit of known hosts is 8,000 characters, of which the escapes of JSON in JSON take a part. */
export const maxPageCharacters = 6_800;

/** The fields that begin a page, when more follow. `rows` names what the page has. */
export const continuation = (nextUri: string | undefined, rows: string): { note?: string; nextUri?: string } =>
  nextUri === undefined
    ? {}
    : { note: `This page has ${rows}. Read nextUri for the next page; stop when a page has no nextUri.`, nextUri };

/** How many of the rows a page can have; at least one, because a page without rows would never advance. */
export function countFitting<Row>(rows: readonly Row[], write: (page: readonly Row[]) => string): number {
  let [fits, tooMany] = [1, rows.length + 1];
  while (tooMany - fits > 1) {
    const middle = Math.floor((fits + tooMany) / 2);
    if (write(rows.slice(0, middle)).length <= maxPageCharacters) fits = middle;
    else tooMany = middle;
  }
  return fits;
}
