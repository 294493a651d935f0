/** Converts rows of the order history to trades, independent of the signs and missing fields of a service. */
import Big from 'big.js';
import { getTicker } from '../catalogue/get-ticker.ts';
import type { HistoricalOrder } from '../catalogue/index.ts';
import { toBig } from './sums.ts';

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
}

/** The shares that a row adds. Some services write the quantity of a sale or a removal without a minus. */
export const toChange = ({ side, quantity }: Trade): Big =>
  side === 'SELL' && quantity.gt(0) ? quantity.times(-1) : quantity;

/** `abs` of big.js copies every number. */
const absolute = (value: Big): Big => (value.s < 0 ? value.abs() : value);

/**
 * The trade of a row; undefined for a row without an execution (a cancelled order). `side` identifies a sale;
 * without it the sign of the quantity does, because services differ in their signs. `chargeSign` is the sign of a
 * charge in the rows; the other sign is a refund.
 */
function toTrade(row: HistoricalOrder, chargeSign: ChargeSign = -1): Trade | undefined {
  const { order, fill } = row;
  const at = Date.parse(fill?.filledAt ?? order?.createdAt ?? '');
  const ticker = getTicker(order);
  if (!fill || Number.isNaN(at) || ticker === undefined) return undefined;
  return new FilledOrder(row, fill, { at, ticker, quantity: new Big(fill.quantity ?? 0), chargeSign });
}

type Fill = NonNullable<HistoricalOrder['fill']>;

/**
 * Creates rarely used figures when they are read, because a decimal for each field of a long history takes longer
 * than the analysis.
 */
class FilledOrder implements Trade {
  readonly at: number;
  readonly ticker: string;
  readonly side: 'BUY' | 'SELL';
  readonly type: string;
  readonly quantity: Big;
  readonly netValue: Big | undefined;
  readonly isin: string | undefined;
  readonly valueCurrency: string | undefined;
  readonly #order: HistoricalOrder['order'];
  readonly #fill: Fill;
  readonly #chargeSign: ChargeSign;
  /** Read twice for each sale; null until then. */
  #result: Big | undefined | null = null;

  constructor(
    { order }: HistoricalOrder,
    fill: Fill,
    row: { at: number; ticker: string; quantity: Big; chargeSign: ChargeSign },
  ) {
    const isSale = order?.side === 'SELL' || (order?.side === undefined && row.quantity.lt(0));
    this.#order = order;
    this.#fill = fill;
    this.#chargeSign = row.chargeSign;
    this.at = row.at;
    this.ticker = row.ticker;
    this.side = isSale ? 'SELL' : 'BUY';
    this.type = fill.type ?? 'TRADE';
    this.quantity = this.type === 'TRADE' ? absolute(row.quantity) : row.quantity;
    const netValue = toBig(fill.walletImpact?.netValue);
    this.netValue = netValue && absolute(netValue);
    this.isin = order?.instrument?.isin;
    this.valueCurrency = fill.walletImpact?.currency;
  }

  get currency() {
    return this.#order?.instrument?.currency ?? this.#order?.currency;
  }
  get price() {
    return toBig(this.#fill.price);
  }
  get realisedProfitLoss() {
    if (this.#result === null) this.#result = toBig(this.#fill.walletImpact?.realisedProfitLoss);
    return this.#result;
  }
  get charges() {
    return (this.#fill.walletImpact?.taxes ?? []).map((tax) => ({
      name: tax.name ?? 'UNKNOWN',
      amount: toCharge(tax.quantity ?? '0', this.#chargeSign),
      currency: tax.currency,
    }));
  }
  get orderId() {
    return this.#order?.id;
  }
  get fillId() {
    return this.#fill.id;
  }
}

/** The sign is changed in the text, because arithmetic on a decimal copies it. */
const toCharge = (text: string, sign: ChargeSign): Big =>
  new Big(sign > 0 ? text : text.startsWith('-') ? text.slice(1) : `-${text}`);

/** All trades of the rows, in the order of execution. */
export function toTrades(rows: readonly HistoricalOrder[]): Trade[] {
  // The JSON histories and the CSV reports of one service can differ in the sign.
  const [pageSign, reportSign] = findChargeSigns(rows);
  const trades: Trade[] = [];
  for (const row of rows) {
    const trade = toTrade(row, row.fromReport ? reportSign : pageSign);
    if (trade) trades.push(trade);
  }
  return trades.sort(compareExecution);
}

/** The sign with which a service writes a charge. */
type ChargeSign = 1 | -1;

/** With this many more charges of one sign, the others need not be read. */
const clearLead = 1_000;

/**
 * The signs of charges in rows of pages and of reports. Most services write charges with a minus, some without; refunds
 * are rare, so the sign of most amounts is theirs.
 */
function findChargeSigns(rows: readonly HistoricalOrder[]): readonly [ofPages: ChargeSign, ofReports: ChargeSign] {
  let [ofPages, ofReports] = [0, 0];
  for (const { fill, fromReport } of rows) {
    if (Math.abs(fromReport ? ofReports : ofPages) >= clearLead) continue;
    for (const { quantity } of fill?.walletImpact?.taxes ?? []) {
      if (quantity === undefined || quantity === '0') continue;
      const sign = quantity.startsWith('-') ? -1 : 1;
      if (fromReport) ofReports += sign;
      else ofPages += sign;
    }
  }
  return [ofPages > 0 ? 1 : -1, ofReports > 0 ? 1 : -1];
}

/** How many charges the rows have. */
export const countCharges = (rows: readonly HistoricalOrder[]): number =>
  rows.reduce((count, { fill }) => count + (fill?.walletImpact?.taxes?.length ?? 0), 0);

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
