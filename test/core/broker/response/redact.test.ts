/** A service that repeats what it was sent must not spread our secrets into results, errors, the store or logs. */
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createRedactor, mayBeCompatible } from '../../../../src/core/broker/response/redact.ts';
import { endpoints, reportFile } from '../../../../src/core/endpoints/index.ts';
import { createMemoryRecords } from '../../../../src/core/store/fallback-records.ts';
import { anyText } from '../../../support/any-text.ts';
import { countTurns } from '../../../support/count-turns.ts';
import { errorOf } from '../../../support/error-of.ts';
import { runs } from '../../../support/runs.ts';
import { brokerFor, limitOrder, serve } from '../support.ts';

const key = 'K3y-Ab/c+9Qz';
const secret = 's3cr3t?Of>The~Owner/42+x';
const token = 'f00dfeedcafebabe0123456789abcdef';
const pair = `${key}:${secret}`;
const base64 = (text: string) => Buffer.from(text).toString('base64');
const hex = (text: string) => Buffer.from(text).toString('hex');
const percentAll = (text: string) => [...Buffer.from(text)].map((byte) => `%${byte.toString(16)}`).join('');

const encodings: Record<string, (text: string) => string> = {
  raw: (text) => text,
  'upper case': (text) => text.toUpperCase(),
  'lower case': (text) => text.toLowerCase(),
  Base64: base64,
  'Base64 without padding': (text) => base64(text).replace(/=+$/, ''),
  'Base64 of URLs': (text) => Buffer.from(text).toString('base64url'),
  'Base64 in upper case': (text) => base64(text).toUpperCase(),
  'Base64 with percent signs': (text) => encodeURIComponent(base64(text)),
  'Base64 of a longer text': (text) => base64(`{"a":"${text}","b":1}`),
  'Base64 of a longer text, moved by one': (text) => base64(`x${text}yz`),
  'Base64 of a longer text, moved by two': (text) => base64(`xy${text}z`),
  'a Basic header': (text) => `Authorization: Basic ${base64(text)}`,
  hexadecimal: hex,
  'hexadecimal in upper case': (text) => hex(text).toUpperCase(),
  'percent signs': encodeURIComponent,
  'percent signs throughout': percentAll,
  'percent signs in upper case': (text) => percentAll(text).toUpperCase(),
};
const insides = ['\u200b', '\u202e', '\u00ad', '\u001b', '\u034f', '\ufe0f', '\u3164', '\u{e0041}'];
const known: Record<string, string> = { key, secret, pair, token };
const cases = Object.entries(encodings).flatMap(([name, encode]) =>
  Object.entries(known).map(([what, text]) => [what, name, encode(text)] as const),
);

/** What a reader could restore: none of it may remain, in any spelling. */
function leaks(text: string): string[] {
  const plain = [text, unescape(text)].map((one) => one.replace(/[^ -~]/gu, '').toLowerCase());
  const forms = Object.values(known).flatMap((one) => [one, base64(one).replace(/.?=*$/, ''), hex(one)]);
  return forms.filter((form) => plain.some((one) => one.includes(form.toLowerCase())));
}

const createForAll = () => createRedactor([key, secret, pair, token]);

