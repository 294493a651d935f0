/** Converts a trade or split of a report to a row of the order history. */
import type { HistoricalOrder } from '../../catalogue/index.ts';
import type { Action } from './actions.ts';
import type { NamedInstrument } from './instrument-resolver.ts';
import { readDecimal, type Timestamp } from './parse-cell.ts';
import type { RowCells } from './row-reader.ts';

type Order = NonNullable<HistoricalOrder['order']>;
type Taxes = NonNullable<NonNullable<NonNullable<HistoricalOrder['fill']>['walletImpact']>['taxes']>;

/** Returns the row. A field that cannot be read is undefined and noted in `cells.problems`. */
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
  // The cell can be "Not available". That is accepted, because no amount is computed from it.
  const exchangeRate = cells.text(columns.exchangeRate);
  return {
    // A report has executions but not their orders, so the other fields of an order are missing.
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

/** The API's ids are integers; a report puts letters before them. */
const parseFillId = (id: string | undefined) => /^[A-Z]*(\d+)$/.exec(id ?? '')?.[1];

/** Negative for shares that leave the account, whether or not the file has a minus sign. */
function readQuantity(side: 'BUY' | 'SELL', cells: RowCells): string | undefined {
  const shares = cells.decimal('No. of shares', cells.columns.shares)?.replace('-', '');
  if (shares === undefined) cells.problems.push('it has no quantity');
  return side === 'SELL' && shares !== undefined && shares !== '0' ? `-${shares}` : shares;
}

/** The charges by name. If the file names none, their sum under the column's own name. */
function readTaxes(cells: RowCells): Taxes {
  const { charges, taxes, total } = cells.columns;
  const named: Taxes = [];
  for (const column of charges) {
    const { value, currency } = cells.money(column);
    if (value !== undefined && value !== '0') named.push(toTax(column.name, value, currency));
  }
  const sum = cells.money(taxes);
  if (named.length > 0 || sum.value === undefined || sum.value === '0') return named;
  // The column has no currency of its own. It is between a gross and a net total and uses their currency.
  return [toTax('TAXES', sum.value, sum.currency ?? cells.money(total).currency)];
}

const toTax = (name: string, quantity: string, currency: string | undefined) => ({
  name,
  quantity,
  currency,
  chargedAt: undefined,
});
