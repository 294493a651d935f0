/** How often a command asks for the passphrase, how long it waits, and what counts as shown. */
import { expect, test } from 'vitest';
import { askPassphrase, verifyPassphrase } from '../../src/cli/ask-passphrase.ts';
import type { PassphraseCheck } from '../../src/core/approval/enrollment/enrollment.ts';
import { enrol, openJournal } from '../core/orders/placing/world.ts';
import { createTypedTty } from '../support/typed-tty.ts';

const right: PassphraseCheck = { kind: 'right' };
const wrong = (retryAfterSeconds: number): PassphraseCheck => ({
  kind: 'wrong_passphrase',
  attemptsLeft: undefined,
  retryAfterSeconds,
});
const tooSoon: PassphraseCheck = { kind: 'too_soon', retryAfterSeconds: 3 };
const wrongText = (seconds: number) => `Wrong passphrase; the next attempt is possible in ${seconds} s.`;
const sayMoment = (at: number) => `at ${at}`;

/** The passphrase is asked for, of which these results come. */
async function ask(typed: readonly string[], results: readonly PassphraseCheck[], seen = 0) {
  const terminal = createTypedTty(typed);
  const checked: unknown[] = [];
  const left = [...results];
  const result = await askPassphrase(terminal.tty, 'PROMPT', seen, async (...given) => {
    checked.push(given);
    return left.shift() ?? right;
  });
  return { ...terminal, checked, result };
}

test('a wrong passphrase is said, waited for, and then counts as shown', async () => {
  const { checked, result, said, waits, prompts } = await ask(['a', 'b', 'c'], [wrong(2), wrong(4), right], 5);
  expect(checked).toEqual([
    ['a', 5],
    ['b', 6],
    ['c', 7],
  ]);
  expect(said).toEqual([
    [wrongText(2), 'bad'],
    [wrongText(4), 'bad'],
  ]);
  expect([result, waits, prompts]).toEqual([right, [2_000, 4_000], ['PROMPT', 'PROMPT', 'PROMPT']]);
});

test('a passphrase that came too soon was not checked, so it does not count as wrong', async () => {
  const { checked, waits } = await ask(['a', 'b'], [tooSoon, right]);
  expect([checked, waits]).toEqual([
    [
      ['a', 0],
      ['b', 0],
    ],
    [3_000],
  ]);
});

test('the third wrong passphrase is the last', async () => {
  const { checked, result, waits } = await ask(['a', 'b', 'c', 'd'], [wrong(2), wrong(4), wrong(8), right]);
  expect([checked.length, result, waits]).toEqual([3, wrong(8), [2_000, 4_000]]);
});

test.each<PassphraseCheck>([{ kind: 'locked' }, { kind: 'not_enrolled' }, right])(
  'nothing is asked again after %o',
  async (end) => {
    const { checked, result, lines } = await ask(['a', 'b'], [end]);
    expect([checked, result, lines]).toEqual([[['a', 0]], end, []]);
  },
);

test('nothing is checked when nothing was typed, and when the person leaves while waiting', async () => {
  expect(await ask([''], [])).toMatchObject({ checked: [], result: undefined });
  const { tty } = createTypedTty(['a', 'b']);
  const left = { ...tty, wait: async () => false };
  expect(await askPassphrase(left, 'PROMPT', 0, async () => wrong(2))).toBeUndefined();
});

/** The passphrase of an enrolment in whose store this was kept. */
async function verify(typed: string, checked: PassphraseCheck, kept?: object) {
  const journal = await openJournal({ now: () => 0 });
  await journal.change(async (tx) => {
    await enrol(tx, 'page');
    if (kept) await tx.set('security', kept);
  });
  const asked: unknown[] = [];
  const check = async (...given: unknown[]) => {
    asked.push(given);
    return checked;
  };
  const { tty, said } = createTypedTty([typed]);
  return { isRight: await verifyPassphrase(tty, journal, { check }, sayMoment), asked, said };
}

test('the wrong passphrases before are shown first, and reported as shown', async () => {
  const { isRight, asked, said } = await verify('typed', right, { wrong: { count: 2, lastAt: 99 } });
  expect([isRight, asked]).toEqual([true, [['typed', 'terminal', 2]]]);
  const attention = '2 wrong passphrases were typed since you last approved, the last at 99.';
  expect(said).toEqual([[`ATTENTION: ${attention} If that was not you, find out who has access.`, 'care']]);
});

test.each<[string, PassphraseCheck, boolean, unknown[]]>([
  ['typed', right, true, []],
  ['typed', { kind: 'locked' }, false, [['The passphrase is locked here; run brokerage-mcp resume.', 'bad']]],
  ['typed', { kind: 'not_enrolled' }, false, [['No passphrase is enrolled; run brokerage-mcp enroll.', 'bad']]],
  ['', right, false, [['Nothing was entered.', undefined]]],
])('after “%s”, with %o, the passphrase is right: %s', async (typed, checked, isRight, said) => {
  expect(await verify(typed, checked)).toMatchObject({ isRight, said });
});
