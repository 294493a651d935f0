/** Which passphrases are refused at enrolment. */
import { describe, expect, test } from 'vitest';
import { findWeakness } from '../../../../src/core/approval/enrollment/weak-passphrase.ts';

const known = { secrets: ['k-9f31c0d7a2', 'a long secret of the service'], names: ['margaret'] };
const codeOf = (passphrase: string) => findWeakness(passphrase, known)?.code;

test.each([
  ['', 'blank'],
  ['        ', 'blank'],
  ['\u00a0\u2003 \u200b\u3164 \u00ad   ', 'blank'],
  ['short', 'short'],
  ['x7#kQ  p2', 'short'],
  ['aaaaaaaaaaaaaaaa', 'repeated'],
  ['abababababababab', 'repeated'],
  ['hunter2hunter2', 'repeated'],
  ['password1234', 'common'],
  ['Passw0rd2024!', 'common'],
  ['P@$$w0rd123456', 'common'],
  ['passwordpassword1', 'common'],
  ['123456789012', 'common'],
  ['abcdefghijkl', 'common'],
  ['zyxwvutsrqpo', 'common'],
  ['qwertyuiop[]', 'common'],
  ['1qaz2wsx3edc', 'common'],
  ['asdfghjkl123', 'common'],
  ['brokerage-mcp', 'common'],
  ['brokerage-mcp-2026', 'common'],
  ['margaret1985', 'common'],
  ['MargaretMargaret1', 'common'],
  ['iloveyou2024', 'common'],
  ['correct horse battery staple', 'common'],
  ['Correct-Horse-Battery-Staple1', 'common'],
  ['k-9f31c0d7a2', 'known'],
  ['K-9F31C0D7A2', 'known'],
  ['my k-9f31c0d7a2 key', 'known'],
  ['secret of the service', 'known'],
  ['k9f3-1c0d-7a2', 'known'],
  ['2a7d0c13f9-k', 'known'],
  ['ay05ZjMxYzBkN2Ey', 'known'],
  ['ａ ｌｏｎｇ ｓｅｃｒｅｔ ｏｆ ｔｈｅ ｓｅｒｖｉｃｅ', 'known'],
])('%j is refused as %s', (passphrase, code) => {
  expect(codeOf(passphrase)).toBe(code);
});

test.each([
  'a horse, correct and stapled',
  'only the owner knows this',
  'velvet anchor 19 oyster prism',
  'xk7#mQp2!vZ9aL',
  'grüne Äpfel fallen leise',
  '株は明日どこへ行くのだろうか',
  'seven herons forgot the tram',
])('%j is accepted', (passphrase) => {
  expect(findWeakness(passphrase, known)).toBeUndefined();
});

const nothing = { secrets: [], names: [] };
/** The code with letters that no list has, so that only the rule of the test decides. */
const plainCode = (passphrase: string, more: Partial<typeof known> = {}) =>
  findWeakness(passphrase, { ...nothing, ...more })?.code;

describe('a passphrase', () => {
  test('has at least 10 characters without the blanks at its ends', () => {
    expect([' wxkq7pmvz ', ' wxkq7pmvzj '].map((text) => plainCode(text))).toEqual(['short', undefined]);
  });

  test('has at least 10 characters, where a sign of two units is one', () => {
    expect(plainCode('🐍🦊🐢🦉🐝🦂')).toBe('short');
  });

  test('is no repetition, also where some of its letters are capitals', () => {
    expect(plainCode('wkq7mWKQ7MwKq')).toBe('repeated');
  });

  test('has each year counted once', () => {
    expect(plainCode('password1987xkqzvw')).toBe(undefined);
  });

  test('has at least 5 different characters', () => {
    expect(['kxqzkzqxxkqz', 'kxqzpkzqxxkqz'].map((text) => plainCode(text))).toEqual(['repeated', undefined]);
  });

  test('is no repetition, also where the last one is incomplete', () => {
    expect(['wkq7mwkq7mwkq', 'wkq7mwkq7mwkz'].map((text) => plainCode(text))).toEqual(['repeated', undefined]);
  });

  test('has at least 7 characters beside what attackers try first, which counts as one', () => {
    expect(['passwordxkqzv', 'passwordxkqzvw'].map((text) => plainCode(text))).toEqual(['common', undefined]);
  });

  test('has at least 7 letters beside a famous phrase', () => {
    expect(['to be or not to be xkqzvw', 'to be or not to be xkqzvwj'].map((text) => plainCode(text))).toEqual([
      'common',
      undefined,
    ]);
  });
});

test.each([
  'The quick brown fox',
  'The quick brown fox jumps over the lazy dog',
  'To be, or not to be',
  'May the force be with you!',
  'Open the door, please',
  'My passphrase is xkqzvw',
])('%j is a famous phrase', (phrase) => {
  expect(plainCode(phrase)).toBe('common');
});

