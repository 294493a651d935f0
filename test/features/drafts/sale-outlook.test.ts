/** When a note says that rounded gains do not add up, and why a gain is unknown. */

import Big from 'big.js';
import { expect, test } from 'vitest';
import type { SaleMethod } from '../../../src/core/mcp/order-arguments.ts';
import type { TradableAccount } from '../../../src/core/orders/tradable-account.ts';
import type { Trade } from '../../../src/features/analytics/trades.ts';
import type { CostHistory, OwnHistory } from '../../../src/features/drafts/cost-history.ts';
import { createSaleOutlook, explainRounding, type WhatIf } from '../../../src/features/drafts/sale-outlook.ts';
import type { History } from '../../../src/features/history/history-port.ts';
import { action, at, buy, sell } from '../gains/trades.ts';

// Exact: 10.004 + 0.004 = 10.008, each rounded to the penny.
test.each<[string, readonly string[], string, string, number]>([
  ['figures that add up', ['5.00'], '10.00', '15.00', 0],
  ['one gain a penny apart', ['0.00'], '10.00', '10.01', 1],
  ['three gains two pence apart', ['0.00', '0.00', '0.00'], '10.00', '10.02', 1],
  ['a loss a penny apart', ['-0.01'], '0.00', '0.00', 1],
  ['one gain two pence apart', ['0.00'], '10.00', '10.02', 0],
  ['a difference that rounding cannot make', ['5.00'], '10.00', '14.00', 0],
])('%s', (_name, gains, yearGainBefore, yearGainAfter, notes) => {
  expect(explainRounding(gains, { yearGainBefore, yearGainAfter })).toHaveLength(notes);
});

test('an unknown year has no note', () => {
  expect(explainRounding(['5.00'], { yearGainBefore: undefined, yearGainAfter: undefined })).toEqual([]);
  expect(explainRounding(['5.00'], { yearGainBefore: undefined, yearGainAfter: '5.01' })).toEqual([]);
  expect(explainRounding(['5.00'], { yearGainBefore: '0.00', yearGainAfter: undefined })).toEqual([]);
});

const now = at('2026-01-15T12:00:00Z');
const purchase = buy('2020-01-06', 30, 300, { orderId: '1' });

interface Copies {
  readonly held: number;
  /** Seconds ago. */
  readonly accountRead: number;
  /** Infinity: never. */
  readonly historyRead: number;
  readonly sent?: number;
  readonly trades?: readonly Trade[];
  /** How far the clock of the service is ahead (ms). */
  readonly serviceOffsetMs?: number;
}

