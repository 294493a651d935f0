/**
 * Which folder may import which, which files may use the network and the process, and that generated text is up to
 * date.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, normalize } from 'node:path';
import { describe, expect, test } from 'vitest';
import { documents, withGenerated } from '../scripts/generated-text.ts';
import { accountVariables } from '../src/core/settings/accounts.ts';
import { settings } from '../src/core/settings/setting-definitions.ts';

const sources = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts'))
  .map((name) => ({ path: join('src', name), text: readFileSync(join('src', name), 'utf8') }));

const importsOf = (text: string) =>
  [...text.matchAll(/(?:from|import\()\s*'([^']+)'/g)].map((match) => match[1] as string);

/** What the files of a part of the program may import: these parts, and their own. Whoever uses a feature is above it. */
const floors: Record<string, readonly string[]> = {
  'src/core': [],
  'src/features/history': ['src/core'],
  'src/features/search': ['src/core'],
  'src/features/accounts': ['src/core'],
  'src/features/oauth': ['src/core'],
  'src/features/passkeys': ['src/core'],
  'src/features/views': ['src/core', 'src/features/drafts'],
  'src/features/guides': ['src/core', 'src/features/search', 'src/features/reports'],
  'src/features/planner': ['src/core'],
  'src/features/reports': ['src/core', 'src/features/history'],
  'src/features/analytics': ['src/core', 'src/features/history'],
  'src/features/gains': ['src/core', 'src/features/history', 'src/features/analytics'],
  'src/features/tax-pack': ['src/core', 'src/features/history', 'src/features/analytics', 'src/features/gains'],
  'src/features/documents': [
    'src/core',
    ...['tax-pack', 'gains', 'analytics', 'history', 'views'].map((name) => `src/features/${name}`),
  ],
  'src/features/drafts': [
    'src/core',
    ...['planner', 'gains', 'analytics', 'history', 'search'].map((name) => `src/features/${name}`),
  ],
  'src/features/changes': ['src/core', ...['drafts', 'analytics', 'history'].map((name) => `src/features/${name}`)],
  'src/features/watches': [
    'src/core',
    ...['changes', 'drafts', 'analytics', 'history'].map((name) => `src/features/${name}`),
  ],
  'src/simulator': ['src/core/endpoints', 'src/core/clock.ts', 'src/core/log.ts'],
  'src/app': ['src/core', 'src/features', 'src/simulator'],
  'src/setup': ['src/core', 'src/app'],
  'src/cli': ['src/core', 'src/features', 'src/app', 'src/setup', 'src/simulator'],
  'src/main.ts': ['src/core', 'src/cli'],
};

const isIn = (path: string, part: string) => path === part || path.startsWith(`${part}/`);

test('imports run downwards only: core imports no feature, and a feature imports core and the features below it', () => {
  const parts = Object.keys(floors);
  const partOf = (path: string) => parts.find((part) => isIn(path, part));
  const wrong = sources.flatMap(({ path, text }) => {
    const part = partOf(path) ?? '';
    return importsOf(text)
      .filter((name) => name.startsWith('.') && !name.endsWith('.json'))
      .map((target) => normalize(join(path, '..', target)))
      .filter((target) => ![part, ...(floors[part] ?? [])].some((allowed) => isIn(target, allowed)))
      .map((target) => `${path} imports ${target}`);
  });
  expect(sources.filter(({ path }) => partOf(path) === undefined)).toEqual([]);
  expect(wrong).toEqual([]);
});

test('the planner imports types and arithmetic only', () => {
  const imported = sources
    .filter(({ path }) => path.startsWith('src/features/planner/'))
    .flatMap(({ path, text }) => importsOf(text).map((target) => normalize(join(path, '..', target))));
  const own = /^src\/features\/planner\//;
  expect([...new Set(imported.filter((target) => !own.test(target)))]).toEqual(['src/core/endpoints/decimal.ts']);
});

