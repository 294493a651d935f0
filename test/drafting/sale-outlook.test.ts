/** When a note says that rounded gains do not add up, and why a gain is unknown. */
import Big from 'big.js';
import { expect, test } from 'vitest';
import type { Trade } from '../../src/analytics/trades.ts';
import type { CostHistory } from '../../src/drafting/cost-history.ts';
import type { OwnHistory } from '../../src/drafting/own-history.ts';
import { createSaleOutlook, explainRounding } from '../../src/drafting/sale-outlook.ts';
import type { History } from '../../src/history/history-port.ts';
import type { TradableAccount } from '../../src/orders/tradable-account.ts';
import { at, buy, sell } from '../analytics/realized/trades.ts';

// Exact: 10.004 + 0.004 = 10.008, each rounded to the penny.
test.each<[string, readonly string[], string, string, number]>([
  ['figures that add up', ['5.00'], '10.00', '15.00', 0],
  ['one gain a penny apart', ['0.00'], '10.00', '10.01', 1],
  ['three gains two pence apart', ['0.00', '0.00', '0.00'], '10.00', '10.02', 1],
  ['a loss a penny apart', ['-0.01'], '0.00', '0.00', 1],
  ['a difference that rounding cannot make', ['5.00'], '10.00', '14.00', 0],
])('%s', (_name, gains, yearGainBefore, yearGainAfter, notes) => {
  expect(explainRounding(gains, { yearGainBefore, yearGainAfter })).toHaveLength(notes);
});

test('an unknown year has no note', () => {
  expect(explainRounding(['5.00'], { yearGainBefore: undefined, yearGainAfter: undefined })).toEqual([]);
});

const now = at('2026-01-15T12:00:00Z');
const purchase = buy('2020-01-06', 30, 300, { orderId: '1' });

interface Copies {
  readonly held: number;
  /** Seconds ago. */
  readonly accountRead: number;
  readonly historyRead: number;
  readonly sent?: number;
  readonly trades?: readonly Trade[];
}

/** What is missing for a sale of 5, with an account and a history of these ages. */
function missingOf({ held, accountRead, historyRead, sent, trades = [purchase] }: Copies): string | undefined {
  const readAt = now - accountRead * 1000;
  const account = {
    snapshot: { summary: { currency: 'GBP' }, askedAt: readAt, asOf: readAt, serviceOffsetMs: undefined },
    getShares: () => ({ held: new Big(held) }),
    findLastSent: () => sent && { sentAt: now - sent * 1000, orderId: '9' },
  } as unknown as TradableAccount;
  const history = {
    version: '1',
    trades,
    coverage: { complete: true, rows: trades.length },
    asOf: now - historyRead * 1000,
  } as unknown as OwnHistory;
  const costs = { version: '1', isComplete: true, apply: () => ({ trades, options: {} }) } as unknown as CostHistory;
  const keep: History['keep'] = (_slot, _version, make) => make().value;
  const outlook = createSaleOutlook({ method: 'average', account, history, costs, keep, taxZone: undefined, now });
  return outlook.describe({ ticker: 'A', quantity: new Big(5), netProceeds: new Big(80) }).missing?.code;
}

const sold = sell('2026-01-15T11:59:56Z', 5, 80, { orderId: '9' });

test.each<[string, Copies, string | undefined]>([
  ['account and history agree', { held: 30, accountRead: 1, historyRead: 1 }, undefined],
  ['they differ, and no own order explains it', { held: 25, accountRead: 1, historyRead: 1 }, 'quantity_differs'],
  ['an own order is newer than the history', { held: 25, accountRead: 1, historyRead: 20, sent: 8 }, 'not_read_yet'],
  ['the history may not show an own order yet', { held: 25, accountRead: 1, historyRead: 1, sent: 8 }, 'not_read_yet'],
  ['an own order is old', { held: 25, accountRead: 1, historyRead: 1, sent: 40 }, 'quantity_differs'],
  [
    'a fill is newer than the account',
    { held: 30, accountRead: 20, historyRead: 1, trades: [purchase, sold] },
    'not_read_yet',
  ],
  [
    'the history has the own order',
    { held: 24, accountRead: 1, historyRead: 1, sent: 5, trades: [purchase, sold] },
    'quantity_differs',
  ],
  ['the first fill is not read yet', { held: 5, accountRead: 1, historyRead: 1, sent: 8, trades: [] }, 'not_read_yet'],
  ['no fill explains the shares', { held: 5, accountRead: 1, historyRead: 1, trades: [] }, 'no_trades'],
])('the reason for an unknown gain is what was seen: %s', (_, copies, code) => {
  expect(missingOf(copies)).toBe(code);
});
