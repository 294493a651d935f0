/** Placing one order: it is sent, or it waits for a person, or the result says why it was not. */
import { describe, expect, test } from 'vitest';
import type { Approval, Intent } from '../../../../src/core/orders/intent/intent.ts';
import type { Journal } from '../../../../src/core/orders/intent/journal-port.ts';
import {
  type FormResponse,
  type PlaceOptions,
  type PlacingDeps,
  placeOrder,
} from '../../../../src/core/orders/place-order.ts';
import { errorOf } from '../../../support/error-of.ts';
import { takeLog } from '../../../support/faults.ts';
import { buy, ticker } from '../risk/example-account.ts';
import {
  answered,
  context,
  failure,
  instrument,
  lost,
  openWorld,
  order,
  placed,
  rejectWith,
  startAt,
  type World,
  type WorldOptions,
} from './world.ts';

/** Its limit is above the last price of 20, of which a person is warned. */
const dear = { limitPrice: '21' };
const byForm = { settings: { approval: 'elicitation' } } as const;
const crossing = 'The limit price is above the last known price: the order would trade immediately.';

const approvalOf = async (world: World): Promise<Approval & { intentId: string }> => {
  const intent = (await world.list()).find(({ approval }) => approval);
  if (!intent?.approval) throw new Error('No order waits for a person.');
  return { ...intent.approval, intentId: intent.id };
};

/** What a form returns. */
const respond = async (
  world: World,
  form: Omit<FormResponse, 'nonce' | 'confirmQuantity'> & { confirmQuantity?: unknown },
  options: PlaceOptions = {},
  request = buy,
) => {
  const { nonce } = await approvalOf(world);
  const response = { confirmQuantity: undefined, ...form, nonce };
  return world.clock.run(world.orders.continueAfterForm(request, response, world.callOf(), options));
};

/** A person approves outside of the call. */
const approve = async (world: World) => {
  const { nonce } = await approvalOf(world);
  return world.deps.approvals.confirm({ nonce, confirmQuantity: '10' });
};

describe('an order that no person has to approve', () => {
  test('is sent once, by the call that asks for it', async () => {
    const { place, service, find } = await openWorld();
    const result = await place();
    expect(result).toMatchObject({ outcome: 'placed', orderId: '1001', status: 'NEW' });
    expect(result).not.toHaveProperty('warnings');
    expect(result).not.toHaveProperty('coalesced');
    expect(service.sent.map(({ body }) => body)).toEqual([
      { ticker, quantity: 10, limitPrice: 20, timeValidity: 'DAY' },
    ]);
    expect(result.intentId).toMatch(/^[0-9a-f]{32}$/);
    expect(await find(result.intentId)).toMatchObject({ state: 'PLACED', orderId: '1001' });
  });

  test('has the warnings of its preview once it was placed', async () => {
    const { place } = await openWorld();
    expect(await place(dear)).toMatchObject({ outcome: 'placed', warnings: [crossing] });
  });

  test.each([
    ['the broker rejects', answered(400, {}, { error: { code: 'price-too-far' } }), 'rejected'],
    ['gets lost', lost, 'unknown'],
  ] as const)('that %s has no warnings', async (_, response, outcome) => {
    const { place, service } = await openWorld();
    service.results.push(response);
    const result = await place(dear);
    expect(result).toMatchObject({ outcome });
    expect(result).not.toHaveProperty('warnings');
  });

  test('that a rule refuses is not sent', async () => {
    const { place, service } = await openWorld({ limits: { maxOrderValue: '100' } });
    expect(await place()).toMatchObject({ outcome: 'refused', rule: 'max_order_value', largestQuantity: '4' });
    expect(service.sent).toEqual([]);
  });

  test('of a ticker that a ticket could not show is an error, and nothing is recorded', async () => {
    const { place, list } = await openWorld();
    expect((await errorOf(place({ ticker: 'A\u202eB' }))).code).toBe('invalid_argument');
    expect(await list()).toEqual([]);
  });
});

