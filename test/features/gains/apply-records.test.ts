/** What the owner entered for tax, returned capital and spin-offs, in the gains. */
import Big from 'big.js';
import { describe, expect, test } from 'vitest';
import type { Dividend } from '../../../src/core/endpoints/index.ts';
import { compareExecution, type Trade } from '../../../src/features/analytics/trades.ts';
import { applyTaxRecords } from '../../../src/features/gains/apply-records.ts';
import { type CostEntry, noTaxRecords, type TaxRecords } from '../../../src/features/gains/cost-entries.ts';
import { formatPool } from '../../../src/features/gains/format-gains.ts';
import type { GainsMethod } from '../../../src/features/gains/gain-types.ts';
import { addMonths, listFundsWithoutIncome } from '../../../src/features/gains/reportable-income.ts';
import { action, at, buy, gainsOf, leftLines, lines, methods, sell } from './trades.ts';

interface Given {
  readonly dividends?: readonly Partial<Dividend>[];
  readonly records?: Partial<TaxRecords>;
}

function apply(rows: readonly Trade[], method: GainsMethod, { dividends = [], records = {} }: Given) {
  const trades = rows.toSorted(compareExecution);
  const applied = applyTaxRecords(trades, dividends as Dividend[], { ...noTaxRecords, ...records }, method);
  return { ...applied, gains: gainsOf(applied.trades, { method, ...applied.options }) };
}

const capital = (paidOn: string, amount: string, more: Partial<Dividend> = {}) =>
  ({
    ticker: 'A',
    type: 'RETURN_OF_CAPITAL',
    paidOn: `${paidOn}T12:00:00Z`,
    amount,
    currency: 'GBP',
    ...more,
  }) as Dividend;

const entry = (fields: Partial<CostEntry>): CostEntry => ({
  fillId: undefined,
  ticker: undefined,
  at: undefined,
  acquiredAt: undefined,
  cost: new Big(0),
  currency: 'GBP',
  parent: undefined,
  ...fields,
});

describe('a payment of capital that can be a part disposal', () => {
  const trades = [buy('2022-01-10', 10, 20_000), sell('2024-06-10', 5, 9_000)];
  const paidAt = at('2023-03-01');
  const unmatched = ({ gains }: ReturnType<typeof apply>) =>
    gains.unmatched.map(({ reason, proceeds, next }) => [reason, proceeds?.toFixed(2), next]);
  const command =
    'brokerage-mcp cost-basis set --ticker A --at 2023-03-01T12:00:00.000Z --part --cost AMOUNT --currency GBP';

  test('is certainly small up to 3,000 pounds, and above that in no figure of the UK rules', () => {
    const small = apply(trades, 'uk_section_104', { dividends: [capital('2023-03-01', '3000')] });
    // (20,000 − 3,000) × 5 / 10.
    expect([unmatched(small), small.gains.totals.cost.toFixed(2)]).toEqual([[], '8500.00']);
    const dividends = [capital('2023-03-01', '3000.01')];
    const large = apply(trades, 'uk_section_104', { dividends });
    expect(unmatched(large)).toEqual([['capital_distribution', '3000.01', command]]);
    expect(large.gains.totals.cost.toFixed(2)).toBe('10000.00');
    // The bound is one of the UK rules.
    const byFifo = apply(trades, 'fifo', { dividends });
    expect([unmatched(byFifo), byFifo.gains.totals.cost.toFixed(3)]).toEqual([[], '8499.995']);
  });

  test.each(methods)('in a liquidation is in no figure, whatever its size, by %s', (method) => {
    const dividends = [capital('2023-03-01', '50', { type: 'INTERIM_LIQUIDATION' })];
    const paid = apply(trades, method, { dividends });
    expect(unmatched(paid)).toEqual([['capital_distribution', '50.00', command]]);
    expect(paid.gains.totals.cost.toFixed(2)).toBe('10000.00');
    // The broker's average cost is still compared with its results.
    expect(paid.gains.checks).toHaveLength(1);
  });

  test.each(methods)('is a disposal with the cost that was entered, by %s', (method) => {
    const dividends = [capital('2023-03-01', '5000', { type: 'INTERIM_LIQUIDATION' })];
    // TCGA 1992 s 42: shares worth 15,000 remain, so 20,000 × 5,000 / 20,000 belongs to the payment.
    const records = { costs: [entry({ ticker: 'A', at: paidAt, cost: new Big(5_000) })] };
    const { gains } = apply(trades, method, { dividends, records });
    expect(gains.unmatched).toEqual([]);
    expect(lines(gains)[0]).toBe('0 A: 5000.00 - 5000.00 = 0.00 (entered 0)');
    // (20,000 − 5,000) × 5 / 10.
    expect(gains.disposals[1]?.cost.toFixed(2)).toBe('7500.00');
    expect(leftLines(gains)).toEqual(['A 5: 7500.00']);
  });
});

