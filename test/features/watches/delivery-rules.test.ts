/** When an item is sent through a channel, and when it is not sent again. */
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  claimDelivery,
  type Delivery,
  type DeliveryResult,
  finishDelivery,
  groupItems,
  isDue,
  isInQuietHours,
  isSameClaim,
  listMessageTimes,
  maxAgeMs,
  maxTries,
  mayStillSend,
  onceMs,
} from '../../../src/features/watches/delivery-rules.ts';
import { day, hour, start } from './support.ts';

const minute = 60_000;
const item = { foundAt: start, isUrgent: false };
const loud = (now: number) => ({ now, isQuiet: false });
const claim = (before: Delivery | undefined, now: number) =>
  claimDelivery(before, { item: 'e1', channel: 'mail' }, now);

describe('an item', () => {
  test('is due at once, and until it is a week old', () => {
    expect(isDue(undefined, item, loud(start))).toBe(true);
    expect(isDue(undefined, item, loud(start + maxAgeMs))).toBe(true);
    expect(isDue(undefined, item, loud(start + maxAgeMs + 1))).toBe(false);
  });

  test('that was claimed and not finished is due again after an hour, and that is no failed attempt', () => {
    const claimed = claim(undefined, start);
    expect(isDue(claimed, item, loud(start + hour - 1))).toBe(false);
    expect(isDue(claimed, item, loud(start + hour))).toBe(true);
    expect(claim(claimed, start + hour)).toEqual({
      item: 'e1',
      channel: 'mail',
      state: 'claimed',
      tries: 0,
      claimedAt: start + hour,
      nextAt: start + 2 * hour,
    });
  });

  test('that was delivered is never due again', () => {
    const done = finishDelivery(claim(undefined, start), 'delivered', start + 1);
    expect(done.state).toBe('done');
    expect(isDue(done, item, loud(start + 3 * day))).toBe(false);
  });

  test('that may have arrived is due again an hour after its claim', () => {
    const unknown = finishDelivery(claim(undefined, start), 'unknown', start + 60_000);
    expect(isDue(unknown, item, loud(start + hour - 1))).toBe(false);
    expect(isDue(unknown, item, loud(start + hour))).toBe(true);
  });

  test('that did not arrive is tried again after pauses that grow, eight times in all', () => {
    const pauses: number[] = [];
    let now = start;
    let delivery: Delivery | undefined;
    while (delivery?.state !== 'abandoned') {
      delivery = finishDelivery(claim(delivery, now), { waitMs: 0 }, now);
      pauses.push((delivery.nextAt - now) / 60_000);
      now = delivery.nextAt;
      if (delivery.state === 'waiting') expect(isDue(delivery, item, loud(now - 1))).toBe(false);
    }
    expect(pauses).toEqual([1, 5, 15, 60, 180, 360, 360, 0]);
    expect(delivery.tries).toBe(maxTries);
    expect(isDue(delivery, item, loud(now + day))).toBe(false);
  });

  test.each([
    [0, minute],
    [minute - 1, minute],
    [20 * minute, 20 * minute],
    [9 * hour, 6 * hour],
  ])('whose receiver asks to wait %i ms is due after %i ms', (waitMs, pause) => {
    const waiting = finishDelivery(claim(undefined, start), { waitMs }, start);
    expect(isDue(waiting, item, loud(start + pause - 1))).toBe(false);
    expect(isDue(waiting, item, loud(start + pause))).toBe(true);
  });

  test('is never sent twice within an hour, whatever becomes of its attempts, unless they did not send', () => {
    const results = fc.constantFrom<DeliveryResult | 'died'>(
      ...(['delivered', 'unknown', 'died'] as const),
      ...[{ waitMs: 0 }, { waitMs: 2 * hour }],
    );
    const steps = fc.array(fc.record({ result: results, gap: fc.integer({ min: 0, max: 2 * hour }) }), {
      maxLength: 40,
    });
    fc.assert(
      fc.property(steps, (attempts) => {
        let now = start;
        let delivery: Delivery | undefined;
        let arrivedAt = Number.NEGATIVE_INFINITY;
        for (const { result, gap } of attempts) {
          now += gap;
          if (!isDue(delivery, item, loud(now))) continue;
          expect(now - arrivedAt).toBeGreaterThanOrEqual(onceMs);
          delivery = claim(delivery, now);
          if (typeof result === 'string') arrivedAt = now;
          if (result !== 'died') delivery = finishDelivery(delivery, result, now);
        }
      }),
    );
  });

  test('whose next time is further ahead than it can be is due, because the clock was ahead', () => {
    const ahead = claim(undefined, start + 900 * day);
    expect(isDue(ahead, item, loud(start))).toBe(true);
    expect(isDue({ ...ahead, state: 'waiting' }, item, loud(start))).toBe(true);
  });

  test('that is not urgent waits for the end of the quiet hours', () => {
    expect(isDue(undefined, item, { now: start, isQuiet: true })).toBe(false);
    expect(isDue(undefined, { ...item, isUrgent: true }, { now: start, isQuiet: true })).toBe(true);
  });
});

test('a claim that another process has taken over is not finished', () => {
  const first = claim(undefined, start);
  expect(isSameClaim(first, { ...first })).toBe(true);
  expect(isSameClaim(first, claim(first, start + hour))).toBe(false);
  expect(isSameClaim(first, finishDelivery(first, 'delivered', start))).toBe(false);
  expect(isSameClaim(first, undefined)).toBe(false);
});

test('a process that was suspended after its claim does not send', () => {
  const claimed = claim(undefined, start);
  expect(mayStillSend(claimed, start + hour / 2 - 1)).toBe(true);
  expect(mayStillSend(claimed, start + hour / 2)).toBe(false);
  expect(mayStillSend(claimed, start - day)).toBe(false);
});

test.each([
  ['22:00', '07:00', ['22:00', '23:59', '00:00', '06:59'], ['07:00', '12:00', '21:59']],
  ['09:00', '17:30', ['09:00', '17:29'], ['08:59', '17:30', '00:00']],
])('quiet hours from %s until %s', (from, until, quiet, loudTimes) => {
  for (const time of quiet) expect(isInQuietHours(time, { from, until })).toBe(true);
  for (const time of loudTimes) expect(isInQuietHours(time, { from, until })).toBe(false);
  expect(isInQuietHours('00:00', undefined)).toBe(false);
});

describe('messages', () => {
  test('have one item each, and all items when there are more than five', () => {
    expect(groupItems([1, 2, 3, 4, 5], [], start)).toEqual([[1], [2], [3], [4], [5]]);
    expect(groupItems([1, 2, 3, 4, 5, 6], [], start)).toEqual([[1, 2, 3, 4, 5, 6]]);
    expect(groupItems([], [], start)).toEqual([]);
  });

  test('are one in ten minutes after twenty within an hour', () => {
    const sentAt = Array.from({ length: 20 }, (_, index) => start - index * 60_000);
    expect(groupItems([1, 2], sentAt, start + 10 * 60_000 - 1)).toEqual([]);
    expect(groupItems([1, 2], sentAt, start + 10 * 60_000)).toEqual([[1, 2]]);
    expect(groupItems([1, 2], sentAt.slice(1), start)).toEqual([[1], [2]]);
  });

  test('are counted by their claims of the last hour, of one message once', () => {
    const at = (claimedAt: number) => ({ ...claim(undefined, start), claimedAt });
    const claims = [at(start - hour), at(start - hour + 1), at(start), at(start), at(start + 1)];
    expect(listMessageTimes(claims, start)).toEqual([start - hour + 1, start]);
  });
});
