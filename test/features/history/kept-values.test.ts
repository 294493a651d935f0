/** What is kept, and when it is dropped. */
import { expect, test } from 'vitest';
import { createKeptValues } from '../../../src/features/history/kept-values.ts';

const made = <Value>(value: Value, bytes = 1) => ({ value, bytes });

test('a value is found at its version only, and a newer one takes its place', () => {
  const kept = createKeptValues(10, () => undefined);
  kept.keep('a', '1', made('old'));
  expect([kept.find('a', '1'), kept.find('b', '1')]).toEqual(['old', undefined]);
  expect(kept.find('a', '2')).toBeUndefined();
  kept.keep('a', '2', made('new'));
  expect([kept.find('a', '2'), kept.find('a', '1')]).toEqual(['new', undefined]);
});

test('the least recently used values are dropped when all are too large', () => {
  const kept = createKeptValues(10, () => undefined);
  for (const slot of ['a', 'b', 'c']) kept.keep(slot, '1', made(slot, 3));
  kept.find('a', '1');
  kept.keep('d', '1', made('d', 3));
  expect(['a', 'b', 'c', 'd'].map((slot) => kept.find(slot, '1'))).toEqual(['a', undefined, 'c', 'd']);
});

test('a value that is too large by itself is returned and not kept, and takes nothing from the others', () => {
  const kept = createKeptValues(10, () => undefined);
  kept.keep('a', '1', made('a', 10));
  expect(kept.keep('b', '1', made('b', 11))).toBe('b');
  expect([kept.find('a', '1'), kept.find('b', '1')]).toEqual(['a', undefined]);
});

test('memory is freed after large work, before it again, and not for small work', () => {
  let freed = 0;
  const kept = createKeptValues(1e9, () => {
    freed++;
  });
  kept.keep('small', '1', made('small'));
  kept.find('small', '1');
  expect(freed).toBe(0);
  kept.keep('large', '1', made('large', 1e8));
  kept.find('large', '1');
  expect(freed).toBe(2);
});
