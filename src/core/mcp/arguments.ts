/**
 * Arguments that several tools share, each with its description for the model and its error message. The JSON Schema
 * shown to the model can be narrower than the accepted values: a quantity is shown as a number but also accepted as a
 * decimal string, and an id the other way round.
 */
import * as z from 'zod';
import { countDecimals, toDecimalString } from '../endpoints/decimal.ts';
import { orderSides, timeValidities } from '../endpoints/index.ts';
import { isDate, parseTaxYear, parseTimestamp } from '../text/dates.ts';

/** JSON Schema to show for an argument instead of what zod would derive. */
export const withJsonSchema = <Schema extends z.ZodType>(schema: Schema, jsonSchema: Record<string, unknown>): Schema =>
  schema.meta({ shown: jsonSchema }) as Schema;

const fail = (ctx: z.RefinementCtx, message: string): never => {
  ctx.addIssue({ code: 'custom', message });
  return z.NEVER;
};

export const ticker = (description = 'From search_instruments') =>
  withJsonSchema(
    z
      .string('must be a ticker, for example from search_instruments')
      .trim()
      .min(1, 'must not be empty')
      .max(64, 'is too long'),
    { type: 'string', description },
  );

/** Positions have been seen with 8 and more decimals, and a full position must be sellable; orders allow fewer. */
const maxDecimals = 10;
const maxIntegerDigits = 15;
/** An error repeats at most this many characters of the wrong value. */
const maxEchoLength = 40;

const tooManyDecimals = `has too many decimals; at most ${maxDecimals} are allowed`;
const tooLarge = `is too large; at most ${maxIntegerDigits} digits are allowed before the decimal point`;

/** Why a value is no exact decimal: it is no number at all, or outside the bounds of `toDecimalString`. */
function explainUnreadable(value: number | string): string {
  const size = Math.abs(Number(value));
  if (!Number.isFinite(size) || String(value).trim() === '')
    return `must be a number; ${JSON.stringify(String(value).slice(0, maxEchoLength))} is not`;
  return size >= 10 ** maxIntegerDigits ? tooLarge : tooManyDecimals;
}

/**
 * An exact decimal. `check` returns what is wrong with the canonical text, for an error that says what to do; undefined
 * when nothing is.
 */
const exactNumber = (
  name: string,
  check: (exact: string) => string | undefined,
  jsonSchema: Readonly<Record<string, unknown>>,
) =>
  withJsonSchema(
    z.unknown().transform((value, ctx): string => {
      if (typeof value !== 'number' && typeof value !== 'string') return fail(ctx, 'must be a number');
      const exact = toDecimalString(value);
      if (exact === undefined) return fail(ctx, explainUnreadable(value));
      const wrong = check(exact);
      if (wrong !== undefined) return fail(ctx, wrong);
      if (countDecimals(exact) > maxDecimals) return fail(ctx, tooManyDecimals);
      const digits = exact.replace(/^-?(0\.0*)?|\./g, '');
      if (exact.replace(/^-|\..*/g, '').length > maxIntegerDigits) return fail(ctx, tooLarge);
      if (typeof value === 'number' && digits.length > 15)
        return fail(ctx, `has too many digits for a JSON number; send ${name} as a string`);
      return exact;
    }),
    { type: 'number', ...jsonSchema },
  );

/** A positive number, exact. The error for a negative quantity explains how to sell. */
const positiveNumber = (name: string, whenNegative: string, description: string) =>
  exactNumber(
    name,
    (exact) => (exact.startsWith('-') ? whenNegative : exact === '0' ? 'must be greater than 0' : undefined),
    { description },
  );

/** An amount of money in the account's currency, above 0. */
export const money = (name: string, description: string) =>
  exactNumber(name, (exact) => (exact === '0' || exact.startsWith('-') ? 'must be greater than 0' : undefined), {
    description,
  });

/** An amount of money in the account's currency, 0 or more. */
export const moneyOrNone = (name: string, description: string) =>
  exactNumber(name, (exact) => (exact.startsWith('-') ? 'must be 0 or more' : undefined), { description });

/** An exact decimal between two bounds, inclusive. The error names the bounds; the schema leaves them out. */
export const boundedNumber = (
  name: string,
  { min, max }: { readonly min: number; readonly max: number },
  description: string,
) =>
  exactNumber(name, (exact) => (Number(exact) < min || Number(exact) > max ? `must be ${min} to ${max}` : undefined), {
    description,
  });

