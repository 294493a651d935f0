/** Parses the column `Action` of a report, which has the kind of a row. */
import { dividendTypes, type FillType } from '../../../core/endpoints/history.ts';
import { constantCase } from './parse-cell.ts';

export type Action =
  | { readonly kind: 'order'; readonly side: 'BUY' | 'SELL'; readonly type: string }
  /** Shares that a corporate action adds or removes. Without a side, the sign of the quantity has the direction. */
  | { readonly kind: 'corporate'; readonly side: 'BUY' | 'SELL' | undefined; readonly type: FillType }
  /** Shares from or to another broker; a row without shares moves cash. */
  | { readonly kind: 'transfer'; readonly side: 'BUY' | 'SELL' }
  | { readonly kind: 'dividend'; readonly type: string }
  /** A correction of a dividend; a row without an instrument is a booking of cash. */
  | { readonly kind: 'dividendAdjustment' }
  /** Cash changed from one currency to another, with an amount for each side. */
  | { readonly kind: 'conversion' }
  | { readonly kind: 'transaction'; readonly type: string };

const trade = /^(market|limit|stop|stop limit) (buy|sell)$/;
const corporate = /^(.+?)(?: (open|close))?$/;
const dividend = /^dividend(?: ?\((.+)\))?$/;

const fillTypeByAction: Readonly<Record<string, FillType>> = {
  'stock split': 'STOCK_SPLIT',
  'stock distribution': 'STOCK_DISTRIBUTION',
  'custom stock distribution': 'CUSTOM_STOCK_DISTRIBUTION',
  'equity rights': 'EQUITY_RIGHTS',
  scrip: 'SCRIP_STOCK_DIVIDENDS',
  'scrip stock dividends': 'SCRIP_STOCK_DIVIDENDS',
  'stock dividends': 'STOCK_DIVIDENDS',
  'stock acquisition': 'STOCK_ACQUISITION',
  'cash and stock acquisition': 'CASH_AND_STOCK_ACQUISITION',
  'spin off': 'SPIN_OFF',
};

/**
 * Names that differ from those of the API. The API's list of four types has only `DEPOSIT`, `WITHDRAW`, `FEE` and
 * `TRANSFER`. A card payment is money that the owner spent and no fee; the price of a card is one.
 */
const transactions: Readonly<Record<string, string>> = {
  deposit: 'DEPOSIT',
  withdrawal: 'WITHDRAW',
  'bank transfer': 'TRANSFER',
  'interest on cash': 'INTEREST_ON_FREE_CASH',
  'lending interest': 'LENDING_INTEREST',
  'share lending interest': 'LENDING_INTEREST',
  'card debit': 'CARD_DEBIT',
  'card credit': 'CARD_CREDIT',
  'card refund': 'CARD_REFUND',
  'spending cashback': 'SPENDING_CASHBACK',
  'new card cost': 'FEE',
  'result adjustment': 'RESULT_ADJUSTMENT',
};

const find = <Value>(table: Readonly<Record<string, Value>>, name: string): Value | undefined =>
  Object.hasOwn(table, name) ? table[name] : undefined;

/** The meaning of an action cell; undefined if it is unknown. */
export function readAction(cell: string): Action | undefined {
  const words = cell.trim().replace(/\s+/g, ' ').toLowerCase();
  const paid = dividend.exec(words);
  if (paid) return { kind: 'dividend', type: dividendType(paid[1] ?? 'dividend') };
  const [, orderType, way] = trade.exec(words) ?? [];
  if (orderType) return { kind: 'order', side: way === 'buy' ? 'BUY' : 'SELL', type: constantCase(orderType) };
  const [, name = '', end] = corporate.exec(words.replaceAll('-', ' ')) ?? [];
  const fillType = find(fillTypeByAction, name);
  if (fillType) return { kind: 'corporate', side: end && (end === 'open' ? 'BUY' : 'SELL'), type: fillType } as Action;
  if (words === 'transfer in' || words === 'transfer out')
    return { kind: 'transfer', side: words === 'transfer in' ? 'BUY' : 'SELL' };
  if (words === 'dividend adjustment') return { kind: 'dividendAdjustment' };
  if (words === 'currency conversion') return { kind: 'conversion' };
  const type = find(transactions, words);
  if (type) return { kind: 'transaction', type };
  return /\bfees?\b/.test(words) ? { kind: 'transaction', type: 'FEE' } : undefined;
}

const letters = (name: string) => name.replace(/[^\p{L}\p{N}]/gu, '').toUpperCase();
const typeByLetters = new Map<string, string>(dividendTypes.map((type) => [letters(type), type]));

/** The API's dividend type with the same letters (`Non-U.S.` is `NON_US`); other names are kept in constant case. */
const dividendType = (words: string): string => typeByLetters.get(letters(words)) ?? constantCase(words);
