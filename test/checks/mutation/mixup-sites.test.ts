/** Where one value can be taken for another one, and what the changed text does for each. */
import { expect, test } from 'vitest';
import { listPropertyNames, listSites } from '../../../checks/mutation/mixup-sites.ts';

/** What can stand at each place of a text, by what stands there. */
const alternativesOf = (text: string) =>
  listSites(text, listPropertyNames([text])).map(({ start, end, alternatives }) => [
    text.slice(start, end),
    ...alternatives.map((alternative) => alternative.text),
  ]);

test('a variable can be one that was declared before it, the latest first, and no function', () => {
  expect(alternativesOf('function f(a, b) { const c = a; const g = () => 1; return [b]; }')).toEqual([
    ['a', 'b'],
    ['b', 'c', 'a'],
  ]);
});

test('a variable of a block that ended, of a module or behind it cannot stand for it', () => {
  expect(alternativesOf('const m = 1; function f(a) { if (m) { const b = 1; } return [a]; const c = 2; }')).toEqual([]);
});

test('a property can be one whose name shares a word, and its object another variable', () => {
  const text = 'type T = { sentAt: 1; changedAt: 2; id: 3 }; const f = (one, two) => two.sentAt;';
  expect(alternativesOf(text)).toEqual([['two.sentAt', 'one.sentAt', 'two.changedAt']]);
});

test('both sides of ?? can change places, where the second one is no literal', () => {
  const text = 'const f = (a) => (a?.b ?? m()) || (a?.c ?? 0);';
  expect(alternativesOf(text)).toEqual([['a?.b ?? m()', '(m()) ?? (a?.b)']]);
});

test('what is called or assigned stays, and what a method is called on does not', () => {
  const text = 'function f(a, b) { let c = b; c = a; g(); a.h(b); }';
  expect(alternativesOf(text)).toEqual([
    ['b', 'a'],
    ['a', 'c', 'b'],
    ['a', 'c', 'b'],
    ['b', 'c', 'a'],
  ]);
});

test('a short property keeps its name', () => {
  const text = 'const f = (a, b) => ({ a });';
  expect(listSites(text, new Set())).toMatchObject([{ shortName: 'a', alternatives: [{ text: 'b' }] }]);
});
