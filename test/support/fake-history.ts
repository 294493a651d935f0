/** A history service that a test controls page by page, for behaviour that the simulator does not have. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import type { Broker, PageCursor } from '../../src/core/broker/types.ts';
import { systemClock } from '../../src/core/clock.ts';
import { createMemoryRecords } from '../../src/core/store/fallback-records.ts';
import { openDatabase } from '../../src/core/store/sqlite/binding.ts';
import { storeFile } from '../../src/core/store/store-location.ts';
import { createMirror } from '../../src/features/history/mirror.ts';
import type { MirrorState, Segment } from '../../src/features/history/mirror-state.ts';
import type { HistoryStore } from '../../src/features/history/row-store.ts';
import { createManualClock } from './manual-clock.ts';
import { openMarketsAt, type Setup, type SetupOptions, setup } from './setup.ts';

export interface Played {
  readonly status?: number;
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Responds to one request: its path below the prefix and its query. */
export type Play = (path: string, query: URLSearchParams) => Played;

export const dayMs = 86_400_000;
export const minuteMs = 60_000;
export const startAt = openMarketsAt;
export const iso = (at: number): string => new Date(at).toISOString();

/** A server connected to this service as its broker, and the requests that it made. */
export async function against(
  play: Play,
  options: SetupOptions & { readonly limit?: number } = {},
): Promise<Setup & { readonly log: string[] }> {
  const log: string[] = [];
  const service = createServer((request, response) => {
    const url = new URL(request.url ?? '', 'http://nowhere.invalid');
    const path = url.pathname.replace('/api/v0', '');
    log.push(`${path}${url.search}`);
    const { status = 200, body, headers } = play(path, url.searchParams);
    response.writeHead(status, {
      'content-type': 'application/json',
      'x-ratelimit-limit': String(options.limit ?? 60),
      'x-ratelimit-period': '60',
      ...headers,
    });
    response.end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    service.closeAllConnections();
    service.close();
  });
  const baseUrl = `http://127.0.0.1:${(service.address() as AddressInfo).port}`;
  return { ...(await setup({ ...options, config: { baseUrl, ...options.config } })), log };
}

export const deposit = (at: number, name: number | string, extra: object = {}) => ({
  type: 'DEPOSIT',
  amount: 1,
  currency: 'GBP',
  dateTime: iso(at),
  reference: `r${name}`,
  ...extra,
});

export const dividend = (at: number, name: number | string, extra: object = {}) => ({
  ticker: 'A_US_EQ',
  reference: `d${name}`,
  quantity: 1,
  amount: 1,
  currency: 'GBP',
  paidOn: iso(at),
  type: 'ORDINARY',
  ...extra,
});

export const filled = (at: number, id: number, order: object = {}) => ({
  order: {
    id,
    ticker: 'A_US_EQ',
    status: 'FILLED',
    type: 'MARKET',
    side: 'BUY',
    quantity: 1,
    createdAt: iso(at),
    ...order,
  },
  fill: { id: 1_000_000 + id, filledAt: iso(at), price: 1, quantity: 1, type: 'TRADE' } as object | null,
});

/** A page of rows, newest first, by a service whose cursor is the number of the row from the oldest. */
export function pageOf(rows: readonly unknown[], path: string, query: URLSearchParams) {
  const limit = Number(query.get('limit') ?? 20);
  const nameOf = (index: number) => String(7_000_000 + rows.length - index);
  const cursor = query.get('cursor');
  const start = cursor === null ? 0 : rows.findIndex((_, index) => nameOf(index) === cursor);
  const next = start + limit < rows.length ? nameOf(start + limit) : undefined;
  const time = path.includes('transactions') ? '&time=2026-01-01T00:00:00Z' : '';
  return {
    items: rows.slice(start, start + limit),
    nextPagePath: next === undefined ? null : `/api/v0${path}?limit=${limit}&cursor=${next}${time}`,
  };
}

/**
 * A page of a service whose cursor is a moment (`at`, per row): it begins at the last row of that moment, and skips the
 * others.
 */
export function skippingPageOf(rows: readonly unknown[], at: readonly number[], query: URLSearchParams) {
  const cursor = query.get('cursor');
  const limit = Number(query.get('limit'));
  const start = cursor === null ? 0 : at.lastIndexOf(Number(cursor));
  const next = at[start + limit];
  return {
    items: rows.slice(start, start + limit),
    nextPagePath: next === undefined ? null : `limit=${limit}&cursor=${next}`,
  };
}

// biome-ignore lint/suspicious/noExplicitAny: answers of every shape.
export async function ask({ call }: Setup, args: Record<string, unknown>): Promise<any> {
  const { isError, body } = await call('fetch_history', { limit: 500, waitSeconds: 50, ...args });
  if (isError) throw new Error(JSON.stringify(body));
  return body;
}

/** Calls until the complete history of the kind is loaded. */
export async function readWhole(made: Setup, kind: string) {
  for (let calls = 0; calls < 12; calls++) {
    const body = await ask(made, { kind });
    if (body.complete) return body;
    await made.clock.advance(minuteMs);
  }
  throw new Error(`${kind} is not read whole`);
}

/** What the server has stored about one history. */
export async function stateOf({ stateDir }: Setup, kind: string): Promise<MirrorState> {
  const db = await openDatabase(storeFile(stateDir));
  try {
    const [record] = db
      .prepare("SELECT value FROM records WHERE space = 'mirror' AND name LIKE ?")
      .all(`% ${kind}`) as unknown as { value: string }[];
    return JSON.parse(record?.value ?? 'null');
  } finally {
    db.close();
  }
}

/**
 * A mirror on a store of the test, with a broker that takes a second for each page. Rows are as after parsing: amounts
 * are text.
 */
export function mirrorOn(
  store: HistoryStore,
  play: (from: PageCursor | undefined) => { readonly items: readonly unknown[]; readonly next?: PageCursor },
) {
  const clock = createManualClock({ startAt, auto: true });
  let requests = 0;
  const broker = {
    async *pages(_endpoint: unknown, { from }: { readonly from?: PageCursor }) {
      requests++;
      await clock.sleep(1_000);
      const { items, next } = play(from);
      yield { items, next, askedAt: clock.now(), answeredAt: clock.now() };
    },
  } as unknown as Broker;
  const mirror = createMirror({
    broker,
    store,
    accountKey: async () => 'account',
    epoch: async () => 0,
    nextPageInMs: async () => 0,
    clock,
    lease: { records: createMemoryRecords(), realClock: systemClock, processes: { self: 'test', isAlive: () => true } },
    boundMemory: () => undefined,
  });
  onTestFinished(() => mirror.close());
  const context = (waitMs: number) => ({ priority: 'read' as const, deadlineAt: clock.now() + waitMs });
  return { mirror, context, requests: () => requests };
}

/** A segment of two pages that ends in the middle of a list. */
export const segmentOf = (change: Partial<Segment> = {}): Segment => ({
  id: 1,
  askedAt: startAt,
  answeredAt: startAt,
  epoch: 3,
  next: undefined,
  pages: 2,
  inOrder: true,
  idle: 0,
  through: 0,
  boundary: { cursor: 'exact' },
  lostAt: [],
  restarts: 0,
  ...change,
});
