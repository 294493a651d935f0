/**
 * Shared parts of output schemas. The listing alone reads them, when it is built, so a tool makes its own in a function
 * that a running server never calls. They allow unknown fields: the service may add some, and clients must not reject
 * them; a test is stricter.
 */
import * as z from 'zod';
import { orderSides, orderTypes, timeValidities } from '../endpoints/orders.ts';
import { outcomeNames } from '../orders/intent/outcome.ts';
import { ruleTitles } from '../text/outcome-sentences.ts';
import { saleMethods } from './order-arguments.ts';

/** An exact decimal or id as a string. */
export const amount = () => z.string().optional();
export const text = () => z.string().optional();
export const texts = () => z.array(z.string()).optional();
export const count = () => z.number().optional();
export const yesNo = () => z.boolean().optional();
export const oneOf = <const Values extends readonly string[]>(values: Values) => z.enum(values).optional();
export const group = (shape: z.ZodRawShape) => z.looseObject(shape).optional();
export const groups = (shape: z.ZodRawShape) => z.array(z.looseObject(shape)).optional();

type Cells = Readonly<Record<string, z.ZodType>>;
type TableColumns = Readonly<Record<string, unknown>>;

/** A cell has text where `cells` does not say otherwise, and null for a missing value. */
const cellOf = (name: string, cells: Cells) => (cells[name] ?? z.string()).nullable().meta({ title: name });

const tupleOf = (parts: readonly z.ZodType[]) => z.tuple(parts as unknown as [z.ZodType, ...z.ZodType[]]);

const anyOf = (options: readonly z.ZodType[]) =>
  options.length === 1 ? (options[0] as z.ZodType) : z.union(options as [z.ZodType, z.ZodType]);

/** A compact table. One that has other columns for other questions names the columns of each. */
export const table = (columns: TableColumns | readonly TableColumns[], cells: Cells = {}) => {
  const names = [columns].flat().map((one) => Object.keys(one as TableColumns));
  return {
    columns: anyOf(names.map((all) => tupleOf(all.map((name) => z.literal(name))))).optional(),
    rows: anyOf(names.map((all) => z.array(tupleOf(all.map((name) => cellOf(name, cells)))))).optional(),
  };
};

/** A table that a caller can ask for as objects: of its columns, or of every field, which `detailed` has. */
export const tableOrObjects = (
  columns: TableColumns | readonly TableColumns[],
  detailed: readonly z.ZodType[] = [],
  cells: Cells = {},
) => {
  const objects = [columns].flat().map((one) => {
    const names = Object.keys(one as TableColumns);
    return z.looseObject(Object.fromEntries(names.map((name) => [name, (cells[name] ?? z.string()).optional()])));
  });
  return { ...table(columns, cells), items: z.array(anyOf([...objects, ...detailed])).optional() };
};

/** A table whose columns depend on several arguments: `columns` says which of these it has. */
export const mixedTable = (names: readonly string[]) => ({
  columns: z.array(z.enum([...new Set(names)])).optional(),
  rows: z.array(z.array(z.union([z.string(), z.number(), z.boolean()]).nullable())).optional(),
});

/** What every list has beside its table. */
export const listOutput = () => ({ complete: yesNo(), nextCursor: text(), rowCount: count() });

/** The rules that can refuse an order. */
export const ruleNames = Object.keys(ruleTitles) as (keyof typeof ruleTitles)[];

export const refusalOutput = () => ({
  rule: oneOf(ruleNames),
  reason: text(),
  largestQuantity: amount(),
  nearestPrice: amount(),
});

/** An order as it was asked for. */
export const requestOutput = () => ({
  type: z.enum(orderTypes),
  ticker: z.string(),
  side: z.enum(orderSides),
  quantity: z.string(),
  limitPrice: amount(),
  stopPrice: amount(),
  timeValidity: oneOf(timeValidities),
  extendedHours: yesNo(),
});

/** Where a person approves. */
export const approvalOutput = (shape: z.ZodRawShape) =>
  group({ method: text(), how: text(), address: text(), secondsLeft: count(), expiresAt: text(), ...shape });

