/** What the pipeline of a call gives to its tool, and what it makes of the reply. */
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import type { Services } from '../../../src/app/registry.ts';
import { BrokerageError } from '../../../src/core/errors.ts';
import { type CallOptions, runTool } from '../../../src/core/mcp/run-tool.ts';
import { defineTool, type ToolCall, type ToolReply } from '../../../src/core/mcp/tool.ts';
import { takeLog } from '../../support/faults.ts';
import { createManualClock } from '../../support/manual-clock.ts';

const now = Date.parse('2026-01-15T15:00:00Z');

/** Runs a tool that returns what `work` does with its call. */
function run(
  work: (call: ToolCall) => ToolReply,
  options: Partial<CallOptions> = {},
  effect: 'reads' | 'places' = 'reads',
) {
  const tool = (name: string) =>
    defineTool({
      name,
      title: 'T',
      toolset: 'account',
      effect,
      endpoints: [],
      description: 'D',
      searchHint: '',
      input: z.strictObject({}),
      output: () => ({}),
      run: async (_, call) => work(call),
    });
  const services = {
    clock: createManualClock({ startAt: now }),
    config: { environment: 'demo' },
  } as unknown as Services;
  const { name = 'get_one', ...rest } = options as Partial<CallOptions> & { name?: string };
  return runTool([tool('get_one'), tool('get_two')], name, {}, services, {
    signal: new AbortController().signal,
    ...rest,
  });
}

const seen = (read: (call: ToolCall) => unknown, options: Partial<CallOptions> = {}) => {
  let found: unknown;
  return run((call) => {
    found = read(call);
    return {};
  }, options).then(() => found);
};

describe('a call has', () => {
  test.each([
    [undefined, now + 50_000],
    [7_000, now + 7_000],
  ])('%s ms for its work and for each request', async (timeoutMs, deadlineAt) => {
    const found = await seen((call) => [call.deadlineAt, call.context().deadlineAt], { timeoutMs });
    expect(found).toEqual([deadlineAt, deadlineAt]);
  });

  test('the priority, the end of the wait and the age that a request asks for', async () => {
    const { signal } = new AbortController();
    const found = await seen(
      (call) => [call.context(), call.context({ priority: 'place', waitUntil: 4, notBefore: 3 })],
      {
        signal,
      },
    );
    const context = { deadlineAt: now + 50_000, signal, onWait: expect.any(Function) };
    expect(found).toEqual([
      { ...context, priority: 'read', waitUntil: undefined, notBefore: undefined },
      { ...context, priority: 'place', waitUntil: 4, notBefore: 3 },
    ]);
  });

  test('the host, which can show nothing unless it says so', async () => {
    expect(await seen(({ host }) => host)).toEqual({ canForm: false, canUrl: false });
    const host = { canForm: true, canUrl: false };
    expect(await seen((call) => call.host, { host })).toBe(host);
  });

  test('a progress that only grows, and says how long a request waits', async () => {
    const reported: unknown[] = [];
    await seen(
      (call) => {
        call.progress('A');
        call.progress('B', 5, 9);
        call.context().onWait?.({ waitMs: 1_500 } as never);
      },
      { onProgress: (...facts) => reported.push(facts) },
    );
    expect(reported).toEqual([
      ['A', 1, undefined],
      ['B', 5, 9],
      ["Waiting 2 s for the account's rate limit", 6, undefined],
    ]);
  });
});

test('progress that nobody asked for goes nowhere', async () => {
  const { body } = await run((call) => {
    call.progress('A');
    return { fields: { a: 1 } };
  });
  expect(body).toMatchObject({ a: 1 });
});

describe('a reply', () => {
  test('without a time is as of now, and has its own time otherwise', async () => {
    expect((await run(() => ({ fields: { a: 1 } }))).body).toEqual({
      env: 'demo',
      asOf: '2026-01-15T15:00:00.000Z',
      a: 1,
    });
    expect((await run(() => ({ asOf: now - 1_000 }))).body.asOf).toBe('2026-01-15T14:59:59.000Z');
  });

  test('with a question passes it on', async () => {
    const ask = { kind: 'url', nonce: 'N', message: 'M', url: 'U' } as const;
    expect(await run(() => ({ ask }))).toMatchObject({ isError: false, ask });
  });

  test('for a file has every row', async () => {
    const rows = Array.from({ length: 500 }, (_, n) => [`${n}`.padEnd(50, '.')]);
    const list = { columns: ['text'], rows, cursorAfter: () => undefined };
    expect((await run(() => ({ list }), { wantsAllRows: true })).body.rows).toHaveLength(500);
    expect(((await run(() => ({ list }))).body.rows as unknown[]).length).toBeLessThan(500);
  });
});

describe('an error', () => {
  test('that is known has its code, its step and its facts', async () => {
    const result = await run(() => {
      throw new BrokerageError('not_found', 'MESSAGE', 'NEXT', { reportId: '3' });
    });
    expect(result.body).toEqual({ code: 'not_found', message: 'MESSAGE', next: 'NEXT', reportId: '3' });
  });

  test.each([
    ['reads', /^Try again once\./],
    ['places', /^It is unknown whether the call took effect: check before you repeat it\./],
  ] as const)('of this program, in a tool that %s, says whether to try again', async (effect, next) => {
    const result = await run(
      () => {
        throw new TypeError('SECRET');
      },
      {},
      effect,
    );
    takeLog();
    expect(result.body).toMatchObject({ code: 'internal', next: expect.stringMatching(next) });
    expect(result.text).not.toContain('SECRET');
  });

  test('of a call that was cancelled is no fault of this program', async () => {
    const { body } = await run(() => {
      throw new DOMException('ABORTED', 'AbortError');
    });
    expect(body.code).toBe('cancelled');
    expect(takeLog()).toEqual([]);
  });

  test.each([
    ['get_onne', 'The closest names are: get_one.'],
    ['zzzzzzzzzz', 'The tools are: get_one, get_two.'],
  ])('of the unknown tool %s names those that it may mean', async (name, next) => {
    const result = await run(() => ({}), { name } as never);
    expect(result.body).toEqual({ code: 'unknown_tool', message: `The tool "${name}" does not exist.`, next });
  });
});