describe('an order that is asked for again', () => {
  test('matches the first, and nothing more is sent', async () => {
    const { place, service } = await openWorld();
    const first = await place(dear);
    const { intentId, orderId } = first;
    const again = await place(dear);
    expect(again).toMatchObject({ outcome: 'placed', coalesced: true, intentId, orderId });
    expect(again).not.toHaveProperty('warnings');
    expect(service.sent.length).toBe(1);
  });

  test('after it was cancelled through the tools is placed again', async () => {
    const { place, orders, service, clock, callOf } = await openWorld();
    const first = await place();
    expect(await orders.cancel('1001', callOf())).toMatchObject({ outcome: 'requested' });
    service.end('1001', 'CANCELLED');
    await clock.advance(5_000);
    const again = await place();
    expect(again).toMatchObject({ outcome: 'placed', orderId: '1002' });
    expect(again.intentId).not.toBe(first.intentId);
  });

  test('after it was cancelled through the tools with a part filled is not placed again, unless on purpose', async () => {
    const { place, orders, service, clock, callOf } = await openWorld();
    const first = await place();
    await orders.cancel('1001', callOf());
    service.end('1001', 'CANCELLED', '4');
    await clock.advance(5_000);
    expect(await place()).toMatchObject({
      outcome: 'placed',
      coalesced: true,
      intentId: first.intentId,
      orderId: '1001',
      status: 'CANCELLED',
    });
    expect(service.sent.length).toBe(1);
    expect(await place({}, { repeatOf: first.intentId })).toMatchObject({ outcome: 'placed', orderId: '1002' });
  });

  test('after its answer was lost is unknown, and matches once the order was found', async () => {
    const { place, orders, service, clock, callOf } = await openWorld();
    service.results.push(lost);
    const first = await place();
    expect(first).toMatchObject({ outcome: 'unknown' });
    expect(await place()).toMatchObject({ outcome: 'unknown', coalesced: true, intentId: first.intentId });
    const createdAt = new Date(startAt + 200).toISOString();
    const found = { type: 'LIMIT', timeInForce: 'DAY', initiatedFrom: 'API', createdAt };
    service.pending.push(order({ id: '55', ...found }));
    await clock.advance(6_000);
    expect(await orders.find(first.intentId, callOf())).toMatchObject({ outcome: 'placed', orderId: '55' });
    expect(await place()).toMatchObject({ outcome: 'placed', coalesced: true, orderId: '55' });
    expect(service.sent.length).toBe(1);
  });

  test('on another account is another order', async () => {
    const first = await openWorld();
    await first.place();
    const second = await openWorld({ beside: first, deps: { accountKey: async () => 'other' } });
    const again = await second.place();
    expect(again).toMatchObject({ outcome: 'placed', orderId: '1002' });
    expect(again).not.toHaveProperty('coalesced');
  });

  test('as a repetition is placed once, however often it is asked for', async () => {
    const { place, service } = await openWorld();
    const { intentId } = await place();
    expect(await place({}, { repeatOf: intentId })).toMatchObject({ outcome: 'placed', orderId: '1002' });
    expect(await place({}, { repeatOf: intentId })).toMatchObject({ coalesced: true, orderId: '1002' });
    expect(service.sent.length).toBe(2);
  });

  test('as a repetition of the repetition is placed once more', async () => {
    const { place, service } = await openWorld();
    const first = await place();
    const second = await place({}, { repeatOf: first.intentId });
    expect(await place({}, { repeatOf: second.intentId })).toMatchObject({ outcome: 'placed', orderId: '1003' });
    expect(service.sent.length).toBe(3);
  });

  test('as a repetition of another order is an error', async () => {
    const { place } = await openWorld();
    const { intentId } = await place();
    expect((await errorOf(place({ quantity: '3' }, { repeatOf: intentId }))).code).toBe('invalid_argument');
  });

  test('while the first cannot be read may be live', async () => {
    const { place, service, insert } = await openWorld();
    await insert(placed({ orderStatus: 'NEW' }));
    service.answers.getPendingOrder = rejectWith(failure('rate_limited', { retryAfterSeconds: 4 }));
    const result = await place();
    expect(result).toMatchObject({ outcome: 'unknown', coalesced: true, orderId: '7', retryAfterSeconds: 4 });
    expect(result.status).toBeUndefined();
  });

  test('tells the caller what is waited for', async () => {
    const { place, service, insert } = await openWorld();
    await insert(placed());
    service.answers.listHistoricalOrders = (_, { onWait }) => {
      onWait?.({ waitMs: 2_000 });
      return { items: [] };
    };
    const said: string[] = [];
    await place({}, { progress: (message) => void said.push(message) });
    expect(said.length).toBe(1);
  });
});

