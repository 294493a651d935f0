import { expect, test } from 'vitest';
import { applyEdits, type Edit } from '../../../checks/campaign/edits.ts';

const edited = (text: string, ...edits: Edit[]) => applyEdits(edits, new Map([['src/a.ts', text]])).get('src/a.ts');
const wait = 'export function wait(ms: number) { if (ms > 5) return later(ms, { soon: true, by: "clock" }); }';

test('an edit finds a condition whatever its variables are called', () => {
  expect(edited(wait, { in: 'wait', find: '$ms > 5', put: '$ms > 6' })).toBe(wait.replace('> 5', '> 6'));
});

test('an edit finds a constant that is a function, and passes over types', () => {
  const text = 'const wait = async (ms: number) => (await later(ms as number)) satisfies object;';
  expect(edited(text, { in: 'wait', find: 'await $later($ms)', put: '$later($ms, 1)' })).toBe(
    'const wait = async (ms: number) => (later(ms, 1)) satisfies object;',
  );
});

test('a statement in braces is like one without', () => {
  const put = { in: 'wait', find: 'if ($ms > 5) return $result;', put: '' };
  expect(edited('function wait(ms) { if (ms > 5) { return 1; } }', put)).toBe('function wait(ms) {  }');
  expect(edited('function wait(ms) { if (ms > 5) return 1; }', put)).toBe('function wait(ms) {  }');
});

test.each([
  ['soon: true', 'later(ms, { by: "clock" })'],
  ['by: $any', 'later(ms, { soon: true })'],
  ['({ ...$$all })', 'later(ms)'],
])('removing %s from a list takes its comma away', (find, left) => {
  expect(edited(wait, { in: 'wait', find, put: '' })).toContain(left);
});

test('a rest stands for any number of elements', () => {
  const swap = { in: 'list', find: '[1, ...$$others]', put: '[0, ...$$others]' };
  expect(edited('const list = [1, 2, 3];', swap)).toBe('const list = [0, 2, 3];');
  expect(edited('const list = [1];', swap)).toBe('const list = [0, ];');
});

test('code that binds loosely gets parentheses where it is put', () => {
  expect(edited('const sum = f(a + b);', { in: 'sum', find: 'f($x)', put: '$x * 2' })).toBe('const sum = (a + b) * 2;');
});

test.each(['`SELECT 1 WHERE a`', '"SELECT 1 WHERE a"'])('an edit changes a part of %s', (sql) => {
  const text = `const sql = [${sql}, 'SELECT 2'];`;
  expect(edited(text, { in: 'sql', text: ' WHERE a', put: '' })).toBe(text.replace(' WHERE a', ''));
});

test('several edits of one function are made one after the other', () => {
  const both = [
    { in: 'wait', find: '$ms > 5', put: '$ms > 6' },
    { in: 'wait', find: '$ms > 6', put: 'true' },
  ];
  expect(edited(wait, ...both)).toBe(wait.replace('ms > 5', 'true'));
});

test('of two functions with one name, the edit changes the one that has the place', () => {
  const files = new Map([
    ['src/a.ts', 'const wait = () => 1;'],
    ['src/b/a.ts', 'const wait = () => 2;'],
  ]);
  const changed = applyEdits([{ in: 'wait', find: '() => 2', put: '() => 3' }], files);
  expect([...changed]).toEqual([['src/b/a.ts', 'const wait = () => 3;']]);
});

test.each<[string, string, Edit, string]>([
  ['no function', wait, { in: 'sleep', find: '1', put: '2' }, '0 places in sleep (no file declares it at the top)'],
  ['a variable', 'function a() { const b = 1; }', { in: 'b', find: '1', put: '2' }, '0 places in b (no file declares'],
  ['no place', wait, { in: 'wait', find: '$ms > 7', put: '1' }, '0 places in wait (src/a.ts) are like "$ms > 7"'],
  [
    'two places',
    'const ab = [f(1),\nf(2)];',
    { in: 'ab', find: 'f($x)', put: '1' },
    '2 places in ab (src/a.ts) are like "f($x)"\n  src/a.ts:1: f(1)\n  src/a.ts:2: f(2)',
  ],
  ['two statements', wait, { in: 'wait', find: 'a; b', put: '1' }, 'not one expression, statement or property: a; b'],
  ['a name of nothing', wait, { in: 'wait', find: '$ms > 5', put: '$s > 6' }, '$s is in what is put and not in what'],
  [
    'a variable that can be renamed',
    wait,
    { in: 'wait', find: '$ms > 5', put: 'ms > 6' },
    'names ms, which is nothing',
  ],
])('an edit that names %s is refused', (_, text, edit, message) => {
  expect(() => edited(text, edit)).toThrow(message);
});
