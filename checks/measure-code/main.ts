/**
 * `npm run measure-code`: how much a reader of `src` has to read. Prints each figure with its bound; the exit code is 1
 * if a figure is outside its bound.
 */
import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { reachableFrom, readSourceFile, type SourceFile } from './source-file.ts';

interface Figure {
  readonly value: number;
  readonly max?: number;
  readonly min?: number;
}

/** Names that say the same in every folder. */
const sharedNames = new Set(['tools.ts', 'types.ts', 'index.ts']);

const listCode = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => join(folder, name).replaceAll('\\', '/'))
    .toSorted();

const read = (folder: string): SourceFile[] => listCode(folder).map(readSourceFile);
const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0);
const median = (numbers: readonly number[]): number =>
  numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0;

const source = read('src');
const files = new Map(source.map((file) => [file.path, file]));
const lines = source.map((file) => file.lines);
const names = source.map(({ path }) => basename(path)).filter((name) => !sharedNames.has(name));
const placeOrder = 'src/core/orders/place-order.ts';
if (!files.has(placeOrder)) throw new Error(`${placeOrder} is missing`);

/** The bounds are the figures of today. Whoever makes one better moves its bound. */
const figures: Readonly<Record<string, Figure>> = {
  Files: { value: source.length, max: 610 },
  'Files of less than 30 lines': { value: lines.filter((count) => count < 30).length, max: 27 },
  'Files of more than 400 lines': { value: lines.filter((count) => count > 400).length, max: 0 },
  'Lines of a file, median': { value: median(lines), min: 125 },
  'Lines of code, without comments, blank lines and imports': {
    value: sum(source.map((file) => file.codeLines)),
    max: 61_715,
  },
  'Files that placing a single order reaches': { value: reachableFrom(placeOrder, files).size, max: 51 },
  'Names of files that occur twice': {
    value: new Set(names.filter((name, n) => names.indexOf(name) !== n)).size,
    max: 0,
  },
  'Types named *Deps, *Options, *Context, *Question or *Request': {
    value: source
      .flatMap(({ types }) => types)
      .filter((name) => /(?:Deps|Options|Context|Question|Request)$/.test(name)).length,
    max: 108,
  },
  'Errors that are dropped without a reason': { value: sum(source.map((file) => file.silentCatches.length)), max: 0 },
  'Lines of tests': { value: sum(read('test').map((file) => file.lines)), max: 118_185 },
};

let isOutside = false;
for (const [name, { value, max, min }] of Object.entries(figures)) {
  const fails = (max !== undefined && value > max) || (min !== undefined && value < min);
  isOutside ||= fails;
  const bound = max === undefined ? `at least ${min}` : `at most ${max}`;
  process.stdout.write(`${fails ? 'FAIL' : 'ok  '} ${name}: ${value} (${bound})\n`);
}
for (const { path, silentCatches } of source)
  for (const line of silentCatches) process.stdout.write(`${path}:${line} drops an error without a reason\n`);
process.exitCode = isOutside ? 1 : 0;
