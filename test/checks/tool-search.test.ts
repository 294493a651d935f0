/** The searches of two hosts find the tool that answers a plain question. */
import { describe, expect, test } from 'vitest';
import { ask, ownTools, readQuestions } from '../../checks/tool-search/ask.ts';
import { rankByStems, rankByWords, type Tool } from '../../checks/tool-search/rank.ts';
import { stem } from '../../checks/tool-search/stem.ts';

const questions = readQuestions();
const names = ownTools().map(({ name }) => name);

describe('the questions', () => {
  test('are at least 120, each once, and 78 of them are held out', () => {
    expect(questions.length).toBeGreaterThanOrEqual(120);
    expect(new Set(questions.map(({ typed }) => typed)).size).toBe(questions.length);
    expect(questions.filter(({ isHeldOut }) => isHeldOut).length).toBe(78);
  });

  test('are answered by tools that exist', () => {
    for (const { typed, keywords, right } of questions) {
      expect(keywords, typed).not.toBe('');
      expect(right.length, typed).toBeGreaterThan(0);
      expect(
        right.filter((name) => !names.includes(name)),
        typed,
      ).toEqual([]);
    }
  });

  test('need every tool', () => {
    const needed = new Set(questions.flatMap(({ right }) => right));
    expect(names.filter((name) => !needed.has(name))).toEqual([]);
  });
});

const tool = (name: string, description = '', searchHint = '', server = 'a'): Tool => ({
  server,
  instructions: '',
  name,
  description,
  searchHint,
  inputSchema: {},
});
const named = (tools: readonly Tool[]) => tools.map(({ name }) => name);

describe('the ranking by words', () => {
  test('counts a part of the name 12 and as a part of the whole 4, inside a part 6 and 4, the hint 4, the description 2', () => {
    // 16, 10, 6, 4, 2: each is one more or the same as the sum of what the next ones have.
    const list = [
      tool('e', 'cash'),
      tool('d', '', 'cash'),
      tool('c', 'cash', 'cash'),
      tool('get_cashflow'),
      tool('get_cash'),
    ];
    expect(named(rankByWords(list)('cash'))).toEqual(['get_cash', 'get_cashflow', 'c', 'd', 'e']);
  });

  test('knows no stems, and counts common words', () => {
    expect(named(rankByWords([tool('orders'), tool('b', '', 'what')])('what ordering'))).toEqual(['b']);
  });

  test('keeps the order of tools that are equal, and leaves out those without any word', () => {
    expect(named(rankByWords([tool('b', 'x'), tool('c', 'y'), tool('d', 'x')])('x'))).toEqual(['b', 'd']);
  });
});

describe('the ranking by stems', () => {
  test('finds other forms of a word, and no common word', () => {
    const list = [tool('b', 'what did you hold'), tool('c', 'ordered a dividend')];
    expect(named(rankByStems(list)('what do you hold'))).toEqual(['b']);
    expect(named(rankByStems(list)('what do you do'))).toEqual([]);
    expect(named(rankByStems(list)('dividends, ordering'))).toEqual(['c']);
  });

  test('prefers the rarer word, and of equal ones the shorter text', () => {
    const list = [tool('b', 'cash'), tool('c', 'cash gold'), tool('f', 'cash gold gold fees'), tool('g', 'fees')];
    expect(named(rankByStems(list)('fees')).slice(0, 1)).toEqual(['g']);
    expect(named(rankByStems(list)('cash fees')).slice(0, 2)).toEqual(['f', 'g']);
  });

  test('reads the names and descriptions of arguments, and no hint', () => {
    const schema = { properties: { taxYear: { description: 'a quarter' } } };
    expect(named(rankByStems([{ ...tool('b', '', 'hint'), inputSchema: schema }])('quarters'))).toEqual(['b']);
    expect(rankByStems([tool('b', '', 'hint')])('hint')).toEqual([]);
  });

  // From the sample vocabulary of the Porter2 stemmer.
  test.each([
    ['consigned', 'consign'],
    ['consistency', 'consist'],
    ['consolations', 'consol'],
    ['knightly', 'knight'],
    ['generously', 'generous'],
    ['dying', 'die'],
    ['succeeding', 'succeed'],
    ['ties', 'tie'],
    ['hopping', 'hop'],
    ['hoping', 'hope'],
    ['rate', 'rate'],
    ['sales', 'sale'],
    ['gas', 'gas'],
    ['early', 'earli'],
  ])('the stem of %s is %s', (word, expected) => {
    expect(stem(word)).toBe(expected);
  });
});

/** Lower bounds, in percent: the figures of today. Whoever finds better words moves them. */
test.each([
  ['claude', 'typed', 'tuned', 98.3],
  ['claude', 'keywords', 'tuned', 99.1],
  ['claude', 'typed', 'held out', 97.4],
  ['claude', 'keywords', 'held out', 97.4],
  ['codex', 'typed', 'tuned', 79.3],
  ['codex', 'keywords', 'tuned', 99.1],
  ['codex', 'typed', 'held out', 70.5],
  ['codex', 'keywords', 'held out', 92.3],
] as const)('%s finds a right tool for the %s questions that were %s', (host, words, half, least) => {
  const asked = questions.filter(({ isHeldOut }) => isHeldOut === (half === 'held out'));
  const { atHand, missed } = ask(host, words, asked);
  expect((100 * atHand) / asked.length, missed.join('\n')).toBeGreaterThanOrEqual(least);
});
