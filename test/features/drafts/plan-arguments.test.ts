/** The arguments of plan_orders that a goal would ignore are refused before anything is read. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parseArguments } from '../../../src/core/mcp/parse-arguments.ts';
import { droppedReasons } from '../../../src/features/drafts/describe-plan.ts';
import { goalArguments, goals, listGoalsWith } from '../../../src/features/drafts/goal-words.ts';
import { planOrdersTool } from '../../../src/features/drafts/plan-orders.ts';

const targets = [{ ticker: 'AAA_EQ', weightPercent: 50 }];
const parse = (args: object) => () => parseArguments(planOrdersTool, args);

test.each([
  [{ goal: 'invest', amount: 5, band: 2 }, 'Omit band, or choose the goal rebalance.'],
  [{ goal: 'raise', amount: 5, band: 2 }, 'Omit band, or choose the goal rebalance.'],
  [{ goal: 'invest', amount: 5, allowSells: true }, 'Omit allowSells, or choose the goal rebalance.'],
  [{ goal: 'invest', amount: 5, method: 'fifo' }, 'Omit method, or choose the goal rebalance or raise.'],
  [{ goal: 'invest', amount: 5, band: 2, method: 'fifo' }, 'Omit band, method.'],
  [{ goal: 'raise', amount: 5, keepCash: 0, band: 2 }, 'Omit band, or choose the goal rebalance.'],
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
  // The planner says why a raise needs sells.
  { goal: 'raise', amount: 5, allowSells: false },
])('an argument that the goal uses, or that states what it does, is accepted: %o', (args) => {
  expect(parse(args)).not.toThrow();
});

test('a goal that does not exist is answered with those that do', () => {
  expect(parse({ goal: 'no such goal' })).toThrow(
    expect.objectContaining({ message: expect.stringContaining('must be rebalance, invest or raise') }),
  );
});

const invest = { goal: 'invest', amount: 5 };
test.each([
  [{ ...invest, orderType: 'LIMIT', limitOffsetPercent: 1, timeValidity: 'DAY' }, true],
  [{ ...invest, orderType: 'LIMIT' }, true],
  [{ ...invest, orderType: 'MARKET' }, true],
  [{ ...invest, orderType: 'MARKET', limitOffsetPercent: 0 }, false],
  [{ ...invest, orderType: 'MARKET', timeValidity: 'DAY' }, false],
  [{ ...invest, limitOffsetPercent: 1 }, false],
  [{ ...invest, timeValidity: 'DAY' }, false],
  [{ ...invest, orderType: 'LIMIT', limitOffsetPercent: -50 }, true],
  [{ ...invest, orderType: 'LIMIT', limitOffsetPercent: -50.1 }, false],
  [{ ...invest, orderType: 'LIMIT', limitOffsetPercent: 50 }, true],
  [{ ...invest, orderType: 'LIMIT', limitOffsetPercent: 50.1 }, false],
  [{ goal: 'rebalance', band: 0 }, true],
  [{ goal: 'rebalance', band: 100 }, true],
  [{ goal: 'rebalance', band: 100.1 }, false],
  [{ goal: 'rebalance', keepCash: -1 }, false],
  [{ goal: 'rebalance', keepCash: 1e12 }, true],
  [{ goal: 'rebalance', targets: [{ ticker: 'AAA_EQ', weightPercent: 100 }] }, true],
  [{ goal: 'rebalance', targets: [{ ticker: 'AAA_EQ', weightPercent: 101 }] }, false],
  [{ goal: 'rebalance', targets: [] }, false],
  [
    { goal: 'rebalance', targets: Array.from({ length: 30 }, (_, at) => ({ ticker: `A${at}`, weightPercent: 1 })) },
    true,
  ],
  [
    { goal: 'rebalance', targets: Array.from({ length: 31 }, (_, at) => ({ ticker: `A${at}`, weightPercent: 1 })) },
    false,
  ],
  [{ ...invest, assumedPrices: [{ ticker: 'AAA_EQ', price: 0 }] }, false],
])('the terms of a plan %j are accepted: %s', (args, isValid) => {
  expect(planOrdersTool.input.safeParse(args).success).toBe(isValid);
});

test('docs/planner.md has every goal, and the goals that use each argument', () => {
  const planner = readFileSync('docs/planner.md', 'utf8');
  expect(goals.filter((goal) => !new RegExp(`^\\| \`${goal}\` \\| .{40,} \\|$`, 'm').test(planner))).toEqual([]);
  const rows = goalArguments.map((argument) => `| \`${argument}\` | ${listGoalsWith(argument).join(', ')} |`);
  expect(planner).toContain(`${rows.join('\n')}\n\n`);
});

test('docs/planner.md explains every reason of a ticker that is not at its target', () => {
  const planner = readFileSync('docs/planner.md', 'utf8');
  const explained = [...planner.matchAll(/^\| `([a-z_]+)` \| .{20,} \|$/gm)].map(([, reason]) => reason);
  expect(explained).toEqual(expect.arrayContaining(Object.keys(droppedReasons)));
});
