import { expect, test } from 'vitest';
import { createInstrumentSearch } from '../../src/market/search.ts';
import { generateInstruments } from './generated-instruments.ts';

const rows = generateInstruments(16_000);

/** The middle one of several runs: a shared machine pauses now and then. */
function medianMs(run: (round: number) => void, rounds: number): number {
  const times = Array.from({ length: rounds }, (_, round) => {
    const startedAt = performance.now();
    run(round);
    return performance.now() - startedAt;
  });
  return times.toSorted((a, b) => a - b)[Math.floor(rounds / 2)] ?? 0;
}

/** What this machine needs, now, to write the list as JSON and read it again: the yardstick of these tests. */
const yardstickMs = medianMs(() => JSON.parse(JSON.stringify(rows)), 5);

test('building the index costs about as much as reading the list once', () => {
  const buildMs = medianMs(() => createInstrumentSearch(rows).search('wqx', { limit: 1 }), 3);
  expect(buildMs / yardstickMs).toBeLessThan(8);
});

test('nothing is built until something is looked for', () => {
  const createMs = medianMs(() => createInstrumentSearch(rows), 5);
  expect(createMs / yardstickMs).toBeLessThan(0.05);
});

test.each([
  ['tickers', (round: number) => rows[round * 97]?.ticker ?? ''],
  ['words of names', (round: number) => rows[round * 97]?.name?.split(' ')[0] ?? ''],
  ['typos', (round: number) => `${rows[round * 97]?.name?.slice(0, 3)}q${rows[round * 97]?.name?.slice(4)}`],
  ['too many words', (round: number) => `${rows[round * 97]?.name} accumulating hedged share class`],
  ['single letters', (round: number) => 'abcdefghij'.charAt(round % 10)],
  ['ten thousand characters', () => 'lorem ipsum dolor sit '.repeat(500)],
  ['regular expressions', () => '(a+)+$'.repeat(1000)],
])('a search for %s is much faster than reading the list', (_, queryOf) => {
  const search = createInstrumentSearch(rows);
  search.search('wqx', { limit: 1 });
  const searchMs = medianMs((round) => search.search(queryOf(round), { limit: 10 }), 15);
  expect(searchMs / yardstickMs).toBeLessThan(0.75);
});

test('suggesting tickers is much faster than reading the list', () => {
  const search = createInstrumentSearch(rows);
  const nearestMs = medianMs((round) => search.nearestTickers(`${rows[round * 97]?.shortName}Q`, 5), 15);
  expect(nearestMs / yardstickMs).toBeLessThan(0.75);
});
