import { describe, expect, test } from 'vitest';
import { csv, readReport, table, untold } from './support.ts';

type Cells = Readonly<Record<string, string>>;

const read = (...records: readonly Cells[]) => readReport(table(...records), untold);

const sale = {
  Action: 'Market sell',
  Time: '2025-06-02 09:30:15',
  ISIN: 'US0000000001',
  Ticker: 'AAA',
  Name: 'Example, Inc',
  ID: 'EOF42',
  'No. of shares': '2.5000000000',
  'Price / share': '101.5000',
  'Currency (Price / share)': 'USD',
  'Exchange rate': '1.27000000',
  Result: '-3.10',
  'Currency (Result)': 'GBP',
  Total: '199.50',
  'Currency (Total)': 'GBP',
};
const deposit = { ...blank(sale), Action: 'Deposit', Time: '2025-06-01 08:00:00.123', ID: 'ref-1', Total: '500.00' };

function blank(record: Cells) {
  return Object.fromEntries(Object.keys(record).map((key) => [key, '']));
}

/** The record with some columns renamed or left out, and others at the end. */
function reshaped(record: Cells, without: RegExp, more: Cells) {
  return { ...Object.fromEntries(Object.entries(record).filter(([name]) => !without.test(name))), ...more };
}

describe('a sale', () => {
  test('has the values of the file, and no others', async () => {
    const { orders, ...rest } = await read(sale);
    expect(orders).toEqual([
      {
        kind: 'orders',
        at: Date.UTC(2025, 5, 2, 9, 30, 15),
        line: 2,
        id: 'EOF42',
        tickerIsShort: true,
        row: {
          order: {
            ticker: 'AAA',
            side: 'SELL',
            type: 'MARKET',
            status: 'FILLED',
            instrument: { ticker: 'AAA', name: 'Example, Inc', isin: 'US0000000001', currency: 'USD' },
          },
          fill: {
            id: '42',
            filledAt: '2025-06-02T09:30:15.000Z',
            price: '101.5',
            quantity: '-2.5',
            type: 'TRADE',
            walletImpact: {
              currency: 'GBP',
              netValue: '199.5',
              realisedProfitLoss: '-3.1',
              fxRate: '1.27',
              taxes: [],
            },
          },
        },
      },
    ]);
    expect(rest).toEqual({
      dividends: [],
      transactions: [],
      unread: [],
      isComplete: true,
      columns: Object.keys(sale),
      totalRows: 1,
    });
  });

  test.each([
    [
      'amounts that name their currency',
      reshaped(sale, /Result|Total/, { 'Result (GBP)': '-3.10', 'Total (GBP)': '199.50' }),
    ],
    ['a price that does', reshaped(sale, /Price/, { 'Price / share (USD)': '101.5' })],
    [
      'gross and net totals',
      reshaped(sale, /Total/, {
        'Gross Total': '199.50',
        Taxes: '0.00',
        'Net Total': '199.50',
        'Currency (Net Total)': 'GBP',
      }),
    ],
    [
      'only a gross total, when there are no charges',
      reshaped(sale, /Total/, { 'Gross Total': '199.50', 'Currency (Gross Total)': 'GBP', 'Finra fee (GBP)': '0.00' }),
    ],
    ['an empty second total', { ...reshaped(sale, /Total/, { 'Total (EUR)': '', 'Total (GBP)': '199.50' }) }],
    [
      'names in other case, with blanks',
      Object.fromEntries(Object.entries(sale).map(([name, cell]) => [` ${name.toUpperCase()}  `, ` ${cell} `])),
    ],
    ['the columns in reverse', Object.fromEntries(Object.entries(sale).reverse())],
    ['a quantity with a minus', { ...sale, 'No. of shares': '-2.5' }],
    [
      'columns that nobody knows',
      { ...sale, 'Merchant name': 'A, B', 'Merchant category': '5', 'Charge amount (GBP)': '9' },
    ],
    ['an empty withholding tax', { ...sale, 'Withholding tax': '0.00', 'Currency (Withholding tax)': 'USD' }],
  ])('is the same with %s', async (_, record) => {
    expect((await read(record)).orders).toEqual((await read(sale)).orders);
  });

  test('keeps its ticker when it can be resolved', async () => {
    const asked: unknown[] = [];
    const resolveTicker = (reported: unknown) => {
      asked.push(reported);
      return 'AAA_US_EQ';
    };
    const [order] = (await readReport(table(sale), { resolveTicker })).orders;
    expect(asked).toEqual([{ isin: 'US0000000001', shortName: 'AAA', currency: 'USD' }]);
    expect(order).toMatchObject({
      tickerIsShort: false,
      row: { order: { ticker: 'AAA_US_EQ', instrument: { ticker: 'AAA_US_EQ' } } },
    });
  });

  test.each(['Not available', '', 'n/a'])('has no rate when the file says %j', async (rate) => {
    const { orders, unread } = await read({ ...sale, 'Exchange rate': rate });
    expect(unread).toEqual([]);
    expect(orders[0]?.row.fill?.walletImpact?.fxRate).toBeUndefined();
  });

  test('leaves undefined what an empty cell does not say', async () => {
    const { orders } = await read({ ...sale, 'Price / share': '', Total: '', Result: '', ID: '' });
    expect(orders[0]?.id).toBeUndefined();
    expect(orders[0]?.row.order?.instrument?.currency).toBe('USD');
    expect(orders[0]?.row.fill).toMatchObject({ id: undefined, price: undefined, quantity: '-2.5' });
    expect(orders[0]?.row.fill?.walletImpact).toMatchObject({ netValue: undefined, realisedProfitLoss: undefined });
  });

  test('keeps an id that is no number beside the row', async () => {
    const [order] = (await read({ ...sale, ID: 'a1b2-c3' })).orders;
    expect([order?.id, order?.row.fill?.id]).toEqual(['a1b2-c3', undefined]);
  });

  test('of pence stays in pence, with its value in pounds', async () => {
    const [order] = (await read({ ...sale, 'Currency (Price / share)': 'GBX', 'Price / share': '7980.00' })).orders;
    expect(order?.row.order?.instrument?.currency).toBe('GBX');
    expect(order?.row.fill).toMatchObject({ price: '7980', walletImpact: { currency: 'GBP', netValue: '199.5' } });
  });
});

