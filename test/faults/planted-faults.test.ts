/**
 * A TypeError is planted in one function of a copy of the built program, which then runs as a process. Wherever it is,
 * it must appear once on standard error with its function and file, and once in the audit trail; and what the caller
 * gets must be safe and true.
 */
// @module-tag process
// @module-tag slow
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { LogLine } from '../support/faults.ts';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'brokerage-mcp-faults-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Copies the built program and makes one of its functions throw. Returns the program's file. */
async function plantFault(name: string, file: string): Promise<string> {
  const copy = await mkdtemp(join(folder, 'program-'));
  await cp('dist', join(copy, 'dist'), { recursive: true });
  // The packages that are not in the build are found from there.
  await symlink(resolve('node_modules'), join(copy, 'node_modules'));
  const head = new RegExp(`^(?:(?:async )?function ${name}\\(.*\\{|var ${name} = .*=> \\{)$`, 'm');
  for (const built of (await readdir(join(copy, 'dist'))).filter((one) => one.endsWith('.cjs'))) {
    const path = join(copy, 'dist', built);
    const program = await readFile(path, 'utf8');
    const from = program.indexOf(`// ${file}\n`);
    const found = from < 0 ? null : head.exec(program.slice(from));
    if (!found) continue;
    const at = from + found.index + found[0].length;
    await writeFile(path, `${program.slice(0, at)} throw new TypeError('planted');${program.slice(at)}`);
    return join(copy, 'dist', 'brokerage-mcp.cjs');
  }
  throw new Error(`The build has no function ${name} of ${file}.`);
}

interface Run {
  readonly code: number | null;
  readonly stdout: string;
  readonly faults: readonly LogLine[];
}

const good = 'dist/brokerage-mcp.cjs';

interface RunOptions {
  /** Called with the output so far; true asks the process to end. */
  readonly isDone?: (stdout: string, stderr: string) => boolean | Promise<boolean>;
}

/** Runs a command to its end. */
async function run(program: string, args: readonly string[], state: string, options: RunOptions = {}): Promise<Run> {
  const env = { PATH: process.env.PATH ?? '', HOME: folder, BROKER_CONFIG_DIR: folder };
  const child = spawn(process.execPath, [program, ...args, '--state-dir', state], { env });
  child.stdin.end();
  const output = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const)
    child[name].on('data', async (bytes: Buffer) => {
      output[name] += bytes;
      if (!child.killed && (await options.isDone?.(output.stdout, output.stderr))) child.kill('SIGINT');
    });
  const [code] = (await once(child, 'close')) as [number | null];
  const faults = output.stderr.split('\n').flatMap((line) => {
    const parsed = line.startsWith('{') ? (JSON.parse(line) as LogLine) : undefined;
    return parsed?.event === 'fault' ? [parsed] : [];
  });
  return { code, stdout: output.stdout, faults };
}

const call = (tool: string, args: object) => ['call', tool, JSON.stringify(args)];
const buy = { ticker: 'QNOON_GB_EQ', side: 'BUY', quantity: 2, timeValidity: 'GOOD_TILL_CANCEL' };

/** A limit order a tenth below the price of today, which every rule lets pass. */
async function makeOrder(state: string): Promise<object> {
  const { stdout } = await run(good, call('preview_order', { ...buy, type: 'LIMIT', limitPrice: 10 }), state);
  const { estimate } = JSON.parse(stdout) as { estimate: { lastKnownPrice: string } };
  return { ...buy, limitPrice: Number((Number(estimate.lastKnownPrice) * 0.9).toFixed(2)) };
}

const auditOf = async (state: string) => {
  const { stdout } = await run(good, ['status', '--json'], state);
  const { audit } = JSON.parse(stdout) as { audit: { last: { event: string; code?: string; place?: string }[] } };
  return audit.last.filter(({ event }) => event === 'fault').map(({ code, place }) => ({ code, place }));
};

interface Planted {
  readonly where: string;
  readonly name: string;
  readonly file: string;
  /** What a client calls, with the program that has the fault. */
  readonly tool: readonly [name: string, args?: object];
  /** What the client gets. */
  readonly answer: object;
  /** The call waits for what the fault prevents, so it is cancelled once the fault is written. */
  readonly isCancelled?: boolean;
}

