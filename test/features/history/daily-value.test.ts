/** The value of an account, recorded once a day. */
import { expect, test } from 'vitest';
import type { AccountSummary } from '../../../src/core/endpoints/index.ts';
import { createDailyValueRecorder, type DailyValue } from '../../../src/features/history/daily-value.ts';
import { takeLog } from '../../support/faults.ts';

const at = (time: string) => Date.parse(`2026-01-05T${time}Z`);
const summary = (change: object = {}) => ({ totalValue: '100.5', currency: 'GBP', ...change }) as AccountSummary;

function record() {
  const kept: [string, DailyValue][] = [];
  const recorder = createDailyValueRecorder({
    keep: async (account, value) => void kept.push([account, value]),
    list: async () => kept.map(([, value]) => value),
  });
  return { ...recorder, kept };
}

test('a value is recorded under its day in UTC, with the cash that is free to trade', async () => {
  const { note, kept } = record();
  await note('one', summary({ cash: { availableToTrade: '7.25', inPies: '1' } }), at('23:59:59.999'));
  await note('two', summary(), at('23:59:59.999'));
  const value = { day: '2026-01-05', at: at('23:59:59.999'), totalValue: '100.5', currency: 'GBP' };
  expect(kept).toEqual([
    ['one', { ...value, cash: '7.25' }],
    ['two', value],
  ]);
  expect(kept[1]?.[1]).not.toHaveProperty('cash');
});

test('a value without an amount or a currency is not recorded, and is no record of that time', async () => {
  const { note, kept } = record();
  await note('one', summary({ totalValue: undefined }), at('10:00:00'));
  await note('one', summary({ currency: undefined }), at('10:00:00'));
  expect(kept).toEqual([]);
  await note('one', summary(), at('10:00:01'));
  expect(kept.length).toBe(1);
});

test.each<[string, readonly (readonly [string, number])[], number]>([
  [
    'not again within a quarter of an hour',
    [
      ['one', at('10:00:00')],
      ['one', at('10:14:59.999')],
    ],
    1,
  ],
  [
    'again after a quarter of an hour',
    [
      ['one', at('10:00:00')],
      ['one', at('10:15:00')],
    ],
    2,
  ],
  [
    'again on the next day',
    [
      ['one', at('23:59:00')],
      ['one', at('23:59:00') + 60_000],
    ],
    2,
  ],
  [
    'for each account',
    [
      ['one', at('10:00:00')],
      ['two', at('10:00:00')],
    ],
    2,
  ],
  [
    'a quarter of an hour after the last that was recorded',
    [
      ['one', at('10:00:00')],
      ['one', at('10:10:00')],
      ['one', at('10:16:00')],
    ],
    2,
  ],
])('a value is recorded %s', async (_, notes, expected) => {
  const { note, kept } = record();
  for (const [account, time] of notes) await note(account, summary(), time);
  expect(kept.length).toBe(expected);
});

test('a store that fails neither fails the read nor hides the fault', async () => {
  const fail = () => Promise.reject(new Error('broken'));
  const { note, list } = createDailyValueRecorder({ keep: fail, list: fail });
  await note('one', summary(), at('10:00:00'));
  expect(await list('one')).toEqual([]);
  expect(takeLog().length).toBe(2);
});

test('the values of an account are listed as they are stored', async () => {
  const { note, list } = record();
  await note('one', summary(), at('10:00:00'));
  expect(await list('one')).toEqual([{ day: '2026-01-05', at: at('10:00:00'), totalValue: '100.5', currency: 'GBP' }]);
});
