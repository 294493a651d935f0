/** Makes one result of the results of several accounts: rows with their account, and totals where they can be added. */

import Big from 'big.js';
import type { ListPage } from '../../core/mcp/pagination.ts';
import type { ToolReply } from '../../core/mcp/tool.ts';
import type { ResponseBody } from '../../core/mcp/tool-result.ts';
import { type MergeRule, type RowOrder, sharedFields } from './merge-rules.ts';

/** What one account returned. */
export interface AccountResult {
  readonly account: string;
  readonly isError: boolean;
  readonly body: ResponseBody;
  /** Whether its rows go on after those of `body`. */
  readonly hasMore: boolean;
}

/** The part of the merged rows that a page shows. */
export interface MergedPage {
  readonly offset: number;
  readonly limit: number | undefined;
  readonly order: RowOrder | undefined;
  readonly cursorAt: (offset: number) => string;
}

const listFields = ['columns', 'rows', 'items', 'nextCursor', 'rowCount'];

/**
 * Merges the results of all accounts, of which at least one is no error. An account that failed is in `missing`; then no
 * figure is about all accounts, and `complete` is false.
 */
export function mergeResults(
  results: readonly AccountResult[],
  rule: MergeRule,
  request: MergedPage,
): ToolReply & { readonly asOf: number } {
  const found = results.filter(({ isError }) => !isError);
  const missing = results.filter(({ isError }) => isError);
  const bodies = found.map(({ body }) => body);
  const shared = Object.fromEntries(
    sharedFields.flatMap((name) => {
      const [first, ...others] = bodies.map((body) => JSON.stringify(body[name]));
      return first !== undefined && others.every((text) => text === first) ? [[name, bodies[0]?.[name]]] : [];
    }),
  );
  const list = mergeRows(found, request, missing.length > 0);
  const totals = missing.length > 0 ? {} : sumFields(bodies, rule);
  const waits = results.flatMap(({ body }) =>
    typeof body.retryAfterSeconds === 'number' ? body.retryAfterSeconds : [],
  );
  const isComplete = missing.length === 0 && bodies.every(({ complete }) => complete !== false);
  return {
    asOf: Math.min(...bodies.map(({ asOf }) => Date.parse(String(asOf)))),
    fields: {
      account: 'all',
      ...shared,
      ...totals,
      complete: isComplete,
      ...(bodies.some(({ provisional }) => provisional === true) && { provisional: true }),
      ...(waits.length > 0 && { retryAfterSeconds: Math.max(...waits) }),
      note: describeMerge(bodies, missing, rule),
      ...(missing.length > 0 && { missing: missing.map(describeMissing) }),
      // The first page has them.
      ...(request.offset === 0 && {
        accounts: Object.fromEntries(found.map(({ account, body }) => [account, fieldsOf(body, shared)])),
      }),
    },
    ...(list && { list }),
  };
}

const fieldsOf = (body: ResponseBody, shared: object): object =>
  Object.fromEntries(
    Object.entries(body).filter(
      ([name]) => !(name in shared) && !listFields.includes(name) && !['env', 'simulated'].includes(name),
    ),
  );

const describeMissing = ({ account, body: { code, message, next } }: AccountResult) => ({
  account,
  code,
  message,
  next,
});

function describeMerge(
  bodies: readonly ResponseBody[],
  missing: readonly AccountResult[],
  rule: MergeRule,
): string | undefined {
  if (missing.length > 0)
    return `Not complete: ${missing.map(({ account }) => account).join(', ')} could not be read, so there is no total of all accounts.`;
  const currencies = currenciesOf(bodies, rule);
  if (currencies.length <= 1) return rule.note;
  const noTotal = `The accounts have different currencies (${currencies.join(', ')}), so there is no total of all accounts.`;
  return rule.note === undefined ? noTotal : `${noTotal} ${rule.note}`;
}

const currenciesOf = (bodies: readonly ResponseBody[], { currency }: MergeRule): readonly string[] =>
  currency === undefined ? [] : [...new Set(bodies.flatMap((body) => (body[currency] ? String(body[currency]) : [])))];

/** A field that one account does not have has no total, because the sum of the others would seem complete. */
function sumFields(bodies: readonly ResponseBody[], rule: MergeRule): Record<string, unknown> {
  const isOneCurrency = currenciesOf(bodies, rule).length === 1;
  const totals: Record<string, unknown> = {};
  for (const path of isOneCurrency ? (rule.amounts ?? []) : []) {
    const amounts = bodies.map((body) => readAmount(body, path));
    if (amounts.some((amount) => amount === undefined)) continue;
    setField(totals, path, addAmounts(amounts as string[]));
  }
  for (const path of rule.counts ?? []) {
    const counts = bodies.map((body) => readField(body, path));
    if (counts.every((count) => typeof count === 'number'))
      setField(
        totals,
        path,
        (counts as number[]).reduce((sum, count) => sum + count, 0),
      );
  }
  return totals;
}