export const side = () => z.enum(orderSides, 'must be BUY or SELL').meta({ description: 'Direction' });

export const quantity = () =>
  positiveNumber('quantity', 'must be positive: use side "SELL" with a positive quantity to sell', 'Shares, above 0');

export const limitPrice = () =>
  positiveNumber('limitPrice', 'must be greater than 0', "Instrument's currency; GBX is pence");

export const stopPrice = () => positiveNumber('stopPrice', 'must be greater than 0', 'Trigger; GBX is pence');

export const timeValidity = (description = 'DAY ends at midnight at the exchange') =>
  z.enum(timeValidities, 'must be DAY or GOOD_TILL_CANCEL').meta({ description });

/** A boolean. Also accepts the strings "true" and "false", because some connectors send every value as a string. */
export const flag = (description: string) =>
  withJsonSchema(
    z.unknown().transform((value, ctx): boolean => {
      if (value === true || value === 'true') return true;
      if (value === false || value === 'false') return false;
      return fail(ctx, 'must be true or false');
    }),
    { type: 'boolean', description },
  );

export const extendedHours = () => flag('Outside regular hours').optional();

/** An int64 id as a string, because a JSON number would lose digits; a safe integer is accepted too. */
export const id = (description: string) =>
  withJsonSchema(
    z.unknown().transform((value, ctx): string => {
      if (typeof value === 'number')
        return Number.isSafeInteger(value) && value >= 0
          ? String(value)
          : fail(ctx, 'must be sent as a string of digits');
      if (typeof value !== 'string' || !/^\d{1,19}$/.test(value.trim()))
        return fail(ctx, 'must be an id, a string of digits');
      return value.trim().replace(/^0+(?=\d)/, '');
    }),
    { type: 'string', description },
  );

/** An intentId that a place tool returned. */
const intentIdText = () =>
  z.string('must be an intentId').regex(/^[0-9a-f]{32}$/, 'must be an intentId returned by a place tool');

export const intentId = () => withJsonSchema(intentIdText(), { type: 'string', description: 'Of placing' }).optional();

export const repeatedIntentId = () =>
  withJsonSchema(intentIdText(), {
    type: 'string',
    description: 'intentId of an identical order, to intentionally place another',
  }).optional();

/** The canonical form of an integer: digits only, no sign, no leading zero. */
const integerPattern = /^(0|[1-9]\d{0,14})$/;

/** The canonical form of a decimal, with at most as many digits as a JSON number keeps. */
const decimalDigits = /^(?=[\d.]{1,16}$)(0|[1-9]\d*)(\.\d+)?$/;

/** Converts a string of digits to its number. Returns any other value unchanged, so that the schema rejects it. */
const withoutQuotes =
  (form: RegExp) =>
  (value: unknown): unknown =>
    typeof value === 'string' && form.test(value) ? Number(value) : value;

/** A number above 0 and up to `max` that is not an amount of an order. Also accepts digits in a string. */
export const plainNumber = (max = Number.POSITIVE_INFINITY) =>
  z.preprocess(
    withoutQuotes(decimalDigits),
    z.number('must be a number').positive('must be greater than 0').max(max, `must be at most ${max}`),
  );

/**
 * An integer from `min` to `max`, as a JSON number or as digits in a string. The description names the bounds: some
 * hosts show a model no other part of a schema.
 */
export const integer = ({ min, max }: { readonly min: number; readonly max: number }, description: string) =>
  withJsonSchema(
    z.preprocess(
      withoutQuotes(integerPattern),
      z
        .number('must be an integer')
        .int('must be an integer')
        .min(min, `must be ${min} to ${max}`)
        .max(max, `must be ${min} to ${max}`),
    ),
    { type: 'integer', description },
  );

const maxWaitSeconds = 50;

/** Seconds to wait. A value above the longest call is clamped, not rejected. */
export const waitSeconds = (description: string) =>
  withJsonSchema(
    z.preprocess(
      withoutQuotes(integerPattern),
      z
        .number('must be a number of seconds')
        .min(0, 'must be 0 to 50')
        .transform((value) => Math.min(value, maxWaitSeconds)),
    ),
    { type: 'integer', description: `${description}, 0 to ${maxWaitSeconds}` },
  ).optional();

