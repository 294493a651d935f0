/** A report is a file, so no list of it may be cut. */
import { expect, test } from 'vitest';
import { noTaxRecords } from '../../src/analytics/realized/tax-records.ts';
import { endpoints } from '../../src/catalogue/index.ts';
import { collectReport } from '../../src/cli/collect-report.ts';
import type { HistoryQuery } from '../../src/history/history-port.ts';
import type { Services } from '../../src/mcp/tool.ts';
import { summaryOf } from '../analytics/support.ts';
import { historyOfRows } from '../support/derived-history.ts';
import { createManualClock } from '../support/manual-clock.ts';

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
