/** The evaluations are data, so they are checked as data; some are played, and every wrong assistant is caught. */
// @module-tag process
import { describe, expect, test } from 'vitest';
import { all, groups } from '../../evals/all.ts';
import { controls } from '../../evals/models/controls.ts';
import { ideal } from '../../evals/models/scripted.ts';
import { checkFigures, listUncontrolled } from '../../evals/run/check-figures.ts';
import { controlTable, evalTable, passed, remarks } from '../../evals/run/report.ts';
import { playEval } from '../../evals/run/run-eval.ts';
import { runControls } from '../../evals/run/run-evals.ts';
import type { Figures, Said } from '../../evals/types.ts';
import { tools } from '../../src/app/registry.ts';

/** As `npm run evals` plays them, with fewer instruments to make and to read. */
const options = {
  binary: 'dist/brokerage-mcp.cjs',
  limitScale: 0.01,
  instrumentCount: 300,
  phases: ['cold'],
  requestsCount: true,
} as const;

describe('the requests', () => {
  test('are at least 120, of known groups, and each has a name of its own', () => {
    expect(all.length).toBeGreaterThanOrEqual(120);
    expect(new Set(all.map(({ group }) => group))).toEqual(new Set(groups));
    expect(new Set(all.map(({ id }) => id)).size).toBe(all.length);
  });

  test.each(all.map((one) => [one.id, one] as const))(
    '%s calls tools that exist, with arguments they take',
    (_, one) => {
      for (const step of [...one.calls, ...(one.warmUp ?? [])]) {
        if (!('tool' in step)) continue;
        const { tool, args = {} } = step;
        const found = tools.find(({ name }) => name === tool);
        expect(found, tool).toBeDefined();
        if (typeof args === 'function') continue;
        // A server of several accounts has this argument of its own.
        const { account: _account, ...own } = args;
        expect(found?.input.safeParse(own).success, tool).toBe(true);
      }
      expect(one.words.length).toBeGreaterThan(20);
      expect(one.requests.warm).toBeLessThanOrEqual(one.requests.cold);
    },
  );
});

// Cases that the controls below leave out: a wait for a fill, an error, no request at all.
test.each(['sell-and-follow', 'unknown-ticker', 'before-the-job'])(
  'the ideal assistant passes %s on a real server',
  { tags: ['slow'], timeout: 60_000 },
  async (id) => {
    const evaluation = all.find((one) => one.id === id);
    if (!evaluation) throw new Error(id);
    const plays = await playEval(evaluation, ideal, options);
    expect(plays.map(({ problems }) => problems)).toEqual([[]]);
    expect(plays[0]?.called.length).toBe(evaluation.calls.length);
  },
);

test('every assistant with a mistake is caught, and for its own mistake', { tags: ['slow'] }, async () => {
  const outcomes = await runControls(controls, options);
  expect(outcomes.length).toBeGreaterThanOrEqual(5);
  expect(
    outcomes
      .filter(({ isCaught }) => !isCaught)
      .map(({ control, problems }) => ({ mistake: control.mistake, evaluation: control.evaluation.id, problems })),
  ).toEqual([]);
  expect(controlTable(outcomes)).not.toContain('| NO ');
});

describe('the control of each figure', () => {
  const checkWith = (truth: Figures) => (said: Said) => checkFigures(said, () => truth);
  const said: Said = { figures: { gain: '-1.50', name: 'Haldersten', orders: '2' } };

  test('finds nothing where each wrong figure would be rejected', () => {
    expect(listUncontrolled(said, [checkWith(said.figures)])).toEqual([]);
  });

  test.each([
    ['gain', '998.51'],
    ['name', 'Haldersten0'],
    ['orders', '20'],
  ])('names a figure where a wrong one would pass: %s', (name, wrong) => {
    const truth = { ...said.figures, [name]: wrong };
    expect(listUncontrolled(said, [checkWith(said.figures), checkWith(truth)])).toEqual([`a wrong ${name} would pass`]);
  });

  test('leaves out a text, whose figures are not apart', () => {
    expect(listUncontrolled({ text: '-1.50' }, [checkWith({ gain: '-1.50' })])).toEqual([]);
  });
});

describe('the report', () => {
  const [evaluation] = all;
  if (!evaluation) throw new Error('there are none');
  const play = {
    phase: 'cold',
    said: { text: '' },
    called: [{ tool: 'list_orders', args: {}, isError: false, body: {} }],
    requests: 3,
    allowed: 2,
    tokens: 10,
    ms: 1500,
  } as const;

  test('counts what failed, by group and in all', () => {
    const outcomes = [
      { evaluation, plays: [{ ...play, problems: [] }] },
      { evaluation, plays: [{ ...play, problems: ['value is 1, and 2 was said'] }] },
    ];
    expect(outcomes.map(passed)).toEqual([true, false]);
    const table = evalTable(outcomes);
    expect(table).toMatch(/\| \*\*portfolio\*\* +\| 1 of 2 +\| 2 +\| 6 \/ 4 /);
    expect(table).toMatch(/\| \*\*all\*\* +\| 1 of 2 /);
    expect(remarks(outcomes, true)).toEqual([`${evaluation.id} (cold): value is 1, and 2 was said`]);
  });

  test('shows where a model took another way than the ideal calls', () => {
    expect(remarks([{ evaluation, plays: [{ ...play, problems: [] }] }], false)).toEqual([
      `${evaluation.id}: also called list_orders`,
      `${evaluation.id}: did not call list_positions`,
    ]);
  });
});
