/** A draft in a terminal: the money before and after it. */
import { expect, test } from 'vitest';
import type { Estimate } from '../../../../src/core/orders/account/estimate.ts';
import { sumSheet } from '../../../../src/features/drafts/assess-draft.ts';
import type { Draft, DraftLeg } from '../../../../src/features/drafts/book/draft.ts';
import type { SubmissionReport } from '../../../../src/features/drafts/submission/describe-submission.ts';
import { draftText } from '../../../../src/features/drafts/terminal/render-draft.ts';

const draft: Draft = {
  id: '0123456789abcdef',
  accountKey: 'account',
  environment: 'demo',
  name: undefined,
  version: 1,
  state: 'open',
  source: 'save_draft',
  createdAt: 0,
  expiresAt: 1,
};
const sums = { currency: 'GBP', bought: '100.00', sold: '40.00', unknownValues: 0, cash: '500', isFunded: true };

/** A line of a terminal: the label, and the value in a column of its own. */
const row = (label: string, value: string) => `  ${label.padEnd(22)} ${value}`;

const show = (charges: readonly (string | undefined)[], unknownValues = 0) =>
  draftText({
    draft,
    legs: [],
    state: 'open',
    review: {
      legs: [],
      complete: true,
      asOf: 0,
      totals: sumSheet({ ...sums, unknownValues }, charges),
      refused: undefined,
    },
    sent: undefined,
    sayMoment: String,
  });

test('a draft shows its charges and the cash after them', () => {
  // 500 + 40 − 100 − 1.50 − 0.50
  const text = show(['1.50', '0.50']);
  expect(text).toMatch(/Charges +2\.00 GBP/);
  expect(text).toMatch(/Cash if all are filled +438\.00 GBP, now 500\.00 GBP\n/);
});

test('with a charge that is unknown, the cash after is marked as after the known ones', () => {
  const text = show(['1.50', undefined]);
  expect(text).toMatch(/Charges +at least 1\.50 GBP, unknown for some orders/);
  // 500 + 40 − 100 − 1.50
  expect(text).toMatch(/Cash if all are filled +438\.50 GBP, now 500\.00 GBP, after the charges that are known/);
});

test.each([
  [0, /Buys +100\.00 GBP/, /Sells +40\.00 GBP/],
  [1, /Buys +at least 100\.00 GBP/, /Sells +at least 40\.00 GBP/],
])('with %i legs of unknown value, the sums are lower bounds or not', (unknownValues, buys, sells) => {
  const text = show([], unknownValues);
  expect(text).toMatch(buys);
  expect(text).toMatch(sells);
});

test.each([
  [undefined, 'VALUE UNKNOWN'],
  [{ price: '2.5', value: '10.00' }, '10.00 GBP at an assumed price of 2.5'],
])('a leg without a known price shows what its caller assumed: %o', (assumed, value) => {
  const leg: DraftLeg = { type: 'MARKET', ticker: 'A', side: 'BUY', quantity: '4' };
  const estimate = { ...unknownEstimate, currency: 'GBP', assumed };
  const legs = [{ leg, estimate, warnings: [], dependsOnSells: false }];
  const review = { legs, complete: true, asOf: 0, totals: sumSheet({ ...sums, unknownValues: 1 }, []) };
  const text = draftText({ draft, legs: [leg], state: 'open', review, sent: undefined, sayMoment: String });
  expect(text).toContain(`Market · ${value}\n`);
});

const repeated = { rule: 'repeated_submission', reason: 'SENT A', leg: 1, next: 'WAIT' } as const;
const ownReason = { rule: 'market_closed', reason: 'CLOSED' } as const;

test.each([
  [
    'the refusal of the draft',
    repeated,
    repeated,
    { 'SENT A': 1, 'SENT B': 0, 'submission 0a0a': 1, 'submission 0b0b': 1 },
  ],
  ['no refusal', undefined, undefined, { 'SENT A': 1, 'SENT B': 1, 'submission 0a0a': 0 }],
  [
    'a refusal by another rule',
    ownReason,
    { ...repeated, rule: 'cash', reason: 'NO CASH' } as const,
    { 'NO CASH': 1, CLOSED: 1, 'SENT A': 1, 'SENT B': 1 },
  ],
])('legs that repeat trades, with %s: each reason is there once', (_title, refusal, refused, counts) => {
  const leg = (ticker: string): DraftLeg => ({ type: 'MARKET', ticker, side: 'BUY', quantity: '4' });
  const repeats = (submissionId: string, text: string) => ({ submissionId, until: 1, text });
  const legs = [
    { leg: leg('A'), warnings: [], dependsOnSells: false, refusal, repeats: repeats('0a0a', 'SENT A') },
    { leg: leg('B'), warnings: [], dependsOnSells: false, repeats: repeats('0b0b', 'SENT B') },
  ];
  const review = { legs, complete: true, asOf: 0, totals: sumSheet(sums, []), refused };
  const text = draftText({ draft, legs: [], state: 'open', review, sent: undefined, sayMoment: String });
  for (const [fact, count] of Object.entries(counts))
    expect([fact, text.split(fact).length - 1]).toEqual([fact, count]);
});

