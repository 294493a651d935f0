/**
 * A ledger for beancount (the syntax of its version 2). Shares are held without a cost, each bought and sold at the
 * total price in the currency of the account, so that every transaction balances to zero.
 */

import Big from 'big.js';
import { type AccountRecord, type FileContext, type Security, toGross } from './account-records.ts';

const accounts = {
  cash: 'Assets:Broker:Cash',
  shares: 'Assets:Broker:Shares',
  charges: 'Expenses:Broker:Charges',
  taxes: 'Expenses:Broker:WithheldTax',
  fees: 'Expenses:Broker:Fees',
  dividends: 'Income:Broker:Dividends',
  interest: 'Income:Broker:Interest',
  moved: 'Equity:Transfers',
  actions: 'Equity:CorporateActions',
} as const;

export function writeBeancount(records: readonly AccountRecord[], { title, toDate, currency }: FileContext): string {
  const first = records[0]?.at;
  if (first === undefined) return `; No rows.\noption "title" ${quote(title)}\n`;
  const opened = Object.values(accounts).map((account) => `${toDate(first)} open ${account}`);
  const securities = new Map(
    records.flatMap((record) => ('security' in record ? [[nameCommodity(record.security), record.security]] : [])),
  );
  const commodities = [...securities].map(
    ([commodity, { ticker, name }]) =>
      `${toDate(first)} commodity ${commodity}\n  ticker: ${quote(ticker)}${name === undefined ? '' : `\n  name: ${quote(name)}`}`,
  );
  const entries = records.map((record) => writeEntry(record, toDate(record.at)));
  const header = [`option "title" ${quote(title)}`, `option "operating_currency" "${currency}"`];
  return `${[header.join('\n'), opened.join('\n'), ...commodities, ...entries].join('\n\n')}\n`;
}

const quote = (text: string): string => `"${text.replaceAll(/[\\"]/g, '\\$&').replaceAll(/[\r\n]+/g, ' ')}"`;

/**
 * A commodity has capital letters, digits and `'._-`, at most 24 of them, begins with a letter and ends with a letter
 * or digit. An ISIN is one; two lines of one security are the same commodity.
 */
function nameCommodity({ isin, ticker }: Security): string {
  if (isin !== undefined) return isin;
  const hex = [...ticker].map((letter) =>
    /[A-Z0-9]/.test(letter) ? letter : letter === '_' ? '-' : `.${letter.codePointAt(0)?.toString(16).toUpperCase()}`,
  );
  return `T.${hex.join('')}`.slice(0, 24).replace(/[^A-Z0-9]+$/, '');
}

/** It tolerates half of the last decimal that is written, and an integer not at all. */
const toMoney = (amount: Big): string => (amount.round(2).eq(amount) ? amount.toFixed(2) : amount.toFixed());

function writeEntry(record: AccountRecord, date: string): string {
  const { currency, net } = record;
  const post = (account: keyof typeof accounts, amount: Big): readonly string[] =>
    amount.eq(0) ? [] : [`  ${accounts[account]}  ${toMoney(amount)} ${currency}`];
  const write = (what: string, lines: readonly string[]) => [`${date} * ${quote(what)}`, ...lines].join('\n');
  switch (record.kind) {
    case 'buy':
    case 'sell': {
      const { security, quantity, charges, kind } = record;
      const commodity = nameCommodity(security);
      const sign = kind === 'buy' ? '' : '-';
      const total = toGross(record);
      return write(`${kind === 'buy' ? 'Buy' : 'Sell'} ${security.ticker}`, [
        `  ${accounts.shares}  ${sign}${quantity.toFixed()} ${commodity} @@ ${toMoney(total)} ${currency}`,
        ...post('charges', charges),
        ...post('cash', net),
      ]);
    }
    case 'dividend': {
      const withheld = record.withheld ?? new Big(0);
      return write(`Dividend ${record.security.ticker}`, [
        ...post('cash', net),
        ...post('taxes', withheld),
        ...post('dividends', net.plus(withheld).times(-1)),
      ]);
    }
    case 'action': {
      const commodity = nameCommodity(record.security);
      return write(`${record.type} ${record.security.ticker}`, [
        ...(record.change.eq(0)
          ? []
          : [
              `  ${accounts.shares}  ${record.change.toFixed()} ${commodity}`,
              `  ${accounts.actions}  ${record.change.times(-1).toFixed()} ${commodity}`,
            ]),
        ...post('cash', net),
        ...post('actions', net.times(-1)),
      ]);
    }
    case 'interest':
      return write(record.type, [...post('cash', net), ...post('interest', net.times(-1))]);
    case 'fee':
      return write(record.type, [...post('cash', net), ...post('fees', net.times(-1))]);
    case 'deposit':
    case 'withdrawal':
    case 'other':
      return write(record.type, [...post('cash', net), ...post('moved', net.times(-1))]);
  }
}
