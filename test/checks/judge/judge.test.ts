/** Records by hand: correct ones pass, and each of the others breaks one rule. */
import { describe, expect, test } from 'vitest';
import { judgeRun } from '../../../checks/judge/judge.ts';
import type { Entry, Request } from '../../../checks/judge/record.ts';
import {
  answer,
  approved,
  buy,
  call,
  cancelled,
  decide,
  demo,
  halt,
  live,
  place,
  post,
  price,
  removed,
  report,
  resume,
  saved,
  sell,
  show,
  submit,
} from './support.ts';

const rulesOf = (lines: readonly Entry[][]) => judgeRun(lines.flat()).map(({ rule }) => rule);
const form = (content: object, change: object = {}) => ({ where: 'form', passphrase: undefined, content, ...change });
const draft = { draft: { draftId: 'D', version: 1 } };
const second = { ...buy, quantity: '4' };
const worth33 = [...price('AAA', '10'), ...price('BBB', '20')];
const legs = [buy, sell, second];
/** The sell first. */
const sent = [...post(3, sell, '1'), ...post(4, buy, '2'), ...post(5, second, '3')];
const done = report('done', ['placed', '2'], ['placed', '1'], ['placed', '3']);

describe('nothing is wrong with', () => {
  test.each<[string, Entry[][]]>([
    ['an approved order that left as it was shown', [live(), approved('a', 1), post(3, buy, '1')]],
    [
      'other spellings of the same numbers',
      [demo(), place('c', 1, { ...buy, quantity: '03.0', limitPrice: '11.' }), post(2, buy, '1')],
    ],
    [
      'a request that was refused for the rate, and the next',
      [live(), approved('a', 1), post(3, buy, undefined, { status: 429 }), post(9, buy, '1')],
    ],
    [
      'a refusal for the rate that has another status',
      [
        live(),
        approved('a', 1),
        post(3, buy, undefined, { status: 400, response: '{"code":"TooManyRequests"}' }),
        post(9, buy, '1'),
      ],
    ],
    [
      'an order that nobody approved in demo',
      [
        demo(),
        place('c', 1, buy, { outcome: 'placed', orderId: '1', intentId: 'i' }).slice(0, 1),
        post(2, buy, '1'),
        answer('c', 3, { outcome: 'placed', orderId: '1', intentId: 'i' }),
      ],
    ],
    [
      'the same order again when it was cancelled',
      [demo(), place('c', 1, buy), post(2, buy, '1'), removed(3, '1'), place('d', 4, buy), post(5, buy, '2')],
    ],
    [
      'the same order again after ten minutes',
      [demo(), place('c', 1, buy), post(2, buy, '1'), place('d', 603, buy), post(603, buy, '2')],
    ],
    [
      'the same order again after a rejection',
      [demo(), place('c', 1, buy), post(2, buy, undefined, { status: 400 }), place('d', 4, buy), post(5, buy, '2')],
    ],
    [
      'a wanted repetition',
      [
        demo(),
        place('c', 1, buy),
        post(2, buy, '1'),
        place('d', 4, buy, undefined, { repeatOf: 'i' }),
        post(5, buy, '2'),
      ],
    ],
    [
      'a repetition that a person approved as such',
      [live(), approved('a', 1), post(3, buy, '1'), approved('b', 4, [buy], { repetitions: [0] }), post(6, buy, '2')],
    ],
    [
      'a form with the quantity where forms are enough',
      [
        live({}, 'elicitation'),
        show('a', 1, [buy]),
        decide('a', 2, form({ confirmQuantity: '3.0' })),
        post(3, buy, '1'),
      ],
    ],
    [
      'a wrong passphrase, then the right one',
      [live(), show('a', 1, [buy]), decide('a', 2, { passphrase: 'wrong' }), decide('a', 3), post(4, buy, '1')],
    ],
    [
      'a draft whose legs left one after the other, sells first',
      [demo(), saved(1, legs), submit('c', 2), sent, answer('c', 6, done)],
    ],
    ['an approved draft', [live(), approved('a', 1, [sell, buy], draft), post(3, sell, '1'), post(600, buy, '2')]],
    [
      'what a stop left, sent as the next version',
      [
        demo(),
        saved(1, legs),
        submit('c', 2),
        post(3, sell, '1'),
        post(4, buy),
        submit('d', 9, 2, undefined, { repeatOf: 'S' }),
        post(10, second, '3'),
      ],
    ],
    [
      'an order that was being written when trading was halted',
      [demo(), place('c', 1, buy), halt(2), post(3, buy, '1')],
    ],
    ['an order after a halt that was lifted', [demo(), halt(1), resume(2), place('c', 3, buy), post(4, buy, '1')]],
    [
      'an order whose call was cancelled while it was written',
      [demo(), place('c', 1, buy), cancelled('c', 2), post(3, buy, '1')],
    ],
    [
      'a refusal of a second order beside one that was placed',
      [
        demo(),
        place('c', 1, buy),
        post(2, buy, '1'),
        place('d', 3, buy, { outcome: 'refused', intentId: 'j' }),
        answer('c', 4, { outcome: 'placed', orderId: '1', intentId: 'i' }),
      ],
    ],
    [
      'an unknown outcome, with the order and without',
      [demo(), place('c', 1, buy), post(2, buy), answer('c', 3, { outcome: 'unknown', intentId: 'i' })],
    ],
    [
      'orders up to the limits',
      [
        demo({ maxOrderValue: '33', maxDayValue: '66' }),
        price('AAA', '10'),
        place('c', 1, buy),
        post(2, buy, '1'),
        place('d', 3, { ...buy, timeValidity: 'GOOD_TILL_CANCEL' }),
        post(4, { ...buy, timeValidity: 'GOOD_TILL_CANCEL' }, '2'),
      ],
    ],
    [
      'a request that was cut off, alone',
      [demo(), place('c', 1, buy), post(2, buy, undefined, { body: null, status: null })],
    ],
  ])('%s', (_, lines) => {
    expect(rulesOf(lines)).toEqual([]);
  });
});