test('the judge imports no code of the program: its own files, decimals and Node alone', () => {
  const files = readdirSync('checks/judge', { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.ts'),
  );
  const imported = files.flatMap((name) =>
    importsOf(readFileSync(join('checks/judge', name), 'utf8')).map((target) =>
      target.startsWith('.') ? normalize(join('checks/judge', name, '..', target)) : target,
    ),
  );
  const foreign = imported.filter((target) => !/^(checks\/judge\/|node:|big\.js$)/.test(target));
  expect([files.length > 0, foreign]).toEqual([true, []]);
});

/** The stages of an order: each imports only later ones, and the files beside the folders import all. */
const stages = ['send', 'reconcile', 'risk', 'halt', 'account', 'intent'];

test('text from outside becomes a number through core/endpoints/decimal.ts, which bounds its digits', () => {
  const outside = ['src/core/settings', 'src/core/http', 'src/app', 'src/cli', 'src/setup'];
  const readers = sources.filter(({ path }) => outside.some((part) => isIn(path, part)));
  const unbounded = readers.filter(
    ({ text }) => /\bBig\((?!')/.test(text) && !/endpoints\/decimal\.ts/.test(text.replace(/\bcountDecimals\b/g, '')),
  );
  expect(unbounded.map(({ path }) => path)).toEqual([]);
  expect(sources.filter(({ text }) => /\bparseFloat\(/.test(text)).map(({ path }) => path)).toEqual([]);
  // Whole numbers of any length, where they are computed and not read.
  const computing =
    /^src\/features\/(gains\/fixed-point|planner\/fraction|views\/render\/format-values)\.ts$|^src\/simulator\//;
  const big = sources.filter(({ text }) => /\bBigInt\(/.test(text)).map(({ path }) => path);
  expect(big.filter((path) => !computing.test(path))).toEqual([]);
});

test('the stages of an order import downwards only', () => {
  const stageOf = (path: string) => stages.indexOf(path.split('/').at(3) ?? '');
  const inStages = sources.filter(({ path }) => isIn(path, 'src/core/orders') && path.split('/').length > 4);
  expect(inStages.filter(({ path }) => stageOf(path) < 0)).toEqual([]);
  const upwards = inStages.flatMap(({ path, text }) =>
    importsOf(text)
      .map((target) => normalize(join(path, '..', target)))
      .filter((target) => target.startsWith('src/core/orders/') && stageOf(target) < stageOf(path))
      .map((target) => `${path} imports ${target}`),
  );
  expect(upwards).toEqual([]);
});

test.each([
  ['undici', /^src\/core\/broker\/transport\//],
  ['@simplewebauthn/', /^src\/features\/passkeys\//],
  ['nodemailer', /^src\/features\/watches\/notify\//],
  ['pg', /^src\/core\/store\/postgres\//],
  ['@modelcontextprotocol/', /^src\/(core\/(mcp|http)|features\/guides)\//],
  ['node:http', /^src\/(simulator|core\/approval\/page|core\/http|features\/drafts\/page|features\/oauth)\//],
  ['node:https', /^never$/],
  ['node:net', /^src\/(simulator|core\/broker\/transport|core\/http)\//],
  ['node:tls', /^never$/],
])('only the folders that wrap %s import it', (name, allowed) => {
  const importers = sources.filter(({ text }) =>
    importsOf(text).some((target) => (name.endsWith('/') ? target.startsWith(name) : target === name)),
  );
  expect(importers.map(({ path }) => path).filter((path) => !allowed.test(path))).toEqual([]);
});

test('no file uses fetch, and only main.ts touches the process', () => {
  const users = (pattern: RegExp) =>
    sources.filter(({ text }) => pattern.test(text.replace(/\/\*[\s\S]*?\*\/|\/\/.*/g, '')));
  expect(users(/\bfetch\(/).map(({ path }) => path)).toEqual([]);
  expect(users(/\bprocess\./).map(({ path }) => path)).toEqual(['src/main.ts']);
});

/** The fields that carry text for people, under the names that this program gives them. */
const words = String.raw`\b(?:message|reason|note|says|fix|why|trouble|detail|problem|sentence|complaint|warning)\b`;
const looks = '(?:includes|startsWith|endsWith|match|matchAll|search|indexOf|lastIndexOf|split|localeCompare)';
/** Only its text matters here: a field of it may be a fact. */
const wholly = String.raw`(?!\s*\??\.|\()`;

/**
 * Code that reads a text made for people: it compares the text, takes it apart, matches a pattern or uses it as a key.
 * To test whether a text exists reads nothing. Only these names are detected, and only in the line of the reading: a
 * text that is passed on under another name is left to the reviewer.
 */
const readings: readonly RegExp[] = [
  new RegExp(String.raw`${words}\)?\??\.${looks}\(`),
  new RegExp(String.raw`\b(?:result|answer|reply|said)\.text\??\.${looks}\(`),
  new RegExp(String.raw`${words}\)? *[!=]==?(?!=| *(?:undefined\b|null\b|''|'(?:string|object)'))`),
  new RegExp(String.raw`[!=]==? *(?:\w+\??\.)*${words}${wholly}`),
  new RegExp(String.raw`\bswitch \((?:\w+\??\.)*${words}\)`),
  new RegExp(String.raw`\.(?:test|exec|has|get)\((?:[^()\n]|\([^()\n]*\))*${words}${wholly}`),
  // The name of the class of an error.
  /\bname\b *[!=]==? *['"]\$?\w*Error['"]/,
  /['"]\w*Error['"]\]\.includes\(/,
  /Error\$?\/\w*\.test\(/,
];

/** Files where only the text carries the fact, and why. */
const readers: Record<string, string> = {
  'src/core/errors.ts': 'whatever makes an abort, its name is all that its errors have in common',
  'src/core/approval/page/page-script.ts':
    'the page compares what it shows with what it would show now, whatever that says',
  'src/core/broker/transport/send-request.ts': 'the HTTP client gives what it cannot parse a name and no code',
  'src/setup/doctor/program-checks.ts': 'the engine tells the position in a broken JSON text in its message alone',
  'src/core/store/postgres/postgres-errors.ts': 'the driver has no codes for what it notices by itself',
  'src/core/store/sqlite/binding.ts': 'the code of a missing module does not say which one is missing',
};

test('logic depends on codes and typed facts, and reads a text only where there is no code', () => {
  const found = sources.filter(({ text }) => {
    const code = text.replace(/\/\*[\s\S]*?\*\/|(?<![:'"`])\/\/ .*/g, '');
    return readings.some((reading) => reading.test(code));
  });
  expect(found.map(({ path }) => path).sort()).toEqual(Object.keys(readers).sort());
});

test.each([
  `if (error.message === 'The store is full.') return;`,
  `if ('The store is full.' !== error.message) return;`,
  `const isFull = error.message.includes('full');`,
  `const isFull = (error as Error).message.startsWith('The store');`,
  `const isFull = /full/.test(error.message);`,
  `mends.find(([pattern]) => pattern.test(message))`,
  `const at = /position (\\d+)/.exec((error as Error).message)?.[1];`,
  `const [says, fix] = trouble.split('; ');`,
  `if (answer.note === incompleteNote) return;`,
  `switch (error.message) {`,
  `if (told.has(message)) return;`,
  `if (result.text.includes('"reading":true')) return;`,
  `if (error.name === 'UsageError') return;`,
  `if (['UsageError', 'BrokerageError'].includes(error.name)) return;`,
  `const isSchemaError = /^\\$?ZodError$/.test(name);`,
])('counts as reading a text: %s', (line) => {
  expect(readings.some((reading) => reading.test(line))).toBe(true);
});

test.each([
  `if (error.code === 'store_unavailable') return;`,
  `if (error.cause?.store === 'no_answer') return;`,
  `if (intent.reason === undefined) return;`,
  `const text = note === '' ? {} : { note };`,
  `if (typeof body.message === 'string') return;`,
  `files.filter((path) => path !== trouble?.facts.file)`,
  `return new Error(message + next);`,
])('does not count as reading a text: %s', (line) => {
  expect(readings.some((reading) => reading.test(line))).toBe(false);
});

test('only the sender of orders authorizes them', () => {
  const importers = sources.filter(({ text }) => /import \{[^}]*authorizeOrder/.test(text)).map(({ path }) => path);
  expect(importers).toEqual(['src/core/orders/send/send-order.ts']);
});

test.each(Object.keys(documents))('the generated parts of %s are up to date: run npm run docs', (path) => {
  const text = readFileSync(path, 'utf8');
  expect(withGenerated(path, text)).toBe(text);
});

test('the guide to the architecture names every folder', () => {
  const guide = readFileSync('docs/architecture.md', 'utf8');
  const folders = readdirSync('src', { recursive: true, withFileTypes: true }).filter((entry) => entry.isDirectory());
  const names = folders.map(({ parentPath, name }) => join(parentPath, name).slice('src/'.length));
  const isNamed = (name: string) => guide.includes(`\`${name}/\``);
  const isPart = (name: string) => !name.includes('/') || /^(core|features|setup)\/[^/]+$/.test(name);
  expect(names.filter((name) => isPart(name) && !isNamed(name))).toEqual([]);
});

const guides = [
  'README.md',
  'CONTRIBUTING.md',
  'AGENTS.md',
  'SECURITY.md',
  ...readdirSync('docs').flatMap((name) => (name.endsWith('.md') ? [`docs/${name}`] : [])),
];

describe.each(guides)('%s names only what exists', (path) => {
  const text = readFileSync(path, 'utf8');
  const prose = text.replace(/^ *```[\s\S]*?^ *```/gm, '');
  const quoted = [...prose.matchAll(/(`+)([^\n]+?)\1(?!`)/g)].map((match) => match[2] as string);

  test('files and links', () => {
    const files = quoted.filter((word) => /^(src|test|checks|docs|scripts|evals)\/[\w./-]*$/.test(word));
    const links = [...prose.matchAll(/\]\(([^)#\s]+)/g)]
      .map((match) => match[1] as string)
      .filter((target) => !/^[a-z]+:/.test(target))
      .map((target) => normalize(join(path, '..', target)));
    expect([...files, ...links].filter((name) => !existsSync(name))).toEqual([]);
  });

  test('settings and npm scripts, also in examples', () => {
    const variables = new Set<string>([
      ...Object.values(settings).map(({ variable }) => variable),
      // Each account has variables of its own; the examples have these two.
      ...accountVariables(['invest', 'isa']),
    ]);
    const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: object };
    const named = (pattern: RegExp) => [...text.matchAll(pattern)].map((match) => match[1] as string);
    expect(named(/\b(BROKER_[A-Z_]+)\b/g).filter((name) => !variables.has(name))).toEqual([]);
    expect(named(/\bnpm run ([\w:-]+)/g).filter((name) => !(name in scripts))).toEqual([]);
  });

  test('tools, outcomes, rules and metrics: terms of the program', () => {
    const words = quoted.filter((word) => /^[a-z]+(_[a-z]+)+$/.test(word));
    const isSaid = (word: string) => sources.some(({ text }) => text.includes(`'${word}'`));
    expect(words.filter((word) => !isSaid(word))).toEqual([]);
  });
});

test('the first two npm lines of the README are the demo and the test', () => {
  const lines = readFileSync('README.md', 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('npm '));
  expect(lines.slice(0, 2)).toEqual(['npm ci && npm run demo', 'npm ci && npm test']);
});

/** A `catch` without the error, and a rejection handler without it, with the line above and the line below. */
function findDroppedErrors(text: string): readonly string[] {
  const lines = text.split('\n');
  return lines.flatMap((line, at) => {
    const isDropped = /\bcatch \{/.test(line) || /\.catch\(\(\) =>/.test(line);
    const isExplained = [lines[at - 1], line, lines[at + 1]].some((near) => /^\s*\/\/|; \/\/ /.test(near ?? ''));
    return isDropped && !isExplained ? [line.trim()] : [];
  });
}

test('a catch that drops its error states the reason; others report it with log.fault or orElse', () => {
  const dropped = sources.flatMap(({ path, text }) => findDroppedErrors(text).map((line) => `${path}: ${line}`));
  expect(dropped).toEqual([]);
});

test('the rule finds a dropped error, and accepts one with its reason', () => {
  expect(findDroppedErrors('try {\n  a();\n} catch {\n  return undefined;\n}')).toEqual(['} catch {']);
  expect(findDroppedErrors('await a();\nawait b().catch(() => undefined);\nawait c();')).toEqual([
    'await b().catch(() => undefined);',
  ]);
  expect(findDroppedErrors('try {\n  a();\n} catch {\n  // Not JSON.\n  return 1;\n}')).toEqual([]);
  expect(findDroppedErrors('// The file may be gone.\nawait rm(a).catch(() => undefined);')).toEqual([]);
});