export const limit = (most: number, standard: number) =>
  integer({ min: 1, max: most }, standard === most ? `1 to ${most}` : `1 to ${most}, default ${standard}`).optional();

export const cursor = () =>
  withJsonSchema(z.string('must be a nextCursor of this tool').max(2000, 'is too long'), {
    type: 'string',
    description: 'nextCursor',
  }).optional();

/** How a list is written: as a compact table, as objects of its columns (for a program), or as objects of every field. */
export const responseFormats = ['concise', 'objects', 'detailed'] as const;

export const responseFormat = () =>
  z
    .enum(responseFormats, 'must be concise, objects or detailed')
    .optional()
    .meta({ description: 'objects: for programs' });

const wrongTimestamp = 'must be an ISO date such as 2025-04-06, or a date-time such as 2025-04-06T09:30:00Z';

/** A date (UTC midnight) or a date-time, parsed to milliseconds since 1970. */
export const timestamp = (description: string) =>
  withJsonSchema(
    z.unknown().transform((value, ctx): number => {
      const at = typeof value === 'string' ? parseTimestamp(value) : undefined;
      return at ?? fail(ctx, wrongTimestamp);
    }),
    { type: 'string', description },
  );

export const taxYear = () =>
  withJsonSchema(
    z
      .string('must be a UK tax year such as "2025/26"')
      .refine(
        (text) => parseTaxYear(text),
        'must be four digits, a slash and the last two digits of the next year: "2025/26"',
      ),
    { type: 'string', description: 'UK 2025/26' },
  ).optional();

/** One end of a range, as it was written. */
export interface RangeBound {
  /** In ms; of a date its midnight in UTC. */
  readonly at: number;
  /** `YYYY-MM-DD`; undefined for a time. */
  readonly day: string | undefined;
}

/** Periods that end now, as people name them. Each begins on a calendar day: a week on Monday. */
export const periodWords = ['today', 'week', 'month', 'year', 'taxYear', 'all'] as const;
export type PeriodWord = (typeof periodWords)[number];

export interface RangeArguments {
  readonly since?: RangeBound | undefined;
  readonly until?: RangeBound | undefined;
  readonly taxYear?: string | undefined;
  readonly period?: PeriodWord | undefined;
}

/** A date or a date-time. `resolveRange` (date-range.ts) finds when a date begins. */
const rangeBound = (description: string) =>
  withJsonSchema(
    z.unknown().transform((value, ctx): RangeBound => {
      const at = typeof value === 'string' ? parseTimestamp(value) : undefined;
      if (at === undefined) return fail(ctx, wrongTimestamp);
      return { at, day: isDate(value as string) ? (value as string) : undefined };
    }),
    { type: 'string', description },
  ).optional();

export const since = () => rangeBound('Date/time');
export const until = () => rangeBound('Exclusive');

/**
 * For `refine`: rejects a range whose end is before its start. Without this check the result would be empty without an
 * error. Of a date and a time only `resolveRange` can compare.
 */
export const isValidRange = ({ since, until }: RangeArguments): boolean =>
  !since || !until || (since.day === undefined) !== (until.day === undefined) || since.at < until.at;
export const rangeError = 'since must be before until';

export const period = () =>
  z
    .enum(periodWords, `must be ${periodWords.slice(0, -1).join(', ')} or ${periodWords.at(-1)}`)
    .optional()
    .meta({ description: 'Until now: this month, year' });

export const sinceUntilOrTaxYear = () => ({ since: since(), until: until(), taxYear: taxYear() });

/** Also rejects a tax year or a period beside `since` or `until`, because two ranges contradict each other. */
export const withOneRange = <Schema extends z.ZodType<RangeArguments>>(schema: Schema): Schema =>
  schema
    .refine(isValidRange, rangeError)
    .refine(({ taxYear, ...range }) => taxYear === undefined || !hasDates(range), oneRangeError('taxYear'))
    .refine(({ period, ...range }) => period === undefined || !hasDates(range), oneRangeError('period'));

const hasDates = ({ since, until }: RangeArguments): boolean => since !== undefined || until !== undefined;
const oneRangeError = (name: 'taxYear' | 'period'): string => `Give either ${name} or since and until`;
