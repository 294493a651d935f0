/** The result of a tool for a person: which facts are said as sentences, and which as fields. */
import { expect, test } from 'vitest';
import { formatResult } from '../../src/cli/format-result.ts';
import { createManualClock } from '../support/manual-clock.ts';

const format = (body: Record<string, unknown>) =>
  formatResult(body, {
    width: 100,
    zone: 'UTC',
    clock: createManualClock({ startAt: Date.parse('2026-01-15T15:00:00Z') }),
    style: (_, text) => text,
  });

test('a result begins with its environment, and ends with its message, its note, its step and its cursor', () => {
  const noise = { noteForm: 'X', nextAt: 'X', postMessage: 'X', brokerCode: 'X' };
  const lines = format({
    env: 'demo',
    ...noise,
    message: 'MESSAGE.',
    note: 'NOTE.',
    next: 'NEXT.',
    nextCursor: 'CURSOR',
  });
  expect(lines[0]).toBe('demo');
  expect(lines.slice(-4)).toEqual(['MESSAGE.', 'NOTE.', 'NEXT.', 'There are more rows: add "cursor": "CURSOR".']);
});

test('an error begins with its code and its message, which is not said again', () => {
  expect(format({ code: 'not_found', message: 'MESSAGE.', next: 'NEXT.' })).toEqual(['not_found: MESSAGE.', 'NEXT.']);
});

test('a message of a result that has the code of the broker is said', () => {
  expect(format({ brokerCode: 'B1', message: 'MESSAGE.' }).at(-1)).toBe('MESSAGE.');
});
