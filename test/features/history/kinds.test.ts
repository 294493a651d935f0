/** The keys of rows: equal rows of a page stay apart, and a second read of a row does not store it twice. */
import { expect, test } from 'vitest';
import { kinds, rowKeys } from '../../../src/features/history/kinds.ts';
import { createMemoryHistory } from '../../../src/features/history/memory-store.ts';
import type { HistoryStore } from '../../../src/features/history/row-store.ts';
import { dayMs, deposit, dividend, mirrorOn, startAt } from '../../support/fake-history.ts';

const paidAt = startAt - 10 * dayMs;
const paid = (amount: string, name = 1) => dividend(paidAt, name, { amount, quantity: '1' });

type Pages = readonly (readonly unknown[])[];

/** The amounts that a mirror has after reading the pages; with `later`, after reading these too. */
async function amountsOf(pages: Pages, later?: Pages, store: HistoryStore = createMemoryHistory()) {
  let list = pages;
  const { mirror, context, requests } = mirrorOn(store, (from) => {
    const page = Number(from?.cursor ?? 0);
    return { items: list[page] ?? [], ...(page + 1 < list.length ? { next: { cursor: String(page + 1) } } : {}) };
  });
  const read = () => mirror.read({ kind: 'dividends' }, { context: context(60_000) });
  let result = await read();
  if (later) {
    const before = requests();
    list = later;
    result = await read();
    expect(requests()).toBeGreaterThan(before);
  }
  expect(result.coverage.complete).toBe(true);
  return result.rows.map(({ amount }) => amount).sort();
}

test('payments of one page with one reference all count', async () => {
  expect(await amountsOf([[paid('10'), paid('7')]])).toEqual(['10', '7']);
  expect(await amountsOf([[paid('10'), paid('10')]])).toEqual(['10', '10']);
});

test('a payment, its reversal and its correction with one reference add up, on one page or on three', async () => {
  const rows = [paid('9'), paid('-10'), paid('10')];
  expect(await amountsOf([rows])).toEqual(['-10', '10', '9']);
  expect(await amountsOf(rows.map((row) => [row]))).toEqual(['-10', '10', '9']);
});

test('a row that is read again is stored once, also where pages begin elsewhere', async () => {
  const rows = [paid('9'), paid('-10'), paid('10'), paid('10')];
  for (const later of [[rows], [rows.slice(0, 3), rows.slice(2)], [rows.slice(0, 1), rows.slice(1)]])
    expect(await amountsOf([rows], later)).toEqual(['-10', '10', '10', '9']);
  expect(await amountsOf([rows.slice(0, 2), rows.slice(2)], [rows])).toEqual(['-10', '10', '10', '9']);
});

test('both legs of a currency conversion count', () => {
  const legs = ['GBP', 'USD'].map((currency) => deposit(paidAt, 1, { amount: '5', currency }));
  expect(new Set(rowKeys(kinds.transactions, legs as never)).size).toBe(2);
});
