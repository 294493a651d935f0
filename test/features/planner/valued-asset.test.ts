import { expect, test } from 'vitest';
import { valueAsset } from '../../../src/features/planner/size-order.ts';
import { makeAsset } from './support.ts';

test.each<[string, string | undefined, string, string]>([
  ['10.999', undefined, '10.99', '11'],
  ['10.991', '0', '10.99', '11'],
  // A purchase 1 % above, a sale 1 % below: 11.1089 and 10.8901.
  ['10.999', '1', '11.1', '10.89'],
  ['10.05', '-1', '9.94', '10.16'],
])('at %s and an offset of %s %%, a purchase is limited to %s and a sale to %s', (price, offset, buy, sell) => {
  const request = { goal: 'rebalance', orderType: 'LIMIT', limitOffsetPercent: offset } as const;
  const { order } = valueAsset(makeAsset('A', { price }), request) ?? {};
  expect([order?.BUY.limitPrice?.toDecimal(4), order?.SELL.limitPrice?.toDecimal(4)]).toEqual([buy, sell]);
});

test.each([
  ['fewer than are held can be sold', '10', '4', '4'],
  ['more can be sold than is left after what is pending', '6', '10', '6'],
  ['nothing is left to sell', '6', '-1', '0'],
])('%s', (_, held, sellable, expected) => {
  const asset = valueAsset(makeAsset('A', { held, sellable }), { goal: 'rebalance' });
  expect(asset?.sellable.toDecimal(4)).toBe(expected);
});