describe('what leaves without permission is reported:', () => {
  test.each<[string, string, Entry[][]]>([
    ['an order that nobody approved', 'not_approved', [live(), place('c', 1, buy), post(2, buy, '1')]],
    ['an order that was shown and not approved', 'not_approved', [live(), show('a', 1, [buy]), post(2, buy, '1')]],
    [
      'an order that left before it was approved',
      'not_approved',
      [live(), show('a', 1, [buy]), post(2, buy, '1'), decide('a', 3)],
    ],
    [
      'an order that was declined',
      'declined',
      [live(), show('a', 1, [buy]), decide('a', 2, { action: 'reject' }), post(3, buy, '1')],
    ],
    [
      'an order that was declined, and approved after that',
      'declined',
      [live(), show('a', 1, [buy]), decide('a', 2, { action: 'reject' }), decide('a', 3), post(4, buy, '1')],
    ],
    [
      'a wrong passphrase',
      'not_approved',
      [live(), show('a', 1, [buy]), decide('a', 2, { passphrase: 'wrong' }), post(3, buy, '1')],
    ],
    [
      'a form where the page is required',
      'not_approved',
      [live(), show('a', 1, [buy]), decide('a', 2, form({ confirmQuantity: '3' })), post(3, buy, '1')],
    ],
    [
      'an empty form',
      'not_approved',
      [live({}, 'elicitation'), show('a', 1, [buy]), decide('a', 2, form({})), post(3, buy, '1')],
    ],
    [
      'a form that was declined with the right quantity in it',
      'declined',
      [
        live({}, 'elicitation'),
        show('a', 1, [buy]),
        decide('a', 2, form({ confirmQuantity: '3' }, { action: 'reject' })),
        post(3, buy, '1'),
      ],
    ],
    [
      'a form that was closed',
      'not_approved',
      [
        live({}, 'elicitation'),
        show('a', 1, [buy]),
        decide('a', 2, form({ confirmQuantity: '3' }, { action: 'cancel' })),
        post(3, buy, '1'),
      ],
    ],
    [
      'a form with another quantity',
      'not_approved',
      [
        live({}, 'elicitation'),
        show('a', 1, [buy]),
        decide('a', 2, form({ confirmQuantity: '30' })),
        post(3, buy, '1'),
      ],
    ],
    [
      'the form of a draft without its total',
      'not_approved',
      [
        live({}, 'elicitation'),
        show('a', 1, [buy], draft),
        decide('a', 2, form({ confirmLegs: 1 })),
        post(3, buy, '1'),
      ],
    ],
    ['an order whose approval had expired', 'expired', [live(), approved('a', 1), post(124, buy, '1')]],
    ['an approval that came too late', 'expired', [live(), show('a', 1, [buy]), decide('a', 121), post(121, buy, '1')]],
    [
      'a ticket that was open for longer than two minutes',
      'expired',
      [live(), approved('a', 1, [buy], { expiresAt: 200_000 }), post(3, buy, '1')],
    ],
    [
      'a leg more than 15 minutes after the approval of its draft',
      'expired',
      [live(), approved('a', 1, [buy], draft), post(905, buy, '1')],
    ],
    [
      'a leg after the end of its approval, which was cut short',
      'expired',
      [
        live(),
        approved('a', 1, [buy], draft),
        [{ kind: 'ends', at: 2_000, shown: 'a', endsAt: 5_000 }],
        post(8, buy, '1'),
      ],
    ],
    ['an order that nobody asked for', 'not_approved', [demo(), post(2, buy, '1')]],
    [
      'an order after its call had been cancelled',
      'after_cancel',
      [demo(), place('c', 1, buy), cancelled('c', 2), post(5, buy, '1')],
    ],
    [
      'an order after its call was answered with not_sent',
      'denied',
      [demo(), place('c', 1, buy, { outcome: 'not_sent' }), post(2, buy, '1')],
    ],
  ])('%s', (_, rule, lines) => {
    expect(rulesOf(lines)).toEqual([rule]);
  });
});

