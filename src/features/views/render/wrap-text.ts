/** Estimates the width of a text without a browser, by classes of letters, and rather too wide than too narrow. */

const widths: readonly (readonly [RegExp, number])[] = [
  [/[iljtfrI.,:;'’|!() \u00a0\u202f-]/, 0.4],
  [/[mwMW@%…]/, 0.98],
  [/[A-HK-Z&]/, 0.76],
  [/[JI0-9+−–_]/, 0.68],
  [/[ -\u024f]/, 0.62],
];

const unit = (letter: string): number => widths.find(([kind]) => kind.test(letter))?.[1] ?? 1;

/** Returns the width in pixels for a font of `size` pixels. */
export const textWidth = (text: string, size: number): number =>
  [...text].reduce((sum, letter) => sum + unit(letter), 0) * size;

/** Returns the lines of complete words that fit, at most `most`; the text can go on. */
export function wrapWords(text: string, room: number, size: number, most: number): readonly string[] {
  const lines: string[] = [];
  let words = text.split(' ');
  while (words.length > 0 && lines.length < most) {
    const starts = words.map((_, n) => words.slice(0, n + 1).join(' '));
    const count = starts.findLastIndex((start) => textWidth(start, size) <= room) + 1;
    if (count === 0) break;
    lines.push(starts[count - 1] ?? '');
    words = words.slice(count);
  }
  return lines;
}

/** Returns the text in the lines that it needs, at most `most`, of which the last is cut where it does not fit. */
export function wrapText(text: string, room: number, size: number, most = 3): readonly string[] {
  const lines = wrapWords(text, room, size, most);
  if (lines.join(' ') === text) return lines;
  const whole = lines.slice(0, most - 1);
  const rest = fitText(text.slice(whole.join(' ').length).trimStart(), room, size);
  return rest === '' ? lines : [...whole, rest];
}

/** A line of a name, and the symbol of the instrument where the line has it. */
interface NameLine {
  readonly before?: string;
  readonly text: string;
  readonly after?: string;
}

/**
 * Returns at most `most` lines for each name. The symbol of a cut one is after it. Where several that are cut begin
 * alike, it is before it, in one column, and the end of the name has a line of its own.
 */
export function wrapNames<Row extends { readonly name: string; readonly symbol?: string | undefined }>(
  rows: readonly Row[],
  getRoom: (row: Row) => number,
  size: number,
  most: number,
): readonly { readonly row: Row; readonly lines: readonly NameLine[] }[] {
  const wrap = (row: Row, text: string, less: number, lines = most) => wrapText(text, getRoom(row) - less, size, lines);
  const names = rows.map((row) => ({ ...row, row, lines: wrap(row, row.name, 0) }));
  const cut = names.filter(({ symbol, lines }) => symbol && lines.at(-1)?.endsWith('…'));
  const areAlike = new Set(cut.map(({ lines }) => lines.join(' '))).size < cut.length;
  const listLines = (one: (typeof names)[number]): readonly NameLine[] => {
    const { row, name, symbol = '', lines } = one;
    if (!cut.includes(one)) return lines.map((text) => ({ text }));
    if (areAlike) {
      const wider = textWidth(symbol, size) * (boldWidth - 1);
      const [first = '', ...others] = wrap(row, `${symbol} ${name}`, wider, Math.max(2, most));
      // A cut line has the end of the name, which others can lack.
      const rest = others.map((text) => ({ text: text.endsWith('…') ? fitEnd(name, getRoom(row), size) : text }));
      return [{ before: symbol, text: first.slice(symbol.length + 1) }, ...rest];
    }
    const short = wrap(row, name, textWidth(` ${symbol}`, size) * boldWidth);
    return short.map((text, n) => (n === short.length - 1 ? { text, after: symbol } : { text }));
  };
  return names.map((one) => ({ row: one.row, lines: listLines(one) }));
}

/** The width of bold letters, in that of others. */
export const boldWidth = 1.12;

/**
 * Returns the text, or the words of its beginning and, on a second line, those of its end, together about `most`
 * letters: names can begin alike.
 */
export function cutMiddle(text: string, most: number): string {
  if (text.length <= most) return text;
  const end = text.slice(-most / 2);
  return `${text.slice(0, most / 2).replace(/ \S*$/, '')}\n…${end.slice(end.indexOf(' ') + 1)}`;
}

/** The last words that fit, after an ellipsis. */
const fitEnd = (text: string, room: number, size: number): string =>
  text
    .split(' ')
    .map((_, n, words) => `…${words.slice(n).join(' ')}`)
    .find((end) => textWidth(end, size) <= room) ?? '…';

/** Returns the text, or the beginning that fits; empty when too little would remain. */
export function fitText(text: string, room: number, size: number): string {
  if (textWidth(text, size) <= room) return text;
  const letters = [...text];
  let width = textWidth('…', size);
  let count = 0;
  while (count < letters.length && width + unit(letters[count] as string) * size <= room) {
    width += unit(letters[count] as string) * size;
    count++;
  }
  return count < 3 ? '' : `${letters.slice(0, count).join('').trimEnd()}…`;
}
