/** What a filter by type means. */
import { expect, test } from 'vitest';
import { matchTypes } from '../../../src/features/history/kinds.ts';

const existing = ['DEPOSIT', 'INTEREST', 'INTEREST_ON_FREE_CASH', 'INTEREST_ON_LENDING'];

test.each<[string, string, readonly string[], readonly string[]]>([
  ['deposit', 'DEPOSIT', ['DEPOSIT'], []],
  ['interest', 'INTEREST', ['INTEREST'], ['INTEREST_ON_FREE_CASH', 'INTEREST_ON_LENDING']],
  ['Interest on', 'INTEREST_ON', ['INTEREST_ON_FREE_CASH', 'INTEREST_ON_LENDING'], []],
  ['  interest - on  free-cash ', 'INTEREST_ON_FREE_CASH', ['INTEREST_ON_FREE_CASH'], []],
  ['posit', 'POSIT', [], []],
  ['depositor', 'DEPOSITOR', [], []],
])('"%s" means %s', (text, asked, matched, longer) => {
  expect(matchTypes(text, 'transactions', existing)).toMatchObject({ asked, matched, longer, existing });
});

test('a type that a service writes in small letters is found by any case, and returned as it is', () => {
  expect(matchTypes('FREE CASH', 'transactions', ['free-cash'])).toMatchObject({ matched: ['free-cash'] });
});

test('documented types that no row has are named in alphabetical order, without the variant of each dividend', () => {
  expect(matchTypes('x', 'transactions', existing).documented).toEqual(['FEE', 'TRANSFER', 'WITHDRAW']);
  expect(matchTypes('x', 'orders', ['LIMIT']).documented).toEqual(['MARKET', 'STOP', 'STOP_LIMIT']);
  const { documented } = matchTypes('x', 'dividends', []);
  expect(documented).toContain('ORDINARY');
  expect(documented.filter((type) => type.endsWith('_MANUFACTURED_PAYMENT'))).toEqual([]);
});

test.each([
  ['with', true],
  ['WITHDRAW', true],
  ['withdrawal', false],
  ['interest', false],
])('whether the service documents "%s": %s', (text, expected) => {
  expect(matchTypes(text, 'transactions', existing).isDocumented).toBe(expected);
});