describe('our own secrets', () => {
  test.each(cases)('the %s in %s is hidden from text', (_, _name, echo) => {
    const redactor = createForAll();
    for (const text of [echo, `before ${echo} after`, `a,b\n"${echo}",c\n`]) {
      const shown = redactor.text(text);
      expect(shown).toContain('(hidden)');
      expect(leaks(shown)).toEqual([]);
    }
  });

  test.each(cases)('the %s in %s is hidden from JSON, which stays JSON', (_, _name, echo) => {
    const redactor = createForAll();
    const value = { name: `Ltd ${echo}`, [`x${echo}`]: [{ deep: echo }], price: 1.5 };
    const escaped = JSON.stringify(value).replace(/[\w/+]/g, (char) =>
      /[e/3]/.test(char) ? `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}` : char,
    );
    for (const text of [JSON.stringify(value), JSON.stringify(value).replaceAll('/', '\\/')]) {
      const shown = redactor.body(text);
      expect(JSON.parse(shown)).toMatchObject({ price: 1.5 });
      expect(JSON.parse(shown).name).toContain('(hidden)');
      expect(leaks(shown)).toEqual([]);
    }
    // The names of fields are escaped here as well.
    const shown = redactor.body(escaped);
    expect(leaks(JSON.stringify(JSON.parse(shown)))).toEqual([]);
  });

  test.each(cases)('the %s in %s is hidden with invisible characters inside', (_, _name, echo) => {
    const redactor = createForAll();
    for (const inside of insides) {
      const split = [...echo].join(inside);
      expect(leaks(redactor.text(split))).toEqual([]);
      const body = JSON.stringify({ name: split, id: '1' });
      expect(leaks(JSON.parse(redactor.body(body)).name)).toEqual([]);
      expect(leaks(JSON.parse(redactor.body(JSON.stringify([split]).replace(/[^ -~]/g, escapeUnit)))[0])).toEqual([]);
    }
  });

  test('leaves a text without secrets unchanged, byte for byte', () => {
    const redactor = createForAll();
    const any = fc.oneof(anyText(), fc.json(), fc.string({ unit: 'grapheme' }));
    fc.assert(
      fc.property(any, (text) => {
        expect(redactor.text(text)).toBe(text);
        expect(redactor.body(text)).toBe(text);
      }),
      { numRuns: runs(500) },
    );
  });

  test('keeps the digits of numbers and the other strings of a body with a secret', () => {
    const redactor = createForAll();
    const body = `{ "id": 12345678901234567890, "q":0.10, "a\\"b": "caf\\u00e9\\n", "e": "${secret}" }`;
    expect(redactor.body(body)).toBe(
      '{ "id": 12345678901234567890, "q":0.10, "a\\"b": "caf\\u00e9\\n", "e": "(hidden)" }',
    );
  });

  test('short secrets are not removed from ordinary text, nor digits from longer numbers', () => {
    const short = createRedactor(['key', '12345', undefined, '123456']);
    const text = '{"key":"12345","n":91234567}';
    expect([short.body(text), short.text('at 123456.')]).toEqual([text, 'at (hidden).']);
  });

  test('hides a secret at any depth, or returns an empty body where this Node cannot parse so deep', () => {
    const redactor = createForAll();
    const nest = (value: string) => `${'['.repeat(200_000)}${value}${']'.repeat(200_000)}`;
    const shown = redactor.body(nest(`"${escapeUnit(secret[0] as string)}${secret.slice(1)}"`));
    expect(shown === '' || shown === nest('"(hidden)"')).toBe(true);
  });
});

const fullWidth = (text: string) =>
  text.replace(/[!-~]/g, (character) => String.fromCharCode(character.charCodeAt(0) + 0xfee0));
const entities = (radix: 10 | 16) => (text: string) =>
  [...text].map((character) => `&#${radix === 16 ? 'x' : ''}${character.charCodeAt(0).toString(radix)};`).join('');
/** U+1D5BA and on are the sans-serif letters of mathematics. */
const mathematical = (text: string) =>
  text.replace(/[a-z]/g, (letter) => String.fromCodePoint(0x1d5ba + letter.charCodeAt(0) - 97));

const disguises: Record<string, (text: string) => string> = {
  'blanks between': (text) => [...text].join(' '),
  'no-break spaces between': (text) => [...text].join('\u00a0'),
  'points between': (text) => [...text].join(' · '),
  'hearts between': (text) => [...text].join('♥'),
  'commas between': (text) => [...text].join(', '),
  'full-width letters': fullWidth,
  'full-width letters with blanks': (text) => [...fullWidth(text)].join(' '),
  'mathematical letters': mathematical,
  'decimal entities': entities(10),
  'hexadecimal entities': entities(16),
  'hexadecimal entities with blanks': (text) => entities(16)(text).replaceAll(';&', '; &'),
  'named entities between': (text) => [...text].join('&nbsp;'),
  'reversed order': (text) => [...text].reverse().join(''),
  'reversed order with blanks': (text) => [...text].reverse().join(' '),
};

