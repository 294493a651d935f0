/**
 * `npm run smoke`: the packages as their users get them, from the registry that npm is configured for, in
 * empty folders with empty caches, on every Node that is promised. Without a registry it fails.
 */
import assert from 'node:assert/strict';
import { cp, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { isNewEnough } from '../../src/core/store/sqlite/binding.ts';
import { checkBundle, checkUnloadable } from './bundle.ts';
import { checkContext } from './context.ts';
import { installCold, packagesIn, programIn, timeFirstAnswer } from './install.ts';
import { fetchNode } from './nodes.ts';
import { inEmptyFolder, run, timed } from './run.ts';
import { playSession } from './session.ts';
import { checkTarball, pack } from './tarball.ts';

/** The floor, and each line that has long-term support since. */
const nodeRanges = ['20.18.1', '20', '22', '24', '26'];
/** Below the floor: one line says so, from the package and from the bundle alike, because both hold the same files. */
const oldRanges = ['16', '18'];

const say = (line: string): void => void process.stdout.write(`${line}\n`);
let failures = 0;

async function step(title: string, work: () => Promise<unknown>): Promise<boolean> {
  try {
    const { seconds, result } = await timed(work);
    say(`ok      ${title}${typeof result === 'string' ? `: ${result}` : ''} (${seconds.toFixed(1)} s)`);
    return true;
  } catch (error) {
    failures++;
    say(`FAILED  ${title}\n        ${error instanceof Error ? error.message : String(error)}`);
    return false;
  }
}

await inEmptyFolder(async (folder) => {
  const within = async (name: string) => {
    await mkdir(join(folder, name));
    return join(folder, name);
  };
  const tarball = await pack(await within('packed'));
  await step('what the package holds', async () => checkTarball(tarball, await within('unpacked')));

  const whole = await within('whole');
  const bare = await within('bare');
  const installed = await step('installed cold', async () => {
    const seconds = await installCold(tarball, whole);
    // npm silently leaves out an optional package that the registry does not deliver.
    const came = (await packagesIn(whole)).join(', ');
    assert.equal(came, '@photostructure, brokerage-mcp, node-addon-api, node-gyp-build', `npm installed only ${came}`);
    // As a shell finds it; on Windows npm makes a .cmd of the same entry.
    await run(join(whole, 'node_modules', '.bin', 'brokerage-mcp'), ['--version']);
    return `${seconds.toFixed(1)} s`;
  });
  // The later steps would fail too, and npm tries each time for a minute.
  if (!installed) return;
  await step('installed cold without optional packages', async () => {
    const seconds = await installCold(tarball, bare, ['--omit=optional']);
    assert.deepEqual(await packagesIn(bare), ['brokerage-mcp']);
    return `${seconds.toFixed(1)} s`;
  });
  await step('the first answer of npx, cold', async () => {
    return `${(await timeFirstAnswer(tarball)).toFixed(1)} s`;
  });

  for (const range of nodeRanges) {
    await step(`node@${range}`, async () => {
      const { version, path, sqlite } = await fetchNode(range);
      const orders = sqlite && isNewEnough(sqlite) ? 'placed' : 'refused';
      // Both at once: a session waits for the sandbox's limits more than for anything else.
      await Promise.all([
        playSession({ node: path, program: programIn(whole), folder }, { orders: 'placed' }),
        playSession({ node: path, program: programIn(bare), folder }, { orders }),
      ]);
      return `${version}; without the package, with ${sqlite ? `SQLite ${sqlite} of its own` : 'no SQLite'}, orders are ${orders}`;
    });
  }

  for (const range of oldRanges) {
    await step(`node@${range}, which is too old`, async () => {
      const { version, path } = await fetchNode(range);
      await assert.rejects(run(path, [programIn(whole)]), ({ message }: Error) => {
        const told = message.slice(message.indexOf(': ') + 2);
        return (
          told.startsWith(`brokerage-mcp needs Node 20.18.1 or newer, and this is Node ${version.slice(1)} `) &&
          !told.includes('\n')
        );
      });
      return version;
    });
  }

  await step('the MCPB bundle', async () => {
    await run('npm', ['run', 'package']);
    const copy = join(await within('bundle'), 'brokerage-mcp.mcpb');
    await cp('build/brokerage-mcp.mcpb', copy);
    const unpacked = join(folder, 'bundle', 'unpacked');
    await checkBundle(copy, unpacked, process.execPath);
    await checkUnloadable(unpacked, (await fetchNode('24')).path);
  });
  await step('the context of the container', async () => checkContext(await within('context')));
});
say(failures === 0 ? 'Every package works as it is published.' : `${failures} failed.`);
process.exitCode = failures === 0 ? 0 : 1;
