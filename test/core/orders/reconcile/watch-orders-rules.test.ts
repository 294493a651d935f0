/** When the history is read for orders of other programs, how far back, and what is recorded of what it shows. */
import { describe, expect, test } from 'vitest';
import type { TradingSettings } from '../../../../src/core/approval/enrollment/live-origin-guard.ts';
import type { Broker, PageCursor } from '../../../../src/core/broker/types.ts';
import { BrokerageError } from '../../../../src/core/errors.ts';
import {
  type ExternalRecord,
  readExternalRecord,
  writeExternalRecord,
} from '../../../../src/core/orders/account/external-record.ts';
import type { Intent } from '../../../../src/core/orders/intent/intent.ts';
import { watchOrders } from '../../../../src/core/orders/reconcile/watch-orders.ts';
import { takeLog } from '../../../support/faults.ts';
import { createManualClock } from '../../../support/manual-clock.ts';
import { approvedOrder, openJournal, startAt } from '../send/approved-order.ts';

const minuteMs = 60_000;
const dayMs = 86_400_000;
/** The clocks of the service and of this machine may differ by two minutes. */
const marginMs = 120_000;
const accountKey = 'account';
/** Orders count from the start of the watch, which was long ago. */
const since = startAt - 10 * dayMs;
/** A read is due since an hour ago. */
const record: ExternalRecord = { since, nextAt: startAt - 60 * minuteMs, orders: [] };
const context = { priority: 'read', deadlineAt: startAt + minuteMs } as const;

/** A row of the history: an order of another program that ended so many ms before the start. */
const row = (id: string, ago = 1_000, more: { status?: string; fill?: object | undefined } = {}) => ({
  order: {
    id,
    ticker: 'ABC_EQ',
    status: more.status ?? 'FILLED',
    initiatedFrom: 'API',
    createdAt: new Date(startAt - ago).toISOString(),
  },
  ...('fill' in more ? { fill: more.fill } : { fill: { walletImpact: { netValue: '-10.50' } } }),
});
/** A row of an order that is not of another program. */
const other = (id: string, ago = 1_000) => ({ order: { ...row(id, ago).order, initiatedFrom: 'WEB' } });
const askedAt = startAt - 3;

interface ListedPage {
  readonly items: readonly object[];
  readonly next?: PageCursor;
  readonly chainError?: unknown;
}
const page = (items: readonly object[], next?: string): ListedPage => ({ items, ...(next && { next: { at: next } }) });

interface Options {
  readonly settings?: Partial<TradingSettings>;
  readonly readOnly?: boolean;
  readonly stored?: ExternalRecord | undefined;
  readonly intents?: readonly Partial<Intent>[];
  readonly enrolledAt?: number;
}

async function setup(options: Options = {}) {
  const clock = createManualClock({ startAt });
  const journal = await openJournal(clock);
  await journal.change(async (tx) => {
    const stored = 'stored' in options ? options.stored : record;
    if (stored) await writeExternalRecord(tx, accountKey, stored);
    if (options.enrolledAt !== undefined)
      await tx.set('security', { approval: 'page', limits: {}, enrolledAt: options.enrolledAt });
    for (const [index, intent] of (options.intents ?? []).entries())
      await tx.insert({ ...approvedOrder, id: String(index), ...intent });
  });
  const asked: unknown[] = [];
  let pagesRead = 0;
  /** Watches once. `top` is the history from its newest row on, `older` from where an earlier read stopped. */
  const watch = (
    top: readonly (ListedPage | Error)[] = [page([])],
    older: readonly (ListedPage | Error)[] = [],
    meanwhile?: () => Promise<unknown>,
  ) => {
    const broker = {
      pages: async function* (
        endpoint: { id: string },
        query: { from?: PageCursor },
        {
          deadlineAt,
          ...how
        }: object & {
          deadlineAt: number;
        },
      ) {
        asked.push({ id: endpoint.id, from: query.from, ...how });
        await meanwhile?.();
        for (const one of query.from ? older : top) {
          if (one instanceof Error) throw one;
          pagesRead++;
          yield { askedAt, ...one };
        }
      },
    } as unknown as Broker;
    const settings = { environment: 'demo', liveTrading: false, ...options.settings } as TradingSettings;
    return watchOrders(
      { broker, journal, clock, settings, configuredLimits: {}, readOnly: options.readOnly ?? false },
      accountKey,
      context,
    );
  };
  const read = () => journal.read((tx) => readExternalRecord(tx, accountKey));
  const orders = async () => ((await read())?.orders ?? []).map(({ id, value }) => [id, value]);
  return { clock, journal, watch, read, orders, asked, pagesRead: () => pagesRead };
}

