/** What single checks say of what they find, without a machine: faults.test.ts breaks real ones. */
import { describe, expect, test } from 'vitest';
import { BrokerageError } from '../../../src/core/errors.ts';
import { requiredNodeVersion, version } from '../../../src/core/process/version.ts';
import { checkClock, checkRequest, skipReason } from '../../../src/setup/doctor/connection-checks.ts';
import type { CheckResult, DoctorContext, Finding } from '../../../src/setup/doctor/context.ts';
import { checkNode } from '../../../src/setup/doctor/program-checks.ts';
import {
  computeExitCode,
  countWords,
  jsonReport,
  plainLines,
  plainSummary,
} from '../../../src/setup/doctor/run-checks.ts';
import { checkStoreContent } from '../../../src/setup/doctor/store-checks.ts';
import { checkAuditTrail } from '../../../src/setup/doctor/trading-checks.ts';

const signal = new AbortController().signal;
const contextOf = (parts: object) => parts as unknown as DoctorContext;
const config = { environment: 'sandbox' };
const levels = (found: readonly Finding[]) => found.map(({ level }) => level);

describe('the clock of this machine', () => {
  const check = (answer: object, platform = 'linux') =>
    checkClock(contextOf({ config, terminal: { platform }, askSummary: async () => answer }), signal);

  // The header is cut to full seconds, so half a second is added to the offset of the service.
  test.each<[number, string, string]>([
    [-500, 'ok', 'Within 1 s of the service’s.'],
    [4_999, 'ok', 'Within 5 s of the service’s.'],
    [5_000, 'warning', 'This machine’s clock is 6 s behind the service’s.'],
    [-5_900, 'ok', 'Within 5 s of the service’s.'],
    [-6_500, 'warning', 'This machine’s clock is 6 s ahead of the service’s.'],
    [59_999, 'warning', 'This machine’s clock is 60 s behind the service’s.'],
    [
      60_000,
      'fault',
      'This machine’s clock is 61 s behind the service’s: rate limits, approvals and the search for lost orders depend on it.',
    ],
  ])('with the service %d ms ahead', async (serviceOffsetMs, level, says) => {
    expect(await check({ serviceOffsetMs })).toMatchObject([{ level, says }]);
  });

  test.each([
    ['linux', 'sudo timedatectl set-ntp true'],
    ['darwin', 'sudo sntp -sS time.apple.com'],
    ['win32', 'w32tm /resync'],
    ['aix', 'see the manual of your system'],
  ])('is corrected on %s with its own command', async (platform, command) => {
    expect(await check({ serviceOffsetMs: 9_000 }, platform)).toMatchObject([
      {
        fix: `Synchronise the clock with the network: ${command} (in a virtual machine or a container, on its host).`,
      },
    ]);
  });

  test.each([
    [{ shared: true }, 'Unknown: the response was shared with an earlier request.'],
    [{ shared: false }, 'Unknown: the service does not send its time.'],
  ])('is not judged without the time of the service', async (answer, says) => {
    expect(await check(answer)).toMatchObject([{ level: 'note', says }]);
  });
});

