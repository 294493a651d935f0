/** A placed order has the warnings of its preview. */
// @module-tag server
import { expect, test } from 'vitest';
import { type SetupOptions, setup } from '../../support/setup.ts';

/** A Thursday, 09:00 in London: New York is closed. */
const closedAt = Date.UTC(2026, 0, 15, 9);

// The last price of QNOON is about 11, that of QVELT about 200.
test.each<[string, string, object, SetupOptions, number]>([
  ['a stop that triggers immediately', 'STOP', { ticker: 'QNOON_GB_EQ', side: 'SELL', stopPrice: 12.5 }, {}, 1],
  [
    'a purchase with a limit above the market',
    'LIMIT',
    { ticker: 'QNOON_GB_EQ', side: 'BUY', limitPrice: 12.5 },
    {},
    1,
  ],
  ['a sale with a limit below the market', 'LIMIT', { ticker: 'QNOON_GB_EQ', side: 'SELL', limitPrice: 10 }, {}, 1],
  ['a limit that waits', 'LIMIT', { ticker: 'QNOON_GB_EQ', side: 'BUY', limitPrice: 10 }, {}, 0],
  [
    'a limit on a closed market',
    'LIMIT',
    { ticker: 'QVELT_US_EQ', side: 'BUY', limitPrice: 180 },
    { startAt: closedAt, config: { taxZone: 'Europe/London' } },
    1,
  ],
])('%s', async (_, type, terms, options, count) => {
  const { call } = await setup(options);
  const order = { quantity: 1, timeValidity: 'DAY', ...terms };
  const { body: preview } = await call('preview_order', { type, ...order });
  expect(preview.warnings).toHaveLength(count);
  const { body: placed } = await call(type === 'STOP' ? 'place_stop_order' : 'place_limit_order', order);
  expect([placed.outcome, placed.warnings ?? []]).toEqual(['placed', preview.warnings]);
});