describe('charges', () => {
  const taxes = async (more: Cells, without = /^$/) =>
    (await read(reshaped(sale, without, more))).orders[0]?.row.fill?.walletImpact?.taxes?.map(
      ({ name, quantity, currency }) => [name, quantity, currency],
    );

  test.each([
    ['Stamp duty reserve tax', 'STAMP_DUTY_RESERVE_TAX'],
    ['Currency conversion fee', 'CURRENCY_CONVERSION_FEE'],
    ['Finra fee', 'FINRA_FEE'],
    ['Transaction fee', 'TRANSACTION_FEE'],
    ['French transaction tax', 'FRENCH_TRANSACTION_TAX'],
    ['PTM levy', 'PTM_LEVY'],
    ['Stamp duty', 'STAMP_DUTY'],
    ['Commission turnover', 'COMMISSION_TURNOVER'],
    ['Clearing surcharge (new)', 'CLEARING_SURCHARGE_NEW'],
  ])('the column %s is %s, in each form', async (column, name) => {
    const expected = [[name, '0.45', 'GBP']];
    expect(await taxes({ [column]: '0.45', [`Currency (${column})`]: 'GBP' })).toEqual(expected);
    expect(await taxes({ [`Currency (${column})`]: 'GBP', [column]: '0.450' })).toEqual(expected);
    if (!column.includes('(')) expect(await taxes({ [`${column} (GBP)`]: '0.45' })).toEqual(expected);
  });

  test('that are empty or zero are left out', async () => {
    expect(await taxes({ 'Finra fee (GBP)': '', 'PTM levy (GBP)': '0.00', 'Transaction fee (GBP)': '0E-10' })).toEqual(
      [],
    );
  });

  test('in another currency keep it', async () => {
    expect(await taxes({ 'Finra fee': '0.02', 'Currency (Finra fee)': 'USD' })).toEqual([['FINRA_FEE', '0.02', 'USD']]);
  });

  test('without a name are their sum, and are never counted twice', async () => {
    const sums = { 'Gross Total': '200.00', Taxes: '0.50', 'Net Total': '199.50', 'Currency (Net Total)': 'GBP' };
    expect(await taxes(sums, /Total/)).toEqual([['TAXES', '0.5', 'GBP']]);
    expect(await taxes({ ...sums, 'PTM levy (GBP)': '0.50' }, /Total/)).toEqual([['PTM_LEVY', '0.5', 'GBP']]);
  });

  test('that cannot be read make the row unread, because its costs would be too low', async () => {
    const { orders, unread } = await read({ ...sale, 'PTM levy (GBP)': 'one' });
    expect(orders).toEqual([]);
    expect(unread).toEqual([
      {
        line: 2,
        action: 'Market sell',
        code: 'unreadable_value',
        reason: 'PTM_LEVY is not a number',
        at: Date.UTC(2025, 5, 2, 9, 30, 15),
        kinds: ['orders'],
      },
    ]);
  });
});

