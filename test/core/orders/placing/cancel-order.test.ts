/** The cancellation of an order: what the broker accepted, what is over already, and what nobody knows. */
import { describe, expect, test } from 'vitest';
import { cancelOrder } from '../../../../src/core/orders/order-manager.ts';
import { context, createBroker, failure, order, startAt } from './world.ts';

/** A service that answers the cancellations in this sequence, and then accepts. */
function open(...errors: readonly unknown[]) {
  const clock = { now: () => startAt, sleep: async () => undefined };
  const service = createBroker(clock);
  const left = [...errors];
  service.answers.cancelOrder = () => {
    if (left.length > 0) throw left.shift();
  };
  const cancel = () => cancelOrder({ broker: service.broker, clock }, '7', context);
  return { service, cancel, count: () => service.calls.filter(({ id }) => id === 'cancelOrder').length };
}

const lost = failure('timeout', { mayHaveHappened: true });

test('a cancellation that the broker accepts is requested, by one call that names the order', async () => {
  const { service, cancel } = open();
  expect(await cancel()).toEqual({
    outcome: 'requested',
    orderId: '7',
    message: 'The broker accepted the cancellation request; the order may still fill.',
    next: 'Call get_order to see whether it was cancelled.',
  });
  expect(service.calls).toEqual([{ id: 'cancelOrder', request: { id: '7' }, context }]);
});

test.each([
  ['one lost response', [lost], 'requested', 2],
  ['two lost responses', [lost, lost], 'requested', 3],
  ['three lost responses', [lost, lost, lost], 'unknown', 3],
] as const)('after %s', async (_, errors, outcome, calls) => {
  const { cancel, count } = open(...errors);
  expect(await cancel()).toMatchObject({ outcome, orderId: '7' });
  expect(count()).toBe(calls);
});

test('a cancellation whose responses were lost says that nobody knows, and that it can be repeated', async () => {
  expect(await open(lost, lost, lost).cancel()).toEqual({
    outcome: 'unknown',
    orderId: '7',
    message: 'The response to the cancellation request was lost; the order may or may not be cancelled.',
    next: 'Call get_order to check its state; cancelling again is safe.',
  });
});

test.each([
  ['a failure before anything was sent', failure('unreachable', { mayHaveHappened: false })],
  ['a failure that says nothing about it', failure('rate_limited')],
  ['a fault of the program', new TypeError('x')],
  ['a fault of the program that looks like a refusal', Object.assign(new Error('x'), { code: 'not_found' })],
])('%s is thrown after one call', async (_, error) => {
  const { cancel, count } = open(error);
  await expect(cancel()).rejects.toBe(error);
  expect(count()).toBe(1);
});

describe.each(['not_found', 'rejected'] as const)('when the broker says %s', (code) => {
  const refusal = failure(code);

  test.each([
    ['cancelled', [{ order: order({ status: 'CANCELLED' }) }], [], 'CANCELLED'],
    ['filled', [{ order: order({ status: 'FILLED' }) }], [], 'FILLED'],
    ['in the history without a status', [{ order: order({ status: undefined }) }], [], undefined],
    ['still listed as pending, with a final status', [], [order({ status: 'FILLED' })], 'FILLED'],
  ])('an order that is %s is done already', async (_, history, pending, status) => {
    const { service, cancel } = open(refusal);
    service.history.push(...(history as never[]));
    service.pending.push(...pending);
    expect(await cancel()).toEqual({
      outcome: 'already_done',
      orderId: '7',
      status,
      message: `The order is no longer pending: it is ${status ?? 'in the history'}.`,
      next: 'Nothing is left to cancel.',
    });
  });

  test.each([
    ['still pending', [order()]],
    ['nowhere', []],
  ])('the refusal is thrown for an order that is %s', async (_, pending) => {
    const { service, cancel, count } = open(refusal);
    service.pending.push(...pending);
    await expect(cancel()).rejects.toBe(refusal);
    expect(count()).toBe(1);
  });
});

test('an order that was cancelled by a request whose response was lost is done already', async () => {
  const { service, cancel, count } = open(lost, failure('not_found'));
  service.history.push({ order: order({ status: 'CANCELLED' }) } as never);
  expect(await cancel()).toMatchObject({ outcome: 'already_done', status: 'CANCELLED' });
  expect(count()).toBe(2);
});
