/** The sentence that says how a person can approve. */
import { expect, test } from 'vitest';
import { describeWay } from '../../../../src/core/orders/intent/approval-methods.ts';

const words = { what: 'this order', asked: 'the quantity', command: 'approve' };

test.each([
  ['http://127.0.0.1:7070/approve/a', 'The owner must open the address on this machine, or run'],
  ['http://localhost:7070/approve/https:', 'The owner must open the address on this machine, or run'],
  ['https://approve.example/approve/a', 'The owner must open the address, or run'],
  [undefined, 'The approval page is not available: the owner must run'],
])('with the page at %s it begins with “%s”', (address, begin) => {
  const way = describeWay('page', { address, form: undefined, canAsk: undefined, words });
  const end = address ? ' (in a container: in the terminal)' : '';
  expect(way).toBe(`${begin} "brokerage-mcp approve" in a terminal${end}.`);
});