describe('actions', () => {
  test.each([
    ['Market buy', 'BUY', 'MARKET', '2.5'],
    ['Limit buy', 'BUY', 'LIMIT', '2.5'],
    ['Stop buy', 'BUY', 'STOP', '2.5'],
    ['Stop limit buy', 'BUY', 'STOP_LIMIT', '2.5'],
    ['limit  SELL', 'SELL', 'LIMIT', '-2.5'],
    ['Stop sell', 'SELL', 'STOP', '-2.5'],
    ['Stop limit sell', 'SELL', 'STOP_LIMIT', '-2.5'],
  ])('%s is a %s of type %s', async (Action, side, type, quantity) => {
    const [order] = (await read({ ...sale, Action })).orders;
    expect(order?.row).toMatchObject({ order: { side, type }, fill: { quantity, type: 'TRADE' } });
  });

  test('a split removes the old shares and adds the new ones', async () => {
    const split = { ...sale, 'Price / share': '', Result: '', Total: '' };
    const { orders } = await read(
      { ...split, Action: 'Stock split close', 'No. of shares': '2.5' },
      { ...split, Action: 'Stock split open', 'No. of shares': '10' },
    );
    expect(orders.map(({ row }) => [row.fill?.type, row.fill?.quantity, row.order?.type])).toEqual([
      ['STOCK_SPLIT', '-2.5', undefined],
      ['STOCK_SPLIT', '10', undefined],
    ]);
  });

  test.each([
    ['Dividend (Ordinary)', 'ORDINARY'],
    ['Dividend (Dividends paid by us corporations)', 'DIVIDENDS_PAID_BY_US_CORPORATIONS'],
    ['Dividend (Return of capital non-U.S.)', 'RETURN_OF_CAPITAL_NON_US'],
    ['Dividend (Return of capital (non US))', 'RETURN_OF_CAPITAL_NON_US'],
    ['Dividend (Multiple 1042-S tax components)', 'MULTIPLE_1042S_TAX_COMPONENTS'],
    ['Dividend (Ordinary manufactured payment)', 'ORDINARY_MANUFACTURED_PAYMENT'],
    ['Dividend (Special, once)', 'SPECIAL_ONCE'],
    ['Dividend', 'DIVIDEND'],
  ])('%s is a dividend of type %s', async (Action, type) => {
    const { dividends } = await read({ ...sale, Action, ID: '', 'Exchange rate': 'Not available' });
    expect(dividends).toEqual([
      {
        kind: 'dividends',
        at: Date.UTC(2025, 5, 2, 9, 30, 15),
        line: 2,
        id: undefined,
        tickerIsShort: true,
        row: {
          ticker: 'AAA',
          instrument: { ticker: 'AAA', name: 'Example, Inc', isin: 'US0000000001', currency: 'USD' },
          reference: undefined,
          quantity: '2.5',
          amount: '199.5',
          currency: 'GBP',
          grossAmountPerShare: '101.5',
          tickerCurrency: 'USD',
          paidOn: '2025-06-02T09:30:15.000Z',
          type,
        },
      },
    ]);
  });

  test.each([
    ['Deposit', 'DEPOSIT', '500.00', '500'],
    ['Withdrawal', 'WITHDRAW', '-20.50', '-20.5'],
    ['Withdrawal', 'WITHDRAW', '20.50', '20.5'],
    ['Interest on cash', 'INTEREST_ON_FREE_CASH', '0.07', '0.07'],
    ['Lending interest', 'LENDING_INTEREST', '0.01', '0.01'],
    ['Card debit', 'CARD_DEBIT', '-3', '-3'],
    ['Card credit', 'CARD_CREDIT', '3', '3'],
    ['Card refund', 'CARD_REFUND', '0.75', '0.75'],
    ['Spending cashback', 'SPENDING_CASHBACK', '0.06', '0.06'],
    ['New card cost', 'FEE', '-5', '-5'],
    ['Bank Transfer', 'TRANSFER', '12', '12'],
    ['Share lending interest', 'LENDING_INTEREST', '0.02', '0.02'],
    ['Result adjustment', 'RESULT_ADJUSTMENT', '-0.2', '-0.2'],
    ['Dividend adjustment', 'DIVIDEND_ADJUSTMENT', '-0.3', '-0.3'],
    ['Transfer in', 'TRANSFER', '50', '50'],
    ['Transfer out', 'TRANSFER', '50', '-50'],
    ['Monthly service fee', 'FEE', '"-1,234.50"', '-1234.5'],
  ])('%s is %s, with the sign of the file', async (Action, type, Total, amount) => {
    const { transactions } = await read({
      ...deposit,
      Action,
      Total: Total.replaceAll('"', ''),
      'Currency (Total)': 'GBP',
    });
    expect(transactions).toEqual([
      {
        kind: 'transactions',
        at: Date.UTC(2025, 5, 1, 8, 0, 0, 123),
        line: 2,
        id: 'ref-1',
        tickerIsShort: false,
        row: { type, amount, currency: 'GBP', dateTime: '2025-06-01T08:00:00.123Z', reference: 'ref-1' },
      },
    ]);
  });
});