const unknownEstimate: Estimate = {
  value: undefined,
  currency: undefined,
  price: undefined,
  priceFrom: undefined,
  lastKnownPrice: undefined,
  rate: undefined,
  rateFrom: undefined,
};

test('a draft that was not compared with the account shows its legs, without values and notes', () => {
  const leg: DraftLeg = {
    type: 'LIMIT',
    ticker: 'A',
    side: 'BUY',
    quantity: '4',
    limitPrice: '9.5',
    timeValidity: 'DAY',
  };
  const text = draftText({ draft, legs: [leg], state: 'sent', review: undefined, sent: undefined, sayMoment: String });
  expect(text.split('\n').slice(0, 4)).toEqual([
    '=== DEMO · DRAFT 0123456789abcdef · version 1 · sent ===',
    '   1. BUY 4 × A',
    '      Limit · limit 9.5 · Today only',
    row('Expires', '1'),
  ]);
});

test('a leg has its own warnings, and one of all legs is after them once', () => {
  const leg: DraftLeg = { type: 'MARKET', ticker: 'A', side: 'BUY', quantity: '4' };
  const legs = [
    { leg, warnings: ['CLOSED', 'IN PENCE'], dependsOnSells: false },
    { leg, warnings: ['CLOSED'], dependsOnSells: true },
  ];
  const review = { legs, complete: true, asOf: 0, totals: sumSheet(sums, []) };
  const text = draftText({ draft, legs: [], state: 'open', review, sent: undefined, sayMoment: String });
  expect(text.split('\n').slice(1, 8)).toEqual([
    '   1. BUY 4 × A',
    '      Market · VALUE UNKNOWN',
    '      IN PENCE',
    '   2. BUY 4 × A',
    '      Market · VALUE UNKNOWN',
    '      It is sent after the sells are filled, which pay for it.',
    row('Note', 'All orders: CLOSED'),
  ]);
});

test.each([
  [true, 'Yes, with a 2.0% margin'],
  [false, 'No: the buys cost more than the cash and the sells'],
  [undefined, 'Unknown'],
])('cash that pays for the buys: %s', (isFunded, words) => {
  const review = { legs: [], complete: true, asOf: 0, totals: sumSheet({ ...sums, isFunded }, []) };
  const text = draftText({ draft, legs: [], state: 'open', review, sent: undefined, sayMoment: String });
  expect(text).toContain(`${row('Enough cash', words)}\n`);
});

test.each([
  [0, { cash: undefined }, 'UNKNOWN'],
  [1, {}, 'UNKNOWN, now 500.00 GBP'],
  [0, {}, '440.00 GBP, now 500.00 GBP'],
])('the cash before and after, with %i legs of unknown value and %j', (unknownValues, change, expected) => {
  const totals = sumSheet({ ...sums, unknownValues, ...change }, []);
  const review = { legs: [], complete: true, asOf: 0, totals };
  const text = draftText({ draft, legs: [], state: 'open', review, sent: undefined, sayMoment: String });
  expect(text.split('\n').filter((line) => line.startsWith('  Cash'))).toEqual([
    row('Cash if all are filled', expected),
  ]);
});

test('what became of each leg has its number at the broker and its reason', () => {
  const sent: SubmissionReport = {
    ...{ submissionId: 's1', draftId: draft.id, version: 7, outcome: 'stopped', message: 'It stopped.', next: 'NEXT' },
    ...{ endsAt: '2026-11-20T15:15:00.000Z', warnings: [] },
    legs: [
      { leg: 1, order: 'BUY 1 A', outcome: 'placed', intentId: 'i1', orderId: '77' },
      { leg: 2, order: 'BUY 2 B', outcome: 'rejected', intentId: 'i2', orderId: '78', reason: 'TOO SMALL' },
      { leg: 3, order: 'BUY 3 C', outcome: 'not_sent' },
    ],
  };
  const text = draftText({ draft, legs: [], state: 'open', review: undefined, sent, sayMoment: String });
  expect(text.split('\n').slice(-5)).toEqual([
    'Version 7 was submitted. Stopped: It stopped.',
    'Submission s1',
    '   1. BUY 1 A: Placed, order 77',
    '   2. BUY 2 B: Rejected by the broker, order 78. TOO SMALL',
    '   3. BUY 3 C: Not sent',
  ]);
});

