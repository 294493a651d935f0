/** Buys that wait for a sell need its market to be open: closed and unknown are different. */
import { expect, test } from 'vitest';
import type { Exchange } from '../../../src/catalogue/index.ts';
import { type DraftFacts, refuseClosedMarket } from '../../../src/drafting/submission/draft-facts.ts';

const now = Date.parse('2030-03-04T12:00:00Z');

const withEvents = (...timeEvents: { date: string; type: string }[]) =>
  [{ id: '1', name: 'Port Exchange', workingSchedules: [{ id: '70', timeEvents }] }] as unknown as Exchange[];

function refuse(exchanges: readonly Exchange[]) {
  const sell = {
    order: { ticker: 'A', side: 'SELL', type: 'MARKET', quantity: '1' },
    facts: { instrument: { ticker: 'A', workingScheduleId: '70' }, summary: { currency: 'GBP' } },
    isDependent: false,
  };
  const legs = [sell, { ...sell, order: { ...sell.order, side: 'BUY' }, isDependent: true }];
  const facts = { legs, exchanges } as unknown as DraftFacts;
  return refuseClosedMarket(legs[0] as never, facts, now);
}

test.each<[string, readonly Exchange[], string | undefined]>([
  ['open', withEvents({ date: '2030-03-04T08:00:00Z', type: 'OPEN' }), undefined],
  ['closed', withEvents({ date: '2030-03-04T08:00:00Z', type: 'CLOSE' }), 'market_closed'],
  [
    'about to close',
    withEvents({ date: '2030-03-04T08:00:00Z', type: 'OPEN' }, { date: '2030-03-04T12:10:00Z', type: 'CLOSE' }),
    'market_closed',
  ],
  ['unknown, as no exchange is listed', [], 'market_unknown'],
  ['unknown, as no event is listed', withEvents(), 'market_unknown'],
])('a market that is %s', (_name, exchanges, rule) => {
  expect(refuse(exchanges)?.rule).toBe(rule);
});
