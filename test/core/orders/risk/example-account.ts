/** An order for 200 pounds, the account that it is checked against, and a journal in memory. */
import { onTestFinished } from 'vitest';
import type { OrderContext } from '../../../../src/core/orders/account/account-snapshot.ts';
import type { Intent } from '../../../../src/core/orders/intent/intent.ts';
import type { Journal } from '../../../../src/core/orders/intent/journal-port.ts';
import type { OrderRequest } from '../../../../src/core/orders/intent/order-request.ts';
import { effectiveLimits } from '../../../../src/core/orders/intent/risk-limits.ts';
import { createJournal } from '../../../../src/core/store/journal-table.ts';
import { createMemoryEngine } from '../../../support/memory-engine.ts';

export const now = Date.UTC(2026, 0, 15, 15);
export const ticker = 'ABC_GB_EQ';
export const buy: OrderRequest = {
  type: 'LIMIT',
  ticker,
  side: 'BUY',
  quantity: '10',
  limitPrice: '20',
  timeValidity: 'DAY',
};
export const sell: OrderRequest = { ...buy, side: 'SELL' };

/** 100 shares at 20 pounds, and cash for many more. */
export const account = (change: object = {}) =>
  ({
    instrument: { ticker, type: 'STOCK', currencyCode: 'GBP' },
    summary: { id: '7', currency: 'GBP', cash: { availableToTrade: '50000' } },
    positions: [
      {
        instrument: { ticker, currency: 'GBP' },
        quantity: '100',
        quantityAvailableForTrading: '100',
        currentPrice: '20',
      },
    ],
    pending: [],
    fills: [],
    askedAt: now - 1_000,
    asOf: now - 900,
    serviceOffsetMs: 0,
    ...change,
  }) as unknown as OrderContext;

/** The account when its available cash is this. */
export const accountWithCash = (availableToTrade: string) =>
  account({ summary: { id: '7', currency: 'GBP', cash: { availableToTrade } } });

export const paper = effectiveLimits('sandbox', {}, undefined);

/** An order of this program that was sent two minutes ago, for another instrument. */
export const makeIntent = (change: Partial<Intent> & { readonly id: string }): Intent => ({
  kind: 'order',
  state: 'PLACED',
  environment: 'sandbox',
  accountKey: 'account',
  fingerprint: 'print',
  ticker: 'OTHER_EQ',
  request: { ...buy, ticker: 'OTHER_EQ' },
  createdAt: now - 120_000,
  changedAt: now - 120_000,
  sentAt: now - 120_000,
  owner: 'test',
  limits: paper,
  method: 'none',
  value: '1.00',
  baseline: { askedAt: now - 121_000, pendingIds: [], position: '0', cash: '50000', price: '20', serviceOffsetMs: 0 },
  ...change,
});

/** A journal with these orders. */
export async function openJournal(intents: readonly Intent[] = []): Promise<Journal> {
  const engine = await createMemoryEngine();
  onTestFinished(() => engine.close());
  const journal = createJournal(engine, { now: () => now }) as unknown as Journal;
  await journal.change(async (tx) => {
    for (const intent of intents) await tx.insert(intent);
  });
  return journal;
}
