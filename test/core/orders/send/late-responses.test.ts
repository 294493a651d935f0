/** What arrives late: a suspended process, a response after every process gave up, a changed key. */
// @module-tag server
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Intent } from '../../../../src/core/orders/intent/intent.ts';
import { openDatabase } from '../../../../src/core/store/sqlite/binding.ts';
import { order, posts, type Setup, setup } from '../../../support/setup.ts';

const rowOf = (made: Setup, intentId: string) =>
  made.composed.journal.read(async (tx) => (await tx.find(intentId)) as Intent);

test('a process suspended between its commit and its send writes nothing when it continues', async () => {
  const made = await setup();
  const { journal } = made.composed;
  const { change } = journal;
  // The commit takes three seconds to return: a disk that hangs, a machine that sleeps.
  Object.assign(journal, {
    change: async (work: Parameters<typeof change>[0]) => {
      const result = (await change(work)) as Intent | undefined;
      if (result?.state === 'SENDING') await made.clock.advance(3_000);
      return result;
    },
  });
  const { body } = await made.call('place_limit_order', order);
  expect(body).toMatchObject({ outcome: 'not_sent', reason: expect.stringContaining('nothing was sent') });
  expect(posts(made)).toBe(0);
  expect((await made.call('place_limit_order', { ...order, quantity: 3 })).body.outcome).not.toBe('placed');
});

test('an order that the owner replaced in the app still blocks the same call', async () => {
  const made = await setup();
  const { body } = await made.call('place_limit_order', order);
  await made.call('cancel_order', { orderId: body.orderId });
  await made.clock.advance(5_000);
  const { call } = made.composed.services.broker;
  // The service lists the cancelled order as a replaced one.
  Object.assign(made.composed.services.broker, {
    pages: async function* () {
      yield { items: [{ order: { id: body.orderId, status: 'REPLACED' } }], answeredAt: 0, next: undefined };
    },
    call,
  });
  expect((await made.call('place_limit_order', order)).body).toMatchObject({ coalesced: true, status: 'REPLACED' });
  expect(posts(made)).toBe(1);
});

test('after a change of the key an unknown order is still known, and found', async () => {
  const made = await setup();
  made.simulator.faults.push({ endpoint: 'placeLimitOrder', kind: 'resetAfterRead' });
  const { body } = await made.call('place_limit_order', order);
  expect(body.outcome).toBe('unknown');
  const row = await rowOf(made, body.intentId);
  // As for a key that was never seen: it has a name of its own until the summary has been read.
  const db = await openDatabase(join(made.stateDir, 'store.sqlite'));
  db.exec("DELETE FROM records WHERE space = 'account-alias'");
  db.close();
  const next = await setup({ beside: made });
  expect(await next.composed.journal.read((tx) => tx.find(row.id))).toMatchObject({ state: 'UNKNOWN' });
  expect((await next.call('get_order', { intentId: body.intentId, waitSeconds: 20 })).body).toMatchObject({
    outcome: 'placed',
  });
});

test('when the broker cannot be reached, get_order returns what the journal knows', async () => {
  const made = await setup();
  const { body } = await made.call('place_limit_order', order);
  await made.simulator.close();
  const later = await made.call('get_order', { intentId: body.intentId });
  expect(later.isError).toBe(false);
  expect(later.body).toMatchObject({ outcome: 'placed', orderId: body.orderId });
  expect(later.body.note).toContain('could not be read');
});

test('an order whose history the limit delays is reported as no longer pending, with the seconds', async () => {
  const made = await setup();
  const { body } = await made.call('place_limit_order', { ...order, limitPrice: 12 });
  // A search for a missing order reads as many pages of the history as a minute allows.
  await made.call('get_order', { orderId: '1' });
  await made.call('cancel_order', { orderId: body.orderId });
  await made.clock.advance(5_000);
  const known = await made.call('get_order', { intentId: body.intentId });
  expect(known.body).toMatchObject({ outcome: 'placed', orderId: body.orderId, pending: false });
  expect(known.body.retryAfterSeconds).toBeGreaterThan(10);
  const again = await made.call('cancel_order', { orderId: body.orderId });
  expect(again.body).toMatchObject({ code: 'rate_limited', pending: false });
  await made.clock.advance(known.body.retryAfterSeconds * 1000);
  expect((await made.call('get_order', { intentId: body.intentId })).body).toMatchObject({ foundIn: 'history' });
});

test('two equal concurrent creates are one', async () => {
  const made = await setup();
  const pie = { name: 'Twice', instrumentShares: { QNOON_GB_EQ: 1 } };
  const answers = await Promise.all([made.call('create_pie', pie), made.call('create_pie', pie)]);
  expect(made.requests().filter((id) => id === 'createPie').length).toBe(1);
  expect(answers.filter(({ body }) => body.coalesced === true).length).toBe(1);
});
