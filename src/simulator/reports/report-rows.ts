/** The rows of a report, by column name. */

import Big from 'big.js';
import type {
  DividendRecord,
  FillRecord,
  HistoryRow,
  ReportRecord,
  TaxName,
  TransactionRecord,
} from '../account/records.ts';
import type { Account } from '../account/simulated-account.ts';
import type { Quirks } from '../testing/quirks.ts';
import { splitRatio } from '../world/fixed-instruments.ts';
import type { World } from '../world/world.ts';

const taxColumns: Readonly<Record<TaxName, string>> = {
  STAMP_DUTY_RESERVE_TAX: 'Stamp duty reserve tax',
  CURRENCY_CONVERSION_FEE: 'Currency conversion fee',
  PTM_LEVY: 'UK PTM levy',
  FINRA_FEE: 'Finra fee',
  TRANSACTION_FEE: 'Transaction fee',
  FRENCH_TRANSACTION_TAX: 'French transaction tax',
};

const [convertedFrom, convertedTo] = ['Currency conversion from amount', 'Currency conversion to amount'];
const conversionColumns = [convertedFrom, convertedTo];

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

// Writes a report as CSV text, with the header variants that were observed.

type Cells = Readonly<Record<string, string>>;

const paired = (column: string) => [column, `Currency (${column})`];

const total = paired('Total');
const columns = [
  ...['Action', 'Time', 'ISIN', 'Ticker', 'Name', 'Notes', 'ID', 'No. of shares'],
  ...paired('Price / share'),
  'Exchange rate',
  ...paired('Result'),
  ...total,
  ...paired('Withholding tax'),
  ...Object.values(taxColumns).flatMap(paired),
  ...conversionColumns.flatMap(paired),
];

/** The amounts of a file that has a gross total; the net total is at the end. */
const grossColumns = columns.flatMap((name) =>
  name === 'Total' ? paired('Gross Total') : total.includes(name) ? [] : name,
);

/** Writes the rows with the columns that at least one of them fills. `Action` and `Time` are always present. */
export function writeCsv(rows: readonly Cells[], quirks: Quirks): string {
  let header: readonly string[] = columns;
  let body = rows;
  if (quirks.csvTotals === 'inHeader') {
    const inHeader = `Total (${rows[0]?.['Currency (Total)'] ?? ''})`;
    header = columns.filter((name) => name !== 'Currency (Total)').map((name) => (name === 'Total' ? inHeader : name));
    body = rows.map((cells) => ({ ...cells, [inHeader]: cells.Total ?? '' }));
  } else if (quirks.csvTotals === 'gross') {
    header = grossColumns;
    body = rows.map(withGross);
  } else if (quirks.csvTotals === 'grossNet') {
    header = [...grossColumns, ...paired('Taxes'), ...paired('Net Total')];
    body = rows.map(withGross);
  }
  if (quirks.csvNotes !== 'middle') {
    header = header.filter((name) => name !== 'Notes' && name !== 'ID');
    if (quirks.csvNotes === 'last') header = [...header, 'Notes', 'ID'];
  }
  const filled = new Set(body.flatMap((cells) => Object.keys(cells).filter((name) => cells[name] !== '')));
  const shown = header.filter((name) => name === 'Action' || name === 'Time' || filled.has(name));
  const lines = [
    shown.map((name) => quoted(name === 'Time' ? quirks.csvTimeHeader : name)).join(','),
    ...body.map((cells) => shown.map((name) => quoted(cells[name] ?? '')).join(',')),
  ];
  return `${quirks.csvBom ? '\uFEFF' : ''}${lines.join('\n')}\n`;
}

/** Adds the amount before charges, and the charges as one sum. A conversion has no total. */
function withGross(cells: Cells): Cells {
  if (cells.Total === undefined) return cells;
  const net = new Big(cells.Total);
  let taxes = new Big(0);
  for (const column of Object.values(taxColumns)) taxes = taxes.plus(cells[column] ?? '0');
  const isBuy = cells.Action?.endsWith('buy');
  const currency = cells['Currency (Total)'] ?? '';
  return {
    ...cells,
    'Gross Total': (isBuy ? net.minus(taxes) : net.plus(taxes)).toFixed(2),
    'Currency (Gross Total)': currency,
    Taxes: taxes.toFixed(2),
    'Currency (Taxes)': currency,
    'Net Total': net.toFixed(2),
    'Currency (Net Total)': currency,
  };
}

const quoted = (text: string) => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
