/** The package's export: a program that installs the package imports the simulator, with its types. */
// @module-tag process
import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';

const run = (folder: string, file: string, ...args: string[]) =>
  execFileSync(file, args, { cwd: folder, encoding: 'utf8' });

/** A project beside the packed package. The types of Node are needed for AbortSignal and URL. */
async function createProject(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'brokerage-mcp-export-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  // Without scripts, because other tests use the built program that `prepare` would replace.
  const [packed] = JSON.parse(run('.', 'npm', 'pack', '--json', '--ignore-scripts', '--pack-destination', folder));
  const installed = join(folder, 'node_modules/brokerage-mcp');
  await mkdir(installed, { recursive: true });
  run(folder, 'tar', '-xzf', packed.filename, '--strip-components', '1', '-C', installed);
  await mkdir(join(folder, 'node_modules/@types'));
  for (const name of ['@types/node', 'undici-types'])
    await symlink(resolve('node_modules', name), join(folder, 'node_modules', name));
  await writeFile(join(folder, 'package.json'), '{"type":"module"}');
  return folder;
}

const program = `
import { createTestClock, startSimulator, type Fault, type GroundTruth, type Quirks } from 'brokerage-mcp/simulator';

const clock = createTestClock(Date.UTC(2026, 0, 15, 15));
const quirks: Partial<Quirks> = { nullFields: true };
const simulator = await startSimulator({ clock, quirks, instrumentCount: 100 });
const fault: Fault = { endpoint: 'listPositions', kind: 'status', status: 503 };
simulator.faults.push(fault);
const get = (path: string) =>
  fetch(simulator.origin + '/api/v0' + path, { headers: { authorization: 'Basic ' + btoa('sandbox:sandbox') } });
const statuses = [(await get('/equity/positions')).status];
clock.advance(1000);
statuses.push((await get('/equity/positions')).status, (await get('/equity/positions')).status);
const orderId: string = simulator.inject.order({ ticker: 'QVIGL', quantity: 1, type: 'LIMIT', limitPrice: 20 });
const books: GroundTruth = simulator.groundTruth();
console.log(JSON.stringify({ statuses, isPending: books.pendingOrders.some(({ id }) => id === orderId) }));
await simulator.close();
`;

test('a program in TypeScript and one in JavaScript use it', { tags: ['slow'] }, async () => {
  const folder = await createProject();
  await writeFile(join(folder, 'program.ts'), program);
  const options = ['--module', 'nodenext', '--target', 'es2023', '--strict', '--exactOptionalPropertyTypes'];
  run(folder, resolve('node_modules/.bin/tsc'), 'program.ts', '--outDir', 'out', '--types', 'node', ...options);
  await writeFile(join(folder, 'out/package.json'), '{"type":"module"}');
  expect(JSON.parse(run(folder, process.execPath, 'out/program.js'))).toEqual({
    statuses: [503, 200, 429],
    isPending: true,
  });
  const required = run(
    folder,
    process.execPath,
    '-e',
    "console.log(Object.keys(require('brokerage-mcp/simulator')).sort().join())",
  );
  expect(required.trim()).toBe('allHarmlessQuirks,createTestClock,listPastValues,noQuirks,startSimulator,toPlainId');
});

test('the example of the guide passes', { tags: ['slow'] }, async () => {
  const folder = await createProject();
  const example = /```ts\n([\s\S]*?)```/.exec(await readFile('docs/simulator.md', 'utf8'))?.[1] ?? '';
  expect(example).toContain("from 'brokerage-mcp/simulator'");
  await writeFile(join(folder, 'example.ts'), example);
  const options = ['--module', 'nodenext', '--target', 'es2023', '--strict'];
  run(folder, resolve('node_modules/.bin/tsc'), 'example.ts', '--outDir', 'out', '--types', 'node', ...options);
  await writeFile(join(folder, 'out/package.json'), '{"type":"module"}');
  expect(run(folder, process.execPath, '--test', '--test-reporter', 'tap', 'out/example.js')).toContain('# pass 1\n');
});

test('the types name only what the file declares', { tags: ['slow'] }, async () => {
  const folder = await createProject();
  await writeFile(join(folder, 'all.ts'), "export * from 'brokerage-mcp/simulator';\n");
  const options = ['--noEmit', '--module', 'nodenext', '--strict', '--skipLibCheck', 'false'];
  expect(run(folder, resolve('node_modules/.bin/tsc'), 'all.ts', '--types', 'node', ...options)).toBe('');
});

test('the package still starts as a command', { tags: ['slow'] }, async () => {
  const folder = await createProject();
  const version = run(folder, process.execPath, 'node_modules/brokerage-mcp/dist/brokerage-mcp.cjs', '--version');
  expect(version).toMatch(/^\d+\.\d+\.\d+/);
});
