/** The lock of the page: five wrong passphrases set it, and a right one on the page removes only the lock of its own attempt. */
import { describe, expect, test } from 'vitest';
import {
  afterWrong,
  getWrongPassphrases,
  type KeptAttempts,
  noAttempts,
  waitMsOn,
  withFailure,
  withRight,
  withWrong,
} from '../../../../src/core/approval/enrollment/enrollment.ts';

/** Counts a number of wrong passphrases on the page, at 1, 2, 3 … ms. */
const wrongOnPage = (count: number): KeptAttempts => {
  let kept: KeptAttempts = noAttempts;
  for (let at = 1; at <= count; at++) kept = withWrong(withFailure('page', kept, at), at);
  return kept;
};

describe('the page', () => {
  test('is locked by the fifth wrong passphrase, and the time of the lock stays', () => {
    expect([0, 1, 4, 5, 6].map((count) => wrongOnPage(count).lockedAt)).toEqual([
      undefined,
      undefined,
      undefined,
      5,
      5,
    ]);
    expect([0, 1, 4, 5, 6].map((count) => afterWrong('page', wrongOnPage(count)).attemptsLeft)).toEqual([
      5, 4, 1, 0, 0,
    ]);
  });

  test('waits 2, 4, 8, 16 … seconds after each wrong one, at most 64', () => {
    expect([0, 1, 2, 3, 4, 5, 6, 7].map((count) => waitMsOn('page', wrongOnPage(count), count))).toEqual([
      0, 2_000, 4_000, 8_000, 16_000, 32_000, 64_000, 64_000,
    ]);
    expect(waitMsOn('page', wrongOnPage(1), 2_000)).toBe(1);
    expect(waitMsOn('page', wrongOnPage(1), 2_001)).toBe(0);
    expect(afterWrong('page', wrongOnPage(3)).retryAfterSeconds).toBe(8);
  });

  test('is free again after the right passphrase of an attempt that would have locked it', () => {
    const mine = withFailure('page', wrongOnPage(4), 10);
    expect(mine.lockedAt).toBe(10);
    expect(withRight('page', mine, mine, 0)).toMatchObject({ failures: 0, lastFailureAt: 0, lockedAt: undefined });
  });

  test.each<[string, (mine: KeptAttempts) => KeptAttempts, number]>([
    ['another attempt failed since', (mine) => withFailure('page', mine, 11), 10],
    ['others had set it before', () => withFailure('page', wrongOnPage(5), 10), 5],
    // As many failures as at this attempt, and another lock.
    ['the owner unlocked it and five others failed since', () => wrongOnPage(5), 5],
  ])('stays locked after the right passphrase when %s', (_, since, lockedAt) => {
    const mine = withFailure('page', wrongOnPage(4), 10);
    expect(withRight('page', since(mine), mine, 0).lockedAt).toBe(lockedAt);
  });
});

describe('the terminal', () => {
  test('only slows down', () => {
    let kept: KeptAttempts = noAttempts;
    expect(waitMsOn('terminal', kept, 0)).toBe(0);
    for (let at = 1; at <= 9; at++) kept = withFailure('terminal', kept, at);
    expect(kept).toMatchObject({ failures: 0, lockedAt: undefined, terminal: { failures: 9, lastFailureAt: 9 } });
    expect(afterWrong('terminal', kept)).toEqual({ attemptsLeft: undefined, retryAfterSeconds: 64 });
    expect([waitMsOn('terminal', kept, 9), waitMsOn('page', kept, 9)]).toEqual([64_000, 0]);
  });

  test('removes the lock of the page with the right passphrase', () => {
    const kept = withFailure('terminal', wrongOnPage(6), 10);
    expect(withRight('terminal', kept, kept, 0)).toMatchObject({
      failures: 0,
      lockedAt: undefined,
      terminal: undefined,
    });
  });
});