describe('a take-over for cash and shares', () => {
  const type = 'CASH_AND_STOCK_ACQUISITION';
  const trades = [
    buy('2022-01-10', 10, 100),
    action('2024-06-10', type, 10, 120, { side: 'SELL', fillId: '5' }),
    action('2024-06-11', type, 4, 0, { ticker: 'B', fillId: '6' }),
  ];
  // TCGA 1992 s 129: the shares are worth 80, so 100 × 120 / 200 = 60 belongs to the cash, and 40 to the shares.
  const forCash = entry({ fillId: '5', cost: new Big(60) });
  const forShares = entry({ fillId: '6', cost: new Big(40), acquiredAt: at('2022-01-10') });

  test.each(methods)('names the commands for the part of the cash and the part of the shares, by %s', (method) => {
    const { gains } = apply(trades, method, {});
    expect(gains.unmatched.map(({ reason, next }) => [reason, next])).toEqual([
      ['apportionment_needed', 'brokerage-mcp cost-basis set --fill 5 --part --cost AMOUNT --currency CURRENCY'],
      [
        'exchanged_cost_unknown',
        'brokerage-mcp cost-basis set --fill 6 --acquired YYYY-MM-DD --cost AMOUNT --currency CURRENCY',
      ],
    ]);
  });

  test.each(methods)('has a gain once both parts of the cost were entered, by %s', (method) => {
    const { gains } = apply(trades, method, { records: { costs: [forCash, forShares] } });
    expect(gains.unmatched).toEqual([]);
    expect(lines(gains)).toEqual(['10 A: 120.00 - 60.00 = 60.00 (entered 10)']);
    expect(leftLines(gains)).toEqual(['A 0: 0.00', 'B 4: 40.00']);
  });
});

describe('returned capital', () => {
  const trades = [buy('2022-01-10', 10, 100), sell('2024-06-10', 5, 75)];

  test.each(methods)('is deducted from the cost, and a correction is undone, by %s', (method) => {
    const dividends = [
      capital('2023-03-01', '20'),
      capital('2023-03-01', '-20'),
      capital('2023-03-02', '30', { type: 'RETURN_OF_CAPITAL_NON_US' }),
    ];
    const { gains } = apply(trades, method, { dividends });
    // TCGA 1992 s 122: (100 − 30) × 5 / 10 = 35.
    expect(gains.totals.gain.toFixed(2)).toBe('40.00');
    expect(leftLines(gains)).toEqual(['A 5: 35.00']);
    expect(gains.remarks[0]).toBe(
      'A (2023-03-01, 2023-03-02): 30.00 of returned capital is deducted from the cost of the shares held, as TCGA 1992 s 122 allows for a small distribution.',
    );
    // The broker's average price does not change.
    expect(gains.checks).toHaveLength(1);
  });

  test.each(methods)('beyond the cost is listed as a gain that no figure includes, by %s', (method) => {
    const { gains } = apply(trades, method, { dividends: [capital('2023-03-01', '130.5')] });
    expect(gains.totals.cost.toFixed(2)).toBe('0.00');
    expect(gains.unmatched.map(({ ticker, reason, proceeds }) => [ticker, reason, proceeds?.toFixed(2)])).toEqual([
      ['A', 'capital_beyond_cost', '30.50'],
    ]);
  });

  test('by FIFO has the same part for each share, and a lot gives no more than it cost', () => {
    const lots = [buy('2022-01-10', 10, 10), buy('2022-02-10', 10, 100), sell('2024-06-10', 20, 200)];
    const { gains } = apply(lots, 'fifo', { dividends: [capital('2023-03-01', '40')] });
    // 20 for each lot: the first has only 10.
    expect(gains.disposals[0]?.matches.map(({ cost }) => cost.toFixed(2))).toEqual(['0.00', '80.00']);
    expect(gains.unmatched[0]?.proceeds?.toFixed(2)).toBe('10.00');
  });

  test('in another currency is in no figure, and a remark says so', () => {
    const inPounds = trades.map((trade) => ({ ...trade, valueCurrency: 'GBP' }));
    const { gains, remarks } = apply(inPounds, 'fifo', {
      dividends: [capital('2023-03-01', '20', { currency: 'USD' })],
    });
    expect(gains.totals.gain.toFixed(2)).toBe('25.00');
    expect(remarks).toEqual([
      'A (2023-03-01): 20.00 USD of returned capital is in another currency than the shares, and no figure includes it.',
    ]);
  });

  test('changes nothing in the broker’s own results', () => {
    expect(apply(trades, 'broker', { dividends: [capital('2023-03-01', '20')] }).trades).toHaveLength(2);
  });
});

