/** Converts an account as the broker reported it to one with which a simulator starts. */

import {
  type AccountSummary,
  instrumentTypes,
  type Order,
  orderSides,
  orderTypes,
  type Position,
  type TradableInstrument,
} from '../core/endpoints/index.ts';
import { getTicker } from '../core/endpoints/instruments.ts';
import type { StartingAccount } from '../simulator/index.ts';

export interface AccountReading {
  readonly summary: AccountSummary;
  readonly positions: readonly Position[];
  readonly pending: readonly Order[];
  readonly instruments: readonly TradableInstrument[];
}

type StartingOrder = StartingAccount['pendingOrders'][number];

/**
 * Returns the account, and a sentence for each position or order that the simulator cannot take over because the
 * broker did not report what it needs. Undefined when currency or cash is unknown. `now` in milliseconds.
 */
export function toStartingAccount(
  { summary, positions, pending, instruments }: AccountReading,
  now: number,
): { readonly account: StartingAccount; readonly omitted: readonly string[] } | undefined {
  const { id, currency, cash, investments } = summary;
  if (currency === undefined || cash?.availableToTrade === undefined) return undefined;
  const omitted: string[] = [];
  const keep = <Kept>(kept: Kept | undefined, name: string): Kept[] => {
    if (kept === undefined) omitted.push(`${name} is left out, because the broker did not report all of it.`);
    return kept === undefined ? [] : [kept];
  };
  const keptPositions = positions.flatMap((one, index) =>
    keep(toPosition(one, now), `The position in ${one.instrument?.ticker ?? `row ${index + 1}`}`),
  );
  const keptOrders = pending.flatMap((one, index) => keep(toOrder(one, now), `The order ${one.id ?? index + 1}`));
  const account: StartingAccount = {
    id: Number(id ?? 0),
    currency,
    cash: {
      available: cash.availableToTrade,
      reserved: cash.reservedForOrders ?? '0',
      inPies: cash.inPies ?? '0',
    },
    realisedProfitLoss: investments?.realizedProfitLoss ?? '0',
    positions: keptPositions,
    pendingOrders: keptOrders,
    instruments: toInstruments(positions, pending, instruments, [...keptPositions, ...keptOrders]),
  };
  return { account, omitted };
}

function toPosition(position: Position, now: number): StartingAccount['positions'][number] | undefined {
  const { instrument, quantity, averagePricePaid, currentPrice, walletImpact } = position;
  const { currentValue, totalCost } = walletImpact ?? {};
  if (!instrument?.ticker || !instrument.currency) return undefined;
  if (!quantity || !averagePricePaid || !currentPrice || !currentValue || !totalCost) return undefined;
  return {
    ticker: instrument.ticker,
    openedAt: readTime(position.createdAt, now),
    quantity,
    quantityInPies: position.quantityInPies ?? '0',
    averagePricePaid,
    currentPrice,
    currentValue,
    totalCost,
    fxImpact: walletImpact?.fxImpact ?? '0',
  };
}

const statuses = ['NEW', 'CONFIRMED', 'PARTIALLY_FILLED', 'CANCELLING'] as const;
const origins = ['API', 'IOS', 'ANDROID', 'WEB', 'SYSTEM', 'AUTOINVEST'] as const;

function toOrder(order: Order, now: number): StartingOrder | undefined {
  const ticker = getTicker(order);
  const { id, quantity, value, limitPrice, stopPrice, filledValue } = order;
  const type = findIn(orderTypes, order.type);
  const side = findIn(orderSides, order.side);
  if (!id || !ticker || !type || !side) return undefined;
  if (!order.instrument?.currency || (quantity === undefined && value === undefined)) return undefined;
  const isSale = side === 'SELL';
  return {
    id: Number(id),
    createdAt: readTime(order.createdAt, now),
    ticker,
    type,
    side,
    ...(quantity !== undefined && { quantity: withSign(quantity, isSale) }),
    ...(value !== undefined && { value }),
    ...(filledValue !== undefined && { filledValue }),
    ...(limitPrice !== undefined && { limitPrice }),
    ...(stopPrice !== undefined && { stopPrice }),
    timeInForce: order.timeInForce === 'DAY' ? 'DAY' : 'GOOD_TILL_CANCEL',
    extendedHours: order.extendedHours ?? false,
    initiatedFrom: findIn(origins, order.initiatedFrom) ?? 'API',
    status: findIn(statuses, order.status) ?? 'NEW',
    filledQuantity: withSign(order.filledQuantity ?? '0', isSale),
    reserved: '0',
  };
}

/** The sign of a sale varies; the simulator's records have a minus. */
function withSign(quantity: string, isSale: boolean): string {
  const size = quantity.replace('-', '');
  return isSale && size !== '0' ? `-${size}` : size;
}

function toInstruments(
  positions: readonly Position[],
  pending: readonly Order[],
  listed: readonly TradableInstrument[],
  kept: readonly { readonly ticker: string }[],
): StartingAccount['instruments'] {
  const wanted = new Set(kept.map(({ ticker }) => ticker));
  const rows = new Map(listed.flatMap((row) => (row.ticker && wanted.has(row.ticker) ? [[row.ticker, row]] : [])));
  const embedded = new Map(
    [...positions, ...pending].flatMap(({ instrument }) =>
      instrument?.ticker && instrument.currency ? [[instrument.ticker, instrument]] : [],
    ),
  );
  return [...wanted].flatMap((ticker) => {
    const row = rows.get(ticker);
    const instrument = embedded.get(ticker);
    const currency = instrument?.currency ?? row?.currencyCode;
    if (currency === undefined) return [];
    return [
      {
        ticker,
        currency,
        type: findIn(instrumentTypes, row?.type),
        name: instrument?.name ?? row?.name,
        shortName: row?.shortName,
        isin: instrument?.isin ?? row?.isin,
        addedOn: row?.addedOn,
        extendedHours: row?.extendedHours,
        maxOpenQuantity: row?.maxOpenQuantity === undefined ? undefined : Number(row.maxOpenQuantity),
      },
    ];
  });
}

const findIn = <const Value extends string>(values: readonly Value[], value: string | undefined): Value | undefined =>
  values.find((one) => one === value);

const readTime = (text: string | undefined, now: number): number => {
  const at = Date.parse(text ?? '');
  return Number.isNaN(at) ? now : at;
};
