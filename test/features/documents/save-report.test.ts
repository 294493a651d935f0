/** Files for other programs, read back with what their manuals say of the format, against the books of the account. */
// @module-tag server
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import Big from 'big.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Fields, readResult } from '../../../src/features/views/model/read-answer.ts';
import { type DocumentModel, readDocument } from '../../../src/features/views/model/read-document.ts';
import { drawDocument } from '../../../src/features/views/render/draw-document.ts';
import { formatMoney } from '../../../src/features/views/render/format-values.ts';
import { readWhole } from '../../support/fake-history.ts';
import { type Setup, setup } from '../../support/setup.ts';
import { findModelText } from '../views/model-text.ts';

let made: Setup;
beforeAll(async () => {
  made = await setup({ atEnd: afterAll });
});

/** RFC 4180, for tables of this program: cells without line breaks. */
function parseCsv(text: string): string[][] {
  return text
    .trimEnd()
    .split('\n')
    .map((line) =>
      [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)].map(([, quoted, bare]) =>
        quoted === undefined ? (bare ?? '') : quoted.replaceAll('""', '"'),
      ),
    );
}

const sumOf = (amounts: readonly (Big | string | number)[]): Big =>
  amounts.reduce<Big>((sum, amount) => sum.plus(amount), new Big(0));

/** What the books of the account hold now. */
const booked = () => {
  const { cash, positions } = made.simulator.groundTruth();
  return {
    cash: new Big(cash.total).toFixed(2),
    shares: Object.fromEntries(
      positions.map(({ ticker, quantity }) => [ticker, new Big(quantity).toFixed()]).toSorted(),
    ),
  };
};

/** The shares that corporate actions added; only some formats have them. */
const splits = () =>
  made.simulator
    .groundTruth()
    .history.flatMap(({ order, fill }) =>
      fill && fill.type !== 'TRADE' ? [[order.ticker, new Big(fill.quantity)] as const] : [],
    );

const toShares = (changes: readonly (readonly [ticker: string, change: Big])[]) => {
  const shares = new Map<string, Big>();
  for (const [ticker, change] of changes) shares.set(ticker, (shares.get(ticker) ?? new Big(0)).plus(change));
  return Object.fromEntries(
    [...shares]
      .filter(([, count]) => !count.eq(0))
      .map(([ticker, count]) => [ticker, count.toFixed()] as const)
      .toSorted(),
  );
};

async function save(args: object) {
  const { body, content } = await callWithContent(args);
  return { body, content, text: readFileSync(body.path, 'utf8') };
}

async function callWithContent(args: object) {
  const { body } = await made.call('save_report', { ...args });
  const result = await made.client.callTool({ name: 'save_report', arguments: { ...args } });
  return { body, content: result.content as readonly Record<string, unknown>[] };
}

test('a file is kept for its owner alone, and the result links to it', { tags: ['slow'] }, async () => {
  const { body, content } = await save({ kind: 'cgt_calc' });
  expect(statSync(body.path).mode & 0o777).toBe(0o600);
  expect(fileURLToPath(body.uri)).toBe(body.path);
  expect(content.slice(1)).toEqual([
    { type: 'resource_link', uri: body.uri, name: 'cgt-calc.csv', mimeType: 'text/csv' },
  ]);
  expect(body.message).toContain(body.path);
});