/** What is missing for a sale of 5, with an account and a history of these ages. */
function describeMissing({
  held,
  accountRead,
  historyRead,
  sent,
  trades = [purchase],
  serviceOffsetMs,
}: Copies): WhatIf['missing'] {
  const readAt = now - accountRead * 1000;
  const account = {
    snapshot: { summary: { currency: 'GBP' }, askedAt: readAt, asOf: readAt, serviceOffsetMs },
    getShares: () => ({ held: new Big(held) }),
    findLastSent: () => sent && { sentAt: now - sent * 1000, orderId: '9' },
  } as unknown as TradableAccount;
  const history = {
    version: '1',
    trades,
    coverage: { complete: true, rows: trades.length },
    asOf: Number.isFinite(historyRead) ? now - historyRead * 1000 : undefined,
  } as unknown as OwnHistory;
  const costs = { version: '1', isComplete: true, apply: () => ({ trades, options: {} }) } as unknown as CostHistory;
  const keep: History['keep'] = (_slot, _version, make) => make().value;
  const outlook = createSaleOutlook({ method: 'average', account, history, costs, keep, taxZone: undefined, now });
  return outlook.describe({ ticker: 'A', quantity: new Big(5), netProceeds: new Big(80) }).missing;
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
    'a fill is of the future, so it says nothing of the account',
    { held: 30, accountRead: 20, historyRead: 1, trades: [purchase, sell('2026-01-15T12:00:01Z', 5, 80)] },
    'quantity_differs',
  ],
  [
    'the history has the own order',
    { held: 24, accountRead: 1, historyRead: 1, sent: 5, trades: [purchase, sold] },
    'quantity_differs',
  ],
  ['the first fill is not read yet', { held: 5, accountRead: 1, historyRead: 1, sent: 8, trades: [] }, 'not_read_yet'],
  ['no fill explains the shares', { held: 5, accountRead: 1, historyRead: 1, trades: [] }, 'no_trades'],
  [
    'a fill of another ticker is newer than the account',
    {
      held: 25,
      accountRead: 20,
      historyRead: 1,
      trades: [purchase, sell('2026-01-15T11:59:56Z', 5, 80, { ticker: 'B' })],
    },
    'quantity_differs',
  ],
  [
    'a fill has the time of the account',
    { held: 30, accountRead: 4, historyRead: 1, trades: [purchase, sold] },
    'quantity_differs',
  ],
  [
    'a fill is of now',
    { held: 30, accountRead: 20, historyRead: 1, trades: [purchase, sell('2026-01-15T12:00:00Z', 5, 80)] },
    'not_read_yet',
  ],
  [
    'a fill is older than the account by the clock of the service, which is ten seconds ahead',
    { held: 30, accountRead: 10, historyRead: 1, trades: [purchase, sold], serviceOffsetMs: 10_000 },
    'quantity_differs',
  ],
  [
    'a fill is newer than the account by the clock of the service, which is ten seconds behind',
    {
      held: 30,
      accountRead: 2,
      historyRead: 1,
      trades: [purchase, sell('2026-01-15T11:59:49Z', 5, 80)],
      serviceOffsetMs: -10_000,
    },
    'not_read_yet',
  ],
  [
    'when the history was read is unknown',
    { held: 25, accountRead: 1, historyRead: Number.POSITIVE_INFINITY, sent: 8 },
    'quantity_differs',
  ],
])('the reason for an unknown gain is what was seen: %s', (_, copies, code) => {
  expect(describeMissing(copies)?.code).toBe(code);
});

interface World {
  readonly method?: SaleMethod;
  readonly trades: readonly Trade[];
  readonly held: number;
  readonly taxZone?: string;
  readonly coverage?: object;
  /** What the owner entered of the cost. */
  readonly known?: object;
  readonly areDividendsRead?: boolean;
  readonly kept?: unknown[];
}

/** An outlook on the shares of an account in pounds, which were read together with all fills. */
function openOutlook({ method = 'average', trades, held, taxZone, known = {}, kept = [], ...more }: World) {
  const { coverage = { complete: true, rows: trades.length }, areDividendsRead = true } = more;
  const account = {
    snapshot: { summary: { currency: 'GBP' }, askedAt: now, asOf: now },
    getShares: () => ({ held: new Big(held) }),
    findLastSent: () => undefined,
  } as unknown as TradableAccount;
  const history = { version: 'h1', trades, coverage, asOf: now } as unknown as OwnHistory;
  const costs = {
    version: 'c1',
    isComplete: areDividendsRead,
    apply: (rows: readonly Trade[]) => ({ trades: rows, options: known }),
  } as unknown as CostHistory;
  const keep: History['keep'] = (slot, version, make) => {
    const { value, bytes } = make();
    kept.push([slot, version, bytes]);
    return value;
  };
  return createSaleOutlook({ method, account, history, costs, keep, taxZone, now });
}

const pounds = { valueCurrency: 'GBP' } as const;
/** Thirty shares at 10, of which ten were sold for 130 in this tax year and of UK tax. */
const earlier = [buy('2020-01-06', 30, 300, pounds), sell('2025-06-02', 10, 130, pounds)];
const five = { ticker: 'A', quantity: new Big(5), netProceeds: new Big(80) };

const otherMethod = 'For UK tax, gains are by the method uk_section_104.';
const nextPurchase =
  'A purchase of these shares in the next 30 days would become the cost of this sale and change the gain.';

test('a sale by the average has its gain, what is left, and the gain of the UK tax year by its first day', () => {
  expect(openOutlook({ trades: earlier, held: 20 }).describe(five)).toEqual({
    method: 'average',
    gain: '30.00',
    cost: '50.00',
    proceeds: '80.00',
    quantityLeft: '15',
    costLeft: '150.00',
    matches: [{ rule: 'average', quantity: '5', cost: '50.00' }],
    yearSince: '2025-04-06',
    yearGainBefore: '30.00',
    yearGainAfter: '60.00',
    remarks: [otherMethod],
  });
});

