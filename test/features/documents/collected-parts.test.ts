/** A report is a file, so no list of it may be cut, and it says why parts are incomplete. */
import { expect, test } from 'vitest';
import type { Services } from '../../../src/app/registry.ts';
import { endpoints } from '../../../src/core/endpoints/index.ts';
import {
  collectReport,
  explainIncomplete,
  type FoundPart,
  isOpenPart,
} from '../../../src/features/documents/collect-report.ts';
import { noTaxRecords } from '../../../src/features/gains/cost-entries.ts';
import type { HistoryQuery } from '../../../src/features/history/history-port.ts';
import { historyOfRows } from '../../support/derived-history.ts';
import { createManualClock } from '../../support/manual-clock.ts';
import { summaryOf } from '../analytics/support.ts';

const now = Date.parse('2026-05-01T12:00:00Z');

/** More sales of shares that nobody bought than a result for a model lists. */
const sales = Array.from({ length: 25 }, (_, n) => ({
  order: { id: String(n), side: 'SELL', ticker: 'A' },
  fill: {
    id: String(n),
    filledAt: new Date(now - n * 86_400_000).toISOString(),
    quantity: '-1',
    type: 'TRADE',
    walletImpact: { currency: 'GBP', netValue: '1.00' },
  },
}));

test('lists every row of each part, and says that none is missing', async () => {
  const coverage = { from: null, to: new Date(now).toISOString(), complete: true, rows: 25 };
  const services = {
    clock: createManualClock({ startAt: now }),
    config: { environment: 'demo', taxZone: 'UTC' },
    history: historyOfRows(async ({ kind }: HistoryQuery) => ({
      rows: kind === 'orders' ? sales : [],
      coverage,
      asOf: now,
    })),
    broker: {
      call: async (endpoint: unknown) => ({
        data: endpoint === endpoints.listPositions ? [] : summaryOf({ cash: '25', value: '0', cost: '0' }),
        answeredAt: now,
      }),
    },
    dailyValues: async () => [],
    pastValues: async () => [],
    marketFiles: { benchmark: async () => undefined, funds: async () => new Map() },
    directory: {
      lastList: () => undefined,
      instruments: async () => ({ instruments: [], byTicker: () => undefined, answeredAt: now, unreadable: 0 }),
    },
    taxRecords: async () => noTaxRecords,
  } as unknown as Services;
  const { answers, incomplete, failures } = await collectReport(services, {
    until: now,
    shutdownSignal: new AbortController().signal,
    tell: () => undefined,
  });
  expect({ parts: Object.keys(answers), incomplete, failures }).toEqual({
    parts: ['portfolio', 'dividends', 'gains', 'returns', 'costs'],
    incomplete: undefined,
    failures: [],
  });
  expect(answers.gains).toMatchObject({ unmatchedCount: 25, complete: true });
  expect(answers.gains).toHaveProperty('unmatched.length', 25);
});

const failure = (code: 'rate_limited' | 'unauthorized') => ({ code, message: 'M', next: 'N' });
const resultOf = (complete: boolean, error?: ReturnType<typeof failure>) => ({
  complete,
  coverage: { orders: { complete, ...(error ? { error } : {}) } },
});
const whole: FoundPart = { answer: resultOf(true), error: undefined };
const part: FoundPart = { answer: resultOf(false), error: undefined };
const limited: FoundPart = { answer: resultOf(false, failure('rate_limited')), error: undefined };
const stuck: FoundPart = { answer: resultOf(false, failure('unauthorized')), error: undefined };
const later: FoundPart = { answer: resultOf(false), error: failure('rate_limited') };
const refused: FoundPart = { answer: undefined, error: failure('unauthorized') };
const unasked: FoundPart = { answer: undefined, error: undefined };

test.each<[string, FoundPart, boolean]>([
  ['that was not read', unasked, true],
  ['that is whole', whole, false],
  ['whose history is being read', part, true],
  ['whose history waits for the rate limit', limited, true],
  ['whose history cannot be read', stuck, false],
  ['with a result, and an error that passes', later, true],
  ['with a result, and an error that stays', { ...part, error: failure('unauthorized') }, false],
  ['with an error alone', refused, false],
  ['with an error that passes alone', { answer: undefined, error: failure('rate_limited') }, false],
])('a part %s can become complete: %3$s', (_, found, isOpen) => {
  expect(isOpenPart(found)).toBe(isOpen);
});

test.each<[readonly FoundPart[], boolean, ReturnType<typeof explainIncomplete>]>([
  [[whole, whole], false, undefined],
  // What was interrupted after everything was read is complete.
  [[whole, whole], true, undefined],
  [[whole, part], true, 'interrupted'],
  [[whole, unasked], true, 'interrupted'],
  [[whole, part], false, 'out_of_time'],
  [[whole, stuck], false, 'failed'],
  [[stuck, part], false, 'out_of_time'],
  // The part itself shows its error.
  [[whole, refused], false, undefined],
  [[refused, stuck], false, 'failed'],
])('a report of the parts %# with interruption %s is incomplete: %s', (found, isInterrupted, reason) => {
  expect(explainIncomplete(found, isInterrupted)).toBe(reason);
});
