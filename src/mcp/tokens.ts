/**
 * About how many tokens a text costs a model. It errs on the high side for the JSON that this server
 * writes (a test compares it with a real tokenizer), because it decides where an answer is cut.
 */
export function estimateTokens(text: string): number {
  let count = 0;
  for (const [piece] of text.matchAll(/\d+|[A-Za-z]+|[^\sA-Za-z0-9]+|\s+/g)) {
    const first = piece.charCodeAt(0);
    if (first >= 48 && first <= 57) count += Math.ceil(piece.length / 3);
    else if (/[A-Za-z]/.test(piece)) count += Math.ceil(piece.length / 4);
    else count += Math.ceil(piece.length / 2);
  }
  return count;
}
