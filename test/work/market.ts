import { createInstrumentSearch } from '../../src/features/search/search.ts';
import { generateInstruments } from '../features/search/generated-instruments.ts';
import type { WorkCase, WorkCases } from './case.ts';

const overInstruments = (prepare: WorkCase['prepare']): WorkCase => ({ counted: [500, 4_000], full: 16_000, prepare });

/** With its index built, as after the first question. */
function readySearch(count: number) {
  const rows = generateInstruments(count);
  const search = createInstrumentSearch(rows);
  search.search('wqx', { limit: 1 });
  return { rows, search };
}

const searchFor = (queryOf: (name: string, ticker: string) => string): WorkCase =>
  overInstruments((count) => {
    const { rows, search } = readySearch(count);
    const { name = '', ticker = '' } = rows[97] ?? {};
    return () => search.search(queryOf(name, ticker), { limit: 10 });
  });

/** Of this many characters, over a list that does not grow. */
const longQuery = (part: string): WorkCase => ({
  counted: [2_000, 16_000],
  full: 10_000,
  prepare: (length) => {
    const { search } = readySearch(2_000);
    const query = part.repeat(length / part.length);
    return () => search.search(query, { limit: 10 });
  },
});

export const marketCases: WorkCases = {
  'building the index of the search': overInstruments((count) => {
    const rows = generateInstruments(count);
    return () => createInstrumentSearch(rows).search('wqx', { limit: 1 });
  }),
  'a search for a ticker': searchFor((_, ticker) => ticker),
  'a search for a word of names': searchFor(() => 'Foods'),
  'a search with a typo': searchFor((name) => `${name.slice(0, 3)}q${name.slice(4)}`),
  'a search with too many words': searchFor((name) => `${name} accumulating hedged share class`),
  'a search for a single letter': searchFor(() => 'a'),
  'suggesting tickers': overInstruments((count) => {
    const { rows, search } = readySearch(count);
    return () => search.nearestTickers(`${rows[97]?.shortName}Q`, 5);
  }),
  'a query of many words': longQuery('lorem ipsum dolor sit '),
  'a query of a regular expression': longQuery('(a+)+$'),
};
