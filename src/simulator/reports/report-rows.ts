/** The rows of a report, by column name. */
import Big from 'big.js';
import type { Account } from '../account/account.ts';
import type {
  DividendRecord,
  FillRecord,
  HistoryRow,
  ReportRecord,
  TaxName,
  TransactionRecord,
} from '../account/records.ts';
import type { Quirks } from '../testing/quirks.ts';
import { splitRatio } from '../world/fixed-instruments.ts';
import type { World } from '../world/world.ts';

export const taxColumns: Readonly<Record<TaxName, string>> = {
  STAMP_DUTY_RESERVE_TAX: 'Stamp duty reserve tax',
  CURRENCY_CONVERSION_FEE: 'Currency conversion fee',
  PTM_LEVY: 'UK PTM levy',
  FINRA_FEE: 'Finra fee',
  TRANSACTION_FEE: 'Transaction fee',
  FRENCH_TRANSACTION_TAX: 'French transaction tax',
};

const [convertedFrom, convertedTo] = ['Currency conversion from amount', 'Currency conversion to amount'];
export const conversionColumns = [convertedFrom, convertedTo];

export function statementRows(
  world: World,
  account: Account,
  report: ReportRecord,
  quirks: Quirks,
): Record<string, string>[] {
  const within = ({ at }: { at: number }) => at >= report.timeFrom && at < report.timeTo;
  const rows: { at: number; cells: Record<string, string> }[] = [];
  const add = (at: number, cells: Record<string, string>) => rows.push({ at, cells: { Time: csvTime(at), ...cells } });
  const { includeOrders, includeDividends, includeInterest, includeTransactions } = report.included;

  if (includeOrders) {
    for (const row of account.history.filter(within)) {
      for (const cells of tradeCells(world, row, quirks)) add(row.at, cells);
    }
  }
  if (includeDividends) for (const row of account.dividends.filter(within)) add(row.at, dividendCells(world, row));
  for (const row of account.transactions.filter(within)) {
    const isIncluded = row.type === 'INTEREST_ON_FREE_CASH' ? includeInterest : includeTransactions;
    if (isIncluded && !row.isInOtherRow) add(row.at, transactionCells(world, row));
  }
  return rows.sort((a, b) => a.at - b.at).map(({ cells }) => cells);
}

const csvTime = (at: number) => new Date(at).toISOString().slice(0, 19).replace('T', ' ');

/** An amount in the currency of the account. */
const money = ({ currency }: World, column: string, amount: string): Record<string, string> => ({
  [column]: new Big(amount).toFixed(2),
  [`Currency (${column})`]: currency,
});

function instrumentCells(world: World, ticker: string): Record<string, string> {
  const { isin, shortName, name, currency } = world.get(ticker);
  return { ISIN: isin, Ticker: shortName, Name: name, 'Currency (Price / share)': currency };
}

function tradeCells(world: World, { order, fill }: HistoryRow, { csvSplits }: Quirks): Record<string, string>[] {
  if (!fill) return [];
  const kind = { MARKET: 'Market', LIMIT: 'Limit', STOP: 'Stop', STOP_LIMIT: 'Stop limit' }[order.type];
  const shares = (quantity: Big) => ({ 'No. of shares': quantity.abs().toFixed(10) });
  const cells: Record<string, string> = {
    Action: `${kind} ${order.side === 'BUY' ? 'buy' : 'sell'}`,
    ...instrumentCells(world, order.ticker),
    ID: `EOF${fill.id}`,
    ...shares(new Big(fill.quantity)),
    'Price / share': fill.price,
    'Exchange rate': fill.fxRate,
    ...money(world, 'Total', fill.netValue),
  };
  if (fill.type === 'STOCK_SPLIT') {
    if (csvSplits === 'one') return [{ ...cells, Action: 'Stock Split' }];
    const before = new Big(fill.quantity).div(splitRatio - 1);
    return [
      { ...cells, Action: 'Stock split close', ...shares(before) },
      { ...cells, Action: 'Stock split open', ...shares(before.plus(fill.quantity)) },
    ];
  }
  if (fill.type !== 'TRADE') return [{ ...cells, Action: nameCorporateAction(fill) }];
  if (order.side === 'SELL') Object.assign(cells, money(world, 'Result', fill.realisedProfitLoss));
  for (const tax of fill.taxes) Object.assign(cells, money(world, taxColumns[tax.name], tax.quantity));
  return [cells];
}

/** A row of shares without a name of its own is a transfer in a report. */
function nameCorporateAction({ type, quantity }: FillRecord): string {
  if (type === 'FOP' || type === 'FOP_CORRECTION') return quantity.startsWith('-') ? 'Transfer out' : 'Transfer in';
  if (type === 'SCRIP_STOCK_DIVIDENDS') return 'Scrip';
  return toSentenceCase(type);
}

const toSentenceCase = (constant: string): string =>
  `${constant.slice(0, 1)}${constant.slice(1).toLowerCase().replaceAll('_', ' ')}`;

const dividendCells = (world: World, row: DividendRecord): Record<string, string> => ({
  Action: `Dividend (${toSentenceCase(row.type)})`,
  ...instrumentCells(world, row.ticker),
  'No. of shares': new Big(row.quantity).toFixed(10),
  'Price / share': row.grossAmountPerShare,
  'Exchange rate': 'Not available',
  ...money(world, 'Total', row.amount),
  'Withholding tax': row.withheld,
  'Currency (Withholding tax)': world.get(row.ticker).currency,
});

const actions: Readonly<Record<TransactionRecord['type'], string>> = {
  DEPOSIT: 'Deposit',
  WITHDRAW: 'Withdrawal',
  FEE: 'New card cost',
  INTEREST_ON_FREE_CASH: 'Interest on cash',
};

const transactionCells = (world: World, row: TransactionRecord): Record<string, string> => ({
  Action: row.reportedAs ?? actions[row.type],
  Notes: row.type === 'DEPOSIT' ? 'Bank transfer, by standing order' : '',
  ID: row.reference,
  ...(row.convertedTo ? conversionCells(world, row, row.convertedTo) : money(world, 'Total', row.amount)),
});

/** A conversion has two amounts without a sign, and no total. */
const conversionCells = (
  world: World,
  { amount, currency = world.currency }: TransactionRecord,
  to: NonNullable<TransactionRecord['convertedTo']>,
): Record<string, string> => ({
  [convertedFrom]: new Big(amount).abs().toFixed(2),
  [`Currency (${convertedFrom})`]: currency,
  [convertedTo]: to.amount,
  [`Currency (${convertedTo})`]: to.currency,
});
