import { expect, test } from 'vitest';
import { orderLines } from '../../../src/orders/approval/ticket-lines.ts';
import { limitBuy, marketSell } from '../../approval/page/support.ts';

test('a purchase has its worst case, and a sale what it brings about', () => {
  expect(orderLines(limitBuy)).toContainEqual(['At worst', '908.44 GBP, 4.2 % of the account']);
  expect(orderLines(marketSell)).toContainEqual(['Brings about', '512.4 GBP, 2.4 % of the account']);
  expect(orderLines(marketSell).map(([name]) => name)).not.toContain('At worst');
});