describe('a secret', () => {
  const codes = (secret: string, ...texts: string[]) => texts.map((text) => plainCode(text, { secrets: [secret] }));

  test('is not in a passphrase: 8 of its letters and digits are no coincidence, 7 are one', () => {
    expect(codes('k9f31c0d', 'velvet k9f31c0d oyster')).toEqual(['known']);
    expect(codes('k9f31c0', 'velvet k9f31c0 oyster')).toEqual([undefined]);
    expect(codes('long-k9f31c0d7a2-text', 'k9-f3-1c-0d', 'k9-f3-1c-0#')).toEqual(['known', undefined]);
  });

  test('that is short is not the passphrase itself, in any case and with signs between its letters', () => {
    expect(codes('k9f3', 'K 9 f 3', 'k 9 f 4')).toEqual(['known', 'short']);
    expect(codes('k9i3', 'K9\u01303')).toEqual(['known']);
    expect(codes('!@-^%&', ' !@-^%& ')).toEqual(['known']);
  });

  test('of signs alone is compared as it is', () => {
    expect(codes('!@-#$-%^-&*', '  !@-#$-%^-&*  ', '!@-#$-%^-&(')).toEqual(['known', undefined]);
  });

  test('that is empty excludes nothing, also where the passphrase decodes to nothing', () => {
    expect(codes('', '.;:~#@?¤¬{}')).toEqual([undefined]);
  });
});

describe('what attackers try first counts as one character', () => {
  const codes = (texts: readonly string[], names: string[] = []) => texts.map((text) => plainCode(text, { names }));

  test('a name of the owner, from 3 letters on, in any case and also with digits in it', () => {
    expect(codes(['kwpxKWPzkwpq'], ['Kwp'])).toEqual(['common']);
    expect(codes(['kwjqxkwjqz'], ['kw', 'jq'])).toEqual([undefined]);
    expect(codes(['kw01pxkw01pzq'], ['kw01p'])).toEqual(['common']);
    expect(codes(['kw01pxkw01pzq'])).toEqual([undefined]);
  });

  test.each([
    ['0', 'micr0softfreed0m'],
    ['1', 'sunsh1nepr1ncess'],
    ['3', 'soccerfr33domt3st'],
    ['4', 'b4n4n4m4rket'],
    ['5', '5un5hine5ecret'],
    ['7', 'ma77hewinves7'],
    ['@', 'b@n@n@m@rket'],
    ['$', '$un$hine$ecret'],
    ['!', 'sunsh!nepr!ncess'],
  ])('a word with %s for a letter', (_, text) => {
    expect(plainCode(text)).toBe('common');
  });

  test('a year of the 20th or 21st century', () => {
    expect(codes(['w1987q2031zp', 'w1887q2131zp', 'xkqzvwj 2024 pmt'])).toEqual(['common', undefined, undefined]);
  });

  test('a row of letters, of digits or of one character, from 3 on', () => {
    expect(codes(['abcxefgzijkq', 'cbaxgfezkjiq', '123x567z456q', 'kkkkwxxxxxzq'])).toEqual(
      Array.from({ length: 4 }, () => 'common'),
    );
    expect(codes(['abefijmnqr', 'bafejinmrq', 'kkwwxxzzqqpp'])).toEqual(Array.from({ length: 3 }, () => undefined));
  });

  test.each([
    ['QWERTY', 'rty'],
    ['QWERTY', 'asd'],
    ['QWERTY', 'zxc'],
    ['QWERTZ', 'rtz'],
    ['QWERTZ', 'yxc'],
    ['AZERTY', 'aze'],
    ['AZERTY', 'qsd'],
    ['AZERTY', 'wxc'],
    ['digits', '890'],
    ['signs above the digits', '!@#'],
    ['signs above the digits', '^&*'],
    ['column', '1qa'],
    ['column', '2ws'],
    ['column', '3ed'],
    ['column', '4rf'],
    ['column', '5tg'],
    ['column', '6yh'],
    ['columns', 'xed'],
  ])('a part of a keyboard row: %s %s, in both directions', (_, row) => {
    const back = [...row].reverse().join('');
    expect(codes([`${row}w${row}+${row}ö`, `${back}w${back}+${back}ö`])).toEqual(['common', 'common']);
  });
});

test('a refusal repeats nothing of the passphrase or of a key, and says what to do', () => {
  for (const passphrase of ['margaret1985', 'my k-9f31c0d7a2 key', 'hunter2hunter2']) {
    const { message = '' } = findWeakness(passphrase, known) ?? {};
    expect(message).not.toMatch(/margaret|9f31|hunter/);
    expect(message.split('. ').length).toBe(2);
  }
});

test('a short key does not exclude every passphrase with its letters', () => {
  expect(findWeakness('velvet anchor oyster prism', { secrets: ['an', ''], names: ['', 'al'] })).toBeUndefined();
});
