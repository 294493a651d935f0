/** What the account says of the instruments that a search shows first. */
import { expect, test } from 'vitest';
import { endpoints } from '../../../src/core/endpoints/index.ts';
import { readSearchPreference } from '../../../src/features/search/search-tool.ts';
import { contextOf, toolCall } from '../../core/tools/tool-call.ts';
import { createManualClock } from '../../support/manual-clock.ts';
import { openMarketsAt } from '../../support/setup.ts';

const position = (ticker: string, currency?: string) => ({ instrument: { ticker }, walletImpact: { currency } });

/** Two searches over an account with these positions and this currency, so many ms after each other. */
async function read({
  positions,
  summary = { currency: 'USD' },
  laterMs = 0,
}: {
  positions: readonly object[] | Error;
  summary?: object | Error;
  laterMs?: number;
}) {
  const asked: unknown[] = [];
  const clock = createManualClock({ startAt: openMarketsAt });
  const broker = {
    call: async (...given: unknown[]) => {
      asked.push(given);
      const data = given[0] === endpoints.listPositions ? positions : summary;
      if (data instanceof Error) throw data;
      return { data };
    },
  };
  const call = toolCall({ clock, broker });
  const first = await readSearchPreference(call, call);
  const requests = asked.length;
  await clock.advance(laterMs);
  const second = await readSearchPreference(call, call);
  return { first, second, asked, requests, more: asked.length - requests };
}

test('is what is held, and the currency of a position; the limit of an order is not waited for', async () => {
  const { first, asked } = await read({ positions: [position('A'), position('B', 'GBP'), {}] });
  expect(first).toEqual({ held: new Set(['A', 'B']), currency: 'GBP' });
  const context = { ...contextOf({ waitUntil: openMarketsAt }), deadlineAt: openMarketsAt + 2_000 };
  expect(asked).toEqual([[endpoints.listPositions, {}, context]]);
});

test('is the currency of the account where no position names one', async () => {
  const { first, requests } = await read({ positions: [position('A')] });
  expect([first, requests]).toEqual([{ held: new Set(['A']), currency: 'USD' }, 2]);
  const unread = await read({ positions: [], summary: new Error('NOT ALLOWED') });
  expect(unread.first).toEqual({ held: new Set(), currency: undefined });
});

test.each([
  [0, 0],
  [599_999, 0],
  [600_000, 1],
])('is used for ten minutes: after %i ms with %i further requests', async (laterMs, requests) => {
  const { first, second, more } = await read({ positions: [position('A', 'GBP')], laterMs });
  expect([second, more]).toEqual([first, requests]);
});

test('is none while the positions cannot be read, and is read again at the next search', async () => {
  const { first, second, requests, more } = await read({ positions: new Error('NOT NOW') });
  expect([first, second, requests, more]).toEqual([{}, {}, 1, 1]);
});
