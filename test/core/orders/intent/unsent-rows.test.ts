/** The rows of orders that ended before anything was sent: which share one, and how many there are. */
import { describe, expect, test } from 'vitest';
import { keepUnsent } from '../../../../src/core/orders/intent/duplicates.ts';
import type { Intent } from '../../../../src/core/orders/intent/intent.ts';
import type { JournalChange } from '../../../../src/core/orders/intent/journal-port.ts';
import { makeIntent, now, openJournal } from '../risk/example-account.ts';

const dayMs = 86_400_000;
const draft = (change: Partial<Intent> = {}) =>
  makeIntent({ id: 'new', state: 'DRAFT', createdAt: now, changedAt: now - 5, sentAt: undefined, ...change });
const why = { rule: 'cash', reason: 'Too little.' } as const;
/** A row of an order that a rule refused, of a fingerprint of its own. */
const row = (id: string, age: number, change: Partial<Intent> = {}) =>
  draft({ id, state: 'REFUSED', fingerprint: id, createdAt: now - age, times: 1, ...why, ...change });
const rows = (count: number, age: number, change: Partial<Intent> = {}) =>
  Array.from({ length: count }, (_, n) => row(`row ${n}`, age, change));

const refuse = (tx: JournalChange, intent = draft(), reason: Parameters<typeof keepUnsent>[3] = why) =>
  keepUnsent(tx, intent, 'refuse', reason, now);

describe('an equal order', () => {
  const earlier = (change: Partial<Intent> = {}) => row('earlier', 600_000, { fingerprint: 'print', ...change });

  test('of the last ten minutes is counted in the same row, with the new reason', async () => {
    const journal = await openJournal([earlier()]);
    const kept = await journal.change((tx) =>
      refuse(tx, draft(), { rule: 'cash', reason: 'Less.', largestQuantity: '3' }),
    );
    expect(kept).toMatchObject({ id: 'earlier', state: 'REFUSED', times: 2, reason: 'Less.', largestQuantity: '3' });
    expect(await journal.read((tx) => tx.list())).toEqual([kept]);
    expect(kept.changedAt).toBe(now);
  });

  test.each<[string, Partial<Intent>]>([
    ['of longer ago', { createdAt: now - 600_001 }],
    ['of another fingerprint', { fingerprint: 'other' }],
    ['that another rule refused', { rule: 'shares' }],
    ['that ended otherwise', { state: 'NOT_SENT' }],
    ['that got further than a draft', { times: undefined }],
  ])('%s has a row of its own', async (_, change) => {
    const journal = await openJournal([earlier(change)]);
    expect(await journal.change((tx) => refuse(tx))).toMatchObject({ id: 'new', state: 'REFUSED', times: 1, ...why });
    expect((await journal.read((tx) => tx.list())).map(({ id }) => id).toSorted()).toEqual(['earlier', 'new']);
  });

  test('that is a leg has a row of its own, because its draft must know how it ended', async () => {
    const journal = await openJournal([...rows(10, 1), earlier()]);
    const leg = { submissionId: 's', number: 1 };
    // The attempt to send the draft is not in this journal.
    const insert = async (tx: JournalChange) =>
      refuse({ ...tx, insert: ({ leg: _, ...row }) => tx.insert(row) }, draft({ leg }));
    expect(await journal.change(insert)).toMatchObject({ id: 'new', leg });
  });
});

test('an order whose account could not be read was not sent, and its row has no pending orders', async () => {
  const journal = await openJournal();
  const baseline = { ...draft().baseline, pendingIds: ['1'] };
  const kept = await journal.change((tx) => keepUnsent(tx, draft({ baseline }), 'failBeforeSending', {}, now));
  expect(kept).toMatchObject({ state: 'NOT_SENT', changedAt: now, baseline: { pendingIds: [] } });
  expect(await journal.read((tx) => tx.find('new'))).toEqual(JSON.parse(JSON.stringify(kept)));
});

describe('a new row', () => {
  const hourMs = 3_600_000;

  test.each<[string, readonly Intent[], boolean]>([
    ['has room beside nine of the last minute', rows(9, 59_999), true],
    ['has no room beside ten of the last minute', rows(10, 59_999), false],
    ['has room beside ten of a minute ago', rows(10, 60_000), true],
    ['has room beside 59 of the last hour', rows(59, hourMs - 1), true],
    ['has no room beside 60 of the last hour', rows(60, hourMs - 1), false],
    ['has room beside 60 of an hour ago', rows(60, hourMs), true],
    ['has room beside 299 of the last day', rows(299, dayMs - 1), true],
    ['has no room beside 300 of the last day', rows(300, dayMs - 1), false],
    ['has room beside 300 of a day ago', rows(300, dayMs), true],
    [
      'has room beside nine of the last minute and one of the future that was seen long ago',
      [...rows(9, 1), row('ahead', -60_000, { seenAheadAt: now - 60_000 })],
      true,
    ],
    ['has no room beside ten that were not sent', rows(10, 1, { state: 'NOT_SENT' }), false],
    ['has room beside any number that went further', rows(300, 1, { state: 'EXPIRED' }), true],
    ['has room beside any number on another account', rows(300, 1, { accountKey: 'other' }), true],
    ['has room beside any number in another environment', rows(300, 1, { environment: 'demo' }), true],
    [
      'has no room where the newest of many rows fill the minute',
      [...rows(10, 1), ...Array.from({ length: 20 }, (_, n) => row(`old ${n}`, 7_200_000))],
      false,
    ],
  ])('%s', async (_, before, hasRoom) => {
    const journal = await openJournal(before);
    await journal.change((tx) => refuse(tx));
    const row = await journal.read((tx) => tx.find('new'));
    expect(row?.fingerprint === 'print').toBe(hasRoom);
  });
});