describe('a spin-off', () => {
  const spinOff = action('2023-05-10', 'SPIN_OFF', 4, 0, { ticker: 'B', fillId: '77' });
  const sales = [sell('2024-06-10', 10, 90), sell('2024-06-10', 4, 40, { ticker: 'B' })];
  const trades = [buy('2022-01-10', 10, 100), spinOff, ...sales];

  test.each(methods)('takes the entered part of the cost along, by %s', (method) => {
    const records = { costs: [entry({ fillId: '77', cost: new Big(30), parent: 'A' })] };
    const { gains } = apply(trades, method, { records });
    // TCGA 1992 ss 126 to 130: 100 is apportioned, 70 and 30.
    expect(gains.byTicker.map(({ ticker, cost }) => [ticker, cost.toFixed(2)])).toEqual([
      ['A', '70.00'],
      ['B', '30.00'],
    ]);
    expect(gains.remarks).toEqual([
      'A (2023-05-10): 30.00 of its cost belongs to the shares of a spin-off, as entered with `brokerage-mcp cost-basis`.',
    ]);
  });

  test('names the company that the rows show, and the command that apportions the cost', () => {
    const dividends = [capital('2023-05-12', '0', { type: 'DEMERGER' })];
    const { gains } = apply(trades, 'uk_section_104', { dividends });
    expect(gains.remarks).toEqual([
      'B (2023-05-10): 4 shares from a spin-off of A are treated as shares received at no cost, and that company keeps all of its cost; a tax return needs the cost apportioned between the two. Enter the part of B: brokerage-mcp cost-basis set --fill 77 --parent A --cost AMOUNT --currency CURRENCY',
    ]);
  });

  test('does not take a cost from a company that nobody named', () => {
    const { gains, remarks } = apply(trades, 'fifo', {
      records: { costs: [entry({ fillId: '77', cost: new Big(30) })] },
    });
    expect(gains.totals.cost.toFixed(2)).toBe('100.00');
    expect(remarks).toEqual([
      'The entered cost of fill 77 is not used: the rows do not name the company that gave the shares; add --parent TICKER.',
    ]);
  });

  test('that takes more than the company’s cost is listed', () => {
    const records = { costs: [entry({ fillId: '77', cost: new Big(130), parent: 'A' })] };
    expect(apply(trades, 'fifo', { records }).gains.unmatched.map(({ reason }) => reason)).toEqual([
      'spin_off_beyond_cost',
    ]);
  });
});

describe('shares of a take-over', () => {
  const paper = action('2024-06-11', 'STOCK_ACQUISITION', 4, 0, { ticker: 'B', fillId: '78' });
  const trades = [
    buy('2022-01-10', 10, 100),
    action('2024-06-10', 'STOCK_ACQUISITION', -10, 0),
    paper,
    sell('2024-07-10', 4, 130, { ticker: 'B' }),
  ];

  test.each(methods)('have the entered cost of the shares that were exchanged, by %s', (method) => {
    // TCGA 1992 s 135: the new shares stand in the place of the old.
    const costs = [entry({ fillId: '78', acquiredAt: at('2022-01-10'), cost: new Big(100) })];
    expect(apply(trades, method, { records: { costs } }).gains.totals.gain.toFixed(2)).toBe('30.00');
  });

  test.each(methods)('have the cost of the shares that were exchanged without an entry, by %s', (method) => {
    const { gains } = apply(trades, method, {});
    expect([gains.totals.gain.toFixed(2), gains.unmatched]).toEqual(['30.00', []]);
  });
});