/** How an order is expected to be valued. */
export const estimateOutput = () => ({
  value: amount(),
  currency: text(),
  price: amount(),
  priceFrom: text(),
  lastKnownPrice: amount(),
  rate: amount(),
  rateFrom: text(),
  assumed: group({ price: amount(), value: amount() }),
});

/** Every field of an order's outcome. */
export const outcomeOutput = () => ({
  outcome: z.enum(outcomeNames),
  intentId: text(),
  orderId: text(),
  status: text(),
  ...refusalOutput(),
  brokerCode: text(),
  mismatch: texts(),
  message: text(),
  next: text(),
  coalesced: yesNo(),
  earlierOrder: group({ intentId: text(), orderId: text(), pending: yesNo(), status: text() }),
  retryAfterSeconds: count(),
  warnings: texts(),
  approval: approvalOutput({
    ticket: group({
      instrument: group({ name: text(), isin: text(), type: text(), currency: text() }),
      estimate: group({ ...estimateOutput(), worst: amount(), percentOfAccount: amount() }),
      warnings: texts(),
    }),
  }),
});

/** The realised gain of a tax year before and after sales. */
export const yearGainOutput = () => ({
  taxYear: text(),
  yearSince: text(),
  yearGainBefore: amount(),
  yearGainAfter: amount(),
});

/** What a sale would realise. */
export const whatIfOutput = () => ({
  method: oneOf(saleMethods),
  gain: amount(),
  cost: amount(),
  proceeds: amount(),
  quantityLeft: amount(),
  costLeft: amount(),
  matches: groups({ rule: text(), quantity: amount(), cost: amount(), acquiredOn: text() }),
  recentPurchases: groups({ on: text(), ticker: text(), quantity: amount() }),
  ...yearGainOutput(),
  remarks: texts(),
  missing: group({ code: text(), reason: text(), next: text() }),
});

/** What a write that is not an order returns. */
export const writeOutput = (result: z.ZodType) => ({
  outcome: z.enum(['done', 'rejected', 'unknown', 'refused']),
  intentId: text(),
  ...refusalOutput(),
  brokerCode: text(),
  coalesced: yesNo(),
  message: z.string(),
  next: text(),
  result: result.nullish(),
});

// What the service returns, as results show it: each field may be missing, and the service may add others.

/** The schema of a value of the service in a result. */
export function upstream(schema: z.ZodType): z.ZodType {
  const { items, knownValues } = (z.globalRegistry.get(schema) ?? {}) as {
    readonly items?: z.ZodType;
    readonly knownValues?: readonly string[];
  };
  if (items) return z.array(upstream(items));
  if (knownValues) return z.union([z.enum(knownValues), z.string()]);
  const def = schema.def as unknown as Readonly<Record<string, z.ZodType>> & {
    readonly options: readonly z.ZodType[];
    readonly shape: z.ZodRawShape;
  };
  switch (schema.type) {
    case 'object':
      return z.looseObject(
        Object.fromEntries(
          Object.entries(def.shape).map(([name, field]) => [name, upstream(field as z.ZodType).optional()]),
        ),
      );
    case 'record':
      return z.record(z.string(), upstream(def.valueType as z.ZodType));
    case 'pipe':
      return upstream(def.in as z.ZodType);
    case 'optional':
    case 'nullable':
      return upstream(def.innerType as z.ZodType);
    case 'union':
      return upstream(def.options[0] as z.ZodType);
    case 'boolean':
      return z.boolean();
    default:
      return z.string();
  }
}

/** The fields of a record of the service. */
export const upstreamFields = (schema: z.ZodType): z.ZodRawShape => (upstream(schema) as z.ZodObject).shape;

/** The fields of an item of a list of the service. */
export function itemFields(list: z.ZodType): z.ZodRawShape {
  const whole = upstream(list);
  const items = whole instanceof z.ZodObject ? (whole.shape.items as z.ZodOptional<z.ZodArray>).unwrap() : whole;
  return ((items as z.ZodArray).element as z.ZodObject).shape;
}
