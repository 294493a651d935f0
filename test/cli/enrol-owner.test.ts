/** What `enroll` enrols: which method, which limits, which passphrase, and what the owner read before. */
import { expect, test } from 'vitest';
import { enrolOwner } from '../../src/cli/enroll.ts';
import type { Ended, Enrolment, PassphraseCheck } from '../../src/core/approval/enrollment/enrollment.ts';
import type { Journal, JournalView } from '../../src/core/orders/intent/journal-port.ts';
import { effectiveLimits } from '../../src/core/orders/intent/risk-limits.ts';
import { createTypedTty } from '../support/typed-tty.ts';

const passphrase = 'four unrelated plain terms';
const other = 'five quite different plain terms';
const asked = {
  yes: 'Type yes to enrol this: ',
  passphrase: 'New passphrase (at least 10 characters): ',
  again: 'Again: ',
};
/** The limits of live when nothing else is configured; risk-limits.test.ts has their values. */
const liveLimits = effectiveLimits('live', {}, undefined);

interface Given {
  readonly before?: Enrolment;
  readonly wanted?: Parameters<typeof enrolOwner>[1]['wanted'];
  readonly config?: Partial<Parameters<typeof enrolOwner>[1]['config']>;
  readonly known?: { readonly secrets: readonly string[]; readonly names: readonly string[] };
  readonly checked?: PassphraseCheck;
  /** What another passphrase ends; nothing where undefined. */
  readonly ended?: Ended;
}

/** A store in which no wrong passphrase is kept. */
const journal = {
  read: (work: (tx: JournalView) => unknown) => work({ get: async () => undefined } as unknown as JournalView),
} as unknown as Journal;

async function enrol(typed: readonly string[], { before, wanted, config, known, checked, ended }: Given = {}) {
  const terminal = createTypedTty(typed);
  const calls: unknown[] = [];
  const isEnrolled = await enrolOwner(terminal.tty, {
    journal,
    security: {
      enrolment: async () => before,
      check: async (...given) => {
        calls.push(['check', ...given]);
        return checked ?? { kind: 'right' };
      },
      enrol: async (enrolment) => {
        calls.push(enrolment);
        return ended ?? { clients: 0, passkeys: 0 };
      },
    },
    config: { limits: {}, environment: 'live', baseUrl: undefined, ...config },
    wanted,
    listKnownWords: async () => known ?? { secrets: [], names: [] },
    sayMoment: (at) => `at ${at}`,
  });
  return { ...terminal, calls, isEnrolled };
}

const all = ['yes', passphrase, passphrase];
const nothingChanged = 'Nothing was changed.';

test('the first enrolment is for the page with the limits of live, which the owner reads before', async () => {
  const { isEnrolled, calls, lines, prompts, hidden } = await enrol(all);
  expect([isEnrolled, calls]).toEqual([true, [{ passphrase, approval: 'page', limits: liveLimits }]]);
  expect(prompts).toEqual([asked.yes, asked.passphrase, asked.again]);
  expect(hidden).toEqual([asked.passphrase, asked.again]);
  expect(lines.slice(0, 4)).toEqual([
    '',
    'Live orders will be approved by: page (one of page, terminal, elicitation; --approval changes it)',
    'The limits of live orders:',
    '  An order is worth at most 1000, in the currency of the account.',
  ]);
});

const before: Enrolment = { approval: 'terminal', limits: { maxOrderValue: '70' }, enrolledAt: 1 };

test.each([
  [undefined, 'terminal'],
  ['elicitation', 'elicitation'],
  ['page', 'page'],
] as const)('with --approval %s, an enrolment for the terminal becomes one for %s', async (wanted, approval) => {
  const { calls, lines } = await enrol(['old', ...all], { before, ...(wanted && { wanted }) });
  expect(calls).toEqual([
    ['check', 'old', 'terminal', 0],
    { passphrase, approval, limits: { ...liveLimits, maxOrderValue: '70' } },
  ]);
  expect(lines).toContain(
    `Live orders will be approved by: ${approval} (one of page, terminal, elicitation; --approval changes it)`,
  );
  expect(lines).toContain('  An order is worth at most 70, in the currency of the account.');
});

