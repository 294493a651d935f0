import Big from 'big.js';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseExactJson } from '../../../../src/core/broker/response/exact-json.ts';
import { readData } from '../../../../src/core/broker/response/parse-response.ts';
import { endpoints } from '../../../../src/core/endpoints/index.ts';
import { anyText } from '../../../support/any-text.ts';
import { runs } from '../../../support/runs.ts';

/** Keeps every digit, whatever the size. */
const exactText = (text: string) => new Big(text).toFixed().replace(/^-0$/, '0');

/** Slow and plain: a character at a time, numbers as exact text. */
function parseSlowly(text: string): unknown {
  let at = 0;
  const space = () => {
    while (' \t\r\n'.includes(text[at] ?? 'x')) at += 1;
  };
  const value = (): unknown => {
    space();
    const char = text[at];
    if (char === '"') return string();
    if (char === '[') return list();
    if (char === '{') return object();
    for (const [word, meaning] of [
      ['true', true],
      ['false', false],
      ['null', null],
    ] as const) {
      if (text.startsWith(word, at)) {
        at += word.length;
        return meaning;
      }
    }
    let digits = '';
    while (/[-+.eE\d]/.test(text[at] ?? '')) digits += text[at++];
    return exactText(digits);
  };
  const string = () => {
    const from = at++;
    while (text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
    at += 1;
    return JSON.parse(text.slice(from, at)) as string;
  };
  const list = () => {
    const items: unknown[] = [];
    at += 1;
    for (space(); text[at] !== ']'; space()) {
      if (text[at] === ',') at += 1;
      items.push(value());
    }
    at += 1;
    return items;
  };
  const object = () => {
    const fields: Record<string, unknown> = {};
    at += 1;
    for (space(); text[at] !== '}'; space()) {
      if (text[at] === ',') at += 1;
      space();
      const name = string();
      space();
      at += 1;
      fields[name] = value();
    }
    at += 1;
    return fields;
  };
  return value();
}

/** Numbers and quoted numbers alike as exact text, the way the schemas read them. */
function exactly(value: unknown, isNumber: (text: string) => boolean): unknown {
  if (typeof value === 'number') return exactText(String(value));
  if (typeof value === 'string') return isNumber(value) ? exactText(value) : value;
  if (Array.isArray(value)) return value.map((inner) => exactly(inner, isNumber));
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, exactly(inner, isNumber)]));
  return value;
}

const looksNumeric = (text: string) => /^-?\d[\d.]*([eE][+-]?\d+)?$/.test(text);

const numberText = fc.oneof(
  fc.double({ noNaN: true, noDefaultInfinity: true }).map(String),
  fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n }).map(String),
  fc.tuple(fc.bigInt({ min: 0n, max: 10n ** 20n }), fc.stringMatching(/^\d{1,25}$/)).map(([a, b]) => `${a}.${b}`),
  fc.constantFrom('0', '-0', '0E-10', '17.0000000000', '1e2', '-1.5E+3', '123456789012345', '1234567890123456'),
);
// A letter in front distinguishes strings that could be taken for quoted numbers.
const stringText = anyText().map((text) => JSON.stringify(`s${text}`));
const space = fc.constantFrom('', ' ', '\n', '\t', '\r\n ');
const jsonText = fc.letrec<{ value: string }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    numberText,
    stringText,
    fc.constantFrom('true', 'false', 'null'),
    fc
      .tuple(fc.array(tie('value'), { maxLength: 5 }), space)
      .map(([items, gap]) => `[${gap}${items.join(`,${gap}`)}${gap}]`),
    fc
      .tuple(fc.uniqueArray(fc.tuple(stringText, tie('value')), { maxLength: 5, selector: ([name]) => name }), space)
      .map(
        ([fields, gap]) => `{${gap}${fields.map(([name, inner]) => `${name}${gap}:${gap}${inner}`).join(',')}${gap}}`,
      ),
  ),
})).value;

