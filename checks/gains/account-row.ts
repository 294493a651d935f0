/** The rows of an account as the reference reads them, and as the service writes them. */
import type { Dividend, HistoricalOrder } from '../../src/core/endpoints/index.ts';

/** One fill. Figures are decimals; `value` is in the currency of the account, with charges. */
export interface AccountRow {
  /** Ascends in the order of execution, which decides between rows of one second. */
  readonly id: bigint;
  /** Milliseconds since 1970, at a whole second. */
  readonly at: number;
  readonly ticker: string;
  readonly isin: string;
  /** Where one person has several. */
  readonly account?: string;
  readonly side: 'BUY' | 'SELL';
  /** A type of fill, or `RETURN_OF_CAPITAL` for a dividend, which has no shares. */
  readonly type: string;
  /** As many shares as were bought, sold, added or removed. Negative for a split whose row says how many shares went. */
  readonly quantity: string;
  readonly value: string | undefined;
  /** Below zero for a charge, above for a refund. */
  readonly charges: readonly string[];
}

/** What the owner entered about shares that were transferred in. */
export interface OriginalCost {
  readonly acquiredAt: number;
  readonly cost: string;
}

export interface Account {
  /** In the order of execution. */
  readonly rows: readonly AccountRow[];
  /** By the id of the row of a transfer; the others are unknown. */
  readonly originalCosts: ReadonlyMap<bigint, OriginalCost>;
  readonly fundIncome: readonly FundIncome[];
}

/** Excess reportable income, as a fund reports it. */
export interface FundIncome {
  readonly isin: string;
  /** The last day of the period, `YYYY-MM-DD`. */
  readonly periodEnd: string;
  readonly perShare: string;
}

/** What is split or exchanged in one booking: a ticker in one account. */
export const nameListing = ({ ticker, account = '' }: Pick<AccountRow, 'ticker' | 'account'>): string =>
  `${account} ${ticker}`;

export const isDividend = ({ type }: AccountRow): boolean => type === 'RETURN_OF_CAPITAL';

export const toDividend = ({ at, ticker, type, value }: AccountRow): Dividend =>
  ({ ticker, type, paidOn: new Date(at).toISOString(), amount: value, currency: 'GBP' }) as Dividend;

export const toHistoricalOrder = (row: AccountRow): HistoricalOrder =>
  ({
    order: { id: `9${row.id}`, ticker: row.ticker, side: row.side, instrument: { ticker: row.ticker, isin: row.isin } },
    fill: {
      id: String(row.id),
      filledAt: new Date(row.at).toISOString(),
      type: row.type,
      quantity: row.side === 'SELL' && row.type === 'TRADE' ? `-${row.quantity}` : row.quantity,
      walletImpact: {
        currency: 'GBP',
        netValue: row.value,
        taxes: row.charges.map((quantity) => ({ name: 'STAMP_DUTY', quantity, currency: 'GBP' })),
      },
    },
  }) as HistoricalOrder;
