/** Some connectors send every argument as a text. A text with one possible meaning is accepted; others are refused. */
// @module-tag server
import { describe, expect, test } from 'vitest';
import type * as z from 'zod';
import { buildToolListing } from '../../../src/app/build-tool-listing.ts';
import { tools } from '../../../src/app/registry.ts';
import { parseArguments } from '../../../src/core/mcp/parse-arguments.ts';
import { setup } from '../../support/setup.ts';

const market = { type: 'MARKET', ticker: 'QNOON_GB_EQ', side: 'BUY', quantity: 1 };

function parse(name: string, args: Record<string, unknown>): Record<string, unknown> {
  const tool = tools.find((candidate) => candidate.name === name);
  if (!tool) throw new Error(`no tool ${name}`);
  return parseArguments(tool, args) as Record<string, unknown>;
}

/** Every argument that is shown as an integer or a boolean, with the arguments that its tool also needs. */
const needed: Record<string, Record<string, unknown>> = {
  search_instruments: { query: 'x' },
  fetch_history: { kind: 'orders' },
  get_order: { orderId: '1' },
  preview_order: market,
  place_market_order: { ticker: 'QNOON_GB_EQ', side: 'BUY', quantity: 1 },
  download_export: { reportId: '1' },
  summarize_dividends: { groupBy: 'year' },
  plan_orders: { goal: 'rebalance' },
  submit_draft: { draftId: '0123456789abcdef', version: 1 },
  save_draft: { draftId: '0123456789abcdef', version: 1, legs: [market] },
};
const argumentsShownAs = (type: string) =>
  buildToolListing().flatMap(({ name, inputSchema }) =>
    Object.entries((inputSchema.properties ?? {}) as Record<string, { type?: string }>)
      .filter(([, schema]) => schema.type === type)
      .map(([argument]) => [name, argument] as const),
  );

describe.each(argumentsShownAs('integer'))('%s: %s', (tool, argument) => {
  const value = (given: unknown) => parse(tool, { ...needed[tool], [argument]: given })[argument];

  test('accepts an integer and the same in digits', () => {
    expect([value(5), value('5'), value('10')]).toEqual([5, 5, 10]);
  });

  test.each(['5.0', '', ' 5', '5 ', '05', '+5', '-5', '0x5', '1e1', '1_0', '٥', 'five', 'Infinity', true, [5], null])(
    'refuses %j',
    (given) => {
      expect(() => value(given)).toThrow(expect.objectContaining({ code: 'invalid_argument' }));
    },
  );
});

describe.each(argumentsShownAs('boolean'))('%s: %s', (tool, argument) => {
  const value = (given: unknown) => parse(tool, { ...needed[tool], [argument]: given })[argument];

  test('accepts true and false, also as texts', () => {
    expect([value(true), value('true'), value(false), value('false')]).toEqual([true, true, false, false]);
  });

  test.each(['TRUE', 'False', 'yes', 'no', '1', '0', '', ' true', 1, 0, null])('refuses %j', (given) => {
    expect(() => value(given)).toThrow(
      expect.objectContaining({ code: 'invalid_argument', message: `${argument} must be true or false.` }),
    );
  });
});

test('the arguments checked here are all that are shown as integers and booleans', () => {
  expect(argumentsShownAs('integer').length).toBeGreaterThan(5);
  expect(argumentsShownAs('boolean').map(([, argument]) => argument)).toEqual(
    expect.arrayContaining(['extendedHours', 'project']),
  );
});

describe('the numbers of a pie', () => {
  const pie = { name: 'x', instrumentShares: { A: '0.5', B: 0.5 }, goal: '1000' };

  test('are accepted as digits in a text', () => {
    expect(parse('create_pie', pie)).toMatchObject({ instrumentShares: { A: 0.5, B: 0.5 }, goal: 1000 });
  });

  test.each(['.5', '0,5', ' 0.5', '5e-1', '0x1', '', '00.5', '0.', '-0.5'])('are refused as %j', (share) => {
    expect(() => parse('create_pie', { ...pie, instrumentShares: { A: share, B: 0.5 } })).toThrow(
      expect.objectContaining({
        code: 'invalid_argument',
        message: expect.stringMatching(/^instrumentShares\.A must /),
      }),
    );
  });
});

test('a tax year as a number is ambiguous, and is refused with the required form', () => {
  expect(() => parse('summarize_realised_gains', { method: 'broker', taxYear: 2025 })).toThrow(
    expect.objectContaining({
      code: 'invalid_argument',
      message: 'taxYear must be a UK tax year such as "2025/26".',
    }),
  );
});

test('every default in the schema is a value of its argument', { tags: ['slow'] }, () => {
  for (const tool of tools) {
    const shown = buildToolListing().find(({ name }) => name === tool.name)?.inputSchema.properties ?? {};
    for (const [argument, schema] of Object.entries(shown as Record<string, { default?: unknown }>)) {
      if (schema.default === undefined) continue;
      const { shape } = tool.input as z.ZodObject;
      expect(shape[argument]?.safeParse(undefined), `${tool.name}: ${argument}`).toMatchObject({
        data: schema.default,
      });
    }
  }
});

test('texts have the effect of the numbers that they stand for', async () => {
  const { call } = await setup();
  const { body } = await call('list_positions', { limit: '2' });
  expect(body.rows).toHaveLength(2);
  const { body: analysis } = await call('analyze_portfolio', { by: 'instrument', top: '2' });
  expect(analysis.rows).toHaveLength(3);
});

test('a portfolio is analysed by instrument unless another grouping is given', async () => {
  const { call } = await setup();
  const { body: plain } = await call('analyze_portfolio', {});
  const { body: named } = await call('analyze_portfolio', { by: 'instrument' });
  expect(plain.columns[0]).toBe('group');
  expect(plain.columns[1]).toBe('name');
  expect(plain.rows).toEqual(named.rows);
});
