/** Texts for a person name the commands so that this user can run them. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createNameCommands, findOwnCommand } from '../../src/cli/dispatch.ts';
import { runCommand } from '../support/command.ts';
import { makeStateFolder } from '../support/state-folder.ts';

/** A machine with Node in /bin, a package in /lib and an empty folder in PATH. */
function makeMachine(folderName = 'machine') {
  const parent = realpathSync(mkdtempSync(join(tmpdir(), 'brokerage-mcp-own-')));
  onTestFinished(() => rmSync(parent, { recursive: true, force: true }));
  const root = join(parent, folderName);
  for (const folder of ['bin', 'other', 'lib', '_npx/1/bin']) mkdirSync(join(root, folder), { recursive: true });
  const [node, file] = [join(root, 'bin/node'), join(root, 'lib/brokerage-mcp.cjs')];
  for (const path of [node, file]) writeFileSync(path, '');
  const find = (path: readonly string[], args = [file]) =>
    findOwnCommand({
      self: { command: node, args },
      platform: 'linux',
      env: { PATH: path.map((folder) => join(root, folder)).join(':') },
    });
  return { root, node, file, find, link: (place: string) => symlinkSync(file, join(root, place)) };
}

test('a checkout is started by its file, with node where the shell finds the same one', () => {
  const { node, file, find } = makeMachine();
  expect(find(['bin', 'other'])).toBe(`node ${file}`);
  expect(find(['other'])).toBe(`${node} ${file}`);
});

test('an installed program is started by its name, and by its file where the name is another program', () => {
  const { root, file, find, link } = makeMachine();
  link('bin/brokerage-mcp');
  expect(find(['bin'], [join(root, 'bin/brokerage-mcp')])).toBe('brokerage-mcp');
  expect(find(['other', 'bin'])).toBe('brokerage-mcp');
  writeFileSync(join(root, 'other/brokerage-mcp'), 'another program');
  expect(find(['other'])).toMatch(new RegExp(` ${file}$`));
});

test('the cache of npx is in PATH only while npx runs', () => {
  const { file, find, link } = makeMachine();
  link('_npx/1/bin/brokerage-mcp');
  expect(find(['_npx/1/bin', 'bin'])).toBe(`node ${file}`);
});

test('a path with a space is quoted', () => {
  const { file, find } = makeMachine('my tools');
  expect(find(['bin'])).toBe(`node '${file}'`);
});

test('only commands are named, and not the program', () => {
  const write = createNameCommands({ self: { command: '/n', args: ['/p.cjs'] }, platform: 'linux', env: {} });
  expect(write('Run brokerage-mcp resume, or “brokerage-mcp drafts submit 7”.')).toBe(
    'Run /n /p.cjs resume, or “/n /p.cjs drafts submit 7”.',
  );
  expect(write('brokerage-mcp --help lists the commands')).toBe('/n /p.cjs --help lists the commands');
  const others = 'Update brokerage-mcp. brokerage-mcp failed. /opt/brokerage-mcp import; brokerage-mcp importer';
  expect(write(others)).toBe(others);
});

test('a terminal gets the command that works, and JSON stays as it is', { tags: ['slow'] }, async () => {
  const folder = await makeStateFolder('brokerage-mcp-own-');
  const env = { HOME: folder, BROKER_STATE_DIR: folder };
  const screen = { isTerminal: true, columns: 80 };
  const screens = { output: screen, errors: screen };
  const self = { command: '/n', args: ['/p.cjs'] };
  const shown = await runCommand(['drafts', 'show', '7'], env, { screens, self });
  expect([shown.code, shown.stderr]).toEqual([1, expect.stringContaining('“/n /p.cjs drafts” lists')]);
  const halted = await runCommand(['halt', 'a test'], env, { screens, self });
  expect(halted.stdout).toContain('Lift it with: /n /p.cjs resume\n');
  const called = ['call', 'place_market_order', '{"ticker":"QNOON_GB_EQ","side":"BUY","quantity":1}'];
  const [asJson, asText] = [
    await runCommand([...called, '--json'], env, { screens, self }),
    await runCommand(called, env, { screens, self }),
  ];
  expect(JSON.stringify(JSON.parse(asJson.stdout))).toContain(' brokerage-mcp resume');
  expect(asText.stdout.replace(/\s+/g, ' ')).toContain('/n /p.cjs resume');
});
