/**
 * The field types of docs/interface.md, as schemas of the service's *responses*.
 * The specification does not say which fields are required, whether a field that does not apply is null or absent,
 * or which enum values will be added ("spec: not shown"). So every field may be missing, null counts as missing,
 * unknown enum values are accepted, and unknown fields are kept. Numbers arrive as numbers, or as strings when a
 * number in the text was too long for a double (see broker/response/exact-json.ts); both become exact decimal
 * strings here.
 */
import * as z from 'zod';
import { toDecimalString } from './decimal.ts';

const missing = <T>(value: T | null | undefined): T | undefined => value ?? undefined;

const exactNumber = z.union([z.number(), z.string()]).transform((value, ctx) => {
  const exact = toDecimalString(value);
  if (exact === undefined) {
    ctx.addIssue({ code: 'custom', message: 'is not a number' });
    return z.NEVER;
  }
  return exact;
});

/** `number`: an exact decimal string without exponent or trailing zeros. */
export const decimal = () => exactNumber.nullish().transform(missing);

/** `int64`: an exact integer string, whatever its size. */
export const int64 = () => exactNumber.nullish().transform(missing);

export const text = () => z.string().nullish().transform(missing);

/** Text in which nothing and an empty string are the same. */
export const nonEmptyText = () =>
  z
    .string()
    .nullish()
    .transform((value) => value || undefined);

/** `date-time`: ISO 8601, kept as the service wrote it (offsets differ within one service). */
export const dateTime = () => z.string().nullish().transform(missing);

/** A boolean, which some services write as a string. */
export const flag = () =>
  z
    .union([z.boolean(), z.enum(['true', 'false']).transform((value) => value === 'true')])
    .nullish()
    .transform(missing);

/** An enum that may grow: `values` are those of the specification; any other string is accepted. */
export const openEnum = <const Values extends readonly string[]>(values: Values) =>
  z
    .string()
    .nullish()
    .transform((value) => missing(value) as Values[number] | (string & {}) | undefined)
    .meta({ knownValues: values });

/** An object with the given fields and any others; numbers in other fields become exact strings too. */
export const record = <Shape extends z.ZodRawShape>(shape: Shape) =>
  z.object(shape).catchall(z.unknown().transform(exactInside));

/**
 * A record that must have at least one of its fields. An object of another shape would otherwise become a row of
 * unknown values.
 */
export const row = <Shape extends z.ZodRawShape>(shape: Shape) =>
  record(shape).refine((value) => Object.keys(shape).some((name) => value[name as keyof typeof value] !== undefined), {
    message: 'has none of the known fields',
  });

export const nested = <Schema extends z.ZodType>(schema: Schema) => schema.nullish().transform(missing);

// A list says in its metadata what its items are, because a transform hides that.

/** The number of items parsed at once. */
const chunk = 500;

/**
 * An array. Parsing stops at the first chunk with an invalid item, because an issue for each of a million items
 * would take a gigabyte.
 */
export const arrayOf = <Item extends z.ZodType>(item: Item) => {
  const part = z.array(item);
  const list = z.array(z.unknown()).transform((items, ctx): z.output<Item>[] => {
    const parsed: z.output<Item>[] = [];
    for (let at = 0; at < items.length; at += chunk) {
      const { success, data } = part.safeParse(items.slice(at, at + chunk));
      if (!success) {
        ctx.addIssue({ code: 'custom', message: `has items that are not readable from ${at} on` });
        return z.NEVER;
      }
      parsed.push(...data);
    }
    return parsed;
  });
  return list.meta({ items: item });
};

const unreadableCounts = new WeakMap<readonly unknown[], number>();

/** A list with more elements that cannot be read is of another format. Each costs as much time as ten that can be. */
const maxUnreadable = 5_000;

/**
 * An array of which the items that cannot be read are left out and counted; see `countUnreadable`. Only for
 * metadata: of orders, positions and history every item counts.
 */
export const readableArrayOf = <Item extends z.ZodType>(item: Item) =>
  z
    .array(z.unknown())
    .transform((items, ctx): z.output<Item>[] => {
      const readable: z.output<Item>[] = [];
      for (const [index, value] of items.entries()) {
        const { success, data } = item.safeParse(value);
        if (success) readable.push(data);
        else if (index - readable.length >= maxUnreadable) {
          ctx.addIssue({ code: 'custom', message: `has more than ${maxUnreadable} elements that cannot be read` });
          return z.NEVER;
        }
      }
      if (readable.length < items.length) unreadableCounts.set(readable, items.length - readable.length);
      return readable;
    })
    .meta({ items: item });

/** The number of items that a parsed metadata list lacks because they could not be read. */
export const countUnreadable = (list: readonly unknown[]): number => unreadableCounts.get(list) ?? 0;

/** A metadata array that may be null or absent. */
export const optionalReadableArrayOf = <Item extends z.ZodType>(item: Item) =>
  readableArrayOf(item).nullish().transform(missing);

/** An array that may be null or absent. */
export const optionalArrayOf = <Schema extends z.ZodType>(schema: Schema) =>
  arrayOf(schema).nullish().transform(missing);

/** An object from ticker to number (pie shares); a share that is null is left out. */
export const sharesByTicker = () =>
  z
    .record(z.string(), exactNumber.nullable())
    .transform(
      (shares) =>
        Object.fromEntries(Object.entries(shares).filter(([, share]) => share !== null)) as Record<string, string>,
    )
    .nullish()
    .transform(missing);

function exactInside(value: unknown): unknown {
  if (typeof value === 'number') return toDecimalString(value);
  if (Array.isArray(value)) return value.map(exactInside);
  if (value === null) return undefined;
  if (typeof value === 'object') {
    return Object.fromEntries(Object.entries(value as object).map(([key, inner]) => [key, exactInside(inner)]));
  }
  return value;
}
