import { expect, test } from 'vitest';
import type { DraftTicket } from '../../../../src/core/orders/intent/draft-approval.ts';
import { draftTicketText } from '../../../../src/features/drafts/terminal/render-draft.ts';
import { buyLeg, sellLeg, twoLegs } from '../page/draft-ticket-support.ts';

const lines = (ticket: DraftTicket) =>
  draftTicketText({ ticket, digest: 'd', secondsLeft: 118, wrongPassphrases: undefined }, String).split('\n');

/** A line of a terminal: the label, and the value in a column of its own. */
const row = (label: string, value: string) => `  ${label.padEnd(22)} ${value}`;

test('the end of a draft of 30 legs shows all of them, a line each, and the totals', () => {
  const legs = Array.from({ length: 30 }, (_, at) => ({ ...(at < 10 ? sellLeg : buyLeg), number: at + 1 }));
  const end = lines({ ...twoLegs, legs }).slice(-40);
  expect(end).toEqual([
    '--- All orders, sent in this sequence',
    ...Array.from(
      { length: 10 },
      (_, at) => `  ${String(at + 1).padStart(2)}. SELL 3 × Apple Inc., AAPL_US_EQ · Market · 512.40 GBP · 2.4%`,
    ),
    ...Array.from(
      { length: 20 },
      (_, at) =>
        `  ${at + 11}. BUY 1250 × Brambleford Group plc, QBRAMl_EQ · Limit 71.25 GBX (pence) · 890.63 GBP · 4.2% · price assumed · after the sells`,
    ),
    '--- Together',
    row('Buys', '890.63 GBP, at worst 908.44 GBP'),
    row('Sells', '512.40 GBP'),
    row('Cash if all are filled', '23819.67 GBP, now 24202.35 GBP'),
    row('Charges', '4.45 GBP, estimated'),
    row('Largest order', '4.2% of the account'),
    row('Largest instrument', '4.3% of the account, QBRAMl_EQ'),
    row('Time left', '118 s; after the approval the orders are sent within 15 minutes'),
    row('Draft', `${'d'.repeat(16)}, version 3`),
  ]);
});

test('a total that leaves orders out is a lower bound, and unknown figures are unknown', () => {
  const { totals } = twoLegs;
  const partial = { ...totals, unknownValues: 1, charges: undefined, largestShare: undefined };
  expect(lines({ ...twoLegs, totals: partial }).slice(-9, -2)).toEqual([
    row('Buys', 'at least 890.63 GBP, at worst 908.44 GBP'),
    row('Sells', 'at least 512.40 GBP'),
    row('Cash if all are filled', '23819.67 GBP, now 24202.35 GBP, after the charges that are known'),
    // 24,202.35 and 512.40, less 890.63, would leave 23,824.12.
    row('Charges', 'at least 4.45 GBP, unknown for some orders'),
    row('Largest order', 'at least 4.2% of the account'),
    row('Largest instrument', 'unknown'),
    row('Value unknown', '1 order'),
  ]);
});

test('the share of a ticker is a lower bound where an order has no value', () => {
  const { totals } = twoLegs;
  const shares = lines({ ...twoLegs, totals: { ...totals, unknownValues: 1 } }).filter((line) =>
    / {2}Largest instrument/.test(line),
  );
  expect(shares).toEqual([row('Largest instrument', 'at least 4.3% of the account, QBRAMl_EQ')]);
});

test('pending orders that are not listed are counted', () => {
  const pending = [{ side: 'BUY', type: 'LIMIT', quantity: '5', limitPrice: '70', stopPrice: undefined }];
  const ticket = { ...sellLeg.ticket, pendingOnTicker: pending, morePending: 21 };
  const shown = lines({ ...twoLegs, legs: [{ ...sellLeg, ticket }] }).filter((line) => line.startsWith('  Pending'));
  expect(shown).toEqual([row('Pending', 'BUY 5 LIMIT 70'), row('Pending', 'and 21 more')]);
});

test('invisible characters of a name or a ticker are removed', () => {
  const ticket = { ...sellLeg.ticket, order: { ...sellLeg.ticket.order, ticker: 'AAPL\u202e_US\u200b_EQ' } };
  const text = lines({ ...twoLegs, legs: [{ ...sellLeg, ticket }] }).join('\n');
  expect(text).not.toMatch(/[\u202e\u200b]/);
  expect(text).toContain('SELL 3 × Apple Inc., AAPL_US_EQ');
});

