/** Text is readable on every colour, and marks are visible on the background, in both schemes. */
import { expect, test } from 'vitest';
import { dark, divergingScale, light, type Palette } from '../../../src/features/views/palette.ts';

/** WCAG 2.2: relative luminance and contrast. */
function luminance(colour: string): number {
  const [red, green, blue] = [1, 3, 5].map((at) => {
    const channel = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
const contrast = (palette: Palette, one: string, other: string) => {
  const [lower, higher] = [luminance(palette[one] as string), luminance(palette[other] as string)].sort(
    (a, b) => a - b,
  );
  return ((higher as number) + 0.05) / ((lower as number) + 0.05);
};

test('the measure is right: black on white is 21', () => {
  expect(contrast({ black: '#000000', white: '#ffffff' }, 'black', 'white')).toBeCloseTo(21);
});

test.each([
  ['light', light],
  ['dark', dark],
])('texts of the %s scheme have a contrast of 4.5', (_, palette) => {
  const pairs: [string, string][] = [
    ['ink', 'refused'],
    ['soft', 'refused'],
    ['ink', 'line'],
    ['paper', 'ink'],
    ...['ink', 'soft', 'gain', 'loss'].flatMap((text): [string, string][] => [
      [text, 'paper'],
      [text, 'card'],
    ]),
    ['care-on', 'care'],
    ['mark-on', 'mark'],
    ...divergingScale.map((tone): [string, string] => [`${tone}-on`, tone]),
  ];
  const low = pairs.filter(([text, ground]) => contrast(palette, text, ground) < 4.5);
  expect(low).toEqual([]);
});

test.each([
  ['light', light],
  ['dark', dark],
])('gain and loss of the %s scheme are visible on the background', (_, palette) => {
  for (const name of ['gain', 'loss', 'up-3', 'down-3']) expect(contrast(palette, name, 'paper')).toBeGreaterThan(3);
});

test('gain and loss stay distinct for the common kinds of colour blindness', () => {
  // Protanopia and deuteranopia leave the difference of blue and yellow; so blue must lead in one, and trail in the other.
  const lead = (colour: string) =>
    Number.parseInt(colour.slice(5, 7), 16) -
    (Number.parseInt(colour.slice(1, 3), 16) + Number.parseInt(colour.slice(3, 5), 16)) / 2;
  for (const palette of [light, dark])
    for (const step of [1, 2, 3]) {
      expect(lead(palette[`up-${step}`] as string)).toBeGreaterThan(0);
      expect(lead(palette[`down-${step}`] as string)).toBeLessThan(0);
    }
});
