/** The instruments of the account, and what an unknown ticker is answered with. */
import { expect, test } from 'vitest';
import type { Broker } from '../../../src/core/broker/types.ts';
import { endpoints } from '../../../src/core/endpoints/index.ts';
import { createInstrumentDirectory } from '../../../src/core/instruments/instrument-directory.ts';
import { findNearest } from '../../../src/features/search/search.ts';
import { instrument } from '../../features/search/generated-instruments.ts';
import { errorOf } from '../../support/error-of.ts';

const of = (ticker: string, name: string) => instrument({ ticker, name, shortName: ticker.split('_')[0] ?? '' });
const listed = [of('QVLT_US_EQ', 'Quarrel Volt'), ...[1, 2, 3, 4, 5, 6].map((n) => of(`ABC${n}_US_EQ`, `Number ${n}`))];
const context = { priority: 'read' as const, deadlineAt: 1 };

function open(lists = [listed]) {
  const asked: unknown[] = [];
  const broker = {
    call: async (endpoint: unknown, _query: unknown, given: unknown) => {
      asked.push([endpoint, given]);
      const data =
        endpoint === endpoints.listExchanges
          ? [{ id: '1', name: 'Port' }]
          : lists[Math.min(asked.length, lists.length) - 1];
      return { data, answeredAt: 77 };
    },
  } as unknown as Broker;
  return { directory: createInstrumentDirectory(broker, findNearest), asked };
}

test('an instrument is found by exactly its ticker', async () => {
  const { directory, asked } = open();
  expect(await directory.getOrThrow('QVLT_US_EQ', context)).toBe(listed[0]);
  expect(asked).toEqual([[endpoints.listInstruments, context]]);
});

test('an unknown ticker names the five closest ones', async () => {
  const { directory } = open();
  const wrong = await errorOf(directory.getOrThrow('qvlt_us_eq', context));
  expect(wrong).toMatchObject({
    code: 'unknown_ticker',
    message: 'No instrument has the ticker "qvlt_us_eq".',
    next: 'The closest tickers are: QVLT_US_EQ. Find others with search_instruments.',
    facts: { nearest: ['QVLT_US_EQ'] },
  });
  const { facts } = await errorOf(directory.getOrThrow('ABC_US_EQ', context));
  expect(facts).toEqual({ nearest: [1, 2, 3, 4, 5].map((n) => `ABC${n}_US_EQ`) });
});

test('a name in the place of a ticker names the instrument, and what is like nothing names none', async () => {
  const { directory } = open();
  expect((await errorOf(directory.getOrThrow('Quarrel Volt', context))).facts).toEqual({ nearest: ['QVLT_US_EQ'] });
  expect(await errorOf(directory.getOrThrow('%', context))).toMatchObject({
    next: 'Find the ticker with search_instruments.',
    facts: { nearest: [] },
  });
});

test('tickers are exact: another case is another ticker, and of two rows with one ticker the first is used', async () => {
  const { directory } = open([[of('QVLTl_EQ', 'First'), of('QVLTl_EQ', 'Second')]]);
  const { byTicker } = await directory.instruments(context);
  expect(byTicker('QVLTl_EQ')?.name).toBe('First');
  expect(byTicker('QVLTL_EQ')).toBeUndefined();
  expect(byTicker('constructor')).toBeUndefined();
});

test('the list is as the service returned it, with its time', async () => {
  const newer = [of('NEW_EQ', 'New')];
  const { directory } = open([listed, newer]);
  expect(await directory.instruments(context)).toMatchObject({ instruments: listed, answeredAt: 77, unreadable: 0 });
  const { byTicker } = await directory.instruments(context);
  expect([byTicker('NEW_EQ'), byTicker('QVLT_US_EQ')]).toEqual([newer[0], undefined]);
});

test('the exchanges are those of the list, with its time', async () => {
  const { directory } = open();
  expect(await directory.exchanges(context)).toEqual({
    exchanges: [{ id: '1', name: 'Port' }],
    answeredAt: 77,
    unreadable: 0,
  });
});