describe('an order that differs from the shown one is reported:', () => {
  test.each([
    ['quantity', { quantity: '3.1' }],
    ['limit price', { limitPrice: '11.01' }],
    ['no stop price', { stopPrice: undefined }],
    ['stop price', { stopPrice: '10.4' }],
    ['validity', { timeValidity: 'GOOD_TILL_CANCEL' }],
    ['side', { side: 'SELL' }],
    ['type', { type: 'LIMIT' }],
    ['extended hours', { extendedHours: true }],
  ])('another %s', (_, change) => {
    expect(
      rulesOf([
        live(),
        approved('a', 1, [{ ...buy, type: 'MARKET' }]),
        post(3, { ...buy, type: 'MARKET', ...change }, '1'),
      ]),
    ).toEqual(['differs']);
  });

  test('another ticker', () => {
    expect(rulesOf([live(), approved('a', 1), post(3, { ...buy, ticker: 'CCC' }, '1')])).toEqual(['not_approved']);
  });

  test('a field that no order has', () => {
    const [request] = post(3, buy, '1') as [Request & { body: string }];
    const body = JSON.stringify({ ...JSON.parse(request.body), leverage: 5 });
    expect(rulesOf([live(), approved('a', 1), [{ ...request, body }]])).toEqual(['differs']);
  });
});

describe('more than one request is reported:', () => {
  test.each<[string, string[], Entry[][]]>([
    ['two with one approval', ['twice'], [live(), approved('a', 1), post(3, buy, '1'), post(4, buy, '2')]],
    [
      'two after a lost response',
      ['twice'],
      [live(), approved('a', 1), post(3, buy, undefined, { status: null }), post(4, buy, '1')],
    ],
    [
      'two after a 503',
      ['twice'],
      [demo(), place('c', 1, buy), post(3, buy, undefined, { status: 503 }), post(4, buy, '1')],
    ],
    [
      'a second one after a rejection, with one approval',
      ['twice'],
      [live(), approved('a', 1), post(3, buy, undefined, { status: 400 }), post(4, buy, '1')],
    ],
    [
      'two of two equal calls',
      ['twice'],
      [demo(), place('c', 1, buy), place('d', 1, buy), post(3, buy, '1'), post(4, buy, '2')],
    ],
    [
      'two of one repetition',
      ['twice'],
      [
        demo(),
        place('c', 1, buy),
        post(2, buy, '1'),
        place('d', 3, buy, undefined, { repeatOf: 'i' }),
        post(4, buy, '2'),
        post(5, buy, '3'),
      ],
    ],
    [
      'two approvals of one order, of which none says that it is the second',
      ['twice'],
      [live(), approved('a', 1), approved('b', 3), post(5, buy, '1'), post(6, buy, '2')],
    ],
    [
      'one that was cut off, and another',
      ['twice'],
      [demo(), place('c', 1, buy), post(2, buy, undefined, { body: null, status: null }), post(3, buy, '1')],
    ],
    [
      'a leg of a later version that left already',
      ['twice'],
      [
        demo(),
        saved(1, [buy, second]),
        submit('c', 2),
        post(3, buy),
        submit('d', 9, 2, undefined, { repeatOf: 'S' }),
        post(10, buy, '2'),
      ],
    ],
  ])('%s', (_, rules, lines) => {
    expect(rulesOf(lines)).toEqual(rules);
  });
});