describe('an order that needs a form', () => {
  test('is put to the person by the caller that can ask, at once', async () => {
    const world = await openWorld(byForm);
    const result = await world.place({}, { canAsk: true });
    const { nonce, form } = await approvalOf(world);
    expect(result).toMatchObject({ outcome: 'pending_approval', ask: { nonce }, approval: { method: 'elicitation' } });
    expect(result).not.toHaveProperty('coalesced');
    expect([form, world.clock.now()]).toEqual([{ sent: 1 }, startAt]);
  });

  test.each([
    ['cannot ask', {}],
    ['can only open pages', { canOpen: true }],
  ])('is waited for by a caller that %s, for 40 seconds', async (_, options) => {
    const world = await openWorld(byForm);
    const result = await world.place({}, options);
    expect(result).toMatchObject({ outcome: 'pending_approval', ask: undefined });
    expect([(await approvalOf(world)).form, world.clock.now()]).toEqual([undefined, startAt + 40_000]);
  });

  test('is put to the person again by an equal call', async () => {
    const world = await openWorld(byForm);
    await world.place({}, { canAsk: true });
    expect(await world.place({}, { canAsk: true })).toMatchObject({
      coalesced: true,
      ask: { nonce: expect.any(String) },
    });
    expect((await approvalOf(world)).form).toEqual({ sent: 2 });
  });

  test('that is approved while the call waits is sent, with the warnings of its ticket', async () => {
    const world = await openWorld(byForm);
    void world.clock.sleep(1_000).then(() => approve(world));
    const result = await world.place(dear);
    expect(result).toMatchObject({ outcome: 'placed', orderId: '1001', warnings: expect.arrayContaining([crossing]) });
  });

  test('that is approved while a second call waits has no warnings there', async () => {
    const world = await openWorld(byForm);
    await world.place(dear, { canAsk: true });
    void world.clock.sleep(1_000).then(() => approve(world));
    const result = await world.place(dear);
    expect(result).toMatchObject({ outcome: 'placed', coalesced: true });
    expect(result).not.toHaveProperty('warnings');
  });
});

test('an order that was approved is sent by the same call again, and is not put to the person again', async () => {
  const world = await openWorld(byForm);
  await world.place({}, { canAsk: true });
  await approve(world);
  expect(await world.place({}, { canAsk: true })).toMatchObject({
    outcome: 'placed',
    coalesced: true,
    orderId: '1001',
  });
  expect((await approvalOf(world)).form).toEqual({ sent: 1 });
});

test('an order that is decided before its form is shown is told as it is then', async () => {
  const base = await openWorld(byForm);
  const { approvals } = base.deps;
  const deciding: typeof approvals = {
    ...approvals,
    noteForm: async (nonce, change) => {
      await approvals.declineForm(nonce);
      return approvals.noteForm(nonce, change);
    },
  };
  const world = await openWorld({ ...byForm, beside: base, deps: { approvals: deciding } });
  const result = await world.place({}, { canAsk: true });
  expect(result).toMatchObject({ outcome: 'declined' });
  expect(result).not.toHaveProperty('ask');
});

test('an order that a rule refuses is put to nobody', async () => {
  const { place } = await openWorld({ ...byForm, limits: { maxOrderValue: '100' } });
  expect(await place({}, { canAsk: true })).toMatchObject({ outcome: 'refused', rule: 'max_order_value' });
});

