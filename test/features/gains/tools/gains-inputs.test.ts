/** From what gains are computed: which rows are read, for how long, and when a result that was kept is out of date. */
import Big from 'big.js';
import { describe, expect, test } from 'vitest';
import { readOptions } from '../../../../src/features/analytics/tools/coverage-fields.ts';
import { noTaxRecords } from '../../../../src/features/gains/cost-entries.ts';
import {
  describeFundsWithoutIncome,
  findFundsWithoutIncome,
  readGainsInputs,
} from '../../../../src/features/gains/tools/gains-inputs.ts';
import type { HistoryQuery, ReadOptions } from '../../../../src/features/history/history-port.ts';
import { contextOf, toolCall } from '../../../core/tools/tool-call.ts';
import { openMarketsAt } from '../../../support/setup.ts';
import { at, buy } from '../trades.ts';

test('a read of a history waits 20 seconds for its pages, and reports progress', () => {
  const messages: string[] = [];
  const call = toolCall({ progress: (text: string) => void messages.push(text) });
  const { context, onProgress } = readOptions(call, call);
  expect(context).toEqual(contextOf({ waitUntil: openMarketsAt + 20_000 }));
  onProgress?.({ kind: 'orders', rows: 50, from: undefined });
  expect(messages).toEqual(['Read 50 rows of orders']);
});

type Derivation = { start(): { finish(): { value: unknown } } };

/** A call whose orders are complete since this moment, and what it read. */
function callOf(completeSince: number | undefined, version = '1', records: object = noTaxRecords) {
  const reads: [question: HistoryQuery, options: ReadOptions][] = [];
  const call = toolCall({
    taxRecords: async () => records,
    history: {
      derive: async (question: HistoryQuery, { start }: Derivation, options: ReadOptions) => {
        reads.push([question, options]);
        const complete = completeSince === undefined || (question.since ?? Number.NEGATIVE_INFINITY) >= completeSince;
        const asOf = question.kind === 'orders' ? 7 : 6;
        return { value: start().finish().value, version, coverage: { complete, rows: 0 }, asOf };
      },
    },
  });
  return { call, reads };
}

describe('the broker’s figures of a range', () => {
  const range = { since: 100, until: 200 };

  test('need the rows of the range; the others are not waited for', async () => {
    const { call, reads } = callOf(undefined);
    const { isWhole, coverage, asOf } = await readGainsInputs('broker', range, call, call);
    expect({ isWhole, coverage, asOf }).toEqual({
      isWhole: true,
      coverage: { orders: { complete: true, rows: 0 } },
      asOf: 7,
    });
    expect(reads.map(([question, { context }]) => [question, context.waitUntil])).toEqual([
      [{ kind: 'orders', ...range }, openMarketsAt + 20_000],
      [{ kind: 'orders' }, openMarketsAt],
    ]);
  });

  test('are not of all orders while older rows are missing', async () => {
    const { call } = callOf(100);
    const { isWhole, coverage } = await readGainsInputs('broker', range, call, call);
    expect({ isWhole, coverage }).toEqual({ isWhole: false, coverage: { orders: { complete: true, rows: 0 } } });
  });

  test('are incomplete while rows of the range are missing, and older ones are not asked for', async () => {
    const { call, reads } = callOf(150);
    const { isWhole, coverage } = await readGainsInputs('broker', range, call, call);
    expect([isWhole, coverage.orders.complete, reads.length]).toEqual([false, false, 1]);
  });
});

test('other methods need all orders and all dividends, and are as old as the older of both', async () => {
  const { call, reads } = callOf(undefined);
  const { isWhole, coverage, asOf } = await readGainsInputs('fifo', { since: 100 }, call, call);
  const whole = { complete: true, rows: 0 };
  expect({ isWhole, coverage, asOf }).toEqual({
    isWhole: true,
    coverage: { orders: whole, dividends: whole },
    asOf: 6,
  });
  expect(reads.map(([question]) => question)).toEqual([{ kind: 'orders' }, { kind: 'dividends' }]);
});

test('the version is another when the rows or what the owner entered are', async () => {
  const versionOf = async (version: string, records?: object) => {
    const { call } = callOf(undefined, version, records);
    return (await readGainsInputs('fifo', {}, call, call)).version;
  };
  const first = await versionOf('1');
  expect(await versionOf('1')).toBe(first);
  expect(await versionOf('2')).not.toBe(first);
  expect(await versionOf('1', { ...noTaxRecords, reportableIncome: [{ isin: 'IE00B3XXRP09' }] })).not.toBe(first);
});

test('a fund is named when its income was entered only for the years before the range', async () => {
  const fund = { isin: 'IE00B3XXRP09', amountPerShare: new Big('0.5'), currency: 'GBP' };
  const trades = [buy('2023-01-02', 10, 100, { isin: fund.isin })];
  const call = toolCall({
    directory: { instruments: async () => ({ byTicker: () => ({ type: 'ETF' }) }) },
  });
  // Income is taxed six months after the end of its period, so this one on 30 December.
  const textsOf = async (periodEnd: string) => {
    const records = { ...noTaxRecords, reportableIncome: [{ ...fund, periodEnd }] };
    return describeFundsWithoutIncome(
      await findFundsWithoutIncome({ trades, records }, { since: at('2024-04-06') }, call, call),
    );
  };
  expect(await textsOf('2024-06-30')).toEqual([]);
  expect(await textsOf('2023-06-30')).toEqual([
    'Offshore funds without a line for the range in eri.csv: A (IE00B3XXRP09). If they reported excess income, it is missing from their cost and from the income.',
  ]);
});

test.each([
  [10, ''],
  [11, ' and 1 more'],
  [13, ' and 3 more'],
])('of %i funds without income ten are named, and the others are counted', async (count, more) => {
  const funds = Array.from({ length: count }, (_, n) => ({ isin: `IE00B3XXRP${10 + n}`, ticker: `FUND${n}` }));
  // A share of this country beside them changes nothing.
  const share = buy('2020-01-06', 10, 100, { ticker: 'SHARE', isin: 'GB0000000009' });
  const trades = [share, ...funds.map(({ isin, ticker }) => buy('2020-01-06', 10, 100, { ticker, isin }))];
  const directory = { instruments: async () => ({ byTicker: () => ({ type: 'ETF' }) }) };
  const call = toolCall({ directory });
  const found = await findFundsWithoutIncome({ trades, records: noTaxRecords }, {}, call, call);
  expect(found).toHaveLength(count);
  const [note] = describeFundsWithoutIncome(found);
  const names = funds.slice(0, 10).map(({ isin, ticker }) => `${ticker} (${isin})`);
  expect(note).toContain(`Offshore funds without a line for the range in eri.csv: ${names.join(', ')}${more}. If`);
});
