/** Returns a constant as words: `STOP_LIMIT` becomes `Stop limit`. */
export const formatConstant = (word: string): string =>
  word.charAt(0).toUpperCase() + word.slice(1).replace(/_/g, ' ').toLowerCase();
