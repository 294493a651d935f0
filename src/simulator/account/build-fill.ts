import Big from 'big.js';
import type { Instrument } from '../world/instrument.ts';
import type { World } from '../world/world.ts';
import { roundToPence, toAccountCurrency } from './money.ts';
import type { FillRecord, Side } from './records.ts';
import { computeTaxes } from './taxes.ts';

export interface Execution {
  readonly id: number;
  readonly instrument: Instrument;
  readonly side: Side;
  /** Positive. */
  readonly quantity: Big;
  readonly price: Big;
  readonly at: number;
  readonly tradingMethod: FillRecord['tradingMethod'];
}

/** Builds the fill of an execution. The ledger sets its realised result when it books the fill. */
export function buildFill(world: World, execution: Execution): FillRecord {
  const { id, instrument, side, quantity, price, at, tradingMethod } = execution;
  const rate = world.prices.rateAt(instrument.currency, at);
  const gross = toAccountCurrency(price.times(quantity), rate);
  const taxes = computeTaxes(world, instrument, side, gross, quantity);
  const taxTotal = taxes.reduce((sum, tax) => sum.plus(tax.quantity), new Big(0));
  const net = roundToPence(side === 'BUY' ? gross.plus(taxTotal) : gross.minus(taxTotal));
  return {
    id,
    filledAt: at,
    price: price.toFixed(),
    quantity: (side === 'BUY' ? quantity : quantity.neg()).toFixed(),
    type: 'TRADE',
    tradingMethod,
    fxRate: rate.toFixed(),
    netValue: net.lt(0) ? '0' : net.toFixed(),
    taxes,
    realisedProfitLoss: '0',
  };
}
