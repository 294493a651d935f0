/** Parses the column `Action` of a report, which has the kind of a row. */
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

/**
 * Names that differ from those of the API. The API's list of four types has no `INTEREST_ON_FREE_CASH` and no
 * `LENDING_INTEREST`.
 */
const transactions: Readonly<Record<string, string>> = {
  deposit: 'DEPOSIT',
  withdrawal: 'WITHDRAW',
  'interest on cash': 'INTEREST_ON_FREE_CASH',
  'lending interest': 'LENDING_INTEREST',
  'card debit': 'FEE',
};

/** The meaning of an action cell; undefined if it is unknown. */
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

/** The API's dividend type with the same letters (`Non-U.S.` is `NON_US`); other names are kept in constant case. */
const dividendType = (words: string): string => typeByLetters.get(letters(words)) ?? constantCase(words);
