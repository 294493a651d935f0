/** The MCPB bundle, unpacked into an empty folder and started as a desktop host starts it. */
import assert from 'node:assert/strict';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { connectStdio } from '../../src/cli/stdio-client.ts';
import { run } from './run.ts';
import { playSession } from './session.ts';

interface Manifest {
  readonly server: { readonly mcp_config: { readonly args: string[]; readonly env: Record<string, string> } };
  readonly tools: { readonly name: string }[];
}

/** As it is written in a manifest. */
const placeholderOf = (name: string): string => `\${${name}}`;

/** `node` is replaced by the Node of the host. */
export async function checkBundle(bundle: string, folder: string, node: string): Promise<void> {
  await run('npx', ['-y', '@anthropic-ai/mcpb@2.1.2', 'unpack', bundle, folder]);
  const manifest: Manifest = JSON.parse(await readFile(join(folder, 'manifest.json'), 'utf8'));
  const { args, env } = manifest.server.mcp_config;
  const filled = args.map((arg) => arg.replaceAll(placeholderOf('__dirname'), folder));
  const names = manifest.tools.map(({ name }) => name);

  const start = async (form: Readonly<Record<string, string>>, unset: (placeholder: string) => string) => {
    const variables = Object.entries(env).map(([name, placeholder]) => [name, form[placeholder] ?? unset(placeholder)]);
    const client = await connectStdio(node, filled, {
      PATH: process.env.PATH,
      HOME: folder,
      ...Object.fromEntries(variables),
    });
    const listed = (await client.listTools()).map(({ name }) => name);
    const { body } = await client.call('get_account_summary', {});
    await client.close();
    assert.equal(body.simulated, true, JSON.stringify(body));
    return listed;
  };
  // Hosts pass an empty field on as the placeholder itself, or as nothing.
  const [environment, readOnly] = ['user_config.environment', 'user_config.read_only'].map(placeholderOf) as [
    string,
    string,
  ];
  const switchOff = { [readOnly]: 'false' };
  assert.deepEqual(await start(switchOff, (placeholder) => placeholder), names);
  assert.deepEqual(await start(switchOff, () => ''), names);
  const reading = await start({ [environment]: 'sandbox', [readOnly]: 'true' }, (placeholder) => placeholder);
  assert.ok(reading.length < names.length && !reading.includes('place_limit_order'));
  await playSession({ node, program: filled[0] as string, folder }, { orders: 'placed' });
}

/**
 * macOS lets a desktop host's own Node load no binary with another signature. The program then uses the SQLite of that
 * Node, so the unpacked bundle still places orders where that is new enough.
 */
export async function checkUnloadable(folder: string, node: string): Promise<void> {
  const prebuilds = join(folder, 'node_modules/@photostructure/sqlite/prebuilds');
  const files = (await readdir(prebuilds, { recursive: true })).filter((name) => name.endsWith('.node'));
  assert.equal(files.length, 6);
  for (const file of files) await writeFile(join(prebuilds, file), 'not a library');
  await playSession({ node, program: join(folder, 'dist/brokerage-mcp.cjs'), folder }, { orders: 'placed' });
}
