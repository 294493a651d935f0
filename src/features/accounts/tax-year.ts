/**
 * Several accounts in a question about tax. An ISA is exempt: its gains, dividends and interest are in no figure of a tax
 * year (ISA Regulations 1998, regulation 22). Its shares count as held in another capacity, so a purchase in an ISA is
 * never matched with a sale outside of it (regulation 34(2), which adapts TCGA 1992 section 106A).
 */

import Big from 'big.js';
import { dayMs } from '../../core/clock.ts';
import type { CallOptions, RunTool, ToolResult } from '../../core/mcp/run-tool.ts';
import type { ResponseBody } from '../../core/mcp/tool-result.ts';
import type { AccountKind } from '../../core/settings/account-names.ts';
import { parseTaxYear, type TaxYear, taxYearZone, toZoneDate } from '../../core/text/dates.ts';
import type { Arguments } from './merge-rules.ts';

/** What a question about tax needs to know of an account. */
export interface TaxAccount {
  readonly name: string;
  readonly kind: AccountKind;
  readonly run: RunTool;
}

/** The questions that are about tax where they name a tax year. Costs of an ISA are costs in any year. */
const taxTools: readonly string[] = ['summarize_realised_gains', 'summarize_dividends'];

/** Whether a call asks for figures of a tax return. */
export const isAboutTax = (tool: string, { taxYear, method }: Arguments): boolean =>
  taxTools.includes(tool) && (taxYear !== undefined || method === 'uk_section_104');

/** Whether the shares of all taxable accounts are matched together: one person has one pool of each share. */
export const isMatchedTogether = (tool: string, { method }: Arguments): boolean =>
  tool === taxTools[0] && method === 'uk_section_104';

/** The characters of a result that what is added here can take. */
export const taxReserve = 1_200;

interface TaxCall {
  readonly tool: string;
  readonly args: Arguments;
  /** What may be paid into ISAs in a tax year, as the owner set it. */
  readonly allowance: string | undefined;
  readonly options: CallOptions;
  /** How the shares of several taxable accounts were matched; undefined where one is taxable. */
  readonly matched?: 'together' | 'apart' | undefined;
}

/**
 * Adds to a result which accounts it leaves out as exempt, what was paid into ISAs in the year, and which sales were
 * followed by a purchase in an ISA. `shown` are the accounts of the result, `isas` all ISAs of the owner.
 */
export async function addTaxFacts(
  result: ToolResult,
  shown: readonly TaxAccount[],
  isas: readonly TaxAccount[],
  question: TaxCall,
): Promise<ToolResult> {
  const { args, tool, matched } = question;
  if (result.isError || (isas.length === 0 && matched === undefined)) return result;
  const year = typeof args.taxYear === 'string' ? parseTaxYear(args.taxYear) : undefined;
  const taxable = shown.filter(({ kind }) => kind !== 'isa');
  const bought =
    tool === taxTools[0] && args.cursor === undefined && taxable.length > 0 && isas.length > 0
      ? await listPurchases(taxable, isas, year, question)
      : [];
  const subscriptions =
    year && args.cursor === undefined && isas.length > 0 ? await sumSubscriptions(isas, year, question) : undefined;
  const { taxReturn, note, remarks, ...rest } = result.body;
  const notes = [
    note,
    isas.length > 0 && describeExempt(taxable, isas),
    matched !== undefined && tool === taxTools[0] && matchNotes[matched],
  ].filter(Boolean);
  const body: ResponseBody = {
    ...rest,
    ...(notes.length > 0 && { note: notes.join(' ') }),
    ...(taxReturn !== undefined && taxable.length > 0 && matched !== 'apart' ? { taxReturn } : {}),
    ...(isas.length > 0 && { exempt: isas.map(({ name }) => name) }),
    ...(subscriptions && { isaSubscriptions: subscriptions }),
    ...(bought.length > 0 || remarks ? { remarks: [...bought, ...((remarks as string[] | undefined) ?? [])] } : {}),
  };
  return { ...result, body, text: JSON.stringify(body) };
}

const matchNotes = {
  together: 'The shares of all taxable accounts are matched together, as a tax return needs it.',
  apart:
    'A tax return matches the shares of all taxable accounts together (method uk_section_104, without account), and these figures match each account alone.',
};

function describeExempt(taxable: readonly TaxAccount[], isas: readonly TaxAccount[]): string {
  const names = isas.map(({ name }) => name).join(', ');
  return taxable.length === 0
    ? `${names}: an ISA is exempt, so these figures belong in no tax return.`
    : `${names}: an ISA is exempt, so its gains, dividends and interest are in no figure here.`;
}

// What was paid into the ISAs.

const subscriptionNote =
  'Deposits as they were booked. Transfers from another ISA are no subscription, and what was paid into ISAs elsewhere is unknown.';

