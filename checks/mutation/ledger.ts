/** What a run has found so far, a line each: the process that finds it can be ended at any time. */
import { appendFileSync, existsSync, readFileSync } from 'node:fs';

export type Entry =
  /** A test begins with a mutant; such a line is the last one where the mutant ended or stopped the process. */
  | { readonly kind: 'tries'; readonly test: string; readonly mutant: string }
  | { readonly kind: 'killed'; readonly mutant: string; readonly test: string; readonly by: 'test' | 'time' | 'end' }
  /** The test fails without a mutant, or when it runs twice in a process. */
  | { readonly kind: 'unusable'; readonly test: string }
  /** The test takes so long that the others try their mutants first. */
  | { readonly kind: 'postponed'; readonly test: string }
  /** The test failed without a mutant after some had been on: what they killed is tried again, one by one. */
  | { readonly kind: 'suspect'; readonly test: string }
  /** The mutant failed the test, and left something in the process that fails it again without the mutant. */
  | { readonly kind: 'contaminates'; readonly mutant: string; readonly test: string }
  | { readonly kind: 'done'; readonly test: string; readonly covers: readonly string[]; readonly ms: number }
  /**
   * The tests of a file are done. Mutants that were evaluated while modules were loaded are static: switching one on later
   * changes nothing.
   */
  | { readonly kind: 'file'; readonly file: string; readonly round: Round; readonly static: readonly string[] };

/** First all tests that are short, then the long ones for what is still alive. */
export type Round = 'short' | 'long';

export const note = (path: string, entry: Entry): void => appendFileSync(path, `${JSON.stringify(entry)}\n`);

export const readLedger = (path: string): readonly Entry[] =>
  existsSync(path)
    ? readFileSync(path, 'utf8')
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line) as Entry)
    : [];

/** The test files that a round has finished, and those that it is limited to; without `only` it runs all. */
export function filesOf(
  entries: readonly Entry[],
  round: Round,
): { readonly done: string[]; readonly only?: string[] } {
  const done = entries.flatMap((entry) => (entry.kind === 'file' && entry.round === round ? [entry.file] : []));
  if (round === 'short') return { done };
  const postponed = entries.flatMap((entry) => (entry.kind === 'postponed' ? [fileOf(entry.test)] : []));
  return { done, only: [...new Set(postponed)] };
}

/** The file of a test. */
export const fileOf = (test: string): string => test.split(' > ')[0] ?? '';
