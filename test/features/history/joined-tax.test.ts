/** Which report row gives its tax to a dividend of a page; reported-tax.test.ts reads both in every database. */
import { describe, expect, test } from 'vitest';
import type { Dividend } from '../../../src/core/endpoints/index.ts';
import { addReportedTax, parseRows } from '../../../src/features/history/derive-rows.ts';
import { createMemoryHistory } from '../../../src/features/history/memory-store.ts';
import { emptyMirror, type ReportPart } from '../../../src/features/history/mirror-state.ts';
import type { StoredRow } from '../../../src/features/history/row-store.ts';
import { dayMs, iso, startAt } from '../../support/fake-history.ts';

const day = Date.UTC(2026, 0, 5);
const noon = day + dayMs / 2;
const instrument = { ticker: 'A_US_EQ', isin: 'US01' };
const paid = (change: object = {}) =>
  ({ instrument, amount: '8.5', quantity: '10', paidOn: iso(noon), ...change }) as Dividend;
const reported = (change: object = {}) =>
  paid({ withholdingTax: '1.5', withholdingTaxCurrency: 'USD', fromReport: true, ...change });

/** The pages' rows with what reports say of them; both are stored. */
async function join(rows: readonly Dividend[], reports: readonly Dividend[], parts?: readonly Partial<ReportPart>[]) {
  const store = createMemoryHistory();
  const place = { account: 'account', kind: 'dividends' } as const;
  const toStored = (row: Dividend, index: number): StoredRow => ({
    key: `k${index}`,
    at: Date.parse(row.paidOn ?? ''),
    ticker: undefined,
    type: undefined,
    isFinal: true,
    segment: 1,
    data: JSON.stringify(row),
  });
  const whole: ReportPart = { reportId: '1', from: day - 9 * dayMs, to: day + 9 * dayMs, shortTickers: 0 };
  return store.change(place, async (tx) => {
    await tx.put('pages', rows.map(toStored));
    await tx.put('report:1', reports.map(toStored));
    await tx.put('report:2', reports.map(toStored));
    const top = { id: 1, askedAt: startAt, answeredAt: startAt, boundary: {}, lostAt: [], next: undefined };
    await tx.setState({
      ...emptyMirror,
      stretches: [top as never],
      reports: (parts ?? [{}]).map((part) => ({ ...whole, ...part })),
    });
    return addReportedTax(tx, rows);
  });
}

const taxOf = ({ withholdingTax, withholdingTaxCurrency, withholdingTaxIsAmbiguous }: Dividend) =>
  withholdingTaxIsAmbiguous ? '?' : withholdingTax && `${withholdingTax} ${withholdingTaxCurrency}`;

