/** Names the rows that a remark is about. */

/** A remark with more names would take the place of the figures. */
const maxNames = 5;

/** The names, separated by commas; only the first five and the number of the others. */
export function listNames(names: readonly string[]): string {
  const more = names.length - maxNames;
  return `${names.slice(0, maxNames).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
