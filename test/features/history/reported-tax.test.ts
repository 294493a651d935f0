/** The tax of a dividend is only in reports: rows of pages have it too, whichever of the two was read first. */
// @module-tag process
import { describe, expect, test } from 'vitest';
import type { Dividend, Report } from '../../../src/core/endpoints/index.ts';
import { BrokerageError } from '../../../src/core/errors.ts';
import { createHistoryTable } from '../../../src/core/store/history-table.ts';
import { openReport } from '../../../src/features/history/reports/read-report.ts';
import type { HistoryStore } from '../../../src/features/history/row-store.ts';
import { databases, openEngine } from '../../core/store/support.ts';
import { iso, mirrorOn, startAt } from '../../support/fake-history.ts';
import { everything, table, untold } from './reports/support.ts';

const hourMs = 3_600_000;
/** The day of a case is as many days before the start. */
const dayOf = (day: number, hour = 12) => Date.UTC(2026, 0, 15, hour) - day * 24 * hourMs;

interface Paid {
  readonly amount: string;
  readonly quantity?: string;
  readonly tax?: string;
  readonly hour?: number;
}
interface Case {
  readonly title: string;
  readonly page: readonly Paid[];
  readonly report: readonly Paid[];
  /** The tax of each page row; `?` when several fit. */
  readonly known: readonly (string | undefined)[];
}

const cases: readonly Case[] = [
  { title: 'a payment', page: [{ amount: '8.5' }], report: [{ amount: '8.50', tax: '1.50' }], known: ['1.5'] },
  {
    title: 'two amounts under one reference',
    page: [{ amount: '8.5' }, { amount: '4.25' }],
    report: [
      { amount: '4.25', tax: '0.75' },
      { amount: '8.50', tax: '1.50' },
    ],
    known: ['1.5', '0.75'],
  },
  {
    title: 'one amount on two quantities',
    page: [
      { amount: '8.5', quantity: '10' },
      { amount: '8.5', quantity: '12' },
    ],
    report: [
      { amount: '8.50', quantity: '12.0000000000', tax: '1.20' },
      { amount: '8.50', quantity: '10.0000000000', tax: '1.50' },
    ],
    known: ['1.5', '1.2'],
  },
  {
    title: 'a payment, its reversal and its correction',
    page: [{ amount: '10' }, { amount: '-10', hour: 13 }, { amount: '9', hour: 14 }],
    report: [
      { amount: '10.00', tax: '1.00' },
      { amount: '-10.00', tax: '-1.00', hour: 13 },
      { amount: '9.00', tax: '0.90', hour: 14 },
    ],
    known: ['1', '1', '0.9'],
  },
  {
    title: 'two equal payments',
    page: [{ amount: '8.5' }, { amount: '8.5' }],
    report: [
      { amount: '8.50', tax: '1.50' },
      { amount: '8.50', tax: '1.50' },
    ],
    known: ['1.5', '1.5'],
  },
  {
    title: 'two equal payments with different taxes',
    page: [{ amount: '8.5' }, { amount: '8.5' }],
    report: [
      { amount: '8.50', tax: '1.50' },
      { amount: '8.50', tax: '0' },
    ],
    known: ['?', '?'],
  },
  {
    title: 'two equal payments, one of them in the report',
    page: [{ amount: '8.5' }, { amount: '8.5' }],
    report: [{ amount: '8.50', tax: '1.50' }],
    known: ['?', '?'],
  },
  { title: 'an amount in no report', page: [{ amount: '8.5' }], report: [{ amount: '3.00' }], known: [undefined] },
  { title: 'a report without the tax', page: [{ amount: '8.5' }], report: [{ amount: '8.50' }], known: [undefined] },
  { title: 'no tax', page: [{ amount: '8.5' }], report: [{ amount: '8.50', tax: '0.00' }], known: ['0'] },
];

const pages = cases
  .flatMap(({ page }, day) =>
    page.map(({ amount, quantity = '10', hour }) => ({
      ticker: 'A_US_EQ',
      instrument: { ticker: 'A_US_EQ', isin: 'US0000000001', currency: 'USD' },
      reference: `d${day}`,
      quantity,
      amount,
      currency: 'GBP',
      // The first payment lacks it, so that only the report has it.
      grossAmountPerShare: day === 0 ? undefined : '1.25',
      tickerCurrency: 'USD',
      paidOn: iso(dayOf(day + 1, hour)),
      type: 'ORDINARY',
    })),
  )
  .sort((a, b) => (a.paidOn < b.paidOn ? 1 : -1));

const csvRow = (at: number, { amount, quantity = '10.0000000000', tax = '' }: Paid) => ({
  Action: 'Dividend (Ordinary)',
  Time: iso(at).slice(0, 19).replace('T', ' '),
  ISIN: 'US0000000001',
  Ticker: 'A',
  'No. of shares': quantity,
  'Price / share': '1.25',
  'Currency (Price / share)': 'USD',
  Total: amount,
  'Currency (Total)': 'GBP',
  'Withholding tax': tax,
  'Currency (Withholding tax)': tax && 'USD',
});

