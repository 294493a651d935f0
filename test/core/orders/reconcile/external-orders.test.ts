/** Which orders are those of another program: from when on, which are our own, and what follows. */
import { describe, expect, test } from 'vitest';
import type { Order } from '../../../../src/core/endpoints/index.ts';
import type { AccountSnapshot } from '../../../../src/core/orders/account/account-snapshot.ts';
import {
  type ExternalRecord,
  readExternalRecord,
  writeExternalRecord,
} from '../../../../src/core/orders/account/external-record.ts';
import type { Intent } from '../../../../src/core/orders/intent/intent.ts';
import { effectiveLimits } from '../../../../src/core/orders/intent/risk-limits.ts';
import {
  noteExternalOrders,
  readWatchStart,
  type SeenOrder,
  toPendingOrders,
} from '../../../../src/core/orders/reconcile/external-orders.ts';
import type { Environment } from '../../../../src/core/settings/config.ts';
import { createManualClock } from '../../../support/manual-clock.ts';
import { approvedOrder, request, startAt } from '../send/approved-order.ts';
import { openAuditedJournal } from './audited-journal.ts';

const dayMs = 86_400_000;
const accountKey = 'account';
const since = startAt - 3 * dayMs;
const liveLimits = effectiveLimits('live', {}, undefined);

/** An order of another program, one second after the start; equal to `approvedOrder`. */
const foreign = {
  id: '5',
  ticker: 'ABC_EQ',
  type: 'MARKET',
  side: 'BUY',
  quantity: '1',
  initiatedFrom: 'API',
  status: 'FILLED',
  createdAt: new Date(startAt + 1_000).toISOString(),
} as Order;
const createdAt = (ms: number) => ({ createdAt: new Date(startAt + ms).toISOString() });

interface Options {
  readonly environment?: Environment;
  readonly stored?: ExternalRecord | undefined;
  readonly intents?: readonly Partial<Intent>[];
  readonly haltOnForeignOrders?: boolean;
  readonly serviceOffsetMs?: number;
  readonly now?: number;
}

async function note(orders: readonly SeenOrder[], options: Options = {}) {
  const now = options.now ?? startAt + 1_000;
  const { journal, listAudit } = await openAuditedJournal(createManualClock({ startAt: now }));
  const environment = options.environment ?? 'demo';
  const { haltOnForeignOrders = true, serviceOffsetMs } = options;
  await journal.change(async (tx) => {
    const stored = 'stored' in options ? options.stored : { since, nextAt: 7, orders: [] };
    if (stored) await writeExternalRecord(tx, accountKey, stored);
    await tx.set('security', { approval: 'page', limits: {}, enrolledAt: since });
    for (const [index, intent] of (options.intents ?? []).entries())
      await tx.insert({ ...approvedOrder, id: String(index), ...intent });
    await noteExternalOrders(tx, {
      environment,
      limits: { ...liveLimits, haltOnForeignOrders },
      accountKey,
      orders,
      pending: undefined,
      serviceOffsetMs,
      now,
    });
  });
  const record = await journal.read((tx) => readExternalRecord(tx, accountKey));
  const halt = await journal.read((tx) => tx.get('halt'));
  return { record, orders: record?.orders, halt, audit: await listAudit('foreign_order') };
}

describe('orders count as those of another program', () => {
  const enrolledAt = startAt - dayMs;
  test.each<[string, Environment, number | undefined, number | undefined, number | undefined]>([
    ['never in the sandbox', 'sandbox', since, enrolledAt, undefined],
    ['in demo from the first watch on', 'demo', since, undefined, since],
    ['in demo never before it', 'demo', undefined, enrolledAt, undefined],
    ['in demo from now on, when the watch began in the future', 'demo', startAt + dayMs, undefined, startAt],
    ['in live never before the enrolment', 'live', since, undefined, undefined],
    // The clocks of the service and of this machine may differ by two minutes.
    ['in live from two minutes after the enrolment on', 'live', since, enrolledAt, enrolledAt + 120_000],
    ['in live so for an enrolment five seconds ahead', 'live', since, startAt + 5_000, startAt + 125_000],
    ['in live from the watch on, for one further ahead', 'live', since, startAt + 5_001, since],
    ['in live from now on, for one further ahead before a watch', 'live', undefined, startAt + 5_001, startAt],
    ['in live from now on, when both are ahead', 'live', startAt + dayMs, startAt + 5_001, startAt],
  ])('%s', async (_, environment, watchedSince, enrolled, expected) => {
    const { journal } = await openAuditedJournal(createManualClock({ startAt }));
    const record = watchedSince === undefined ? undefined : { since: watchedSince, nextAt: 0, orders: [] };
    const start = await journal.change(async (tx) => {
      if (enrolled !== undefined) await tx.set('security', { approval: 'page', limits: {}, enrolledAt: enrolled });
      return readWatchStart(tx, environment, record, startAt);
    });
    expect(start).toBe(expected);
  });
});