describe('an order that needs a page', () => {
  /** A call of five seconds waits for a person for two of them. */
  const pages = (address: string | undefined, opensBrowser = false): WorldOptions => {
    const channels = { pageUrl: async (handle: string) => address && `${address}/${handle}`, opensBrowser };
    return { settings: { approval: 'page' }, deps: { channels }, callMs: 5_000 };
  };
  const address = 'http://127.0.0.1:1';
  const enrolled = async (options: WorldOptions) => {
    const world = await openWorld(options);
    await world.journal.change((tx) => tx.set('security', { approval: 'page', limits: {}, enrolledAt: startAt - 1 }));
    const said: string[] = [];
    return { ...world, said, progress: (message: string) => void said.push(message) };
  };

  test.each<[string, string | undefined, boolean, PlaceOptions, number, number]>([
    ['returns the address at once where no window shows it', address, false, {}, 0, 1],
    ['returns the address at once to a caller that can open it', address, true, { canOpen: true }, 0, 1],
    ['waits for the page that this machine opens', address, true, {}, 2_000, 2],
    ['waits for the page although the caller can ask', address, true, { canAsk: true }, 2_000, 2],
    ['waits for the terminal where no page can be served', undefined, false, {}, 2_000, 1],
  ])('%s', async (_, served, opensBrowser, options, waitedMs, messages) => {
    const world = await enrolled(pages(served, opensBrowser));
    const result = await world.place({}, { ...options, progress: world.progress });
    const where = served && `${served}/${(await approvalOf(world)).handle}`;
    expect(result).toMatchObject({ outcome: 'pending_approval', approval: { method: 'page', address: where } });
    expect(Boolean(result.ask)).toBe(options.canOpen === true);
    expect([world.clock.now() - startAt, world.said.length]).toEqual([waitedMs, messages]);
    if (where) expect(world.said[0]).toContain(where);
  });

  test('has no page where the terminal is required', async () => {
    const world = await enrolled({ ...pages(address), settings: { approval: 'terminal' } });
    const result = await world.place({}, { canAsk: true, canOpen: true, progress: world.progress });
    expect(result).toMatchObject({ outcome: 'pending_approval', ask: undefined, approval: { method: 'terminal' } });
    expect([world.clock.now() - startAt, world.said.length]).toEqual([2_000, 1]);
  });

  test('has no form record: opening the page decides nothing', async () => {
    const world = await enrolled(pages(address));
    await world.place({}, { canOpen: true });
    expect((await approvalOf(world)).form).toBeUndefined();
  });

  test('is waited for by the same call again', async () => {
    const world = await enrolled(pages(address));
    await world.place();
    expect(await world.place()).toMatchObject({ outcome: 'pending_approval', coalesced: true });
    expect(world.clock.now()).toBe(startAt + 2_000);
  });

  test('needs nobody who listens', async () => {
    const world = await enrolled(pages(address, true));
    expect(await world.place()).toMatchObject({ outcome: 'pending_approval' });
  });

  test.each(['decline', 'cancel', 'accept'] as const)(
    'is not decided by a form that returns with %s',
    async (action) => {
      const world = await enrolled(pages(address));
      await world.place();
      expect(await respond(world, { action, confirmQuantity: '10' })).toMatchObject({ outcome: 'pending_approval' });
      expect(world.clock.now()).toBe(startAt + 2_000);
      expect((await approvalOf(world)).form).toBeUndefined();
    },
  );
});

