import { expect, test } from 'vitest';
import { BrokerageError, UsageError } from '../../src/core/errors.ts';
import { createLog, type Fault, type LogLevel, type LogOptions, logLevels } from '../../src/core/log.ts';

const at = Date.UTC(2026, 0, 15, 8, 30, 5);

function setup(options: Partial<LogOptions> = {}) {
  const written: string[] = [];
  const clock = { now: at };
  const log = createLog({ write: (text) => written.push(text), now: () => clock.now, ...options });
  return { log, written, clock, parsed: () => written.map((line) => JSON.parse(line)) };
}

const faultIn = (frame: string, message = 'x is not a function') => {
  const error = new TypeError(message);
  error.stack = `TypeError: ${message}\n    at ${frame}\n    at node:internal/process:1:2`;
  return error;
};

test('a fault is one JSON line with its code, its place and its stack', () => {
  const { log, parsed } = setup();
  log.fault('place an order', faultIn('checkCash (/app/src/core/orders/risk/risk-rules.ts:12:3)'));
  expect(parsed()).toEqual([
    {
      time: '2026-01-15T08:30:05.000Z',
      level: 'error',
      event: 'fault',
      task: 'place an order',
      code: 'TypeError',
      place: 'checkCash (src/core/orders/risk/risk-rules.ts)',
      message: 'x is not a function',
      stack: ['    at checkCash (/app/src/core/orders/risk/risk-rules.ts:12:3)', '    at node:internal/process:1:2'],
    },
  ]);
});

test('in a terminal it is a readable line with the stack below', () => {
  const { log, written } = setup({ isTerminal: true });
  log.fault('a task', faultIn('async read (/app/src/features/history/mirror.ts:1:2)'));
  expect(written).toEqual([
    'brokerage-mcp: 08:30:05 error fault task="a task" code=TypeError place="read (src/features/history/mirror.ts)"' +
      ' message="x is not a function"\n    at async read (/app/src/features/history/mirror.ts:1:2)\n    at node:internal/process:1:2',
  ]);
});

test('a position in a built file is shown with its source, and the source is the place', () => {
  const built = '// src/core/broker/paginate.ts\nfunction pages() {\n}\n';
  const { log, parsed } = setup({ readFile: (path) => (path === '/app/dist/tools.cjs' ? built : undefined) });
  log.fault('a task', faultIn('pages (/app/dist/tools.cjs:2:5)'));
  expect(parsed()[0]).toMatchObject({
    place: 'pages (src/core/broker/paginate.ts)',
    stack: ['    at pages (/app/dist/tools.cjs:2:5, from src/core/broker/paginate.ts)', expect.any(String)],
  });
});

test.each([
  ['at the top of a file', '/app/src/main.ts:1:1', 'src/main.ts'],
  ['in a folder that is itself below src', 'a (/home/src/b/src/c.ts:1:1)', 'a (src/c.ts)'],
  ['in a package', 'parse (/app/node_modules/zod/core.js:1:1)', 'parse'],
  ['in Node itself', 'node:fs:1:2', 'outside this program'],
])('the place of an error %s', (_, frame, place) => {
  const { log, parsed } = setup();
  const error = new Error('x');
  error.stack = `Error: x\n    at ${frame}`;
  log.fault('a task', error);
  expect(parsed()[0].place).toBe(place);
});

test('an error is reported once, however many places catch it', () => {
  const { log, written } = setup();
  const error = new Error('x');
  log.fault('inner', error);
  log.fault('outer', error);
  log.crash(error);
  expect(written).toHaveLength(1);
});

test('an expected error and an abort are no faults, and a crash is one whatever its class', () => {
  const { log, parsed } = setup({ level: 'debug' });
  const expected = new BrokerageError('rate_limited', 'Later.', 'Wait.');
  const aborted = Object.assign(new Error('x'), { name: 'AbortError' });
  for (const error of [expected, new UsageError('no'), aborted]) log.fault('a task', error);
  expect(parsed().map(({ level, event, code }) => [level, event, code])).toEqual([
    ['debug', 'expected_error', 'rate_limited'],
    ['debug', 'expected_error', 'UsageError'],
    ['debug', 'expected_error', 'Error'],
  ]);
  log.crash(expected);
  expect(parsed()[3]).toMatchObject({ level: 'error', event: 'fault', task: 'process', code: 'rate_limited' });
});