describe('a secret in disguise', () => {
  const letters = (text: string) => text.replace(/[^\da-z]/gi, '').toLowerCase();
  const disguised = Object.entries(disguises).flatMap(([name, disguise]) =>
    Object.entries({ key, secret, token }).map(([what, text]) => [what, name, disguise(text)] as const),
  );

  test.each(disguised)('the %s with %s is hidden from text and from JSON', (_, _name, echo) => {
    const redactor = createForAll();
    expect(redactor.text(`before ${echo} after`)).toBe('before (hidden) after');
    const body = JSON.stringify({ name: `Acme ${echo}`, price: 1.5, [`x ${echo}`]: '(y)' });
    const escaped = body.replace(/[^ -~]/g, escapeUnit);
    for (const text of [body, escaped])
      expect(JSON.parse(redactor.body(text))).toEqual({ name: 'Acme (hidden)', price: 1.5, 'x (hidden)': '(y)' });
  });

  test('is hidden each time, between other words, and beside one that is not disguised', () => {
    const redactor = createForAll();
    const spaced = [...secret].join(' ');
    expect(redactor.text(`${spaced}; ${fullWidth(spaced)} and ${secret}`)).toBe('(hidden); (hidden) and (hidden)');
  });

  test('is hidden from a body beside one that is not disguised', () => {
    const redactor = createForAll();
    const body = JSON.stringify({ a: secret, b: `x ${[...secret].join(' ')} y` });
    expect(redactor.body(body)).toBe('{"a":"(hidden)","b":"x (hidden) y"}');
  });

  test('that has no letter, or fewer than eight letters and digits, stays: ordinary figures are like it', () => {
    const short = createRedactor(['123456789012', 'a-b-c-d-1-2-3']);
    const text = '1234 5678 9012, A B C D 1 2 3';
    expect(short.text(text)).toBe(text);
  });

  test('every character that NFKC turns into an ASCII letter or digit is looked at', { tags: ['slow'] }, () => {
    const missed: string[] = [];
    const size = 0x80;
    for (let from = size; from <= 0x10_ff_ff; from += size) {
      if (from >= 0xd800 && from <= 0xdfff) continue;
      const block = Array.from({ length: size }, (_, index) => String.fromCodePoint(from + index));
      // Most blocks have none; the line ends keep the characters of a block from becoming one.
      if (letters(block.join('\n').normalize('NFKC')) === '') continue;
      for (const character of block)
        if (letters(character.normalize('NFKC')) !== '' && !mayBeCompatible.test(character)) missed.push(character);
    }
    expect(missed).toEqual([]);
  });

  test('is hidden from a file of many parts, which stays the same otherwise', { tags: ['slow'] }, async () => {
    const redactor = createForAll();
    const row = 'Market buy,2025-06-01 09:30:15,US0000000001,"Example, Inc",-12.50,GBP\r\n';
    const file = row.repeat(20_000);
    expect(await redactor.file(file)).toBe(file);
    const { turns, result } = await countTurns(() => redactor.file(`${file}${[...token].join(' ')}\r\n${file}`));
    expect(result).toBe(`${file}(hidden)\r\n${file}`);
    expect(turns).toBeGreaterThanOrEqual(10);
    const oneLine = 'x'.repeat(3_000_000);
    expect(await redactor.file(oneLine)).toBe(oneLine);
  });
});

