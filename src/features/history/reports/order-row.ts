/** Converts a trade or split of a report to a row of the order history. */
import type { HistoricalOrder } from '../../../core/endpoints/index.ts';
import type { Action } from './actions.ts';
import type { NamedInstrument } from './instrument-resolver.ts';
import { readDecimal, type Timestamp } from './parse-cell.ts';
import type { RowCells } from './row-reader.ts';

type Order = NonNullable<HistoricalOrder['order']>;
type Taxes = NonNullable<NonNullable<NonNullable<HistoricalOrder['fill']>['walletImpact']>['taxes']>;

/** Returns the row. A field that cannot be read is undefined and noted in `cells.problems`. */
export function toOrderRow(
  { kind, side: named, type }: Action & { kind: 'order' | 'corporate' },
  instrument: NamedInstrument['instrument'],
  cells: RowCells,
  moment: Timestamp,
): HistoricalOrder {
  const { columns } = cells;
  const shares = cells.decimal('No. of shares', columns.shares);
  if (shares === undefined) cells.problems.push('it has no quantity');
  const side = named ?? (shares?.startsWith('-') ? 'SELL' : 'BUY');
  const total = cells.total();
  if (total.value === undefined && kind === 'order' && cells.money(columns.grossTotal).value !== undefined)
    cells.problems.push('it has only an amount that may be before charges');
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
      type: kind === 'order' ? type : undefined,
      status: 'FILLED',
      instrument,
    } as Order,
    fill: {
      id: parseFillId(cells.text(columns.id)),
      filledAt: moment.iso,
      price: cells.money(columns.price).value,
      quantity: shares && withSign(shares, side),
      tradingMethod: undefined,
      type: kind === 'order' ? 'TRADE' : type,
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
function withSign(shares: string, side: 'BUY' | 'SELL'): string {
  const size = shares.replace('-', '');
  return side === 'SELL' && size !== '0' ? `-${size}` : size;
}

/** The charges by name. If the file names none, their sum under the column's own name. */
function readTaxes(cells: RowCells): Taxes {
  const named = cells.charges();
  if (named.length > 0) return named.map(({ name, value, currency }) => toTax(name, value, currency));
  const sum = cells.money(cells.columns.taxes);
  if (sum.value === undefined || sum.value === '0') return [];
  // The column can be without a currency. It is between a gross and a net total and uses their currency.
  return [toTax('TAXES', sum.value, sum.currency ?? cells.total().currency)];
}

const toTax = (name: string, quantity: string, currency: string | undefined) => ({
  name,
  quantity,
  currency,
  chargedAt: undefined,
});
