/**
 * What a folder's last run found, so that the next one tries again only what a change can have touched: all mutants of a
 * source file that changed, what a test file killed that changed, and for the survivors the test files that changed.
 */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Mutant } from './mutants.ts';

export type Status = 'killed' | 'survived' | 'not reached';

export interface Result {
  readonly status: Status;
  /** The file of the test that killed it; undefined for a process of its own, where any file may have. */
  readonly killer?: string | undefined;
}

export interface Results {
  /** The digest of each source and test file, by its path. */
  readonly files: Readonly<Record<string, string>>;
  /** By the key of the mutant. */
  readonly mutants: Readonly<Record<string, Result>>;
}

export interface Plan {
  /** What holds without another try, by the key. */
  readonly kept: ReadonlyMap<string, Result>;
  /** To try against every test. */
  readonly everywhere: readonly Mutant[];
  /** Survivors, to try against the changed tests only. */
  readonly inChanged: readonly Mutant[];
  readonly changedTests: readonly string[];
}

const none: Results = { files: {}, mutants: {} };

export const readResults = (path: string): Results =>
  existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as Results) : none;

export const writeResults = (path: string, results: Results): void => writeFileSync(path, JSON.stringify(results));

/** Files and the files of folders, each with its digest. */
export function digestFiles(paths: readonly string[]): Record<string, string> {
  const files = paths.flatMap((path) =>
    statSync(path).isDirectory()
      ? readdirSync(path, { recursive: true, encoding: 'utf8' }).map((name) => join(path, name))
      : [path],
  );
  const texts = [...new Set(files)].filter((path) => path.endsWith('.ts'));
  return Object.fromEntries(
    texts.map((path) => [path, createHash('sha256').update(readFileSync(path)).digest('hex').slice(0, 16)]),
  );
}

export function planRun(mutants: readonly Mutant[], last: Results, files: Results['files']): Plan {
  const isSame = (path: string) => files[path] !== undefined && files[path] === last.files[path];
  const changedTests = Object.keys(files).filter((path) => path.endsWith('.test.ts') && !isSame(path));
  const kept = new Map<string, Result>();
  const everywhere: Mutant[] = [];
  const inChanged: Mutant[] = [];
  for (const mutant of mutants) {
    const result = isSame(mutant.file) ? last.mutants[mutant.key] : undefined;
    if (!result) everywhere.push(mutant);
    else if (result.status !== 'killed') {
      kept.set(mutant.key, result);
      if (changedTests.length > 0) inChanged.push(mutant);
    } else if (result.killer === undefined ? changedTests.length === 0 : isSame(result.killer))
      kept.set(mutant.key, result);
    else everywhere.push(mutant);
  }
  return { kept, everywhere, inChanged, changedTests };
}