describe('the cost of shares that were transferred in', () => {
  const transfer = action('2024-06-20', 'FOP', 5, 0, { fillId: '9', valueCurrency: 'GBP' });
  const trades = [transfer, sell('2024-07-20', 5, 60)];

  test('is asked for with the command that enters it', () => {
    const [row] = apply(trades, 'fifo', {}).gains.unmatched;
    expect(row).toMatchObject({
      side: 'BUY',
      reason: 'original_cost_unknown',
      next: 'brokerage-mcp cost-basis set --fill 9 --acquired YYYY-MM-DD --cost AMOUNT --currency GBP',
    });
    const [unnumbered] = apply([{ ...transfer, fillId: undefined }], 'fifo', {}).gains.unmatched;
    expect(unnumbered?.next).toContain('set --ticker A --at 2024-06-20T12:00:00.000Z --acquired');
    // A service must not put words into a shell.
    const hostile = { ...transfer, fillId: '9; rm -rf ~', valueCurrency: '$(id)' };
    expect(apply([hostile], 'fifo', {}).gains.unmatched[0]?.next).toContain(
      '--fill ID --acquired YYYY-MM-DD --cost AMOUNT --currency CURRENCY',
    );
  });

  test.each([
    ['the id of its fill', { fillId: '9' }],
    ['ticker and time', { ticker: 'A', at: at('2024-06-20') + 400 }],
  ])('is found by %s', (_, row) => {
    const costs = [entry({ ...row, acquiredAt: at('2021-03-01'), cost: new Big(45) })];
    const { gains, remarks } = apply(trades, 'uk_section_104', { records: { costs } });
    expect(gains.totals.gain.toFixed(2)).toBe('15.00');
    expect([gains.unmatched, remarks]).toEqual([[], []]);
  });

  test('without a row is named in one sentence', () => {
    const costs = ['10', '11'].map((fillId) => entry({ fillId, cost: new Big(45) }));
    expect(apply(trades, 'fifo', { records: { costs } }).remarks).toEqual([
      'The entered cost of fill 10, fill 11 is not used: no row of the history brought shares in it.',
    ]);
  });

  test('is not used where two rows have the ticker and the time', () => {
    const costs = [entry({ ticker: 'A', at: at('2024-06-20'), cost: new Big(45) })];
    const { remarks } = apply([transfer, { ...transfer, fillId: '10' }], 'fifo', { records: { costs } });
    expect(remarks).toEqual([
      'The entered cost of A at 2024-06-20T12:00:00.000Z is not used: several rows have this ticker and time; name one by the id of its fill.',
    ]);
  });

  test.each([
    [{ fillId: '10' }, 'no row of the history brought shares in it'],
    [{ fillId: '9', currency: 'USD' }, 'the shares are in another currency, and the cost is not converted'],
    [{ fillId: '9', acquiredAt: at('2024-06-22') }, 'the shares came before the date on which they were acquired'],
  ])('that cannot be right is not used, and a remark says why: %j', (fields, why) => {
    const { gains, remarks } = apply(trades, 'fifo', { records: { costs: [entry({ cost: new Big(45), ...fields })] } });
    expect(gains.disposals).toEqual([]);
    expect(remarks).toEqual([`The entered cost of fill ${fields.fillId} is not used: ${why}.`]);
  });
});

