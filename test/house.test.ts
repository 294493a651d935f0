/** The house: what may import what, who may touch the network and the process, and that generated text is up to date. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, normalize } from 'node:path';
import { describe, expect, test } from 'vitest';
import { settings } from '../src/settings/table.ts';
import { documents, withGenerated } from './support/generated-text.ts';

const sources = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts'))
  .map((name) => ({ path: join('src', name), room: name.includes('/') ? (name.split('/')[0] as string) : name }))
  .map(({ path, room }) => ({ path, room, text: readFileSync(path, 'utf8') }));

const importsOf = (text: string) =>
  [...text.matchAll(/(?:from|import\()\s*'([^']+)'/g)].map((match) => match[1] as string);

/** Who may import whom: downwards only. Files at the top of src are there for everybody. */
const below: Record<string, readonly string[]> = {
  cli: [
    'mcp',
    'approval',
    'orders',
    'history',
    'market',
    'broker',
    'store',
    'catalogue',
    'simulator',
    'analytics',
    'views',
    'settings',
  ],
  mcp: ['approval', 'orders', 'history', 'market', 'broker', 'catalogue', 'analytics'],
  approval: ['orders', 'catalogue'],
  orders: ['market', 'broker', 'catalogue'],
  history: ['broker', 'catalogue'],
  market: ['broker', 'catalogue'],
  broker: ['catalogue'],
  store: ['catalogue'],
  catalogue: [],
  analytics: ['catalogue'],
  views: [],
  settings: [],
  simulator: ['catalogue'],
};

test('imports run downwards only', () => {
  const wrong: string[] = [];
  for (const { path, room, text } of sources) {
    for (const target of importsOf(text).filter((name) => name.startsWith('.') && !name.endsWith('.json'))) {
      const [, other = ''] = normalize(join(path, '..', target)).split('/');
      if (other.endsWith('.ts') || other === room || room === 'main.ts' || !(room in below)) continue;
      if (!below[room]?.includes(other)) wrong.push(`${path} imports ${target}`);
    }
  }
  expect(wrong).toEqual([]);
});

test.each([
  ['undici', /^src\/broker\/transport\//],
  ['pg', /^src\/store\/postgres\//],
  ['@modelcontextprotocol/', /^src\/mcp\//],
  ['node:http', /^src\/((simulator|approval\/page|mcp\/http)\/|connection-gate\.ts)/],
  ['node:https', /^never$/],
  ['node:net', /^src\/(simulator\/|broker\/transport\/|connection-gate\.ts)/],
  ['node:tls', /^never$/],
])('%s is imported behind its own door alone', (name, allowed) => {
  const importers = sources.filter(({ text }) =>
    importsOf(text).some((target) => (name.endsWith('/') ? target.startsWith(name) : target === name)),
  );
  expect(importers.map(({ path }) => path).filter((path) => !allowed.test(path))).toEqual([]);
});

test('nobody uses fetch, and only main.ts touches the process', () => {
  const users = (pattern: RegExp) =>
    sources.filter(({ text }) => pattern.test(text.replace(/\/\*[\s\S]*?\*\/|\/\/.*/g, '')));
  expect(users(/\bfetch\(/).map(({ path }) => path)).toEqual([]);
  expect(users(/\bprocess\./).map(({ path }) => path)).toEqual(['src/main.ts']);
});

test('only the desk clears orders', () => {
  const importers = sources.filter(({ text }) => /import \{[^}]*clearOrder/.test(text)).map(({ path }) => path);
  expect(importers).toEqual(['src/orders/send.ts']);
});

test.each(Object.keys(documents))('the generated parts of %s are those of the code: run npm run docs', (path) => {
  const text = readFileSync(path, 'utf8');
  expect(withGenerated(path, text)).toBe(text);
});

test('every room of the house is in the guide to the architecture', () => {
  const guide = readFileSync('docs/architecture.md', 'utf8');
  for (const room of Object.keys(below)) expect(guide).toContain(`\`${room}/\``);
});

const guides = ['README.md', ...readdirSync('docs').flatMap((name) => (name.endsWith('.md') ? [`docs/${name}`] : []))];

describe.each(guides)('%s names only what is there', (path) => {
  const text = readFileSync(path, 'utf8');
  const prose = text.replace(/^ *```[\s\S]*?^ *```/gm, '');
  const quoted = [...prose.matchAll(/(`+)([^\n]+?)\1(?!`)/g)].map((match) => match[2] as string);

  test('files and links', () => {
    const files = quoted.filter((word) => /^(src|test|docs|scripts|evals)\/[\w./-]*$/.test(word));
    const links = [...prose.matchAll(/\]\(([^)#\s]+)/g)]
      .map((match) => match[1] as string)
      .filter((target) => !/^[a-z]+:/.test(target))
      .map((target) => normalize(join(path, '..', target)));
    expect([...files, ...links].filter((name) => !existsSync(name))).toEqual([]);
  });

  test('settings and npm scripts, also in examples', () => {
    const variables = new Set<string>(Object.values(settings).map(({ variable }) => variable));
    const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: object };
    const named = (pattern: RegExp) => [...text.matchAll(pattern)].map((match) => match[1] as string);
    expect(named(/\b(BROKER_[A-Z_]+)\b/g).filter((name) => !variables.has(name))).toEqual([]);
    expect(named(/\bnpm run ([\w:-]+)/g).filter((name) => !(name in scripts))).toEqual([]);
  });

  test('tools, outcomes, rules and metrics: words that the program itself says', () => {
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
