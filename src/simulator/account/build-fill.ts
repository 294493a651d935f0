import Big from 'big.js';
import type { Instrument } from '../world/instrument.ts';
import type { World } from '../world/world.ts';
import { roundToPence, toAccountCurrency } from './ledger.ts';
import type { FillRecord, Side, TaxName, TaxRecord } from './records.ts';

interface Execution {
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

/** Returns the charges of a trade; `gross` in account currency. Each charge is rounded to the penny separately. */
export function computeTaxes(world: World, instrument: Instrument, side: Side, gross: Big, quantity: Big): TaxRecord[] {
  const country = instrument.isin.slice(0, 2);
  const isStock = instrument.type === 'STOCK';
  const taxes: TaxRecord[] = [];
  const charge = (name: TaxName, amount: Big) => {
    const rounded = roundToPence(amount);
    if (rounded.gt(0)) taxes.push({ name, quantity: rounded.toFixed(2) });
  };
  if (world.isForeign(instrument.currency)) {
    charge('CURRENCY_CONVERSION_FEE', gross.times('0.0015'));
  }
  if (country === 'GB' && isStock && side === 'BUY') charge('STAMP_DUTY_RESERVE_TAX', gross.times('0.005'));
  if (country === 'GB' && isStock && gross.gt(10_000)) charge('PTM_LEVY', gross.times(0).plus('1.5'));
  if (country === 'FR' && isStock && side === 'BUY') charge('FRENCH_TRANSACTION_TAX', gross.times('0.004'));
  if (country === 'US' && side === 'SELL') {
    charge('FINRA_FEE', quantity.times('0.000166').plus('0.005'));
    charge('TRANSACTION_FEE', gross.times('0.0000278').plus('0.005'));
  }
  return taxes;
}
