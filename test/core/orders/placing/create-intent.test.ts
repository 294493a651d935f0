/** The intent of a request: an earlier equal one, a refused one, or one that continues. */
import { describe, expect, test } from 'vitest';
import type { CallContext } from '../../../../src/core/broker/types.ts';
import { createIntent, type IntentRequest } from '../../../../src/core/orders/create-intent.ts';
import { readHalt, setHalt } from '../../../../src/core/orders/halt/trading-state.ts';
import type { Intent } from '../../../../src/core/orders/intent/intent.ts';
import { takeLog } from '../../../support/faults.ts';
import { account, buy } from '../risk/example-account.ts';
import {
  addSubmission,
  context,
  enrol,
  failure,
  instrument,
  key,
  openWorld,
  order,
  placed,
  rejectWith,
  startAt,
  type WorldOptions,
} from './world.ts';

const wanted: IntentRequest = { id: 'i', request: buy, repeatOf: undefined, progress: undefined };
/** The reads on the way of an order. */
const reading: CallContext = { ...context, priority: 'lookUp' };

async function open(options: WorldOptions = {}, intents: readonly Intent[] = []) {
  const world = await openWorld(options);
  await world.insert(...intents);
  const reads: unknown[][] = [];
  const deps = {
    ...world.deps,
    facts: {
      ...world.deps.facts,
      read: (...args: Parameters<typeof world.deps.facts.read>) => {
        reads.push(args);
        return world.deps.facts.read(...args);
      },
    },
  };
  const create = (change: Partial<IntentRequest> = {}, others: Partial<typeof deps> = {}, of = instrument) =>
    world.clock.run(createIntent({ ...deps, ...others }, { ...wanted, ...change }, of, context));
  return { ...world, deps, reads, create };
}

const live = { settings: { environment: 'live', liveTrading: true } } as const;
const byForm = { settings: { approval: 'elicitation' } } as const;

/** A live process of an owner who approves by forms. */
async function openLive(limits: object = {}, options: WorldOptions = live, intents: readonly Intent[] = []) {
  const opened = await open(options, intents);
  await opened.journal.change((tx) => enrol(tx, 'elicitation', limits));
  return opened;
}

describe('a new order', () => {
  test('that no person has to approve is approved, with the account that it was decided on', async () => {
    const { create, reads, find, journal } = await open();
    const { intent, isOld, facts } = await create();
    expect(intent).toMatchObject({ id: 'i', state: 'APPROVED', value: '204.00', method: 'none', changedAt: startAt });
    expect([isOld, facts?.summary.id, facts?.askedAt]).toEqual([false, '7', startAt]);
    expect(reads).toEqual([[instrument, reading, undefined]]);
    expect(await find('i')).toEqual(JSON.parse(JSON.stringify(intent)));
    // The draft, and the step after it.
    expect((await journal.read((tx) => tx.lastRecord())).seq).toBe(2);
  });

  test('that a person has to approve waits, with a ticket', async () => {
    const { create, find } = await open(byForm);
    const { intent, isOld, facts } = await create();
    expect(intent).toMatchObject({
      state: 'AWAITING_APPROVAL',
      method: 'elicitation',
      approval: { askedAt: startAt, expiresAt: startAt + 120_000, ticket: { intentId: 'i', order: buy } },
    });
    expect([isOld, facts?.summary.id]).toEqual([false, '7']);
    expect(await find('i')).toEqual(JSON.parse(JSON.stringify(intent)));
  });

  test('is refused and recorded where a rule refuses it', async () => {
    const { create, find } = await open({ limits: { maxOrderValue: '100' } });
    const { intent, ...rest } = await create();
    expect(intent).toMatchObject({
      state: 'REFUSED',
      rule: 'max_order_value',
      largestQuantity: '4',
      changedAt: startAt,
    });
    expect(rest).toEqual({ isOld: false });
    expect(await find('i')).toMatchObject({ state: 'REFUSED' });
  });

  test('is recorded under the account that the service has just named', async () => {
    const { create, service, deps } = await open();
    const isAsked = () => service.calls.some(({ id }) => id === 'getAccountSummary');
    const accountKey = async () => (isAsked() ? 'named' : key);
    expect((await create({}, { ...deps, accountKey })).intent.accountKey).toBe('named');
  });

  test('counts the orders of the account in its limits', async () => {
    const earlier = { ...placed({ createdAt: startAt - 9_000, sentAt: startAt - 9_000 }), fingerprint: 'other' };
    const { create } = await open({ limits: { ordersPerMinute: 1 } }, [earlier]);
    expect((await create()).intent).toMatchObject({ state: 'REFUSED', rule: 'orders_per_minute' });
  });
});

