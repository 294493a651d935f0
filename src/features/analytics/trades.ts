/** Converts rows of the order history to trades, independent of the signs and missing fields of a service. */
import type Big from 'big.js';
import type { HistoricalOrder } from '../../core/endpoints/index.ts';
import { getTicker } from '../../core/endpoints/instruments.ts';
import { DecimalColumn, IdColumn, NameColumn, NumberColumn } from './columns.ts';

/** One execution. Amounts are in the account's currency, `price` in the instrument's (GBX is pence). */
export interface Trade {
  /** Milliseconds since 1970, UTC. */
  readonly at: number;
  readonly ticker: string;
  readonly isin: string | undefined;
  /** The instrument's currency. */
  readonly currency: string | undefined;
  readonly side: 'BUY' | 'SELL';
  /** `TRADE`, a corporate action of docs/interface.md (`STOCK_SPLIT`, …), or an unknown type. */
  readonly type: string;
  /** Positive, except when a corporate action removes shares. Zero when the service reported none. */
  readonly quantity: Big;
  readonly price: Big | undefined;
  /** The amount paid or received, including charges; positive. Undefined if the service did not report it. */
  readonly netValue: Big | undefined;
  /** The currency of `netValue` and of the broker's result: that of the account, or of one of its wallets. */
  readonly valueCurrency: string | undefined;
  /** The broker's own result. */
  readonly realisedProfitLoss: Big | undefined;
  /** An amount above zero was charged, one below zero was refunded. */
  readonly charges: readonly { readonly name: string; readonly amount: Big; readonly currency: string | undefined }[];
  readonly orderId: string | undefined;
  readonly fillId: string | undefined;
  /** The name of its account, where the trades of several are one list. */
  readonly account?: string | undefined;
}

/** The holding that a broker keeps: a ticker in one account. */
export const getListing = ({ account, ticker }: Trade): string =>
  account === undefined ? ticker : `${account} ${ticker}`;

/** The trades with the name of their account. */
export const nameAccount = (trades: readonly Trade[], account: string): readonly Trade[] =>
  trades.map((trade) => new OwnedTrade(trade, account));

/** The shares that a row adds. Some services write the quantity of a sale or a removal without a minus. */
export const toChange = ({ side, quantity }: Trade): Big =>
  side === 'SELL' && quantity.gt(0) ? quantity.times(-1) : quantity;

/**
 * Executions of the order history in columns: a few dozen bytes each, where a row and its decimals take thousands. The
 * trades are views that create a decimal when it is read.
 */
export class TradeTable {
  readonly #at = new NumberColumn((length) => new Float64Array(length));
  readonly #flags = new NumberColumn((length) => new Uint8Array(length));
  readonly #tickers = new NameColumn();
  readonly #isins = new NameColumn();
  readonly #currencies = new NameColumn();
  readonly #types = new NameColumn();
  readonly #valueCurrencies = new NameColumn();
  readonly #quantities = new DecimalColumn();
  readonly #prices = new DecimalColumn();
  readonly #netValues = new DecimalColumn();
  readonly #results = new DecimalColumn();
  readonly #orderIds = new IdColumn();
  readonly #fillIds = new IdColumn();
  /** The first charge of each execution in the columns of charges. */
  readonly #firstCharges = new NumberColumn((length) => new Uint32Array(length));
  readonly #chargeNames = new NameColumn();
  readonly #chargeAmounts = new DecimalColumn();
  readonly #chargeCurrencies = new NameColumn();
  readonly #signs = { ofPages: 0, ofReports: 0 };