/** Without amounts where the transactions of an ISA could not be read completely, because a part of them would seem to be all. */
async function sumSubscriptions(
  isas: readonly TaxAccount[],
  { since, until }: TaxYear,
  { allowance, options }: TaxCall,
): Promise<object> {
  const args = {
    kind: 'transactions',
    type: 'DEPOSIT',
    since: new Date(since).toISOString(),
    until: new Date(until).toISOString(),
    limit: 1,
  };
  const results = await Promise.all(isas.map(({ run }) => run('fetch_history', args, options)));
  const sums = results.flatMap(({ body }) => (body.sums as { currency: string; amount: string }[] | undefined) ?? []);
  const complete = results.every(({ isError, body }) => !isError && body.complete !== false);
  if (!complete) return { complete, note: 'What was paid in is not completely read yet. Call again later.' };
  const currencies = new Set(sums.map(({ currency }) => currency));
  if (currencies.size > 1) return { complete: false, note: 'The ISAs have different currencies.' };
  const paid = sums.reduce((total, { amount }) => total.plus(amount), new Big(0));
  return {
    amount: paid.toFixed(2),
    currency: [...currencies][0],
    ...(allowance === undefined ? {} : { allowance, left: new Big(allowance).minus(paid).toFixed(2) }),
    complete,
    note: subscriptionNote,
  };
}

// Purchases in an ISA after a sale outside of it.

const matchDays = 30;
const maxTrades = 500;
const maxNamed = 3;

interface Trades {
  readonly account: string;
  readonly trades: readonly Trade[];
  /** Whether they are all that were asked for. */
  readonly complete: boolean;
}

interface Trade {
  readonly account: string;
  readonly ticker: string;
  readonly side: string;
  readonly at: number;
}

async function listPurchases(
  taxable: readonly TaxAccount[],
  isas: readonly TaxAccount[],
  year: TaxYear | undefined,
  question: TaxCall,
): Promise<readonly string[]> {
  const { ticker } = question.args;
  const read = async ({ name, run }: TaxAccount, until: number | undefined): Promise<Trades> => {
    const args = {
      ...{ kind: 'orders', limit: maxTrades },
      ...(year && { since: new Date(year.since).toISOString() }),
      ...(until && { until: new Date(until).toISOString() }),
      ...(ticker === undefined ? {} : { ticker }),
    };
    const { isError, body } = await run('fetch_history', args, { ...question.options, wantsAllRows: true });
    const complete = !isError && body.complete !== false && body.nextCursor === undefined;
    return { account: name, trades: toTrades(name, body), complete };
  };
  const later = year && year.until + (matchDays + 1) * dayMs;
  const [sales, purchases] = await Promise.all([
    Promise.all(taxable.map((account) => read(account, year?.until))),
    Promise.all(isas.map((account) => read(account, later))),
  ]);
  const unread = [...sales, ...purchases].flatMap(({ account, complete }) => (complete ? [] : account));
  const found = sales
    .flatMap(({ trades }) => trades)
    .filter(({ side }) => side === 'SELL')
    .toSorted((a, b) => a.at - b.at)
    .flatMap((sale) => {
      const bought = purchases
        .flatMap(({ trades }) => trades)
        .find((one) => one.side === 'BUY' && one.ticker === sale.ticker && isAfter(sale, one));
      return bought ? [{ sale, bought }] : [];
    });
  const others = found.length - maxNamed;
  return [
    ...found.slice(0, maxNamed).map(describePurchase),
    ...(others > 0 ? [`Further sales were followed by such a purchase: ${others}.`] : []),
    ...(unread.length > 0
      ? [`The orders of ${unread.join(', ')} are not completely read, so other sales may have been followed by one.`]
      : []),
  ];
}

/** On the same day of London, or one of the 30 days after it. */
function isAfter(sale: Trade, bought: Trade): boolean {
  const [from, to] = [sale, bought].map(({ at }) => Date.parse(toZoneDate(at, taxYearZone))) as [number, number];
  return to >= from && to <= from + matchDays * dayMs;
}

const describePurchase = ({ sale, bought }: { readonly sale: Trade; readonly bought: Trade }): string =>
  `${sale.ticker}: sold in ${sale.account} on ${toZoneDate(sale.at, taxYearZone)} and bought in ${bought.account} on ${toZoneDate(bought.at, taxYearZone)}. A purchase in an ISA is not matched with a sale outside of it (ISA Regulations 1998, regulation 34(2)), so it does not change the gain.`;

function toTrades(account: string, { columns, rows }: ResponseBody): readonly Trade[] {
  const names = (columns as readonly string[] | undefined) ?? [];
  const [ticker, side, filledAt] = ['ticker', 'side', 'filledAt'].map((name) => names.indexOf(name)) as [
    number,
    number,
    number,
  ];
  return ((rows as unknown[][] | undefined) ?? []).flatMap((row) =>
    typeof row[filledAt] === 'string'
      ? [{ account, ticker: String(row[ticker]), side: String(row[side]), at: Date.parse(row[filledAt]) }]
      : [],
  );
}
