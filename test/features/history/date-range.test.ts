/** The moments that a range means, and the zone of its days. */
import { describe, expect, test } from 'vitest';
import { BrokerageError, cancelledError } from '../../../src/core/errors.ts';
import { readTaxZone, resolveRange } from '../../../src/features/history/date-range.ts';
import { toolCall } from '../../core/tools/tool-call.ts';
import { takeLog } from '../../support/faults.ts';

const day = (text: string) => ({ at: Date.parse(text), day: text });
const time = (text: string) => ({ at: Date.parse(text), day: undefined });
const ms = Date.parse;
const now = ms('2026-01-15T15:00:00Z');

test.each([
  // New York is five hours behind, four in summer.
  [{ since: day('2025-07-01') }, { since: ms('2025-07-01T04:00:00Z'), until: undefined }],
  [{ until: day('2025-12-01') }, { since: undefined, until: ms('2025-12-01T05:00:00Z') }],
  [
    { since: time('2025-07-01T09:00:00Z'), until: day('2025-12-01') },
    { since: ms('2025-07-01T09:00:00Z'), until: ms('2025-12-01T05:00:00Z') },
  ],
  [{}, { since: undefined, until: undefined }],
])('the days of a range begin in its zone: %j', (asked, range) => {
  expect(resolveRange(asked, 'America/New_York', now)).toEqual({ ...range, zone: 'America/New_York' });
});

// 25 November 2026 is a Wednesday, and the clocks of London went forward on Sunday 29 March 2026.
test.each([
  ['2026-11-25T10:00:00Z', 'Europe/London', 'today', '2026-11-25T00:00:00Z'],
  ['2026-11-25T10:00:00Z', 'Europe/London', 'week', '2026-11-23T00:00:00Z'],
  ['2026-11-25T10:00:00Z', 'Europe/London', 'month', '2026-11-01T00:00:00Z'],
  ['2026-11-25T10:00:00Z', 'Europe/London', 'year', '2026-01-01T00:00:00Z'],
  ['2026-11-25T10:00:00Z', 'Europe/London', 'taxYear', '2026-04-05T23:00:00Z'],
  ['2026-11-25T10:00:00Z', 'Europe/London', 'all', undefined],
  ['2026-03-29T12:00:00Z', 'Europe/London', 'today', '2026-03-29T00:00:00Z'],
  ['2026-03-29T12:00:00Z', 'Europe/London', 'week', '2026-03-23T00:00:00Z'],
  ['2026-04-01T12:00:00Z', 'Europe/London', 'month', '2026-03-31T23:00:00Z'],
  // Half past midnight on Monday in Berlin, and still Sunday in London.
  ['2026-11-22T23:30:00Z', 'Europe/Berlin', 'week', '2026-11-22T23:00:00Z'],
  ['2026-11-22T23:30:00Z', 'Europe/London', 'week', '2026-11-16T00:00:00Z'],
  ['2026-11-25T10:00:00Z', 'Europe/Berlin', 'taxYear', '2025-12-31T23:00:00Z'],
] as const)('at %s in %s the period %j began at %s', (at, zone, period, since) => {
  expect(resolveRange({ period }, zone, ms(at))).toEqual({ since: since && ms(since), until: undefined, zone });
});

test('a tax year is that of London, whatever the zone', () => {
  expect(resolveRange({ taxYear: '2025/26' }, 'America/New_York', now)).toEqual({
    since: ms('2025-04-05T23:00:00Z'),
    until: ms('2026-04-05T23:00:00Z'),
    zone: 'Europe/London',
  });
});

test('a range that ends before it begins is refused, and so is one that begins in the future', () => {
  const backwards = { since: time('2025-07-01T05:00:00Z'), until: day('2025-07-01') };
  expect(() => resolveRange(backwards, 'America/New_York', now)).toThrow(
    expect.objectContaining({
      code: 'invalid_argument',
      message: 'since must be before until.',
      next: 'A date begins at midnight in America/New_York.',
    }),
  );
  // In New York it is still the 14th.
  expect(() => resolveRange({ since: day('2026-01-15') }, 'America/New_York', ms('2026-01-15T04:59:59Z'))).toThrow(
    expect.objectContaining({
      message: 'The range starts in the future.',
      next: 'Today is 2026-01-14 in America/New_York: give a range that starts by now.',
      facts: { today: '2026-01-14' },
    }),
  );
});

describe('the zone of an account', () => {
  const machineZone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const read = async (of: { taxZone?: string; stored?: string[]; account?: string | Error }) => {
    let requests = 0;
    const call = toolCall({
      config: { taxZone: of.taxZone },
      dailyValues: async () => (of.stored ?? []).map((currency) => ({ currency })),
      broker: {
        call: async () => {
          requests++;
          if (of.account instanceof Error) throw of.account;
          return { data: { currency: of.account } };
        },
      },
    });
    return [await readTaxZone(call, call), requests];
  };

  test('is that of the owner’s setting, without a request', async () => {
    expect(await read({ taxZone: 'Asia/Tokyo', stored: ['GBP'], account: 'GBP' })).toEqual(['Asia/Tokyo', 0]);
  });

  test('is that of the currency of the latest stored value, without a request', async () => {
    expect(await read({ stored: ['USD', 'GBP'], account: 'USD' })).toEqual(['Europe/London', 0]);
  });

  test('is that of the currency of the account where no value is stored', async () => {
    expect(await read({ account: 'GBP' })).toEqual(['Europe/London', 1]);
  });

  test('is that of this machine where the account cannot be read', async () => {
    const unreachable = new BrokerageError('unreachable', 'The service cannot be reached.', 'Try again.');
    expect(await read({ account: unreachable })).toEqual([machineZone, 1]);
    expect(takeLog()).toEqual([]);
  });

  test('is that of this machine after a fault, which is logged', async () => {
    expect(await read({ account: new TypeError('a fault') })).toEqual([machineZone, 1]);
    expect(takeLog()).toMatchObject([{ event: 'fault', task: 'read the currency of the account' }]);
  });

  test.each([
    ['its signal', new DOMException('ABORTED', 'AbortError')],
    ['the broker', cancelledError()],
  ])('is not guessed when the caller cancelled the reading, as %s says', async (_, cancelled) => {
    await expect(read({ account: cancelled })).rejects.toBe(cancelled);
  });
});

const noon = ms('2025-07-01T12:00:00Z');

test.each([
  ['that is empty', { since: noon, until: noon }, false],
  ['of a millisecond', { since: noon, until: noon + 1 }, true],
  ['that begins now', { since: now }, true],
  ['that begins a millisecond from now', { since: now + 1 }, false],
  ['that ends in the future', { since: noon, until: now + 1 }, true],
])('a range %s is allowed: %3$s', (_, { since, until }: { since: number; until?: number }, isAllowed) => {
  const bound = (at: number | undefined) => (at === undefined ? undefined : { at, day: undefined });
  const resolve = () => resolveRange({ since: bound(since), until: bound(until) }, 'UTC', now);
  if (isAllowed) expect(resolve()).toEqual({ since, until, zone: 'UTC' });
  else expect(resolve).toThrow(expect.objectContaining({ code: 'invalid_argument' }));
});
