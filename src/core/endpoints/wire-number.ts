import * as z from 'zod';
import { countDecimals, toDecimalString } from './decimal.ts';

/** Weights such as 1/3 have 16 or 17 decimals; no amount has this many. */
const maxDecimals = 20;

/** A number for a request body. It is written digit for digit, never through a double. */
export class WireNumber {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

/** A number field of a request body. Accepts a number or a decimal string. */
export const wireNumber = () =>
  z.union([z.number(), z.string(), z.instanceof(WireNumber)]).transform((value, ctx) => {
    if (value instanceof WireNumber) return value;
    const exact = toDecimalString(value);
    if (exact === undefined) {
      ctx.addIssue({ code: 'custom', message: 'is not a number' });
      return z.NEVER;
    }
    if (countDecimals(exact) > maxDecimals) {
      ctx.addIssue({ code: 'custom', message: `has more than ${maxDecimals} decimals` });
      return z.NEVER;
    }
    return new WireNumber(exact);
  });

/** The JSON text of a request body. WireNumbers keep their digits; absent fields are omitted. */
export function writeBody(value: unknown): string {
  if (value instanceof WireNumber) return value.text;
  if (Array.isArray(value)) return `[${value.map(writeBody).join(',')}]`;
  if (typeof value === 'object' && value !== null) {
    const fields = Object.entries(value)
      .filter(([, inner]) => inner !== undefined)
      .map(([key, inner]) => `${JSON.stringify(key)}:${writeBody(inner)}`);
    return `{${fields.join(',')}}`;
  }
  return JSON.stringify(value);
}
