/** One list of what happened in an account, for files that other programs read: trades, dividends and cash. */

import Big from 'big.js';
import type { Dividend, Transaction } from '../../core/endpoints/index.ts';
import { countOf } from '../../core/text/count-of.ts';
import { isFeeType, isInterestType, toCashFlows } from '../analytics/cash-flows.ts';
import { toPayments } from '../analytics/dividend-payments.ts';
import { computeDividendTax } from '../analytics/dividend-tax.ts';
import { type Trade, toChange } from '../analytics/trades.ts';

interface RecordBase {
  /** Milliseconds since 1970, UTC. */
  readonly at: number;
  /** What it added to the cash, or took from it (below zero), after charges and taxes. */
  readonly net: Big;
  /** The currency of `net` and of every amount beside it. */
  readonly currency: string;
}

export interface Security {
  readonly ticker: string;
  readonly isin: string | undefined;
  /** Undefined where no list of the service has it. */
  readonly name: string | undefined;
  /** The currency of its prices; GBX is pence. */
  readonly priceCurrency: string | undefined;
}

export interface TradeRecord extends RecordBase {
  readonly kind: 'buy' | 'sell';
  readonly security: Security;
  /** More than zero. */
  readonly quantity: Big;
  /** Per share, in `priceCurrency`; undefined where the service reported none. */
  readonly price: Big | undefined;
  /** Above zero was charged, below zero refunded; part of `net`. */
  readonly charges: Big;
  readonly id: string | undefined;
}

export interface DividendRecord extends RecordBase {
  readonly kind: 'dividend';
  readonly security: Security;
  readonly quantity: Big | undefined;
  /** Withheld tax; undefined when no row names it. */
  readonly withheld: Big | undefined;
  readonly id: string | undefined;
}

export interface CashRecord extends RecordBase {
  readonly kind: 'deposit' | 'withdrawal' | 'interest' | 'fee' | 'other';
  /** The type as the service wrote it. */
  readonly type: string;
}

/** A corporate action, such as a split or a spin-off. */
export interface ActionRecord extends RecordBase {
  readonly kind: 'action';
  readonly security: Security;
  /** The shares that it added, below zero for those that it removed. */
  readonly change: Big;
  /** The type as the service wrote it. */
  readonly type: string;
}

export type AccountRecord = TradeRecord | DividendRecord | CashRecord | ActionRecord;

export interface AccountBooks {
  /** Oldest first. */
  readonly records: readonly AccountRecord[];
  /** What is in no record, as sentences; a file of these records does not add up with the account there. */
  readonly leftOut: readonly string[];
}

export interface BookRows {
  readonly trades: readonly Trade[];
  readonly dividends: readonly Dividend[];
  readonly transactions: readonly Transaction[];
  /** Of the account, for rows that name none. */
  readonly currency: string;
  readonly nameOf: (ticker: string) => string | undefined;
}

/** Pure. */
export function toAccountBooks(rows: BookRows): AccountBooks {
  const converted = rows.trades.map((trade) =>
    trade.type === 'TRADE' ? toTradeRecord(trade, rows) : toActionRecord(trade, rows),
  );
  const payments = toDividendRecords(rows);
  const flows = toCashFlows(rows.transactions);
  const kindless = flows.filter((flow) => nameKind(flow) === undefined);
  const cash = flows.flatMap((flow): CashRecord[] => {
    const kind = nameKind(flow);
    const { at, amount, currency = rows.currency, type } = flow;
    return kind === undefined ? [] : [{ kind, at, net: amount, currency, type }];
  });
  const withoutValue = converted.filter((record) => record === undefined).length;
  const withoutDate = payments.filter((record) => record === undefined).length;
  return {
    records: [...converted, ...payments, ...cash].filter((record) => record !== undefined).sort((a, b) => a.at - b.at),
    leftOut: [
      ...(withoutValue > 0
        ? [
            `${countOf(withoutValue, 'fill')} without a quantity or an amount of money ${isOrAre(withoutValue)} not in the file.`,
          ]
        : []),
      ...(withoutDate > 0
        ? [`${countOf(withoutDate, 'dividend')} without a date or an amount ${isOrAre(withoutDate)} not in the file.`]
        : []),
      ...(kindless.length > 0
        ? [`${countOf(kindless.length, 'booking')} of 0.00 ${isOrAre(kindless.length)} not in the file.`]
        : []),
    ],
  };
}

