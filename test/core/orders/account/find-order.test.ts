/** Where an order is searched, how far, and which page can show that it has ended. */
import { describe, expect, test } from 'vitest';
import type { Broker, CallContext, Page } from '../../../../src/core/broker/types.ts';
import { endpoints, type HistoricalOrder, type Order } from '../../../../src/core/endpoints/index.ts';
import { BrokerageError } from '../../../../src/core/errors.ts';
import {
  computeNewestTime,
  findEnded,
  findOrder,
  findPending,
  isFinalOrder,
} from '../../../../src/core/orders/account/find-order.ts';
import { createManualClock } from '../../../support/manual-clock.ts';

const now = Date.UTC(2026, 0, 15, 15);
const minuteMs = 60_000;
const at = (ms: number) => new Date(ms).toISOString();
const context: CallContext = { priority: 'read', deadlineAt: 7, notBefore: 5 };
const lookUp = { ...context, priority: 'lookUp' };

const row = (id: string, order: object = {}, fill?: object) =>
  ({ order: { id, status: 'FILLED', createdAt: at(now), ...order }, ...(fill && { fill }) }) as HistoricalOrder;

interface Answer {
  readonly rows: readonly HistoricalOrder[];
  readonly askedAt?: number;
  readonly chainError?: BrokerageError;
}

interface Service {
  /** The pending order, or the error that the service returns. */
  readonly pending?: Partial<Order> | Error;
  /** The pages of the first walk through the history, of the second, and so on; an error ends a walk. */
  readonly walks?: readonly (readonly (Answer | Error)[])[];
}

/** A service; `asked` has its requests, and how many pages of each walk were read. */
function service({ pending, walks = [] }: Service) {
  const asked: { readonly contexts: unknown[]; readonly requests: unknown[]; readonly pages: number[] } = {
    contexts: [],
    requests: [],
    pages: [],
  };
  const broker = {
    call: async (endpoint: unknown, request: object, one: unknown) => {
      asked.requests.push([endpoint, request]);
      asked.contexts.push(one);
      if (pending === undefined || pending instanceof Error) throw pending ?? error('not_found');
      return { data: pending, askedAt: now, answeredAt: now + 3 };
    },
    async *pages(endpoint: unknown, from: object, one: unknown) {
      asked.requests.push([endpoint, from]);
      asked.contexts.push(one);
      const walk = asked.pages.push(0) - 1;
      const answers = walks[walk] ?? [];
      for (const [index, answer] of answers.entries()) {
        asked.pages[walk] = index + 1;
        if (answer instanceof Error) throw answer;
        const { rows, chainError, askedAt = now } = answer;
        const next = index + 1 < answers.length ? { cursor: String(index) } : undefined;
        yield { items: rows, askedAt, answeredAt: now + 10 + index, next, chainError } satisfies Page<HistoricalOrder>;
      }
    },
  } as unknown as Broker;
  return { broker, asked };
}

const error = (code: BrokerageError['code'], facts = {}) =>
  new BrokerageError(code, 'It failed.', 'Wait.', facts, { network: 'ECONNRESET' });

/** Searches order 5 in a history of these pages, as of `now`. */
async function search(pages: readonly (Answer | Error)[], placedAt?: number) {
  const { broker, asked } = service({ walks: [pages] });
  const found = await findEnded(broker, '5', now, context, placedAt);
  return { found, pages: asked.pages };
}

const others = { rows: [row('9')] };

describe('a pending order', () => {
  test('is found by its id, and has no fills', async () => {
    const { broker, asked } = service({ pending: { id: '5' } });
    expect(await findPending(broker, '5', context)).toEqual({
      order: { id: '5' },
      fills: [],
      foundIn: 'pending',
      answeredAt: now + 3,
    });
    expect(asked).toEqual({
      requests: [[endpoints.getPendingOrder, { id: '5' }]],
      contexts: [lookUp],
      pages: [],
    });
  });

  test('that the service does not find is not pending', async () => {
    expect(await findPending(service({}).broker, '5', context)).toBeUndefined();
  });

  test.each<[string, Error]>([
    ['another code', error('timeout')],
    ['no code', Object.assign(new Error('It failed.'), { code: 'not_found' })],
  ])('is unknown after an error with %s', async (_, pending) => {
    await expect(findPending(service({ pending }).broker, '5', context)).rejects.toBe(pending);
  });

  test('is not searched in the history', async () => {
    const { broker, asked } = service({ pending: { id: '5' } });
    const found = await findOrder({ broker, clock: createManualClock({ startAt: now }) }, '5', context);
    expect([found?.foundIn, asked.pages]).toEqual(['pending', []]);
  });
});

