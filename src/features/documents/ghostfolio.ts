/**
 * The activities that Ghostfolio imports as JSON. It finds securities by their ISIN and keeps an activity in the
 * currency of the security's prices, so charges are converted at the rate of their own fill.
 */

import type Big from 'big.js';
import {
  type AccountRecord,
  type DividendRecord,
  type FileContext,
  type Security,
  type TradeRecord,
  toGross,
} from './account-records.ts';

interface Activity {
  readonly comment: string | null;
  readonly currency: string;
  readonly dataSource: 'YAHOO' | 'MANUAL';
  readonly date: string;
  readonly fee: number;
  readonly quantity: number;
  readonly symbol: string;
  readonly type: 'BUY' | 'SELL' | 'DIVIDEND' | 'INTEREST' | 'FEE';
  readonly unitPrice: number;
}

const feeDecimals = 4;

export function writeGhostfolio(records: readonly AccountRecord[], { madeAt }: FileContext): string {
  const activities = records.flatMap((record) => toActivity(record) ?? []);
  const meta = { date: new Date(madeAt).toISOString(), version: 'brokerage-mcp' };
  return `${JSON.stringify({ meta, activities }, null, 2)}\n`;
}

/** What the file cannot hold: Ghostfolio keeps the cash of an account as a balance, and not as bookings. */
export const isGhostfolioActivity = (record: AccountRecord): boolean => toActivity(record) !== undefined;

/** In its spelling of pence. */
const toCurrency = (currency: string): string => (currency === 'GBX' ? 'GBp' : currency);

const ofSecurity = ({ isin, ticker }: Security) => ({ dataSource: 'YAHOO', symbol: isin ?? ticker }) as const;

function toActivity(record: AccountRecord): Activity | undefined {
  const date = new Date(record.at).toISOString();
  const toMoney = (type: 'INTEREST' | 'FEE', amount: Big): Activity => ({
    comment: 'type' in record ? record.type : null,
    currency: record.currency,
    dataSource: 'MANUAL',
    date,
    fee: type === 'FEE' ? amount.toNumber() : 0,
    quantity: type === 'FEE' ? 0 : 1,
    symbol: type === 'FEE' ? 'Fee' : 'Interest',
    type,
    unitPrice: type === 'FEE' ? 0 : amount.toNumber(),
  });
  switch (record.kind) {
    case 'buy':
    case 'sell':
      return { date, ...ofSecurity(record.security), ...toTrade(record) };
    case 'dividend':
      return { date, ...ofSecurity(record.security), ...toDividend(record) };
    case 'interest':
      return toMoney('INTEREST', record.net);
    case 'fee':
      return toMoney('FEE', record.net.times(-1));
    case 'deposit':
    case 'withdrawal':
    case 'other':
    case 'action':
      return undefined;
  }
}

function toTrade(record: TradeRecord) {
  const { quantity, price, charges, security, currency, id } = record;
  const gross = toGross(record);
  const own = price !== undefined && security.priceCurrency !== undefined;
  const unit = own ? price : gross.div(quantity);
  // Units of the price's currency for one of the record's.
  const rate = own && !gross.eq(0) ? price.times(quantity).div(gross) : undefined;
  return {
    comment: id ?? null,
    currency: own ? toCurrency(security.priceCurrency) : currency,
    fee: charges
      .times(rate ?? 1)
      .round(feeDecimals)
      .toNumber(),
    quantity: quantity.toNumber(),
    type: record.kind === 'buy' ? ('BUY' as const) : ('SELL' as const),
    unitPrice: unit.toNumber(),
  };
}

/** As it was paid, in the currency of the account: a rate for it is not known. */
const toDividend = ({ net, quantity, currency, id }: DividendRecord) => ({
  comment: id ?? null,
  currency,
  fee: 0,
  quantity: quantity?.gt(0) ? quantity.toNumber() : 1,
  type: 'DIVIDEND' as const,
  unitPrice: quantity?.gt(0) ? net.div(quantity).toNumber() : net.toNumber(),
});