test.each(['60', '80'])(
  'a limit of %s in the configuration replaces the enrolled one, looser or stricter',
  async (maxOrderValue) => {
    const { calls, lines } = await enrol(['old', ...all], { before, config: { limits: { maxOrderValue } } });
    expect(calls[1]).toMatchObject({ limits: { ...liveLimits, maxOrderValue } });
    expect(lines).toContain(`  An order is worth at most ${maxOrderValue}, in the currency of the account.`);
  },
);

const loggedOut =
  'The passphrase is another one, so all web clients were logged out (2). Connect those that you use again.';
const passkeysEnded =
  'The passphrase is another one, so the passkeys ended (1). brokerage-mcp passkey add makes new ones.';

test.each<[Ended, string[]]>([
  [{ clients: 0, passkeys: 0 }, []],
  [{ clients: 2, passkeys: 0 }, [loggedOut]],
  [{ clients: 0, passkeys: 1 }, [passkeysEnded]],
  [{ clients: 2, passkeys: 1 }, [loggedOut, passkeysEnded]],
])('the owner reads that another passphrase ended %o', async (ended, said) => {
  const { lines } = await enrol(['old', ...all], { before, ended });
  expect(lines.slice(lines.lastIndexOf('') + 1)).toEqual(said);
});

test('nothing is shown or changed without the enrolled passphrase', async () => {
  const { isEnrolled, calls, lines, prompts } = await enrol(['old', ...all], { before, checked: { kind: 'locked' } });
  expect([isEnrolled, calls, prompts]).toEqual([false, [['check', 'old', 'terminal', 0]], ['Passphrase: ']]);
  expect(lines).toEqual([
    'A passphrase is already enrolled; you need it to change anything.',
    'The passphrase is locked here; run brokerage-mcp resume.',
  ]);
});

test.each<[string, readonly string[], number]>([
  ['another word than yes', ['y', 'ja', 'ok', passphrase, passphrase], 3],
  ['no', ['no', passphrase, passphrase], 1],
  ['no passphrase', ['yes'], 2],
  ['no repetition', ['yes', passphrase], 3],
  ['three that differ', ['yes', passphrase, other, passphrase, other, passphrase, other, passphrase, passphrase], 7],
  ['three that are weak', ['yes', 'short', 'short', 'short', passphrase, passphrase], 4],
])('nothing is changed after %s', async (_, typed, questions) => {
  const { isEnrolled, calls, lines, prompts } = await enrol(typed);
  expect([isEnrolled, calls, lines.at(-1), prompts.length]).toEqual([false, [], nothingChanged, questions]);
});

test('a passphrase that is weak, or differs when repeated, is asked for again', async () => {
  const known = { secrets: ['secret-kwyvbm'], names: [] };
  const { calls, said, prompts } = await enrol(['yes', 'my secret-kwyvbm', passphrase, other, other, other], { known });
  expect(calls).toEqual([expect.objectContaining({ passphrase: other })]);
  expect(said.slice(-2)).toEqual([
    [expect.stringContaining('contains, a key, a secret or a token'), 'bad'],
    ['The two passphrases differ.', 'bad'],
  ]);
  expect(prompts.slice(1)).toEqual([asked.passphrase, asked.passphrase, asked.again, asked.passphrase, asked.again]);
});

const oldAddress = 'https://old.example';
const newAddress = 'https://new.example';
const only = (address: string) => `The key may be sent to this address only: ${address}`;
const until = `Until now it was another address: ${oldAddress}`;

test.each<[string, Given['config'], string | undefined, readonly string[]]>([
  ['live for the first time', { baseUrl: newAddress }, undefined, [only(newAddress)]],
  ['live at the same address', { baseUrl: oldAddress }, oldAddress, [only(oldAddress)]],
  ['live at another address', { baseUrl: newAddress }, oldAddress, [only(newAddress), until]],
  ['live without an address', {}, oldAddress, []],
  ['practice', { environment: 'demo', baseUrl: newAddress }, oldAddress, []],
])('in %s, the owner reads where the key may be sent', async (_, config, origin, expected) => {
  const { lines } = await enrol(['old', ...all], { before: { ...before, origin }, config: config ?? {} });
  expect(lines.filter((line) => /address/.test(line))).toEqual(expected);
});
