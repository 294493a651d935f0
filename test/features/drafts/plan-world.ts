/** An account in pounds with its own fills, as a plan and a preview read it, without a service. */
import Big from 'big.js';
import type { TradableInstrument } from '../../../src/core/endpoints/index.ts';
import { BrokerageError } from '../../../src/core/errors.ts';
import type { Trade } from '../../../src/features/analytics/trades.ts';
import type { PlanDeps } from '../../../src/features/drafts/make-plan.ts';
import type { Coverage, ReadOptions } from '../../../src/features/history/history-port.ts';

export const now = Date.UTC(2026, 0, 15, 12);
/** When the account was read (ms), and since when its history must have been read. */
export const asOf = now - 900;
export const since = now - 7_000;

export interface PlanWorld {
  readonly cash?: string | undefined;
  /** Shares, and their price where the position shows one. */
  readonly held?: Readonly<Record<string, readonly [quantity: number, price?: string]>>;
  /** In pounds, or in pence where they are not named. */
  readonly currencies?: Readonly<Record<string, string>>;
  readonly trades?: readonly Trade[];
  readonly coverage?: Partial<Coverage>;
  /** Open orders, as `BUY A`. */
  readonly open?: Readonly<Record<string, number>>;
  readonly environment?: 'demo' | 'live';
  readonly taxZone?: string;
  readonly decimals?: Readonly<Record<string, number>>;
  /** Why the account cannot be read. */
  readonly failure?: BrokerageError;
}

export const tickers = ['A', 'B', 'C'] as const;

export function openPlanWorld(world: PlanWorld = {}) {
  const { held = {}, currencies = {}, trades = [], coverage = {}, open = {}, decimals = {} } = world;
  const cash = 'cash' in world ? world.cash : '1000';
  const instruments = tickers.map(
    (ticker) =>
      ({
        ...{ ticker, name: ticker, type: 'STOCK', isin: 'GB0000000001' },
        currencyCode: currencies[ticker] ?? 'GBP',
      }) as unknown as TradableInstrument,
  );
  const positions = Object.entries(held).map(([ticker, [quantity, currentPrice]]) => ({
    instrument: { ticker, currency: currencies[ticker] ?? 'GBP' },
    quantity: String(quantity),
    currentPrice,
  }));
  const asked: (readonly [what: string, options: unknown])[] = [];
  const account = {
    snapshot: { summary: { id: '7', currency: 'GBP' }, positions, pending: [], askedAt: now - 1_000, asOf },
    since,
    cash: cash === undefined ? undefined : new Big(cash),
    getShares: (ticker: string) => {
      const [quantity] = held[ticker] ?? [0];
      return { held: new Big(quantity), afterPending: new Big(quantity), sellable: new Big(quantity) };
    },
    countOpen: (ticker: string, side: string) => open[`${side} ${ticker}`] ?? 0,
    findLastSent: () => undefined,
  };
  const rows = {
    orders: { trades, quantityDecimals: new Map(Object.entries(decimals)), priceDecimals: new Map(), skipped: [] },
    dividends: [],
  };
  const deps = {
    config: { environment: world.environment ?? 'demo', taxZone: world.taxZone },
    clock: { now: () => now },
    taxRecords: async () => ({ costs: [], reportableIncome: [] }),
    directory: {
      lastList: () => undefined,
      instruments: async () => ({ byTicker: (ticker: string) => instruments.find((one) => one.ticker === ticker) }),
      getOrThrow: async (ticker: string) => {
        const found = instruments.find((one) => one.ticker === ticker);
        if (!found) throw new BrokerageError('unknown_ticker', `There is no ${ticker}.`, 'Find it.');
        return found;
      },
    },
    orderManager: {
      readAccount: async (context: unknown) => {
        asked.push(['account', context]);
        if (world.failure) throw world.failure;
        return account;
      },
    },
    history: {
      derive: async ({ kind }: { kind: 'orders' | 'dividends' }, _: object, options: ReadOptions) => {
        asked.push([kind, options]);
        const read = { complete: true, rows: 1, from: null, ...(kind === 'orders' ? coverage : {}) };
        return { value: rows[kind], version: kind, coverage: read, asOf: now };
      },
      keep: (_slot: string, _version: string, make: () => { value: unknown }) => make().value,
    },
  } as unknown as PlanDeps;
  return { deps, asked };
}
