/** The terms of the texts: the standard ones that CONTRIBUTING.md requires. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { proseOf, textsIn } from './support/source-texts.ts';

/** Each with the standard term. */
const banned: Record<string, readonly [pattern: RegExp, instead: string]> = {
  answer: [/\banswer(?:s|ed|ing)?\b/gi, 'return, respond, result, response'],
  mend: [/\bmend(?:s|ed|ing)?\b/gi, 'fix'],
  anew: [/\banew\b/gi, 'again'],
  'by itself': [/\bby itself\b/gi, 'automatically, alone'],
  whoever: [/\bwhoever\b/gi, 'the process, caller or user that'],
  nobody: [/\bnobody\b/gi, 'no process, caller or user'],
  somebody: [/\bsomebody\b/gi, 'a process, caller or user'],
  meanwhile: [/\bmeanwhile\b/gi, 'in the meantime, while'],
  tell: [/\b(?:told|tells)\b/gi, 'report, show, return'],
  desk: [/\bdesk\b/gi, 'order manager'],
  word: [/\bword\b/gi, 'notification, term, string'],
  'sign of life': [/\bsigns? of life\b/gi, 'heartbeat'],
  look: [/\blook(?:s|ed|ing)?\b/gi, 'poll, check, inspect'],
  whole: [/\bwhole\b/gi, 'complete, entire'],
  'give back': [/\bgives? back\b/gi, 'return, restore'],
  stands: [/\bstands\b/gi, 'is, blocks, applies'],
  'so many': [/\bso many\b/gi, 'the number itself'],
  'that is there': [/\bthat is there\b/gi, 'existing'],
};

type Counts = Record<string, Record<string, number>>;

/** The uses older than the rule, by file and term. The list can only shrink. */
const allowList = 'test/plain-english.json';
const allowed = JSON.parse(readFileSync(allowList, 'utf8')) as Counts;

const files = ['src', 'docs']
  .flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.(?:ts|md)$/.test(name))
      .map((name) => join(folder, name)),
  )
  .concat('README.md')
  .sort();

const found: Counts = {};
const places: Record<string, string[]> = {};
for (const file of files) {
  const source = readFileSync(file, 'utf8');
  for (const { line, text } of file.endsWith('.md') ? proseOf(source) : textsIn(source))
    for (const [word, [pattern]] of Object.entries(banned))
      for (const [said] of text.matchAll(pattern)) {
        found[file] = { ...found[file], [word]: (found[file]?.[word] ?? 0) + 1 };
        places[`${file} ${word}`] = [...(places[`${file} ${word}`] ?? []), `${file}:${line} "${said}"`];
      }
}

/** Every file and term of either, in order. */
const entries = Object.keys({ ...found, ...allowed })
  .sort()
  .flatMap((file) =>
    Object.keys(banned).map((word) => ({
      file,
      word,
      count: found[file]?.[word] ?? 0,
      most: allowed[file]?.[word] ?? 0,
    })),
  );

test('no text has a banned term beyond the list of old uses', () => {
  const more = entries
    .filter(({ count, most }) => count > most)
    .map(
      ({ file, word, most }) =>
        `${places[`${file} ${word}`]?.join(', ')}: write ${banned[word]?.[1]}${most > 0 ? ` (${most} allowed)` : ''}`,
    );
  expect(more).toEqual([]);
});

test('the list of old uses allows no more than exist: vitest run test/plain-english.test.ts -u shrinks it', async () => {
  const left: Counts = {};
  for (const { file, word, count, most } of entries) {
    const kept = Math.min(count, most);
    if (kept > 0) left[file] = { ...left[file], [word]: kept };
  }
  await expect(`${JSON.stringify(left, null, 2)}\n`).toMatchFileSnapshot(join('..', allowList));
});

/** A length and a plural, as in `\${rows.length} rows`, in a line that does not treat one apart. */
const fixedPlural = /^(?!.*=== 1).*\$\{[\w.]+\.(?:length|size)\}(?: more| such| pending)? [a-z]{2,}s\b/;

/** Files with such a line, where the count is at least two. */
const atLeastTwo = [
  'src/core/mcp/tool-result.ts',
  'src/core/orders/halt/trading-state.ts',
  'src/core/orders/reconcile/reconcile.ts',
  'src/core/orders/write-journal.ts',
  'src/features/drafts/page/draft-page.ts',
  'src/features/drafts/submission/check-submission.ts',
  'src/features/search/search-tool.ts',
];

test('a count that can be one is written with countOf', () => {
  const isFixed = (file: string) =>
    readFileSync(file, 'utf8')
      .split('\n')
      .some((line) => fixedPlural.test(line));
  expect(files.filter((file) => file.endsWith('.ts') && isFixed(file))).toEqual(atLeastTwo);
});

test.each([
  [`const a = 'It answers.'; // told once`, ['It answers.', 'told once']],
  ['const a = `It $' + '{say(`is $' + '{b}`, { c: 1 })} whole`; /* anew */', ['is …', 'It … whole', 'anew']],
  [`const a = /'it answers/.test(b) ? 'one two' : c / 2 / "a b".length;`, ['one two', 'a b']],
  [`const answer = 'answer';`, []],
])('the texts of %s', (source, texts) => {
  const bare = textsIn(source).map(({ text }) => text.replace(/^(?:\/\/|\/\*|['"])\s*|\s*(?:\*\/|['"])$/g, ''));
  expect(bare).toEqual(texts);
});