describe('shares without a trade', () => {
  const moved = { ...sale, 'Price / share': '0E-10', Result: '', Total: '0.00' };

  test.each([
    ['Stock Split', 'STOCK_SPLIT', '2.5', 'BUY', '2.5'],
    ['Stock Split', 'STOCK_SPLIT', '-2.5', 'SELL', '-2.5'],
    ['Stock distribution', 'STOCK_DISTRIBUTION', '2.5', 'BUY', '2.5'],
    ['Custom stock distribution', 'CUSTOM_STOCK_DISTRIBUTION', '2.5', 'BUY', '2.5'],
    ['Scrip', 'SCRIP_STOCK_DIVIDENDS', '2.5', 'BUY', '2.5'],
    ['Stock dividends', 'STOCK_DIVIDENDS', '2.5', 'BUY', '2.5'],
    ['Equity rights', 'EQUITY_RIGHTS', '2.5', 'BUY', '2.5'],
    ['Spin off', 'SPIN_OFF', '2.5', 'BUY', '2.5'],
    ['Spin-off close', 'SPIN_OFF', '2.5', 'SELL', '-2.5'],
    ['Stock acquisition', 'STOCK_ACQUISITION', '-2.5', 'SELL', '-2.5'],
    ['Transfer in', 'FOP', '2.5', 'BUY', '2.5'],
    ['Transfer out', 'FOP', '2.5', 'SELL', '-2.5'],
  ])('%s is a fill of type %s: %s shares are a %s of %s', async (Action, type, shares, side, quantity) => {
    const { orders, unread } = await read({ ...moved, Action, 'No. of shares': shares });
    expect(unread).toEqual([]);
    expect(orders.map(({ row }) => [row.order?.type, row.order?.side, row.fill?.type, row.fill?.quantity])).toEqual([
      [undefined, side, type, quantity],
    ]);
  });

  test('need no column of money', async () => {
    const { orders } = await readReport(
      csv(['No. of shares', 'Time', 'Ticker', 'Action'], ['2', '2025-06-02 09:30:15.98', 'AAA', 'Transfer in']),
      untold,
    );
    expect(orders[0]?.row.fill).toMatchObject({ quantity: '2', type: 'FOP', filledAt: '2025-06-02T09:30:15.980Z' });
    expect(orders[0]?.row.fill?.walletImpact?.netValue).toBeUndefined();
  });
});