test('an order that is not pending is searched in the history of after that moment', async () => {
  // The first page is older, and its row may have changed since.
  const stale = { rows: [row('5', { status: 'NEW' })], askedAt: now - 1 };
  const { broker, asked } = service({ walks: [[stale], [{ rows: [row('5', { status: 'NEW' })] }]] });
  const found = await findOrder({ broker, clock: createManualClock({ startAt: now }) }, '5', context);
  expect(found).toMatchObject({ order: { id: '5', status: 'NEW' }, foundIn: 'history', answeredAt: now + 10 });
  expect(asked.requests).toEqual([
    [endpoints.getPendingOrder, { id: '5' }],
    [endpoints.listHistoricalOrders, {}],
    [endpoints.listHistoricalOrders, {}],
  ]);
  expect(asked.contexts).toEqual([lookUp, { ...lookUp, notBefore: undefined }, { ...lookUp, notBefore: now }]);
});

test('the search for an order that is not pending ends at rows from before it was placed', async () => {
  const old = { rows: [row('1', { createdAt: at(now - 10 * minuteMs) })] };
  const { broker, asked } = service({ walks: [[old, others]] });
  const deps = { broker, clock: createManualClock({ startAt: now }) };
  expect(await findOrder(deps, '5', context, now)).toBeUndefined();
  expect(asked.pages).toEqual([1]);
});

test('the search for an order of an hour ago goes on beyond rows of this hour', async () => {
  const later = { rows: [row('1', { createdAt: at(now - 10 * minuteMs) })] };
  const { broker } = service({ walks: [[later, { rows: [row('5')] }]] });
  const deps = { broker, clock: createManualClock({ startAt: now }) };
  expect((await findOrder(deps, '5', context, now - 60 * minuteMs))?.order.id).toBe('5');
});

describe('a page from before the order was gone', () => {
  test.each(['FILLED', 'CANCELLED', 'REJECTED', 'REPLACED', 'EXPIRED'])('shows its end as %s', async (status) => {
    const { found, pages } = await search([{ rows: [row('5', { status })], askedAt: now - 1 }]);
    expect([found?.order.status, pages]).toEqual([status, [1]]);
  });

  test.each<[string, readonly HistoricalOrder[]]>([
    ['without the order', [row('9')]],
    ['that shows it as not ended', [row('5', { status: 'CANCELLING' })]],
    ['that shows it without a status', [row('5', { status: undefined })]],
    ['without rows', []],
  ])('counts for nothing %s, and a later page is read', async (_, rows) => {
    const { broker, asked } = service({ walks: [[{ rows, askedAt: now - 1 }, others], [{ rows: [row('5')] }]] });
    expect(await findEnded(broker, '5', now, context)).toMatchObject({ order: { status: 'FILLED' } });
    expect(asked.pages).toEqual([1, 1]);
  });

  test('that is all the service returns shows nothing', async () => {
    const stale = { rows: [row('9')], askedAt: now - 1 };
    const { broker, asked } = service({ walks: [[stale], [stale]] });
    expect(await findEnded(broker, '5', now, context)).toBeUndefined();
    expect(asked.pages).toEqual([1, 1]);
  });

  test('is no reason to search again when it is the second one', async () => {
    const { found, pages } = await search([others, { rows: [row('5', { status: 'NEW' })], askedAt: now - 1 }]);
    expect([found?.order.id, pages]).toEqual(['5', [2]]);
  });
});

