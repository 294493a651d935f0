/** An order, as a request, a call, a draft and a person's ticket have it, and whether two of them are the same. */
import Big from 'big.js';

export interface Order {
  readonly type: string;
  readonly ticker: string;
  readonly side: string;
  /** Positive. */
  readonly quantity: string;
  readonly limitPrice?: string | undefined;
  readonly stopPrice?: string | undefined;
  readonly timeValidity?: string | undefined;
  readonly extendedHours?: boolean | undefined;
}

type Fields = Readonly<Record<string, unknown>>;

const decimals = ['quantity', 'limitPrice', 'stopPrice'] as const;
const names = ['type', 'ticker', 'side', ...decimals, 'timeValidity', 'extendedHours'] as const;

/** The fields in which the first differs from the second. */
export const differences = (a: Order, b: Order): readonly string[] =>
  names.filter((name) => normal(name, a[name]) !== normal(name, b[name]));

export const isSame = (a: Order, b: Order): boolean => differences(a, b).length === 0;

/** The same for every spelling of an order. */
export const keyOf = (order: Order): string => names.map((name) => normal(name, order[name])).join(' ');

export const describe = ({ side, quantity, ticker, type, ...rest }: Order): string =>
  [side, quantity, ticker, type, rest.stopPrice, rest.limitPrice, rest.timeValidity].filter(Boolean).join(' ');

const normal = (name: string, value: unknown): string =>
  value === undefined || value === null || value === false
    ? ''
    : decimals.some((one) => one === name)
      ? (toDecimal(value) ?? `“${String(value)}”`)
      : String(value);

/** The decimal in its shortest form; undefined when it is none. */
function toDecimal(value: unknown): string | undefined {
  const text = String(value)
    .trim()
    .replace(/^\+/, '')
    .replace(/\.(?=$|e)/i, '');
  return /^-?\d+(\.\d+)?(e[+-]?\d{1,2})?$/i.test(text) ? new Big(text).toFixed() : undefined;
}

/** From the arguments of a tool, a leg of a draft, or a row; undefined when it is no order. */
export function toOrder(fields: Fields, type: unknown = fields.type): Order | undefined {
  const { ticker, side } = fields;
  const quantity = toDecimal(fields.quantity);
  if (typeof type !== 'string' || typeof ticker !== 'string' || typeof side !== 'string') return undefined;
  if (quantity === undefined) return undefined;
  const [limitPrice, stopPrice] = [toDecimal(fields.limitPrice), toDecimal(fields.stopPrice)];
  return {
    ...{ type: type.toUpperCase(), ticker, side, quantity },
    ...(limitPrice === undefined ? {} : { limitPrice }),
    ...(stopPrice === undefined ? {} : { stopPrice }),
    ...(typeof fields.timeValidity === 'string' ? { timeValidity: fields.timeValidity } : {}),
    ...(fields.extendedHours === true ? { extendedHours: true } : {}),
  };
}

const placePath = /\/orders\/(limit|market|stop|stop_limit)$/;

/** The type of order that a POST to this path places. */
export const typeOfPath = (path: string): string | undefined => placePath.exec(path)?.[1]?.toUpperCase();

/** From the body of a request: the sign of the quantity is the side. Other fields are returned by name. */
export function readBody(type: string, body: string): { readonly order: Order; readonly other: readonly string[] } {
  const fields = JSON.parse(exactly(body)) as Fields;
  const signed = String(fields.quantity);
  const side = signed.startsWith('-') ? 'SELL' : 'BUY';
  const order = toOrder({ ...fields, side, quantity: signed.replace(/^-/, '') }, type);
  if (!order) throw new Error(`This is no order: ${body}`);
  return { order, other: Object.keys(fields).filter((name) => !names.some((known) => known === name)) };
}

/** Numbers as text, with the digits that were sent. */
const exactly = (json: string) => json.replace(/(?<=[:,[]\s*)-?\d[\d.eE+-]*(?=\s*[,}\]])/g, (digits) => `"${digits}"`);
