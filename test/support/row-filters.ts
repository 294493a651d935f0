/** Which rows of a history a filter selects, in a database as in memory. */
import type { RowFilter, StoredRow } from '../../src/features/history/row-store.ts';

export const historyRow = (key: string, at: number, change: Partial<StoredRow> = {}): StoredRow => ({
  ...{ key, at, ticker: undefined, type: undefined, isFinal: true, segment: 1, data: `{"key":"${key}"}` },
  ...change,
});

/** The rows of the pages. The report 1 has one row besides: `r`, at 2. */
export const filteredRows: readonly StoredRow[] = [
  historyRow('a', 1, { ticker: 'X', type: 'BUY' }),
  historyRow('b', 2, { ticker: 'Y', type: 'BUY' }),
  historyRow('c', 3, { ticker: 'X', type: 'SELL' }),
  historyRow('d', 4),
  historyRow('e', 4),
];

export const pages = { source: 'pages' as const, from: Number.NEGATIVE_INFINITY, to: Number.POSITIVE_INFINITY };
export const all: RowFilter = { spans: [pages] };

/** What the filter is called, the filter, and the keys of the rows. */
export const rowFilters: readonly (readonly [string, RowFilter, readonly string[]])[] = [
  ['of every time', all, ['e', 'd', 'c', 'b', 'a']],
  ['of no span', { spans: [] }, []],
  ['from a time on, and before another', { spans: [{ source: 'pages', from: 2, to: 4 }] }, ['c', 'b']],
  [
    'of several spans',
    {
      spans: [
        { ...pages, to: 2 },
        { ...pages, from: 4 },
      ],
    },
    ['e', 'd', 'a'],
  ],
  ['of another source', { spans: [{ ...pages, source: 'report:1' }] }, ['r']],
  ['of a ticker', { ...all, ticker: 'X' }, ['c', 'a']],
  ['of one type', { ...all, types: ['BUY'] }, ['b', 'a']],
  ['of several types', { ...all, types: ['BUY', 'SELL'] }, ['c', 'b', 'a']],
  ['of no type', { ...all, types: [] }, []],
  ['after a row, by its time', { ...all, after: { at: 3, key: '' } }, ['b', 'a']],
  ['after a row of the same moment', { ...all, after: { at: 4, key: 'e' } }, ['d', 'c', 'b', 'a']],
  ['of a ticker, a type and a time', { spans: [{ ...pages, to: 3 }], ticker: 'X', types: ['BUY'] }, ['a']],
  ['of two spans and a ticker', { spans: [pages, pages], ticker: 'X', after: { at: 3, key: '' } }, ['a']],
];