describe('a dividend', () => {
  const paid = { ...sale, Action: 'Dividend (Ordinary)', Result: '' };

  test('keeps the tax that was withheld, in its own currency', async () => {
    const { dividends } = await read({ ...paid, 'Withholding tax': '-0.61', 'Currency (Withholding tax)': 'USD' });
    expect(dividends[0]?.row).toMatchObject({ amount: '199.5', withholdingTax: '0.61', withholdingTaxCurrency: 'USD' });
  });

  test('says nothing of a tax that the file does not state', async () => {
    const [without, empty] = [
      await read(paid),
      await read({ ...paid, 'Withholding tax': '', 'Currency (Withholding tax)': 'USD' }),
    ].map(({ dividends }) => dividends[0]?.row);
    for (const row of [without, empty])
      expect([row?.withholdingTax, row?.withholdingTaxCurrency]).toEqual([undefined, undefined]);
  });

  test('that was corrected is a dividend of its own', async () => {
    const { dividends } = await read({ ...paid, Action: 'Dividend adjustment', Total: '-1.20' });
    expect(dividends[0]?.row).toMatchObject({ ticker: 'AAA', type: 'DIVIDEND_ADJUSTMENT', amount: '-1.2' });
  });
});

describe('a currency conversion', () => {
  const converted = {
    ...deposit,
    Action: 'Currency conversion',
    Total: '',
    'Currency conversion from amount': '100.00',
    'Currency (Currency conversion from amount)': 'GBP',
    'Currency conversion to amount': '126.40',
    'Currency (Currency conversion to amount)': 'USD',
  };

  test('is money out of one currency and into the other', async () => {
    const { transactions, totalRows, unread } = await read(converted);
    expect(transactions.map(({ row }) => [row.type, row.amount, row.currency, row.reference])).toEqual([
      ['CURRENCY_CONVERSION', '-100', 'GBP', 'ref-1'],
      ['CURRENCY_CONVERSION', '126.4', 'USD', 'ref-1'],
    ]);
    expect([totalRows, unread]).toEqual([1, []]);
  });

  test('with one amount is one row', async () => {
    const { transactions } = await read({
      ...converted,
      'Currency conversion to amount': '',
      Total: '-100',
      'Currency (Total)': 'GBP',
    });
    expect(transactions.map(({ row }) => [row.amount, row.currency])).toEqual([['-100', 'GBP']]);
  });
});

