/** What each row of the histories becomes in the list that files for other programs are written from. */
import Big from 'big.js';
import { expect, test } from 'vitest';
import type { Dividend, HistoricalOrder, Transaction } from '../../../src/core/endpoints/index.ts';
import { executions } from '../../../src/features/analytics/executions.ts';
import { toAccountBooks } from '../../../src/features/documents/account-records.ts';
import { fileFormats } from '../../../src/features/documents/file-formats.ts';
import type { FileFormatName } from '../../../src/features/documents/format-names.ts';

const day = '2026-01-15T10:00:00.000Z';
const at = Date.parse(day);

const fillOf = (fill: object, order: object = {}): HistoricalOrder =>
  ({
    order: {
      id: '7',
      ticker: 'ABC_US_EQ',
      side: 'BUY',
      instrument: { ticker: 'ABC_US_EQ', isin: 'US0000000001', currency: 'USD' },
      ...order,
    },
    fill: { id: '8', filledAt: day, type: 'TRADE', quantity: '4', price: '10', ...fill },
  }) as unknown as HistoricalOrder;

const impact = (netValue: string, taxes: object[] = []) => ({ walletImpact: { currency: 'GBP', netValue, taxes } });

function booksOf(rows: {
  orders?: readonly HistoricalOrder[];
  dividends?: readonly object[];
  transactions?: readonly object[];
}) {
  const reader = executions.start();
  reader.add(rows.orders ?? []);
  return toAccountBooks({
    trades: reader.finish().value.trades,
    dividends: (rows.dividends ?? []) as readonly Dividend[],
    transactions: (rows.transactions ?? []) as readonly Transaction[],
    currency: 'GBP',
    nameOf: (ticker) => (ticker === 'ABC_US_EQ' ? 'Abc Inc' : undefined),
  });
}

const context = {
  title: 'Account "A"',
  madeAt: at,
  currency: 'GBP',
  toDate: (ms: number) => new Date(ms).toISOString().slice(0, 10),
  toTime: (ms: number) => new Date(ms).toISOString().slice(11, 16),
};
const write = (name: FileFormatName, rows: Parameters<typeof booksOf>[0]) =>
  fileFormats[name].write(booksOf(rows).records, context);

const charged = [
  { name: 'CURRENCY_CONVERSION_FEE', quantity: '-0.05', currency: 'GBP' },
  { name: 'FOREIGN_TAX', quantity: '-1', currency: 'USD' },
];

test('a purchase costs its value, of which charges in the same currency are a part', () => {
  const { records, leftOut } = booksOf({ orders: [fillOf(impact('32.05', charged))] });
  expect(records).toEqual([
    {
      kind: 'buy',
      at,
      security: { ticker: 'ABC_US_EQ', isin: 'US0000000001', name: 'Abc Inc', priceCurrency: 'USD' },
      quantity: new Big(4),
      price: new Big(10),
      net: new Big('-32.05'),
      charges: new Big('0.05'),
      currency: 'GBP',
      id: '8',
    },
  ]);
  expect(leftOut).toEqual([]);
});

test.each<[FileFormatName, string]>([
  ['portfolio_performance', '2026-01-15,10:00,Buy,32.05,GBP,,4,US0000000001,ABC_US_EQ,Abc Inc,8'],
  ['cgt_calc', '2026-01-15,BUY,ABC_US_EQ,4,8.0000000000,0.05,GBP'],
  [
    'beancount',
    '2026-01-15 * "Buy ABC_US_EQ"\n  Assets:Broker:Shares  4 US0000000001 @@ 32.00 GBP\n  Expenses:Broker:Charges  0.05 GBP\n  Assets:Broker:Cash  -32.05 GBP',
  ],
])('a purchase is written for %s', (name, line) => {
  expect(write(name, { orders: [fillOf(impact('32.05', charged))] })).toContain(line);
});

test('Ghostfolio has a purchase at its own price, and its charges at the rate of the fill', () => {
  const { activities } = JSON.parse(write('ghostfolio', { orders: [fillOf(impact('32.05', charged))] }));
  // 4 × 10 USD cost 32.00 GBP before charges, so 0.05 GBP are 0.0625 USD.
  expect(activities).toEqual([
    {
      date: day,
      dataSource: 'YAHOO',
      symbol: 'US0000000001',
      comment: '8',
      currency: 'USD',
      fee: 0.0625,
      quantity: 4,
      type: 'BUY',
      unitPrice: 10,
    },
  ]);
});

test('Ghostfolio writes pence as GBp, and a fill without a price in the currency of the account', () => {
  const pence = { instrument: { ticker: 'P_EQ', currency: 'GBX' }, ticker: 'P_EQ' };
  const { activities } = JSON.parse(
    write('ghostfolio', {
      orders: [fillOf({ ...impact('4'), price: '100' }, pence), fillOf({ ...impact('4'), price: undefined }, pence)],
    }),
  );
  expect(
    activities.map(({ symbol, currency, unitPrice }: Record<string, unknown>) => [symbol, currency, unitPrice]),
  ).toEqual([
    ['P_EQ', 'GBP', 1],
    ['P_EQ', 'GBp', 100],
  ]);
});