test('a sale by FIFO names the day on which each part was bought', () => {
  const trades = [buy('2020-01-06', 3, 30), buy('2021-02-01', 27, 297)];
  expect(openOutlook({ method: 'fifo', trades, held: 30 }).describe(five)).toMatchObject({
    method: 'fifo',
    gain: '28.00',
    cost: '52.00',
    costLeft: '275.00',
    matches: [
      { rule: 'fifo', quantity: '3', cost: '30.00', acquiredOn: '2020-01-06' },
      { rule: 'fifo', quantity: '2', cost: '22.00', acquiredOn: '2021-02-01' },
    ],
  });
});

test('a sale by the UK rules names the purchases of the last 30 days and the tax year', () => {
  const trades = [...earlier, buy('2026-01-05', 10, 100, pounds)];
  expect(openOutlook({ method: 'uk_section_104', trades, held: 30 }).describe(five)).toEqual({
    method: 'uk_section_104',
    gain: '30.00',
    cost: '50.00',
    proceeds: '80.00',
    quantityLeft: '25',
    costLeft: '250.00',
    matches: [{ rule: 'section_104', quantity: '5', cost: '50.00' }],
    taxYear: '2025/26',
    yearGainBefore: '30.00',
    yearGainAfter: '60.00',
    recentPurchases: [{ on: '2026-01-05', ticker: 'A', quantity: '10' }],
    remarks: [nextPurchase],
  });
});

// Half an hour before the day ends in London, and in the next day and year in Berlin.
const lateInDecember = '2025-12-31T23:30:00Z';

test('elsewhere the year is that of the calendar in the zone of the owner', () => {
  const trades = [buy('2020-01-06', 30, 300), sell('2025-12-31T22:30:00Z', 4, 60), sell(lateInDecember, 2, 24)];
  const { taxYear, yearSince, yearGainBefore, yearGainAfter, remarks } = openOutlook({
    ...{ trades, held: 24, taxZone: 'Europe/Berlin' },
  }).describe(five);
  expect([taxYear, yearSince, yearGainBefore, yearGainAfter]).toEqual(['2026', undefined, '4.00', '34.00']);
  expect(remarks).toBeUndefined();
});

test('the days of purchases are those of the zone: the UK rules count in London, whatever the zone of the owner', () => {
  const trades = [buy('2020-01-06', 30, 300), buy(lateInDecember, 2, 20)];
  const of = (method: SaleMethod) => openOutlook({ method, trades, held: 32, taxZone: 'Europe/Berlin' });
  expect(of('uk_section_104').describe(five).recentPurchases).toEqual([
    { on: '2025-12-31', ticker: 'A', quantity: '2' },
  ]);
  const all = { ticker: 'A', quantity: new Big(32), netProceeds: new Big(400) };
  expect(
    of('fifo')
      .describe(all)
      .matches?.map(({ acquiredOn }) => acquiredOn),
  ).toEqual(['2020-01-06', '2026-01-01']);
});

test('a sale on the day of another one is a part of one disposal, which has no parts of its own', () => {
  const trades = [buy('2020-01-06', 30, 300), sell('2026-01-15T09:00:00Z', 10, 130)];
  const outlook = openOutlook({ method: 'uk_section_104', trades, held: 20 });
  const whatIf = outlook.describe(five);
  expect(whatIf).toMatchObject({
    gain: '30.00',
    remarks: [nextPurchase, 'The sales of one day are one disposal: the figures are what this sale adds to it.'],
  });
  expect(whatIf.matches).toBeUndefined();
  expect(outlook.listLots('A', new Big(8))).toEqual([{ quantity: '8', cost: '80' }]);
});

test('dividends that are not read could lower the cost', () => {
  const { remarks } = openOutlook({ trades: earlier, held: 20, areDividendsRead: false }).describe(five);
  const capital = 'Some dividends are not read yet; capital that was returned in one of them would lower the cost.';
  expect(remarks).toEqual([capital, otherMethod]);
});

