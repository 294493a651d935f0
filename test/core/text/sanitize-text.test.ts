import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  foreignInstrument,
  foreignName,
  removeUnseen,
  sanitizeDeep,
  sanitizeText,
  stripUnseen,
} from '../../../src/core/text/sanitize-text.ts';
import { anyText } from '../../support/any-text.ts';

const unseen: [string, number, number][] = [
  ['C0 controls', 0x00, 0x08],
  ['ESC', 0x1b, 0x1b],
  ['C1 controls', 0x86, 0x9f],
  ['soft hyphen', 0xad, 0xad],
  ['combining grapheme joiner', 0x034f, 0x034f],
  ['Arabic letter mark', 0x061c, 0x061c],
  ['Hangul fillers', 0x115f, 0x1160],
  ['Khmer inherent vowels', 0x17b4, 0x17b5],
  ['Mongolian variation selectors and vowel separator', 0x180b, 0x180f],
  ['zero-width characters and direction marks', 0x200b, 0x200f],
  ['bidirectional overrides', 0x202a, 0x202e],
  ['invisible operators and isolates', 0x2060, 0x206f],
  ['empty Braille pattern', 0x2800, 0x2800],
  ['Hangul filler', 0x3164, 0x3164],
  ['lone surrogates', 0xd800, 0xdfff],
  ['variation selectors', 0xfe00, 0xfe0f],
  ['byte order mark', 0xfeff, 0xfeff],
  ['half-width Hangul filler', 0xffa0, 0xffa0],
  ['interlinear annotation', 0xfff9, 0xfffb],
  ['private use', 0xe000, 0xe010],
  ['musical format controls', 0x1d173, 0x1d17a],
  ['tags', 0xe0000, 0xe007f],
  ['supplementary variation selectors', 0xe0100, 0xe01ef],
];

describe('displayed text', () => {
  test.each(unseen)('has no %s', (_, from, to) => {
    for (let code = from; code <= to; code++) {
      const text = `a${String.fromCodePoint(code)}b`;
      expect([removeUnseen(text), sanitizeText(text), sanitizeDeep(text)]).toEqual(['ab', 'ab', 'ab']);
    }
  });

  test.each(['\t', '\n', '\v', '\f', '\r', '\r\n', '\u0085', '\u2028', '\u2029', '\n\u2028\r\n'])(
    'has a space instead of the line end %j',
    (end) => {
      const text = `a${end}b`;
      expect([removeUnseen(text), sanitizeText(text), sanitizeDeep(text)]).toEqual(Array(3).fill('a b'));
    },
  );

  test('stays the same when it is cleaned twice', () => {
    fc.assert(
      fc.property(anyText(), (text) => {
        const once = sanitizeText(text);
        expect(sanitizeText(once)).toBe(once);
        expect(removeUnseen(removeUnseen(text))).toBe(removeUnseen(text));
      }),
    );
  });

  test('keeps letters of every script, digits, marks and pictures', () => {
    const text = 'Société Générale · 株式会社 · שלום · Ω 12.50 € 😀 e\u0301';
    expect([sanitizeText(text), sanitizeDeep(text)]).toEqual([text, text]);
  });

  test('has no control, bidirectional or zero-width characters and one line', () => {
    expect(sanitizeText('a\u0000b\u202Ec\u200Bd\uFEFFe\r\nf\u2028g\u001b[31m')).toBe('abcde f g[31m');
  });

  test('has at most 300 characters and splits no character', () => {
    const text = sanitizeText('😀'.repeat(1_000)) ?? '';
    expect([...text]).toHaveLength(300);
    expect(text.endsWith('…')).toBe(true);
    expect(text).not.toMatch(/\p{Cs}/u);
    expect(sanitizeDeep(`x${'😀'.repeat(1_000)}`)).toBe(`x${'😀'.repeat(499)}…`);
  });

  test('is undefined when nothing is left, or when it was not text', () => {
    expect(sanitizeText(' \u200B\u3164 ')).toBeUndefined();
    expect(sanitizeText(12)).toBeUndefined();
    expect(sanitizeText('\u2800')).toBeUndefined();
  });
});

test('the same characters are removed from a line and from a text of several lines', { tags: ['slow'] }, () => {
  const different: number[] = [];
  for (let code = 0; code <= 0x10ffff; code++) {
    const text = String.fromCodePoint(code);
    const isBreak = /[\s\x85]/.test(text);
    if ((stripUnseen(text) === '') !== (removeUnseen(text) === '') && !isBreak) different.push(code);
  }
  expect(different).toEqual([]);
});

test('a text of nothing but NULs, as long as a response can be, is removed', () => {
  expect(stripUnseen('\0'.repeat(12 * 1024 * 1024))).toBe('');
});

describe('the name of an instrument', () => {
  const long = `Sandbourne ${'Global '.repeat(20)}Fund`;

  test('has at most 120 characters, and one that is cut ends with a mark', () => {
    expect(long.length).toBeGreaterThan(120);
    expect(foreignInstrument(long)).toBe(`${long.slice(0, 119)}…`);
    expect(foreignInstrument(long.slice(0, 120))).toBe(long.slice(0, 120));
  });

  test('has more room than a name that a person or a program gives', () => {
    expect(foreignName(long)).toBe(`${long.slice(0, 59)}…`);
  });

  test('has no mark where nothing was cut', () => {
    expect(foreignInstrument('Noon…')).toBe('Noon...');
  });

  test('stays the same when it is cleaned twice', () => {
    fc.assert(
      fc.property(anyText(), fc.integer({ min: 1, max: 60 }), (text, times) => {
        const once = foreignInstrument(text.repeat(times));
        expect(foreignInstrument(once)).toBe(once);
      }),
    );
  });
});