describe('what is over a limit is reported:', () => {
  test.each<[string, string, Entry[][]]>([
    [
      'an order over the largest value',
      'over_order_value',
      [demo({ maxOrderValue: '32.99' }), price('AAA', '10'), place('c', 1, buy), post(2, buy, '1')],
    ],
    [
      'an order over the largest value, in pence',
      'over_order_value',
      [demo({ maxOrderValue: '0.32' }), price('AAA', '10', '0.01'), place('c', 1, buy), post(2, buy, '1')],
    ],
    [
      'a market order over the largest value',
      'over_order_value',
      [demo({ maxOrderValue: '39' }), price('BBB', '20'), place('c', 1, sell), post(2, sell, '1')],
    ],
    [
      'an order over the default of live',
      'over_order_value',
      [
        live(),
        price('AAA', '10'),
        approved('a', 1, [{ ...buy, quantity: '91' }]),
        post(3, { ...buy, quantity: '91' }, '1'),
      ],
    ],
    [
      'an order over the largest quantity',
      'over_quantity',
      [demo({ maxOrderQuantity: '2.9' }), place('c', 1, buy), post(2, buy, '1')],
    ],
    [
      'two orders over the value of a day',
      'over_day_value',
      [
        demo({ maxDayValue: '70' }),
        worth33,
        place('c', 1, buy),
        post(2, buy, '1'),
        place('d', 3, sell),
        post(4, sell, '2'),
      ],
    ],
    [
      'two of a day by the time of sending, asked for on two days',
      'over_day_value',
      [
        demo({ maxDayValue: '70' }),
        worth33,
        place('c', 1, buy),
        post(80_000, buy, '1'),
        place('d', 90_000, sell),
        post(90_000, sell, '2'),
      ],
    ],
    [
      'an order beside one of unknown outcome',
      'over_day_value',
      [
        demo({ maxDayValue: '70' }),
        worth33,
        place('c', 1, buy),
        post(2, buy, undefined, { status: null }),
        place('d', 3, sell),
        post(4, sell, '2'),
      ],
    ],
    [
      'a third order within a minute',
      'over_count',
      [
        demo({ ordersPerMinute: 2 }),
        ...[buy, sell, second].flatMap((order, at) => [place(String(at), 1, order), post(2 + at, order, String(at))]),
      ],
    ],
    [
      'a third order within an hour',
      'over_count',
      [
        demo({ ordersPerHour: 2 }),
        ...[buy, sell, second].flatMap((order, at) => [
          place(String(at), 1, order),
          post(1_000 * at + 2, order, String(at)),
        ]),
      ],
    ],
    [
      'an order of a ticker that is not allowed',
      'ticker',
      [demo({ tickers: ['BBB'] }), place('c', 1, buy), post(2, buy, '1')],
    ],
    [
      'an order over a limit that was lowered after its approval',
      'over_order_value',
      [live(), price('AAA', '10'), approved('a', 1), live({ maxOrderValue: '30' }), post(3, buy, '1')],
    ],
  ])('%s', (_, rule, lines) => {
    expect(rulesOf(lines)).toEqual([rule]);
  });

  test('what was rejected, and what is older than a day, counts in no value', () => {
    const limits = demo({ maxDayValue: '70' });
    const rejected = post(2, buy, undefined, { status: 400 });
    expect(rulesOf([limits, worth33, place('c', 1, buy), rejected, place('d', 3, sell), post(4, sell, '2')])).toEqual(
      [],
    );
    expect(
      rulesOf([
        limits,
        worth33,
        place('c', 1, buy),
        post(2, buy, '1'),
        place('d', 86_500, sell),
        post(86_500, sell, '2'),
      ]),
    ).toEqual([]);
  });
});