test('what the owner entered of the cost counts', () => {
  const trades = [action('2024-06-20', 'FOP', 10, 0)];
  const entered = { costBasis: () => ({ acquiredAt: at('2020-01-10'), cost: new Big(20) }) };
  expect(openOutlook({ trades, held: 10, known: entered }).describe(five)).toMatchObject({
    gain: '70.00',
    cost: '10.00',
  });
  expect(openOutlook({ trades, held: 10 }).describe(five)).toEqual({
    method: 'average',
    missing: {
      code: 'original_cost_unknown',
      reason:
        'Shares came by a transfer or a take-over, and what they cost originally is unknown; enter it with `brokerage-mcp cost-basis`.',
      next: 'Call summarize_realised_gains: it names each row of unknown cost, and the command that enters it.',
    },
  });
});

test('fills that do not add up to the shares say so, with the next step', () => {
  expect(openOutlook({ trades: earlier, held: 19 }).describe(five)).toEqual({
    method: 'average',
    missing: {
      code: 'quantity_differs',
      reason:
        'The fills of this ticker that were read do not add up to the shares held, so the cost of the shares is unknown.',
      next: 'Tell the user that the gain of this sale is unknown; fetch_history with this ticker shows what is known of it.',
    },
  });
});

const differs =
  'The fills of this ticker that were read do not add up to the shares held, so the cost of the shares is unknown.';
const noTrade = 'The history that was read has no trade of this ticker, so the cost of its shares is unknown.';

// Trades between two reads less than three seconds apart are not likely enough to be named.
test.each<[string, Copies, string]>([
  ['together', { held: 25, accountRead: 1, historyRead: 1 }, differs],
  ['2.999 seconds apart', { held: 25, accountRead: 4.999, historyRead: 2 }, differs],
  [
    'the fills three seconds before',
    { held: 25, accountRead: 1, historyRead: 4 },
    `${differs} The fills were read 3 seconds before the shares, so one of the two may lack a trade.`,
  ],
  [
    'the fills three seconds after',
    { held: 25, accountRead: 4, historyRead: 1 },
    `${differs} The fills were read 3 seconds after the shares, so one of the two may lack a trade.`,
  ],
  ['the fills at an unknown time', { held: 25, accountRead: 60, historyRead: Number.POSITIVE_INFINITY }, differs],
  ['together, without a trade of the ticker', { held: 5, accountRead: 1, historyRead: 1, trades: [] }, noTrade],
])('shares and fills that differ, read %s', (_, copies, reason) => {
  expect(describeMissing(copies)?.reason).toBe(reason);
});

test('a sale by the average says nothing of the disposals of a day', () => {
  const trades = [buy('2020-01-06', 30, 300), sell('2026-01-15T09:00:00Z', 10, 130)];
  expect(openOutlook({ trades, held: 20 }).describe(five).remarks).toEqual([otherMethod]);
});

test('the recent purchases are those of the last 30 days of 24 hours, without shares that came in another way', () => {
  const trades = [
    buy('2020-01-06', 30, 300),
    buy('2025-12-16T12:00:00.000Z', 1, 10),
    buy('2025-12-16T12:00:00.001Z', 2, 20),
    action('2026-01-05', 'STOCK_DISTRIBUTION', 3, 0),
  ];
  const { recentPurchases } = openOutlook({ method: 'uk_section_104', trades, held: 36 }).describe(five);
  expect(recentPurchases).toEqual([{ on: '2025-12-16', ticker: 'A', quantity: '2' }]);
});

test('a fill that is newer than the account says so, and when to try again', () => {
  expect(describeMissing({ held: 30, accountRead: 20, historyRead: 1, trades: [purchase, sold] })).toEqual({
    code: 'not_read_yet',
    reason: 'The shares held were read before the newest fill of A, so the two cannot be compared yet.',
    next: 'Preview the sale again in half a minute; the gain is unknown until then.',
  });
});

test('an own order that the history does not show yet is named with its age', () => {
  expect(describeMissing({ held: 25, accountRead: 1, historyRead: 20, sent: 8 })).toEqual({
    code: 'not_read_yet',
    reason: 'This program sent an order for A 8 seconds ago, and its fills are not in the history that was read yet.',
    next: 'Preview the sale again in half a minute; the gain is unknown until then.',
  });
});

