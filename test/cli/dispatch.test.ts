/** Command lines that must not run as something else than they say. */
import { expect, test } from 'vitest';
import { commonFlags, parseArguments } from '../../src/cli/command.ts';
import { runCommand } from '../support/command.ts';
import { makeStateFolder } from '../support/state-folder.ts';

test.each([
  ['a command after a flag', ['--env', 'sandbox', 'halt', 'a reason']],
  ['a command after a switch', ['--read-only', 'status']],
  ['a word that is no command', ['--read-only', 'now']],
  ['an unknown short flag', ['-x']],
  ['a word after serve', ['serve', 'now']],
  ['a word after resume', ['resume', 'now']],
  ['a word after status', ['status', 'now']],
  ['a word after enroll', ['enroll', 'now']],
  ['a word after simulate', ['simulate', 'now']],
  ['a word after demo', ['demo', 'now']],
])('%s is wrong usage, and nothing starts', async (_title, argv) => {
  const env = { HOME: await makeStateFolder('brokerage-mcp-dispatch-') };
  const finished = await runCommand(argv, env, { watchInput: () => expect.unreachable('A server started.') });
  expect(finished).toMatchObject({ code: 2, stdout: '' });
});

test.each([
  [['drafts', '--jsn'], '--jsn is not a flag of drafts; the closest one is --json.'],
  [['drafts', '--wxyz'], '--wxyz is not a flag of drafts; brokerage-mcp drafts --help lists the flags.'],
  [['--wxyz'], '--wxyz is not a flag; brokerage-mcp --help lists the flags.'],
  [['stauts'], 'stauts is not a command; the closest one is status.'],
  [['wxyzwxyz'], 'wxyzwxyz is not a command; brokerage-mcp --help lists the commands.'],
])('%j names the closest one, or the help', async (argv, message) => {
  const { code, stderr } = await runCommand(argv, {});
  expect([code, stderr]).toEqual([2, `brokerage-mcp: ${message}\n`]);
});

test('-h is --help', () => {
  expect(parseArguments(['-h'], commonFlags).flags).toEqual({ help: 'true' });
});

test.each([
  [['--env', 'demo'], { env: 'demo' }],
  [['--env=demo'], { env: 'demo' }],
  [['--env=a=b'], { env: 'a=b' }],
  [['--env='], { env: '' }],
  [['--env', '-1'], { env: '-1' }],
  [['--env', 'a--'], { env: 'a--' }],
  [['--version=false'], { version: 'false' }],
])('the flags of %j are %o', (argv, flags) => {
  expect(parseArguments(argv, commonFlags)).toEqual({ words: [], flags });
});

test.each([
  [['--env'], '--env needs a value.'],
  [['--env', '--read-only'], '--env needs a value.'],
  [['--=x', 'x'], '-- is not a flag; brokerage-mcp --help lists the flags.'],
  [['--toString'], '--toString is not a flag; brokerage-mcp --help lists the flags.'],
])('%j is wrong usage', (argv, message) => {
  expect(() => parseArguments(argv, commonFlags)).toThrow(message);
});
