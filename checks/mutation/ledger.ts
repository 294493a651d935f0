/** What a run has found so far, a line each: the process that finds it can be ended at any time. */
import { appendFileSync, existsSync, readFileSync } from 'node:fs';

export type Entry =
  /** A test begins with a mutant; such a line is the last one where the mutant ended or stopped the process. */
  | { readonly kind: 'tries'; readonly test: string; readonly mutant: string }
  | { readonly kind: 'killed'; readonly mutant: string; readonly test: string; readonly by: 'test' | 'time' | 'end' }
  /** The test fails without a mutant, or when it runs twice in a process. */
  | { readonly kind: 'unusable'; readonly test: string }
  /** The test failed without a mutant after some had been on: what they killed is tried again, one by one. */
  | { readonly kind: 'suspect'; readonly test: string }
  /** The mutant leaves something in the process that makes other tests fail; it needs a process of its own. */
  | { readonly kind: 'contaminates'; readonly mutant: string }
  | { readonly kind: 'done'; readonly test: string; readonly covers: readonly string[]; readonly ms: number }
  /** Mutants that were evaluated while modules were loaded; switching one on later changes nothing. */
  | { readonly kind: 'static'; readonly mutants: readonly string[] };

export const note = (path: string, entry: Entry): void => appendFileSync(path, `${JSON.stringify(entry)}\n`);

export const readLedger = (path: string): readonly Entry[] =>
  existsSync(path)
    ? readFileSync(path, 'utf8')
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line) as Entry)
    : [];