describe('the request', () => {
  test.each<[string, object, string | undefined]>([
    ['is not made offline', { config, isOffline: true }, 'Not checked: --offline sends no requests.'],
    ['is not made without a configuration', {}, 'Not checked: the configuration is incomplete.'],
    ['is made to the sandbox without a key', { config }, undefined],
    [
      'is not made to a service without a key',
      { config: { environment: 'demo', baseUrl: 'x' } },
      'Not checked: the configuration is incomplete.',
    ],
    [
      'is not made without an address',
      { config: { environment: 'demo', credentials: {} } },
      'Not checked: the configuration is incomplete.',
    ],
    ['is made with both', { config: { environment: 'demo', baseUrl: 'x', credentials: {} } }, undefined],
  ])('%s', (_, parts, says) => {
    expect(skipReason(contextOf(parts))?.says).toBe(says);
  });

  const ask = (data: object, shared: boolean, environment = 'sandbox', source = 'headers') => {
    const row = { endpoint: 'GET /equity/account/summary', limit: 1, periodSeconds: 5, free: 0, source };
    const services = { allowance: async () => [{ ...row, endpoint: 'GET /other', limit: 9 }, row] };
    const rest = { baseUrl: 'x', credentials: {} };
    const askSummary = async () => ({ data, shared });
    return checkRequest(
      contextOf({ config: { environment, ...rest }, askSummary, parts: () => ({ services }) }),
      signal,
    );
  };
  test('that is answered names the account by the end of its id, its currency and its limit', async () => {
    expect(await ask({ id: '12345678', currency: 'GBP' }, true)).toEqual([
      { level: 'ok', says: 'The summary was served from a recent request: account …5678 in GBP (simulated).' },
      { level: 'ok', says: 'Its limit is 1 per 5 s (from its headers); 0 free now.' },
    ]);
    const [first, second] = await ask({ id: '12345' }, false, 'demo', 'interface');
    expect(first?.says).toMatch(/^The summary was read in \d+ ms: account …45 in an unknown currency\.$/);
    expect(second?.says).toBe('Its limit is 1 per 5 s (from the interface, without headers); 0 free now.');
    expect((await ask({}, true, 'demo'))[0]?.says).toContain('account without a number in an unknown currency.');
  });

  const fail = async (code: string, facts: object = {}, credentials: object = {}, storeError?: string) => {
    const askSummary = async () => {
      throw new BrokerageError(code as never, 'It failed.', 'Do that.', facts as never);
    };
    const services = { getStoreError: () => storeError };
    const demo = { environment: 'demo', baseUrl: 'x', credentials };
    const [found] = await checkRequest(contextOf({ config: demo, askSummary, parts: () => ({ services }) }), signal);
    return found;
  };
  test.each<[string, object, object, string, string, RegExp]>([
    [
      'unauthorized',
      { status: 401 },
      {},
      'fault',
      'It failed (status 401).',
      /^Check that the key is complete.*demo environment.*BROKER_API_SECRET_FILE/,
    ],
    [
      'unauthorized',
      {},
      { secret: 's' },
      'fault',
      'It failed.',
      /^Check that key and secret belong to the demo environment/,
    ],
    ['forbidden', {}, {}, 'fault', 'It failed.', /^Give the key the permission/],
    ['rate_limited', { retryAfterSeconds: 7 }, {}, 'warning', 'It failed.', /^Wait 7 s and/],
    ['rate_limited', {}, {}, 'warning', 'It failed.', /^Wait 60 s and/],
    ['timeout', {}, {}, 'fault', 'It failed.', /^Open the service’s address in a browser/],
    ['upstream_error', { status: 503 }, {}, 'fault', 'It failed.', /^Wait a few minutes/],
    ['unexpected_answer', { status: 200 }, {}, 'fault', 'It failed.', /^Check BROKER_DEMO_BASE_URL /],
    ['not_found', {}, {}, 'fault', 'It failed.', /^Do that\.$/],
  ])('that fails with %s', async (code, facts, credentials, level, says, fix) => {
    expect(await fail(code, facts, credentials)).toEqual({ level, says, fix: expect.stringMatching(fix) });
  });
  test('that the store delayed is no fault of the network', async () => {
    expect(await fail('timeout', {}, {}, 'locked')).toMatchObject({
      level: 'note',
      says: 'Unknown: the store delayed the request.',
    });
    expect(await fail('forbidden', {}, {}, 'locked')).toMatchObject({ level: 'fault' });
  });
});

describe('Node', () => {
  const needed = requiredNodeVersion.replace('>=', '');
  const [major = 0, minor = 0, patch = 0] = needed.split('.').map(Number);
  const check = (node: string, options?: string) =>
    checkNode(
      contextOf({ terminal: { machine: { node, arch: 'x64' }, platform: 'linux', env: { NODE_OPTIONS: options } } }),
    );
  test.each<[string, string]>([
    [needed, 'ok'],
    [`${major}.${minor}.${patch + 1}`, 'ok'],
    [`${major}.${minor + 1}.0`, 'ok'],
    [`${major + 1}.0.0`, 'ok'],
    [`${major + 80}.0.0`, 'ok'],
    [`${major - 1}.99.99`, 'fault'],
    [`${major}.${minor - 1}.99`, 'fault'],
    [`${major}`, 'fault'],
  ])('of version %s is %s', async (node, level) => {
    expect(levels(await check(node))).toEqual([level]);
  });
  test.each<[string, readonly string[]]>([
    ['--inspect', ['--inspect']],
    ['--inspect=0.0.0.0:9229', ['--inspect']],
    ['--inspect-brk --inspect-wait', ['--inspect-brk', '--inspect-wait']],
    ['--report-on-fatalerror', ['--report-on-fatalerror']],
    ['--heapsnapshot-signal=SIGUSR2', ['--heapsnapshot-signal']],
    ['--heap-prof --heap-prof', ['--heap-prof']],
    ['--max-old-space-size=99', []],
    ['--inspect-publish-uid=http', []],
    ['--inspector', []],
  ])('with %s', async (options, shown) => {
    const found = await check(needed, options);
    expect(levels(found)).toEqual(shown.length > 0 ? shown.map(() => 'warning') : ['ok']);
    for (const [index, option] of shown.entries()) expect(found[index]?.says).toContain(`NODE_OPTIONS has ${option}, `);
  });
  test('that is too old and revealing is both', async () => {
    expect(levels(await check('18.0.0', '--inspect'))).toEqual(['warning', 'fault']);
  });
});

