/** Which version of a draft a command acts on, and which flags of `drafts` it refuses. */
import { expect, test } from 'vitest';
import { agreeToVersion, readVersion } from '../../src/cli/choose-version.ts';
import { draftActions } from '../../src/cli/drafts.ts';
import type { CommandContext } from '../../src/cli/with-app.ts';
import { UsageError } from '../../src/core/errors.ts';
import type { Draft } from '../../src/features/drafts/book/draft.ts';
import { testTerminal } from '../support/command.ts';
import { createTypedTty } from '../support/typed-tty.ts';

test.each([
  [undefined, undefined],
  ['1', 1],
  ['10', 10],
  ['9999999', 9_999_999],
])('--version %s is the version %s', (version, number) => {
  expect(readVersion(version === undefined ? {} : { version })).toBe(number);
});

test.each(['', '0', '01', '-1', '1.5', '1e3', ' 1', '1 ', 'x', '10000000'])(
  '--version “%s” is no version',
  (version) => {
    expect(() => readVersion({ version })).toThrow(UsageError);
  },
);

test.each([
  ['y', 4],
  ['yes', 4],
  ['', undefined],
  ['n', undefined],
  ['no', undefined],
])('after “%s” the version %s of the draft that was shown is chosen', async (typed, chosen) => {
  const { tty, lines, prompts } = createTypedTty([typed]);
  const shown = { draft: { version: 4 } as Draft, text: 'THE DRAFT' };
  expect(await agreeToVersion(tty, shown, (version) => `Send version ${version}?`)).toBe(chosen);
  expect(prompts).toEqual(['Send version 4? [y/N] ']);
  expect(lines).toEqual(['THE DRAFT', ...(chosen === undefined ? ['Nothing was changed and nothing was sent.'] : [])]);
});

/** Nothing is read of a draft before the flags were. */
const run = async (action: keyof typeof draftActions, flags: Record<string, string>) =>
  draftActions[action]({} as CommandContext, 'd'.repeat(16), flags, testTerminal());

const getMessage = (action: string, flags: Record<string, string>): string => {
  if (action === 'show') return 'give --page or --json, not both.';
  if (flags['repeat-of'] !== undefined)
    return '--repeat-of needs a submissionId, which brokerage-mcp drafts show ID prints.';
  if (flags.version !== undefined)
    return '--version needs the number of a version, which brokerage-mcp drafts show ID prints.';
  return 'drafts edit needs --leg N and one of --remove, --quantity Q and --limit-price P.';
};

test.each<[keyof typeof draftActions, Record<string, string>]>([
  ['edit', {}],
  ['edit', { leg: '1' }],
  ['edit', { remove: 'true' }],
  ['edit', { leg: 'x', remove: 'true' }],
  ['edit', { leg: '1.5', remove: 'true' }],
  ['edit', { leg: '1', remove: 'false' }],
  ['edit', { leg: '1', remove: 'true', quantity: '2' }],
  ['edit', { leg: '1', remove: 'true', 'limit-price': '2' }],
  ['edit', { leg: '1', quantity: '1', 'limit-price': '2' }],
  ['edit', { leg: '1', remove: 'true', version: '0' }],
  ['submit', { version: 'x' }],
  ['submit', { version: '1', 'repeat-of': '5'.repeat(31) }],
  ['submit', { version: '1', 'repeat-of': '5'.repeat(33) }],
  ['submit', { version: '1', 'repeat-of': 'G'.repeat(32) }],
  ['submit', { version: '1', 'repeat-of': '' }],
  ['show', { page: 'true', json: 'true' }],
])('drafts %s with %o is a usage error', async (action, flags) => {
  await expect(run(action, flags)).rejects.toThrow(new UsageError(getMessage(action, flags)));
});