const live = { environment: 'live', liveTrading: true } as const;
const enrolledAt = startAt - 5 * dayMs;

describe('who reads', () => {
  test.each<[string, Options, boolean]>([
    ['a process of a demo account', {}, true],
    ['a process that trades live', { settings: live, enrolledAt }, true],
    ['not a process of live that may not trade', { settings: { ...live, liveTrading: false }, enrolledAt }, false],
    ['not in live before the enrolment', { settings: live }, false],
    ['not in the sandbox', { settings: { environment: 'sandbox' } }, false],
    ['not a process that only reads', { readOnly: true }, false],
  ])('%s', async (_, options, isRead) => {
    const { watch, asked, read } = await setup(options);
    expect(await watch()).toBe(isRead ? startAt + minuteMs : undefined);
    expect(asked.length).toBe(isRead ? 1 : 0);
    expect((await read())?.nextAt).toBe(isRead ? startAt + minuteMs : record.nextAt);
  });
});

describe('a read', () => {
  const unknown = (nextAt: number): Partial<Intent> => ({
    state: 'UNKNOWN',
    search: { lostAt: startAt, round: 1, nextAt },
  });

  test.each<[string, Options, number]>([
    ['is due from the first call on', { stored: undefined }, 0],
    ['is due a minute after the last', { stored: { ...record, nextAt: startAt } }, 0],
    ['is not due before', { stored: { ...record, nextAt: startAt + 1 } }, 1],
    ['is not due for a minute', { stored: { ...record, nextAt: startAt + minuteMs } }, minuteMs],
    ['is due when the clock was set back', { stored: { ...record, nextAt: startAt + minuteMs + 1 } }, 0],
    ['waits for the search of an own order that is due', { intents: [unknown(startAt)] }, 1],
    ['does not wait for one that is not due', { intents: [unknown(startAt + 1)] }, 0],
    ['does not wait for one that ended', { intents: [{ state: 'UNKNOWN' }] }, 0],
    ['does not wait for that of another account', { intents: [{ ...unknown(startAt), accountKey: 'third' }] }, 0],
    ['does not wait for an order that was found', { intents: [{ ...unknown(startAt), state: 'PLACED' }] }, 0],
    ['waits where one of two searches is due', { intents: [unknown(startAt + 1), unknown(startAt)] }, 1],
  ])('%s', async (_, options, wait) => {
    const { watch, asked } = await setup(options);
    expect(await watch()).toBe(startAt + (wait === 0 ? minuteMs : wait));
    expect(asked.length).toBe(wait === 0 ? 1 : 0);
  });

  test('is made by one process a minute', async () => {
    const { watch, asked, read } = await setup();
    let second: number | undefined;
    await watch([page([])], [], async () => {
      expect((await read())?.nextAt).toBe(startAt + minuteMs);
      second = await watch();
    });
    expect(second).toBe(startAt + minuteMs);
    expect(asked.length).toBe(1);
  });

  test('is made by one of two processes that begin at once', async () => {
    const { watch, asked } = await setup();
    expect(await Promise.all([watch(), watch()])).toEqual([startAt + minuteMs, startAt + minuteMs]);
    expect(asked.length).toBe(1);
  });

  test('is not made where the enrolment of live ends before its turn', async () => {
    const { watch, asked, journal } = await setup({ settings: live, enrolledAt });
    const watching = watch();
    await journal.change((tx) => tx.set('security', undefined));
    expect(await watching).toBe(startAt + minuteMs);
    expect(asked).toEqual([]);
  });

  test('takes the turn of the background load, and a page of the last half minute', async () => {
    const { watch, asked } = await setup();
    await watch();
    expect(asked).toEqual([
      { id: 'listHistoricalOrders', from: undefined, priority: 'sync', notBefore: startAt - 30_000 },
    ]);
  });

  test.each([
    ['begins the watch where none began', undefined, startAt],
    ['keeps the begin of the watch', startAt - dayMs, startAt - dayMs],
    ['corrects a begin of the future', startAt + dayMs, startAt],
  ])('%s', async (_, before, after) => {
    const { watch, read } = await setup({ stored: { ...record, since: before } });
    await watch();
    expect((await read())?.since).toBe(after);
  });

  test('that takes long is followed by the next a minute after its end', async () => {
    const { clock, watch } = await setup();
    expect(await watch([page([])], [], () => clock.advance(5_000))).toBe(startAt + 5_000 + minuteMs);
  });

  test.each<[string, ListedPage | Error, readonly string[]]>([
    ['works', page([row('1')]), []],
    ['fails', new RangeError('planted'), ['RangeError']],
  ])('of an account that became part of another meanwhile leaves no record of it: it %s', async (_, top, faults) => {
    const { watch, journal, read } = await setup();
    const join = () => journal.change((tx) => tx.set('external orders of account', undefined));
    expect(await watch([top], [], join)).toBe(startAt + minuteMs);
    expect(await read()).toBeUndefined();
    expect(takeLog().map(({ code }) => code)).toEqual(faults);
  });

  test('that cannot be recorded is in the log, and the next is a minute later', async () => {
    const { watch, journal } = await setup();
    const plant = () => journal.change((tx) => tx.set('external orders of account', { since, orders: 5 }));
    expect(await watch([page([row('1')])], [], plant)).toBe(startAt + minuteMs);
    expect(takeLog()).toMatchObject([{ task: 'search for orders of other programs', code: 'TypeError' }]);
  });
});