describe('excess reportable income', () => {
  const isin = 'IE00B3XXRP09';
  const fund = { isin, valueCurrency: 'GBP' };
  const trades = [
    buy('2023-01-10', 100, 1000, fund),
    sell('2023-03-10', 40, 500, fund),
    sell('2024-07-10', 30, 600, fund),
  ];
  const income = { isin, periodEnd: '2023-06-30', amountPerShare: new Big('0.5'), currency: 'GBP' };

  test('of the shares held at the end of the period joins their cost, and is income six months later', () => {
    const { gains, income: taxed } = apply(trades, 'uk_section_104', { records: { reportableIncome: [income] } });
    // 60 shares cost 600; with 60 × 0.5 they cost 630, and 30 of them 315.
    expect(gains.disposals.map(({ cost }) => cost.toFixed(2))).toEqual(['400.00', '315.00']);
    expect(gains.disposals[1] && formatPool(gains.disposals[1])).toBe('30 = 315.00');
    expect(taxed.map(({ shares, amount, taxedOn }) => [shares.toFixed(), amount.toFixed(2), taxedOn])).toEqual([
      ['60', '30.00', '2023-12-30'],
    ]);
  });

  test('counts the shares at the end of the day in London', () => {
    // 23:30 in London on 30 June, and half an hour later.
    const late = [buy('2023-06-30T22:30:00Z', 1, 10, fund), buy('2023-06-30T23:00:00Z', 2, 20, fund)];
    const { income: taxed } = apply(late, 'uk_section_104', { records: { reportableIncome: [income] } });
    expect(taxed.map(({ shares }) => shares.toFixed())).toEqual(['1']);
  });

  test('is left out where no shares were held, and for other methods', () => {
    const early = { ...income, periodEnd: '2022-06-30' };
    expect(apply(trades, 'uk_section_104', { records: { reportableIncome: [early] } }).income).toEqual([]);
    expect(apply(trades, 'fifo', { records: { reportableIncome: [income] } }).gains.totals.cost.toFixed(2)).toBe(
      '700.00',
    );
  });

  test('in another currency is in no figure, and a remark names the day of the rate', () => {
    const records = { reportableIncome: [{ ...income, currency: 'USD' }] };
    const { gains, remarks } = apply(trades, 'uk_section_104', { records });
    expect(gains.totals.cost.toFixed(2)).toBe('700.00');
    expect(remarks).toEqual([
      'IE00B3XXRP09: the reportable income of the period to 2023-06-30 is in USD and in no figure; enter it in the currency of the account, at the rate of 2023-12-30.',
    ]);
  });

  test.each([
    ['2023-12-31', '2024-06-30'],
    ['2023-08-31', '2024-02-29'],
    ['2022-08-31', '2023-02-28'],
  ])('of a period to %s is income of %s', (periodEnd, taxedOn) => {
    expect(addMonths(periodEnd, 6)).toBe(taxedOn);
  });

  test.each([
    ['without a line', [], { until: at('2025-01-01') }, true],
    ['with a line', [income], { until: at('2025-01-01') }, false],
    ['with a line of another year', [income], { since: at('2024-04-06'), until: at('2025-04-06') }, true],
    ['bought less than six months before', [], { until: at('2023-07-01') }, false],
  ])('an offshore fund %s is named: %s', (_, entries, range, isNamed) => {
    const named = listFundsWithoutIncome(trades, entries, () => true, range);
    expect(named).toEqual(isNamed ? [{ isin, ticker: 'A' }] : []);
  });

  test('a British fund, a share and a fund sold long before the range are not named', () => {
    const range = { since: at('2026-04-06'), until: at('2027-04-06') };
    const sold = [...trades, sell('2024-07-11', 30, 1, fund)];
    expect(listFundsWithoutIncome(sold, [], () => true, range)).toEqual([]);
    const british = trades.map((trade) => ({ ...trade, isin: 'GB0000000001' }));
    expect(listFundsWithoutIncome(british, [], () => true, { until: range.until })).toEqual([]);
    expect(listFundsWithoutIncome(trades, [], () => false, { until: range.until })).toEqual([]);
  });
});

