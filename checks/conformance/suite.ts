/** The official suite against the product's own wiring, and once against a server that is broken on purpose. */
import { join } from 'node:path';
import type { McpServer } from '@modelcontextprotocol/server';
import { type Ended, lastLines, npmEnv, reasonOfNpm, runCommand } from './command.ts';
import { createFixtures } from './fixtures/index.ts';
import { judge, readScenarios, requiredScenarios, type SuiteResult } from './suite-result.ts';
import { startSuiteServer } from './suite-server.ts';
import { suite } from './versions.ts';

const stepMs = 120_000;
/** The first step brings a Node, which is large. */
const firstStepMs = 300_000;

function runSuite(folder: string, args: readonly string[], timeoutMs = stepMs): Promise<Ended> {
  const from = ['-y', '-p', suite.node, '-p', `${suite.name}@${suite.version}`];
  return runCommand('npx', [...from, 'conformance', ...args], { cwd: folder, timeoutMs, env: npmEnv });
}

/** Downloads the suite. Throws with npm's reason when that cannot be done. */
export async function fetchSuite(folder: string): Promise<void> {
  const { code, stdout, stderr } = await runSuite(folder, ['--version'], firstStepMs);
  if (code !== 0 || stdout.trim() === '')
    throw new Error(`The suite cannot be had from the npm registry:\n${reasonOfNpm(stderr)}`);
}

export async function runRevision(
  folder: string,
  { revision, required }: (typeof suite.revisions)[number],
): Promise<SuiteResult> {
  const listed = await runSuite(folder, ['list', '--requirements', revision]);
  const server = await startSuiteServer(folder, createFixtures());
  const out = join(folder, 'results', revision);
  try {
    const { code, stdout } = await runSuite(folder, [
      ...['server', '--url', server.url, '--requirements', revision],
      ...['-o', out],
    ]);
    const result = judge({
      scenarios: readScenarios(out),
      requiredNames: requiredScenarios(listed.stdout),
      requiredCount: required,
      exitCode: code,
    });
    const ours = server.faults.map(({ code, place }) => `The server reported ${code} in ${place}`);
    const said = result.faults.length > 0 ? [lastLines(stdout, 60)] : [];
    return { ...result, faults: [...result.faults, ...ours, ...said] };
  } finally {
    await server.close();
  }
}

/** A server on which a tool that must fail reports success. */
const brokenScenario = 'tools-call-error';
const breakErrors = (server: McpServer) =>
  void server.registerTool('test_error_handling', { description: 'Should fail.' }, () => ({
    content: [{ type: 'text', text: 'All is well.' }],
  }));

/** Whether a scenario that must fail is detected: by the suite, and by our reading of it. */
export async function noticesBroken(folder: string): Promise<boolean> {
  const server = await startSuiteServer(folder, breakErrors);
  const out = join(folder, 'results', 'broken');
  try {
    const { code } = await runSuite(folder, ['server', '--url', server.url, '--scenario', brokenScenario, '-o', out]);
    const scenarios = readScenarios(out);
    const { faults } = judge({ scenarios, requiredNames: [brokenScenario], requiredCount: 1, exitCode: 0 });
    return code !== 0 && faults.length > 0 && scenarios[0]?.outcome === 'failed';
  } finally {
    await server.close();
  }
}
