/** The key `costBasis` of config.json: what shares cost that came without a purchase. */

import Big from 'big.js';
import { toAmount } from '../endpoints/decimal.ts';
import { UsageError } from '../errors.ts';
import { environments } from './environments.ts';
import { parseOwnerCsv } from './owner-csv.ts';

/** One entry of the list, as it is in the file. */
export interface CostEntryText {
  readonly fillId?: string;
  readonly ticker?: string;
  readonly at?: string;
  readonly acquiredOn?: string;
  readonly cost: string;
  readonly currency: string;
  readonly parent?: string;
  readonly environment?: string;
  readonly account?: string;
}

/** The key of config.json. It is no setting: it has no flag and no variable. */
export const costBasisKey = 'costBasis';

const keys = ['fillId', 'ticker', 'at', 'acquiredOn', 'cost', 'currency', 'parent', 'environment', 'account'];
/** Characters of an unknown field that a message repeats. */
const maxShownKey = 40;
/** An id or a ticker: results repeat it. */
const nameShape = /^[\w./-]{1,64}$/;
const currencyShape = /^[A-Z]{3}$/;

/**
 * Reads the value of the key. `file` is the path that a message names. Throws a UsageError that names the entry, counted
 * from 1, and what is wrong with it.
 */
export function parseCostEntries(value: unknown, file: string) {
  if (value === undefined) return [];
  if (!Array.isArray(value)) throw new UsageError(`"${costBasisKey}" in ${file} is not a list.`);
  return value.map((entry, index) => parseCostEntry(entry, `Entry ${index + 1} of "${costBasisKey}" in ${file}`));
}

/** Reads one entry; `name` begins the message of the UsageError that it throws. */
export function parseCostEntry(entry: unknown, name: string) {
  const fail = (problem: string): never => {
    throw new UsageError(`${name} ${problem}.`);
  };
  if (typeof entry !== 'object' || entry === null) return fail('is not an object');
  const unknown = Object.keys(entry).find((key) => !keys.includes(key));
  if (unknown !== undefined) return fail(`has the unknown field "${unknown.slice(0, maxShownKey)}"`);
  // A list or an object has no text, and one that is nested deeply exhausts the stack when it is made one.
  const nested = Object.entries(entry).find(([, value]) => typeof value === 'object' && value !== null);
  if (nested) return fail(`has a ${nested[0]} that is no text`);
  const fields = new Map(Object.entries(entry).map(([key, value]) => [key, String(value)]));
  const [fillId, ticker, cost = '', currency = ''] = ['fillId', 'ticker', 'cost', 'currency'].map((key) =>
    fields.get(key),
  );
  const at = readMoment(fields.get('at'));
  const acquiredAt = readDate(fields.get('acquiredOn'));
  if (fillId === undefined && (ticker === undefined || at === undefined))
    return fail('needs the id of a fill, or a ticker and a time');
  for (const name of ['fillId', 'ticker', 'parent', 'account'])
    if (fields.has(name) && !nameShape.test(fields.get(name) ?? ''))
      return fail(`has a ${name} with characters other than letters, digits and . _ / -`);
  if (Number.isNaN(at)) return fail('has a time that is not of the form 2024-06-20T12:00:00Z');
  if (Number.isNaN(acquiredAt)) return fail('has a date that is not of the form 2021-03-01');
  const exactCost = toAmount(cost);
  if (exactCost === undefined) return fail('needs a cost such as 45.00');
  if (!currencyShape.test(currency)) return fail('needs a currency such as GBP');
  const environment = fields.get('environment');
  if (environment !== undefined && !environments.some((one) => one === environment))
    return fail(`has an environment that is none of ${environments.join(', ')}`);
  const scope = { environment, account: fields.get('account') };
  return { fillId, ticker, at, acquiredAt, cost: new Big(exactCost), currency, parent: fields.get('parent'), ...scope };
}

const readMoment = (text: string | undefined): number | undefined =>
  text === undefined
    ? undefined
    : /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/.test(text)
      ? Date.parse(text)
      : Number.NaN;

/** Noon in UTC, which is the same day in London and nearly everywhere. NaN for a date that the calendar lacks. */
export function readDate(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const at = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(`${text}T12:00:00Z`) : Number.NaN;
  return Number.isNaN(at) || !new Date(at).toISOString().startsWith(text) ? Number.NaN : at;
}

/** Whether two entries are about the same row. */
export const isSameRow = (a: CostEntryText, b: CostEntryText): boolean =>
  a.environment === b.environment && a.account === b.account && isSamePlace(a, b);

const isSamePlace = (a: CostEntryText, b: CostEntryText): boolean =>
  a.fillId === undefined
    ? b.fillId === undefined && a.ticker === b.ticker && Date.parse(a.at ?? '') === Date.parse(b.at ?? '')
    : a.fillId === b.fillId;

// The file eri.csv: excess reportable income of offshore funds, from the reports of the funds.

/** More than an owner of every fund would need. */
const maxRows = 10_000;

/**
 * Reads the text of the file: a line with the names of the columns in any order, and a line for each fund and period.
 * `file` is the path that a message names. Throws a UsageError of one sentence with the line.
 */
export function parseReportableIncome(text: string, file: string) {
  const rows = parseOwnerCsv(
    text,
    file,
    {
      isin: { isValid: (cell) => /^[A-Z]{2}[A-Z0-9]{9}\d$/.test(cell), example: 'IE00B3XXRP09' },
      period_end: { isValid: (cell) => !Number.isNaN(readDate(cell)), example: '2024-06-30' },
      amount_per_share: { isValid: (cell) => toAmount(cell) !== undefined, example: '0.1234' },
      currency: { isValid: (cell) => /^[A-Z]{3}$/.test(cell), example: 'GBP' },
    },
    maxRows,
  );
  const seen = new Set<string>();
  return rows.map(({ number, cells: { isin, period_end: periodEnd, amount_per_share: amount, currency } }) => {
    if (seen.has(`${isin} ${periodEnd}`))
      throw new UsageError(`${file}, line ${number}: ${isin} has a line for the period to ${periodEnd} already.`);
    seen.add(`${isin} ${periodEnd}`);
    return { isin, periodEnd, amountPerShare: new Big(amount), currency };
  });
}
