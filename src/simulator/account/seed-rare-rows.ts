/**
 * Rows that an ordinary account seldom has: every type of fill and dividend of the specification, two charges, and the
 * movements of cash that reports name and the interface shows as one of its four types. They follow the seeded past, in
 * its last four days, and are booked like all others.
 */
import Big from 'big.js';
import { dividendTypes, fillTypes } from '../../core/endpoints/index.ts';
import { toUuid } from '../random.ts';
import { hourMs } from '../world/time-zones.ts';
import type { World } from '../world/world.ts';
import { buildFill } from './build-fill.ts';
import { bookCash, bookFill } from './ledger.ts';
import {
  type DividendRecord,
  type FillRecord,
  getFillId,
  type HistoryRow,
  type OrderRecord,
  type TransactionRecord,
  takeOrderId,
} from './records.ts';
import { buildDividend } from './seed-dividends.ts';
import type { SeedHistory } from './seed-history.ts';

const startsBeforeMs = 96 * hourMs;
/** Held in every seeded account. */
const heldTicker = 'QBRAMl_EQ';
/** Never traded in a seeded account; the shares of a spin-off are the first of it. */
const newTicker = 'QTIDEl_EQ';

/** Adds the rows to the past, newest last. */
export function addRareRows(world: World, past: SeedHistory, startedAt: number): void {
  const begin = Math.floor((startedAt - startsBeforeMs) / 1000) * 1000;
  const ids = { nextOrderId: past.history.reduce((last, { order }) => Math.max(last, order.id), 0) + 1000 };
  const takeId = () => takeOrderId(ids, world.seed);
  fillTypes.forEach((type, index) => {
    past.history.push(rareFill(world, past, type, takeId(), begin + index * hourMs));
  });
  for (const row of rareDividends(world, past, begin)) {
    past.dividends.push(row);
    bookCash(past.ledger, row);
  }
  for (const row of rareTransactions(world, begin)) {
    past.transactions.push(row);
    bookCash(past.ledger, row);
  }
  for (const rows of [past.history, past.dividends, past.transactions]) rows.sort((a, b) => a.at - b.at);
}

/** A trade with the two charges, or a corporate action that adds shares; a correction removes one. */
function rareFill(
  world: World,
  { ledger }: SeedHistory,
  type: FillRecord['type'],
  orderId: number,
  at: number,
): HistoryRow {
  const isTrade = type === 'TRADE';
  const ticker = type === 'SPIN_OFF' ? newTicker : heldTicker;
  const instrument = world.get(ticker);
  const quantity = new Big(type === 'FOP_CORRECTION' ? -1 : 2);
  const price = isTrade ? world.prices.priceAt(instrument, at) : new Big(0);
  const built = buildFill(world, {
    id: getFillId(orderId, 1),
    instrument,
    side: 'BUY',
    quantity,
    price,
    at,
    tradingMethod: 'OTC',
  });
  const charges = [
    { name: 'STAMP_DUTY_RESERVE_TAX', shownAs: 'STAMP_DUTY', quantity: '0.40' },
    { name: 'TRANSACTION_FEE', shownAs: 'COMMISSION_TURNOVER', quantity: '0.07' },
  ] as const;
  const fill: FillRecord = isTrade
    ? { ...built, taxes: [...built.taxes, ...charges], netValue: new Big(built.netValue).plus('0.47').toFixed() }
    : { ...built, type, taxes: [] };
  const order: OrderRecord = {
    id: orderId,
    createdAt: at,
    ticker,
    type: 'MARKET',
    side: quantity.lt(0) ? 'SELL' : 'BUY',
    quantity: fill.quantity,
    timeInForce: 'GOOD_TILL_CANCEL',
    extendedHours: false,
    initiatedFrom: isTrade ? 'WEB' : 'SYSTEM',
    status: 'FILLED',
    filledQuantity: fill.quantity,
    reserved: '0',
  };
  return { order, at, fill: bookFill(ledger, order, fill) };
}

function rareDividends(world: World, { ledger }: SeedHistory, begin: number): DividendRecord[] {
  const quantity = ledger.holdings.get(heldTicker)?.quantity ?? new Big(0);
  return dividendTypes.flatMap((type, index) => {
    const row = buildDividend(world, world.get(heldTicker), quantity, new Big('0.5'), begin + index * hourMs);
    return row ? [{ ...row, type }] : [];
  });
}

type RareTransaction = Omit<TransactionRecord, 'reference' | 'at'>;

/** One hour apart; their order is that of the reports. */
const rareTransactionRows: readonly RareTransaction[] = [
  { type: 'DEPOSIT', shownAs: 'TRANSFER', reportedAs: 'Bank Transfer', amount: '120.00' },
  { type: 'WITHDRAW', reportedAs: 'Card debit', amount: '-12.40' },
  { type: 'DEPOSIT', reportedAs: 'Card credit', amount: '3.00' },
  { type: 'DEPOSIT', reportedAs: 'Card refund', amount: '0.75' },
  { type: 'DEPOSIT', reportedAs: 'Spending cashback', amount: '0.06' },
  { type: 'FEE', amount: '-5.00' },
  { type: 'INTEREST_ON_FREE_CASH', reportedAs: 'Share lending interest', amount: '0.02' },
  { type: 'WITHDRAW', shownAs: 'TRANSFER', reportedAs: 'Result adjustment', amount: '-0.20' },
  { type: 'WITHDRAW', shownAs: 'TRANSFER', reportedAs: 'Dividend adjustment', amount: '-0.30' },
  { type: 'DEPOSIT', shownAs: 'TRANSFER', reportedAs: 'Transfer in', amount: '50.00' },
  { type: 'WITHDRAW', shownAs: 'TRANSFER', reportedAs: 'Transfer out', amount: '-50.00' },
  ...convert({ amount: '-10.00' }, { amount: '12.64', currency: 'USD' }),
  ...convert({ amount: '-12.64', currency: 'USD' }, { amount: '10.00' }),
];

/** Both legs of a currency conversion; a leg without a currency is in the account's. */
function convert(
  from: Pick<TransactionRecord, 'amount' | 'currency'>,
  to: Pick<TransactionRecord, 'amount' | 'currency'>,
): RareTransaction[] {
  return [
    {
      type: 'WITHDRAW',
      shownAs: 'TRANSFER',
      reportedAs: 'Currency conversion',
      ...from,
      convertedTo: { amount: to.amount, currency: to.currency ?? 'GBP' },
    },
    { type: 'DEPOSIT', shownAs: 'TRANSFER', ...to, isInOtherRow: true },
  ];
}

const rareTransactions = (world: World, begin: number): TransactionRecord[] =>
  rareTransactionRows.map((row, index) => ({
    ...row,
    reference: toUuid(`transfer ${world.seed} ${index}`),
    at: begin + index * hourMs,
  }));