const planted: readonly Planted[] = [
  {
    where: 'a risk rule',
    name: 'orderValue',
    file: 'src/core/orders/risk/risk-rules.ts',
    tool: ['place_limit_order'],
    answer: { outcome: 'refused', rule: 'internal' },
  },
  {
    where: 'an order before it is sent',
    name: 'sendOnce',
    file: 'src/core/orders/send/send-order.ts',
    tool: ['place_limit_order'],
    answer: { outcome: 'not_sent' },
  },
  {
    where: 'an order after its response',
    name: 'classifyAcceptance',
    file: 'src/core/orders/send/classify.ts',
    tool: ['place_limit_order'],
    answer: { outcome: 'unknown' },
  },
  {
    where: 'the runner of a draft',
    name: 'sendLeg',
    file: 'src/features/drafts/submission/runner.ts',
    tool: ['submit_draft'],
    answer: {},
    isCancelled: true,
  },
  {
    where: 'the local history',
    name: 'nextJob',
    file: 'src/features/history/read-page.ts',
    tool: ['fetch_history', { kind: 'dividends' }],
    answer: {},
  },
  {
    where: 'the rate limit',
    name: 'acquireSlot',
    file: 'src/core/broker/rate-limit/acquire.ts',
    tool: ['get_account_summary'],
    answer: { code: 'internal' },
  },
  {
    where: 'the store',
    name: 'findRow',
    file: 'src/core/store/journal-table.ts',
    tool: ['place_limit_order'],
    answer: {},
  },
  {
    where: 'the parser of responses',
    name: 'parseExactJson',
    file: 'src/core/broker/response/exact-json.ts',
    tool: ['get_account_summary'],
    answer: { code: 'internal' },
  },
  {
    where: 'the result of a tool',
    name: 'buildToolResult',
    file: 'src/core/mcp/tool-result.ts',
    tool: ['get_account_summary'],
    answer: { code: 'internal' },
  },
];

/** The arguments of a call, made with the program that has no fault. */
async function makeArguments(tool: string, state: string): Promise<object> {
  if (tool === 'submit_draft') return { draftId: await saveDraft(state), version: 1 };
  return tool === 'place_limit_order' ? makeOrder(state) : {};
}

async function saveDraft(state: string): Promise<string> {
  const leg = { ...(await makeOrder(state)), type: 'LIMIT' };
  const { stdout } = await run(good, call('save_draft', { legs: [leg] }), state);
  return (JSON.parse(stdout) as { draftId: string }).draftId;
}

test.each(planted)('a fault in $where: $name', async ({ name, file, tool: [tool, args], answer, isCancelled }) => {
  const state = await mkdtemp(join(folder, 'state-'));
  const given = call(tool, args ?? (await makeArguments(tool, state)));
  const isDone = (_: string, stderr: string) => Boolean(isCancelled) && stderr.includes('"event":"fault"');
  const ran = await run(await plantFault(name, file), given, state, { isDone });
  await expectOneFault(ran, state, name, file);
  expect(JSON.parse(ran.stdout)).toMatchObject(answer);
});

async function expectOneFault({ stdout, faults }: Run, state: string, name: string, file: string): Promise<void> {
  const place = `${name} (${file})`;
  expect(faults, stdout).toMatchObject([{ level: 'error', code: 'TypeError', place }]);
  expect(faults[0]?.stack?.[0]).toContain(`, from ${file})`);
  expect(await auditOf(state)).toEqual([{ code: 'TypeError', place }]);
  expect(stdout).not.toContain('planted');
}

test('a fault in the page of a draft: showDraft', async () => {
  const state = await mkdtemp(join(folder, 'state-'));
  const id = await saveDraft(state);
  let page: Promise<Response> | undefined;
  const isDone = async (stdout: string) => {
    const [, address] = /(http:\/\/\S+)/.exec(stdout) ?? [];
    if (address === undefined || page) return false;
    // The address works once.
    page = fetch(address);
    await page;
    return true;
  };
  const name = 'showDraft';
  const file = 'src/features/drafts/page/draft-handlers.ts';
  const ran = await run(await plantFault(name, file), ['drafts', 'show', id, '--page'], state, { isDone });
  expect((await page)?.status).toBe(500);
  await expectOneFault(ran, state, name, file);
});

test('a fault in a view: drawAllocation', async () => {
  const state = await mkdtemp(join(folder, 'state-'));
  const name = 'drawAllocation';
  const file = 'src/features/views/render/draw-allocation.ts';
  // Interrupted, the report is made of what was read so far.
  const isDone = (_: string, stderr: string) => stderr.includes('rate limit');
  const ran = await run(await plantFault(name, file), ['report', join(state, 'report.html')], state, { isDone });
  expect(ran.code).toBe(70);
  await expectOneFault(ran, state, name, file);
});
