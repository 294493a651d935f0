/** Objects that lack a property: which mutants there are, and what the changed text does for each. */
import { expect, test } from 'vitest';
import { listForgotten } from '../../../checks/mutation/property-mutants.ts';
import { writeVariants } from '../../../checks/mutation/write-variants.ts';

/** What `f` of the text returns with each of its mutants, by what the mutant removes; `undefined` is none. */
function runEach(text: string): Map<string | undefined, unknown> {
  let count = 0;
  const { text: changed, changes } = writeVariants(text, listForgotten(text), () => String(count++));
  const [, ...lines] = changed.split('\n');
  const call = new Function('isMutantOn', `${lines.join('\n')}; return f();`);
  const run = (on: string | undefined) => call((id: string) => id === on) as unknown;
  return new Map([[undefined, run(undefined)], ...changes.map(({ id, original }) => [original, run(id)] as const)]);
}

test('an object lacks one of its properties at a time, also inside of another one', () => {
  expect(runEach('const f = () => ({ a: 1, b: { c: 2, d: 3 } })')).toEqual(
    new Map<string | undefined, unknown>([
      [undefined, { a: 1, b: { c: 2, d: 3 } }],
      ['a: 1', { b: { c: 2, d: 3 } }],
      ['b: { c: 2, d: 3 }', { a: 1 }],
      ['c: 2', { a: 1, b: { d: 3 } }],
      ['d: 3', { a: 1, b: { c: 2 } }],
    ]),
  );
});

test('what is spread stays, and a short property is one', () => {
  expect(runEach('function f() { const a = 1; return [{ ...{ z: 9 }, a }]; }')).toEqual(
    new Map<string | undefined, unknown>([
      [undefined, [{ z: 9, a: 1 }]],
      ['a', [{ z: 9 }]],
      ['z: 9', [{ a: 1 }]],
    ]),
  );
});

test('a table of constants, a pattern and a type have no mutants', () => {
  const text = 'const table = { a: 1 }; type T = { b: 2 }; const f = ({ c }: { c: T }) => c;';
  expect(listForgotten(text).flatMap(({ changes }) => changes)).toEqual([]);
});

test('a mutant has its line', () => {
  const text = 'const f = () => ({\n  a: 1,\n  b: 2,\n});';
  expect(
    listForgotten(text)
      .flatMap(({ changes }) => changes)
      .map(({ line, original }) => [line, original]),
  ).toEqual([
    [2, 'a: 1'],
    [3, 'b: 2'],
  ]);
});