  /** Adds the execution of a row. Returns false for one without a date or a ticker; a row without an execution has none. */
  add({ order, fill, fromReport }: HistoricalOrder): boolean {
    if (!fill) return true;
    this.#countSigns(fill, fromReport === true);
    const at = Date.parse(fill.filledAt ?? order?.createdAt ?? '');
    const ticker = getTicker(order);
    if (Number.isNaN(at) || ticker === undefined) return false;
    const { walletImpact: impact, quantity = '0' } = fill;
    const isSale = order?.side === 'SELL' || (order?.side === undefined && quantity.startsWith('-'));
    this.#at.add(at);
    this.#flags.add((isSale ? saleFlag : 0) | (fromReport ? reportFlag : 0));
    this.#tickers.add(ticker);
    this.#isins.add(order?.instrument?.isin);
    this.#currencies.add(order?.instrument?.currency ?? order?.currency);
    this.#types.add(fill.type ?? 'TRADE');
    this.#valueCurrencies.add(impact?.currency);
    this.#quantities.add(quantity);
    this.#prices.add(fill.price);
    this.#netValues.add(impact?.netValue);
    this.#results.add(impact?.realisedProfitLoss);
    this.#orderIds.add(order?.id);
    this.#fillIds.add(fill.id);
    this.#firstCharges.add(this.#chargeAmounts.length);
    for (const { name, quantity: amount, currency } of impact?.taxes ?? []) {
      this.#chargeNames.add(name ?? 'UNKNOWN');
      this.#chargeAmounts.add(amount ?? '0');
      this.#chargeCurrencies.add(currency);
    }
    return true;
  }

