import { expect, test } from 'vitest';
import type { PlaceResult } from '../../../../src/core/broker/types.ts';
import { type OrderRequest, toWireOrder } from '../../../../src/core/orders/intent/order-request.ts';
import { classify } from '../../../../src/core/orders/send/classify.ts';

const request: OrderRequest = {
  type: 'LIMIT',
  ticker: 'ABC_US_EQ',
  side: 'SELL',
  quantity: '0.1',
  limitPrice: '12.30',
  timeValidity: 'DAY',
};

const answered = (status: number, body?: unknown): PlaceResult => ({
  kind: 'answered',
  status,
  body,
  error: { code: 'some-code', detail: 'some detail' },
  tooManyRequests: false,
  isBlocked: false,
  retryAfterSeconds: undefined,
  date: undefined,
});

const echo = {
  id: 50_000_000_001,
  ticker: 'ABC_US_EQ',
  type: 'LIMIT',
  side: 'SELL',
  quantity: -0.1,
  limitPrice: 12.3,
  timeInForce: 'DAY',
  status: 'NEW',
};

test.each([
  [400, 'rejected'],
  [401, 'unauthorized'],
  [403, 'forbidden'],
  [404, 'not_found'],
  [405, 'rejected'],
  [411, 'rejected'],
  [413, 'rejected'],
  [415, 'rejected'],
  [422, 'rejected'],
])('%i is a rejection, and its code is %s as for a read', (status, code) => {
  expect(classify(answered(status), request)).toMatchObject({ event: 'reject', code, brokerCode: 'some-code' });
});

test.each([400, 403])('%i of a proxy that blocks the address is a rejection, and not because of the key', (status) => {
  const result = { ...answered(status), isBlocked: true } as PlaceResult;
  expect(classify(result, request)).toMatchObject({ event: 'reject', code: 'blocked' });
});

test.each([
  199, 300, 301, 302, 303, 304, 307, 308, 402, 406, 408, 409, 410, 412, 421, 423, 425, 428, 431, 500, 502, 503, 504,
  520, 599,
])('%i is inconclusive, so the order may be live', (status) => {
  expect(classify(answered(status, echo), request)).toMatchObject({ event: 'lose' });
});

test.each([
  ['the detail', { code: 'some-code', detail: 'some detail' }, ' (400: some detail)'],
  ['the code where there is no detail', { code: 'some-code', detail: undefined }, ' (400: some-code)'],
  ['the status where there is neither', { code: undefined, detail: undefined }, ' (400).'],
  ['the status where there is no body', undefined, ' (400).'],
])('a rejection is reported with %s', (_, error, words) => {
  const result = { ...answered(400), error } as PlaceResult;
  const reason = expect.stringContaining(words);
  expect(classify(result, request)).toMatchObject({ event: 'reject', brokerCode: error?.code, reason });
});

test.each([
  ['429', { ...answered(429), tooManyRequests: true }],
  ['400 with the words', { ...answered(400), tooManyRequests: true }],
  ['200 with the words', { ...answered(200), tooManyRequests: true }],
] as [string, PlaceResult][])('%s is a refusal for the rate, and nothing was accepted', (_, result) => {
  expect(classify(result, request)).toMatchObject({ event: 'limit' });
});

test.each([
  ['an equal echo', echo, []],
  ['an echo with the quantity as a positive number', { ...echo, quantity: 0.1 }, []],
  ['an echo with null and absent fields', { id: '9007199254740993', status: 'NEW', ticker: null }, []],
  ['another ticker', { ...echo, ticker: 'ABCD_US_EQ' }, ['ticker']],
  ['another quantity', { ...echo, quantity: -1 }, ['quantity']],
  ['the other side', { ...echo, side: 'BUY' }, ['side']],
  ['another price', { ...echo, limitPrice: 1230 }, ['limitPrice']],
  ['a price with the other sign', { ...echo, limitPrice: -12.3 }, ['limitPrice']],
  ['another type', { ...echo, type: 'STOP' }, ['type']],
  ['another validity', { ...echo, timeInForce: 'GOOD_TILL_CANCEL' }, ['timeInForce']],
  ['a field that the request does not have', { ...echo, stopPrice: 0 }, []],
])('%s is an acceptance, and differences are named', (_, body, mismatch) => {
  expect(classify(answered(200, body), request)).toMatchObject({ event: 'accept', mismatch });
});