describe('an order is one of another program', () => {
  test.each<[string, Partial<Order>, boolean]>([
    ['when a program placed it', {}, true],
    ['not when a person placed it', { initiatedFrom: 'WEB' }, false],
    ['not without its origin', { initiatedFrom: undefined }, false],
    ['not without an id', { id: undefined }, false],
    ['not without a time', { createdAt: undefined }, false],
    ['not with a time that cannot be read', { createdAt: 'soon' }, false],
    ['from the start of the watch on', { createdAt: new Date(since).toISOString() }, true],
    ['not before', { createdAt: new Date(since - 1).toISOString() }, false],
  ])('%s', async (_, change, isForeign) => {
    const { orders } = await note([{ order: { ...foreign, ...change } as Order }]);
    expect(orders?.map(({ id }) => id)).toEqual(isForeign ? ['5'] : []);
  });

  test('not in an environment that does not watch', async () => {
    expect(await note([{ order: foreign }], { stored: undefined })).toMatchObject({ audit: [], record: undefined });
    expect((await note([{ order: foreign }], { environment: 'sandbox' })).orders).toEqual([]);
  });

  const sent = { sentAt: startAt, answerBy: startAt + 15_000 };
  const since2Days = startAt + 1_000 - 2 * dayMs;
  test.each<[string, Partial<Intent>, boolean]>([
    ['not one that the journal has by its id', { state: 'PLACED', orderId: '5', ticker: 'DEF_EQ' }, false],
    ['beside one that the journal has', { state: 'PLACED', orderId: '6' }, true],
    ['when another account has it', { state: 'PLACED', orderId: '5', accountKey: 'third' }, true],
    ['not while an equal one is in flight', { ...sent, state: 'SENDING' }, false],
    ['not while an equal one is unknown', { ...sent, state: 'UNKNOWN' }, false],
    ['not while a person must check an equal one', { ...sent, state: 'AMBIGUOUS' }, false],
    ['not while an equal one is probably absent', { ...sent, state: 'PROBABLY_ABSENT' }, false],
    ['not where a person closed an equal one', { ...sent, state: 'CLOSED' }, false],
    ['not where the service refused an equal one', { ...sent, state: 'REJECTED' }, false],
    ['where an equal one was placed as another order', { ...sent, state: 'PLACED', orderId: '6' }, true],
    ['where an equal one was not sent', { ...sent, state: 'NOT_SENT' }, true],
    ['where that of another account is unknown', { ...sent, state: 'UNKNOWN', accountKey: 'third' }, true],
    ['where that of another account is closed', { ...sent, state: 'CLOSED', accountKey: 'third' }, true],
    ['where that in flight is another', { ...sent, state: 'SENDING', request: { ...request, quantity: '2' } }, true],
    [
      'where that closed is another',
      { ...sent, state: 'CLOSED', ticker: 'DEF_EQ', request: { ...request, ticker: 'DEF_EQ' } },
      true,
    ],
    ['not where an equal one was made two days before', { ...sent, createdAt: since2Days, state: 'CLOSED' }, false],
    ['where an equal one was made earlier', { ...sent, createdAt: since2Days - 1, state: 'CLOSED' }, true],
  ])('%s', async (_, change, isForeign) => {
    const { orders, audit } = await note([{ order: foreign }], { intents: [change] });
    expect(orders?.length).toBe(isForeign ? 1 : 0);
    expect(audit.length).toBe(isForeign ? 1 : 0);
  });

  test('not where a person closed an equal one, though it is still pending 40 days later', async () => {
    const intents = [{ ...sent, state: 'CLOSED' as const }];
    const { orders } = await note([{ order: foreign }], { intents, now: startAt + 40 * dayMs });
    expect(orders).toEqual([]);
  });

  test.each([
    [3_600_000, true],
    [3_600_001 + 15_000 + 30_000, false],
  ])('not when it is in the window of the order in the time of the service: %d ms ahead', async (ms, isOwn) => {
    const baseline = { ...approvedOrder.baseline, serviceOffsetMs: undefined };
    const intents = [{ ...sent, baseline, state: 'SENDING' as const }];
    const order = { ...foreign, ...createdAt(ms) };
    const { orders } = await note([{ order }], { intents, serviceOffsetMs: 3_600_000, now: startAt + 7_200_000 });
    expect(orders?.length).toBe(isOwn ? 0 : 1);
  });
});