  /**
   * Most services write charges with a minus, some without; refunds are rare, so the sign of most amounts is theirs. The
   * JSON histories and the CSV reports of one service can differ.
   */
  #countSigns({ walletImpact }: Fill, fromReport: boolean): void {
    for (const { quantity } of walletImpact?.taxes ?? []) {
      if (quantity === undefined || quantity === '0') continue;
      this.#signs[fromReport ? 'ofReports' : 'ofPages'] += quantity.startsWith('-') ? -1 : 1;
    }
  }

  /** All executions, in their order. Rows that were added later come first where nothing else decides. */
  toTrades(): Trade[] {
    for (const column of this.#listColumns()) column.trim();
    const trades = Array.from({ length: this.#at.length }, (_, index) => new TableTrade(this, index));
    return trades.reverse().sort(compareExecution);
  }

  #listColumns() {
    return [
      ...[this.#at, this.#flags, this.#firstCharges, this.#tickers, this.#isins, this.#currencies, this.#types],
      ...[this.#valueCurrencies, this.#quantities, this.#prices, this.#netValues, this.#results, this.#orderIds],
      ...[this.#fillIds, this.#chargeNames, this.#chargeAmounts, this.#chargeCurrencies],
    ];
  }

  /** About how much memory it takes, with the trades. */
  get bytes(): number {
    return this.#listColumns().reduce((sum, { bytes }) => sum + bytes, this.#at.length * bytesPerView);
  }

  getAt = (index: number): number => this.#at.get(index);
  getTicker = (index: number): string => this.#tickers.get(index) as string;
  getIsin = (index: number): string | undefined => this.#isins.get(index);
  getCurrency = (index: number): string | undefined => this.#currencies.get(index);
  getType = (index: number): string => this.#types.get(index) as string;
  getValueCurrency = (index: number): string | undefined => this.#valueCurrencies.get(index);
  getOrderId = (index: number): string | undefined => this.#orderIds.get(index);
  getFillId = (index: number): string | undefined => this.#fillIds.get(index);
  getPrice = (index: number): Big | undefined => this.#prices.get(index);
  getResult = (index: number): Big | undefined => this.#results.get(index);
  isSale = (index: number): boolean => (this.#flags.get(index) & saleFlag) !== 0;

  getQuantity(index: number): Big {
    const quantity = this.#quantities.get(index) as Big;
    return this.getType(index) === 'TRADE' ? absolute(quantity) : quantity;
  }

  getNetValue(index: number): Big | undefined {
    const value = this.#netValues.get(index);
    return value && absolute(value);
  }

  listCharges(index: number): Trade['charges'] {
    const end = index + 1 < this.#at.length ? this.#firstCharges.get(index + 1) : this.#chargeAmounts.length;
    const sign = (this.#flags.get(index) & reportFlag) !== 0 ? this.#signs.ofReports : this.#signs.ofPages;
    const charges: Trade['charges'][number][] = [];
    for (let place = this.#firstCharges.get(index); place < end; place++) {
      const amount = this.#chargeAmounts.get(place) as Big;
      if (sign <= 0 && !amount.eq(0)) amount.s = -amount.s;
      charges.push({
        name: this.#chargeNames.get(place) as string,
        amount,
        currency: this.#chargeCurrencies.get(place),
      });
    }
    return charges;
  }
}

const saleFlag = 1;
const reportFlag = 2;
/** Of a view and of its place in the list of trades. */
const bytesPerView = 48;

type Fill = NonNullable<HistoricalOrder['fill']>;

/** `abs` of big.js copies the number, which nothing else has here. */
function absolute(value: Big): Big {
  value.s = 1;
  return value;
}

/** One execution of a table. */
class TableTrade implements Trade {
  readonly #table: TradeTable;
  readonly #index: number;

  constructor(table: TradeTable, index: number) {
    this.#table = table;
    this.#index = index;
  }

  get at() {
    return this.#table.getAt(this.#index);
  }
  get ticker() {
    return this.#table.getTicker(this.#index);
  }
  get isin() {
    return this.#table.getIsin(this.#index);
  }
  get currency() {
    return this.#table.getCurrency(this.#index);
  }
  get side() {
    return this.#table.isSale(this.#index) ? 'SELL' : 'BUY';
  }
  get type() {
    return this.#table.getType(this.#index);
  }
  get quantity() {
    return this.#table.getQuantity(this.#index);
  }
  get price() {
    return this.#table.getPrice(this.#index);
  }
  get netValue() {
    return this.#table.getNetValue(this.#index);
  }
  get valueCurrency() {
    return this.#table.getValueCurrency(this.#index);
  }
  get realisedProfitLoss() {
    return this.#table.getResult(this.#index);
  }
  get charges() {
    return this.#table.listCharges(this.#index);
  }
  get orderId() {
    return this.#table.getOrderId(this.#index);
  }
  get fillId() {
    return this.#table.getFillId(this.#index);
  }
}

/** A view, because a copy would hold every decimal of the trade. */
class OwnedTrade implements Trade {
  readonly account: string;
  readonly #trade: Trade;

  constructor(trade: Trade, account: string) {
    this.#trade = trade;
    this.account = account;
  }

  get at() {
    return this.#trade.at;
  }
  get ticker() {
    return this.#trade.ticker;
  }
  get isin() {
    return this.#trade.isin;
  }
  get currency() {
    return this.#trade.currency;
  }
  get side() {
    return this.#trade.side;
  }
  get type() {
    return this.#trade.type;
  }
  get quantity() {
    return this.#trade.quantity;
  }
  get price() {
    return this.#trade.price;
  }
  get netValue() {
    return this.#trade.netValue;
  }
  get valueCurrency() {
    return this.#trade.valueCurrency;
  }
  get realisedProfitLoss() {
    return this.#trade.realisedProfitLoss;
  }
  get charges() {
    return this.#trade.charges;
  }
  get orderId() {
    return this.#trade.orderId;
  }
  get fillId() {
    return this.#trade.fillId;
  }
}

/** All trades of the rows, in the order of execution. */
export function toTrades(rows: readonly HistoricalOrder[]): Trade[] {
  const table = new TradeTable();
  for (let index = rows.length - 1; index >= 0; index--) table.add(rows[index] as HistoricalOrder);
  return table.toTrades();
}

/**
 * The order of execution. The service writes times without fractions of a second and numbers fills, and orders, in one
 * ascending series; rows of one moment without such a number keep their order.
 */
export const compareExecution = (
  a: Pick<Trade, 'at' | 'fillId' | 'orderId'>,
  b: Pick<Trade, 'at' | 'fillId' | 'orderId'>,
): number => a.at - b.at || compareIds(a.fillId, b.fillId) || compareIds(a.orderId, b.orderId);

const wholeNumber = /^\d+$/;

/** Ids are integers of up to 64 bits as text, so the longer one is larger. 0 when one is missing or no integer. */
function compareIds(a: string | undefined, b: string | undefined): number {
  if (a === undefined || b === undefined || !wholeNumber.test(a) || !wholeNumber.test(b)) return 0;
  return a.length - b.length || (a < b ? -1 : a > b ? 1 : 0);
}
