/**
 * `npm run package`: build/brokerage-mcp.mcpb, the bundle that a desktop host installs with one click,
 * and its checksum. One bundle serves every platform, so the binaries of all of them are in it.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { buildManifest } from './mcpb-manifest.ts';

const folder = 'build/mcpb';
const bundle = 'build/brokerage-mcp.mcpb';
/** Outside devDependencies: only who packs needs it, and it brings forty packages. */
const packer = '@anthropic-ai/mcpb@2.1.2';

const ownFiles = ['dist', 'docs/icon.png', 'LICENSE', 'README.md'];

/**
 * What runs of the package that brings SQLite, and of the loader that it needs. Its sources are 9 of its
 * 29 MB, and the binaries for musl serve containers, which no desktop is.
 */
const packageFiles = [
  '@photostructure/sqlite/package.json',
  '@photostructure/sqlite/LICENSE',
  '@photostructure/sqlite/dist/index.cjs',
  ...['darwin-arm64', 'darwin-x64', 'linux-arm64', 'linux-x64', 'win32-arm64', 'win32-x64'].map(
    (platform) => `@photostructure/sqlite/prebuilds/${platform}/@photostructure+sqlite.glibc.node`,
  ),
  'node-gyp-build/package.json',
  'node-gyp-build/LICENSE',
  'node-gyp-build/index.js',
  'node-gyp-build/node-gyp-build.js',
].map((path) => `node_modules/${path}`);

const run = (command: string, ...args: string[]) => execFileSync(command, args, { stdio: 'inherit' });
const mcpb = (...args: string[]) => run('npx', '-y', packer, ...args);

run(process.execPath, 'scripts/build.mjs');
rmSync('build', { recursive: true, force: true });
for (const path of [...ownFiles, ...packageFiles]) {
  mkdirSync(join(folder, dirname(path)), { recursive: true });
  cpSync(path, join(folder, path), { recursive: true });
}
writeFileSync(join(folder, 'manifest.json'), `${JSON.stringify(buildManifest('docs/icon.png'), null, 2)}\n`);
mcpb('validate', join(folder, 'manifest.json'));
mcpb('pack', folder, bundle);
mcpb('info', bundle);
const digest = createHash('sha256').update(readFileSync(bundle)).digest('hex');
process.stdout.write(`\nsha256 ${digest}  ${bundle}\n`);
