/** What a notification says: exact texts for each kind of event, and what never gets into one. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { EventKind, FactsByKind, WatchEvent } from '../../../src/features/watches/event.ts';
import { type Manner, sayDigest, sayEvent, sayEvents } from '../../../src/features/watches/say-event.ts';
import { runs } from '../../support/runs.ts';

/** Friday 27 November 2026, 12:00 in London. */
const now = Date.UTC(2026, 10, 27, 12);
const hour = 3_600_000;
const full: Manner = { detail: 'full', environment: 'live', zone: 'Europe/London', now };
const short: Manner = { ...full, detail: 'short' };

const eventOf = <Kind extends EventKind>(kind: Kind, facts: FactsByKind[Kind]) =>
  ({ key: 'k', kind, at: now, facts }) as unknown as WatchEvent;

const order: FactsByKind['order_filled'] = {
  ticker: 'AAPL_US_EQ',
  name: 'Apple',
  side: 'BUY',
  type: 'LIMIT',
  quantity: '10',
  filledQuantity: '2.50',
  price: { amount: '190.5', currency: 'USD' },
};

const cases: readonly [string, WatchEvent, string, string, string][] = [
  [
    'order filled',
    eventOf('order_filled', order),
    'Order filled',
    'Bought 2.5 shares of AAPL at US$190.50. The instrument is “Apple”.',
    'A buy order was filled.',
  ],
  [
    'order filled by value',
    eventOf('order_filled', { ticker: 'VUSA_EQ', side: 'SELL', value: { amount: '-100', currency: 'GBP' } }),
    'Order filled',
    'Sold VUSA for £100.00.',
    'A sell order was filled.',
  ],
  [
    'order rejected',
    eventOf('order_rejected', { ...order, filledQuantity: undefined, reason: 'insufficient-free-for-stocks-buy' }),
    'Order rejected',
    'The broker rejected an order to buy 10 shares of AAPL at US$190.50. Reason: insufficient free for stocks buy. The instrument is “Apple”.',
    'A buy order was rejected.',
  ],
  [
    'order ended',
    eventOf('order_ended', {
      ticker: 'AAPL_US_EQ',
      side: 'SELL',
      quantity: '3',
      filledQuantity: '1',
      reason: 'CANCELLED',
    }),
    'Order ended',
    'An order to sell 3 shares of AAPL ended. 1 share was filled. Reason: cancelled.',
    'A sell order ended before it was filled.',
  ],
  [
    'approval of an order',
    eventOf('approval_waits', { subject: 'order', ticker: 'AAPL_US_EQ', expiresAt: now + hour }),
    'Approval needed',
    'An order of AAPL waits for you until today 13:00.',
    'An order waits for you until today 13:00.',
  ],
  [
    'approval of a draft',
    eventOf('approval_waits', { subject: 'draft', legs: 3, expiresAt: now + 24 * hour }),
    'Approval needed',
    'A draft with 3 orders waits for you until tomorrow 12:00.',
    'A draft waits for you until tomorrow 12:00.',
  ],
  [
    'draft due',
    eventOf('draft_due', { plan: 'Monthly saving', legs: 1 }),
    'Draft due',
    'A recurring plan has a draft with 1 order that is due. Nothing is sent until you submit it. The plan is “Monthly saving”.',
    'A recurring plan has a draft that is due. Nothing is sent until you submit it.',
  ],
  [
    'draft stopped',
    eventOf('draft_stopped', { legs: 5, placed: 2, reason: 'market_closed' }),
    'Draft stopped',
    'A draft stopped after 2 of 5 orders. Reason: market closed.',
    'A draft stopped before all of its orders were placed.',
  ],
  [
    'dividend',
    eventOf('dividend_arrived', { ticker: 'AAPL_US_EQ', amount: { amount: '12.3', currency: 'GBP' } }),
    'Dividend received',
    'A dividend of £12.30 for AAPL arrived.',
    'A dividend arrived.',
  ],
  [
    'fee',
    eventOf('fee_arrived', { amount: { amount: '-0.15', currency: 'EUR' } }),
    'Fee charged',
    'A fee of €0.15 was charged.',
    'A fee was charged.',
  ],
  [
    'halt',
    eventOf('halt', { since: now - hour }),
    'Trading halted',
    'No order is sent since today 11:00. The command brokerage-mcp resume ends the halt.',
    'No order is sent since today 11:00. The command brokerage-mcp resume ends the halt.',
  ],
  [
    'price in pence',
    eventOf('price', { ticker: 'VODl_EQ', price: '70.5', currency: 'GBX', level: '72', direction: 'below' }),
    'Price reached',
    'VOD is at 70.50p, below 72.00p.',
    'A price that you watch crossed its level.',
  ],
  [
    'move of a position',
    eventOf('move', { ticker: 'AAPL_US_EQ', percent: '-5.25', since: '2026-11-26' }),
    'Value moved',
    'AAPL moved by −5.3% since 26 Nov 2026.',
    'A position moved more than you allow.',
  ],
  [
    'move of the portfolio',
    eventOf('move', { percent: '3', since: '2026-11-26' }),
    'Value moved',
    'Your portfolio moved by +3.0% since 26 Nov 2026.',
    'Your portfolio moved more than you allow.',
  ],
];

describe.each(cases)('%s', (_, event, title, fullText, shortText) => {
  test('says all with full detail, and no amount, ticker or name with short detail', () => {
    expect(sayEvent(event, full)).toMatchObject({ title, text: fullText });
    expect(sayEvent(event, short)).toMatchObject({ title, text: shortText });
  });
});

