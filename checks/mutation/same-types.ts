/** Asks the compiler which expressions can stand for one another. */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Alternative, Site } from './mixup-sites.ts';

/** A type with itself and with an alternative, which must be one of it. */
const question = 'declare function sameType<Is, _May extends Is>(): void;';

/** A text that asks for each alternative of its sites, and which one is asked in which line. */
interface Asked {
  readonly text: string;
  readonly lines: ReadonlyMap<number, Alternative>;
}

/** Each question stands on a line of its own, because the compiler reports lines. The comma keeps what is known of a type. */
function writeQuestions(text: string, sites: readonly Site[]): Asked {
  const lines = new Map<number, Alternative>();
  const written: string[] = [];
  let line = 1;
  const write = (part: string): void => {
    written.push(part);
    line += part.split('\n').length - 1;
  };
  let at = 0;
  for (const { start, end, alternatives, shortName } of sites) {
    const typed = alternatives.filter(({ kind }) => kind !== 'order');
    if (typed.length === 0) continue;
    const original = text.slice(start, end);
    write(`${text.slice(at, start)}${shortName === undefined ? '' : `${shortName}: `}(`);
    for (const alternative of typed) {
      write('\n');
      lines.set(line, alternative);
      write(`sameType<typeof ${original}, typeof ${alternative.text}>(),`);
    }
    write(`\n${original})`);
    at = end;
  }
  write(`${text.slice(at)}\n${question}\n`);
  return { text: written.join(''), lines };
}

/** Returns the sites of each file below `src` with the alternatives that the compiler takes. */
export function keepSameTypes(
  texts: ReadonlyMap<string, string>,
  sites: ReadonlyMap<string, readonly Site[]>,
): ReadonlyMap<string, readonly Site[]> {
  const folder = mkdtempSync(join(tmpdir(), 'brokerage-mcp-types-'));
  try {
    cpSync('src', join(folder, 'src'), { recursive: true });
    for (const name of ['package.json', 'tsconfig.json']) cpSync(name, join(folder, name));
    symlinkSync(resolve('node_modules'), join(folder, 'node_modules'));
    const asked = new Map([...sites].map(([file, of]) => [file, writeQuestions(texts.get(file) ?? '', of)]));
    for (const [file, { text }] of asked) writeFileSync(join(folder, file), text);
    const refused = compile(folder, asked);
    return new Map(
      [...sites].map(([file, of]) => [
        file,
        of
          .map((site) => ({ ...site, alternatives: site.alternatives.filter((one) => !refused.has(one)) }))
          .filter(({ alternatives }) => alternatives.length > 0),
      ]),
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function compile(folder: string, asked: ReadonlyMap<string, Asked>): ReadonlySet<Alternative> {
  const args = [
    resolve('node_modules/typescript/bin/tsc'),
    '--noEmit',
    '--pretty',
    'false',
    '--noUnusedLocals',
    'false',
  ];
  const refused = new Set<Alternative>();
  for (const [, file = '', line = ''] of run(folder, args).matchAll(/^(\S+)\((\d+),\d+\): error /gm)) {
    const alternative = asked.get(file)?.lines.get(Number(line));
    // The others are of what stands around: a comma is not everywhere allowed where a name is.
    if (alternative) refused.add(alternative);
  }
  return refused;
}

function run(folder: string, args: readonly string[]): string {
  try {
    return execFileSync(process.execPath, args, { cwd: folder, encoding: 'utf8', maxBuffer: 1 << 28 });
  } catch (error) {
    const { status, stdout } = error as { status?: number; stdout: string };
    // It ends with 1 or 2 after errors. Whatever else ended it has refused nothing, as if all types were equal.
    if (status !== 1 && status !== 2) throw error;
    return stdout;
  }
}
