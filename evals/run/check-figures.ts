/** Whether the reply says what the books say. */
import Big from 'big.js';
import type { Figures, Said } from '../types.ts';
import { saysFigure } from './text-figures.ts';

/** `truth` throws where the books cannot say: after a model has sold what the question is about. */
export function checkFigures(said: Said, truth: () => Figures): string[] {
  let expected: Figures;
  try {
    expected = truth();
  } catch (error) {
    return [`the books have no answer any more: ${(error as Error).message}`];
  }
  if ('failed' in said) return [said.failed];
  if ('text' in said)
    return Object.entries(expected).flatMap(([name, value]) =>
      saysFigure(said.text, name, value) ? [] : [`the text does not say ${name}: ${value}`],
    );
  const names = new Set([...Object.keys(expected), ...Object.keys(said.figures)]);
  return [...names].flatMap((name) => {
    const [wanted, got] = [expected[name], said.figures[name]];
    return wanted !== undefined && wanted === got
      ? []
      : [`${name} is ${wanted ?? 'nothing'}, and ${got ?? 'nothing'} was said`];
  });
}

/** Another value of the same kind: more than a figure changes between the moments that are compared, or another text. */
const falsify = (value: string): string =>
  /^-?\d+\.\d+$/.test(value) ? new Big(value).plus('1000.01').toFixed(2) : `${value}0`;

/** The control of each figure: its name, where a wrong one in its place would pass too. */
export const listUncontrolled = (said: Said, checks: readonly ((said: Said) => readonly string[])[]): string[] =>
  'figures' in said
    ? Object.entries(said.figures).flatMap(([name, value]) => {
        const wrong: Said = { figures: { ...said.figures, [name]: falsify(String(value)) } };
        return checks.some((check) => check(wrong).length === 0) ? [`a wrong ${name} would pass`] : [];
      })
    : [];
