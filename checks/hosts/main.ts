/**
 * `npm run hosts -- [--only HOST] [--write]`: real hosts from the npm registry, each configured by `init`, play a script
 * of calls with a model on loopback. With `--write` the table goes into docs/hosts.md.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { tools } from '../../src/app/registry.ts';
import { npmEnv, reasonOfNpm, runCommand } from '../conformance/command.ts';
import { type HostRun, hostRuns } from './hosts.ts';
import { type HostOutcome, runHost } from './run-host.ts';
import { titles } from './steps.ts';

const installMs = 300_000;
const say = (line: string): void => void process.stdout.write(`${line}\n`);

const { values } = parseArgs({ options: { only: { type: 'string' }, write: { type: 'boolean', default: false } } });
const chosen = hostRuns.filter(({ id }) => values.only === undefined || id === values.only);
if (chosen.length === 0 || (values.write && values.only !== undefined)) {
  process.stderr.write(`hosts: --only is one of ${hostRuns.map(({ id }) => id).join(', ')}, and --write needs all.\n`);
  process.exitCode = 2;
} else await runAll(chosen);

async function runAll(hosts: readonly HostRun[]): Promise<void> {
  execFileSync(process.execPath, ['scripts/build.mjs'], { stdio: 'inherit' });
  const folder = mkdtempSync(join(tmpdir(), 'brokerage-mcp-hosts-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130));
  const reason = await install(folder, hosts);
  if (reason !== undefined) {
    // Whoever has no registry has tested nothing; that is no fault of the program.
    say(`The hosts cannot be had from the npm registry, so none was run:\n${reason}`);
    return;
  }
  const outcomes: (readonly [HostRun, HostOutcome])[] = [];
  for (const host of hosts) {
    const ours = tools.map(({ name }) => name);
    let outcome = await runHost(host, folder, ours);
    if (!outcome.hasBegun) {
      // A machine can lack what the host itself needs, which says nothing of this program.
      say(`${host.name} ${host.version} does not run here:\n${outcome.said}`);
      continue;
    }
    if (hasFaults(outcome)) {
      // On a busy machine a host can begin before its server has answered, or give up a call; then a second run counts.
      say(`${host.name} runs again after: ${JSON.stringify(outcome.faults)}`);
      outcome = await runHost(host, folder, ours);
    }
    outcomes.push([host, outcome]);
    const faults = Object.entries(outcome.faults).filter(([, fault]) => fault !== undefined);
    const played = Object.keys(outcome.faults).length;
    say(`${host.name} ${host.version}: ${outcome.tools} tools, ${faults.length} of ${played} steps failed`);
    for (const [title, fault] of faults) say(`  ${title}: ${fault}`);
    if (faults.length > 0) {
      say(outcome.said);
      process.exitCode = 1;
    }
  }
  const table = formatTable(outcomes);
  say(table);
  if (!values.write) return;
  if (outcomes.length < hosts.length) throw new Error('A table needs every host.');
  await writeTable(table);
}

function hasFaults({ faults }: HostOutcome): boolean {
  return Object.values(faults).some((fault) => fault !== undefined);
}

/** Returns the reason why they cannot be had; undefined when they are installed. */
async function install(folder: string, hosts: readonly HostRun[]): Promise<string | undefined> {
  await writeFile(join(folder, 'package.json'), '{ "private": true }');
  const packages = hosts.map((host) => `${host.package}@${host.version}`);
  // Two of them fetch their program in an install script; nothing else is in this folder.
  const args = ['install', '--no-audit', '--no-fund', '--no-save', ...packages];
  const { code, stderr } = await runCommand('npm', args, { cwd: folder, timeoutMs: installMs, env: npmEnv });
  return code === 0 ? undefined : reasonOfNpm(stderr);
}

function formatTable(outcomes: readonly (readonly [HostRun, HostOutcome])[]): string {
  const row = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  const names = outcomes.map(([{ name, version }]) => `${name} ${version}`);
  return [
    row(['', ...names]),
    row(['---', ...names.map(() => '---')]),
    row(['tools that the model is shown', ...outcomes.map(([, { tools: shown }]) => String(shown))]),
    ...titles.map((title) =>
      row([
        title,
        ...outcomes.map(([, { faults }]) => (title in faults ? (faults[title] ? 'no' : 'yes') : 'has none')),
      ]),
    ),
  ].join('\n');
}

async function writeTable(table: string): Promise<void> {
  const path = 'docs/hosts.md';
  const text = await readFile(path, 'utf8');
  const marked = /(<!-- hosts:begin[^\n]*-->\n)[\s\S]*?(\n<!-- hosts:end -->)/;
  if (!marked.test(text)) throw new Error(`${path} has no place for the table.`);
  await writeFile(
    path,
    text.replace(marked, (_, begin, end) => `${begin}\n${table}\n${end}`),
  );
}