test.each([
  [12.3, []],
  [12.31, ['stopPrice']],
])('the stop price %d of a response to 12.30 is compared as a number', (stopPrice, mismatch) => {
  const stop = { ...request, type: 'STOP', limitPrice: undefined, stopPrice: '12.30' } as OrderRequest;
  expect(classify(answered(200, { id: 1, stopPrice }), stop)).toMatchObject({ event: 'accept', mismatch });
});

test('an id over 2^53 stays exact', () => {
  expect(classify(answered(201, { ...echo, id: '9007199254740993' }), request)).toMatchObject({
    order: { id: '9007199254740993' },
  });
});

test.each([
  ['an empty body', undefined],
  ['no id', { ...echo, id: undefined }],
  ['an id of zero length', { ...echo, id: '' }],
  ['a negative id', { ...echo, id: -5 }],
  ['an id that is no whole number', { ...echo, id: 1.5 }],
  ['a text', 'ok'],
  ['an array', [echo]],
])('a 2xx with %s may be a live order', (_, body) => {
  expect(classify(answered(200, body), request)).toMatchObject({ event: 'lose' });
});

test('a 2xx whose order says REJECTED is a rejection', () => {
  expect(classify(answered(200, { ...echo, status: 'REJECTED' }), request)).toMatchObject({
    event: 'reject',
    code: 'rejected',
  });
});

const reason = 'the reason';

test.each<[string, PlaceResult, object | undefined]>([
  ['not committed: nothing happened', { kind: 'not_committed' }, undefined],
  ['not connected: not sent', { kind: 'not_connected', reason }, { event: 'failBeforeSending', reason }],
  ['no slot in time: not sent', { kind: 'rate_limited', retryAfterSeconds: 7 }, { event: 'failBeforeSending' }],
  ['too late to write: not sent', { kind: 'not_written', reason }, { event: 'notWritten', reason }],
  ['a lost response: unknown', { kind: 'lost', reason }, { event: 'lose', reason }],
])('%s', (_, result, verdict) => {
  const found = classify(result, request);
  if (verdict) expect(found).toMatchObject(verdict);
  else expect(found).toBeUndefined();
});

test('an order that waits for a slot is reported with the seconds', () => {
  const found = classify({ kind: 'rate_limited', retryAfterSeconds: 7 }, request);
  expect(found).toMatchObject({ reason: expect.stringContaining('7 seconds') });
});

test('the bytes of an order are its exact decimals and only the fields of its type', () => {
  expect(toWireOrder(request).body).toBe(
    '{"ticker":"ABC_US_EQ","quantity":-0.1,"limitPrice":12.30,"timeValidity":"DAY"}',
  );
  expect(toWireOrder({ type: 'MARKET', ticker: 'A"B', side: 'BUY', quantity: '123456789012345678.123' }).body).toBe(
    '{"ticker":"A\\"B","quantity":123456789012345678.123,"extendedHours":false}',
  );
  expect(
    toWireOrder({ ...request, type: 'STOP_LIMIT', side: 'BUY', stopPrice: '12.31', timeValidity: 'GOOD_TILL_CANCEL' })
      .body,
  ).toBe(
    '{"ticker":"ABC_US_EQ","quantity":0.1,"stopPrice":12.31,"limitPrice":12.30,"timeValidity":"GOOD_TILL_CANCEL"}',
  );
});

test.each<[string, PlaceResult, object]>([
  [
    'a status that shows nothing',
    answered(503),
    { event: 'lose', reason: 'The broker returned status 503, which does not show whether it accepted the order.' },
  ],
  [
    'an acceptance that cannot be read',
    answered(200, 'ok'),
    { event: 'lose', reason: 'The broker accepted the request but its response could not be read.' },
  ],
  [
    'an acceptance without an id',
    answered(200, { ...echo, id: undefined }),
    { event: 'lose', reason: 'The broker accepted the request but returned no order id.' },
  ],
  [
    'an order that was rejected',
    answered(200, { ...echo, status: 'REJECTED' }),
    { event: 'reject', code: 'rejected', reason: 'The broker returned the order with status REJECTED.' },
  ],
  [
    'a refusal for the rate',
    { ...answered(429), tooManyRequests: true, retryAfterSeconds: 3 } as PlaceResult,
    {
      event: 'limit',
      reason: 'The broker refused the order because the rate limit is exceeded.',
      retryAfterSeconds: 3,
    },
  ],
  [
    'a slot that came too late',
    { kind: 'rate_limited', retryAfterSeconds: 7 },
    { event: 'failBeforeSending', reason: 'The rate limit resets in 7 seconds.' },
  ],
])('%s is said in a sentence', (_, result, verdict) => {
  expect(classify(result, request)).toEqual(verdict);
});
