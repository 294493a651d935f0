import * as z from 'zod';
import { countDecimals, toDecimalString } from './decimal.ts';
import { arrayOf, readableArrayOf, text } from './fields.ts';

/**
 * A list without paging. The specification does not show whether it comes bare or in an envelope, so a bare array,
 * `{items: [...]}` and `{data: [...]}` are all accepted.
 */
export const unpaginatedList = <Item extends z.ZodType>(item: Item) => inEnvelope(arrayOf(item));

/** A list of metadata, in which an item that cannot be read is left out and counted (see `countUnreadable`). */
export const metadataList = <Item extends z.ZodType>(item: Item) => inEnvelope(readableArrayOf(item));

const inEnvelope = <Item>(items: z.ZodType<Item[]>) =>
  z
    .union([items, z.object({ items }), z.object({ data: items })])
    .transform((answer): Item[] => (Array.isArray(answer) ? answer : 'items' in answer ? answer.items : answer.data));

/** PaginatedResponse…: `nextPagePath` is null, empty or absent at the end of the list. */
export const paginatedList = <Item extends z.ZodType>(item: Item) =>
  z.union([
    z.object({ items: arrayOf(item), nextPagePath: text() }),
    z.object({ data: arrayOf(item), nextPagePath: text() }).transform(({ data, nextPagePath }) => ({
      items: data,
      nextPagePath,
    })),
    arrayOf(item).transform((items) => ({ items, nextPagePath: undefined })),
  ]);

/** A body that the specification does not show and that may be empty. */
export const unspecifiedBody = () => z.unknown();

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