/** With the decimals of the amount that has most. */
function addAmounts(amounts: readonly string[]): string {
  const decimals = Math.max(...amounts.map((amount) => amount.split('.')[1]?.length ?? 0));
  return amounts.reduce((sum, amount) => sum.plus(amount), new Big(0)).toFixed(decimals);
}

function readField(body: ResponseBody, path: string): unknown {
  const [name = '', inner] = path.split('.');
  return inner === undefined ? body[name] : (body[name] as ResponseBody | undefined)?.[inner];
}

function readAmount(body: ResponseBody, path: string): string | undefined {
  const value = readField(body, path);
  return typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value) ? value : undefined;
}

function setField(fields: Record<string, unknown>, path: string, value: unknown): void {
  const [name = '', inner] = path.split('.');
  if (inner === undefined) fields[name] = value;
  else fields[name] = { ...(fields[name] as object | undefined), [inner]: value };
}

// The rows of all accounts, each with its account, in one order.

type Row = readonly unknown[] | Readonly<Record<string, unknown>>;

/** The column of a row's account. It is the last one, so that the others keep their places. */
const accountColumn = 'account';

function mergeRows(
  found: readonly AccountResult[],
  { offset, limit, order, cursorAt }: MergedPage,
  isPartial: boolean,
): ListPage | undefined {
  const listed = found.filter(({ body }) => body.rows !== undefined || body.items !== undefined);
  if (listed.length === 0) return undefined;
  const columns = listed.map(({ body }) => body.columns as readonly string[] | undefined).find((names) => names);
  const lists = listed.map(({ account, body }) => rowsOf(body, columns, account));
  const sorted = order === undefined ? lists.flat() : mergeLists(lists, columns, order);
  const hasMore = listed.some((result) => result.hasMore);
  const counts = listed.map(({ body }) => body.rowCount ?? countRows(body));
  const isCounted = !hasMore || listed.every(({ body, hasMore: more }) => !more || typeof body.rowCount === 'number');
  const count = isCounted ? (counts as number[]).reduce((sum, rows) => sum + rows, 0) : undefined;
  const chosen = sorted.slice(offset, limit === undefined ? undefined : offset + limit);
  return {
    ...(columns ? { columns: [...columns, accountColumn] } : {}),
    rows: chosen,
    isContinued: offset > 0,
    cursorAfter: (kept) =>
      chosen.length > 0 && (hasMore || offset + kept < sorted.length) ? cursorAt(offset + kept) : undefined,
    ...(isPartial || count === undefined ? {} : { count }),
  };
}

export const countRows = ({ rows, items }: ResponseBody): number =>
  ((rows ?? items ?? []) as readonly unknown[]).length;

/** Accounts can have different columns for one question; a row has null for one that its account does not have. */
function rowsOf(body: ResponseBody, columns: readonly string[] | undefined, account: string): readonly Row[] {
  if (body.rows === undefined) return (body.items as object[]).map((item) => ({ ...item, [accountColumn]: account }));
  const own = body.columns as readonly string[];
  return (body.rows as unknown[][]).map((row) => [
    ...(columns ?? own).map((name) => row[own.indexOf(name)] ?? null),
    account,
  ]);
}

/**
 * Merges the rows of the accounts, each in its own order, so that a page depends on the rows before it alone. A row without
 * the value stays behind its predecessor.
 */
function mergeLists(
  lists: readonly (readonly Row[])[],
  columns: readonly string[] | undefined,
  { column, descending }: RowOrder,
): readonly Row[] {
  const at = columns?.indexOf(column) ?? -1;
  const queues = lists.map((rows) => {
    let last: unknown;
    const keyed = rows.map((row) => {
      const value = Array.isArray(row) ? row[at] : (row as Record<string, unknown>)[column];
      last = value ?? last;
      return { row, key: last };
    });
    return { keyed, next: 0 };
  });
  const isBefore = (one: unknown, other: unknown): boolean => {
    // Before the first value of its account, a row has no place of its own.
    if (!isKnown(one) || !isKnown(other)) return !isKnown(one) && isKnown(other);
    return (descending ? -1 : 1) * compare(String(one), String(other)) < 0;
  };
  const merged: Row[] = [];
  for (;;) {
    const heads = queues.flatMap((queue) => {
      const head = queue.keyed[queue.next];
      return head ? [{ queue, head }] : [];
    });
    const [first, ...others] = heads;
    if (!first) return merged;
    const chosen = others.reduce((best, one) => (isBefore(one.head.key, best.head.key) ? one : best), first);
    merged.push(chosen.head.row);
    chosen.queue.next++;
  }
}

const isKnown = (value: unknown): boolean => value !== null && value !== undefined;
const isNumber = (text: string): boolean => /^-?\d+(\.\d+)?$/.test(text);

/** Numbers by value, and times by their moment, which all end in the same zone. */
function compare(a: string, b: string): number {
  if (isNumber(a) && isNumber(b)) return new Big(a).cmp(b);
  return a < b ? -1 : Number(a > b);
}
