import { expect, test } from 'vitest';
import type { Mutant } from '../../../checks/mutation/mutants.ts';
import { reportFolder } from '../../../checks/mutation/report.ts';
import { planRun, type Result, type Results } from '../../../checks/mutation/results.ts';

const mutant = (key: string, file = 'src/a.ts'): Mutant => ({
  key,
  id: key,
  file,
  line: 1,
  operator: 'BooleanLiteral',
  original: 'true',
  replacement: 'false',
});

/** The last run: one mutant of each kind. */
const mutants = ['killed', 'killed alone', 'survived', 'not reached'].map((key) => mutant(key));
const files = { 'src/a.ts': '1', 'test/a.test.ts': '1', 'test/b.test.ts': '1' };
const last: Results = {
  files,
  mutants: {
    killed: { status: 'killed', killer: 'test/a.test.ts' },
    'killed alone': { status: 'killed' },
    survived: { status: 'survived' },
    'not reached': { status: 'not reached' },
  },
};
const plan = (changed: Record<string, string>, extra: Mutant[] = []) => {
  const { kept, everywhere, inChanged, changedTests } = planRun([...mutants, ...extra], last, { ...files, ...changed });
  const keys = (some: readonly Mutant[]) => some.map(({ key }) => key);
  return { kept: [...kept.keys()], everywhere: keys(everywhere), inChanged: keys(inChanged), changedTests };
};

test.each<[string, ReturnType<typeof plan>, ReturnType<typeof plan>]>([
  [
    'nothing changed: every result holds',
    plan({}),
    { kept: ['killed', 'killed alone', 'survived', 'not reached'], everywhere: [], inChanged: [], changedTests: [] },
  ],
  [
    'the source changed: each of its mutants is tried against every test',
    plan({ 'src/a.ts': '2' }),
    { kept: [], everywhere: ['killed', 'killed alone', 'survived', 'not reached'], inChanged: [], changedTests: [] },
  ],
  [
    'the test that killed changed: its mutants are tried again, and survivors meet the changed test',
    plan({ 'test/a.test.ts': '2' }),
    {
      kept: ['survived', 'not reached'],
      everywhere: ['killed', 'killed alone'],
      inChanged: ['survived', 'not reached'],
      changedTests: ['test/a.test.ts'],
    },
  ],
  [
    'a new test: survivors meet it, and what was killed by a known test stays killed',
    plan({ 'test/new.test.ts': '1' }),
    {
      kept: ['killed', 'survived', 'not reached'],
      everywhere: ['killed alone'],
      inChanged: ['survived', 'not reached'],
      changedTests: ['test/new.test.ts'],
    },
  ],
  [
    'a new mutant is tried against every test',
    plan({}, [mutant('new')]),
    {
      kept: ['killed', 'killed alone', 'survived', 'not reached'],
      everywhere: ['new'],
      inChanged: [],
      changedTests: [],
    },
  ],
])('%s', (_, planned, expected) => {
  expect(planned).toEqual(expected);
});

const report = (judgements: Record<string, string>, minScore = 50) =>
  reportFolder(
    'a',
    { sources: ['a'], tests: [], minScore },
    mutants,
    ({ key }) => last.mutants[key] as Result,
    judgements,
  );

test('the score counts what is reached and not equivalent', () => {
  // Two of three: what no test reaches is listed, and no part of the score.
  expect(report({}).text).toContain('| all | 4 | 2 | 1 | 0 | 1 | 66.7 % |');
  expect(report({ survived: 'equivalent: no one reads it' }).text).toContain('| all | 4 | 2 | 0 | 1 | 1 | 100.0 % |');
  expect(report({ survived: 'to come: a test' }).text).toContain('| all | 4 | 2 | 1 | 0 | 1 | 66.7 % |');
});

test.each<[string, Record<string, string>, number, boolean]>([
  ['a survivor without a judgement fails', { survived: 'to come: a test' }, 50, false],
  ['each has a judgement', { survived: 'to come: a test', 'not reached': 'to come: a test' }, 50, true],
  ['a score that is too low fails', { survived: 'to come: a test', 'not reached': 'to come: a test' }, 67, false],
  [
    'a judgement of a mutant that died fails',
    { survived: 'to come: a', 'not reached': 'to come: b', killed: 'equivalent: c' },
    50,
    false,
  ],
])('%s', (_, judgements, minScore, passes) => {
  expect(report(judgements, minScore).passes).toBe(passes);
});