describe('a row that cannot be read', () => {
  test.each([
    ['unknown_action', { Action: 'Share reorganisation' }, ['orders', 'dividends', 'transactions']],
    ['unknown_action', { Action: 'Coffee', Ticker: '', ISIN: '' }, ['transactions']],
    ['unreadable_time', { Time: 'noon' }, ['orders']],
    ['unreadable_value', { 'No. of shares': 'two' }, ['orders']],
    ['unreadable_value', { Action: 'Dividend (Ordinary)', Total: 'two' }, ['dividends']],
    ['unreadable_value', { Action: 'Deposit', Total: 'two' }, ['transactions']],
  ])('has the code %s and the histories where it is missing: %j', async (code, change, kinds) => {
    const { unread } = await read({ ...sale, ...change });
    expect(unread).toMatchObject([{ code, kinds }]);
    expect(unread[0]?.at).toBe(code === 'unreadable_time' ? undefined : Date.UTC(2025, 5, 2, 9, 30, 15));
  });

  test.each([
    ['its action is unknown', { Action: 'Share reorganisation' }],
    ['its action is unknown', { Action: '' }],
    ['its action is unknown', { Action: 'constructor' }],
    ['its action is unknown', { Action: 'Coffee' }],
    ['it has no readable time', { Time: '' }],
    ['it has no readable time', { Time: '02/06/2025 09:30' }],
    ['it has no readable time', { Time: '2025-02-29 09:30:15' }],
    ['it has no readable time', { Time: '2025-06-02 24:30:15' }],
    ['it has no readable time', { Time: '2025-06-02 09:30:15 CET' }],
    ['Total is not a number', { Total: '£199.50' }],
    ['Total is not a number', { Total: '1,234' }],
    ['Total is not a number', { Total: 'Infinity' }],
    ['Total is not a number', { Total: '1.234,56' }],
    ['Price / share is not a number', { 'Price / share': '0x10' }],
    ['No. of shares is not a number', { 'No. of shares': 'two' }],
    ['it has no quantity', { 'No. of shares': ' ' }],
    ['it has no ticker', { Ticker: '' }],
    ['it has no amount', { Action: 'Deposit', Total: '' }],
    ['it has no amount', { Action: 'Dividend (Ordinary)', Total: '' }],
    ['Result and Total are in different currencies', { 'Currency (Result)': 'EUR' }],
  ])('is counted with the reason that %s: %j', async (reason, change) => {
    const result = await read(sale, { ...sale, ...change }, deposit);
    expect(result.unread.map((row) => [row.line, row.action])).toEqual([[3, { ...sale, ...change }.Action]]);
    expect(result.unread[0]?.reason.split(', ')).toContain(reason);
    expect([result.orders.length, result.transactions.length, result.totalRows]).toEqual([1, 1, 3]);
    expect(result.isComplete).toBe(true);
  });

  test('is one with more cells than the header, unless they are empty', async () => {
    const [header, ...cells] = [Object.keys(sale), Object.values(sale), Object.values(sale)];
    const { unread, orders } = await readReport(
      csv(header, [...(cells[0] ?? []), '', ''], [...(cells[1] ?? []), 'x']),
      untold,
    );
    expect(orders).toHaveLength(1);
    expect(unread).toEqual([
      {
        line: 3,
        action: 'Market sell',
        code: 'unreadable_row',
        reason: 'it has 15 cells and the header has 14',
        at: undefined,
        kinds: ['orders', 'dividends', 'transactions'],
      },
    ]);
  });

  test('is one whose amount is given twice', async () => {
    const { unread } = await read(reshaped(sale, /Total/, { 'Total (EUR)': '230', 'Total (GBP)': '199.50' }));
    expect(unread[0]?.reason).toContain('Total is in more than one column');
  });

  test('is identified by its line, also after cells with line breaks', async () => {
    const { unread, orders } = await read({ ...sale, Name: 'two\nlines\r\nor three' }, { ...sale, Action: '?' }, sale);
    expect(unread.map(({ line }) => line)).toEqual([5]);
    expect(orders.map(({ line }) => line)).toEqual([2, 6]);
  });
});