test('a leg has each of its terms, and the number under which it is edited', () => {
  const legs: DraftLeg[] = [
    {
      type: 'STOP_LIMIT',
      ticker: 'A',
      side: 'SELL',
      quantity: '4',
      stopPrice: '8',
      limitPrice: '7',
      timeValidity: 'DAY',
    },
    { type: 'MARKET', ticker: 'B', side: 'BUY', quantity: '1.5', extendedHours: true },
    { type: 'MARKET', ticker: 'C', side: 'BUY', quantity: '2', extendedHours: false },
  ];
  const reviewed = legs.map((leg, index) => ({
    leg,
    estimate: { ...unknownEstimate, value: `${index + 1}.50`, currency: 'GBP' },
    warnings: [],
    dependsOnSells: false,
  }));
  const review = { legs: reviewed, complete: true, asOf: 0, totals: sumSheet(sums, []) };
  const text = draftText({ draft, legs, state: 'open', review, sent: undefined, sayMoment: String });
  expect(text.split('\n').slice(1, 7)).toEqual([
    '   1. SELL 4 × A',
    '      Stop limit · limit 7 · stop 8 · 1.50 GBP · Today only',
    '   2. BUY 1.5 × B',
    '      Market · 2.50 GBP · extended hours',
    '   3. BUY 2 × C',
    '      Market · 3.50 GBP',
  ]);
});

test.each<[object, readonly string[]]>([
  [{}, []],
  [
    { refused: { rule: 'cash', reason: 'NO CASH.', leg: 2, next: 'WAIT' } },
    [row('REFUSED NOW', 'All of it (order 2), not enough cash: NO CASH.')],
  ],
  [
    { refused: { rule: 'orders_per_day', reason: 'TOO MANY.', next: 'WAIT' } },
    [row('REFUSED NOW', 'All of it, the orders per day: TOO MANY.')],
  ],
  [{ problem: 'THE LIMIT IS USED UP.' }, [row('Note', 'The orders could not all be checked: THE LIMIT IS USED UP.')]],
])('a draft with %j says why it would not be sent, and that nothing was', (found, expected) => {
  const review = { legs: [], complete: true, asOf: 0, totals: sumSheet(sums, []), ...found };
  const text = draftText({ draft, legs: [], state: 'open', review, sent: undefined, sayMoment: String });
  const lines = text.split('\n');
  const end = lines.slice(lines.indexOf(row('Expires', '1')) + 1);
  expect(end).toEqual([...expected, expect.stringMatching(/^ {2}Name /), 'Nothing of this draft has been sent.']);
});

test('the reason of a refused leg is on the leg, unless the line that refuses the draft has it', () => {
  const leg: DraftLeg = { type: 'MARKET', ticker: 'A', side: 'BUY', quantity: '4' };
  const refusal = { rule: 'cash', reason: 'NO CASH.' } as const;
  const legs = [
    { leg, warnings: [], dependsOnSells: false, refusal },
    { leg, warnings: [], dependsOnSells: false, refusal },
  ];
  const notesOf = (refused: { leg?: number; rule: 'cash' | 'shares' }) => {
    const review = {
      ...{ legs, complete: true, asOf: 0, totals: sumSheet(sums, []) },
      refused: { reason: 'NO CASH.', next: 'WAIT', ...refused },
    };
    const text = draftText({ draft, legs: [], state: 'open', review, sent: undefined, sayMoment: String });
    return text.split('\n').filter((line) => line.startsWith('      REFUSED'));
  };
  const [short, full] = ['      REFUSED NOW (cash)', '      REFUSED NOW (cash): NO CASH.'];
  expect(notesOf({ leg: 2, rule: 'cash' })).toEqual([full, short]);
  expect(notesOf({ leg: 1, rule: 'shares' })).toEqual([full, full]);
  expect(notesOf({ rule: 'cash' })).toEqual([full, full]);
});

test('legs that are in no sum are counted', () => {
  const lines = (unknownValues: number) => show([], unknownValues).split('\n');
  const line = row('Not in the sums', '2 orders of unknown or assumed value');
  expect(lines(2)).toContain(line);
  expect(lines(0).filter((one) => one.includes('Not in the sums'))).toEqual([]);
});

test('a leg whose price was assumed says so, and totals without a currency are in that of the account', () => {
  const leg: DraftLeg = { type: 'MARKET', ticker: 'A', side: 'BUY', quantity: '4', isPriceAssumed: true };
  const estimate = { ...unknownEstimate, value: '7.50' };
  const legs = [{ leg, estimate, warnings: [], dependsOnSells: false }];
  const review = { legs, complete: true, asOf: 0, totals: sumSheet({ ...sums, currency: undefined }, []) };
  const lines = draftText({ draft, legs: [leg], state: 'open', review, sent: undefined, sayMoment: String }).split(
    '\n',
  );
  expect(lines.slice(1, 4)).toEqual([
    '   1. BUY 4 × A',
    '      Market · 7.50',
    '      The price that sized this order was assumed.',
  ]);
  expect(lines).toContain(row('Buys', '100.00 in the account’s currency'));
});