test('each order of a draft has its number in the draft, its prices and its notes', () => {
  const text = lines(twoLegs);
  expect(text[0]).toBe('=== LIVE · 2 ORDERS ===');
  expect(text.filter((line) => /^---/.test(line))).toEqual([
    '--- Order 2',
    '--- Order 1',
    '--- All orders, sent in this sequence',
    '--- Together',
  ]);
  expect(text.filter((line) => /^ {2}(Last price|When drafted|Position|Note) /.test(line))).toEqual([
    row('Last price', '227.50 USD'),
    row('When drafted', '230.00 USD, down 1.0% since'),
    row('Position', '10.5 → 7.5'),
    row('Last price', '75.00 GBX (pence), the limit is 5.0% below it'),
    row('When drafted', '71.25 GBX (pence) assumed'),
    row('Position', '400 → 1650'),
    row('Note', 'The price that sized this order was assumed.'),
    row('Note', 'It is sent after the sells are filled, which pay for it.'),
  ]);
});

test.each([
  [{ isPriceAssumed: true, isDependent: false }, 'price assumed', 'The price that sized this order was assumed.'],
  [
    { isPriceAssumed: false, isDependent: true },
    'after the sells',
    'It is sent after the sells are filled, which pay for it.',
  ],
])('an order with %j has that note alone', (change, mark, note) => {
  const text = lines({ ...twoLegs, legs: [{ ...sellLeg, ...change }] });
  expect(text.filter((line) => line.startsWith('  Note'))).toEqual([row('Note', note)]);
  expect(text).toContain(`   2. SELL 3 × Apple Inc., AAPL_US_EQ · Market · 512.40 GBP · 2.4% · ${mark}`);
});

test('figures of an order that are unknown are called so, each alone', () => {
  const instrument = { ...sellLeg.ticket.instrument, currency: undefined };
  const priceless = { ...sellLeg, priceThen: undefined };
  expect(lines({ ...twoLegs, legs: [priceless] })).toContain(row('When drafted', 'price unknown'));
  const unit = { ...sellLeg, ticket: { ...sellLeg.ticket, instrument } };
  expect(lines({ ...twoLegs, legs: [unit] })).toContain(
    row('When drafted', '230.00 in an unknown currency, down 1.0% since'),
  );
  const estimate = { ...sellLeg.ticket.estimate, percentOfAccount: undefined };
  const shareless = { ...sellLeg, ticket: { ...sellLeg.ticket, estimate } };
  expect(lines({ ...twoLegs, legs: [shareless] })).toContain(
    '   2. SELL 3 × Apple Inc., AAPL_US_EQ · Market · 512.40 GBP · part unknown',
  );
  const valueless = {
    ...sellLeg,
    ticket: { ...sellLeg.ticket, estimate: { ...sellLeg.ticket.estimate, value: undefined } },
  };
  expect(lines({ ...twoLegs, legs: [valueless] })).toContain(
    '   2. SELL 3 × Apple Inc., AAPL_US_EQ · Market · VALUE UNKNOWN · 2.4%',
  );
  const totals = { ...twoLegs.totals, largestPercent: undefined };
  expect(lines({ ...twoLegs, totals })).toContain(row('Largest order', 'unknown'));
});

test('a second identical order says so above its facts and in its line, and no other does', () => {
  const again = { ...buyLeg, ticket: { ...buyLeg.ticket, isRepetition: true } };
  const text = lines({ ...twoLegs, legs: [sellLeg, again] });
  expect(text.filter((line) => /second identical order/i.test(line))).toEqual([
    '--- Order 1 · SECOND IDENTICAL ORDER',
    '   1. BUY 1250 × Brambleford Group plc, QBRAMl_EQ · Limit 71.25 GBX (pence) · 890.63 GBP · 4.2% · second identical order · price assumed · after the sells',
  ]);
});

test('a value and totals without a currency are in that of the account', () => {
  const estimate = { ...sellLeg.ticket.estimate, currency: undefined };
  const leg = { ...sellLeg, ticket: { ...sellLeg.ticket, estimate } };
  const text = lines({ ...twoLegs, legs: [leg], totals: { ...twoLegs.totals, currency: undefined } });
  expect(text).toContain('   2. SELL 3 × Apple Inc., AAPL_US_EQ · Market · 512.40 in the account’s currency · 2.4%');
  expect(text).toContain(row('Sells', '512.40 in the account’s currency'));
});

test('wrong passphrases are told of under the banner, and without any there is no alarm', () => {
  const wrongPassphrases = { count: 2, lastAt: 99, locked: [] };
  const view = { ticket: twoLegs, digest: 'd', secondsLeft: 118, wrongPassphrases };
  const text = draftTicketText(view, String).split('\n');
  expect(text.slice(1, 3)).toEqual([
    'ATTENTION: 2 wrong passphrases were typed since you last approved, the last 99. If that was not you, find out who has access.',
    '--- Order 2',
  ]);
  expect(lines(twoLegs)[1]).toBe('--- Order 2');
});
