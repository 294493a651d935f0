import { expect, test } from 'vitest';
import type { LoggedRequest } from '../../src/simulator/index.ts';
import { checkRequest } from './request-contract.ts';

const check = (endpoint: LoggedRequest['endpoint'], path: string, body = '') =>
  checkRequest({
    at: 0,
    method: 'X',
    endpoint,
    path: `/api/v0${path}`,
    body,
    authorized: true,
    status: 200,
    refused: false,
  });
const market = '/equity/orders/market';

test('a request of the specification passes', () => {
  check('listHistoricalOrders', '/equity/history/orders?limit=50&cursor=17');
  check('getPendingOrder', '/equity/orders/50000000001');
  check('placeMarketOrder', market, '{"ticker":"A","quantity":-1,"extendedHours":false}');
});

test.each([
  ['an unknown path', undefined, '/equity/account/cash', ''],
  ['a query that the endpoint does not have', 'listPositions', '/equity/positions?ticker=A', ''],
  ['a limit above 50', 'listHistoricalOrders', '/equity/history/orders?limit=51', ''],
  ['an id that is no number', 'getPendingOrder', '/equity/orders/abc', ''],
  ['a body where none belongs', 'cancelOrder', '/equity/orders/1', '{}'],
  ['no body where one belongs', 'placeMarketOrder', market, ''],
  ['a number in quotes', 'placeMarketOrder', market, '{"ticker":"A","quantity":"1","extendedHours":false}'],
  ['a field too many', 'placeMarketOrder', market, '{"ticker":"A","quantity":1,"extendedHours":false,"value":1}'],
] as const)('%s is noticed', (_, endpoint, path, body) => {
  expect(() => check(endpoint, path, body)).toThrow();
});
