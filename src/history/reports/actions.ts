/** The column `Action` of a report: what kind of row it is. */
import { dividendTypes } from '../../catalogue/history.ts';
import { constantCase } from './parse-cell.ts';

export type Action =
  | { readonly kind: 'order'; readonly side: 'BUY' | 'SELL'; readonly type: string }
  | { readonly kind: 'split'; readonly side: 'BUY' | 'SELL' }
  | { readonly kind: 'dividend'; readonly type: string }
  | { readonly kind: 'transaction'; readonly type: string };

const trade = /^(market|limit|stop|stop limit) (buy|sell)$/;
const split = /^stock split (open|close)$/;
const dividend = /^dividend(?: ?\((.+)\))?$/;

/** Words that differ from the interface's own; `INTEREST_ON_FREE_CASH` and `LENDING_INTEREST` are beyond its four. */
const transactions: Readonly<Record<string, string>> = {
  deposit: 'DEPOSIT',
  withdrawal: 'WITHDRAW',
  'interest on cash': 'INTEREST_ON_FREE_CASH',
  'lending interest': 'LENDING_INTEREST',
  'card debit': 'FEE',
};

/** What the action means; undefined for one that is not known. */
export function readAction(cell: string): Action | undefined {
  const words = cell.trim().replace(/\s+/g, ' ').toLowerCase();
  const [, orderType, way] = trade.exec(words) ?? [];
  if (orderType) return { kind: 'order', side: way === 'buy' ? 'BUY' : 'SELL', type: constantCase(orderType) };
  const [, end] = split.exec(words) ?? [];
  if (end) return { kind: 'split', side: end === 'open' ? 'BUY' : 'SELL' };
  const paid = dividend.exec(words);
  if (paid) return { kind: 'dividend', type: dividendType(paid[1] ?? 'dividend') };
  const type = Object.hasOwn(transactions, words) ? transactions[words] : undefined;
  if (type) return { kind: 'transaction', type };
  return /\bfees?\b/.test(words) ? { kind: 'transaction', type: 'FEE' } : undefined;
}

const letters = (name: string) => name.replace(/[^\p{L}\p{N}]/gu, '').toUpperCase();
const typeByLetters = new Map<string, string>(dividendTypes.map((type) => [letters(type), type]));

/** The interface's type with the same letters (`Non-U.S.` is `NON_US`); other words are kept. */
const dividendType = (words: string): string => typeByLetters.get(letters(words)) ?? constantCase(words);
