/** Finds the columns of a report by name, because their number and order vary. */
import { BrokerageError } from '../../../core/errors.ts';
import { constantCase } from './parse-cell.ts';
import { maxColumns, maxNameLength, refusedReport } from './row-slices.ts';

export const invalidReport = (message: string) =>
  new BrokerageError('unexpected_answer', message, 'Request the report again.');

/** An amount can be in one of several columns, each with a currency in a second column or in its name. */
export interface MoneyColumn {
  readonly name: string;
  readonly places: readonly MoneyPosition[];
}

interface MoneyPosition {
  readonly at: number;
  readonly currencyAt: number | undefined;
  readonly currency: string | undefined;
}

export interface ReportColumns {
  readonly count: number;
  readonly action: number;
  readonly time: number;
  readonly isin: number | undefined;
  readonly ticker: number | undefined;
  readonly name: number | undefined;
  readonly id: number | undefined;
  readonly shares: number | undefined;
  readonly exchangeRate: number | undefined;
  readonly price: MoneyColumn;
  readonly result: MoneyColumn;
  /** The cash movement: `Net Total` and `Total`. A file has one of them, or none when no row moves cash. */
  readonly totals: readonly MoneyColumn[];
  /** The cash movement before charges and withheld tax. */
  readonly grossTotal: MoneyColumn;
  /** The two amounts of a currency conversion, whichever sign they have. */
  readonly convertedFrom: MoneyColumn;
  readonly convertedTo: MoneyColumn;
  /** The tax withheld from a dividend. */
  readonly withholdingTax: MoneyColumn;
  /** The sum of the charges, which some files have without naming each charge. */
  readonly taxes: MoneyColumn;
  readonly charges: readonly MoneyColumn[];
}

const withCurrency = /^(.+?) ?\(([a-z]{3})\)$/i;
const currencyPattern = /^currency \((.+)\)$/i;

/** Columns that have the form of an amount in a currency but are no trade charge (`Time (UTC)` has that form). */
const noCharge =
  /^(time|price \/ share|result|total|gross total|net total|taxes|withholding tax|deposit fee)$|\bamount\b/;

const soundsLikeCharge = /\b(tax|fee|levy|duty|commission)\b/;

/**
 * Returns the columns by meaning. Throws `unexpected_answer` when a column that every row needs is missing, or when
 * there are more or longer columns than in any report.
 */
export function readHeader(cells: readonly string[]): ReportColumns {
  if (cells.length > maxColumns || cells.some(({ length }) => length > maxNameLength))
    throw refusedReport(
      'too_many_columns',
      `its header has more than ${maxColumns} columns, or a name of more than ${maxNameLength} characters`,
    );
  const names = cells.map((cell) => cell.trim().replace(/\s+/g, ' '));
  const places = new Map<string, number[]>();
  names.forEach((name, at) => {
    push(places, name.toLowerCase(), at);
  });
  const first = (...wanted: string[]) => wanted.map((name) => places.get(name)?.[0]).find((at) => at !== undefined);

  const amounts = new Map<string, MoneyPosition[]>();
  names.forEach((name, at) => {
    if (currencyPattern.test(name)) return;
    const currencyAt = first(`currency (${name.toLowerCase()})`);
    const [, base = name, currency] = (currencyAt === undefined && withCurrency.exec(name)) || [];
    push(amounts, base.toLowerCase(), { at, currency, currencyAt });
  });
  const money = (name: string): MoneyColumn => ({ name, places: amounts.get(name.toLowerCase()) ?? [] });

  const action = first('action');
  const time = first('time', 'time (utc)');
  if (action === undefined || time === undefined) {
    throw invalidReport('The report cannot be read: it has no column Action or Time (in UTC).');
  }
  const isCharge = ([name, at]: [string, MoneyPosition[]]) =>
    !noCharge.test(name) &&
    (soundsLikeCharge.test(name) || at.some((place) => (place.currency ?? place.currencyAt) !== undefined));
  return {
    count: cells.length,
    action,
    time,
    isin: first('isin'),
    ticker: first('ticker'),
    name: first('name'),
    id: first('id'),
    shares: first('no. of shares'),
    exchangeRate: first('exchange rate'),
    price: money('Price / share'),
    result: money('Result'),
    totals: [money('Net Total'), money('Total')],
    grossTotal: money('Gross Total'),
    convertedFrom: money('Currency conversion from amount'),
    convertedTo: money('Currency conversion to amount'),
    withholdingTax: money('Withholding tax'),
    taxes: money('Taxes'),
    charges: [...amounts].filter(isCharge).map(([name, at]) => ({ name: chargeName(name), places: at })),
  };
}

/** The name of a charge as the API writes it. */
const chargeName = (column: string): string => constantCase(column).replace(/^UK_PTM_LEVY$/, 'PTM_LEVY');

function push<Value>(map: Map<string, Value[]>, key: string, value: Value): void {
  const known = map.get(key);
  if (known) known.push(value);
  else map.set(key, [value]);
}
