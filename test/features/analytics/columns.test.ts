/** Columns give back what was added, exactly. */
import Big from 'big.js';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { DecimalColumn, IdColumn, NameColumn } from '../../../src/features/analytics/columns.ts';
import { runs } from '../../support/runs.ts';

const digits = (max: number) => fc.stringMatching(new RegExp(`^\\d{1,${max}}$`));
const decimals = fc
  .tuple(fc.constantFrom('', '-'), digits(20), fc.option(digits(20), { nil: undefined }))
  .map(([sign, whole, part]) => `${sign}${whole}${part === undefined ? '' : `.${part}`}`);
const special = fc.constantFrom('0', '-0', '0.00', '1000', '-0.5', '100.010', '999999999999999', '1e-7', '12e3');

test('a decimal is the one of big.js, digit for digit', () => {
  fc.assert(
    fc.property(fc.array(fc.option(fc.oneof(decimals, special), { nil: undefined })), (texts) => {
      const column = new DecimalColumn();
      for (const text of texts) column.add(text);
      column.trim();
      texts.forEach((text, index) => {
        const value = column.get(index);
        expect(value?.toFixed()).toBe(text === undefined ? undefined : new Big(text).toFixed());
        if (value && text !== undefined) expect([value.c, value.e]).toEqual([new Big(text).c, new Big(text).e]);
      });
    }),
    { numRuns: runs(400) },
  );
});

test('a text that is no decimal is an error', () => {
  expect(() => new DecimalColumn().add('1,5')).toThrow();
});

test.each([[['1', '00012', '9007199254740993', '', 'abc', '1e3', '-5', undefined, '12345678901']]])(
  'ids are the same texts: %o',
  (ids) => {
    const column = new IdColumn();
    for (const id of ids) column.add(id);
    column.trim();
    expect(ids.map((_, index) => column.get(index))).toEqual(ids);
  },
);

test('names repeat, can be unknown, and outgrow the first room of a column', () => {
  const column = new NameColumn();
  const names = Array.from({ length: 3_000 }, (_, index) => (index % 3 === 0 ? undefined : `N${index % 5}`));
  for (const name of names) column.add(name);
  column.trim();
  expect(names.map((_, index) => column.get(index))).toEqual(names);
});