describe('an account that cannot be read', () => {
  test.each(['unreachable', 'rate_limited', 'unauthorized', 'timeout'] as const)(
    'with %s ends the order unsent, with the reason',
    async (code) => {
      const { create, find, service } = await open();
      const error = failure(code);
      service.answers.listPositions = rejectWith(error);
      const { intent, ...rest } = await create();
      expect(rest).toEqual({ isOld: false });
      expect(intent).toMatchObject({ id: 'i', state: 'NOT_SENT', times: 1 });
      expect(intent.reason).toBe(`The account could not be read before the order: ${error.message}`);
      expect(await find('i')).toMatchObject({ state: 'NOT_SENT' });
    },
  );

  test.each([
    ['because the call was cancelled', failure('cancelled')],
    ['because there is no key', failure('not_configured')],
    ['because of the store', failure('store_unavailable')],
    ['because of a fault that has a code', failure('internal')],
    ['because of a fault of the program', new TypeError('x')],
    ['with a text', 'positions'],
    ['with nothing', undefined],
    ['with null', null],
  ])('%s throws what was thrown, and records nothing', async (_, error) => {
    const { create, list, deps } = await open();
    const facts = { ...deps.facts, read: rejectWith(error) };
    await expect(create({}, { ...deps, facts })).rejects.toBe(error);
    expect(await list()).toEqual([]);
  });
});

describe('the opening hours', () => {
  const opened = {
    ...instrument,
    workingScheduleId: 70,
  } as unknown as typeof instrument;
  const exchanges = [
    {
      id: '2',
      name: 'Port',
      workingSchedules: [
        {
          id: 70,
          timeEvents: [
            { date: '2026-01-15T08:00:00Z', type: 'OPEN' },
            { date: '2026-01-15T16:30:00Z', type: 'CLOSE' },
          ],
        },
      ],
    },
  ];

  test('are read for the ticket, as the rest is', async () => {
    const { create, asked, service } = await open(byForm);
    service.answers.listExchanges = () => exchanges;
    const { intent } = await create({}, {}, opened);
    expect(intent.approval?.ticket.warnings).toEqual([]);
    expect(asked('listExchanges').map((call) => call.context)).toEqual([reading]);
  });

  test('are unknown on the ticket when they cannot be read', async () => {
    const { create, service } = await open(byForm);
    service.answers.listExchanges = rejectWith(failure('unreachable'));
    const { intent } = await create({}, {}, opened);
    expect(intent).toMatchObject({ state: 'AWAITING_APPROVAL' });
    expect(intent.approval?.ticket.warnings).toEqual(['Whether the market is open is unknown.']);
  });

  test('are not read where nobody is asked', async () => {
    const { create, asked } = await open();
    await create();
    expect(asked('listExchanges')).toEqual([]);
  });
});

test('a ticket says which own orders the account may not show yet', async () => {
  const recent = { ...placed({ createdAt: startAt - 9_000, sentAt: startAt - 9_000, changedAt: startAt - 9_000 }) };
  const { create } = await open(byForm, [{ ...recent, fingerprint: 'other', request: { ...buy, quantity: '3' } }]);
  const { intent } = await create();
  expect(intent.approval?.ticket.warnings[0]).toContain('this program sent BUY 3');
});

