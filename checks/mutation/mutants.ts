/** Makes the mutants of files: one source text that contains all of them, each off. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Instrumenter } from '@stryker-mutator/instrumenter';
import { mixUp } from './mixups.ts';
import { listForgotten } from './property-mutants.ts';
import { type Place, writeVariants } from './write-variants.ts';

export interface Mutant {
  /** Names the change and what declares it, not its file or line: it stays the same when code moves. */
  readonly key: string;
  /** The number by which the changed text asks whether the mutant is on. */
  readonly id: string;
  readonly file: string;
  readonly line: number;
  readonly operator: string;
  readonly original: string;
  readonly replacement: string;
}

export interface Instrumented {
  readonly mutants: readonly Mutant[];
  /** The changed text of each file. */
  readonly texts: Readonly<Record<string, string>>;
}

const silent = () => undefined;
const logger = {
  isTraceEnabled: () => false,
  isDebugEnabled: () => false,
  isInfoEnabled: () => false,
  isWarnEnabled: () => false,
  isErrorEnabled: () => false,
  isFatalEnabled: () => false,
  trace: silent,
  debug: silent,
  info: silent,
  warn: silent,
  error: silent,
  fatal: silent,
};

/**
 * `usual`: the operators of Stryker. `properties`: objects that lack one of their properties. `mixups`: a value in the
 * place of another one of its type.
 */
export type Operators = 'usual' | 'properties' | 'mixups';

/** Instruments files. */
export async function instrument(paths: readonly string[], operators: Operators): Promise<Instrumented> {
  if (operators === 'usual') return instrumentUsually(paths);
  const texts = new Map(paths.map((file) => [file, readFileSync(file, 'utf8')]));
  return operators === 'mixups'
    ? instrumentPlaces(texts, 'MixUp', mixUp(texts))
    : instrumentPlaces(
        texts,
        'PropertyRemoval',
        new Map([...texts].map(([file, text]) => [file, listForgotten(text)])),
      );
}

/** @param places Those of each file, in the order of its text. */
function instrumentPlaces(
  files: ReadonlyMap<string, string>,
  operator: string,
  places: ReadonlyMap<string, readonly Place[]>,
): Instrumented {
  const keyOf = createKeys();
  let count = 0;
  const mutants: Mutant[] = [];
  const texts: Record<string, string> = {};
  for (const [file, text] of files) {
    const written = writeVariants(text, places.get(file) ?? [], () => String(count++));
    texts[file] = written.text;
    const lines = text.split('\n');
    for (const change of written.changes) {
      const key = keyOf(declarationAt(lines, change.line), operator, change);
      mutants.push({ ...change, key, file, operator });
    }
  }
  return { mutants, texts };
}

async function instrumentUsually(paths: readonly string[]): Promise<Instrumented> {
  const files = paths.map((name) => ({ name, mutate: true, content: readFileSync(name, 'utf8') }));
  const made = await new Instrumenter(logger).instrument(files, {
    plugins: null,
    excludedMutations: [],
    ignorers: [],
    noHeader: false,
  } as never);
  const sources = new Map(files.map(({ name, content }) => [name, content.split('\n')]));
  const keyOf = createKeys();
  const mutants = made.mutants.flatMap(({ id, fileName, mutatorName, replacement, location }): Mutant[] => {
    const lines = sources.get(fileName) ?? [];
    const original = textAt(lines, location);
    const before = (lines[location.start.line] ?? '').slice(0, location.start.column);
    if (mutatorName === 'StringLiteral' && isForReaders(original, before)) return [];
    const line = location.start.line + 1;
    const key = keyOf(declarationAt(lines, line), mutatorName, { original, replacement });
    return [{ key, id, file: fileName, line, operator: mutatorName, original, replacement }];
  });
  return { mutants, texts: Object.fromEntries(made.files.map(({ name, content }) => [name, content])) };
}

/** Names changes by what they change; equal ones by their place among each other. */
function createKeys() {
  const seen = new Map<string, number>();
  return (
    declaration: string,
    operator: string,
    { original, replacement }: Pick<Mutant, 'original' | 'replacement'>,
  ): string => {
    const text = [declaration, operator, original, replacement].join('\n');
    const count = (seen.get(text) ?? 0) + 1;
    seen.set(text, count);
    return createHash('sha256').update(`${text}\n${count}`).digest('hex').slice(0, 12);
  };
}

/** Returns the name of what the module declares around a line, counted from 1; empty before the first declaration. */
function declarationAt(lines: readonly string[], line: number): string {
  const start = /^(?:export )?(?:async )?(?:function\*?|const|let|class|interface|type) (\w+)/;
  const above = lines.slice(0, line).findLast((text) => start.test(text));
  return above === undefined ? '' : (start.exec(above)?.[1] ?? '');
}

interface Position {
  readonly line: number;
  readonly column: number;
}

function textAt(lines: readonly string[], { start, end }: { start: Position; end: Position }): string {
  const inside = lines.slice(start.line, end.line + 1);
  const last = inside.length - 1;
  return inside
    .map((line, n) => line.slice(n === 0 ? start.column : 0, n === last ? end.column : undefined))
    .join('\n');
}

/** The wording of a sentence, and the name of a task in the log, are no rules of an order. SQL is one. */
const isForReaders = (text: string, before: string): boolean =>
  (/[a-z,.:;] [A-Za-z]/.test(text) &&
    !/\b(SELECT|INSERT|UPDATE|DELETE|FROM|WHERE|SET|VALUES|CREATE|AND)\b/.test(text)) ||
  /(orElse|log\.fault|log\.debug)\($/.test(before);