test('the owner is shown each wrong passphrase once: those that were seen leave the count', () => {
  expect(getWrongPassphrases(noAttempts)).toBeUndefined();
  expect(getWrongPassphrases(wrongOnPage(3))).toEqual({ count: 3, lastAt: 3, locked: [] });
  const mine = withFailure('page', wrongOnPage(3), 10);
  expect(getWrongPassphrases(withRight('page', mine, mine, 2))).toMatchObject({ count: 1, lastAt: 3 });
  expect(getWrongPassphrases(withRight('page', mine, mine, 3))).toBeUndefined();
});

test('a wrong passphrase that was typed while the right one was checked stays in the count', () => {
  const mine = withFailure('page', wrongOnPage(3), 10);
  const since = withWrong(mine, 11);
  expect(getWrongPassphrases(withRight('page', since, mine, 3))).toMatchObject({ count: 1, lastAt: 11 });
});

test('in the terminal too, those that were not seen stay in the count', () => {
  const mine = withFailure('terminal', wrongOnPage(3), 10);
  expect(getWrongPassphrases(withRight('terminal', mine, mine, 1))).toEqual({
    count: 2,
    lastAt: 3,
    locked: [],
  });
});

test('the owner is shown a lock although no wrong passphrase is left to show', () => {
  const locked = withFailure('page', { ...noAttempts, failures: 4 }, 10);
  expect(getWrongPassphrases(locked)).toEqual({ count: 0, lastAt: 0, locked: ['page'] });
});

test('the time of the last wrong passphrase is the latest one, also when an earlier attempt ends later', () => {
  const kept = withWrong(withWrong(noAttempts, 20), 10);
  expect(getWrongPassphrases(kept)).toEqual({ count: 2, lastAt: 20, locked: [] });
});

test('a count that cannot be read locks, and a time of the future delays nothing', () => {
  const damaged = { ...noAttempts, failures: Number.NaN };
  expect(withFailure('page', damaged, 10).lockedAt).toBe(10);
  // As after the fifth wrong one, which was at 10 ms.
  expect(waitMsOn('page', { ...damaged, lastFailureAt: 10 }, 10)).toBe(32_000);
  expect(waitMsOn('page', { ...noAttempts, failures: 3, lastFailureAt: 11 }, 10)).toBe(0);
});

describe('the login on the web', () => {
  const wrongOnWeb = (count: number, from: KeptAttempts = noAttempts): KeptAttempts => {
    let kept = from;
    for (let at = 1; at <= count; at++) kept = withFailure('web', kept, at);
    return kept;
  };

  test('is locked by the fifth wrong passphrase, with the delays of the page', () => {
    expect([4, 5, 6].map((count) => wrongOnWeb(count).web?.lockedAt)).toEqual([undefined, 5, 5]);
    expect([1, 2, 5].map((count) => waitMsOn('web', wrongOnWeb(count), count))).toEqual([2_000, 4_000, 32_000]);
    expect(afterWrong('web', wrongOnWeb(3))).toEqual({ attemptsLeft: 2, retryAfterSeconds: 8 });
  });

  test('has a count of its own: it neither locks nor delays the page and the terminal, and they do not lock it', () => {
    const kept = wrongOnWeb(9);
    expect([waitMsOn('page', kept, 9), waitMsOn('terminal', kept, 9), kept.lockedAt]).toEqual([0, 0, undefined]);
    expect(getWrongPassphrases(kept)).toEqual({ count: 0, lastAt: 0, locked: ['web'] });
    expect([waitMsOn('web', wrongOnPage(5), 5), wrongOnPage(5).web]).toEqual([0, undefined]);
  });

  test('a right passphrase there frees it and nothing else; one in the terminal frees all', () => {
    const mine = withFailure('web', wrongOnWeb(4, wrongOnPage(5)), 10);
    expect(withRight('web', mine, mine, 0)).toMatchObject({ lockedAt: 5, web: { failures: 0, lockedAt: undefined } });
    expect(withRight('web', withFailure('web', mine, 11), mine, 0).web?.lockedAt).toBe(10);
    expect(withRight('page', wrongOnWeb(5), wrongOnWeb(5), 0).web?.lockedAt).toBe(5);
    expect(withRight('terminal', mine, mine, 0)).toMatchObject({ lockedAt: undefined, web: undefined });
  });
});