const csv = table(...cases.flatMap(({ report }, day) => report.map((paid) => csvRow(dayOf(day + 1, paid.hour), paid))));

type Step = 'pages' | 'report' | 'the same report again';

/** The rows after the steps, oldest day last. */
async function readAfter(store: HistoryStore, steps: readonly Step[]) {
  const { mirror, context } = mirrorOn(store, () => ({ items: pages }));
  const question = { kind: 'dividends' } as const;
  const report = (reportId: string) =>
    ({
      reportId,
      timeFrom: iso(startAt - 300 * 24 * hourMs),
      timeTo: iso(startAt),
      dataIncluded: everything,
    }) as Report;
  for (const step of steps) {
    const reportId = step === 'report' ? '1' : '2';
    if (step === 'pages') await mirror.read(question, { context: context(60_000) });
    else {
      await mirror.reportRequested(reportId, startAt);
      await mirror.importReport(report(reportId), await openReport(csv, untold));
    }
  }
  const { rows } = await mirror.read(question, { context: context(60_000) });
  const options = { context: context(60_000), most: 1, wantsAll: true, alsoMatching: false };
  const newest = await mirror.page({ ...question, until: dayOf(7, 23) }, options);
  return { rows, paged: newest.rows.map(({ row }) => row) };
}

const taxOf = ({ withholdingTax, withholdingTaxIsAmbiguous }: Dividend) =>
  withholdingTaxIsAmbiguous ? '?' : withholdingTax;

describe.each(databases)('dividends in %s', (_, make) => {
  test.each<{ steps: readonly Step[] }>([
    { steps: ['pages', 'report'] },
    { steps: ['report', 'pages'] },
    { steps: ['pages', 'report', 'the same report again'] },
  ])('have the tax that a report names, after $steps', async ({ steps }) => {
    const { rows, paged } = await readAfter(createHistoryTable((await make()).open()) as HistoryStore, steps);
    expect(rows.length).toBe(pages.length);
    const found = cases.map(({ title }, day) => {
      const paidOn = iso(dayOf(day + 1)).slice(0, 10);
      const own = rows.filter((row) => row.paidOn?.startsWith(paidOn) && !row.fromReport);
      return [title, own.map((row) => `${row.amount} ${row.quantity} ${taxOf(row)}`).sort()];
    });
    expect(found).toEqual(
      cases.map(({ title, page, known }) => [
        title,
        page.map(({ amount, quantity = '10' }, index) => `${amount} ${quantity} ${known[index]}`).sort(),
      ]),
    );
    const gross = rows.filter(({ paidOn }) => paidOn?.startsWith(iso(dayOf(1)).slice(0, 10)));
    expect(gross.map((row) => [row.grossAmountPerShare, row.tickerCurrency])).toEqual([['1.25', 'USD']]);
    // A page of one row takes the other row of its day into account.
    expect(paged.map(taxOf)).toEqual(['?']);
  });
});

test('a report row of a payment that no page covers does not give its tax to an equal payment of the day', async () => {
  const store = createHistoryTable(openEngine()) as HistoryStore;
  const [morning, border, noon, afternoon] = [dayOf(1, 10), dayOf(1, 11), dayOf(1, 12), dayOf(1, 15)];
  const [newest] = pages;
  const paid = (at: number, reference: string, amount = '8.5') => ({ ...newest, reference, amount, paidOn: iso(at) });
  // The newest page ends in the morning, and the report, which ends at noon, covers what is before.
  const newer = Array.from({ length: 48 }, (_, index) => paid(afternoon + (48 - index) * 60_000, `n${index}`, '100'));
  const { mirror, context } = mirrorOn(store, (from) => {
    if (from?.cursor === undefined)
      return {
        items: [...newer, paid(afternoon, 'own'), paid(border, 'last', '2')],
        next: { limit: '50', cursor: 'x' },
      };
    throw new BrokerageError('timeout', 'The service does not answer.', 'Try later.');
  });
  await mirror.reportRequested('1', noon);
  const report = { reportId: '1', timeFrom: iso(startAt - 300 * 24 * hourMs), timeTo: iso(noon) };
  const row = csvRow(morning, { amount: '8.50', tax: '1.50' });
  await mirror.importReport({ ...report, dataIncluded: everything } as Report, await openReport(table(row), untold));
  const { rows } = await mirror.read({ kind: 'dividends', since: morning - hourMs }, { context: context(60_000) });
  const equal = rows.filter(({ amount }) => Number(amount) === 8.5);
  expect(equal.map((one) => [one.paidOn, one.fromReport ?? false, taxOf(one)])).toEqual([
    [iso(morning), true, '1.5'],
    [iso(afternoon), false, '?'],
  ]);
});