describe('a form that returns', () => {
  const asked = async (options: WorldOptions = byForm) => {
    const world = await openWorld(options);
    await world.place(dear, { canAsk: true });
    return world;
  };
  const wanted = { ...buy, ...dear };

  test('with the quantity sends the order, with its warnings', async () => {
    const world = await asked();
    const result = await respond(world, { action: 'accept', confirmQuantity: '10' }, {}, wanted);
    expect(result).toMatchObject({ outcome: 'placed', orderId: '1001', warnings: expect.arrayContaining([crossing]) });
    expect(result).not.toHaveProperty('coalesced');
    expect(world.service.sent.length).toBe(1);
  });

  test('to a call that matched an earlier one sends the order too, and says that both have one order', async () => {
    const world = await asked();
    const result = await respond(world, { action: 'accept', confirmQuantity: '10', isRepeat: true }, {}, wanted);
    expect(result).toMatchObject({ outcome: 'placed', coalesced: true, warnings: expect.arrayContaining([crossing]) });
    expect(result?.message).toBe('The broker accepted the order.');
  });

  test.each([
    ['a second time sends nothing more', undefined],
    ['a second time to a call that matched an earlier one sends nothing more', true],
  ])('%s', async (_, isRepeat) => {
    const world = await asked();
    await respond(world, { action: 'accept', confirmQuantity: '10' }, {}, wanted);
    const result = await respond(world, { action: 'accept', confirmQuantity: '10', isRepeat }, {}, wanted);
    expect(result).toMatchObject({ outcome: 'placed', orderId: '1001' });
    expect(result?.coalesced).toBe(isRepeat);
    expect(result && 'warnings' in result).toBe(isRepeat === undefined);
    expect(world.service.sent.length).toBe(1);
  });

  test('declined ends the order', async () => {
    const world = await asked();
    expect(await respond(world, { action: 'decline' }, {}, wanted)).toMatchObject({ outcome: 'declined' });
    expect(world.service.sent).toEqual([]);
  });

  test.each([
    ['the only form', undefined, { sent: 1, last: 'closed' }],
    ['the second form', { sent: 2, problem: 'P.' }, { sent: 2, problem: 'P.', last: 'closed' }],
  ])('closed leaves the order waiting: %s', async (_, before, form) => {
    const world = await asked();
    const { nonce } = await approvalOf(world);
    await world.deps.approvals.noteForm(nonce, () => before as never);
    const result = await respond(world, { action: 'cancel', isRepeat: true }, { canAsk: true }, wanted);
    expect(result).toMatchObject({ outcome: 'pending_approval', coalesced: true, ask: undefined });
    expect(result?.approval?.how).toContain('The host closed the form');
    expect([(await approvalOf(world)).form, world.clock.now()]).toEqual([form, startAt]);
  });

  test('closed for a call that matched no earlier one does not say that it did', async () => {
    const world = await asked();
    expect(await respond(world, { action: 'cancel' }, {}, wanted)).not.toHaveProperty('coalesced');
  });

  const problem = 'The person typed 9, the order is for 10.';

  test('with another quantity is shown once more, with what was wrong', async () => {
    const world = await asked();
    const result = await respond(world, { action: 'accept', confirmQuantity: '9' }, { canAsk: true }, wanted);
    const { nonce, form } = await approvalOf(world);
    expect(result).toMatchObject({
      outcome: 'pending_approval',
      ask: { nonce, problem: 'You typed 9, the order is for 10.' },
    });
    expect(result?.message.endsWith(` ${problem}`)).toBe(true);
    expect(result).not.toHaveProperty('coalesced');
    expect(form).toEqual({ sent: 2, problem });
  });

  test('with another quantity a second time is not shown again', async () => {
    const world = await asked();
    await respond(world, { action: 'accept', confirmQuantity: '9' }, { canAsk: true }, wanted);
    const result = await respond(
      world,
      { action: 'accept', confirmQuantity: 9, isRepeat: true },
      { canAsk: true },
      wanted,
    );
    expect(result).toMatchObject({ outcome: 'pending_approval', coalesced: true, ask: undefined });
    expect(result?.message.endsWith(` ${problem}`)).toBe(true);
    expect(result?.approval?.how).toContain(problem);
    expect((await approvalOf(world)).form).toEqual({ sent: 2, problem, last: 'wrong' });
  });

  test('with another quantity is not shown again by a caller that cannot ask', async () => {
    const world = await asked();
    expect(await respond(world, { action: 'accept', confirmQuantity: '9' }, {}, wanted)).toMatchObject({
      ask: undefined,
    });
    expect((await approvalOf(world)).form).toEqual({ sent: 1, problem, last: 'wrong' });
  });

  test('without a quantity is not shown again: the host may have returned it by itself', async () => {
    const world = await asked();
    const result = await respond(world, { action: 'accept', confirmQuantity: '' }, { canAsk: true }, wanted);
    expect(result).toMatchObject({ outcome: 'pending_approval', ask: undefined });
    expect(result?.message.endsWith('without the quantity of the order.')).toBe(true);
    expect((await approvalOf(world)).form).toEqual({ sent: 1, last: 'empty', problem: undefined });
  });

  test.each([
    ['shown again', '9', { sent: 2, problem }],
    ['closed as empty', '', { sent: 1, last: 'empty' }],
  ])('to an order of which no form was recorded counts as the first: %s', async (_, confirmQuantity, form) => {
    const world = await openWorld(byForm);
    await world.place(dear);
    await respond(world, { action: 'accept', confirmQuantity }, { canAsk: true }, wanted);
    expect((await approvalOf(world)).form).toEqual(form);
  });

  test('for another order than its own decides nothing', async () => {
    const world = await asked();
    expect(await respond(world, { action: 'accept', confirmQuantity: '10' })).toBeUndefined();
    expect(world.service.sent).toEqual([]);
  });

  test.each<[string, WorldOptions]>([
    ['another environment', { settings: { ...byForm.settings, environment: 'demo' } }],
    ['another account', { ...byForm, deps: { accountKey: async () => 'other' } }],
  ])('to a process of %s decides nothing', async (_, options) => {
    const world = await asked();
    const other = await openWorld({ ...options, beside: world });
    expect(await respond(other, { action: 'accept', confirmQuantity: '10' }, {}, wanted)).toBeUndefined();
    expect(world.service.sent).toEqual([]);
  });

  test('with an unknown number decides nothing', async () => {
    const world = await asked();
    const form = { nonce: 'x', action: 'accept', confirmQuantity: '10' } as const;
    expect(await world.orders.continueAfterForm(wanted, form, context)).toBeUndefined();
  });
});