describe('what leaves after a stop is reported:', () => {
  test.each<[string, string[], Entry[][]]>([
    ['an order after a halt', ['after_halt'], [demo(), halt(1), place('c', 2, buy), post(4, buy, '1')]],
    [
      'a second order after a halt',
      ['after_halt'],
      [demo(), place('c', 1, buy), place('d', 1, sell), halt(2), post(2.5, buy, '1'), post(3, sell, '2')],
    ],
    [
      'an order that was not on its way when trading was halted',
      ['after_halt'],
      [demo(), place('c', 1, buy), halt(2, { onItsWay: ['7'] }), post(3, buy, '1')],
    ],
    ['an order approved before a halt', ['after_halt'], [live(), approved('a', 1), halt(3), post(9, buy, '1')]],
    [
      'a leg after a halt that was lifted before its turn',
      ['after_halt'],
      [live(), approved('a', 1, [buy], draft), halt(3), resume(4), post(9, buy, '1')],
    ],
    [
      'a leg after its draft was discarded',
      ['after_stop'],
      [demo(), saved(1, [buy]), submit('c', 2), halt(3, { draftId: 'D' }), post(6, buy, '1')],
    ],
    [
      'a leg after its draft was discarded with its tool',
      ['after_stop'],
      [
        demo(),
        saved(1, [buy]),
        submit('c', 2),
        call('d', 3, 'discard_draft', { draftId: 'D' }, { state: 'discarded' }),
        post(6, buy, '1'),
      ],
    ],
    [
      'a second leg after its draft was discarded',
      ['after_stop'],
      [
        demo(),
        saved(1, [buy, second]),
        submit('c', 2),
        halt(3, { draftId: 'D' }),
        post(3.5, buy, '1'),
        post(4, second, '2'),
      ],
    ],
    [
      'a version that was changed before it left',
      ['other_version'],
      [
        demo(),
        saved(1, [buy, second]),
        submit('c', 2),
        saved(3, [second], 2, { draftId: 'D', version: 1 }),
        post(9, buy, '1'),
      ],
    ],
    [
      'an approved version that a person changed since',
      ['other_version'],
      [
        live(),
        approved('a', 1, [buy], draft),
        [{ kind: 'version', at: 3_000, draftId: 'D', version: 2, orders: [second] }],
        post(4, buy, '1'),
      ],
    ],
    [
      'a leg of another version',
      ['differs'],
      [
        demo(),
        saved(1, [buy]),
        saved(2, [{ ...buy, quantity: '2' }], 2, { draftId: 'D', version: 1 }),
        submit('c', 3, 2),
        post(4, buy, '1'),
      ],
    ],
  ])('%s', (_, rules, lines) => {
    expect(rulesOf(lines)).toEqual(rules);
  });
});

describe('legs out of turn are reported:', () => {
  test.each<[string, Entry[][]]>([
    ['a buy before a sell', [demo(), saved(1, [buy, sell]), submit('c', 2), post(3, buy, '1'), post(4, sell, '2')]],
    [
      'the second buy before the first',
      [demo(), saved(1, [buy, second]), submit('c', 2), post(3, second, '1'), post(4, buy, '2')],
    ],
    [
      'a leg after one that was not accepted',
      [demo(), saved(1, [buy, second]), submit('c', 2), post(3, buy), post(4, second, '2')],
    ],
    [
      'a leg after one that was rejected, with an approval',
      [live(), approved('a', 1, [buy, second], draft), post(3, buy, undefined, { status: 400 }), post(4, second, '2')],
    ],
  ])('%s', (_, lines) => {
    expect(rulesOf(lines)).toEqual(['out_of_turn']);
  });
});