describe('an order of another program', () => {
  test.each<[string, readonly object[], readonly (readonly [string, string | undefined])[]]>([
    ['is recorded with what its fills were worth', [row('1')], [['1', '10.5']]],
    [
      'with several fills is one',
      [row('1'), row('1', 1_000, { fill: { walletImpact: { netValue: '4' } } })],
      [['1', '14.5']],
    ],
    ['that was cancelled is worth nothing', [row('1', 1_000, { status: 'CANCELLED', fill: undefined })], [['1', '0']]],
    ['that may be filled further has no value', [row('1', 1_000, { status: 'PARTIALLY_FILLED' })], [['1', undefined]]],
    ['with a fill of unknown value has none', [row('1'), row('1', 1_000, { fill: {} })], [['1', undefined]]],
    [
      'of which a fill has no value of its own has none',
      [row('1', 1_000, { fill: { walletImpact: {} } })],
      [['1', undefined]],
    ],
    ['without an id is left out', [{ order: { ...row('1').order, id: undefined } }, row('2')], [['2', '10.5']]],
    ['beside a row without an order is recorded', [{ fill: {} }, row('2')], [['2', '10.5']]],
    ['of almost a day ago is recorded', [row('1', dayMs - 1)], [['1', '10.5']]],
    ['of a day ago is not', [row('1', dayMs)], []],
    ['without a time is not', [{ ...row('1'), order: { ...row('1').order, createdAt: undefined } }], []],
  ])('%s', async (_, items, expected) => {
    const { watch, orders } = await setup();
    await watch([page(items)]);
    expect(await orders()).toEqual(expected);
  });

  test('is recorded when the history is read for the first time in an environment that is not live', async () => {
    const { watch, orders } = await setup({ stored: undefined });
    // The watch begins now, by the clock of this machine.
    await watch([page([row('before', 1), row('after', 0)])]);
    expect(await orders()).toEqual([['after', '10.5']]);
  });

  test('whose rows go on behind the page has no value yet', async () => {
    const { watch, orders } = await setup();
    await watch([page([row('1'), row('2')], 'more')]);
    expect(await orders()).toEqual([
      ['1', '10.5'],
      ['2', undefined],
    ]);
  });

  test('in live halts trading', async () => {
    const { watch, journal } = await setup({ settings: live, enrolledAt });
    await watch([page([row('1')])]);
    expect(await journal.read((tx) => tx.get('halt'))).toMatchObject({
      at: startAt,
      by: 'rule',
      rule: 'foreign_order',
    });
  });
});

/** Three pages whose last row is this old, with more behind. */
const threePages = (ago: number) => [page([other('a')], 'b'), page([other('b')], 'c'), page([other('c', ago)], 'd')];
const lastReadAt = startAt - minuteMs;
const seen = { ...record, readAt: lastReadAt };
const rest = { from: { at: 'left' }, at: startAt - 300_000, until: startAt - 600_000, orderId: 'left' };