describe('an order in the history', () => {
  test('has its fills, on all pages that end with it', async () => {
    const rows = [
      { rows: [row('9', {}, { id: '90' }), row('5', { ticker: 'FIRST' }, { id: '53' })] },
      { rows: [row('5', {}, { id: '52' })] },
      { rows: [row('5', {}, { id: '51' }), row('5'), row('1', {}, { id: '10' })] },
      others,
    ];
    const { found, pages } = await search(rows);
    expect(found).toEqual({
      order: { ...row('5').order, ticker: 'FIRST' },
      fills: [{ id: '53' }, { id: '52' }, { id: '51' }],
      foundIn: 'history',
      // The third page.
      answeredAt: now + 12,
    });
    expect(pages).toEqual([3]);
  });

  test('is complete where the next page goes on with another one', async () => {
    const { found, pages } = await search([{ rows: [row('5', {}, { id: '52' })] }, others]);
    expect([found?.fills, found?.answeredAt, pages]).toEqual([[{ id: '52' }], now + 11, [2]]);
  });

  test('is complete where the next page is empty', async () => {
    const { found, pages } = await search([{ rows: [row('5', {}, { id: '52' })] }, { rows: [] }]);
    expect([found?.fills, pages]).toEqual([[{ id: '52' }], [2]]);
  });

  test('is complete where the page goes on with a row without an order', async () => {
    const { found, pages } = await search([{ rows: [row('5'), {} as HistoricalOrder] }, others]);
    expect([found?.order.id, pages]).toEqual(['5', [1]]);
  });

  test('is complete at the end of the history', async () => {
    const { found, pages } = await search([others, { rows: [row('5')] }]);
    expect([found?.fills, pages]).toEqual([[], [2]]);
  });

  test('is not a row without an order', async () => {
    expect((await search([{ rows: [{ fill: { id: '5' } } as HistoricalOrder] }])).found).toBeUndefined();
  });

  test('is missing where the history ends without it', async () => {
    expect(await search([others, { rows: [] }])).toEqual({ found: undefined, pages: [2] });
  });

  test('is searched on six pages', async () => {
    expect(await search([...Array(5).fill(others), { rows: [row('5')] }])).toMatchObject({
      found: { order: { id: '5' } },
      pages: [6],
    });
    expect(await search([...Array(6).fill(others), { rows: [row('5')] }])).toEqual({ found: undefined, pages: [6] });
  });

  test.each<[string, HistoricalOrder, number, boolean]>([
    ['two minutes before it was placed', row('1', { createdAt: at(now - 2 * minuteMs) }), now, true],
    ['more than two minutes before', row('1', { createdAt: at(now - 2 * minuteMs - 1_000) }), now, false],
    [
      'placed before it, and filled after',
      row('1', { createdAt: at(now - 9 * minuteMs) }, { filledAt: at(now) }),
      now,
      true,
    ],
    ['without a time', row('1', { createdAt: undefined }), now, true],
  ])('is searched beyond a page whose last row is %s', async (_, last, placedAt, goesOn) => {
    const { found, pages } = await search([{ rows: [row('9'), last] }, { rows: [row('5')] }], placedAt);
    expect([found?.order.id, pages]).toEqual(goesOn ? ['5', [2]] : [undefined, [1]]);
  });

  test('is searched beyond rows of any age when its time is unknown', async () => {
    const old = { rows: [row('1', { createdAt: at(0) })] };
    expect((await search([old, { rows: [row('5')] }])).found?.order.id).toBe('5');
  });

  test('is searched beyond a page without rows', async () => {
    expect((await search([{ rows: [] }, { rows: [row('5')] }], now)).found?.order.id).toBe('5');
  });

  test('that is complete is found, although the link to the next page is invalid', async () => {
    const page = { rows: [row('5'), row('1')], chainError: error('unexpected_answer') };
    expect((await search([page])).found?.order.id).toBe('5');
  });
});

describe('a history that cannot be read', () => {
  test.each<[string, readonly (Answer | Error)[]]>([
    ['an error', [error('rate_limited', { retryAfterSeconds: 8 })]],
    ['a page without a valid link', [{ ...others, chainError: error('rate_limited', { retryAfterSeconds: 8 }) }]],
  ])('keeps the fact that the order is not pending: %s', async (_, pages) => {
    await expect(search(pages)).rejects.toMatchObject({
      name: 'BrokerageError',
      code: 'rate_limited',
      message:
        'Order 5 is not among the pending orders, and the history that shows how it ended cannot be read yet: It failed.',
      next: 'Wait.',
      facts: { retryAfterSeconds: 8, pending: false },
      cause: { network: 'ECONNRESET' },
    });
  });

  test.each<[string, Error]>([
    ['a call that its caller cancelled', error('cancelled')],
    ['an error of the program itself', new TypeError('x')],
  ])('leaves %s as it is', async (_, thrown) => {
    await expect(search([thrown])).rejects.toBe(thrown);
  });
});

test.each<[string | undefined, boolean]>([
  ['FILLED', true],
  ['CANCELLED', true],
  ['REJECTED', true],
  ['REPLACED', true],
  ['EXPIRED', true],
  ['LOCAL', false],
  ['UNCONFIRMED', false],
  ['CONFIRMED', false],
  ['NEW', false],
  ['CANCELLING', false],
  ['PARTIALLY_FILLED', false],
  ['REPLACING', false],
  [undefined, false],
])('whether an order has ended with the status %s: %s', (status, expected) => {
  expect(isFinalOrder({ status } as Order)).toBe(expected);
});

test.each<[string, HistoricalOrder, number]>([
  ['of its order', row('1', { createdAt: at(5_000) }), 5_000],
  ['of its fill, where that is later', row('1', { createdAt: at(5_000) }, { filledAt: at(6_000) }), 6_000],
  ['of its order, where that is later', row('1', { createdAt: at(7_000) }, { filledAt: at(6_000) }), 7_000],
  ['of its fill alone', { fill: { filledAt: at(6_000) } } as HistoricalOrder, 6_000],
  ['of its order, where that of its fill cannot be read', row('1', { createdAt: at(5_000) }, { filledAt: '-' }), 5_000],
  ['unlimited without a time', row('1', { createdAt: undefined }), Number.POSITIVE_INFINITY],
  ['unlimited without an order and a fill', {} as HistoricalOrder, Number.POSITIVE_INFINITY],
])('the time of a row is that %s', (_, historical, expected) => {
  expect(computeNewestTime(historical)).toBe(expected);
});
