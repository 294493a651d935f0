/** What a view says to its host, without a browser. */
import { expect, test } from 'vitest';
import type { Browser } from '../../../src/features/views/app/browser.ts';
import { connectHost } from '../../../src/features/views/app/mcp-apps-bridge.ts';

/** A window: the messages that its parent received, and a way to let an event happen in it. */
function openWindow() {
  const sent: unknown[] = [];
  const listeners = new Map<string, (event: object) => void>();
  let faults = 0;
  const window = {
    parent: { postMessage: (message: object) => sent.push(message) },
    addEventListener: (type: string, listener: (event: object) => void) => listeners.set(type, listener),
  };
  connectHost(window as unknown as Browser, 'gains', {
    onContext: () => {},
    onResult: () => {},
    onCancelled: () => {},
    onFault: () => faults++,
  });
  // The handshake.
  sent.length = 0;
  return {
    sent,
    happen: (type: string, event: object) => listeners.get(type)?.(event),
    countFaults: () => faults,
  };
}

const errorAt = (place: string) =>
  Object.assign(new RangeError('Invalid amount 890.63'), {
    stack: `RangeError: Invalid amount 890.63\n    at NumberFormat.format (<anonymous>)\n    at Te (${place})\n    at Kt (gains.js:9:1)`,
  });

const faultOf = (data: object) => ({
  jsonrpc: '2.0',
  method: 'notifications/message',
  params: { level: 'error', logger: 'gains', data: { task: 'view gains', ...data } },
});

test.each([
  ['error', 'error'],
  ['unhandledrejection', 'reason'],
])('a fault of the event %s reaches the host with its class and place, and without its message', (type, field) => {
  const { sent, happen, countFaults } = openWindow();
  happen(type, { [field]: errorAt('gains.js:4:27') });
  expect(sent).toEqual([faultOf({ code: 'RangeError', place: 'gains.js:4:27' })]);
  expect(countFaults()).toBe(1);
});

test('a fault that repeats is told once, and one at another place again', () => {
  const { sent, happen, countFaults } = openWindow();
  happen('error', { error: errorAt('gains.js:4:27') });
  happen('error', { error: errorAt('gains.js:4:27') });
  happen('unhandledrejection', { reason: errorAt('gains.js:5:1') });
  expect(sent).toEqual([
    faultOf({ code: 'RangeError', place: 'gains.js:4:27' }),
    faultOf({ code: 'RangeError', place: 'gains.js:5:1' }),
  ]);
  expect(countFaults()).toBe(3);
});

test('what is thrown and is no error is told by its type alone', () => {
  const { sent, happen } = openWindow();
  happen('unhandledrejection', { reason: 'planted 890.63' });
  happen('unhandledrejection', { reason: undefined });
  expect(sent).toEqual([faultOf({ code: 'string' }), faultOf({ code: 'undefined' })]);
});

test('a remark of the browser, which has no error, is not told', () => {
  const { sent, happen, countFaults } = openWindow();
  happen('error', { message: 'ResizeObserver loop completed with undelivered notifications.', error: null });
  expect(sent).toEqual([]);
  expect(countFaults()).toBe(0);
});
