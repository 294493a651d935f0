/** Which passphrases are refused at enrolment. */
import { expect, test } from 'vitest';
import { findWeakness } from '../../../src/orders/enrollment/weak-passphrase.ts';

const known = { secrets: ['k-9f31c0d7a2', 'a long secret of the service'], names: ['margaret'] };
const codeOf = (passphrase: string) => findWeakness(passphrase, known)?.code;

test.each([
  ['', 'blank'],
  ['        ', 'blank'],
  ['\u00a0\u2003 \u200b\u3164 \u00ad   ', 'blank'],
  ['short', 'short'],
  ['ninechars', 'short'],
  ['x7#kQ  p2', 'short'],
  ['   x7#kQp2mZ   ', 'short'],
  ['password', 'short'],
  ['12345678', 'short'],
  ['aaaaaaaaaaaaaaaa', 'repeated'],
  ['abababababababab', 'repeated'],
  ['hunter2hunter2', 'repeated'],
  ['xk7#xk7#xk7#xk', 'repeated'],
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
