/** A finding of doctor in a terminal. */
import { expect, test } from 'vitest';
import { formatFinding } from '../../src/cli/doctor.ts';
import { createStyle } from '../../src/core/process/text-style.ts';

const plain = createStyle({}, false);

test('what is fine has a tick, and other findings a mark and their fix in the same column', () => {
  expect(formatFinding({ check: 'node', level: 'ok', says: 'It is new.' }, 8, 80, plain)).toEqual([
    '✓ node    It is new.',
  ]);
  // 10 characters for the mark and the check leave 20 of 30.
  const fault = {
    check: 'store',
    level: 'fault',
    says: 'The disk is full and slow.',
    fix: 'Free some space.',
  } as const;
  expect(formatFinding(fault, 8, 30, plain)).toEqual([
    '✗ store   The disk is full and',
    '          slow.',
    '          → Free some space.',
  ]);
});

test('the tick is green, the cross is red, and the details of what is fine are dim', () => {
  const style = createStyle({}, true);
  expect(formatFinding({ check: 'node', level: 'ok', says: 'New.' }, 6, 80, style)).toEqual([
    '\u001b[32m✓\u001b[39m node  \u001b[2mNew.\u001b[22m',
  ]);
  const [first] = formatFinding({ check: 'node', level: 'fault', says: 'Old.', fix: 'Update.' }, 6, 80, style);
  expect(first).toBe('\u001b[31m✗\u001b[39m node  Old.');
});
