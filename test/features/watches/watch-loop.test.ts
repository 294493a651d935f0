/** The account of the simulator is watched: what happens to it is reported once, and an order waits no longer. */
// @module-tag server
import { describe, expect, test } from 'vitest';
import { setHalt } from '../../../src/core/orders/halt/trading-state.ts';
import { createRound } from '../../../src/features/watches/watch-loop.ts';
import { order, type Setup, setup } from '../../support/setup.ts';
import { held, minute, watch } from './watched-account.ts';

const kindsOf = (events: readonly { readonly kind: string }[]) => events.map(({ kind }) => kind);

test('nothing that was there before is reported', async () => {
  const { pass, events, messages } = await watch();
  await pass(3);
  expect(await events()).toEqual([]);
  expect(messages).toEqual([]);
});

test('an order that fills is reported once, with what it cost', async () => {
  const { simulator, pass, events, messages } = await watch();
  const id = simulator.inject.order({ ticker: held, quantity: 2 });
  await pass(4);
  const { fill } = simulator.groundTruth().history.at(-1) ?? {};
  expect(await events()).toMatchObject([
    {
      key: `order:${id}`,
      kind: 'order_filled',
      facts: {
        ticker: held,
        side: 'BUY',
        type: 'MARKET',
        quantity: '2',
        value: { amount: String(Number(fill?.netValue)), currency: 'GBP' },
      },
    },
  ]);
  expect(messages).toHaveLength(1);
});

test('an order that was placed before the first sight and is cancelled after it is reported', async () => {
  const { call, pass, events, messages } = await watch();
  const { body } = await call('place_limit_order', order);
  await pass(3);
  expect(await events()).toEqual([]);
  await call('cancel_order', { orderId: body.orderId });
  await pass(3);
  expect(await events()).toMatchObject([
    { key: `order:${body.orderId}`, kind: 'order_ended', facts: { ticker: order.ticker, reason: 'CANCELLED' } },
  ]);
  expect(messages).toHaveLength(1);
});

test('an order that the exchange rejects, a dividend and a halt are reported', async () => {
  const { simulator, composed, pass, events } = await watch();
  const id = simulator.inject.order({ ticker: order.ticker, quantity: 2, type: 'LIMIT', limitPrice: 10 });
  await pass(2);
  simulator.inject.rejectOrder(id);
  expect(simulator.inject.dividend(held, '0.5')).toBe(true);
  await composed.journal.change((tx) => setHalt(tx, { at: 5, by: 'command', reason: 'a test' }));
  await pass(3);
  const found = await events();
  expect(kindsOf(found).toSorted()).toEqual(['dividend_arrived', 'order_rejected']);
  await composed.journal.change((tx) => tx.set('halt', undefined));
  const at = composed.services.clock.now();
  await composed.journal.change((tx) => setHalt(tx, { at, by: 'command', reason: 'a test' }));
  await pass(1);
  expect((await events()).at(-1)).toMatchObject({ key: `halt:${at}`, kind: 'halt', facts: { since: at } });
});

describe('a price', () => {
  test('that crosses a level is reported once', async () => {
    const { simulator, add, pass, events } = await watch();
    simulator.inject.setPrice(held, 50);
    await add({ kind: 'price', ticker: held, direction: 'above', level: '60' });
    await pass(2);
    expect(await events()).toEqual([]);
    simulator.inject.setPrice(held, 61);
    await pass(3);
    expect(await events()).toMatchObject([
      { kind: 'price', facts: { ticker: held, price: '61', level: '60', direction: 'above' } },
    ]);
  });

  test('that moved since the day before is reported', async () => {
    const { simulator, clock, add, pass, events } = await watch();
    simulator.inject.setPrice(held, 50);
    await add({ kind: 'move', ticker: held, percent: '5' });
    await pass(2);
    await clock.advance(24 * 60 * minute);
    await pass(2);
    simulator.inject.setPrice(held, 53);
    await pass(2);
    expect(await events()).toMatchObject([{ kind: 'move', facts: { ticker: held, percent: '6' } }]);
  });
});

describe('the limits of the service', () => {
  test('are never exceeded by the watch', async () => {
    const { simulator, pass, round } = await watch();
    await pass(5);
    for (let times = 0; times < 10; times++) await round.run();
    expect(simulator.log.filter(({ status }) => status === 429)).toEqual([]);
  });

  test('leave an order what it needs: it waits as long as without the watch', async () => {
    const timeOf = async ({ call, clock }: Pick<Setup, 'call' | 'clock'>) => {
      const begun = clock.now();
      const { body } = await call('place_limit_order', order);
      expect(body.outcome).toBe('placed');
      return clock.now() - begun;
    };
    const watched = await watch();
    // The histories are complete, so that no read of them moves the clock.
    await watched.pass(10);
    await watched.clock.advance(minute);
    await watched.round.run();
    const after = await timeOf(watched);
    const plain = await setup();
    await plain.call('list_positions');
    await plain.clock.advance(minute);
    expect(after).toBeLessThanOrEqual(await timeOf(plain));
  });

  test('are left alone while an order is under way', async () => {
    const { call, clock, round, requests } = await watch();
    await call('place_limit_order', order);
    await clock.advance(20_000);
    const before = requests().length;
    await round.run();
    expect(requests().length).toBe(before);
  });
});

test('another process does not watch while one does, and takes over when it ends', async () => {
  const first = await watch();
  const second = await setup({ beside: first });
  const deps = second.composed.watching.connect([], async () => ({ isError: true, text: '', body: {} }));
  const round = createRound(
    { ...deps, lease: { ...deps.lease, processes: { self: 'other', isAlive: () => true } } },
    new AbortController().signal,
  );
  first.simulator.inject.order({ ticker: held, quantity: 2 });
  await first.clock.advance(2 * minute);
  await round.run();
  expect(await first.events()).toEqual([]);
  await first.round.end();
  for (let times = 0; times < 3; times++) {
    await first.clock.advance(minute);
    await round.run();
  }
  expect(kindsOf(await first.events())).toEqual(['order_filled']);
  await round.end();
});