describe('how far back a read goes', () => {
  test.each<[string, Partial<ExternalRecord>, readonly ListedPage[], number]>([
    ['the first takes one page', {}, threePages(0), 1],
    ['to the last read and two minutes', { readAt: lastReadAt }, [page([other('a', minuteMs + marginMs + 1)], 'b')], 1],
    [
      'not only to the last read',
      { readAt: lastReadAt },
      [page([other('a', minuteMs + marginMs)], 'b'), page([other('b', dayMs)])],
      2,
    ],
    ['to the end of the list', { readAt: lastReadAt }, [page([], 'b'), page([])], 2],
    ['over an empty page', { readAt: lastReadAt }, [page([other('a')], 'b'), page([], 'c'), page([])], 3],
    ['three pages in a minute', { readAt: lastReadAt }, [...threePages(0), page([])], 3],
    [
      'a day and two minutes, if the last read is older',
      { readAt: startAt - 9 * dayMs },
      [page([other('a', dayMs + marginMs)], 'b'), page([other('b', dayMs + marginMs + 1)], 'c'), page([])],
      2,
    ],
    [
      'over the whole day, if the last read is in the future: the clock was set back',
      { readAt: startAt + marginMs + 1 },
      [page([other('a', dayMs + marginMs)], 'b'), page([other('b', dayMs + marginMs + 1)], 'c'), page([])],
      2,
    ],
    [
      'to now, if the last read is ahead by no more than the clocks differ',
      { readAt: startAt + marginMs },
      [page([other('a', 1)], 'b'), page([])],
      1,
    ],
  ])('%s', async (_, stored, pages, read) => {
    const { watch, pagesRead, read: readRecord } = await setup({ stored: { ...record, ...stored } });
    await watch(pages);
    expect(pagesRead()).toBe(read);
    expect((await readRecord())?.readAt).toBe(askedAt);
  });

  test('the first leaves nothing, also where its rows have no time', async () => {
    const { watch, read } = await setup();
    const timeless = { order: { ...row('1').order, createdAt: undefined } };
    await watch(['b', 'c', 'd'].map((next) => page([timeless], next)));
    expect(await read()).toMatchObject({ readAt: askedAt });
    expect((await read())?.rest).toBeUndefined();
  });

  test.each<[string, number, number]>([
    ['is at the time of its last row', 50_000, startAt - 50_000],
    // A row cannot be newer than the request for its page.
    ['is at the request where the row is dated ahead', -50_000, askedAt],
  ])('what is left of it %s', async (_, ago, at) => {
    const { watch, read } = await setup({ stored: seen });
    await watch(threePages(ago));
    expect((await read())?.rest).toEqual({ from: { at: 'd' }, at, until: lastReadAt - marginMs, orderId: 'c' });
    // The next read goes back to the request for the newest page.
    expect((await read())?.readAt).toBe(askedAt);
  });

  test('the last order before what is left has no value yet, because its fills may go on there', async () => {
    const { watch, orders } = await setup({ stored: seen });
    await watch([page([row('8')], 'b'), page([other('b')], 'c'), page([row('9')], 'd')]);
    expect(await orders()).toEqual([
      ['8', '10.5'],
      ['9', undefined],
    ]);
  });

  test('what is left behind pages without rows is at the request, after no order', async () => {
    const { watch, read } = await setup({ stored: seen });
    await watch([page([], 'b'), page([], 'c'), page([], 'd')]);
    expect((await read())?.rest).toEqual({ from: { at: 'd' }, at: askedAt, until: lastReadAt - marginMs });
  });

  test('what is left behind a row without an order is after no order', async () => {
    const { watch, read } = await setup({ stored: seen });
    await watch([page([], 'b'), page([row('1')], 'c'), page([{ fill: {} }], 'd')]);
    expect((await read())?.rest).toEqual({ from: { at: 'd' }, at: askedAt, until: lastReadAt - marginMs });
  });

  test('what was left before is read up to the same place, after what is left now', async () => {
    const { watch, read } = await setup({ stored: { ...seen, rest } });
    await watch(threePages(50_000));
    expect((await read())?.rest).toMatchObject({ from: { at: 'd' }, until: rest.until });
  });
});

/** The newest page, when nothing happened since the last read. */
const quiet = [page([other('a', 400_000)], 'b')];

