/** A check cannot prevent the others from running, whatever it does. */
import { expect, test } from 'vitest';
import { BrokerageError } from '../../../src/core/errors.ts';
import { createDoctorContext, ok } from '../../../src/setup/doctor/context.ts';
import { cloudFolderIn, getFilesystemType } from '../../../src/setup/doctor/folder-checks.ts';
import { type DoctorCheck, runChecks } from '../../../src/setup/doctor/run-checks.ts';
import { findAssignments, findKnown } from '../../../src/setup/doctor/secret-checks.ts';
import { takeLog } from '../../support/faults.ts';
import { createManualClock } from '../../support/manual-clock.ts';
import { machine, planted, terminalOf } from './support.ts';

const check = (name: string, run: DoctorCheck['run'], seconds = 5): DoctorCheck => ({
  name,
  seconds,
  finds: 'a fault',
  run,
});
const fine = (name: string) => check(name, async () => [ok('fine')]);
const never = check('never', () => new Promise(() => undefined));

async function run(checks: readonly DoctorCheck[]) {
  const here = machine();
  here.env.BROKER_API_KEY = planted.key;
  const clock = createManualClock({ startAt: 0, auto: true });
  return { clock, lines: await runChecks(checks, createDoctorContext({}, terminalOf(here)), { clock }) };
}

test('an exception becomes a fault of one line, without a stack and without a secret', async () => {
  const { lines } = await run([
    check('error', async () => {
      throw new Error(`no such thing: ${planted.key}\n    at somewhere (file.ts:1:1)`);
    }),
    check('ours', async () => {
      throw new BrokerageError('internal', 'It is closed.', 'Open it.');
    }),
    check('nothing', async () => {
      throw undefined;
    }),
    fine('after'),
  ]);
  expect(lines).toMatchObject([
    { check: 'error', level: 'fault', says: expect.stringContaining('no such thing: (hidden)') },
    { check: 'ours', level: 'fault', says: 'The check failed: It is closed.', fix: 'Open it.' },
    { check: 'nothing', level: 'fault', says: 'The check failed: unknown.' },
    { check: 'after', level: 'ok' },
  ]);
  expect(JSON.stringify(lines)).not.toMatch(/PLANTED|\\n|file\.ts/);
  const logged = takeLog();
  expect(logged).toMatchObject([
    { task: 'doctor: error', code: 'Error', message: expect.stringContaining('no such thing: (hidden)') },
    { task: 'doctor: nothing', code: 'undefined' },
  ]);
  expect(JSON.stringify(logged)).not.toContain(planted.key);
});

test('a check that hangs is given up after its time, and its signal is aborted', async () => {
  let told = false;
  const hanging = check('hanging', (_, signal) => {
    signal.addEventListener('abort', () => {
      told = true;
    });
    return new Promise(() => undefined);
  });
  const { lines, clock } = await run([hanging, fine('after')]);
  expect(lines).toMatchObject([
    { check: 'hanging', level: 'fault', says: 'The check did not finish within 5 s.' },
    { check: 'after', level: 'ok' },
  ]);
  expect([told, clock.now()]).toEqual([true, 5_000]);
});

test('all checks together take less than fifteen seconds, and those without time left report it', async () => {
  const { lines, clock } = await run([never, never, never, never, fine('last')]);
  expect(clock.now()).toBeLessThan(15_000);
  expect(lines.map(({ level }) => level)).toEqual(['fault', 'fault', 'fault', 'warning', 'warning']);
  expect(lines.at(-1)).toMatchObject({ check: 'last', says: expect.stringContaining('Not checked') });
});

test.each([
  ['/home/ann/Dropbox/state', 'Dropbox'],
  ['/home/ann/Dropbox (Personal)/state', 'Dropbox (Personal)'],
  ['/Users/ann/Library/Mobile Documents/x', 'Mobile Documents'],
  ['/Users/ann/Library/CloudStorage/OneDrive-Work/x', 'CloudStorage'],
  ['C:\\Users\\ann\\OneDrive - Work\\state', 'OneDrive - Work'],
  ['/home/ann/Box/state', 'Box'],
  ['/srv/Box/state', undefined],
  ['/home/ann/dropboxes/state', undefined],
  ['/home/ann/.local/state/brokerage-mcp', undefined],
])('%s is in %s', (path, cloud) => {
  expect(cloudFolderIn(path, '/home/ann')).toBe(cloud);
});

test('the numbers of network filesystems are those of statfs(2), also as negative numbers', () => {
  expect(getFilesystemType(0x6969)).toMatchObject({ is: 'network', name: 'NFS' });
  expect(getFilesystemType(0xff534d42 | 0)).toMatchObject({ is: 'network', name: 'CIFS' });
  expect(getFilesystemType(0x01021994)).toMatchObject({ is: 'memory' });
  expect(getFilesystemType(0xef53)).toBeUndefined();
});

test.each([
  ['BROKER_API_KEY=abcdefgh12', 1],
  ['export BROKER_API_SECRET="abcdefgh12"', 1],
  ['"BROKER_API_KEY": "abcdefgh12"', 1],
  ["  BROKER_HTTP_TOKEN: 'abcdefgh12'", 1],
  ['BROKER_API_KEY_FILE=/home/ann/key-file', 0],
  ['"BROKER_API_KEY": "$' + '{input:brokerKey}"', 0],
  ['BROKER_API_KEY=your-key-goes-here', 0],
  ['BROKER_API_KEY=<the key>', 0],
  ['BROKER_API_KEY=', 0],
  ['BROKER_API_KEY is the key', 0],
])('%s contains %d keys in plain text', (text, count) => {
  expect(findAssignments(`first line\n${text}\n`).map(({ line }) => line)).toEqual(Array(count).fill(2));
});

test('short values are not searched for in ordinary text', () => {
  expect(findKnown('the key is abc', ['abc'])).toEqual([]);
  expect(findKnown(`x\ny ${planted.key}`, [planted.key])).toMatchObject([{ line: 2 }]);
});
