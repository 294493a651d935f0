/** Reads the bodies of results. */
import Big from 'big.js';
import type { Body } from './types.ts';

/** The rows of a compact list by the names of its columns. */
export const rowsOf = ({ columns, rows }: Body): Body[] =>
  (rows as unknown[][]).map((row) =>
    Object.fromEntries((columns as string[]).map((name, at) => [name, row[at] ?? undefined])),
  );

/** The last of the bodies; throws when there is none. */
export function last(bodies: readonly Body[]): Body {
  const body = bodies.at(-1);
  if (!body) throw new Error('there is no answer yet');
  return body;
}

/** The row that passes; throws when there is none, because the result then lacks what was requested. */
export function rowWhere(body: Body, test: (row: Body) => boolean): Body {
  const row = rowsOf(body).find(test);
  if (!row) throw new Error('the answer has no such row');
  return row;
}

/** Exact sum, to the penny. */
export const sumOf = (amounts: Iterable<string | number>): string => {
  let total = new Big(0);
  for (const amount of amounts) total = total.plus(amount);
  return total.toFixed(2);
};

export const penny = (amount: string | number | Big): string => new Big(amount).toFixed(2);
