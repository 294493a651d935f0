/**
 * `npm run mutation -- FOLDER`: changes the source of a folder in one place at a time, and shows which changes no test
 * notices. Without a folder it shows their names.
 */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { folders, type MutatedFolder } from './folders.ts';
import { instrument, type Mutant } from './mutants.ts';
import { passAlone, searchTogether } from './search.ts';

const say = (line = ''): void => void process.stdout.write(`${line}\n`);

async function searchFolder(name: string, { source, tests }: MutatedFolder): Promise<void> {
  const startedAt = Date.now();
  const { mutants, texts } = await instrument(join('src', source));
  const folder = join('node_modules', '.mutation', name);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const files = {
    folder,
    texts: join(folder, 'texts.json'),
    tests: tests.map((path) => join('test', path)),
  };
  writeFileSync(files.texts, JSON.stringify(texts));
  const lanes = Array.from({ length: Math.min(2, availableParallelism()) }, (_, n) => n);
  const found = await Promise.all(
    lanes.map((lane) => {
      const share = mutants.filter((_, n) => n % lanes.length === lane).map(({ id }) => id);
      return searchTogether(files, String(lane), share);
    }),
  );
  const entries = found.flat();
  const killed = new Set(entries.flatMap((entry) => (entry.kind === 'killed' ? [entry.mutant] : [])));
  const covered = new Set(entries.flatMap((entry) => (entry.kind === 'done' ? entry.covers : [])));
  const fixed = new Set(entries.flatMap((entry) => (entry.kind === 'static' ? entry.mutants : [])));
  const own = new Set(entries.flatMap((entry) => (entry.kind === 'contaminates' ? [entry.mutant] : [])));
  const alone = mutants.filter(({ id }) => !killed.has(id) && (own.has(id) || (fixed.has(id) && !covered.has(id))));
  say(
    `${name}: ${mutants.length} mutants, ${killed.size} killed together in ${seconds(startedAt)} s, ${alone.length} alone`,
  );
  if (alone.length > 0 && !(await passAlone(files))) throw new Error(`The tests of ${name} fail without a mutant.`);
  const queue = [...alone];
  await Promise.all(
    lanes.map(async () => {
      for (let next = queue.shift(); next; next = queue.shift()) {
        covered.add(next.id);
        if (!(await passAlone(files, next.id))) killed.add(next.id);
      }
    }),
  );
  const survivors = mutants.filter(({ id }) => !killed.has(id) && covered.has(id));
  const unreached = mutants.filter(({ id }) => !killed.has(id) && !covered.has(id));
  for (const mutant of survivors) say(describe('survived', mutant));
  for (const mutant of unreached) say(describe('not reached', mutant));
  const score = (100 * killed.size) / Math.max(1, killed.size + survivors.length);
  say(
    `${name}: ${mutants.length} mutants, ${killed.size} killed, ${survivors.length} survived, ${unreached.length} not reached, ${score.toFixed(1)} %, ${seconds(startedAt)} s`,
  );
}

const seconds = (startedAt: number): string => ((Date.now() - startedAt) / 1000).toFixed(0);

const oneLine = (text: string): string => text.replace(/\s+/g, ' ').slice(0, 90);

const describe = (what: string, { key, file, line, operator, original, replacement }: Mutant): string =>
  `${what} ${key} ${file}:${line} ${operator}: ${oneLine(original)} -> ${oneLine(replacement)}`;

const { positionals } = parseArgs({ allowPositionals: true });
const unknown = positionals.filter((name) => !Object.hasOwn(folders, name));
if (positionals.length === 0 || unknown.length > 0) {
  say(`Folders: ${Object.keys(folders).join(', ')}`);
  process.exitCode = 2;
} else for (const name of positionals) await searchFolder(name, folders[name as keyof typeof folders]);