describe('what has no room', () => {
  const keep = async (...drafts: readonly (readonly [Partial<Intent>, Parameters<typeof keepUnsent>[3]])[]) => {
    const journal = await openJournal(rows(10, 1));
    const kept: Intent[] = [];
    for (const [n, [change, reason]] of drafts.entries())
      kept.push(
        await journal.change((tx) => refuse(tx, draft({ id: `new ${n}`, fingerprint: `new ${n}`, ...change }), reason)),
      );
    const found = await journal.read((tx) => tx.list());
    return { kept, rest: found.filter(({ id }) => id.startsWith('new')).map(({ id, times }) => [id, times]), journal };
  };

  test('is counted in one row for each rule, and each caller receives its own reason', async () => {
    const cash = (reason: string) => [{}, { rule: 'cash', reason }] as const;
    const { kept, rest } = await keep(cash('a'), cash('b'), [{}, { rule: 'shares', reason: 'c' }], cash('d'));
    expect(kept.map(({ id, reason }) => [id, reason])).toEqual([
      ['new 0', 'a'],
      ['new 0', 'b'],
      ['new 2', 'c'],
      ['new 0', 'd'],
    ]);
    expect(rest.toSorted()).toEqual([
      ['new 0', 3],
      ['new 2', 1],
    ]);
  });

  test('is counted for each account and environment alone', async () => {
    const journal = await openJournal([
      ...rows(10, 1),
      ...[{ accountKey: 'other' }, { environment: 'demo' }].flatMap((place, set) =>
        Array.from({ length: 10 }, (_, n) => row(`${set} ${n}`, 1, place)),
      ),
    ]);
    const places = [{}, { accountKey: 'other' }, { environment: 'demo' }];
    const ids: string[] = [];
    for (const [n, place] of places.entries())
      ids.push((await journal.change((tx) => refuse(tx, draft({ id: `new ${n}`, ...place, fingerprint: `${n}` })))).id);
    expect(ids).toEqual(['new 0', 'new 1', 'new 2']);
  });

  test('keeps no order, so that none can be repeated by it', async () => {
    const { journal } = await keep([{ repeatOf: 'row 1' }, why]);
    const stored = await journal.read((tx) => tx.find('new 0'));
    expect(stored?.repeatOf).toBeUndefined();
    expect(stored?.reason).toMatch(/^More orders ended unsent/);
  });

  test.each([
    ['less than a day ago', dayMs, 1],
    ['longer ago', dayMs + 1, 2],
  ])('is counted in the row of the rest that was written %s', async (_, age, count) => {
    const journal = await openJournal(rows(10, 1));
    const at = now - age;
    await journal.change((tx) =>
      keepUnsent(tx, draft({ id: 'rest', createdAt: at, fingerprint: 'x' }), 'refuse', why, now),
    );
    await journal.change((tx) => refuse(tx));
    const kept = await journal.read((tx) => tx.list());
    expect(kept.length - 10).toBe(count);
  });
});

describe('rows older than thirty days', () => {
  test('are removed when another is written, the oldest first, a hundred at most', async () => {
    const old = Array.from({ length: 101 }, (_, n) => row(`old ${n}`, 30 * dayMs + 1 + n));
    const journal = await openJournal([...old, row('of thirty days', 30 * dayMs)]);
    await journal.change((tx) => refuse(tx));
    const left = await journal.read((tx) => tx.list());
    expect(left.map(({ id }) => id)).toEqual(['new', 'of thirty days', 'old 0']);
  });

  test('stay where an order was sent or may be', async () => {
    const journal = await openJournal([
      row('placed', 40 * dayMs, { state: 'PLACED', sentAt: now - 40 * dayMs }),
      row('not sent', 40 * dayMs, { state: 'NOT_SENT' }),
    ]);
    await journal.change((tx) => refuse(tx));
    expect((await journal.read((tx) => tx.list())).map(({ id }) => id)).toEqual(['new', 'placed']);
  });
});