test('a sale brings its value, and its charges are on top of it', () => {
  const sale = fillOf({ ...impact('39.95', charged), quantity: '4' }, { side: 'SELL' });
  expect(write('cgt_calc', { orders: [sale] })).toBe('2026-01-15,SELL,ABC_US_EQ,4,10.0000000000,0.05,GBP\n');
  expect(write('beancount', { orders: [sale] })).toContain(
    '  Assets:Broker:Shares  -4 US0000000001 @@ 40.00 GBP\n  Expenses:Broker:Charges  0.05 GBP\n  Assets:Broker:Cash  39.95 GBP',
  );
});

const dividend = {
  paidOn: day,
  ticker: 'ABC_US_EQ',
  type: 'ORDINARY',
  reference: 'r1',
  amount: '8.5',
  currency: 'GBP',
  quantity: '10',
  grossAmountPerShare: '1',
  tickerCurrency: 'GBP',
  instrument: { ticker: 'ABC_US_EQ', isin: 'US0000000001', name: 'Abc', currency: 'GBP' },
};

test.each<[FileFormatName, string]>([
  ['portfolio_performance', '2026-01-15,10:00,Dividend,8.50,GBP,1.50,10,US0000000001,ABC_US_EQ,Abc,r1'],
  ['cgt_calc', '2026-01-15,DIVIDEND,ABC_US_EQ,1,10,1.5,GBP'],
  [
    'beancount',
    '  Assets:Broker:Cash  8.50 GBP\n  Expenses:Broker:WithheldTax  1.50 GBP\n  Income:Broker:Dividends  -10.00 GBP',
  ],
  ['ghostfolio', '"quantity": 10,\n      "type": "DIVIDEND",\n      "unitPrice": 0.85'],
])('a dividend of 10.00 of which 1.50 was withheld is written for %s', (name, text) => {
  expect(write(name, { dividends: [dividend] })).toContain(text);
});

test.each<[string, string, string, string]>([
  ['DEPOSIT', '100', 'Deposit,100.00', 'TRANSFER,,1,100,0'],
  ['WITHDRAW', '-100', 'Removal,100.00', 'TRANSFER,,1,-100,0'],
  ['INTEREST_ON_FREE_CASH', '1.5', 'Interest,1.50', 'INTEREST,,1,1.5,0'],
  ['FEE', '-2', 'Fees,2.00', 'FEE,,1,-2,0'],
])('%s of %s is a booking of its kind', (type, amount, inPerformance, inCgtCalc) => {
  const rows = { transactions: [{ type, amount, currency: 'GBP', dateTime: day, reference: 'x' }] };
  expect(write('portfolio_performance', rows)).toContain(inPerformance);
  expect(write('cgt_calc', rows)).toBe(`2026-01-15,${inCgtCalc},GBP\n`);
  expect(write('beancount', rows)).toContain(`"${type}"\n  Assets:Broker:Cash  ${new Big(amount).toFixed(2)} GBP`);
});

test('a split is a row of cgt-calc and moves shares in beancount; the others have no place for it', () => {
  const split = fillOf({ type: 'STOCK_SPLIT', quantity: '4', price: '0' });
  expect(write('cgt_calc', { orders: [split] })).toBe('2026-01-15,STOCK_SPLIT,ABC_US_EQ,4,0,0,GBP\n');
  expect(write('beancount', { orders: [split] })).toContain(
    '  Assets:Broker:Shares  4 US0000000001\n  Equity:CorporateActions  -4 US0000000001',
  );
  const [record] = booksOf({ orders: [split] }).records;
  if (!record) throw new Error('no record');
  expect(fileFormats.portfolio_performance.holds?.(record)).toBe(false);
  expect(fileFormats.ghostfolio.holds?.(record)).toBe(false);
});

test('rows that cannot be written are counted, and nothing is guessed for them', () => {
  const { records, leftOut } = booksOf({
    orders: [fillOf({ walletImpact: undefined }), fillOf({ ...impact('1'), quantity: '0' })],
    dividends: [{ ...dividend, paidOn: undefined }],
    transactions: [{ type: 'FEE', amount: '0', dateTime: day }],
  });
  expect(records).toEqual([]);
  expect(leftOut).toEqual([
    '2 fills without a quantity or an amount of money are not in the file.',
    '1 dividend without a date or an amount is not in the file.',
    '1 booking of 0.00 is not in the file.',
  ]);
});

test('text of the service cannot break the ledger', () => {
  const text = write('beancount', {
    transactions: [{ type: 'FEE" \\ \n2026-01-01 close Assets:Broker:Cash', amount: '-2', dateTime: day }],
  });
  expect(text).toContain('* "FEE\\" \\\\  2026-01-01 close Assets:Broker:Cash"\n');
});
