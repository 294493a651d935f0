// @module-tag process
// @module-tag slow
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';

/** A folder with a package.json, in which the scripts of a release run. */
function makeCheckout(changes: object = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'brokerage-mcp-release-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  mkdirSync(join(folder, 'node_modules'));
  cpSync('scripts', join(folder, 'scripts'), { recursive: true });
  const file = join(folder, 'package.json');
  const text = `${JSON.stringify({ ...JSON.parse(readFileSync('package.json', 'utf8')), ...changes }, null, 2)}\n`;
  writeFileSync(file, text);
  const manifest = (work: string) =>
    execFileSync(process.execPath, [resolve('scripts/packed-manifest.mjs'), work], { cwd: folder });
  return { folder, text, read: () => readFileSync(file, 'utf8'), manifest };
}

test('the packed package.json has what an installation needs, and the original comes back byte by byte', () => {
  const { text, read, manifest } = makeCheckout();
  manifest('write');
  const packed = JSON.parse(read());
  const { scripts, devDependencies, overrides, ...rest } = JSON.parse(text);
  expect([typeof scripts.prepare, typeof devDependencies, typeof overrides]).toEqual(['string', 'object', 'object']);
  expect(packed).toEqual(rest);
  manifest('restore');
  expect(read()).toBe(text);
});

test('packing again after an interruption starts from the original', () => {
  const { text, read, manifest } = makeCheckout();
  manifest('write');
  manifest('write');
  manifest('restore');
  expect(read()).toBe(text);
  manifest('restore');
  expect(read()).toBe(text);
});

test.each([
  ['v1.2.3', { version: '1.2.3', private: undefined, mcpName: 'io.github.a/b' }, 0, []],
  ['v1.2.4', { version: '1.2.3', private: undefined, mcpName: 'io.github.a/b' }, 1, ['The tag is v1.2.4']],
  ['v1.2.3', { version: '1.2.3', private: true, mcpName: 'com.example/b' }, 1, ['"private"', 'mcpName is']],
])('a release of %s with %j ends with %i', (tag, changes, code, faults) => {
  const { folder } = makeCheckout(changes);
  const script = join(folder, 'scripts/check-release.mjs');
  const { status, stderr } = spawnSync(process.execPath, [script, tag], { cwd: folder, encoding: 'utf8' });
  expect(status).toBe(code);
  expect(stderr.trim().split('\n').filter(Boolean)).toHaveLength(faults.length);
  for (const fault of faults) expect(stderr).toContain(fault);
});
