/** How long a search takes over 16,000 instruments, for the kinds of things that people type. */
import { createInstrumentSearch } from '../../src/features/search/search.ts';
import { generateInstruments } from '../../test/features/search/generated-instruments.ts';
import { percentile } from './median.ts';

const instruments = 16_000;

export function measureSearch(): { readonly instruments: number; readonly p95Ms: number } {
  const rows = generateInstruments(instruments);
  const search = createInstrumentSearch(rows);
  search.search('the first one builds the index', { limit: 1 });
  const queries = Array.from({ length: 100 }, (_, round) => {
    const { ticker = '', name = '', isin = '' } = rows[round * 97] ?? {};
    const [word = ''] = name.split(' ');
    return [ticker, isin, word, `${word.slice(0, 3)}q${word.slice(4)}`, `${name} accumulating`];
  }).flat();
  const times = queries.map((query) => {
    const from = performance.now();
    search.search(query, { limit: 10 });
    return performance.now() - from;
  });
  return { instruments, p95Ms: percentile(times, 0.95) };
}