test('a sale that takes a purchase from an earlier sale has its own gain, and the year has what changes of both', () => {
  const trades = [buy('2020-01-06', 30, 300), sell('2026-01-05', 10, 130), buy('2026-01-15T09:00:00Z', 10, 120)];
  // The earlier sale had the cost of the purchase after it, 120. Five of these are now those of the sale, at 60, and
  // the earlier sale takes five of the others, at 50.
  expect(openOutlook({ method: 'uk_section_104', trades, held: 30 }).describe(five)).toEqual({
    method: 'uk_section_104',
    gain: '20.00',
    cost: '60.00',
    proceeds: '80.00',
    quantityLeft: '25',
    costLeft: '250.00',
    matches: [{ rule: 'same_day', quantity: '5', cost: '60.00', acquiredOn: '2026-01-15' }],
    taxYear: '2025/26',
    yearGainBefore: '10.00',
    yearGainAfter: '40.00',
    recentPurchases: [{ on: '2026-01-15', ticker: 'A', quantity: '10' }],
    remarks: [
      nextPurchase,
      'This sale also changes the gain of earlier sales of the tax year, so the year changes by another amount than its gain.',
    ],
  });
});

test('without the whole history there are no figures, no lots and no year', () => {
  const coverage = { complete: false, missing: ['It begins on 2024-01-01.'] };
  const outlook = openOutlook({ trades: earlier, held: 20, coverage });
  expect(outlook.describe(five)).toEqual({
    method: 'average',
    missing: {
      code: 'history_incomplete',
      reason: 'The order history is not complete, so the cost of the shares is unknown. It begins on 2024-01-01.',
      next: 'Call fetch_history with kind orders until it is complete, then call again for the gain.',
    },
  });
  expect(outlook.describeYear([five])).toBeUndefined();
  expect(outlook.listLots('A', new Big(5))).toBeUndefined();
});

test('the year with all sales adds up their gains', () => {
  const trades = [...earlier, buy('2021-01-04', 4, 100, { ...pounds, ticker: 'B' })];
  const other = { ticker: 'B', quantity: new Big(1), netProceeds: new Big(20) };
  expect(openOutlook({ trades, held: 20 }).describeYear([five, other])).toEqual({
    yearSince: '2025-04-06',
    yearGainBefore: '30.00',
    yearGainAfter: '55.00',
  });
  expect(openOutlook({ method: 'uk_section_104', trades, held: 20 }).describeYear([five, other])).toEqual({
    taxYear: '2025/26',
    yearGainBefore: '30.00',
    yearGainAfter: '55.00',
  });
});

test('a sale is in the currency of the account, as the earlier sales of the year are', () => {
  const trades = [...earlier, buy('2021-01-04', 4, 100, { ticker: 'B' })];
  const other = { ticker: 'B', quantity: new Big(1), netProceeds: new Big(20) };
  expect(openOutlook({ trades, held: 20 }).describeYear([other])?.yearGainAfter).toBe('25.00');
});

test('the lots of what can be sold have the cost of each part, in the order in which they are sold', () => {
  const trades = [buy('2020-01-06', 3, 30), buy('2021-02-01', 27, 297)];
  const fifo = openOutlook({ method: 'fifo', trades, held: 30 });
  expect(fifo.listLots('A', new Big(5))).toEqual([
    { quantity: '3', cost: '30' },
    { quantity: '2', cost: '22' },
  ]);
  expect(fifo.listLots('A', new Big(0))).toEqual([]);
  expect(openOutlook({ method: 'fifo', trades, held: 31 }).listLots('A', new Big(5))).toBeUndefined();
});

test('the books are kept for the method, the year, the fills and the costs', () => {
  const kept: unknown[] = [];
  openOutlook({ trades: earlier, held: 20, kept, taxZone: 'UTC' });
  const [since, until] = [Date.UTC(2026, 0, 1), Date.UTC(2027, 0, 1)];
  // Fifty bytes a trade.
  expect(kept).toEqual([[`sales average ${since} ${until}`, 'h1 c1', 100]]);
});
