/** An order that the journal could not record is refused, and a failure that is not about the order is thrown. */
import { expect, test } from 'vitest';
import { refusedByStore, toStoreRefusal } from '../../../../src/core/orders/place-result.ts';
import { takeLog } from '../../../support/faults.ts';
import { failure } from './world.ts';

const unavailable = failure('store_unavailable');
const fault = () => new TypeError('x');

test('a store that cannot be used refuses the order, with its own reason and step', () => {
  const { rule, reason } = toStoreRefusal(unavailable);
  expect(rule).toBe('store_unavailable');
  expect(reason).toBe(`${unavailable.message} No order is sent without it. ${unavailable.next}`);
});

test('a fault of the program refuses the order, and is reported', () => {
  expect(toStoreRefusal(fault()).rule).toBe('internal');
  expect(takeLog()).toMatchObject([{ event: 'fault', code: 'TypeError' }]);
});

test('a fault of the program that has the code of a store is a fault', () => {
  expect(toStoreRefusal(Object.assign(fault(), { code: 'store_unavailable' })).rule).toBe('internal');
  expect(takeLog().length).toBe(1);
});

test.each([
  ['that the caller has to correct', failure('invalid_argument')],
  ['of a call that was aborted', new DOMException('Aborted', 'AbortError')],
])('an error %s is thrown again', (_, error) => {
  expect(() => toStoreRefusal(error)).toThrow(error);
  expect(() => refusedByStore(error, 'i')).toThrow(error);
});

test('the two refusals have different steps: the state of the store, and an order that may be placed again', () => {
  const stopped = refusedByStore(unavailable, 'i');
  expect(stopped).toMatchObject({ ...toStoreRefusal(unavailable), outcome: 'refused', intentId: 'i' });
  expect(stopped.next).toContain('get_server_status');
  const failed = refusedByStore(fault(), 'j');
  expect(failed).toMatchObject({ outcome: 'refused', intentId: 'j', rule: 'internal' });
  expect(failed.next).toContain('Place the order again');
  takeLog();
});

test('a fault of the program is said in a sentence, and nothing of it was sent', () => {
  expect(refusedByStore(fault(), 'i')).toEqual({
    outcome: 'refused',
    intentId: 'i',
    rule: 'internal',
    reason: 'Internal error in brokerage-mcp before the order was sent.',
    message: 'This server refused the order; nothing was sent.',
    next: 'Tell the user that this server has a fault. Place the order again only if the user still wants it.',
  });
  takeLog();
});
