/** What the own fills and the owner's entries show, and what is left when they cannot be read. */
import { describe, expect, test } from 'vitest';
import type { CallContext } from '../../../src/core/broker/types.ts';
import { BrokerageError } from '../../../src/core/errors.ts';
import type { Trade } from '../../../src/features/analytics/trades.ts';
import { readCostHistory, readOwnHistory } from '../../../src/features/drafts/cost-history.ts';
import type { History } from '../../../src/features/history/history-port.ts';
import { buy } from '../gains/trades.ts';

const context: CallContext = { priority: 'read', deadlineAt: 1 };
const unreachable = new BrokerageError('unreachable', 'The service is away.', 'Try again.');
const cancelled = new BrokerageError('cancelled', 'It was cancelled.', 'Nothing.');

const historyOf = (read: object | Error) =>
  ({ derive: () => (read instanceof Error ? Promise.reject(read) : Promise.resolve(read)) }) as unknown as History;

describe('the own fills', () => {
  const trades: readonly Trade[] = [buy('2026-01-06', 10, 100)];
  const read = (rows: object | Error) => readOwnHistory(historyOf(rows), () => undefined, { context });

  test('have their version, their time, what of them was read, and the decimals of orders', async () => {
    const coverage = { complete: false, rows: 1 };
    const decimals = { quantityDecimals: new Map([['A', 3]]), priceDecimals: new Map([['A', 4]]) };
    const own = await read({ value: { trades, ...decimals }, version: 'v7', coverage, asOf: 5 });
    const { version, asOf } = own;
    expect({ version, asOf, trades: own.trades, coverage: own.coverage }).toEqual({
      ...{ version: 'v7', asOf: 5, trades, coverage },
    });
    expect([own.getTradedDecimals('A'), own.getPriceDecimals('A'), own.getTradedDecimals('B')]).toEqual([
      3,
      4,
      undefined,
    ]);
  });

  test('are empty when they cannot be read, and a cancelled call ends', async () => {
    const { version, trades: rows, coverage, asOf } = await read(unreachable);
    expect({ version, rows, coverage, asOf }).toEqual({ version: 'none', rows: [] });
    await expect(read(cancelled)).rejects.toBe(cancelled);
  });
});

describe('what changes the cost of shares', () => {
  const records = { costs: [], reportableIncome: [] };
  const read = (rows: object | Error, own: object = records) =>
    readCostHistory(historyOf(rows), async () => own as never, { context });
  const dividends = (complete: boolean, version = 'd1') => ({ value: [], version, coverage: { complete, rows: 0 } });

  test.each([true, false])('is complete as far as the dividends are: %s', async (complete) => {
    expect((await read(dividends(complete))).isComplete).toBe(complete);
  });

  test('has another version when the dividends or the entries are others', async () => {
    const versions = [
      await read(dividends(true)),
      await read(dividends(true, 'd2')),
      await read(dividends(true), { ...records, costs: [{ ticker: 'A' }] }),
      await read(unreachable),
    ].map(({ version }) => version);
    expect(new Set(versions).size).toBe(4);
    expect(versions.every((version) => typeof version === 'string' && version.length > 0)).toBe(true);
    expect((await read(dividends(true))).version).toBe(versions[0]);
  });

  test('leaves dividends out that cannot be read, and a cancelled call ends', async () => {
    const costs = await read(unreachable);
    expect(costs.isComplete).toBe(false);
    const trades = [buy('2026-01-06', 10, 100)];
    expect(costs.apply(trades, 'fifo').trades).toEqual(trades);
    await expect(read(cancelled)).rejects.toBe(cancelled);
  });
});