describe('an equal order', () => {
  test('of before is returned, and the account is not read', async () => {
    const { create, service, reads } = await open({}, [placed()]);
    service.pending.push(order());
    expect(await create()).toEqual({ intent: { ...placed(), orderStatus: 'NEW' }, isOld: true });
    expect(reads).toEqual([]);
  });

  test('that another call creates in the meantime is returned', async () => {
    const { create, insert, deps, list } = await open();
    const other: Intent = { ...placed(), orderId: undefined, state: 'APPROVED', createdAt: startAt };
    const read: typeof deps.facts.read = async (...args) => {
      await insert(other);
      return deps.facts.read(...args);
    };
    const { intent, ...rest } = await create({}, { ...deps, facts: { ...deps.facts, read } });
    expect([intent.id, rest]).toEqual([other.id, { isOld: true }]);
    expect((await list()).length).toBe(1);
  });

  const hourAgo = { createdAt: startAt - 3_600_000, sentAt: startAt - 3_600_000, changedAt: startAt - 3_600_000 };
  const old = placed(hourAgo);

  test('that has been pending for an hour is returned', async () => {
    const { create, service } = await open({}, [old]);
    service.pending.push(order());
    expect(await create()).toEqual({ intent: { ...old, orderStatus: 'NEW' }, isOld: true });
  });

  test('that has been pending for an hour, and is cancelled now, makes room for a new one', async () => {
    const { create, service, find } = await open({}, [old]);
    service.answers.listPendingOrders = () => [order()];
    service.history.push({ order: order({ status: 'CANCELLED' }) } as never);
    expect(await create()).toMatchObject({ isOld: false, intent: { id: 'i', state: 'APPROVED' } });
    expect(await find(old.id)).toMatchObject({ endedAs: 'CANCELLED' });
  });

  test('is looked up for each of several that have been pending for an hour', async () => {
    const second: Intent = { ...old, id: 'q'.repeat(32), orderId: '8' };
    const { create, service, asked } = await open({}, [old, second]);
    service.answers.listPendingOrders = () => [order(), order({ id: '8' })];
    service.history.push(
      ...([order({ status: 'CANCELLED' }), order({ id: '8', status: 'CANCELLED' })].map((one) => ({
        order: one,
      })) as never[]),
    );
    expect(await create()).toMatchObject({ isOld: false, intent: { id: 'i', state: 'APPROVED' } });
    expect(asked('getPendingOrder').length).toBe(2);
  });

  test('that is repeated on purpose is named by the new one', async () => {
    const { create, find } = await open({}, [placed()]);
    const { intent, isOld } = await create({ repeatOf: placed().id });
    expect([isOld, intent.state, intent.repeatOf]).toEqual([false, 'APPROVED', placed().id]);
    expect(await find('i')).toMatchObject({ repeatOf: placed().id });
  });

  test.each([
    ['says that it is a second identical order', [placed()], placed().id, true],
    ['of an order that repeats none says nothing of another one', [], undefined, false],
  ])('the ticket of a person %s', async (_, before, repeatOf, isRepetition) => {
    const { create } = await open(byForm, before);
    const { intent } = await create({ repeatOf });
    expect([intent.state, intent.approval?.ticket.isRepetition]).toEqual(['AWAITING_APPROVAL', isRepetition]);
  });

  test('is not named by an order that repeats none', async () => {
    const { create } = await open();
    expect(Object.hasOwn((await create()).intent, 'repeatOf')).toBe(false);
  });
});

describe('orders of other programs', () => {
  const foreign = (change: object = {}) =>
    order({ id: '900', initiatedFrom: 'API', createdAt: new Date(startAt - 60_000).toISOString(), ...change });

  test('halt live trading when they are pending, and the order is refused', async () => {
    const { create, service, journal } = await openLive();
    service.pending.push(foreign());
    expect((await create()).intent).toMatchObject({ state: 'REFUSED', rule: 'halted' });
    expect(await journal.read(readHalt)).toMatchObject({ by: 'rule', rule: 'foreign_order', at: startAt });
  });

  test('halt live trading when the history shows them, which is read for at most five seconds', async () => {
    const { create, service, journal, asked } = await openLive();
    service.history.push({ order: foreign({ status: 'FILLED' }) } as never);
    expect((await create()).intent).toMatchObject({ state: 'REFUSED', rule: 'halted' });
    expect(await journal.read(readHalt)).toMatchObject({ rule: 'foreign_order' });
    expect(asked('listHistoricalOrders').map((call) => call.context)).toEqual([
      { ...context, priority: 'sync', waitUntil: startAt + 5_000, notBefore: startAt - 30_000 },
    ]);
  });

  test.each([
    ['pending', (service: { pending: unknown[] }) => service.pending.push(foreign())],
    [
      'in the history',
      (service: { history: unknown[] }) => service.history.push({ order: foreign({ status: 'FILLED' }) }),
    ],
  ])('do not halt when they are %s, where the owner turned that off', async (_, put) => {
    const off = { haltOnForeignOrders: false };
    const { create, service, journal } = await openLive(off, { ...live, limits: off });
    put(service as never);
    expect((await create()).intent).toMatchObject({ state: 'AWAITING_APPROVAL' });
    expect(await journal.read(readHalt)).toBeUndefined();
  });

  test('leave the reason of an earlier halt', async () => {
    const { create, service, journal } = await openLive();
    const first = { at: startAt - 9, by: 'command', reason: 'First.' } as const;
    service.answers.listPositions = async () => {
      await journal.change((tx) => setHalt(tx, first));
      return account().positions;
    };
    service.pending.push(foreign());
    expect((await create()).intent).toMatchObject({ state: 'REFUSED', rule: 'halted' });
    expect(await journal.read(readHalt)).toEqual(first);
  });

  test('count in the limits of a demo account from when it was first read', async () => {
    const { create, service } = await open({ settings: { environment: 'demo' }, limits: { ordersPerMinute: 1 } });
    service.answers.listPendingOrders = () => [foreign({ createdAt: new Date(startAt).toISOString() })];
    expect((await create()).intent).toMatchObject({ state: 'REFUSED', rule: 'orders_per_minute' });
  });

  test('are not searched for in the history by a read-only process', async () => {
    const { create, asked, deps } = await openLive();
    await create({}, { ...deps, readOnly: true });
    expect(asked('listHistoricalOrders')).toEqual([]);
  });
});

