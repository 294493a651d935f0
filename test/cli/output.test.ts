/** What a command knows of the terminal that it writes to. */
import { expect, test } from 'vitest';
import { createNameCommands, withOwnCommands } from '../../src/cli/dispatch.ts';
import { describeScreen } from '../../src/cli/output.ts';
import { readSchedule } from '../../src/cli/plans.ts';
import { testTerminal } from '../support/command.ts';
import { createManualClock } from '../support/manual-clock.ts';

test('a result is formatted for the width, the zone and the commands of the terminal', () => {
  const clock = createManualClock({ startAt: 0 });
  const nameCommands = (text: string) => `${text}!`;
  const terminal = testTerminal({
    zone: () => 'Europe/Paris',
    nameCommands,
    screens: { output: { isTerminal: true, columns: 97 }, errors: { isTerminal: false, columns: 80 } },
  });
  expect(describeScreen(terminal, clock)).toEqual({
    width: 97,
    style: expect.any(Function),
    zone: 'Europe/Paris',
    clock,
    nameCommands,
  });
});

test.each([
  ['a person on both streams', true, true, false, [true, true]],
  ['JSON for a program', true, true, true, [false, true]],
  ['a pipe', false, true, false, [false, true]],
  ['a file of errors', true, false, false, [true, false]],
])('the commands of a text are named as the user types them: %s', (_, output, errors, isJson, named) => {
  const lines: string[] = [];
  const terminal = testTerminal({
    print: (line) => void lines.push(line),
    warn: (line) => void lines.push(line),
    screens: { output: { isTerminal: output, columns: 80 }, errors: { isTerminal: errors, columns: 80 } },
  });
  const text = 'Run brokerage-mcp resume.';
  const own = createNameCommands(terminal)(text);
  expect(own).not.toBe(text);
  const { print, warn, nameCommands, env } = withOwnCommands(terminal, isJson);
  print(text);
  warn(text);
  expect(lines).toEqual(named.map((isNamed) => (isNamed ? own : text)));
  expect([nameCommands?.(text), env]).toEqual([own, terminal.env]);
});

test.each([
  [
    { every: 'month', day: '1' },
    { every: 'month', day: 1 },
  ],
  [
    { every: 'month', day: '31' },
    { every: 'month', day: 31 },
  ],
  [
    { every: 'week', day: 'Sunday' },
    { every: 'week', weekday: 'sunday' },
  ],
])('the flags %o are a schedule', (flags, schedule) => {
  expect(readSchedule(flags)).toStrictEqual(schedule);
});

test.each([
  { every: 'month', day: '0' },
  { every: 'month', day: '32' },
  { every: 'month', day: 'monday' },
  { every: 'month' },
  { every: 'week', day: '1' },
  { every: 'day', day: '1' },
  { day: '1' },
])('the flags %o are no schedule', (flags) => {
  expect(() => readSchedule(flags as Record<string, string>)).toThrow('--every month --day 1 to 31');
});
