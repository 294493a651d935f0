/**
 * The RAW input of cgt-calc, a calculator of UK capital gains: rows of date, action, symbol, quantity, price, fees and
 * currency, without a header. A price is per share before fees, in the currency of the row.
 */

import { getFillMeaning } from '../analytics/executions.ts';
import { type AccountRecord, type FileContext, toGross } from './account-records.ts';
import { formatCsv } from './csv-file.ts';

/** Quotients of an amount and a number of shares: the product differs by less than a hundredth of a penny. */
const priceDecimals = 10;

/** Of corporate actions it reads splits alone from this file. */
export const isCgtCalcRow = (record: AccountRecord): boolean =>
  record.kind !== 'action' || getFillMeaning(record.type) === 'split';

export const writeCgtCalc = (records: readonly AccountRecord[], { toDate }: FileContext): string =>
  formatCsv(
    undefined,
    records.filter(isCgtCalcRow).map((record) => [toDate(record.at), ...toAction(record), record.currency]),
  );

/** Action, symbol, quantity, price and fees. */
function toAction(record: AccountRecord): readonly string[] {
  const cash = (action: string) => [action, '', '1', record.net.toFixed(), '0'];
  switch (record.kind) {
    case 'buy':
    case 'sell': {
      const { security, quantity, charges } = record;
      const price = toGross(record).div(quantity).toFixed(priceDecimals);
      return [record.kind.toUpperCase(), security.ticker, quantity.toFixed(), price, charges.toFixed()];
    }
    case 'dividend': {
      const gross = record.net.plus(record.withheld ?? 0);
      return [
        'DIVIDEND',
        record.security.ticker,
        '1',
        gross.toFixed(),
        (record.withheld ?? gross.minus(gross)).toFixed(),
      ];
    }
    case 'action':
      return ['STOCK_SPLIT', record.security.ticker, record.change.toFixed(), '0', '0'];
    case 'interest':
      return cash('INTEREST');
    case 'fee':
      return cash('FEE');
    case 'deposit':
    case 'withdrawal':
    case 'other':
      return cash('TRANSFER');
  }
}
