/**
 * A clock that was wrong once. Each stored time of a store that has one of everything is set to the far future and to
 * the far past, and a fresh program opens it: nothing that must go on stays silent or blocked, nothing that has ended
 * becomes valid, and no order leaves twice.
 */
// @module-tag server
// @module-tag slow
import { beforeAll, describe, expect, test } from 'vitest';
import { buildStore, type Snapshot } from './build-store.ts';
import { type StoredTime, setTime } from './find-times.ts';
import { goOn } from './go-on.ts';
import { knownTimes, otherTimes } from './known-times.ts';
import { type Outcome, works } from './outcome.ts';

const far = 400 * 86_400_000;
const names = Object.keys(knownTimes);
/** Times that something lasts until, which are also set to the ends of the calendar. */
const isEnd = (name: string) => /until|expires|ends|answerBy|nextAt|retryAt|due/i.test(name);

let snapshots: readonly Snapshot[] = [];
const untouched = new Map<Snapshot, Promise<Outcome>>();
beforeAll(async () => {
  snapshots = await buildStore();
}, 600_000);

/** What becomes of the store as it is. */
function expectedOf(snapshot: Snapshot): Promise<Outcome> {
  const known = untouched.get(snapshot) ?? goOn(snapshot);
  untouched.set(snapshot, known);
  return known;
}

function find(name: string): { readonly snapshot: Snapshot; readonly time: StoredTime } {
  for (const snapshot of snapshots) {
    const time = snapshot.times.find((one) => one.name === name);
    if (time) return { snapshot, time };
  }
  throw new Error(`The store has no time ${name}: build-store.ts no longer makes it, or its line is out of date.`);
}

test('the list has every time of the store, and no other', () => {
  const found = new Set(snapshots.flatMap(({ times }) => times.map(({ name }) => name)));
  const listed = [...found].filter((name) => !(name in otherTimes));
  expect(listed.toSorted()).toEqual(names.toSorted());
});

test('the store as it is goes on, whenever the program was killed', async () => {
  for (const snapshot of snapshots) {
    const { approvals, sent, halt, planned, ...rest } = await expectedOf(snapshot);
    expect(rest).toEqual(works);
    expect(planned).toBe(1);
    expect(new Set(sent).size).toBe(sent.length);
  }
}, 600_000);

describe.each(names)('%s', (name) => {
  const { future, past } = knownTimes[name] ?? {};
  const values: readonly (readonly [string, (at: number) => number, typeof future])[] = [
    ['400 days ahead', (at) => at + far, future],
    ['400 days ago', (at) => at - far, past],
    ...(isEnd(name)
      ? ([
          ['in the year 9999', () => Date.UTC(9999, 0), future],
          ['in 1970', () => 0, past],
        ] as const)
      : []),
  ];
  test.each(values)('%s', async (_, toValue, change) => {
    const { snapshot, time } = find(name);
    const at = typeof time.value === 'string' ? Date.parse(time.value) : time.value || snapshot.at;
    const expected = await expectedOf(snapshot);
    const found = await goOn(snapshot, (file) => setTime(file, time, toValue(at)));
    expect(found).toEqual({ ...expected, ...change?.(expected) });
  });
});

test('a clock that was 400 days ahead all the time: what waits is over, and everything goes on', async () => {
  const ahead = (await buildStore(far)).at(-1) as Snapshot;
  const { approvals, halt, planned, sent, ...rest } = await goOn(ahead);
  expect(approvals).toEqual(['not_waiting', 'no draft waits']);
  expect(rest).toEqual(works);
  expect(planned).toBeGreaterThanOrEqual(1);
  expect([halt, sent]).toEqual(['none', [52, 53, 54, 55]]);
});
