/** The sentences that say what is wrong with arguments, and how large arguments may be. */
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { parseArguments } from '../../../src/core/mcp/parse-arguments.ts';
import { defineTool } from '../../../src/core/mcp/tool.ts';

const toolOf = (input: z.ZodType, toolset: 'account' | 'trading' = 'account') =>
  defineTool({
    name: 'the_tool',
    title: 'T',
    toolset,
    effect: 'reads',
    endpoints: [],
    description: 'D',
    searchHint: '',
    input,
    output: () => ({}),
    run: async () => ({}),
  });

const number = z.number('must be a number');
const order = z.strictObject({
  ticker: z.string('must be a ticker'),
  quantity: number.optional(),
  legs: z.array(z.strictObject({ quantity: number })).optional(),
});
const anything = toolOf(z.unknown());

const refusal = (args: unknown, tool = toolOf(order)) => {
  try {
    return { parsed: parseArguments(tool, args) };
  } catch (error) {
    const { message, next } = error as { message: string; next: string };
    return { message, next };
  }
};

const takes = 'the_tool takes: ticker, quantity, legs.';

test('arguments that fit are returned as their schema reads them', () => {
  expect(refusal({ ticker: 'A' })).toEqual({ parsed: { ticker: 'A' } });
  expect(refusal(undefined, toolOf(z.strictObject({})))).toEqual({ parsed: {} });
});

describe('a problem names its argument:', () => {
  test.each([
    [{}, 'ticker is missing; it must be a ticker.'],
    [{ ticker: 1 }, 'ticker must be a ticker.'],
    [{ ticker: 'A', legs: [{ quantity: 1 }, { quantity: 'x' }] }, 'leg 2: quantity must be a number.'],
    [{ ticker: 'A', legs: [{}] }, 'leg 1: quantity is missing; it must be a number.'],
    [{ ticker: 'A', legs: [{ quantity: 1, size: 2 }] }, '"size" is not a field of leg 1.'],
    [{ ticker: 'A', quantty: 1 }, '"quantty" is not an argument of the_tool; did you mean "quantity"?'],
    [{ ticker: 'A', zzzzzzzzzz: 1 }, '"zzzzzzzzzz" is not an argument of the_tool.'],
    ['A', 'The arguments must be a single JSON object.'],
  ])('%j', (args, message) => {
    expect(refusal(args)).toEqual({ message, next: takes });
  });
});

test('five problems are named, and the others are counted', () => {
  const names = ['a1', 'b2', 'c3', 'd4', 'e5', 'f6', 'g7'];
  const { message } = refusal(Object.fromEntries(names.map((name) => [name, 1])), toolOf(z.strictObject({})));
  const [five] = [
    names
      .slice(0, 5)
      .map((name) => `"${name}" is not an argument of the_tool.`)
      .join(' '),
  ];
  expect(message).toBe(`${five} There are 2 other problems.`);
  const exactly = Object.fromEntries(names.slice(0, 5).map((name) => [name, 1]));
  expect(refusal(exactly, toolOf(z.strictObject({}))).message).toBe(five);
});

test('the step is the tool’s arguments, unless the schema or an amount of money says more', () => {
  expect(refusal({ x: 1 }, toolOf(z.strictObject({}))).next).toBe('the_tool takes no arguments.');
  expect(refusal({ ticker: 'A', amount: 5 }, toolOf(order, 'trading')).next).toMatch(
    /^An order has a quantity of shares/,
  );
  expect(refusal({ ticker: 'A', Amount: 5, zzzzzzzzzz: 1 }, toolOf(order, 'trading')).next).toMatch(
    /^An order has a quantity of shares/,
  );
  expect(refusal({ ticker: 'A', amount: 5 }).next).toBe(takes);
  const stepped = z.unknown().refine(() => false, { message: 'It is wrong', params: { next: 'DO THIS.' } });
  expect(refusal({}, toolOf(stepped))).toEqual({ message: 'It is wrong.', next: 'DO THIS.' });
});

describe('arguments of', () => {
  const nest = (depth: number): unknown => (depth === 0 ? 1 : { a: nest(depth - 1) });
  const nestList = (depth: number): unknown => (depth === 0 ? 1 : [nestList(depth - 1)]);
  const tooLarge = {
    message: 'The arguments are too large for the_tool.',
    next: 'Send at most 20000 characters and 1000 values.',
  };
  test.each<[string, unknown, boolean]>([
    ['1,000 values', Array(999).fill(1), true],
    ['1,001 values', Array(1_000).fill(1), false],
    ['20,000 characters in a list', ['x'.repeat(10_000), 'y'.repeat(10_000)], true],
    ['20,001 characters in a list', ['x'.repeat(10_000), 'y'.repeat(10_001)], false],
    ['20,000 characters with a name', { name: 'x'.repeat(19_996) }, true],
    ['20,001 characters with a name', { names: 'x'.repeat(19_996) }, false],
    ['ten levels', nest(10), true],
    ['eleven levels', nest(11), false],
    ['ten levels of lists', nestList(10), true],
    ['eleven levels of lists', nestList(11), false],
  ])('%s are read: %3$s', (_, args, isRead) => {
    expect(refusal(args, anything)).toEqual(isRead ? { parsed: args } : tooLarge);
  });
});
