/** What is said of a trade that another draft made. */
import { expect, test } from 'vitest';
import type { Intent } from '../../../../src/core/orders/intent/intent.ts';
import type { JournalView } from '../../../../src/core/orders/intent/journal-port.ts';
import { findRecentTrade } from '../../../../src/features/drafts/book/recent-trade.ts';

const now = 1_000_000_000_000;
const leg = { submissionId: 'ab', number: 1 };
const request = { type: 'MARKET', ticker: 'A', side: 'BUY', quantity: '7' };

const find = (agoMs: number) => {
  const sent = { leg, request, createdAt: now - agoMs, sentAt: now - agoMs } as unknown as Intent;
  const tx = { list: async () => [sent] } as unknown as JournalView;
  return findRecentTrade(tx, { ticker: 'A', side: 'BUY' }, { accountKey: 'account', now });
};

test.each([
  [4 * 60_000 + 30_000, '4 minutes ago'],
  [60_000, '1 minute ago'],
  [20_000, '20 seconds ago'],
])('the trade is named with its quantity and its age: %i ms', async (agoMs, age) => {
  expect((await find(agoMs))?.text).toBe(`A draft sent BUY 7 A ${age}, in submission ab.`);
});

test('after ten minutes there is none', async () => {
  expect(await find(599_999)).toMatchObject({ submissionId: 'ab', until: now + 1 });
  expect(await find(600_000)).toBeUndefined();
});

test('only what a draft sent of this account, ticker and side counts, and nothing of which no byte was written', async () => {
  const asked: unknown[] = [];
  const at = { createdAt: now - 1_000 };
  const rows = [
    { ...at, sentAt: now - 1_000, request },
    { ...at, sentAt: now - 1_000, leg, request: { ...request, side: 'SELL' } },
    { ...at, leg, request },
    { ...at, sentAt: now - 1_000, leg, request, state: 'NOT_SENT' },
  ];
  const list = async (query: unknown) => {
    asked.push(query);
    return rows;
  };
  const tx = { list } as unknown as JournalView;
  expect(await findRecentTrade(tx, { ticker: 'A', side: 'BUY' }, { accountKey: 'account', now })).toBeUndefined();
  // An order may wait for as long again before it is sent.
  expect(asked).toEqual([{ accountKey: 'account', ticker: 'A', createdSince: now - 1_200_000 }]);
});
