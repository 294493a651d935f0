/** The gross amount of a dividend and the tax withheld from it, as far as its row has them. */

import Big from 'big.js';
import type { Dividend } from '../../core/endpoints/index.ts';
import type { Payment } from './dividend-payments.ts';
import { listNames, nameDividend } from './names.ts';

interface Money {
  readonly amount: Big;
  /** ISO 4217: pence (GBX) are converted to pounds. */
  readonly currency: string;
}

interface DividendTax {
  /** Before tax, in the instrument's currency. */
  readonly gross: Money | undefined;
  /** Before tax, in the currency of the payment. Undefined when the row has no rate for it. */
  readonly ownGross: Big | undefined;
  /** In the currency of the payment; not below zero for a payment. Undefined when `ownGross` is. */
  readonly ownWithheld: Big | undefined;
}

/** Amounts are paid to the penny, so a smaller difference is a rounding and no tax. */
const penny = new Big('0.01');

/**
 * Computes the tax of a row (docs/interface.md, Fields and shapes). The gross amount is the quantity times the gross
 * amount per share. Where it is in the currency of the payment, the tax is what is missing in the payment. Elsewhere
 * the row must name the tax: then the payment itself gives the exchange rate. `currency` is that of the payment.
 */
export function computeDividendTax(row: Dividend, currency: string | undefined): DividendTax {
  const net = row.amount === undefined ? undefined : new Big(row.amount);
  const sign = net?.lt(0) ? -1 : 1;
  const gross = computeGross(row, sign);
  const named = computeNamed(row, gross?.currency, sign);
  if (net === undefined || currency === undefined) return unknownTax(gross);
  if (named?.currency === currency) return { gross, ownGross: net.plus(named.amount), ownWithheld: named.amount };
  if (gross?.currency === currency) return compareWithNet(gross, net, sign);
  if (!gross || named?.currency !== gross.currency) return unknownTax(gross);
  const paid = gross.amount.minus(named.amount);
  if (!paid.times(sign).gt(0)) return unknownTax(gross);
  const ownGross = net.times(gross.amount).div(paid);
  return { gross, ownGross, ownWithheld: ownGross.minus(net) };
}

const unknownTax = (gross: Money | undefined): DividendTax => ({ gross, ownGross: undefined, ownWithheld: undefined });

/** A gross amount below the payment does not belong to it, so the tax is unknown. */
function compareWithNet(gross: Money, net: Big, sign: number): DividendTax {
  const withheld = gross.amount.minus(net);
  if (withheld.abs().lt(penny)) return { gross, ownGross: net, ownWithheld: new Big(0) };
  return withheld.times(sign).lt(0) ? unknownTax(gross) : { gross, ownGross: gross.amount, ownWithheld: withheld };
}

function computeGross({ quantity, grossAmountPerShare, tickerCurrency, instrument }: Dividend, sign: number) {
  const currency = tickerCurrency ?? instrument?.currency;
  if (quantity === undefined || grossAmountPerShare === undefined || currency === undefined) return undefined;
  return toMoney(new Big(quantity).times(grossAmountPerShare), currency, sign);
}

function computeNamed(row: Dividend, grossCurrency: string | undefined, sign: number) {
  const currency = row.withholdingTaxCurrency ?? grossCurrency;
  if (row.withholdingTax === undefined || currency === undefined) return undefined;
  return toMoney(new Big(row.withholdingTax), currency, sign);
}

/** Services differ in the signs of quantities and taxes, so the payment has the sign. */
const toMoney = (amount: Big, currency: string, sign: number): Money => ({
  amount: amount
    .abs()
    .times(sign)
    .div(currency === 'GBX' ? 100 : 1),
  currency: currency === 'GBX' ? 'GBP' : currency,
});

// Names the dividends whose withheld tax is unknown, and where it can come from.

/** Payments whose tax is unknown. */
interface UnknownTaxes {
  readonly all: readonly Payment[];
  /** Several payments of a report fit, and their taxes differ. */
  readonly ambiguous: readonly Payment[];
  /** No report that names the tax has been read. */
  readonly unreported: readonly Payment[];
}

/** A payment of a report that does not name its tax is only in `all`, because nothing more can be read. */
export function findUnknownTaxes(payments: readonly Payment[]): UnknownTaxes {
  const unknown = payments.filter(
    ({ row, currency, amount }) => amount !== undefined && computeDividendTax(row, currency).ownWithheld === undefined,
  );
  const ambiguous = unknown.filter(({ row }) => row.withholdingTaxIsAmbiguous);
  const unreported = unknown.filter(
    ({ row }) => !row.fromReport && row.withholdingTax === undefined && !row.withholdingTaxIsAmbiguous,
  );
  return { all: unknown, ambiguous, unreported };
}

/** One sentence per reason. `importer` is what the reader calls or runs to import reports. */
export function describeUnknownTaxes(payments: readonly Payment[], importer: string): string[] {
  const { ambiguous, unreported } = findUnknownTaxes(payments);
  const describe = (what: string, rows: readonly Payment[]) =>
    rows.length > 0 ? [`${what}: ${listNames(rows.map(({ row }) => nameDividend(row)))}.`] : [];
  return [
    ...describe('The tax withheld is unknown where reports have equal payments with other taxes', ambiguous),
    ...describe(`The tax withheld is only in reports, which ${importer} reads`, unreported),
  ];
}
