/** Arguments are bounded before anything is converted, compared or sent. */
// @module-tag server
import { expect, test } from 'vitest';
import { tools } from '../../../src/app/registry.ts';
import { prepareRequest } from '../../../src/core/broker/interceptors/prepare-request.ts';
import { endpoints } from '../../../src/core/endpoints/index.ts';
import { argumentNames, parseArguments } from '../../../src/core/mcp/parse-arguments.ts';
import { setup } from '../../support/setup.ts';

const limitOrder = { ticker: 'QNOON_GB_EQ', side: 'BUY', quantity: 1, limitPrice: 10, timeValidity: 'DAY' };

test.each([
  ['1e-30', 'quantity'],
  ['1e-11', 'quantity'],
  ['0.00000000001', 'quantity'],
  [1e-30, 'quantity'],
  ['1e15', 'quantity'],
  ['1e30', 'quantity'],
  ['1e31', 'quantity'],
  ['1e-31', 'quantity'],
  ['1'.repeat(41), 'quantity'],
  ['9'.repeat(15_000), 'quantity'],
  ['9'.repeat(900_000), 'quantity'],
  [`1${'0'.repeat(60_000)}1`, 'quantity'],
  ['1e-30', 'limitPrice'],
  ['9'.repeat(900_000), 'limitPrice'],
])('no order is sent with a number that is too long, too small or too large (case %#)', async (value, name) => {
  const { call, requests } = await setup();
  const { isError, body } = await call('place_limit_order', { ...limitOrder, [name]: value });
  expect([isError, body.code]).toEqual([true, 'invalid_argument']);
  expect(requests()).toEqual([]);
});

test('a sale can name a full position of ten decimals', () => {
  const tool = tools.find(({ name }) => name === 'place_market_order');
  const order = { ticker: 'A', side: 'SELL', quantity: '0.0123456789' };
  expect(tool && parseArguments(tool, order)).toEqual(order);
});

const hostile: Record<string, unknown> = {
  digits: '9'.repeat(900_000),
  blanks: `${' '.repeat(900_000)}x`,
  fraction: `2025-01-01T00:00:00.${'1'.repeat(900_000)}Z`,
  list: Array(300_000).fill('1'),
  fields: Object.fromEntries(Array.from({ length: 5_000 }, (_, n) => [`k${n}`, 1])),
  nested: JSON.parse('['.repeat(100_000) + ']'.repeat(100_000)),
};

test.each(tools.map((tool) => [tool.name, tool] as const))('%s refuses arguments without bounds', (_, tool) => {
  for (const name of [...argumentNames(tool), 'x'.repeat(900_000)])
    for (const [kind, value] of Object.entries(hostile)) {
      const parse = () => parseArguments(tool, { [name]: value });
      expect(parse, `${name.slice(0, 20)}: ${kind}`).toThrow(expect.objectContaining({ code: 'invalid_argument' }));
    }
});

test.each([1e-25, 1e-300, 1e300])('a pie with the number %d is refused, and no row of zeros is sent', (share) => {
  const request = { body: { name: 'Dust', instrumentShares: { A: share }, dividendCashAction: 'REINVEST' } };
  const context = { priority: 'read', deadlineAt: 0 } as const;
  const leave = () =>
    prepareRequest({ endpoint: endpoints.createPie, request, context }, { readOnly: false, accountKey: 'a' });
  expect(leave).toThrow(expect.objectContaining({ code: 'invalid_argument' }));
});

test('a weight of a third is sent with all its decimals', () => {
  const request = { body: { name: 'Thirds', instrumentShares: { A: 1 / 3 }, dividendCashAction: 'REINVEST' } };
  const context = { priority: 'read', deadlineAt: 0 } as const;
  const { body } = prepareRequest(
    { endpoint: endpoints.createPie, request, context },
    { readOnly: false, accountKey: 'a' },
  );
  expect(body).toContain('{"A":0.3333333333333333}');
});