describe('what is added to the trades', () => {
  const trades = [buy('2022-01-10', 10, 100, { valueCurrency: 'GBP' }), sell('2024-06-10', 5, 75)];
  const applied = (method: GainsMethod, { dividends = [], records = {} }: Given) =>
    applyTaxRecords(trades, dividends as Dividend[], { ...noTaxRecords, ...records }, method);
  const unused = { costs: [entry({ fillId: '10', cost: new Big(45) })] };

  test('is nothing for the broker’s own results, and nothing is said of what is not used', () => {
    const dividends = [capital('2023-03-01', '20', { type: 'RETURN_OF_CAPITAL_MANUFACTURED_PAYMENT' })];
    const found = applied('broker', { dividends, records: unused });
    expect(found).toEqual({ trades, options: {}, income: [], remarks: [] });
    expect(found.trades).toBe(trades);
  });

  test('is nothing where no row changes a cost', () => {
    const found = applied('fifo', {});
    expect([found.trades, found.income, found.remarks]).toEqual([trades, [], []]);
    expect(found.trades).toBe(trades);
  });

  test('is in the order of execution: what changes a cost, and payments that can be part disposals', () => {
    const dividends = [
      capital('2025-03-01', '20'),
      capital('2023-03-01', '30'),
      capital('2023-02-01', '40', { type: 'INTERIM_LIQUIDATION' }),
    ];
    const found = applied('fifo', { dividends });
    expect(found.trades.map(({ type, at: moment, netValue }) => [type, moment, Number(netValue)])).toEqual([
      ['TRADE', at('2022-01-10'), 100],
      ['CAPITAL_DISTRIBUTED', at('2023-02-01'), 40],
      ['CAPITAL_RETURNED', at('2023-03-01'), -30],
      ['TRADE', at('2024-06-10'), 75],
      ['CAPITAL_RETURNED', at('2025-03-01'), -20],
    ]);
    const one = applied('fifo', { dividends: [capital('2023-02-01', '40', { type: 'INTERIM_LIQUIDATION' })] });
    expect(one.trades.map(({ type }) => type)).toEqual(['TRADE', 'CAPITAL_DISTRIBUTED', 'TRADE']);
  });

  test.each([
    ['in the currency of the shares', {}, 1],
    ['without a currency', { currency: undefined }, 1],
    ['of shares that were never traded', { ticker: 'B', currency: 'USD' }, 1],
    ['in another currency', { currency: 'USD' }, 0],
  ])('is returned capital %s', (_, more, count) => {
    const { trades: rows, remarks } = applyTaxRecords(
      [
        buy('2022-01-10', 10, 100, { valueCurrency: 'GBP' }),
        buy('2022-01-11', 1, 1, { ticker: 'C', valueCurrency: 'EUR' }),
      ],
      [capital('2023-03-01', '20', more)],
      noTaxRecords,
      'fifo',
    );
    expect([rows.length - 2, remarks.length]).toEqual([count, 1 - count]);
  });

  test('is the last currency of the shares, where it changed', () => {
    const rows = [
      buy('2022-01-10', 10, 100, { valueCurrency: 'EUR' }),
      buy('2022-01-11', 1, 1, { valueCurrency: 'GBP' }),
    ];
    expect(applyTaxRecords(rows, [capital('2023-03-01', '20')], noTaxRecords, 'fifo').remarks).toEqual([]);
  });

  test('has fund income by the UK rules alone, and other methods say nothing of it', () => {
    const reportableIncome = [{ isin: 'X', periodEnd: '2023-06-30', amountPerShare: new Big(1), currency: 'USD' }];
    const rows = [buy('2022-01-10', 10, 100, { isin: 'X', valueCurrency: 'GBP' })];
    const remarks = (method: GainsMethod) =>
      applyTaxRecords(rows, [], { ...noTaxRecords, reportableIncome }, method).remarks.length;
    expect([remarks('uk_section_104'), remarks('fifo'), remarks('average')]).toEqual([1, 0, 0]);
  });

  test('reduces the cost of the company on the day of its spin-off, in the currency of the entry', () => {
    const rows = [buy('2022-01-10', 10, 100), action('2023-05-10', 'SPIN_OFF', 4, 0, { ticker: 'B', fillId: '77' })];
    const costs = [entry({ fillId: '77', cost: new Big(30), parent: 'A', acquiredAt: at('2022-01-10') })];
    const [, , change] = applyTaxRecords(rows, [], { ...noTaxRecords, costs }, 'fifo').trades;
    expect(change).toMatchObject({
      type: 'COST_TO_SPIN_OFF',
      at: at('2023-05-10'),
      ticker: 'A',
      netValue: new Big(-30),
      valueCurrency: 'GBP',
    });
  });

  test.each([
    ['a demerger', {}, 'A'],
    ['a payment in the place of a demerger', { type: 'DEMERGER_MANUFACTURED_PAYMENT' }, 'A'],
    ['another payment', { type: 'ORDINARY' }, undefined],
    ['a type that only ends so', { type: 'NO_DEMERGER' }, undefined],
    ['no type', { type: undefined }, undefined],
    ['a demerger without a date', { paidOn: undefined }, undefined],
    ['a demerger without a ticker', { ticker: undefined }, undefined],
  ])('%s names this company for a spin-off of the same day', (_, more, parent) => {
    const spinOff = action('2023-05-10', 'SPIN_OFF', 4, 0, { ticker: 'B' });
    const dividends = [capital('2023-05-10', '0', { type: 'DEMERGER', ...more })];
    const { options } = applyTaxRecords([spinOff], dividends, noTaxRecords, 'fifo');
    expect(options.findParent?.(spinOff)).toBe(parent);
  });
});