test('every kind has a case', () => {
  const kinds = new Set(cases.map(([, { kind }]) => kind));
  const all: Record<EventKind, true> = {
    order_filled: true,
    order_rejected: true,
    order_ended: true,
    approval_waits: true,
    draft_due: true,
    draft_stopped: true,
    dividend_arrived: true,
    fee_arrived: true,
    halt: true,
    price: true,
    move: true,
  };
  expect([...kinds].sort()).toEqual(Object.keys(all).sort());
});

test('a halt, a rejected order and a wait for a person are urgent; money that came or went is not', () => {
  const urgencyOf = (kind: EventKind) =>
    sayEvent(cases.find(([, event]) => event.kind === kind)?.[1] as WatchEvent, full).urgency;
  expect((['halt', 'order_rejected', 'approval_waits'] as const).map(urgencyOf)).toEqual(['high', 'high', 'high']);
  expect((['order_filled', 'price', 'move'] as const).map(urgencyOf)).toEqual(['normal', 'normal', 'normal']);
  expect((['dividend_arrived', 'fee_arrived'] as const).map(urgencyOf)).toEqual(['low', 'low']);
});

test('simulated money and paper money are named in the title', () => {
  const halt = eventOf('halt', { since: now });
  expect(sayEvent(halt, { ...full, environment: 'demo' }).title).toBe('Trading halted (demo)');
  expect(sayEvent(halt, { ...full, environment: 'sandbox' }).title).toBe('Trading halted (sandbox)');
  expect(sayEvent(halt, { ...full, account: 'isa' }).title).toBe('Trading halted (isa)');
  expect(sayEvent(halt, { ...full, environment: 'demo', account: 'isa' }).title).toBe('Trading halted (demo, isa)');
});

test('many events are one message with a count for each kind, as urgent as the most urgent', () => {
  const events = [
    eventOf('halt', { since: now }),
    ...Array.from({ length: 199 }, () => eventOf('order_filled', order)),
  ];
  expect(sayEvents(events, full)).toEqual({
    title: '200 events of your account',
    text: 'Order filled: 199\nTrading halted: 1\nAsk your assistant what changed.',
    urgency: 'high',
  });
  expect(sayEvents(events.slice(1), full).urgency).toBe('normal');
});

test('the short digest has a number alone', () => {
  const digest = { count: 2, text: 'AAPL: +£10.00' };
  expect(sayDigest(digest, short).text).toBe('2 changes in your account. Ask your assistant what changed.');
  expect(sayDigest(digest, full).text).toBe('AAPL: +£10.00');
});

describe('text of the service', () => {
  const fill = (changes: Partial<FactsByKind['order_filled']>) => eventOf('order_filled', { ...order, ...changes });

  test.each([
    [
      'a ticker that is a sentence',
      { ticker: 'AAPL. Approve at once' },
      'Bought 2.5 shares of an instrument at US$190.50.',
    ],
    ['a ticker that is an account number', { ticker: '12345678' }, 'Bought 2.5 shares of an instrument at US$190.50.'],
    ['an amount that is a text', { price: { amount: '1 (call 555)', currency: 'USD' } }, 'Bought 2.5 shares of AAPL.'],
    ['a quantity of a thousand digits', { filledQuantity: '9'.repeat(1_000) }, 'Bought AAPL at US$190.50.'],
    ['a currency that is markup', { price: { amount: '1', currency: '<b>' } }, 'Bought 2.5 shares of AAPL at 1.00.'],
  ])('%s is left out', (_, changes, text) => {
    expect(sayEvent(fill({ name: undefined, ...changes }), full).text).toBe(text);
  });

  const bought = 'Bought 2.5 shares of AAPL at US$190.50.';
  test.each([
    ['markup', '<script>alert(1)</script>', `${bought} The instrument is “script alert(1) /script”.`],
    ['a separator', 'Apple; sold 5', `${bought} The instrument is “Apple sold 5”.`],
    ['an account number', 'Apple 1234 5678', bought],
    ['a link', 'evil.example/approve', bought],
    ['the site of a company', 'Amazon.com', `${bought} The instrument is “Amazon.com”.`],
    ['marks from right to left', 'App\u202ele\u2066', `${bought} The instrument is “Apple”.`],
    ['nothing that can be seen', '\u200b\u2060', bought],
  ])('a name with %s', (_, name, text) => {
    expect(sayEvent(fill({ name }), full).text).toBe(text);
  });

  test('a name of a million letters is cut', () => {
    expect(sayEvent(fill({ name: 'A'.repeat(1_000_000) }), full).text).toHaveLength(bought.length + 139 + 3);
  });

  test.each(['Your account 12345678 is blocked', 'visit evil.example', 'a-1', 'x'.repeat(61)])(
    'the reason %s is no code, and is left out',
    (reason) => {
      const rejected = eventOf('order_rejected', { ticker: 'AAPL_US_EQ', side: 'BUY', reason });
      expect(sayEvent(rejected, full).text).toBe('The broker rejected an order to buy AAPL.');
    },
  );

  test('whatever the facts are, a short notification is the same', () => {
    const texts = fc.record({
      ticker: fc.string(),
      name: fc.string(),
      side: fc.constant('BUY' as const),
      quantity: fc.string(),
      reason: fc.string(),
      price: fc.record({ amount: fc.string(), currency: fc.string() }),
    });
    fc.assert(
      fc.property(texts, fc.constantFrom('order_filled', 'order_rejected', 'order_ended'), (facts, kind) => {
        const plain = eventOf(kind, { ticker: 'A', side: 'BUY' });
        expect(sayEvent(eventOf(kind, facts), short)).toEqual(sayEvent(plain, short));
      }),
      { numRuns: runs(200) },
    );
  });
});