describe('the record of an order', () => {
  const known = (value?: string) => ({
    since,
    nextAt: 7,
    orders: [{ id: '5', at: startAt - 9, ...(value && { value }) }],
  });

  test('has its time and its value, and the audit trail has its id', async () => {
    const { record, audit } = await note([{ order: foreign, value: '20' }]);
    expect(record).toEqual({ since, nextAt: 7, orders: [{ id: '5', at: startAt + 1_000, value: '20' }] });
    expect(audit).toEqual([{ environment: 'demo', orderId: '5', createdAt: foreign.createdAt }]);
  });

  test('is due for a read at once where nothing was recorded', async () => {
    const { record } = await note([{ order: foreign }], { environment: 'live', stored: undefined });
    expect(record).toEqual({ nextAt: 0, orders: [{ id: '5', at: startAt + 1_000 }] });
  });

  test('has the time now for an order of the future', async () => {
    const { orders } = await note([{ order: { ...foreign, ...createdAt(1_001) } }]);
    expect(orders).toEqual([{ id: '5', at: startAt + 1_000 }]);
  });

  test('is not written where nothing new was seen', async () => {
    const { record } = await note([], { environment: 'live', stored: undefined });
    expect(record).toBeUndefined();
  });

  test.each<[string, string | undefined, string | undefined, string | undefined]>([
    ['gets the value once it is known', undefined, '20', '20'],
    ['keeps the first value', '20', '30', '20'],
    ['keeps the value when it is not seen again', '20', undefined, '20'],
    ['has no value as long as none is known', undefined, undefined, undefined],
  ])('%s, and the order is not new again', async (_, before, value, after) => {
    const { orders, audit, halt } = await note([{ order: foreign, value }], {
      environment: 'live',
      stored: known(before),
    });
    expect(orders).toEqual([{ id: '5', at: startAt - 9, ...(after && { value: after }) }]);
    expect([audit, halt]).toEqual([[], undefined]);
  });

  test('of a known order that the journal has since is kept as it is', async () => {
    const intents = [{ state: 'PLACED', orderId: '5' }] as const;
    const { orders } = await note([{ order: foreign, value: '20' }], { stored: known(), intents });
    expect(orders).toEqual([{ id: '5', at: startAt - 9, value: '20' }]);
  });
});

describe('trading is halted by an order of another program', () => {
  test.each<[string, Options, boolean]>([
    ['in live', { environment: 'live' }, true],
    ['not where the owner turned the rule off', { environment: 'live', haltOnForeignOrders: false }, false],
    ['not in demo', { environment: 'demo' }, false],
  ])('%s', async (_, options, isHalted) => {
    const { halt, orders } = await note([{ order: foreign }, { order: { ...foreign, id: '6' } }], options);
    expect(orders?.length).toBe(2);
    if (!isHalted) expect(halt).toBeUndefined();
    else
      expect(halt).toEqual({
        at: startAt + 1_000,
        by: 'rule',
        rule: 'foreign_order',
        reason: expect.stringContaining('Order 5 '),
      });
  });

  test('not by an own order', async () => {
    const intents = [{ state: 'PLACED', orderId: '5' }] as const;
    expect((await note([{ order: foreign }], { environment: 'live', intents })).halt).toBeUndefined();
  });
});

test('pending orders have no value yet; those without an id are not known by one', () => {
  const nameless = { ...foreign, id: undefined };
  const snapshot = { pending: [foreign, nameless], serviceOffsetMs: 5 } as unknown as AccountSnapshot;
  expect(toPendingOrders(snapshot)).toEqual({
    orders: [{ order: foreign }, { order: nameless }],
    pending: new Set(['5']),
    serviceOffsetMs: 5,
  });
});
