/** Which earlier order an order would repeat, and for how long; duplicates.test.ts has the same through the tools. */
import { describe, expect, test } from 'vitest';
import { findDuplicate, needsLookUp, wasPlacedRecently } from '../../../../src/core/orders/intent/duplicates.ts';
import type { Intent } from '../../../../src/core/orders/intent/intent.ts';
import { makeIntent, now, openJournal } from '../risk/example-account.ts';

const windowMs = 600_000;
const approvalMs = 300_000;
const old = { sentAt: now - windowMs, orderId: '7' };

const find = async (intents: readonly Intent[], question: Partial<Parameters<typeof findDuplicate>[1]> = {}) => {
  const journal = await openJournal(intents);
  const asked = { fingerprint: 'print', repeatOf: undefined, now, pendingIds: [], ...question };
  return journal.read((tx) => findDuplicate(tx, asked));
};

test.each<[string, Partial<Intent>, readonly string[], 'existing' | 'new']>([
  ['placed less than ten minutes ago is the same', { sentAt: now - windowMs + 1 }, [], 'existing'],
  ['placed ten minutes ago is over', old, [], 'new'],
  ['that is still pending is the same', old, ['6', '7'], 'existing'],
  ['without an id is not found among the pending ones', { ...old, orderId: undefined }, ['7'], 'new'],
  ['that ended without a fill is over immediately', { sentAt: now, endedAs: 'CANCELLED' }, [], 'new'],
  ['that ended without a fill is over, even if old data shows it', { ...old, endedAs: 'CANCELLED' }, ['7'], 'new'],
  ['that was rejected is over', { state: 'REJECTED' }, [], 'new'],
  ['of unknown outcome is the same, however old', { state: 'UNKNOWN', createdAt: 0, sentAt: 0 }, [], 'existing'],
  ['that waits for a person is the same', { state: 'APPROVED', createdAt: now }, [], 'existing'],
  ['whose time is over is over', { state: 'APPROVED', createdAt: now - 60_000 }, [], 'new'],
  ['of another fingerprint is another', { fingerprint: 'other', sentAt: now }, [], 'new'],
])('an order %s', async (_, change, pendingIds, kind) => {
  const found = await find([makeIntent({ id: 'a', ...change })], { pendingIds });
  expect(found).toEqual(kind === 'new' ? { kind } : { kind, intent: expect.objectContaining({ id: 'a' }) });
});

describe('a wanted repetition', () => {
  const first = makeIntent({ id: 'first', sentAt: now });
  const second = makeIntent({ id: 'second', repeatOf: 'first', sentAt: now });

  test('is one of the order that it names', async () => {
    expect(await find([first], { repeatOf: 'first' })).toMatchObject({ kind: 'repetition', of: { id: 'first' } });
  });

  test('is placed once', async () => {
    expect(await find([first, second], { repeatOf: 'first' })).toMatchObject({
      kind: 'existing',
      intent: { id: 'second' },
    });
  });

  test('of an order that is still undecided is that order', async () => {
    const undecided = { ...first, state: 'UNKNOWN' as const };
    expect(await find([undecided], { repeatOf: 'first' })).toMatchObject({ kind: 'existing', intent: { id: 'first' } });
  });

  test.each([
    ['an order that is not known', 'third', 'print'],
    ['another order', 'first', 'other'],
  ])('cannot name %s', async (_, repeatOf, fingerprint) => {
    await expect(find([first], { repeatOf, fingerprint })).rejects.toMatchObject({ code: 'invalid_argument' });
  });
});

describe('an order was placed recently', () => {
  test.each<[string, Partial<Intent>, boolean]>([
    ['less than ten minutes ago', { sentAt: now - windowMs + 1 }, true],
    ['ten minutes ago', { sentAt: now - windowMs }, false],
    ['after the longest approval', { createdAt: now - windowMs - approvalMs, sentAt: now - 1 }, true],
    ['after longer than any approval', { createdAt: now - windowMs - approvalMs - 1, sentAt: now - 1 }, false],
    ['in another environment', { environment: 'live', sentAt: now }, false],
    ['and rejected', { state: 'REJECTED', sentAt: now }, false],
  ])('%s: %j %s', async (_, change, expected) => {
    const journal = await openJournal([makeIntent({ id: 'a', ...change })]);
    expect(await journal.read((tx) => wasPlacedRecently(tx, 'sandbox', now))).toBe(expected);
    expect(await journal.read((tx) => needsLookUp(tx, 'sandbox', now))).toBe(expected);
  });

  test('or is undecided, however old: it needs a look', async () => {
    const journal = await openJournal([makeIntent({ id: 'a', state: 'UNKNOWN', createdAt: 0, sentAt: 0 })]);
    expect(await journal.read((tx) => needsLookUp(tx, 'sandbox', now))).toBe(true);
  });
});
