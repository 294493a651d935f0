/**
 * Whether `npm run conformance` detects faults: how it reads the suite's results, and the table in docs/conformance.md.
 */
// @module-tag process
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { runCommand } from '../../../checks/conformance/command.ts';
import {
  clientLines,
  lineTable,
  suiteLine,
  tableIn,
  unexplained,
  withTable,
} from '../../../checks/conformance/report.ts';
import { judge, readScenarios, requiredScenarios } from '../../../checks/conformance/suite-result.ts';
import { aiSdk, currentClient, inspector, olderSdk, suite } from '../../../checks/conformance/versions.ts';

type Checks = readonly { readonly id: string; readonly status: string; readonly errorMessage?: string }[];

const good: Checks = [
  { id: 'tools-list', status: 'SUCCESS' },
  { id: 'wire-schema-valid', status: 'SUCCESS' },
];

/** As the suite leaves them; undefined is a scenario that crashed. */
function recorded(results: Readonly<Record<string, Checks | undefined>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'brokerage-mcp-recorded-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const [name, checks] of Object.entries(results)) {
    const place = join(folder, `server-${name}-2026-01-15T15-00-00-123Z`);
    mkdirSync(place);
    if (checks) writeFileSync(join(place, 'checks.json'), JSON.stringify(checks));
  }
  return folder;
}

const requiredNames = ['tools-list', 'server-sse-multiple-streams'];
const judged = (results: Readonly<Record<string, Checks | undefined>>, exitCode = 0, requiredCount = 2) =>
  judge({ scenarios: readScenarios(recorded(results)), requiredNames, requiredCount, exitCode });

test('a run in which every required scenario passed has no fault', () => {
  const result = judged({ 'tools-list': good, 'server-sse-multiple-streams': good, 'tasks-lifecycle': [] });
  expect(result.faults).toEqual([]);
  expect(result.required.map(({ name }) => name).sort()).toEqual([...requiredNames].sort());
  expect(result.others.map(({ name, outcome }) => [name, outcome])).toEqual([['tasks-lifecycle', 'skipped']]);
});

const failed: Checks = [...good, { id: 'order', status: 'FAILURE', errorMessage: 'The order differs.' }];
test.each<[string, Parameters<typeof judged>, string]>([
  ['nothing ran', [{}], 'tools-list did not run.'],
  [
    'one check of many failed',
    [{ 'tools-list': failed, 'server-sse-multiple-streams': good }],
    'tools-list failed: order: The order differs.',
  ],
  ['one scenario is missing', [{ 'tools-list': good }], 'server-sse-multiple-streams did not run.'],
  [
    'one scenario broke down',
    [{ 'tools-list': good, 'server-sse-multiple-streams': undefined }],
    'server-sse-multiple-streams did not run.',
  ],
  [
    'one scenario skipped everything',
    [{ 'tools-list': [{ id: 'tools-list', status: 'SKIPPED' }], 'server-sse-multiple-streams': good }],
    'tools-list checked nothing.',
  ],
  [
    'the suite itself says no',
    [{ 'tools-list': good, 'server-sse-multiple-streams': good }, 1],
    'The suite ended with 1.',
  ],
  [
    'the suite asks for less than it did',
    [{ 'tools-list': good, 'server-sse-multiple-streams': good }, 0, 3],
    'The suite requires 2 scenarios, and 3 were expected.',
  ],
])('it is a fault when %s', (_, run, fault) => {
  expect(judged(...run).faults).toContain(fault);
});

test('a scenario that no revision requires may fail only for a known reason', () => {
  const result = judged({ 'tasks-lifecycle': failed, 'http-header-validation': failed });
  expect(unexplained(result)).toEqual(['http-header-validation failed: order: The order differs.']);
});

test('the required scenarios are read from the server’s part of the list', () => {
  const listing = [
    'Required for 2026-07-28 (4 scenarios, frozen; run at the 2026-07-28 wire):',
    '',
    'Server scenarios (test against a server):',
    '  - tools-list',
    '  - server-sse-multiple-streams',
    '',
    'Client scenarios (test against a client):',
    '  - tools_call',
    '',
    'Run and reported, but never scored:',
    '  extension (1):',
    '    - tasks-lifecycle [server]',
    '',
  ];
  expect(requiredScenarios(listing.join('\n'))).toEqual(requiredNames);
  expect(requiredScenarios('')).toEqual([]);
});

