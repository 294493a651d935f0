/** A trade or a split of a report as a row of the order history. */
import type { HistoricalOrder } from '../../catalogue/index.ts';
import type { Action } from './actions.ts';
import type { NamedInstrument } from './instrument-resolver.ts';
import { readDecimal, type Timestamp } from './parse-cell.ts';
import type { RowCells } from './row-reader.ts';

type Order = NonNullable<HistoricalOrder['order']>;
type Taxes = NonNullable<NonNullable<NonNullable<HistoricalOrder['fill']>['walletImpact']>['taxes']>;

/** The row; what cannot be read is undefined in it and noted in `cells.problems`. */
export function toOrderRow(
  action: Action & { kind: 'order' | 'split' },
  instrument: NamedInstrument['instrument'],
  cells: RowCells,
  moment: Timestamp,
): HistoricalOrder {
  const { columns } = cells;
  const { side } = action;
  const total = cells.money(columns.total);
  const result = cells.money(columns.result);
  if (result.value && total.value && result.currency !== total.currency) {
    cells.problems.push('Result and Total are in different currencies');
  }
  // "Not available" stands here too. It is no problem, because no amount is worked out from it.
  const exchangeRate = cells.text(columns.exchangeRate);
  return {
    // A report has executions and not the orders behind them: the other fields of an order are missing.
    order: {
      ticker: instrument.ticker,
      side,
      type: action.kind === 'order' ? action.type : undefined,
      status: 'FILLED',
      instrument,
    } as Order,
    fill: {
      id: parseFillId(cells.text(columns.id)),
      filledAt: moment.iso,
      price: cells.money(columns.price).value,
      quantity: readQuantity(side, cells),
      tradingMethod: undefined,
      type: action.kind === 'order' ? 'TRADE' : 'STOCK_SPLIT',
      walletImpact: {
        currency: total.currency ?? result.currency,
        netValue: total.value,
        realisedProfitLoss: result.value,
        fxRate: exchangeRate === undefined ? undefined : readDecimal(exchangeRate),
        taxes: readTaxes(cells),
      },
    },
  };
}

/** Ids are whole numbers in the interface; a report puts letters before them. */
const parseFillId = (id: string | undefined) => /^[A-Z]*(\d+)$/.exec(id ?? '')?.[1];

/** Negative for what leaves the account, whether the file writes a minus or not. */
function readQuantity(side: 'BUY' | 'SELL', cells: RowCells): string | undefined {
  const shares = cells.decimal('No. of shares', cells.columns.shares)?.replace('-', '');
  if (shares === undefined) cells.problems.push('it has no quantity');
  return side === 'SELL' && shares !== undefined && shares !== '0' ? `-${shares}` : shares;
}

/** The charges by name; where the file names none of them, their sum under the name that the file has for it. */
function readTaxes(cells: RowCells): Taxes {
  const { charges, taxes, total } = cells.columns;
  const named: Taxes = [];
  for (const column of charges) {
    const { value, currency } = cells.money(column);
    if (value !== undefined && value !== '0') named.push(toTax(column.name, value, currency));
  }
  const sum = cells.money(taxes);
  if (named.length > 0 || sum.value === undefined || sum.value === '0') return named;
  // The column has no currency beside it: it stands between a gross and a net total, and is in theirs.
  return [toTax('TAXES', sum.value, sum.currency ?? cells.money(total).currency)];
}

const toTax = (name: string, quantity: string, currency: string | undefined) => ({
  name,
  quantity,
  currency,
  chargedAt: undefined,
});
