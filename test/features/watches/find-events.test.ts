/** What is an event: not what was there at the first sight, and nothing twice. */
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { WatchEvent } from '../../../src/features/watches/event.ts';
import {
  emptySight,
  findEvents,
  nameOrder,
  type Reading,
  type Sight,
  windowMs,
} from '../../../src/features/watches/find-events.ts';
import { day, halt, hour, start } from './support.ts';

const read = (at: number, ...orders: readonly WatchEvent[]): Reading => ({ at, found: { orders } });
const keysOf = (events: readonly WatchEvent[]) => events.map(({ key }) => key);

/** All readings one after the other; what each of them reported. */
function run(readings: readonly Reading[], from: Sight = emptySight) {
  let sight = from;
  return readings.map((reading) => {
    const found = findEvents(sight, reading, []);
    sight = JSON.parse(JSON.stringify(found.sight));
    return keysOf(found.events);
  });
}

test('nothing is an event at the first sight of its source, and what comes after it is one once', () => {
  expect(
    run([
      read(start, halt('old', start - hour)),
      read(start + 1, halt('old', start - hour), halt('new', start + 1)),
      read(start + 2, halt('new', start + 1)),
      { at: start + 3, found: { dividends: [halt('paid', start)] } },
      { at: start + 4, found: { dividends: [halt('paid', start), halt('paid later', start)] } },
    ]),
  ).toEqual([[], ['new'], [], [], ['paid later']]);
});

test('a source that was not read stays as it was seen', () => {
  expect(
    run([read(start), { at: start + 1, found: {} }, read(start + 2, halt('new', start + 1)), read(start + 3)]),
  ).toEqual([[], [], ['new'], []]);
});

test('what happened before the window is no event, although its row comes late', () => {
  const late = halt('late', start - windowMs - 1);
  const inTime = halt('in time', start - windowMs + 2);
  expect(run([read(start), read(start + 1, late, inTime)])).toEqual([[], ['in time']]);
});

test('events are listed by their time', () => {
  const first = findEvents(emptySight, read(start), []).sight;
  const { events } = findEvents(
    first,
    read(start + 9, halt('c', start + 3), halt('b', start + 5), halt('a', start + 5)),
    [],
  );
  expect(keysOf(events)).toEqual(['c', 'a', 'b']);
});

test('of any readings each new key is reported once, in the reading that first has it, and none of the first', () => {
  const rows = fc.uniqueArray(fc.record({ id: fc.nat(40), age: fc.integer({ min: 0, max: 10 * day }) }), {
    selector: ({ id }) => id,
    maxLength: 40,
  });
  const times = fc.array(fc.record({ gap: fc.integer({ min: 1, max: day }), show: fc.array(fc.nat(40)) }), {
    minLength: 2,
    maxLength: 12,
  });
  fc.assert(
    fc.property(rows, times, (known, steps) => {
      let at = start;
      const readings = steps.map(({ gap, show }) => {
        at += gap;
        const shown = known.filter(({ id }) => show.includes(id));
        return read(at, ...shown.map(({ id, age }) => halt(String(id), start - age)));
      });
      const reported = run(readings);
      const seen = new Set<string>();
      readings.forEach((reading, index) => {
        const present = reading.found.orders ?? [];
        const expected = present.filter(({ key, at: happened }) => {
          // The sight before this reading decides what is too old.
          const before = readings[index - 1];
          return before && !seen.has(key) && happened >= reading.at - windowMs;
        });
        expect(new Set(reported[index])).toEqual(new Set(keysOf(expected)));
        for (const { key } of present) seen.add(key);
      });
      expect(reported[0]).toEqual([]);
      const all = reported.flat();
      expect(new Set(all).size).toBe(all.length);
    }),
  );
});

test('the keys that are kept are bounded, and what was dropped is never an event again', () => {
  const many = Array.from({ length: 3_500 }, (_, index) => halt(`k${index}`, start - 3_500 + index));
  const first = findEvents(emptySight, read(start, ...many), []);
  expect(first.sight.sources.orders?.keys).toHaveLength(3_000);
  expect(findEvents(first.sight, read(start + 1, ...many), []).events).toEqual([]);
});

describe('a clock that was wrong', () => {
  test('and ahead by years hides no event for longer than until the next reading', () => {
    const ahead = start + 3_000 * day;
    expect(
      run([
        read(ahead, halt('old', start)),
        read(start + 1, halt('old', start)),
        read(start + 2, halt('old', start), halt('new', start + 2)),
      ]),
    ).toEqual([[], [], ['new']]);
  });

  test('and behind by years reports nothing of the past when it is right again', () => {
    expect(run([read(start - 3_000 * day, halt('old', start - day)), read(start, halt('old', start - day))])).toEqual([
      [],
      [],
    ]);
  });
});

describe('orders that wait', () => {
  const pending = (id: string) => ({ id, createdAt: start - 30 * day });
  const openIds = (sight: Sight) => sight.open.map(({ id }) => id);

  test('stay open until the history has their end', () => {
    const first = findEvents(emptySight, { at: start, found: { orders: [] }, pending: [pending('1')] }, []).sight;
    const gone = findEvents(first, { at: start + 1, found: { orders: [] }, pending: [] }, []).sight;
    expect(openIds(gone)).toEqual(['1']);
    const unread = findEvents(gone, { at: start + 2, found: {} }, []).sight;
    expect(openIds(unread)).toEqual(['1']);
    const ended = findEvents(
      unread,
      { at: start + 3, found: { orders: [halt(nameOrder('1'), start + 3)] }, pending: [] },
      [],
    );
    expect(keysOf(ended.events)).toEqual(['order:1']);
    expect(openIds(ended.sight)).toEqual([]);
  });

  test('are dropped when their end is no news any more, also under a clock that was ahead', () => {
    for (const goneAt of [start, start + 3_000 * day]) {
      const sight: Sight = { ...emptySight, open: [{ ...pending('1'), goneAt }] };
      const next = findEvents(sight, { at: start + windowMs - 1, found: {}, pending: [] }, []).sight;
      expect(openIds(next)).toEqual(['1']);
      const later = findEvents(next, { at: start + 3 * windowMs, found: {}, pending: [] }, []).sight;
      expect(openIds(later)).toEqual([]);
    }
  });
});
