/**
 * Decimals as integers of a small unit. A division in big.js takes 20 µs, and a long history needs tens of
 * thousands; a division of two bigints takes 0.1 µs and leaves an exact remainder.
 */
import Big from 'big.js';
import type { Trade } from '../analytics/trades.ts';

/** The number of decimals that the integers represent, enough for every figure of the trades. */
export interface FixedPointScale {
  readonly quantity: number;
  readonly money: number;
}

/**
 * A part of a cost is truncated to at least this many decimals, and the remainder stays with the rest, so that no
 * penny appears or is lost.
 */
const minMoneyDecimals = 24;
/** The number of decimals for a quantity that a split made periodic, or that is a part of exchanged shares. */
const quantityDecimals = 20;

export function computeScale(trades: readonly Trade[], hasExchanges = false): FixedPointScale {
  let quantity = 0;
  let money = minMoneyDecimals;
  for (const trade of trades) {
    quantity = Math.max(quantity, countDecimals(trade.quantity));
    if (trade.netValue) money = Math.max(money, countDecimals(trade.netValue));
    const result = trade.side === 'SELL' ? trade.realisedProfitLoss : undefined;
    if (result) money = Math.max(money, countDecimals(result));
  }
  return { quantity: hasExchanges ? quantity + quantityDecimals : quantity, money };
}

export const countDecimals = (value: Big): number => Math.max(0, value.c.length - 1 - value.e);

const powers = Array.from({ length: 64 }, (_, exponent) => 10n ** BigInt(exponent));
const powerOfTen = (exponent: number): bigint => powers[exponent] ?? 10n ** BigInt(exponent);

/** A double represents this many digits exactly, and is several times as fast as text. */
const exactDigits = 15;

/** `value` × 10^decimals; `decimals` must be at least the value's own. */
export function toUnits(value: Big, decimals: number): bigint {
  const { c: digits, e: exponent, s: sign } = value;
  const zeros = decimals - (digits.length - 1 - exponent);
  if (digits.length > exactDigits) return BigInt(sign) * BigInt(digits.join('')) * powerOfTen(zeros);
  let short = 0;
  for (const digit of digits) short = short * 10 + digit;
  short *= sign;
  return digits.length + zeros <= exactDigits ? BigInt(short * 10 ** zeros) : BigInt(short) * powerOfTen(zeros);
}

export const fromUnits = (whole: bigint, decimals: number): Big => new Big(`${whole}e-${decimals}`);

/** The fraction `part / whole` of an amount, truncated to the unit; the exact amount if both are equal. */
export const prorate = (amount: bigint, part: bigint, whole: bigint): bigint =>
  part === whole ? amount : (amount * part) / whole;

/** Converts units to shares (`weight` units are 10^-scale.quantity of a share); exact if a decimal can be. */
export function toShares(units: bigint, weight: bigint, scale: FixedPointScale): Big {
  if (weight === 1n) return fromUnits(units, scale.quantity);
  const twice = (2n * units * powerOfTen(quantityDecimals)) / weight;
  return fromUnits((twice + 1n) / 2n, scale.quantity + quantityDecimals);
}
