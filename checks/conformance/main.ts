/**
 * `npm run conformance -- [--only suite|clients|inspector] [--write]`: the official suite, clients of every
 * generation and the Inspector, all from the npm registry, against the product. With `--write` the table
 * goes into docs/conformance.md.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { runAuthorization } from './authorization.ts';
import { inspect } from './inspector.ts';
import { installClients } from './install.ts';
import { launchIn, startHttpProcess } from './launch.ts';
import { clientLines, type Line, lineTable, suiteLine, unexplained, withTable } from './report.ts';
import { visitAll, whatIsDone } from './run-clients.ts';
import { fetchSuite, noticesBroken, runRevision } from './suite.ts';
import { inspector, suite } from './versions.ts';

const parts = ['suite', 'clients', 'inspector'];
const say = (line: string): void => void process.stdout.write(`${line}\n`);
const startedAt = Date.now();
const lines: Line[] = [];
const faults: string[] = [];

const options = readOptions();
if (typeof options === 'string') {
  process.stderr.write(`conformance: ${options}\n`);
  process.exitCode = 2;
} else {
  execFileSync(process.execPath, ['scripts/build.mjs'], { stdio: 'inherit' });
  const folder = mkdtempSync(join(tmpdir(), 'brokerage-mcp-conformance-'));
  // However the run ends, also by a signal, no file of it is left.
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130));
  try {
    await tryAll(folder, options.only);
  } catch (error) {
    faults.push((error as Error).message);
  }
  await tell(options.write);
  // A hanging client would keep this process alive; a server whose client is gone ends automatically.
  setTimeout(() => process.exit(), 5_000).unref();
}

/** What was typed; a sentence when it is invalid. */
function readOptions(): { readonly only: string | undefined; readonly write: boolean } | string {
  try {
    const { values } = parseArgs({ options: { only: { type: 'string' }, write: { type: 'boolean', default: false } } });
    const { only, write } = values;
    if (only !== undefined && !parts.includes(only)) return `--only is one of ${parts.join(', ')}.`;
    if (only !== undefined && write) return '--write needs a whole run: leave --only out.';
    return { only, write };
  } catch (error) {
    return (error as Error).message;
  }
}

async function tryAll(folder: string, only: string | undefined): Promise<void> {
  const has = (part: string) => only === undefined || only === part;
  if (has('suite')) await trySuite(folder);
  if (has('clients') || has('inspector')) await installClients(folder);
  if (has('clients')) await tryClients(folder);
  if (has('inspector')) await tryInspector(folder);
}

async function trySuite(folder: string): Promise<void> {
  await fetchSuite(folder);
  for (const one of suite.revisions) {
    const result = await runRevision(folder, one);
    faults.push(...[...result.faults, ...unexplained(result)].map((fault) => `${one.revision}: ${fault}`));
    const line = suiteLine(one.revision, result);
    lines.push(line);
    say(`${line.who} ${one.revision}: ${line.result}`);
    for (const { name, warnings } of [...result.required, ...result.others])
      for (const warning of warnings) say(`  advice not followed, ${name}: ${warning}`);
  }
  const login = await runAuthorization(folder);
  faults.push(...login.faults.map((fault) => `login: ${fault}`));
  const passed = login.required.filter(({ outcome }) => outcome === 'passed').length;
  const result = `${passed} of ${login.required.length} required scenarios for an authorization server passed`;
  lines.push({ who: suite.name, versions: suite.version, over: 'HTTP', revision: 'all', result });
  say(`${suite.name}: ${result}`);
  if (await noticesBroken(folder)) say('A server that is broken on purpose was noticed.');
  else faults.push('A server that is broken on purpose was not noticed.');
}

async function tryClients(folder: string): Promise<void> {
  const visits = await visitAll(folder, say);
  lines.push(...clientLines(visits.done, whatIsDone));
  faults.push(...visits.faults);
}

async function tryInspector(folder: string): Promise<void> {
  const overStdio = await inspect(folder, await launchIn(folder));
  const server = await startHttpProcess(folder);
  const overHttp = await inspect(folder, server).finally(() => server.end());
  say(`${inspector.name} ${inspector.version}: ${overStdio} questions over stdio, ${overHttp} over HTTP`);
  const result = 'lists, calls, errors, a resource, a prompt; no schema that its strict check refuses';
  lines.push({
    who: `${inspector.name} --cli`,
    versions: inspector.version,
    over: 'stdio, HTTP',
    // Its only setting is the era, and it does not report the agreed revision.
    revision: 'legacy, modern',
    result,
  });
}

async function tell(write: boolean): Promise<void> {
  const text = lineTable(lines);
  say(`\nNode ${process.version}, ${((Date.now() - startedAt) / 60_000).toFixed(1)} minutes.`);
  if (lines.length > 0) say(`\n${text}`);
  for (const fault of faults) process.stderr.write(`\nFAILED ${fault}\n`);
  process.exitCode = faults.length === 0 ? 0 : 1;
  if (!write) return;
  // A table of a failed run would be wrong.
  if (faults.length > 0) return void process.stderr.write('\nconformance: docs/conformance.md is left as it is.\n');
  await writeFile('docs/conformance.md', withTable(await readFile('docs/conformance.md', 'utf8'), text));
  say('\ndocs/conformance.md has the table.');
}
