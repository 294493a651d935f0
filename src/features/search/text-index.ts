/**
 * One text per row, joined into a single string, because one `indexOf` over a megabyte is ten times faster than
 * sixteen thousand small ones.
 */
export interface TextColumn {
  /** Calls `visit` once for each row that contains the pattern, in order. */
  eachRowWith(pattern: string, visit: (row: number) => void): void;
  /** Calls `visit` for rows in which a word starts with the pattern. */
  eachRowWithStart(pattern: string, visit: (row: number) => void): void;
}

const separator = '\n';
const space = 32;

/** The texts must be normalized, so that none contains the separator. */
export function createTextColumn(texts: readonly string[]): TextColumn {
  const joined = texts.join(separator);
  const ends = new Uint32Array(texts.length);
  let end = -separator.length;
  texts.forEach((text, row) => {
    end += separator.length + text.length;
    ends[row] = end;
  });
  const getEnd = (row: number) => ends[row] ?? joined.length;

  const eachRow = (pattern: string, accept: (at: number) => boolean, visit: (row: number) => void) => {
    if (pattern === '') return;
    let row = 0;
    let at = joined.indexOf(pattern);
    while (at >= 0) {
      const accepted = accept(at);
      if (accepted) {
        while (getEnd(row) < at) row++;
        visit(row);
      }
      // A row needs no second hit.
      at = joined.indexOf(pattern, accepted ? getEnd(row) : at + 1);
    }
  };

  return {
    eachRowWith: (pattern, visit) => eachRow(pattern, () => true, visit),
    // Including the space in the pattern would be simpler but slow: the search skips to the next first letter, and a
    // space is the most frequent one.
    eachRowWithStart: (pattern, visit) => eachRow(pattern, (at) => joined.charCodeAt(at - 1) === space, visit),
  };
}