describe('an answer that contradicts the log is reported:', () => {
  const [asked, left] = [place('c', 1, buy), post(2, buy, '1')];
  const legsSaid = (outcome: string, ...said: readonly (readonly [string, string?])[]) => [
    demo(),
    saved(1, legs),
    submit('c', 2),
    sent,
    answer('c', 6, report(outcome, ...said)),
  ];

  test.each<[string, string[], Entry[][]]>([
    [
      'said not sent, and booked',
      ['denied'],
      [demo(), asked, left, answer('c', 3, { outcome: 'not_sent', intentId: 'i' })],
    ],
    [
      'said not sent, and lost',
      ['denied'],
      [
        demo(),
        asked,
        post(2, buy, undefined, { status: null }),
        answer('c', 3, { outcome: 'not_sent', intentId: 'i' }),
      ],
    ],
    [
      'said rejected, and booked behind a 503',
      ['denied'],
      [demo(), asked, post(2, buy, '1', { status: 503 }), answer('c', 3, { outcome: 'rejected', intentId: 'i' })],
    ],
    [
      'said expired, and booked',
      ['denied'],
      [live(), show('a', 1, [buy]), asked, decide('a', 1), left, answer('c', 3, { outcome: 'expired', intentId: 'i' })],
    ],
    [
      'said so later, of an order whose first call had no answer',
      ['denied'],
      [
        demo(),
        asked,
        left,
        place('d', 3, buy, { outcome: 'unknown', intentId: 'i' }),
        call('g', 4, 'get_order', { intentId: 'i' }, { outcome: 'not_sent', intentId: 'i' }),
      ].map((lines, at) => (at === 1 ? [...lines, ...answer('c', 1, { outcome: 'unknown', intentId: 'i' })] : lines)),
    ],
    ['an error, and booked', ['denied'], [demo(), asked, left, answer('c', 3, { code: 'unreachable' })]],
    [
      'said placed, and not booked',
      ['invented'],
      [demo(), asked, post(2, buy), answer('c', 3, { outcome: 'placed', orderId: '1', intentId: 'i' })],
    ],
    [
      'said placed, and nothing left',
      ['invented'],
      [demo(), asked, answer('c', 3, { outcome: 'placed', orderId: '1', intentId: 'i' })],
    ],
    [
      'said placed, under the id of another order',
      ['invented'],
      [
        demo(),
        asked,
        left,
        place('d', 3, sell),
        post(4, sell, '2'),
        answer('c', 5, { outcome: 'placed', orderId: '2', intentId: 'i' }),
      ],
    ],
    [
      'a booked leg is said to be not sent',
      ['denied'],
      legsSaid('stopped', ['placed', '2'], ['placed', '1'], ['not_sent']),
    ],
    [
      'a booked leg is said to be waiting at the end',
      ['denied'],
      legsSaid('stopped', ['placed', '2'], ['placed', '1'], ['waiting']),
    ],
    [
      'two legs are said to be each other',
      ['invented', 'invented'],
      legsSaid('done', ['placed', '1'], ['placed', '2'], ['placed', '3']),
    ],
    ['done without every leg', ['invented'], legsSaid('done', ['placed', '2'], ['placed', '1'], ['unknown'])],
  ])('%s', (_, rules, lines) => {
    expect(rulesOf(lines)).toEqual(rules);
  });
});

test('what was broken outside on purpose excuses the rules that it names, from its line on', () => {
  const outside: Entry[] = [{ kind: 'outside', at: 1, what: 'a forged row', excuses: ['not_approved'] }];
  expect(rulesOf([live(), outside, post(2, buy, '1')])).toEqual([]);
  expect(rulesOf([live(), outside, approved('a', 2), post(4, buy, '1'), post(5, buy, '2')])).toEqual(['twice']);
  expect(rulesOf([live(), post(2, buy, '1'), outside])).toEqual(['not_approved']);
});

test('a violation names the line and the order', () => {
  expect(judgeRun([...live(), ...post(2, buy, '1')])).toEqual([
    {
      rule: 'not_approved',
      line: 1,
      text: 'BUY 3 AAA STOP_LIMIT 10.5 11 DAY left although it was neither approved nor asked for.',
    },
  ]);
});