const escapeUnit = (unit: string) =>
  [...unit]
    .map((char) => char)
    .join('')
    .split('')
    .map((one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('');

describe('a service that repeats secrets', () => {
  const credentials = async () => ({ key, secret });
  const otherSecrets = [token];

  test('puts none into data, error texts and codes, or the shared store', async () => {
    let status = 200;
    const { origin } = await serve(({ headers }) => {
      const echo = `${headers.authorization} ${pair} ${token} ${hex(secret)}`;
      const body =
        status === 200
          ? JSON.stringify([{ ticker: 'A_US_EQ', instrument: { name: echo }, [secret]: [...key].join('\u200b') }])
          : JSON.stringify({ code: hex(secret), clarification: echo, type: `/api-errors/${hex(key)}`, detail: echo });
      return { status, body, headers: { 'x-echo': pair } };
    });
    const records = createMemoryRecords();
    const kept: unknown[] = [];
    const watched = {
      ...records,
      update: ((space: string, name: string, change: (state: unknown) => { state: unknown; result: unknown }) =>
        records.update(space, name, (state) => {
          const next = change(state);
          kept.push(name, next.state);
          return next;
        })) as typeof records.update,
    };
    const broker = brokerFor(origin, { credentials, otherSecrets, records: watched });
    const { data } = await broker.call(endpoints.listPositions, {}, broker.context());
    expect(data).toMatchObject([
      { instrument: { name: 'Basic (hidden) (hidden) (hidden) (hidden)' }, '(hidden)': '(hidden)' },
    ]);
    expect(leaks(JSON.stringify([data, kept]))).toEqual([]);
    expect(kept.length).toBeGreaterThan(0);

    for (status of [400, 401, 404, 422, 503]) {
      const error = await errorOf(broker.call(endpoints.getPendingOrder, { id: '7' }, broker.context()));
      expect(leaks(JSON.stringify([error.message, error.next, error.facts]))).toEqual([]);
    }
    status = 400;
    const placed = await broker.place(
      limitOrder(),
      async () => ({ writeBy: Number.MAX_SAFE_INTEGER }),
      broker.context({ priority: 'place' }),
    );
    expect(placed).toMatchObject({ kind: 'answered', status: 400 });
    expect(leaks(JSON.stringify(placed))).toEqual([]);
  });

  test('exposes no key without a secret, in whatever encoding it returns', async () => {
    const echoes = Object.values(encodings).map((encode) => encode(key));
    let status = 200;
    const { origin } = await serve(({ headers }) => ({
      status,
      body:
        status === 200
          ? JSON.stringify([...echoes, headers.authorization].map((name) => ({ instrument: { name } })))
          : JSON.stringify({ code: hex(key), clarification: `${headers.authorization} ${base64(key)}` }),
    }));
    const broker = brokerFor(origin, { credentials: async () => ({ key }) });
    const { data } = await broker.call(endpoints.listPositions, {}, broker.context());
    expect(data).toHaveLength(echoes.length + 1);
    for (const { instrument } of data) expect(instrument?.name).toContain('(hidden)');
    expect(leaks(JSON.stringify(data))).toEqual([]);
    status = 400;
    const error = await errorOf(broker.call(endpoints.getPendingOrder, { id: '7' }, broker.context()));
    expect(leaks(JSON.stringify([error.message, error.next, error.facts]))).toEqual([]);
  });

  test('leaves the text "undefined" alone when the key has no secret', async () => {
    const { origin } = await serve(() => ({
      body: `[{"instrument":{"name":"${key.slice(0, 4)}:undefined undefined"}}]`,
    }));
    const broker = brokerFor(origin, { credentials: async () => ({ key }) });
    const { data } = await broker.call(endpoints.listPositions, {}, broker.context());
    expect(data[0]?.instrument?.name).toBe(`${key.slice(0, 4)}:undefined undefined`);
  });

  test('puts none into a report, nor the signature of its link into an error', async () => {
    const signature = 'a1b2c3d4e5f6a7b8c9d0';
    const { origin } = await serve(({ url }) => ({
      status: url.startsWith('/bad') ? 403 : 200,
      body: url.startsWith('/bad') ? `denied: ${origin}${url}` : `Name,Total\n"${secret}",1\n`,
    }));
    const broker = brokerFor(origin, { credentials, otherSecrets });
    const link = (path: string) => ({ link: `${origin}/${path}?X-Signature=${signature}` });
    const { data } = await broker.call(reportFile, link('good'), broker.context());
    expect(data).toBe('Name,Total\n"(hidden)",1\n');
    const error = await errorOf(broker.call(reportFile, link('bad'), broker.context()));
    expect([error.code, error.message.includes(signature)]).toEqual(['forbidden', false]);
  });
});

/** Six characters: they are no secret in disguise, which needs eight letters and digits. */
describe('a short secret', () => {
  const short = 'k3y-ab';
  const redactorOf = () => createRedactor([short]);

  test.each([
    ['raw', 'x k3y-ab y', 'x (hidden) y'],
    ['in upper case', 'x K3Y-AB y', 'x (hidden) y'],
    ['twice', 'k3y-ab,k3y-ab', '(hidden),(hidden)'],
    ['with a character that nobody sees', 'x k3y\u200b-ab y', 'x (hidden) y'],
    ['with percent signs', 'x %6b3y%2dab y', 'x (hidden) y'],
    ['with percent signs beside others', 'a%20b %6b3y%2dab k3y-ab', 'a b (hidden) (hidden)'],
    ['in hexadecimal', `x ${hex(short)} y`, 'x (hidden) y'],
    ['in Base64', `x ${base64(short)} y`, 'x (hidden) y'],
    ['beside percent signs of others', 'a%20b k3y-ab', 'a%20b (hidden)'],
    ['nowhere', 'a%20b k3y_ab\u200b', 'a%20b k3y_ab\u200b'],
    // U+016B has the low byte of k.
    ['nowhere, and a character is like one of it', '\u016b3y-ab\u200b', '\u016b3y-ab\u200b'],
  ])('is hidden from a text %s, and the rest stays', (_, given, shown) => {
    expect(redactorOf().text(given)).toBe(shown);
  });

  test.each([
    ['a key with a character of regular expressions', 'k.y+(ab', 'k.y+(ab kxy+(ab', '(hidden) kxy+(ab'],
    ['a key that is not of ASCII', 'k\u00e9y-ab', 'k\u00e9y-ab k%C3%A9y-ab', '(hidden) (hidden)'],
    ['a key with a quote', 'k"y-ab', 'k"y-ab k\\"y-ab', '(hidden) (hidden)'],
    ['a key with digits at its end', 'keyab12', '1keyab123', '1(hidden)3'],
    ['a key with digits at its start', '12keyab', '312keyab', '3(hidden)'],
    ['the Base64 form of URLs', 'k~y?~~', Buffer.from('k~y?~~').toString('base64url'), '(hidden)'],
    ['Base64 of URLs for a plus', '~~~k3y', 'fn5-azN5 fn5+azN5', '(hidden) (hidden)'],
    ['Base64 of URLs for a slash', '???k3y', 'Pz8_azN5 Pz8/azN5', '(hidden) (hidden)'],
    ['Base64 behind one character', short, base64(`x${short}`), 'eG(hidden)'],
    ['Base64 behind two characters', short, base64(`xy${short}`), 'eHl(hidden)'],
    ['Base64 before one character', short, `${base64(`${short}x`)} y`, '(hidden)A== y'],
    ['Base64 with padding, of seven characters', 'k3y-abc', `${base64('k3y-abc')} y`, '(hidden) y'],
    ['Base64 with padding, of eight characters', 'k3y-abcd', `${base64('k3y-abcd')} y`, '(hidden) y'],
  ])('%s is hidden exactly', (_, one, given, shown) => {
    expect(createRedactor([one]).text(given)).toBe(shown);
  });

  test.each([
    ['{"a":"k3y-ab","b":12345678901234567890}', '{"a":"(hidden)","b":12345678901234567890}'],
    ['{"k3y-ab":["x",{"a":"\\u006b3y-ab"}]}', '{"(hidden)":["x",{"a":"(hidden)"}]}'],
    ['["a\\n","%6b3y%2dab","b\\"c"]', '["a\\n","(hidden)","b\\"c"]'],
    ['{"a":"k3y-a","b":"\\u00e9"}', '{"a":"k3y-a","b":"\\u00e9"}'],
    ['no JSON: k3y-ab', 'no JSON: (hidden)'],
  ])('is hidden from the body %s, and the rest keeps its digits and escapes', (given, shown) => {
    expect(redactorOf().body(given)).toBe(shown);
  });

  test('is hidden from a file where a part would end within it', async () => {
    // A part has 256 KiB, and ends with its line.
    for (const at of [262_139, 262_142, 262_144]) {
      const [before, after] = ['x'.repeat(at), `y\n${'z'.repeat(99)}\n`];
      expect(await redactorOf().file(`${before}k3y-ab${after}`)).toBe(`${before}(hidden)${after}`);
    }
  });

  test('is hidden from each part of a file', async () => {
    const line = `${'x'.repeat(99)}\n`;
    const lines = line.repeat(6_000);
    expect(await redactorOf().file(`k3y-ab\n${lines}k3y-ab\n${lines}`)).toBe(`(hidden)\n${lines}(hidden)\n${lines}`);
  });

  test('that another one contains leaves nothing of it', () => {
    expect(createRedactor([short, `${short}-cd`]).text('k3y-ab-cd')).toBe('(hidden)');
    expect(createRedactor([`${short}-cd`, short]).text('k3y-ab-cd')).toBe('(hidden)');
  });

  test.each([
    [['k3y-a', undefined], 'k3y-a undefined'],
    [[], 'k3y-ab'],
  ])('of five characters is no secret: %j', async (secrets, given) => {
    const redactor = createRedactor(secrets);
    expect([redactor.text(given), redactor.body(given), await redactor.file(given)]).toEqual([given, given, given]);
  });

  test('of digits is hidden, and not within a longer number', () => {
    expect(createRedactor(['123456']).text('123456 1234567 0123456 a123456b')).toBe(
      '(hidden) 1234567 0123456 a(hidden)b',
    );
  });
});
