/** An approved order of one share, the account that it was decided on, and a journal in memory. */
import { onTestFinished } from 'vitest';
import type { Clock } from '../../../../src/core/clock.ts';
import type { OrderContext } from '../../../../src/core/orders/account/account-snapshot.ts';
import type { Approval, Intent } from '../../../../src/core/orders/intent/intent.ts';
import type { Journal } from '../../../../src/core/orders/intent/journal-port.ts';
import { effectiveLimits } from '../../../../src/core/orders/intent/risk-limits.ts';
import { createJournal } from '../../../../src/core/store/journal-table.ts';
import { createMemoryEngine } from '../../../support/memory-engine.ts';

export const startAt = Date.UTC(2026, 0, 15, 15);

export const request = { type: 'MARKET', ticker: 'ABC_EQ', side: 'BUY', quantity: '1', extendedHours: false } as const;

export const limits = effectiveLimits('demo', {}, undefined);

export const facts = {
  instrument: { ticker: 'ABC_EQ', type: 'STOCK', currencyCode: 'GBP' },
  summary: { currency: 'GBP', cash: { availableToTrade: '1000' } },
  positions: [{ instrument: { ticker: 'ABC_EQ', currency: 'GBP' }, quantity: '1', currentPrice: '10' }],
  pending: [],
  fills: [],
  askedAt: startAt,
  asOf: startAt,
} as unknown as OrderContext;

/** An order that no human had to approve. */
export const approvedOrder: Intent = {
  id: 'a'.repeat(32),
  kind: 'order',
  state: 'APPROVED',
  environment: 'demo',
  accountKey: 'account',
  fingerprint: 'print',
  ticker: request.ticker,
  request,
  createdAt: startAt,
  changedAt: startAt,
  owner: 'test',
  limits,
  method: 'none',
  value: '10.20',
  baseline: { askedAt: startAt, pendingIds: [], position: '1', cash: '1000', price: '10', serviceOffsetMs: 0 },
};

/** What a human gave at the start, for two minutes, in the terminal. */
export const givenApproval: Approval = {
  handle: 'handle',
  nonce: 'nonce',
  digest: '',
  askedAt: startAt,
  expiresAt: startAt + 120_000,
  ticket: {} as Approval['ticket'],
  approvedAt: startAt,
  by: 'terminal',
};

export async function openJournal(clock: Clock): Promise<Journal> {
  const engine = await createMemoryEngine();
  onTestFinished(() => engine.close());
  return createJournal<Intent, never>(engine, clock) as unknown as Journal;
}
