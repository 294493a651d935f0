/** Estimates the width of a text without a browser, by classes of letters, and rather too wide than too narrow. */

const widths: readonly (readonly [RegExp, number])[] = [
  [/[iljtfrI.,:;'’|!() \u00a0\u202f-]/, 0.4],
  [/[mwMW@%…]/, 0.98],
  [/[A-Z0-9&+−–_]/, 0.68],
  [/[ -\u024f]/, 0.62],
];

const unit = (letter: string): number => widths.find(([kind]) => kind.test(letter))?.[1] ?? 1;

/** Returns the width in pixels for a font of `size` pixels. */
export const textWidth = (text: string, size: number): number =>
  [...text].reduce((sum, letter) => sum + unit(letter), 0) * size;

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