describe('the live service', () => {
  const known = (made: Pick<Awaited<ReturnType<typeof open>>, 'journal'>) =>
    made.journal.read((tx) => tx.get('live service'));
  const service = () => ({ keyHash: 'hash', origin: 'https://elsewhere.example', account: '1' });

  test('is remembered with its address, its key and the account that was read', async () => {
    const settings = { ...live.settings, origin: 'https://live.example', service };
    const opened = await openLive({}, { settings });
    await opened.create();
    expect(await known(opened)).toEqual({ origins: ['https://live.example'], accounts: ['7'], keys: ['hash'] });
  });

  test('is remembered as far as it is known', async () => {
    const opened = await openLive();
    await opened.create();
    expect(await known(opened)).toEqual({ origins: [], accounts: ['7'], keys: [] });
  });

  test('is not confused with a demo service', async () => {
    const opened = await open({ settings: { environment: 'demo', origin: 'https://demo.example', service } });
    await opened.create();
    expect(await known(opened)).toBeUndefined();
  });
});

describe('a leg of a draft', () => {
  const turn = (change: object = {}) => ({
    reference: { submissionId: 's', number: 1 },
    accountSince: undefined,
    requireTurn: async () => undefined,
    ...change,
  });

  test('is approved where no person has to approve, and its own reservation does not count against it', async () => {
    const { create, journal } = await open({ limits: { ordersPerMinute: 1 } });
    await addSubmission(journal);
    expect(await create({ leg: turn() })).toMatchObject({
      isOld: false,
      facts: { summary: { id: '7' } },
      intent: { state: 'APPROVED', leg: { submissionId: 's', number: 1 } },
    });
  });

  test('is approved by the approval of its draft, and nobody is asked', async () => {
    const { create, journal } = await open(byForm);
    await addSubmission(journal, { by: 'elicitation', approvedAt: startAt - 1_000 });
    const { intent } = await create({ leg: turn() });
    expect([intent.state, intent.method, intent.approval]).toEqual(['APPROVED', 'elicitation', undefined]);
  });

  test.each<[string, string, Parameters<typeof addSubmission>[1]]>([
    ['without an approval of its draft', 'approval_missing', undefined],
    ['by an approval of fifteen minutes ago', 'submission_ended', { by: 'elicitation', approvedAt: startAt - 900_000 }],
  ])('is refused %s', async (_, rule, approval) => {
    const { create, journal } = await open(byForm);
    await addSubmission(journal, approval);
    expect((await create({ leg: turn() })).intent).toMatchObject({ state: 'REFUSED', rule });
  });

  test('is refused by the approval that is missing before any other rule', async () => {
    const { create, journal } = await open({ ...byForm, limits: { maxOrderValue: '100' } });
    await addSubmission(journal);
    expect((await create({ leg: turn() })).intent).toMatchObject({ rule: 'approval_missing' });
  });

  test('is refused by a rule although its draft was approved', async () => {
    const { create, journal } = await open({ ...byForm, limits: { maxOrderValue: '100' } });
    await addSubmission(journal, { by: 'elicitation', approvedAt: startAt - 1_000 });
    expect((await create({ leg: turn() })).intent).toMatchObject({ rule: 'max_order_value' });
  });

  test('needs an account of its own time', async () => {
    const { create, journal, reads } = await open();
    await addSubmission(journal);
    await create({ leg: turn({ accountSince: startAt - 4_000 }) });
    expect(reads).toEqual([[instrument, reading, startAt - 4_000]]);
  });

  test('has no intent when its turn is over', async () => {
    const { create, journal, list } = await open();
    await addSubmission(journal);
    const error = new Error('over');
    await expect(create({ leg: turn({ requireTurn: rejectWith(error) }) })).rejects.toBe(error);
    expect(await list()).toEqual([]);
  });
});

test('a store that fails throws, and nothing is returned', async () => {
  const { create, deps } = await open();
  const error = failure('store_unavailable');
  await expect(create({}, { ...deps, accountKey: rejectWith(error) })).rejects.toBe(error);
  expect(takeLog()).toEqual([]);
});