describe('the records', () => {
  beforeAll(async () => {
    for (const kind of ['orders', 'dividends', 'transactions']) await readWhole(made, kind);
  });

  test('of Portfolio Performance add up to the cash and the shares', { tags: ['slow'] }, async () => {
    const { body, text } = await save({ kind: 'portfolio_performance' });
    const [columns = [], ...lines] = parseCsv(text);
    const rows = lines.map((cells) => Object.fromEntries(columns.map((name, at) => [name, cells[at] ?? ''])));
    // Its manual: Value is always positive, and the type says whether it is paid or received.
    const paid = new Set(['Buy', 'Removal', 'Fees', 'Interest Charge', 'Taxes']);
    const received = new Set(['Sell', 'Deposit', 'Dividend', 'Interest', 'Fees Refund', 'Tax Refund']);
    expect(rows.filter(({ Type = '' }) => !paid.has(Type) && !received.has(Type))).toEqual([]);
    expect(rows.filter(({ Value = '' }) => !/^\d+\.\d\d$/.test(Value))).toEqual([]);
    const cash = sumOf(rows.map(({ Type = '', Value = '' }) => (paid.has(Type) ? `-${Value}` : Value)));
    const shares = toShares(
      rows
        .filter(({ Type }) => Type === 'Buy' || Type === 'Sell')
        .map(
          (row) => [row['Ticker Symbol'] ?? '', new Big(row.Shares ?? '').times(row.Type === 'Buy' ? 1 : -1)] as const,
        )
        .concat(splits()),
    );
    expect({ cash: cash.toFixed(2), shares }).toEqual(booked());
    const [[ticker] = []] = splits();
    expect(body.lacks).toEqual([
      `The format has no place for corporate actions: enter them in the other program (stock split of ${ticker}).`,
    ]);
    expect(body.complete).toBe(false);
  });

  test('of cgt-calc add up to the cash and the shares', { tags: ['slow'] }, async () => {
    const { text } = await save({ kind: 'cgt_calc' });
    const rows = parseCsv(text);
    expect(rows.filter((cells) => cells.length !== 7)).toEqual([]);
    // Its parser: the amount is price times quantity, below zero for a purchase, less fees.
    const amounts = rows.map(([, action, , quantity = '', price = '', fees = '']) => {
      const value = new Big(price).times(quantity);
      return (action === 'BUY' ? value.abs().times(-1) : value).minus(fees);
    });
    const shares = toShares(
      rows
        .filter(([, action = '']) => ['BUY', 'SELL', 'STOCK_SPLIT'].includes(action))
        .map(([, action, symbol = '', quantity = '']) => [symbol, new Big(quantity).times(action === 'SELL' ? -1 : 1)]),
    );
    expect({ cash: sumOf(amounts).toFixed(2), shares }).toEqual(booked());
    expect(new Set(rows.map(([date = '']) => /^\d{4}-\d\d-\d\d$/.test(date)))).toEqual(new Set([true]));
    expect(new Set(rows.map(([, action]) => action))).toEqual(
      new Set(['BUY', 'SELL', 'STOCK_SPLIT', 'DIVIDEND', 'INTEREST', 'FEE', 'TRANSFER']),
    );
  });

  test('of Ghostfolio have every trade in the currency of its prices, and say that cash is not in them', {
    tags: ['slow'],
  }, async () => {
    const { body, text } = await save({ kind: 'ghostfolio' });
    const { activities } = JSON.parse(text) as {
      activities: {
        type: string;
        symbol: string;
        quantity: number;
        unitPrice: number;
        currency: string;
        fee: number;
      }[];
    };
    const { history, positions } = made.simulator.groundTruth();
    const trades = activities.filter(({ type }) => type === 'BUY' || type === 'SELL');
    expect(trades).toHaveLength(history.filter(({ fill }) => fill?.type === 'TRADE').length);
    const isins = await isinsOf(positions.map(({ ticker }) => ticker));
    const held = toShares([
      ...trades.map(
        ({ symbol, quantity, type }) => [symbol, new Big(quantity).times(type === 'BUY' ? 1 : -1)] as const,
      ),
      ...splits().map(([ticker, change]) => [isins.get(ticker) ?? ticker, change] as const),
    ]);
    const booked = toShares(positions.map(({ ticker, quantity }) => [isins.get(ticker) ?? ticker, new Big(quantity)]));
    expect(held).toEqual(booked);
    expect(new Set(activities.map(({ currency }) => currency)).has('GBX')).toBe(false);
    expect(body.lacks.slice(1)).toEqual([expect.stringMatching(/no place for cash that was moved: \d+ bookings\.$/)]);
  });

  test('of beancount balance, each transaction by itself and in the sum', { tags: ['slow'] }, async () => {
    const { body, text } = await save({ kind: 'beancount' });
    const entries = text
      .trimEnd()
      .split('\n\n')
      .filter((entry) => / \* "/.test(entry));
    const postings = entries.map((entry) =>
      entry
        .split('\n')
        .slice(1)
        .map((line) => line.trim().split(/ +/)),
    );
    // A posting with a total price weighs it, with the sign of its amount.
    const weigh = ([, amount = '', , , total]: readonly string[]): Big =>
      total === undefined ? new Big(amount) : new Big(total).times(amount.startsWith('-') ? -1 : 1);
    const unbalanced = postings.filter((lines) => !sumOf(lines.map(weigh)).eq(0));
    expect(unbalanced).toEqual([]);
    const cash = sumOf(
      postings.flat().flatMap(([account, amount = '']) => (account === 'Assets:Broker:Cash' ? [amount] : [])),
    );
    expect(cash.toFixed(2)).toBe(booked().cash);
    // The program itself, where it is installed.
    if (existsSync('/usr/bin/bean-check'))
      expect(execFileSync('/usr/bin/bean-check', [body.path], { encoding: 'utf8' })).toBe('');
  });
});

/** The ISINs of tickers, as the list of instruments has them. */
async function isinsOf(tickers: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const found = await Promise.all(
    tickers.map(async (ticker) => {
      const { body } = await made.call('search_instruments', { query: ticker, limit: 1 });
      const isin = body.rows[0]?.[body.columns.indexOf('isin')] as string;
      return [ticker, isin] as const;
    }),
  );
  return new Map(found);
}

test('a report is a page that loads nothing, with the parts that the terminal writes', { tags: ['slow'] }, async () => {
  const { body, text } = await save({ kind: 'report' });
  expect(body.path).toMatch(/report\.html$/);
  expect(text).toMatch(/^<!doctype html>/i);
  for (const part of ['Allocation', 'Profit and loss', 'Dividends', 'Realised gains and losses', 'Returns', 'Costs'])
    expect(text).toContain(part);
});

/** What a host hands to the view. */
async function drawn(args: object) {
  const result = await made.client.callTool({ name: 'save_report', arguments: { ...args } });
  const said = readResult(result) as { readonly body: Fields };
  const model = readDocument(said.body) as DocumentModel;
  const { markup } = drawDocument(model, { locale: 'en-GB', timeZone: 'UTC' });
  return { markup, bytes: JSON.stringify(result._meta).length, body: said.body };
}

test('the picture of a report has its main figures and no rows', { tags: ['slow'] }, async () => {
  const { body: portfolio } = await made.call('analyze_portfolio', {});
  const { body: gains } = await made.call('summarize_realised_gains', { method: 'broker' });
  const { markup, bytes } = await drawn({ kind: 'report' });
  const money = (amount: string) => formatMoney(amount, 'GBP', { locale: 'en-GB' });
  expect(markup).toContain(money(portfolio.totalValue));
  expect(markup).toContain(money(gains.totals.gain).replace(/^(?=£)/, '+'));
  expect(markup).not.toContain('<table');
  expect(bytes).toBeLessThan(8_000);
  expect(findModelText(markup)).toEqual([]);
});

test('the picture of a tax pack has the totals of the year, and that of records what the file is', {
  tags: ['slow'],
}, async () => {
  const pack = await drawn({ kind: 'tax_pack', taxYear: '2025/26' });
  for (const text of ['Gains (box 26)', 'Dividends by country and treatment', 'Interest'])
    expect(pack.markup).toContain(text);
  expect(pack.markup).not.toContain('Disposals and their matches');
  const records = await drawn({ kind: 'cgt_calc' });
  expect(records.markup).toContain('>Records for cgt-calc</h2>');
  expect(records.markup).toContain(String(records.body.path));
  expect(records.bytes).toBeLessThan(1_000);
  expect([pack, records].map(({ markup }) => findModelText(markup))).toEqual([[], []]);
});

test('a tax pack is a page and a CSV file for each of its tables', { tags: ['slow'] }, async () => {
  const { body } = await save({ kind: 'tax_pack', taxYear: '2025/26' });
  const names = (body.files as string[]).map((path) => path.split('/').at(-1));
  expect(names).toContain('tax-pack.html');
  expect(names).toContain('notes.csv');
  expect(names.filter((name) => name?.endsWith('.csv')).length).toBe(names.length - 1);
  for (const path of body.files as string[]) expect(statSync(path).mode & 0o777).toBe(0o600);
});

test.each([
  [{ kind: 'tax_pack' }, 'taxYear'],
  [{ kind: 'report', taxYear: '2025/26' }, 'taxYear'],
  [{ kind: 'pdf' }, 'must be report, tax_pack, portfolio_performance, ghostfolio, cgt_calc, beancount'],
])('%j is refused, and names what is wrong', async (args, text) => {
  const { isError, body } = await made.call('save_report', args);
  expect([isError, body.code]).toEqual([true, 'invalid_argument']);
  expect(body.message).toContain(text);
});