describe('exact JSON', () => {
  test('keeps every digit of every number, wherever it is', () => {
    fc.assert(
      fc.property(jsonText, (text) => {
        expect(exactly(parseExactJson(text), looksNumeric)).toEqual(exactly(parseSlowly(text), looksNumeric));
      }),
      { numRuns: runs(400) },
    );
  });

  test('refuses exactly what JSON.parse refuses', () => {
    const broken = fc.tuple(jsonText, fc.nat(), fc.string({ maxLength: 2 })).map(([text, at, junk]) => {
      const cut = at % (text.length + 1);
      return `[1234567890123456789,${text.slice(0, cut)}${junk}${text.slice(cut + 1)}]`;
    });
    const throws = (work: () => unknown) => {
      try {
        work();
        return false;
      } catch (error) {
        expect(error).toBeInstanceOf(SyntaxError);
        return true;
      }
    };
    fc.assert(
      fc.property(broken, (text) => {
        expect(throws(() => parseExactJson(text))).toBe(throws(() => JSON.parse(text)));
      }),
      { numRuns: runs(600) },
    );
  });

  test.each([
    ...['{1: 2e1}', '{1 : 2e1}', '[01, 1e1]', '[-01, 1e1]', '[1., 1e1]', '[1e]', '[-]', '[-, 1e1]'],
    ...['{"a": 1e1,}', '1e1 2', '["a"1e1]', '{1\t: 2e1}', '{1\n: 2e1}', '{1\r: 2e1}', '{1 \t\r\n: 2e1}', '[1e1,"'],
  ])('does not accept wrong JSON because of the quoting: %s', (text) => {
    expect(() => parseExactJson(text)).toThrow(SyntaxError);
  });

  test('keeps ids beyond 2^53, long decimals and zeros with an exponent', () => {
    expect(parseExactJson('{"id":9223372036854775807,"q":0.12345678901234567890,"z":0E-10}')).toEqual({
      id: '9223372036854775807',
      q: '0.12345678901234567890',
      z: '0E-10',
    });
    expect(parseExactJson('12345678901234567890')).toBe('12345678901234567890');
  });

  test.each([
    ['500,000 digits', '9'.repeat(500_000)],
    ['500,000 decimals', `0.${'3'.repeat(500_000)}`],
    ['an exponent of 500,000 digits', `1e${'7'.repeat(500_000)}`],
    ['500,000 zeros before a digit', `0.${'0'.repeat(500_000)}1`],
    ['101 characters', '1'.repeat(101)],
  ])('reads a number of %s as text and not as a number', (_, digits) => {
    expect(parseExactJson(`{"price":${digits},"next":[-${digits}],"id":12345678901234567890}`)).toEqual({
      price: 'unreadable number',
      next: ['unreadable number'],
      id: '12345678901234567890',
    });
  });

  test('keeps the digits of a number of 100 characters', () => {
    expect(parseExactJson('1'.repeat(100))).toBe('1'.repeat(100));
  });

  test('takes any number of blanks behind a number', { tags: ['slow'] }, () => {
    const blanks = ' '.repeat(10_000_000);
    expect(parseExactJson(`[1e1${blanks},2]`)).toEqual(['1e1', '2']);
  });

  test.each([
    ['digits', '1'.repeat(41)],
    ['quoted digits', `"${'1'.repeat(100_000)}"`],
    ['zeros between digits', `"1${'0'.repeat(60_000)}1.5"`],
    ['an exponent', '1e31'],
    ['a negative exponent', '1e-31'],
  ])('refuses a response, and turns no field of it into zero, for a number with too many %s', (_, number) => {
    const read = () => readData({ endpoint: endpoints.listPositions }, `[{"quantity":1,"currentPrice":${number}}]`);
    expect(read).toThrow(expect.objectContaining({ code: 'unexpected_answer' }));
    expect(() => readData({ endpoint: endpoints.getPendingOrder }, `{"id":${number},"ticker":"A"}`)).toThrow(
      expect.objectContaining({ code: 'unexpected_answer' }),
    );
  });

  test('leaves numbers inside strings alone', () => {
    expect(parseExactJson('{"a\\"12345678901234567":"x\\\\","b":"1e5 \\"2","c":1e1}')).toEqual({
      'a"12345678901234567': 'x\\',
      b: '1e5 "2',
      c: '1e1',
    });
  });

  test('refuses hostile text', { tags: ['slow'] }, () => {
    for (const text of [
      `[1e1,"${'\\"'.repeat(1_000_000)}`,
      `[1e1,"${'\\'.repeat(2_000_000)}`,
      `[1e1${'"'.repeat(1_000_001)}`,
      `1e1${'['.repeat(1_000_000)}`,
      `[${'1e'.repeat(1_000_000)}`,
      `[${'-'.repeat(1_000_000)}1e1`,
      `[${'9'.repeat(2_000_000)}`,
      `[${'1:'.repeat(500_000)}1e1`,
      `[1e1${' '.repeat(2_000_000)}`,
    ]) {
      expect(() => parseExactJson(text)).toThrow();
    }
  });

  test('survives nesting deeper than any stack', () => {
    const depth = 200_000;
    expect(() => parseExactJson(`${'['.repeat(depth)}1e1${']'.repeat(depth)}`)).not.toThrow(TypeError);
  });

  test.each(['{"__proto__":{"polluted":true},"a":1}', '{"\\u005f_proto__":{"polluted":1e1},"a":1}'])(
    'drops a key that would become a prototype: %s',
    (text) => {
      const value = parseExactJson(text) as object;
      expect(Object.keys(value)).toEqual(['a']);
      expect(Object.assign({}, value)).not.toHaveProperty('polluted');
      expect({}).not.toHaveProperty('polluted');
    },
  );

  test('drops such a key at every depth, and leaves it alone where it is a text', () => {
    const [outer, inner, last] = parseExactJson(
      '[{"__proto__":1,"a":1},{"b":[null,{"c":{"__proto__":{"x":1},"d":"__proto__"}}]},{"__proto__":2}]',
    ) as object[];
    expect([outer, inner, last].map((value) => JSON.stringify(value))).toEqual([
      '{"a":1}',
      '{"b":[null,{"c":{"d":"__proto__"}}]}',
      '{}',
    ]);
    expect(parseExactJson('"__proto__"')).toBe('__proto__');
  });
});