test('a program that does not end is killed, with its children', { tags: ['slow'] }, async () => {
  const script = `
    const child = require('node:child_process').spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']);
    process.stderr.write(String(child.pid));
    setInterval(() => {}, 1000);`;
  const error = await runCommand(process.execPath, ['-e', script], { cwd: '.', timeoutMs: 1_500 }).catch((e) => e);
  expect(error.message).toMatch(/did not end within 1.5 s.\n\d+$/);
  const pid = Number(/\d+$/.exec(error.message)?.[0]);
  const isGone = () => {
    try {
      process.kill(pid, 0);
      return /^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
    } catch {
      return true;
    }
  };
  await expect.poll(isGone).toBe(true);
});

test('the table in docs/conformance.md shows the pinned versions, each client with its transports', () => {
  const text = tableIn(readFileSync('docs/conformance.md', 'utf8'));
  const [, , ...rows] = (text ?? '').split('\n').map((row) => row.split('|').map((cell) => cell.trim()));
  const cellsOf = (name: string) => rows.filter(([, who = '']) => who.startsWith(`\`${name}`));
  const versionsOf = (name: string) => cellsOf(name).flatMap(([, , versions = '']) => versions.split(', '));

  expect(cellsOf(suite.name).map(([, , version, , revision, result]) => [version, revision, result])).toEqual([
    ...suite.revisions.map(({ revision, required }) => [
      suite.version,
      revision,
      expect.stringContaining(`${required} of ${required} required scenarios passed`),
    ]),
    [suite.version, 'all', '2 of 2 required scenarios for an authorization server passed'],
  ]);
  expect(versionsOf(olderSdk.name)).toEqual(olderSdk.versions);
  expect(cellsOf(olderSdk.name).map(([, , versions, over]) => [versions, over])).toContainEqual(['1.8.0', 'stdio']);
  expect(cellsOf(currentClient.name).map(([, who, version, over]) => [who, version, over])).toEqual([
    [`\`${currentClient.name} (legacy)\``, currentClient.version, 'stdio, HTTP'],
    [`\`${currentClient.name} (auto)\``, currentClient.version, 'stdio, HTTP'],
  ]);
  for (const { name, version } of [aiSdk, inspector])
    expect(new Set(versionsOf(name)), `${name} ${version}`).toEqual(new Set([version]));
});

test('a table is inserted whatever its text, and equal versions share a line', () => {
  const visit = { name: 'sdk', revision: '2025-06-18' };
  const lines = clientLines(
    [
      { ...visit, version: '1.0.0', over: 'stdio' },
      { ...visit, version: '2.0.0', over: 'stdio' },
      { ...visit, version: '2.0.0', over: 'HTTP' },
      { ...visit, version: '3.0.0', over: 'stdio' },
      { ...visit, version: '3.0.0', over: 'HTTP' },
      { ...visit, version: '3.0.0', over: 'stdio', mode: 'auto', revision: '2026-07-28' },
    ],
    'done for $1',
  );
  expect(lines.map(({ who, versions, over }) => [who, versions, over])).toEqual([
    ['sdk', '1.0.0', 'stdio'],
    ['sdk', '2.0.0, 3.0.0', 'stdio, HTTP'],
    ['sdk (auto)', '3.0.0', 'stdio'],
  ]);
  const readme = 'a\n\n<!-- conformance:begin (x) -->\n\nold\n\n<!-- conformance:end -->\n\nb\n';
  const written = withTable(readme, lineTable(lines));
  expect(tableIn(written)).toBe(lineTable(lines));
  expect(withTable(written, 'old')).toBe(readme);
  expect(() => withTable('nothing', 'x')).toThrow('markers');
});

test('the result of a revision is shown with its reasons', () => {
  const { result } = suiteLine(
    '2026-07-28',
    judged({ 'tools-list': good, 'tasks-lifecycle': failed, 'tasks-wire-fields': failed, 'json-schema': good }),
  );
  expect(result).toBe(
    '1 of 1 required scenarios passed; of 3 others 1 passed, 2 failed: the tasks extension is not offered',
  );
});
