/** The arguments of plan_orders that a goal would ignore are refused before anything is read. */
import { expect, test } from 'vitest';
import { parseArguments } from '../../../src/mcp/parse-arguments.ts';
import { planOrdersTool } from '../../../src/mcp/tools/plan-orders.ts';

const targets = [{ ticker: 'AAA_EQ', weightPercent: 50 }];
const parse = (args: object) => () => parseArguments(planOrdersTool, args);

test.each([
  [{ goal: 'invest', amount: 5, band: 2 }, 'Omit band, or choose the goal rebalance.'],
  [{ goal: 'raise', amount: 5, band: 2 }, 'Omit band, or choose the goal rebalance.'],
  [{ goal: 'invest', amount: 5, allowSells: true }, 'Omit allowSells, or choose the goal rebalance.'],
  [{ goal: 'invest', amount: 5, method: 'fifo' }, 'Omit method, or choose the goal rebalance or raise.'],
  [{ goal: 'invest', amount: 5, band: 2, method: 'fifo' }, 'Omit band, method.'],
  [{ goal: 'raise', amount: 5, keepCash: 1 }, 'Omit keepCash, or choose the goal rebalance or invest.'],
])('an argument of another goal is refused with the next step: %o', (args, next) => {
  expect(parse(args)).toThrow(expect.objectContaining({ code: 'invalid_argument', next }));
});

test.each([
  { goal: 'rebalance', targets, band: 2, allowSells: false, keepCash: 1, method: 'fifo' },
  { goal: 'invest', amount: 5, keepCash: 1 },
  { goal: 'raise', amount: 5, method: 'average' },
  // What the goal does anyway.
  { goal: 'rebalance', targets, amount: 0 },
  { goal: 'invest', amount: 5, allowSells: false },
  { goal: 'raise', amount: 5, allowSells: true, keepCash: 0 },
])('an argument that the goal uses, or that states what it does, is accepted: %o', (args) => {
  expect(parse(args)).not.toThrow();
});
