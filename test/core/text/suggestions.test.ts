import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { closestMatches, editDistance } from '../../../src/core/text/suggestions.ts';
import { anyText } from '../../support/any-text.ts';
import { runs } from '../../support/runs.ts';

/** The definition, written down without any shortcut. */
function slowDistance(a: string, b: string): number {
  const table = Array.from({ length: a.length + 1 }, (_, row) =>
    Array.from({ length: b.length + 1 }, (_, column) => (row === 0 ? column : column === 0 ? row : 0)),
  );
  const cell = (row: number, column: number) => table[row]?.[column] ?? Number.POSITIVE_INFINITY;
  for (let row = 1; row <= a.length; row++) {
    for (let column = 1; column <= b.length; column++) {
      const same = a[row - 1] === b[column - 1] ? 0 : 1;
      const swapped = a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1] && row > 1 && column > 1;
      const costs = [cell(row - 1, column) + 1, cell(row, column - 1) + 1, cell(row - 1, column - 1) + same];
      if (swapped) costs.push(cell(row - 2, column - 2) + 1);
      const line = table[row];
      if (line) line[column] = Math.min(...costs);
    }
  }
  return cell(a.length, b.length);
}

const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 9 });

describe('the distance of two words', () => {
  test.each([
    ['toolset', 'toolset', 0],
    ['toolset', 'toolsets', 1],
    ['toolset', 'tolset', 1],
    ['toolset', 'toolzet', 1],
    ['toolset', 'tooslet', 1],
    ['', 'abc', 3],
    ['abcd', 'dcba', 3],
  ])('%j and %j differ by %d', (a, b, distance) => {
    expect(editDistance(a, b)).toBe(distance);
  });

  test('is the same in both directions', () => {
    fc.assert(
      fc.property(word, word, fc.nat(5), (a, b, limit) => editDistance(a, b, limit) === editDistance(b, a, limit)),
    );
  });

  test('agrees with its definition, up to the limit', () => {
    fc.assert(
      fc.property(word, word, fc.nat(6), (a, b, limit) => {
        expect(editDistance(a, b, limit)).toBe(Math.min(slowDistance(a, b), limit + 1));
        expect(editDistance(a, b)).toBe(slowDistance(a, b));
      }),
      { numRuns: runs(3000) },
    );
  });
});

describe('the nearest names', () => {
  const names = ['limitPrice', 'stopPrice', 'quantity', 'timeValidity', 'ticker', 'side'];

  test.each([
    ['limit_price', 'limitPrice'],
    ['LIMITPRICE', 'limitPrice'],
    ['qantity', 'quantity'],
    ['quantiyt', 'quantity'],
    ['validity', 'timeValidity'],
    ['tikcer', 'ticker'],
    ['sides', 'side'],
  ])('%s was probably meant for %s', (wanted, name) => {
    expect(closestMatches(wanted, names, 1)).toEqual([name]);
  });

  test('a flag without its hyphen is near', () => {
    expect(closestMatches('--readonly', ['--env', '--read-only', '--toolsets'], 3)).toEqual(['--read-only']);
  });

  test('a name that fits equally well keeps its case', () => {
    expect(closestMatches('abcl', ['ABCL', 'ABCl', 'abcl'], 3)[0]).toBe('abcl');
  });

  test('a distant name is not suggested', () => {
    expect(closestMatches('zebra', names, 3)).toEqual([]);
    expect(closestMatches('', names, 3)).toEqual([]);
  });

  test('returns no more than requested, and each once', () => {
    expect(closestMatches('price', names, 1)).toHaveLength(1);
    expect(closestMatches('price', [...names, ...names], 9)).toEqual(['stopPrice', 'limitPrice']);
    expect(closestMatches('price', names, 0)).toEqual([]);
  });

  test('any text gets a result', () => {
    fc.assert(
      fc.property(anyText(), fc.array(anyText()), fc.nat(5), (wanted, from, count) => {
        const near = closestMatches(wanted, from, count);
        expect(near.length).toBeLessThanOrEqual(count);
        expect(near.every((name) => from.includes(name))).toBe(true);
      }),
    );
  });

  test('a candidate is always nearest to itself', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ minLength: 1, maxLength: 20 }), { minLength: 1 }), (from) => {
        for (const name of from) expect(closestMatches(name, from, 1)).toEqual([name]);
      }),
    );
  });
});
