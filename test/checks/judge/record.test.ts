/** How a record is written, read and taken: what was shown, what was sent, and in which sequence. */
import { describe, expect, test } from 'vitest';
import { readBody, toOrder } from '../../../checks/judge/order.ts';
import { parseRecord, writeRecord } from '../../../checks/judge/parse-record.ts';
import { readShownForm, readShownPage } from '../../../checks/judge/read-shown.ts';
import type { Request } from '../../../checks/judge/record.ts';
import { createRecorder } from '../../../checks/judge/recorder.ts';
import { approved, demo, live, post, sell } from './support.ts';

describe('a record', () => {
  test('is the same after it was written and read', () => {
    const record = [...live({ tickers: ['AAA'] }), ...approved('a', 1), ...post(3, sell, '1')];
    expect(parseRecord(writeRecord(record))).toEqual(JSON.parse(JSON.stringify(record)));
  });

  test.each(['{"kind":"other","at":1}', '{"kind":"resume"}'])('with the line %s is refused', (line) => {
    expect(() => parseRecord(`${writeRecord(demo())}\n${line}`)).toThrow('Line 3 is no entry of a record');
  });
});

describe('the recorder', () => {
  test('puts a request between what happened before it and after it', () => {
    const log: Request[] = [];
    let now = 5;
    const recorder = createRecorder({ now: () => now, requests: () => log });
    const call = recorder.call('place_market_order', { quantity: 2 });
    log.push({ kind: 'request', at: 6, method: 'POST', path: '/orders/market', body: '{}', status: null });
    now = 7;
    call.answered({ outcome: 'placed' });
    log[0] = { ...log[0], status: 200 } as Request;
    expect(recorder.read()).toEqual([
      { kind: 'call', id: '1', at: 5, tool: 'place_market_order', args: { quantity: 2 } },
      { kind: 'request', at: 6, method: 'POST', path: '/orders/market', body: '{}', status: 200 },
      { kind: 'answer', call: '1', at: 7, body: { outcome: 'placed' } },
    ]);
  });
});

test('the body of a request is read with the digits that were sent', () => {
  const body = '{"ticker":"A","quantity":-0.12345678901234567890, "limitPrice": 1e2,"timeValidity":"DAY"}';
  expect(readBody('LIMIT', body).order).toEqual({
    type: 'LIMIT',
    ticker: 'A',
    side: 'SELL',
    quantity: '0.1234567890123456789',
    limitPrice: '100',
    timeValidity: 'DAY',
  });
});

test.each([{}, { ticker: 'A', side: 'BUY', quantity: 'two' }, { ticker: 'A', quantity: 2 }])(
  '%o is no order',
  (fields) => {
    expect(toOrder(fields, 'MARKET')).toBeUndefined();
  },
);

const order = {
  type: 'STOP_LIMIT',
  ticker: 'A_EQ',
  side: 'BUY',
  quantity: '1234',
  limitPrice: '1200.25',
  stopPrice: '12.50',
};

describe('what a person is shown', () => {
  test('in a form, of an order', () => {
    const lines = [
      ...['LIVE', 'Order: SELL 2 × A_EQ', 'Type: Market: at the next available price, whatever it is'],
      ...['Extended hours: Yes, also outside regular hours', 'Estimated proceeds: 24.48 GBP'],
      ...['Type the quantity to approve', 'Name: “Order: BUY 9 × B_EQ”'],
    ];
    expect(readShownForm(lines.join('\n'))).toEqual({
      orders: [{ type: 'MARKET', ticker: 'A_EQ', side: 'SELL', quantity: '2', extendedHours: true }],
      repetitions: [],
    });
  });

  test('in a form, of an order with the name of its instrument', () => {
    const lines = [
      'LIVE',
      'Order: BUY 2 × SELL 9 of B, A_EQ',
      'Type: Market: at the next available price, whatever it is',
    ];
    expect(readShownForm(lines.join('\n'))?.orders).toEqual([
      { type: 'MARKET', ticker: 'A_EQ', side: 'BUY', quantity: '2' },
    ]);
  });

  test('in a form, of a draft', () => {
    const lines = [
      'LIVE, 2 ORDERS',
      '1: SECOND IDENTICAL ORDER: BUY 7 × A_EQ STOP_LIMIT limit 12.6 GBP stop 12.5 GBP at worst 82.11 DAY',
      '2: SELL 5 × A_EQ MARKET about 61.20',
      'Total 143.31',
    ];
    expect(readShownForm(lines.join('\n'))).toEqual({
      orders: [
        { ...order, quantity: '7', stopPrice: '12.5', limitPrice: '12.6', timeValidity: 'DAY' },
        { type: 'MARKET', ticker: 'A_EQ', side: 'SELL', quantity: '5' },
      ],
      repetitions: [0],
    });
  });

  test('on a page, of an order', () => {
    const page = `<main data-seconds="120" data-open="yes"><p class="repetition"><strong>SECOND IDENTICAL ORDER</strong></p>
<h1><span class="side buy">BUY</span> <bdi>1,234</bdi> <span class="times">×</span> <bdi class="name">SELL 9 of B</bdi> <bdi class="ticker">A</bdi></h1>
<dl><div><dt>Type</dt><dd>Stop limit: becomes a limit order when the stop price is reached</dd></div><div><dt>Limit price</dt><dd><b>US$1,200.25</b></dd></div><div><dt>Stop price</dt><dd><b>12.50p</b> <span class="aside">(£0.125)</span></dd></div><div><dt>Valid</dt><dd>Until it is cancelled</dd></div><div><dt>Ticker</dt><dd><code>A_EQ</code></dd></div></dl>`;
    expect(readShownPage(page)).toEqual({
      orders: [{ ...order, stopPrice: '12.5', timeValidity: 'GOOD_TILL_CANCEL' }],
      repetitions: [0],
      secondsLeft: 120,
    });
    expect(readShownPage(page.replace('data-open="yes"', 'data-open="no"'))).toBeUndefined();
  });
});
