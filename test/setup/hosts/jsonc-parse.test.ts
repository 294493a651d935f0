import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readJsonText, toValue } from '../../../src/setup/hosts/jsonc-parse.ts';
import { runs } from '../../support/runs.ts';
import { documents } from './documents.ts';

const meaning = (text: string): unknown => {
  const root = readJsonText(text);
  return root && toValue(root);
};

test('a decorated document has the same meaning as without decoration', () => {
  fc.assert(
    fc.property(documents('mcpServers'), ({ text, value }) => {
      expect(meaning(text)).toEqual(value);
    }),
    { numRuns: runs(200) },
  );
});

test('plain JSON is read as JSON.parse reads it', () => {
  fc.assert(
    fc.property(fc.json(), fc.constantFrom(undefined, 2, '\t'), (json, indent) => {
      const text = JSON.stringify(JSON.parse(json), null, indent);
      expect(meaning(text)).toEqual(JSON.parse(text));
    }),
  );
});

test('a text that JSON.parse refuses is refused, unless because of a comment or a trailing comma', () => {
  const letters = fc.string({ unit: fc.constantFrom(...'{}[]":,\\ 0-1.eEtrueflasn\n'), maxLength: 14 });
  fc.assert(
    fc.property(letters, (text) => {
      const [ours, theirs] = [attempt(() => meaning(text)), attempt(() => JSON.parse(text))];
      if (theirs !== undefined) expect(ours).toEqual(theirs);
      else if (ours?.value !== undefined) expect(text).toMatch(/,\s*[\]}]/);
    }),
    { numRuns: runs(1500) },
  );
});

test.each([
  ['{"a": 1', /line 1/],
  ['{\n"a" 1}', /colon in line 2/],
  ['{"a": 1 "b": 2}', /missing comma/],
  ['[1 2]', /missing comma/],
  ['{,}', /unexpected character/],
  ['[,]', /unexpected character/],
  ['{"a": "b\n"}', /string that is not valid/],
  ['{"a": "b', /string without an end/],
  ['{} /* a', /comment without an end/],
  ['{} {}', /text after the end/],
  ['// only a comment', /unexpected end/],
  ["{'a': 1}", /unexpected character/],
  ['{"a": 01}', /missing comma|unexpected/],
  [`${'['.repeat(5000)}${']'.repeat(5000)}`, /nested too deeply/],
])('%.30s is refused, and the error has the place', (text, why) => {
  expect(() => readJsonText(text)).toThrow(why);
});

test.each(['', ' \r\n\t '])('%j is not a value', (text) => {
  expect(readJsonText(text)).toBeUndefined();
});

test('a document of three megabytes is read', () => {
  const long = 'x'.repeat(1000);
  const text = JSON.stringify(Object.fromEntries(Array.from({ length: 3_000 }, (_, at) => [`key ${at}`, [long, at]])));
  const root = readJsonText(text);
  expect(root?.kind === 'object' && root.members.length).toBe(3_000);
});

function attempt(read: () => unknown): { readonly value: unknown } | undefined {
  try {
    return { value: read() };
  } catch {
    return undefined;
  }
}
