/** The help of each command, compared with what the parser accepts. */
import { existsSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { commonFlags } from '../../src/cli/command.ts';
import { commands } from '../../src/cli/command-table.ts';
import { settings } from '../../src/core/settings/setting-definitions.ts';
import { runCommand } from '../support/command.ts';

const allFlags = [
  ...new Set(Object.values(commands).flatMap(({ flags }) => Object.keys({ ...commonFlags, ...flags }))),
];
const flagsIn = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, name]) => name).sort();
const help = async (...argv: string[]) => (await runCommand(argv, {})).stdout;

describe.each(Object.entries(commands))('the help of %s', (name, { usage, document }) => {
  test('lists each flag that the command accepts, once, and no other', async () => {
    const accepted: string[] = [];
    for (const flag of allFlags) {
      const { code } = await runCommand([name, `--${flag}=1`, '--help'], {});
      if (code === 0) accepted.push(flag);
    }
    expect(flagsIn(await help(name, '--help'), /^ {2}--([\w-]+)/gm)).toEqual(accepted.sort());
  });

  test('has a usage line with flags that the command accepts', async () => {
    for (const flag of flagsIn(usage, /--([\w-]+)/g))
      expect(await runCommand([name, `--${flag}=1`, '--help'], {})).toMatchObject({ code: 0 });
  });

  test('is the same from --help, -h and the command help, and has the usage line of this command alone', async () => {
    const text = await help(name, '--help');
    expect(await help(name, '-h')).toBe(text);
    expect(await help('help', name)).toBe(text);
    // A usage that is longer than a line goes on in the next ones.
    expect(text.replaceAll(/\s+/g, ' ').startsWith(`Usage ${usage} `)).toBe(true);
    expect(text.match(/^ {2}brokerage-mcp\b/gm)).toHaveLength(1);
  });

  test('names a document of this repository', async () => {
    expect(await help(name, '--help')).toContain(`More: ${document} of the repository.\n`);
    expect(existsSync(document)).toBe(true);
  });
});

test('--help, -h and help list every command once in its group, and every setting', async () => {
  const text = await help('--help');
  const names = (from: string, to: string) =>
    [...text.slice(text.indexOf(from), text.indexOf(to)).matchAll(/^ {2}([a-z-]+) /gm)].map(([, name]) => name);
  const [everyday, live, administration] = [
    names('Everyday', 'Live orders'),
    names('Live orders', 'Administration'),
    names('Administration', 'Settings'),
  ];
  expect([...everyday, ...live, ...administration].sort()).toEqual(Object.keys(commands).sort());
  expect(live).toEqual(['enroll', 'passkey', 'approve', 'reject', 'halt', 'resume']);
  expect(everyday).toEqual(expect.arrayContaining(['init', 'call', 'drafts', 'status']));
  for (const { variable } of Object.values(settings))
    expect(text).toMatch(new RegExp(`^ {2}(--[a-z-]+, )?${variable}$`, 'm'));
  for (const argv of [['-h'], ['help'], ['help', 'help']]) expect(await help(...argv)).toBe(text);
});

test.each([['--help'], ...Object.keys(commands).map((name) => [name, '--help'])])(
  'no line of %s %s is longer than 80 characters',
  async (...argv) => {
    expect((await help(...argv)).split('\n').filter((line) => line.length > 80)).toEqual([]);
  },
);

test('in a terminal the titles are bold, and without colours the text is the same', async () => {
  const screen = { isTerminal: true, columns: 80 };
  const screens = { output: screen, errors: screen };
  const { stdout } = await runCommand(['--help'], {}, { screens });
  expect(stdout).toContain('\u001b[1mEveryday\u001b[22m');
  expect((await runCommand(['--help'], { NO_COLOR: '1' }, { screens })).stdout).toBe(await help('--help'));
});

test('the help of demo says that it is not the environment of that name', async () => {
  expect((await help('demo', '--help')).replaceAll(/\s+/g, ' ')).toContain(
    'a tour of the sandbox: a sample session on the simulated account. It is not the environment demo',
  );
});

test('the help of a command with sub-commands has a line for each', async () => {
  const lines = (await help('drafts', '--help')).split('\n');
  const from = lines.indexOf('Sub-commands') + 1;
  const names = lines.slice(from, lines.indexOf('Options') - 1).filter((line) => /^ {2}\S/.test(line));
  expect(names.map((line) => line.trim().split(' ')[0])).toEqual(['list', 'show', 'submit', 'discard', 'edit']);
});

test.each([[['help', 'nothing']], [['nothing', '--help']], [['help', 'demo', 'now']], [['help', 'demo', '--yes']]])(
  '%j is wrong usage',
  async (argv) => {
    expect(await runCommand(argv, {})).toMatchObject({ code: 2, stdout: '' });
  },
);
