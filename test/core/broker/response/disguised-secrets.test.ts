import { expect, test } from 'vitest';
import { findDisguised } from '../../../../src/core/broker/response/redact.ts';

const secret = 'Ab3-dEf9h';
const hide = (text: string, ...secrets: string[]) => findDisguised(secrets.length ? secrets : [secret]).hide(text, '#');

test.each([
  ['x A b 3 d E f 9 h y', 'x # y'],
  ['x ab3def9h y', 'x # y'],
  ['x h9fed3ba y', 'x # y'],
  ['x h-9-f-e-d-3-b-A y', 'x # y'],
  ['x %61b3def9h y', 'x # y'],
  ['x ab%33d%45f9h y', 'x # y'],
  ['x ab3def9%68y', 'x #y'],
  ['x %41%62%33%64%45%66%39%68 y', 'x # y'],
  ['x a%b3def9h y', 'x a%b3def9h y'],
  ['x &#65;b3def9h y', 'x # y'],
  ['x &#0000065;b3def9h y', 'x # y'],
  ['x &#00000065;b3def9h y', 'x &#00000065;b3def9h y'],
  ['x &#x41;b3def9h y', 'x # y'],
  ['x &#X000041;b3def9h y', 'x # y'],
  ['x &#x0000041;b3def9h y', 'x &#x0000041;b3def9h y'],
  ['x &#x6f; ab3def9&#x68;y', 'x &#x6f; #y'],
  ['x ab3&amp;def9h y', 'x # y'],
  ['x ab3&frac12;def9h y', 'x # y'],
  ['x ab3&#1114112;def9h y', 'x # y'],
  ['x ab3&#1114111;def9h y', 'x # y'],
  ['x ab3&#9999999;def9h y', 'x # y'],
  ['x ab3& def9h y', 'x # y'],
  ['x ab3\x80def9h y', 'x # y'],
  ['x ab3\u{1f600}def9h y', 'x # y'],
  ['x \uff41b3def9h y', 'x # y'],
  ['x &#xff21;b3def9h y', 'x # y'],
  ['x &#65313;\uff42 3def9h y', 'x # y'],
  ['ab3def9hab3def9h', '##'],
  ['x ab3def9 y', 'x ab3def9 y'],
  ['', ''],
])('a secret is hidden in %j, and the rest stays', (text, shown) => {
  expect(hide(text)).toBe(shown);
  // Percent signs are decoded before the question.
  expect(findDisguised([secret]).isIn(unescape(text))).toBe(text !== shown);
});

test.each([
  ['of eight letters and digits', 'abcdefg8', true],
  ['of seven letters and digits', 'a-b-c-d-e-f-7', false],
  ['of digits alone', '12345678-90', false],
  ['of digits and one letter', '1234567a', true],
])('a secret %s is looked for: %s, %s', (_, one, isLookedFor) => {
  expect(findDisguised([one]).isIn(`x ${one} y`)).toBe(isLookedFor);
  expect(hide(`x ${one} y`, one)).toBe(isLookedFor ? 'x # y' : `x ${one} y`);
});

test('a letter that stands for two is looked at, also at the end', () => {
  expect(hide('x abcde\ufb019', 'abcdefi9')).toBe('x #');
  expect(hide('x abcde9\ufb01', 'abcde9fi')).toBe('x #');
});

test('a secret that another one contains leaves nothing of that one', () => {
  expect(hide('q abcdefghijkl q', 'abcdefghijkl', 'cdefghij')).toBe('q # q');
});

test('without secrets nothing is found', () => {
  expect(findDisguised([]).isIn('text')).toBe(false);
  expect(findDisguised([]).hide('text', '#')).toBe('text');
});

test.each([
  ['beside each other', 'zyxwvuts abcdefgh', '# #'],
  ['in any order, and each at its place', '1 abcdefgh 2 zyxwvuts 3 abcdefgh 4', '1 # 2 # 3 # 4'],
  ['each in the other one', 'q abcdefghzyxwvuts q', 'q ## q'],
  ['that overlap', 'q abcdefghijk q', 'q # q'],
])('two secrets are hidden %s', (_, text, shown) => {
  const other = text.includes('ijk') ? 'defghijk' : 'zyxwvuts';
  expect(hide(text, 'abcdefgh', other)).toBe(shown);
  expect(hide(text, other, 'abcdefgh')).toBe(shown);
});

test('a text with a secret is hidden completely when it is longer than a million characters', () => {
  expect(hide(`${secret} `.padEnd(1_000_001, '-'))).toBe('#');
});

test('a text of a million characters keeps the rest', { tags: ['slow'] }, () => {
  const rest = '-'.repeat(1_000_000 - secret.length);
  expect(hide(secret + rest)).toBe(`#${rest}`);
});
