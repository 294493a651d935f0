/** Gains of sales that were not made, by the reference of `npm run check-gains`, which is written from the tax rules. */
import type { AccountRow } from '../../checks/gains/account-row.ts';
import { readEvents } from '../../checks/gains/class-events.ts';
import { addAll, type Fraction, isPositive, subtract } from '../../checks/gains/fraction.ts';
import { groupRows } from '../../checks/gains/group-rows.ts';
import type { Disposal, Part } from '../../checks/gains/outcome.ts';
import { applyAverage, applyFifo } from '../../checks/gains/reference-lots.ts';
import { applySection104 } from '../../checks/gains/reference-section-104.ts';
import type { Account, Asset } from './plan-assets.ts';
import { toQuantityText } from './rounding.ts';

export type Method = 'average' | 'fifo' | 'uk_section_104';

export interface Sale {
  readonly ticker: string;
  readonly shares: Fraction;
  /** After charges. */
  readonly proceeds: Fraction;
}

/** From 6 April to 5 April in London, which is an hour ahead of UTC on both days. */
const taxYear = { from: Date.UTC(2025, 3, 5, 23), to: Date.UTC(2026, 3, 5, 23) };

const isInYear = ({ sale }: Disposal) => sale.at >= taxYear.from && sale.at < taxYear.to;
const gainOf = ({ proceeds, cost }: Disposal) => subtract(proceeds, cost);

/** The realised gain of the tax year 2025/26 with these sales. */
export const yearGainWith = (account: Account, at: number, method: Method, sales: readonly Sale[]): Fraction =>
  addAll([...disposalsOf(account, at, method, sales).values()].flatMap(({ all }) => all.filter(isInYear).map(gainOf)));

/** What one sale realises, and what is left of its holding after it. */
export function saleOf(account: Account, at: number, method: Method, sale: Sale) {
  const { all, left } = holdingOf(account, at, method, sale);
  const own = all.at(-1);
  if (!own || own.sale.at !== at || !left.cost) throw new Error(`the cost of ${sale.ticker} is unknown`);
  return { gain: gainOf(own), cost: own.cost, costLeft: left.cost, left: left.units, parts: own.parts };
}

/** The parts with costs of their own into which the method divides what can be sold, in its order. */
export function lotsOf(account: Account, at: number, method: Method, { ticker, sellable }: Asset): readonly Part[] {
  return isPositive(sellable)
    ? saleOf(account, at, method, { ticker, shares: sellable, proceeds: [0n, 1n] }).parts
    : [];
}

function holdingOf(account: Account, at: number, method: Method, sale: Sale) {
  const { isin } = account.world.get(sale.ticker);
  const found = disposalsOf(account, at, method, [sale], isin).get(isin);
  if (!found) throw new Error(`${sale.ticker} has no history`);
  return found;
}

/** By share class. With `only`, of the class with this ISIN. */
function disposalsOf(account: Account, at: number, method: Method, sales: readonly Sale[], only?: string) {
  const rows = [...rowsOf(account), ...sales.map((sale, index) => toRow(sale, at, account, index))];
  const wanted = rows.filter(({ isin }) => only === undefined || isin === only);
  const groups = groupRows(wanted, ({ isin }) => isin);
  return new Map(
    [...groups].map(([name, group]) => {
      const { disposals, unknown, left } = apply(group, method);
      if (unknown.length > 0) throw new Error(`the cost of ${name} is unknown`);
      return [name, { all: disposals, left }] as const;
    }),
  );
}

function apply(rows: readonly AccountRow[], method: Method) {
  const events = readEvents(rows, new Map(), { exchanges: new Map(), getGiven: () => [] });
  if (method === 'average') return applyAverage(events);
  return method === 'fifo' ? applyFifo(events) : applySection104(events, new Map());
}

/** The books as the reference reads them. */
function rowsOf({ books, world }: Account): AccountRow[] {
  if (books.dividends.some(({ type }) => type.startsWith('RETURN_OF_CAPITAL')))
    throw new Error('returned capital is not part of this computation');
  return books.history.flatMap(({ order, fill }): AccountRow[] => {
    if (!fill) return [];
    const { ticker, side } = order;
    const charges = fill.taxes.map(({ quantity }) => `-${quantity}`);
    const quantity = fill.quantity.replace('-', '');
    const isin = world.get(ticker).isin;
    return [
      {
        id: BigInt(fill.id),
        at: fill.filledAt,
        ticker,
        isin,
        side,
        type: fill.type,
        quantity,
        value: fill.netValue,
        charges,
      },
    ];
  });
}

const toRow = ({ ticker, shares, proceeds }: Sale, at: number, { world }: Account, index: number): AccountRow => ({
  // After all fills of the account.
  id: 10n ** 30n + BigInt(index),
  at,
  ticker,
  isin: world.get(ticker).isin,
  side: 'SELL',
  type: 'TRADE',
  quantity: toQuantityText(shares),
  value: toQuantityText(proceeds),
  charges: [],
});
