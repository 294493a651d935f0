/** The report of a folder: a row for each file, and the survivors with what somebody judged of them. */
import { existsSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { MutatedFolder } from './folders.ts';
import type { Mutant } from './mutants.ts';
import type { Result, Status } from './results.ts';

/** By the key of a mutant: `equivalent: ` and why no one can notice it, or `to come: ` and the test that is missing. */
export type Judgements = Readonly<Record<string, string>>;

export interface Report {
  readonly text: string;
  /** Each score is high enough, and each survivor has a judgement. */
  readonly passes: boolean;
}

export interface Counts {
  readonly mutants: number;
  readonly killed: number;
  readonly survived: number;
  readonly equivalent: number;
  readonly notReached: number;
  /** Killed, of those that are reached and not equivalent, in percent. */
  readonly score: number;
}

export function readJudgements(name: string): Judgements {
  const path = join('checks', 'mutation', 'judgements', `${name}.json`);
  return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as Judgements) : {};
}

export function reportFolder(
  name: string,
  { minScore, minScores = {} }: MutatedFolder,
  mutants: readonly Mutant[],
  resultOf: (mutant: Mutant) => Result,
  judgements: Judgements,
): Report {
  const isEquivalent = ({ key }: Mutant) => judgements[key]?.startsWith('equivalent: ') ?? false;
  const count = (some: readonly Mutant[]): Counts => {
    const having = (status: Status) => some.filter((mutant) => resultOf(mutant).status === status);
    const killed = having('killed').length;
    const alive = having('survived');
    const equivalent = alive.filter(isEquivalent).length;
    const survived = alive.length - equivalent;
    const score = (100 * killed) / Math.max(1, killed + survived);
    return { mutants: some.length, killed, survived, equivalent, notReached: having('not reached').length, score };
  };
  const all = count(mutants);
  const files = [...new Set(mutants.map(({ file }) => file))].map((file) => {
    const counts = count(mutants.filter((mutant) => mutant.file === file));
    return { file: basename(file), counts, min: minScores[basename(file)] ?? 0 };
  });
  const alive = mutants.filter((mutant) => resultOf(mutant).status !== 'killed');
  const unjudged = alive.filter(({ key }) => judgements[key] === undefined);
  const stale = Object.keys(judgements).filter((key) => !alive.some((mutant) => mutant.key === key));
  const low = files.filter(({ counts, min }) => counts.score < min);
  const text = [
    `# Mutants of ${name}`,
    '',
    '| file | mutants | killed | survived | equivalent | not reached | score |',
    '|---|---|---|---|---|---|---|',
    ...files.map(({ file, counts }) => row(file, counts)),
    row('all', all),
    '',
    ...alive.map((mutant) => describe(resultOf(mutant).status, mutant, judgements[mutant.key])),
    ...stale.map((key) => `stale ${key}: the judgement has no survivor.`),
    ...low.map(({ file, counts, min }) => `low ${file}: ${counts.score.toFixed(1)} %, ${min} % are needed.`),
    all.score < minScore ? `low ${name}: ${all.score.toFixed(1)} %, ${minScore} % are needed.` : '',
  ];
  const passes = all.score >= minScore && low.length === 0 && unjudged.length === 0 && stale.length === 0;
  return { text: text.join('\n').trimEnd(), passes };
}

const row = (name: string, { mutants, killed, survived, equivalent, notReached, score }: Counts): string =>
  `| ${name} | ${mutants} | ${killed} | ${survived} | ${equivalent} | ${notReached} | ${score.toFixed(1)} % |`;

const oneLine = (text: string): string => text.replace(/\s+/g, ' ').slice(0, 90);

const describe = (status: Status, mutant: Mutant, judgement = 'no judgement'): string =>
  `${status} ${mutant.key} ${mutant.file}:${mutant.line} ${mutant.operator}: ${oneLine(mutant.original)} -> ${oneLine(mutant.replacement)} (${judgement})`;