test('each level includes those before it', () => {
  const shown = (level: LogLevel) => {
    const { log, parsed } = setup({ level });
    log.fault('a task', new Error('x'));
    log.warn('a');
    log.info('b');
    log.debug('c');
    return parsed().map((line) => line.level);
  };
  expect(logLevels.map(shown)).toEqual([
    ['error'],
    ['error', 'warn'],
    ['error', 'warn', 'info'],
    ['error', 'warn', 'info', 'debug'],
  ]);
});

test('the secrets of every attached app are hidden in message and stack, until it is detached', async () => {
  const { log, written } = setup();
  const hiding = (secret: string) => ({
    redact: (text: string) => text.replaceAll(secret, '(hidden)'),
    keepFault: async () => undefined,
  });
  const detach = log.attach(hiding('key-1'));
  log.attach(hiding('key-2'));
  log.fault('a task', faultIn('read (/app/key-1.js:1:1)', 'sent key-1 and key-2'));
  expect(written[0]).not.toMatch(/key-[12]/);
  expect(JSON.parse(written[0] ?? '')).toMatchObject({ message: 'sent (hidden) and (hidden)' });
  detach();
  log.fault('a task', new RangeError('key-1 key-2'));
  expect(JSON.parse(written[1] ?? '').message).toBe('key-1 (hidden)');
});

test('a message that could repeat what a person typed is left out', () => {
  const { log, parsed } = setup();
  log.fault('an approval page', new Error('typed'), { hasSecret: true });
  expect(parsed()[0].message).toBeUndefined();
});

test('a long message is cut, and invisible characters are removed', () => {
  const { log, parsed } = setup();
  log.fault('a task', new Error(`a\u202eb\nc${'d'.repeat(1_000)}`));
  expect(parsed()[0].message).toBe(`ab c${'d'.repeat(296)}`);
});

test('every attached app keeps the fault, without its message', async () => {
  const { log } = setup();
  const kept: Fault[] = [];
  for (let app = 0; app < 2; app++)
    log.attach({ redact: (text) => text, keepFault: async (fault) => kept.push(fault) });
  log.fault('a task', faultIn('read (/app/src/core/clock.ts:1:1)', 'a balance of 12'));
  await log.settled();
  const fault = { at, task: 'a task', code: 'TypeError', place: 'read (src/core/clock.ts)' };
  expect(kept).toEqual([fault, fault]);
});

test('a fault that cannot be kept is a warning and no further fault', async () => {
  const { log, parsed } = setup({ level: 'warn' });
  log.attach({ redact: (text) => text, keepFault: () => Promise.reject(new Error('disk')) });
  log.fault('a task', new Error('x'));
  await log.settled();
  expect(parsed().map(({ event }) => event)).toEqual(['fault', 'fault_not_kept']);
});

test('equal faults of a minute are written once and counted, and the next one tells how many were left out', () => {
  const { log, parsed, clock } = setup();
  const repeat = (times: number) => {
    for (let n = 0; n < times; n++) log.fault('a loop', faultIn('tick (/app/src/core/clock.ts:1:1)'));
  };
  repeat(4);
  log.fault('another task', faultIn('tick (/app/src/core/clock.ts:1:1)'));
  log.fault('a loop', faultIn('tock (/app/src/core/clock.ts:2:1)'));
  clock.now += 59_999;
  repeat(1);
  expect(parsed().map(({ place }) => place)).toEqual(['tick (src/core/clock.ts)', 'tock (src/core/clock.ts)']);
  clock.now += 1;
  repeat(1);
  expect(parsed()[2]).toMatchObject({ task: 'a loop', leftOut: 5 });
});
