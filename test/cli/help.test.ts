/** The help of each command, compared with what the parser accepts. */
import { existsSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { commands } from '../../src/cli/command-table.ts';
import { commonFlags } from '../../src/cli/parse-command-line.ts';
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
    const usages = Object.values(commands).map((entry) => `  ${entry.usage}`);
    expect(text.split('\n').filter((line) => usages.includes(line))).toEqual([`  ${usage}`]);
  });

  test('names a document of this repository', async () => {
    expect(await help(name, '--help')).toContain(`More: ${document} of the repository. `);
    expect(existsSync(document)).toBe(true);
  });
});

test('--help, -h and help list every command and setting', async () => {
  const text = await help('--help');
  const lines = text.split('\n');
  for (const { usage } of Object.values(commands)) expect(lines).toContain(`  ${usage}`);
  expect(text).toContain('BROKER_READ_ONLY');
  for (const argv of [['-h'], ['help'], ['help', 'help']]) expect(await help(...argv)).toBe(text);
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
