/** The clients, from the npm registry into a folder of their own: none of their files is near the product. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { npmEnv, reasonOfNpm, runCommand } from './command.ts';
import { packages } from './versions.ts';

const installMs = 300_000;

/** Throws with npm's reason when that cannot be done. */
export async function installClients(folder: string): Promise<void> {
  await writeFile(join(folder, 'package.json'), '{ "private": true }');
  const flags = ['--no-audit', '--no-fund', '--no-save', '--ignore-scripts'];
  const { code, stderr } = await runCommand('npm', ['install', ...flags, ...packages], {
    cwd: folder,
    timeoutMs: installMs,
    env: npmEnv,
  });
  if (code !== 0) throw new Error(`The clients cannot be had from the npm registry:\n${reasonOfNpm(stderr)}`);
}
