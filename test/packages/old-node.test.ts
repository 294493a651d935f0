/** Everything that starts refuses a Node below the floor in one line, before Node meets syntax that it cannot parse. */
// @module-tag process
// @module-tag slow
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { transform } from 'esbuild';
import { afterAll, expect, test } from 'vitest';
import packageFile from '../../package.json' with { type: 'json' };

const program = packageFile.bin['brokerage-mcp'];
const folder = mkdtempSync(join(tmpdir(), 'brokerage-mcp-old-node-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Starts a file on this Node, which reports another version. */
function startAs(version: string, args: readonly string[]) {
  const disguise = join(folder, 'disguise.cjs');
  writeFileSync(
    disguise,
    `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '${version}' } });`,
  );
  const { status, stdout, stderr } = spawnSync(process.execPath, ['--require', disguise, ...args], {
    encoding: 'utf8',
    input: '',
    env: { PATH: process.env.PATH, HOME: folder },
  });
  return { status, stdout, stderr };
}

const refusalOf = (version: string) => ({
  status: 1,
  stdout: '',
  stderr: `brokerage-mcp needs Node 20.18.1 or newer, and this is Node ${version} (${process.execPath}). Install a newer one from https://nodejs.org and start again with it; a host takes its path as "command".\n`,
});

const started = Object.values(packageFile.scripts)
  .map((command) => /^node ([^&]+)/.exec(command)?.[1]?.trim())
  .filter((words) => words !== undefined);
const entries = [...new Set([program, ...started])];

test.each(entries)('%s refuses a Node that is too old in one line, and does nothing', { tags: ['slow'] }, (words) => {
  expect(startAs('18.20.8', words.split(' '))).toEqual(refusalOf('18.20.8'));
});

test.each(['20.18.0', '20.9.9', '16.20.2', '6.17.1', '0.12.18'])('Node %s is too old', (version) => {
  expect(startAs(version, [program, '--version'])).toEqual(refusalOf(version));
});

test.each(['20.18.1', '20.19.0', '22.0.0', '100.0.0'])('Node %s is new enough', (version) => {
  expect(startAs(version, [program, '--version'])).toEqual({
    status: 0,
    stdout: `${packageFile.version}\n`,
    stderr: '',
  });
});

test.each([program, 'scripts/check-node.cjs'])(
  '%s is written so that an old Node can parse it to its end',
  async (file) => {
    await expect(transform(readFileSync(file, 'utf8'), { target: 'es5', logLevel: 'silent' })).resolves.toMatchObject({
      warnings: [],
    });
  },
);

test('the tests do not begin on a Node that is too old', () => {
  expect(packageFile.scripts.test).toMatch(/^node scripts\/check-node\.cjs && /);
});