const isOrAre = (count: number): string => (count === 1 ? 'is' : 'are');

function toTradeRecord(trade: Trade, rows: BookRows): TradeRecord | undefined {
  const { at, side, quantity, price, netValue, valueCurrency: currency = rows.currency } = trade;
  if (netValue === undefined || !quantity.gt(0)) return undefined;
  const isBuy = side === 'BUY';
  return {
    kind: isBuy ? 'buy' : 'sell',
    at,
    security: toSecurity(trade, rows),
    quantity,
    price,
    net: isBuy ? netValue.times(-1) : netValue,
    // A charge in another currency stays in the price: it cannot be taken out without a rate.
    charges: trade.charges
      .filter((charge) => (charge.currency ?? currency) === currency)
      .reduce((sum, { amount }) => sum.plus(amount), new Big(0)),
    currency,
    id: trade.fillId ?? trade.orderId,
  };
}

function toActionRecord(trade: Trade, rows: BookRows): ActionRecord | undefined {
  const { at, side, type, netValue = new Big(0), valueCurrency: currency = rows.currency } = trade;
  if (trade.quantity.eq(0) && netValue.eq(0)) return undefined;
  const net = side === 'BUY' ? netValue.times(-1) : netValue;
  return { kind: 'action', at, security: toSecurity(trade, rows), change: toChange(trade), net, currency, type };
}

const toSecurity = ({ ticker, isin, currency }: Trade, { nameOf }: BookRows): Security => ({
  ticker,
  isin,
  name: nameOf(ticker),
  priceCurrency: currency,
});

function toDividendRecords({ dividends, currency: own, nameOf }: BookRows): (DividendRecord | undefined)[] {
  const { payments } = toPayments(dividends, own);
  return payments.map(({ at, ticker, amount, currency = own, quantity, row }): DividendRecord | undefined => {
    if (at === undefined || amount === undefined) return undefined;
    return {
      kind: 'dividend',
      at,
      security: {
        ticker,
        isin: row.instrument?.isin,
        name: row.instrument?.name ?? nameOf(ticker),
        priceCurrency: row.tickerCurrency ?? row.instrument?.currency,
      },
      quantity: quantity === undefined ? undefined : new Big(quantity).abs(),
      withheld: computeDividendTax(row, currency).ownWithheld,
      net: new Big(amount),
      currency,
      id: row.reference,
    };
  });
}

function nameKind({
  type,
  amount,
  isExternal,
}: ReturnType<typeof toCashFlows>[number]): CashRecord['kind'] | undefined {
  if (amount.eq(0)) return undefined;
  if (isExternal) return amount.gt(0) ? 'deposit' : 'withdrawal';
  if (isInterestType(type)) return 'interest';
  return isFeeType(type) ? 'fee' : 'other';
}

/** What a file says beside its records. */
export interface FileContext {
  readonly title: string;
  /** Milliseconds since 1970. */
  readonly madeAt: number;
  /** Of the account. */
  readonly currency: string;
  /** YYYY-MM-DD, in the time zone of the account. */
  readonly toDate: (at: number) => string;
  /** hh:mm:ss, in the time zone of the account. */
  readonly toTime: (at: number) => string;
}

/** What was traded before charges, more than zero unless the charges exceed it; in the currency of the record. */
export const toGross = ({ kind, net, charges }: TradeRecord): Big =>
  kind === 'buy' ? net.times(-1).minus(charges) : net.plus(charges);