describe('the rest of an earlier read', () => {
  test('is read after the newest page, and what is worth what is recorded', async () => {
    const { watch, read, orders, asked } = await setup({ stored: { ...seen, rest } });
    await watch(quiet, [page([row('left', 300_000), row('1', 300_000), row('2', 600_001)], 'e')]);
    expect(asked).toMatchObject([{ from: undefined }, { from: rest.from }]);
    // The fills of the order at which the earlier read stopped are partly in that read.
    expect(new Map((await orders()) as [string, string][])).toEqual(
      new Map([
        ['left', undefined],
        ['1', '10.5'],
        ['2', undefined],
      ]),
    );
    expect(await read()).toMatchObject({ readAt: askedAt });
    expect((await read())?.rest).toBeUndefined();
  });

  test('is read with the pages that the minute has left, and then goes on in the next', async () => {
    const { watch, read, pagesRead } = await setup({ stored: { ...seen, rest } });
    await watch(quiet, [page([row('1', 310_000)], 'e'), page([row('2', 320_000)], 'f'), page([])]);
    expect(pagesRead()).toBe(3);
    expect((await read())?.rest).toEqual({ from: { at: 'f' }, at: startAt - 320_000, until: rest.until, orderId: '2' });
  });

  test('waits a minute when the newest pages took all', async () => {
    const { watch, read, asked } = await setup({ stored: { ...seen, rest } });
    await watch([page([other('a')], 'b'), page([other('b')], 'c'), page([other('c', 400_000)], 'd')], [page([])]);
    expect(asked.length).toBe(1);
    expect((await read())?.rest).toEqual(rest);
  });

  test.each<[string, number, boolean]>([
    ['is read while the day and two minutes contain it', dayMs + marginMs, true],
    ['is given up afterwards', dayMs + marginMs + 1, false],
  ])('%s', async (_, ago, isRead) => {
    const { watch, read, asked } = await setup({ stored: { ...seen, rest: { ...rest, at: startAt - ago } } });
    await watch(quiet, [page([])]);
    expect(asked.length).toBe(isRead ? 2 : 1);
    expect((await read())?.rest).toBeUndefined();
  });

  test('ends at the day and two minutes', async () => {
    const { watch, pagesRead } = await setup({ stored: { ...seen, rest: { ...rest, until: startAt - 9 * dayMs } } });
    await watch(quiet, [page([other('1', dayMs + marginMs + 1)], 'e'), page([])]);
    expect(pagesRead()).toBe(2);
  });

  test('stays when it cannot be read, and what was read of it counts', async () => {
    const { watch, read, orders } = await setup({ stored: { ...seen, rest } });
    await watch(quiet, [page([row('1', 310_000), row('2', 310_000)], 'e'), new RangeError('planted')]);
    expect(takeLog()).toMatchObject([{ task: 'search for orders of other programs', code: 'RangeError' }]);
    expect(await read()).toMatchObject({ readAt: askedAt, rest });
    // The last row may have more fills behind it.
    expect(await orders()).toEqual([
      ['1', '10.5'],
      ['2', undefined],
    ]);
  });
});

describe('a read that fails', () => {
  const failure = () => new BrokerageError('rate_limited', 'Wait.', 'Wait.');

  test.each<[string, readonly (ListedPage | Error)[], number]>([
    ['at once', [failure()], 0],
    ['after a page', [page([row('1'), row('1'), row('2')], 'b'), failure()], 2],
    ['with a damaged link', [{ ...page([row('1'), row('1'), row('2')]), chainError: new RangeError('planted') }], 2],
  ])(
    '%s is in the log, keeps what it saw and the rest, and is made again from the same place',
    async (_, top, count) => {
      const { watch, read, orders, asked } = await setup({ stored: { ...seen, rest } });
      expect(await watch(top, [page([])])).toBe(startAt + minuteMs);
      takeLog();
      expect(asked.length).toBe(1);
      expect(await read()).toMatchObject({ readAt: lastReadAt, rest, nextAt: startAt + minuteMs });
      expect(await orders()).toEqual(
        [
          ['1', '21'],
          ['2', undefined],
        ].slice(0, count),
      );
    },
  );

  test('is reported as a fault of the search when the program is at fault', async () => {
    const { watch } = await setup({ stored: seen });
    await watch([new RangeError('planted')]);
    expect(takeLog()).toMatchObject([{ task: 'search for orders of other programs', code: 'RangeError' }]);
  });

  test('the first time is a first read again', async () => {
    const { watch, read } = await setup();
    await watch([failure()]);
    takeLog();
    expect((await read())?.readAt).toBeUndefined();
  });
});