describe('the content of the store', () => {
  const check = (found: object, place: object = { stateDir: '/state' }) =>
    checkStoreContent(
      contextOf({
        place,
        parts: () => ({ inspectStore: async () => ({ missing: [], unreadable: [], read: 0, ...found }) }),
      }),
    );
  test('is complete', async () => {
    expect(await check({ read: 1 })).toEqual([
      { level: 'ok', says: 'All tables are complete, and 1 row of them can be read.' },
    ]);
  });
  test.each([
    [['a', 'b', 'c', 'd', 'e'], 'The store lacks a, b, c, d, e.'],
    [['a', 'b', 'c', 'd', 'e', 'f'], 'The store lacks a, b, c, d, e, ….'],
  ])('lacks up to five names, and more are not listed', async (missing, says) => {
    expect(await check({ missing })).toMatchObject([{ level: 'fault', says }]);
  });
  test('has rows that cannot be read, and tables that are missing', async () => {
    const unreadable = [
      { table: 'intents', rows: 1, of: 3 },
      { table: 'audit', rows: 2, of: 5 },
    ];
    const found = await check({ missing: ['x'], unreadable });
    expect(levels(found)).toEqual(['fault', 'fault']);
    expect(found[1]).toMatchObject({
      says: 'The store has rows that cannot be read: 1 of the 3 rows of intents that were read, 2 of the 5 rows of audit that were read.',
    });
  });
  test('is kept as evidence before a backup takes its place', async () => {
    const [local] = await check({ missing: ['x'] });
    expect(local).toMatchObject({
      fix: expect.stringContaining("(cp '/state/store.sqlite' '/state/store.sqlite.evidence')"),
    });
    const [shared] = await check({ missing: ['x'] }, { stateUrl: 'postgres://me:secret@host/db' });
    expect(shared).toMatchObject({ fix: expect.stringContaining("(pg_dump 'postgres://host/db' > evidence.sql)") });
  });
});

test.each([
  [{ stateDir: '/state' }, "cp '/state/store.sqlite' '/state/store.sqlite.evidence'"],
  [{ stateUrl: 'postgres://me:secret@host/db' }, "pg_dump 'postgres://host/db' > evidence.sql"],
])('a broken chain names the first record that does not follow, and how to keep a copy', async (place, copy) => {
  const verify = async () => ({ holds: false, rows: 6, brokenAt: 7 });
  const found = await checkAuditTrail(
    contextOf({ place, stateDir: '/state', parts: () => ({ services: { audit: { verify } } }) }),
  );
  expect(found).toEqual([
    {
      level: 'fault',
      says: 'The chain is broken at record 7: a record was changed, removed or added outside this program.',
      fix: `Keep a copy (${copy}), compare brokerage-mcp status with the orders in the broker’s application, and find out who else writes there.`,
    },
  ]);
});

describe('a report', () => {
  const line = (level: 'ok' | 'note' | 'warning' | 'fault', check = 'node'): CheckResult =>
    level === 'ok' ? { check, level, says: 'It is so.' } : { check, level, says: 'It is so.', fix: 'Do that.' };
  test('has a line for each finding, and its fix below', () => {
    expect(plainLines(line('ok'), 6)).toEqual(['ok       node  It is so.']);
    expect(plainLines(line('fault'), 6)).toEqual(['fault    node  It is so.', '               → Do that.']);
  });
  test.each([
    [['ok', 'ok'], 'No fault: 2 ok.', 0],
    [['warning', 'ok', 'note', 'warning'], 'No fault: 2 warnings, 1 note, 1 ok.', 0],
    [['ok', 'fault'], '1 fault, 1 ok.', 1],
    [['fault', 'note', 'fault', 'note'], '2 faults, 2 notes.', 1],
  ] as const)('counts %j as "%s" with the exit code %d', (found, summary, code) => {
    const lines = found.map((level) => line(level));
    expect([plainSummary(lines), computeExitCode(lines)]).toEqual([summary, code]);
    expect(JSON.parse(jsonReport(lines))).toMatchObject({ version, healthy: code === 0, lines });
  });
  test('counts each level for programs', () => {
    const lines = [line('fault'), line('note'), line('note'), line('ok')];
    expect(JSON.parse(jsonReport(lines)).counts).toEqual({ fault: 1, warning: 0, note: 2, ok: 1 });
    expect(countWords(lines)).toEqual(['1 fault', '2 notes', '1 ok']);
  });
});