/** A journal that fails from some moment on. */
const switchable = (journal: Journal) => {
  const failing: { read?: unknown; readOnce?: unknown; change?: unknown; afterInsert?: unknown } = {};
  const wrapped: Journal = {
    read: (work) => {
      const error = failing.readOnce ?? failing.read;
      failing.readOnce = undefined;
      return error ? rejectWith(error)() : journal.read(work);
    },
    change: async (work) => {
      if (failing.change) throw failing.change;
      const result = await journal.change(work);
      const error = failing.afterInsert;
      if (error && (await journal.read((tx) => tx.list())).length > 0) {
        failing.afterInsert = undefined;
        throw error;
      }
      return result;
    },
  };
  return { failing, wrapped };
};

const openFailing = async (options: WorldOptions = {}) => {
  const base = await openWorld();
  const { failing, wrapped } = switchable(base.journal);
  const world = await openWorld({ ...options, beside: { ...base, journal: wrapped } });
  const rows = () => base.journal.read((tx) => tx.list());
  return { ...world, failing, rows };
};

describe('a store that fails', () => {
  const unavailable = failure('store_unavailable');

  test('before the order was recorded refuses it', async () => {
    const { place, failing, rows, service } = await openFailing();
    failing.change = unavailable;
    expect(await place()).toMatchObject({
      outcome: 'refused',
      rule: 'store_unavailable',
      intentId: expect.any(String),
    });
    expect([await rows(), service.sent]).toEqual([[], []]);
  });

  test('after the order was recorded refuses it, and the record says so', async () => {
    const { place, failing, rows, service } = await openFailing();
    failing.afterInsert = unavailable;
    const { intentId, reason, ...result } = await place();
    expect(result).toMatchObject({ outcome: 'refused', rule: 'store_unavailable' });
    expect(await rows()).toMatchObject([{ id: intentId, state: 'REFUSED', rule: 'store_unavailable', reason }]);
    expect(service.sent).toEqual([]);
  });

  test('after an order was recorded that waits for a person leaves it waiting', async () => {
    const { place, failing, rows } = await openFailing(byForm);
    failing.afterInsert = unavailable;
    const result = await place();
    const [row] = await rows();
    expect(result).toMatchObject({ outcome: 'pending_approval', intentId: row?.id, reason: unavailable.message });
    expect(row).toMatchObject({ state: 'AWAITING_APPROVAL' });
  });

  test.each([
    ['by the store', unavailable, 0],
    ['by a fault of the program, which is reported', new TypeError('x'), 1],
  ])('after an order was recorded that a rule refused leaves that rule: %s', async (_, error, faults) => {
    const { place, failing, rows } = await openFailing({ limits: { maxOrderValue: '100' } });
    failing.afterInsert = error;
    const result = await place();
    const [row] = await rows();
    expect(row).toMatchObject({ state: 'REFUSED', rule: 'max_order_value', reason: expect.any(String) });
    expect(result).toMatchObject({ outcome: 'refused', rule: 'max_order_value', intentId: row?.id });
    expect(result.reason).toBe(row?.reason);
    expect(takeLog().length).toBe(faults);
  });

  test('once a form has approved the order leaves it approved', async () => {
    const base = await openFailing(byForm);
    const { approvals } = base.deps;
    const confirming: typeof approvals = {
      ...approvals,
      confirm: async (form) => {
        const decision = await approvals.confirm(form);
        base.failing.readOnce = unavailable;
        return decision;
      },
    };
    const world = await openWorld({ ...byForm, beside: base, deps: { approvals: confirming } });
    await world.place({}, { canAsk: true });
    const result = await respond(world, { action: 'accept', confirmQuantity: '10' });
    expect(result).toMatchObject({ outcome: 'pending_approval', reason: unavailable.message });
    expect(await base.rows()).toMatchObject([{ state: 'APPROVED' }]);
  });

  test('before an approved order is sent refuses it, and the record says so', async () => {
    const base = await openWorld();
    const broker = { ...base.service.broker, place: rejectWith(unavailable) };
    const { place, list } = await openWorld({ beside: base, deps: { broker } });
    const { intentId, reason, ...result } = await place();
    expect(result).toMatchObject({ outcome: 'refused', rule: 'store_unavailable' });
    expect(await list()).toMatchObject([
      { id: intentId, state: 'REFUSED', rule: 'store_unavailable', reason, changedAt: startAt },
    ]);
  });

  test('before an approved order is sent, and stays so, refuses it all the same', async () => {
    const { failing, rows, service, clock, journal } = await openFailing();
    const broker = {
      ...service.broker,
      place: () => {
        Object.assign(failing, { change: unavailable, read: unavailable });
        return rejectWith(unavailable)();
      },
    };
    const failed = await openWorld({ beside: { clock, journal, service }, deps: { broker } });
    expect(await failed.place()).toMatchObject({ outcome: 'refused', rule: 'store_unavailable' });
    expect(await rows()).toMatchObject([{ state: 'APPROVED' }]);
  });

  test('after the commit of an order says that it may be live, and never that it was refused', async () => {
    const base = await openWorld();
    const runner = {
      current: (intent: Intent) => base.journal.read(async (tx) => (await tx.find(intent.id)) ?? intent),
      send: async (intent: Intent) => {
        await base.journal.change((tx) => tx.move(intent.id, 'APPROVED', { state: 'SENDING', sentAt: startAt }));
        throw unavailable;
      },
    } as unknown as PlacingDeps['runner'];
    const result = await placeOrder({ ...base.deps, runner }, buy, instrument, context, {});
    expect(result).toMatchObject({ outcome: 'unknown', reason: unavailable.message });
    expect(await base.list()).toMatchObject([{ id: result.intentId, state: 'SENDING' }]);
  });

  test('after the broker rejected an order says so, whatever fails then', async () => {
    const base = await openWorld();
    const runner = {
      current: (intent: Intent) => base.journal.read(async (tx) => (await tx.find(intent.id)) ?? intent),
      send: async (intent: Intent) => {
        await base.journal.change((tx) => tx.move(intent.id, 'APPROVED', { state: 'REJECTED', reason: 'Too far.' }));
        throw unavailable;
      },
    } as unknown as PlacingDeps['runner'];
    const result = await placeOrder({ ...base.deps, runner }, buy, instrument, context, {});
    expect(result).toMatchObject({ outcome: 'rejected', reason: 'Too far.' });
  });

  test('while a person is waited for returns the order as it was, with the reason', async () => {
    const { place, failing, clock } = await openFailing(byForm);
    void clock.sleep(1_000).then(() => {
      failing.read = unavailable;
    });
    expect(await place()).toMatchObject({ outcome: 'pending_approval', reason: unavailable.message });
  });

  test('by a fault of the program while a person is waited for has no reason, and is reported', async () => {
    const { place, failing, clock } = await openFailing(byForm);
    void clock.sleep(1_000).then(() => {
      failing.read = new TypeError('x');
    });
    const result = await place();
    expect(result).toMatchObject({ outcome: 'pending_approval' });
    expect(result.reason).toBeUndefined();
    expect(takeLog().length).toBe(1);
  });

  test('while an earlier order that needs no approval is followed does not refuse it', async () => {
    const { place, failing, clock, rows, insert } = await openFailing();
    const earlier: Intent = {
      ...placed(),
      orderId: undefined,
      sentAt: undefined,
      state: 'APPROVED',
      createdAt: startAt,
    };
    await insert(earlier);
    void clock.sleep(1_000).then(() => {
      failing.read = unavailable;
    });
    expect(await place()).toMatchObject({ outcome: 'unknown', intentId: earlier.id, reason: unavailable.message });
    expect(await rows()).toMatchObject([{ state: 'APPROVED' }]);
  });

  test('when a form returns leaves the order as it is', async () => {
    const world = await openFailing(byForm);
    await world.place({}, { canAsk: true });
    const { nonce } = await approvalOf(world);
    world.failing.change = unavailable;
    const form = { nonce, action: 'accept', confirmQuantity: '10' } as const;
    expect(await world.orders.continueAfterForm(buy, form, context)).toMatchObject({
      outcome: 'pending_approval',
      reason: unavailable.message,
    });
  });

  test('for a reason that the caller has to correct throws', async () => {
    const { orders, failing } = await openFailing();
    const error = failure('not_configured');
    failing.change = error;
    await expect(orders.place(buy, instrument, context)).rejects.toBe(error);
  });
});