describe('a file that was cut off', () => {
  const whole = table(sale, deposit, sale);

  test('is never reported as complete, wherever its last row was cut', async () => {
    const lastRow = whole.trimEnd().lastIndexOf('\n') + 1;
    // After the last comma nothing shows that there was more.
    for (let end = lastRow + 1; end <= whole.lastIndexOf(','); end++) {
      const result = await readReport(whole.slice(0, end), untold);
      expect([end, result.isComplete, result.totalRows]).toEqual([end, false, 3]);
      expect(result.reason).toMatch(
        /^the file ends (in the middle of a row, in|inside a quoted cell, in the row of) line 4$/,
      );
      expect([result.orders.length, result.transactions.length, result.unread.length]).toEqual([1, 1, 1]);
    }
  });

  test('need not end in a line break', async () => {
    expect(await readReport(whole.trimEnd(), untold)).toEqual(await readReport(whole, untold));
  });

  test('a quote that is never closed hides the following rows, and the result says so', async () => {
    const result = await readReport(whole.replace('Inc"', 'Inc'), untold);
    expect(result).toMatchObject({ isComplete: false, reason: expect.stringContaining('quotes do not match') });
    const open = await readReport(`${whole}Deposit,"2025-06-01\nDeposit,2025`, untold);
    expect(open).toMatchObject({
      isComplete: false,
      totalRows: 4,
      unread: [{ line: 5, reason: 'its quotes do not match' }],
    });
    expect(open.reason).toBe('the file ends inside a quoted cell, in the row of line 5');
  });

  test('a short row in the middle is unread, and the file is complete', async () => {
    const result = await readReport(
      `${table(sale)}Deposit,2025-06-01 08:00:00\n${Object.values(deposit).join(',')}\n`,
      untold,
    );
    expect(result).toMatchObject({ isComplete: true, totalRows: 3, unread: [{ line: 3, action: 'Deposit' }] });
  });
});

describe('a file', () => {
  test.each([
    ['CR LF', '\r\n'],
    ['CR', '\r'],
    ['empty lines between', '\n\n'],
  ])('is read with %s as line ends', async (_, lineEnd) => {
    const result = await readReport(table(sale, deposit).replaceAll('\n', lineEnd), untold);
    expect([result.orders.length, result.transactions.length, result.totalRows, result.isComplete]).toEqual([
      1,
      1,
      2,
      true,
    ]);
    expect(result.columns).toEqual(Object.keys(sale));
  });

  test('may begin with a byte order mark', async () => {
    expect(await readReport(`\uFEFF${table(sale)}`, untold)).toEqual(await read(sale));
  });

  test('without rows is complete', async () => {
    expect(await readReport(`${Object.keys(sale).join(',')}\n`, untold)).toMatchObject({
      totalRows: 0,
      isComplete: true,
    });
  });

  test.each([
    ['nothing', ''],
    ['a byte order mark', '\uFEFF'],
    ['a web page', '<!doctype html>\n<title>Sign in, please</title>'],
    ['JSON', '{"Action":"Time","Total":1}'],
    ['bytes', String.fromCharCode(...Array.from({ length: 4096 }, (_, index) => (index * 7919) % 256))],
    ['a header without a time', csv(['Action', 'Result', 'Total'])],
    ['a header without an action', csv(['Time', 'Total'])],
    ['times of another zone', csv(['Action', 'Time (CET)', 'Total'])],
    ['a header with an open quote', 'Action,Time,Total,"Currency (Total)\nDeposit,2025-06-01 08:00:00,5,GBP\n'],
  ])('with %s is not a report', async (_, text) => {
    await expect(readReport(text, untold)).rejects.toEqual(
      expect.objectContaining({ code: 'unexpected_answer', next: 'Request the report again.' }),
    );
  });
});
