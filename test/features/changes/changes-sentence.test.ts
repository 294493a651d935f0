/** The changes in sentences: what they name, what they leave out, and their length. */
import Big from 'big.js';
import { expect, test } from 'vitest';
import { describeChanges } from '../../../src/features/changes/changes-sentence.ts';
import { type Change, changeKinds } from '../../../src/features/changes/find-changes.ts';

const since = Date.parse('2026-11-20T09:30:00Z');
const quiet = {
  since,
  now: Date.parse('2026-11-24T08:00:00Z'),
  zone: 'Europe/London',
  isSinceAsked: false,
  complete: true,
  currency: 'GBP',
  start: { at: since, value: new Big('1000') },
  end: '1100.5',
  paidIn: new Big(150),
  changes: [] as Change[],
  drafts: 0,
  approvals: 0,
};

test.each([
  [
    {},
    'Since 20 Nov 09:30: the value went from £1,000.00 to £1,100.50: £150.00 paid in and £49.50 lost. Nothing was traded or booked.',
  ],
  [
    { paidIn: new Big(-50), isSinceAsked: true },
    'Since 20 Nov 09:30, when this was last asked: the value went from £1,000.00 to £1,100.50: £50.00 paid out and £150.50 gained. Nothing was traded or booked.',
  ],
  [
    { start: undefined },
    'Since 20 Nov 09:30: the account is worth £1,100.50; what it was worth then is not known. Nothing was traded or booked.',
  ],
  [
    { start: { at: since - 2 * 86_400_000, value: new Big('1000') } },
    'Since 20 Nov 09:30: the value went from £1,000.00 (18 Nov 2026) to £1,100.50: £150.00 paid in and £49.50 lost. Nothing was traded or booked.',
  ],
  [
    { paidIn: new Big(0) },
    'Since 20 Nov 09:30: the value went from £1,000.00 to £1,100.50: £100.50 gained. Nothing was traded or booked.',
  ],
  [
    { paidIn: undefined },
    'Since 20 Nov 09:30: the value went from £1,000.00 to £1,100.50. Nothing was traded or booked.',
  ],
  [{ end: undefined }, 'Since 20 Nov 09:30: the value of the account is not known. Nothing was traded or booked.'],
  [
    { complete: false },
    'Since 20 Nov 09:30: the value went from £1,000.00 to £1,100.50. Not all rows have been read yet, so more may have happened.',
  ],
  [
    { now: Date.parse('2026-11-21T08:00:00Z'), currency: 'USD' },
    'Since yesterday 09:30: the value went from US$1,000.00 to US$1,100.50: US$150.00 paid in and US$49.50 lost. Nothing was traded or booked.',
  ],
  [
    { currency: undefined },
    'Since 20 Nov 09:30: the value went from 1,000.00 to 1,100.50: 150.00 paid in and 49.50 lost. Nothing was traded or booked.',
  ],
  [
    { drafts: 1, approvals: 2 },
    'Since 20 Nov 09:30: the value went from £1,000.00 to £1,100.50: £150.00 paid in and £49.50 lost. Nothing was traded or booked. 1 draft is open. 2 approvals are waiting.',
  ],
])('%j', (change, text) => {
  expect(describeChanges({ ...quiet, ...change })).toBe(text);
});

test('names each thing once with how often, and counts the rest; sums are of one currency', () => {
  const changes: Change[] = [
    ...['Alpha', 'Beta', 'Alpha', 'Gamma', 'Delta'].map((name) => ({ kind: 'bought', name }) as const),
    { kind: 'dividend', amount: '1.10', currency: 'GBP' },
    { kind: 'dividend', amount: '2.20', currency: 'GBP' },
    { kind: 'fee', amount: '-3.00', currency: 'USD' },
    { kind: 'dividend', currency: 'GBP' },
    { kind: 'order_ended', name: 'Alpha', detail: 'BUY STOP_LIMIT REJECTED' },
  ];
  expect(describeChanges({ ...quiet, changes })).toContain(
    'Bought: Alpha (2), Beta, Gamma and 1 more. Booked: dividends £3.30 and 1 row of unknown amount, fees 1 row in other currencies. Orders that ended early: Alpha (buy stop limit rejected).',
  );
});

test('has at most 1,500 characters, whatever the names are', () => {
  const changes = changeKinds.flatMap((kind) =>
    Array.from(
      { length: 500 },
      (_, n): Change => ({
        kind,
        name: `${n} ${'A fund with an endless name '.repeat(9)}`,
        amount: '123456789012.34',
        currency: n % 2 === 0 ? 'GBP' : 'USD',
        detail: kind === 'weight' ? '100.00 % to 100.00 %' : 'SELL STOP_LIMIT CANCELLED',
      }),
    ),
  );
  const text = describeChanges({ ...quiet, changes, complete: false, isSinceAsked: true, drafts: 99, approvals: 99 });
  expect(text.length).toBeLessThanOrEqual(1_500);
});
