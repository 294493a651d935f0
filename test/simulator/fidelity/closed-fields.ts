/**
 * The field types of src/core/endpoints/fields.ts, closed: no field beyond those of the specification, JSON's own numbers,
 * and only known values of an enum. The catalogue that is built on them accepts nothing that the specification does not
 * have.
 */
import * as z from 'zod';

export const decimal = () => z.number().nullish();

/** Not z.int(), because ids can exceed 2^53. */
export const int64 = () =>
  z
    .number()
    .refine((value) => Number.isInteger(value))
    .nullish();

export const text = () => z.string().nullish();

/** Never empty: a text without content is absent. */
export const nonEmptyText = () => z.string().min(1).nullish();

export const dateTime = () => z.iso.datetime({ offset: true }).nullish();

export const flag = () => z.boolean().nullish();

/** Values that services were seen to send although the specification does not have them. */
const observedValues = ['INTEREST_ON_FREE_CASH'];

export const openEnum = (values: readonly string[]) =>
  z.enum(values.includes('DEPOSIT') ? [...values, ...observedValues] : values).nullish();

export const record = <Shape extends z.ZodRawShape>(shape: Shape) => z.strictObject(shape);

export const row = record;

export const nested = <Schema extends z.ZodType>(schema: Schema) => schema.nullish();

export const arrayOf = <Item extends z.ZodType>(item: Item) => z.array(item);

export const optionalArrayOf = <Item extends z.ZodType>(item: Item) => z.array(item).nullish();

export const readableArrayOf = arrayOf;

export const optionalReadableArrayOf = optionalArrayOf;

export const sharesByTicker = () => z.record(z.string(), z.number()).nullish();
