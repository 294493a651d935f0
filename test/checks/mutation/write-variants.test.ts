/** A text that contains its variants. */
import { expect, test } from 'vitest';
import { writeVariants } from '../../../checks/mutation/write-variants.ts';

const change = (original: string, replacement: string) => ({ line: 1, original, replacement });

test('each variant is on by its number alone, also inside of another one', () => {
  const text = 'const f = (a, b) => ({ a: a + b, b });';
  const [sum, first, short] = [text.indexOf('a + b'), text.indexOf('a + b'), text.lastIndexOf('b')];
  let count = 0;
  const written = writeVariants(
    text,
    [
      { start: sum, end: sum + 5, changes: [change('a + b', 'a - b')] },
      { start: first, end: first + 1, changes: [change('a', 'b'), change('a', '9')] },
      { start: short, end: short + 1, changes: [change('b', 'a')], shortName: 'b' },
    ],
    () => String(count++),
  );
  const [, ...lines] = written.text.split('\n');
  const call = new Function('isMutantOn', `${lines.join('\n')}; return f(5, 3);`);
  const run = (on: string | undefined) => call((id: string) => id === on) as unknown;
  expect([undefined, ...written.changes.map(({ id }) => id)].map(run)).toEqual([
    { a: 8, b: 3 },
    { a: 2, b: 3 },
    { a: 6, b: 3 },
    { a: 12, b: 3 },
    { a: 8, b: 5 },
  ]);
});

test('a function of the text is not taken for the switch', () => {
  const text = 'const isOn = (n) => n > 1; const f = (a) => isOn(a);';
  const start = text.lastIndexOf('a');
  const written = writeVariants(text, [{ start, end: start + 1, changes: [change('a', '0')] }], () => '7');
  const [, ...lines] = written.text.split('\n');
  const call = new Function('isMutantOn', `${lines.join('\n')}; return f(5);`);
  const run = (on: string) => call((id: string) => id === on) as unknown;
  expect([run('none'), run('7')]).toEqual([true, false]);
});