describe('a payment', () => {
  test.each<[string, Dividend, Dividend, string | undefined]>([
    ['has the tax of the row of its day', paid(), reported(), '1.5 USD'],
    ['at another time of the day, from its beginning', paid(), reported({ paidOn: iso(day) }), '1.5 USD'],
    ['to its end', paid(), reported({ paidOn: iso(day + dayMs - 1) }), '1.5 USD'],
    ['not of the day after', paid(), reported({ paidOn: iso(day + dayMs) }), undefined],
    ['not of the day before', paid(), reported({ paidOn: iso(day - 1) }), undefined],
    ['not of another amount', paid(), reported({ amount: '8.51' }), undefined],
    ['of its amount to the penny', paid({ amount: '8.504' }), reported({ amount: '8.50' }), '1.5 USD'],
    ['not of another instrument', paid(), reported({ instrument: { ticker: 'B_US_EQ', isin: 'US02' } }), undefined],
    ['by the ISIN alone', paid(), reported({ instrument: { ticker: 'A', isin: 'US01' } }), '1.5 USD'],
    ['by the ticker alone', paid(), reported({ instrument: { ticker: 'A_US_EQ' } }), '1.5 USD'],
    ['not of another quantity', paid(), reported({ quantity: '11' }), undefined],
    ['of its quantity to ten decimals', paid({ quantity: '10.00000000004' }), reported(), '1.5 USD'],
    ['not of one that differs in the tenth', paid({ quantity: '10.0000000001' }), reported(), undefined],
    ['of a quantity with the other sign', paid({ quantity: '-10' }), reported(), '1.5 USD'],
    ['of a row without a quantity', paid(), reported({ quantity: undefined }), '1.5 USD'],
    ['without a quantity has that of any', paid({ quantity: undefined }), reported(), '1.5 USD'],
    ['without a date has none', paid({ paidOn: undefined }), reported(), undefined],
    ['without an amount has none', paid({ amount: undefined }), reported({ amount: undefined }), undefined],
    ['keeps a tax of its own', paid({ withholdingTax: '2', withholdingTaxCurrency: 'GBP' }), reported(), '2 GBP'],
    ['has a tax of zero', paid(), reported({ withholdingTax: '0' }), '0 USD'],
  ])('%s', async (_, row, other, expected) => {
    expect((await join([row], [other])).map(taxOf)).toEqual([expected]);
  });

  test('has nothing else of the report than what it lacks', async () => {
    const of = { grossAmountPerShare: '1.25', tickerCurrency: 'USD', quantity: '10', type: 'OTHER', currency: 'EUR' };
    const own = { type: 'ORDINARY', currency: 'GBP' };
    expect(await join([paid({ ...own, quantity: undefined })], [reported(of)])).toEqual([
      paid({
        ...own,
        quantity: '10',
        grossAmountPerShare: '1.25',
        tickerCurrency: 'USD',
        withholdingTax: '1.5',
        withholdingTaxCurrency: 'USD',
      }),
    ]);
    const gross = { grossAmountPerShare: '3', tickerCurrency: 'GBX' };
    expect(await join([paid(gross)], [reported(of)])).toMatchObject([gross]);
  });
});

describe('several rows of a day', () => {
  test.each<[string, readonly Dividend[], readonly Dividend[], readonly (string | undefined)[]]>([
    ['with one tax give it to as many payments', [paid(), paid()], [reported(), reported()], ['1.5 USD', '1.5 USD']],
    ['are enough for fewer payments', [paid()], [reported(), reported()], ['1.5 USD']],
    ['are too few for more payments', [paid(), paid(), paid()], [reported(), reported()], ['?', '?', '?']],
    ['with two taxes give none', [paid(), paid()], [reported(), reported({ withholdingTax: '1' })], ['?', '?']],
    ['with two currencies give none', [paid()], [reported(), reported({ withholdingTaxCurrency: 'GBP' })], ['?']],
    [
      'of which one names no tax give none',
      [paid(), paid()],
      [reported(), reported({ withholdingTax: undefined, withholdingTaxCurrency: undefined })],
      ['?', '?'],
    ],
    ['without a tax leave it unknown', [paid()], [paid({ fromReport: true })], [undefined]],
    [
      'are told apart by their quantity',
      [paid(), paid({ quantity: '12' })],
      [reported({ quantity: '12', withholdingTax: '1.8' }), reported()],
      ['1.5 USD', '1.8 USD'],
    ],
  ])('%s', async (_, rows, others, expected) => {
    expect((await join(rows, others)).map(taxOf)).toEqual(expected);
  });

  test('of two reports that overlap are there once', async () => {
    const parts = [{ reportId: '1' }, { reportId: '2' }];
    expect((await join([paid(), paid()], [reported()], parts)).map(taxOf)).toEqual(['?', '?']);
  });

  test('outside of what a report covers are not used', async () => {
    expect((await join([paid()], [reported()], [{ to: noon }])).map(taxOf)).toEqual([undefined]);
    expect((await join([paid()], [reported()], [{ to: noon + 1 }])).map(taxOf)).toEqual(['1.5 USD']);
  });
});

test('rows of a report keep what they have, and the payments of other histories are not completed', async () => {
  const row = paid({ fromReport: true });
  expect(await join([row], [reported()])).toEqual([row]);
  const store = createMemoryHistory();
  const stored = [{ data: JSON.stringify({ reference: 'r1' }) }];
  const read = await store.read({ account: 'a', kind: 'transactions' }, (tx) => parseRows(tx, 'transactions', stored));
  expect(read).toEqual([{ reference: 'r1' }]);
});
