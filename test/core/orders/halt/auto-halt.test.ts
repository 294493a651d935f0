/** What halts live trading without a command. */
import { describe, expect, test } from 'vitest';
import { type Halt, haltIfNeeded, maxUnknownOrders, readHalt } from '../../../../src/core/orders/halt/trading-state.ts';
import type { Intent } from '../../../../src/core/orders/intent/intent.ts';
import { createManualClock } from '../../../support/manual-clock.ts';
import { approvedOrder, openJournal, startAt } from '../send/approved-order.ts';

const minuteMs = 60_000;
const live: Intent = { ...approvedOrder, environment: 'live' };

/** What halts trading after the last of these orders has reached its state; the others reached theirs before. */
async function haltAfter(...orders: Partial<Intent>[]): Promise<Halt | undefined> {
  const journal = await openJournal(createManualClock({ startAt }));
  const intents = orders.map((order, n): Intent => ({ ...live, id: String(n), ...order }));
  return journal.change(async (tx) => {
    for (const intent of intents) await tx.insert(intent);
    await haltIfNeeded(tx, intents.at(-1) as Intent, startAt);
    return readHalt(tx);
  });
}

const rejected = (agoMs = 0, other: Partial<Intent> = {}): Partial<Intent> => ({
  state: 'REJECTED',
  createdAt: startAt - agoMs,
  changedAt: startAt - agoMs,
  ...other,
});
const unknown = (other: Partial<Intent> = {}): Partial<Intent> => ({ state: 'UNKNOWN', ...other });
const mismatch = ['quantity', 'side'];

test('the record of the halt has the time, the rule and the reason', async () => {
  expect(await haltAfter({ state: 'PLACED', mismatch })).toEqual({
    at: startAt,
    by: 'rule',
    rule: 'echo_mismatch',
    reason: "The broker's response to an order differs from the request in quantity, side.",
  });
});

test('trading halts at the second order of unknown outcome', () => expect(maxUnknownOrders).toBe(2));

describe('what halts', () => {
  test.each<[string, Partial<Intent>[], Halt['rule']]>([
    ['a response that differs from the request', [{ state: 'PLACED', mismatch }], 'echo_mismatch'],
    ['three rejections', [rejected(), rejected(), rejected()], 'rejections'],
    [
      'three rejections in less than ten minutes',
      [rejected(10 * minuteMs - 1), rejected(minuteMs), rejected()],
      'rejections',
    ],
    ['a fourth rejection', [rejected(1), rejected(1), rejected(1), rejected()], 'rejections'],
    ['two orders of unknown outcome', [unknown(), unknown()], 'open_unknown'],
    [
      'two orders of which one may be any of several, and one is probably absent',
      [unknown({ state: 'AMBIGUOUS' }), unknown({ state: 'PROBABLY_ABSENT' })],
      'open_unknown',
    ],
    [
      'an unknown order of a year ago',
      [unknown({ createdAt: startAt - 365 * 24 * 60 * minuteMs }), unknown()],
      'open_unknown',
    ],
    ['a third order of unknown outcome', [unknown(), unknown(), unknown()], 'open_unknown'],
    [
      'a rejection of an order that was made an hour before',
      [rejected(), rejected(), rejected(0, { createdAt: startAt - 60 * minuteMs })],
      'rejections',
    ],
  ])('%s', async (_, orders, rule) => {
    expect(await haltAfter(...orders)).toMatchObject({ at: startAt, by: 'rule', rule });
  });
});

describe('what does not halt', () => {
  test.each<[string, Partial<Intent>[]]>([
    ['an order that was placed as requested', [{ state: 'PLACED' }]],
    ['an order whose response differs in nothing', [{ state: 'PLACED', mismatch: [] }]],
    ['a demo order whose response differs', [{ state: 'PLACED', mismatch, environment: 'demo' }]],
    ['two rejections', [rejected(), rejected()]],
    ['two rejections beside an order that was placed', [{ state: 'PLACED' }, rejected(), rejected()]],
    ['three rejections in ten minutes and no less', [rejected(10 * minuteMs), rejected(), rejected()]],
    [
      'three rejections of which one is of another account',
      [rejected(0, { accountKey: 'other' }), rejected(), rejected()],
    ],
    ['an order that is placed after three rejections', [rejected(), rejected(), rejected(), { state: 'PLACED' }]],
    ['one order of unknown outcome', [unknown()]],
    ['an unknown order beside one of another account', [unknown({ accountKey: 'other' }), unknown()]],
    ['an unknown order beside one that was placed', [{ state: 'PLACED' }, unknown()]],
    ['an order that is placed beside two of unknown outcome', [unknown(), unknown(), { state: 'PLACED' }]],
    ['three demo rejections', [0, 1, 2].map(() => rejected(0, { environment: 'demo' }))],
    ['two demo orders of unknown outcome', [0, 1].map(() => unknown({ environment: 'demo' }))],
  ])('%s', async (_, orders) => {
    expect(await haltAfter(...orders)).toBeUndefined();
  });
});

test('of two rules that apply at once the first is named', async () => {
  expect(await haltAfter(unknown(), unknown({ mismatch }))).toMatchObject({ rule: 'echo_mismatch' });
});
