import { expect, test } from 'vitest';
import type { DraftTicket } from '../../../../src/core/orders/intent/draft-approval.ts';
import { draftTicketText } from '../../../../src/features/drafts/terminal/render-draft-ticket.ts';
import { buyLeg, sellLeg, twoLegs } from '../page/draft-ticket-support.ts';

const lines = (ticket: DraftTicket) =>
  draftTicketText({ ticket, digest: 'd', secondsLeft: 118, wrongPassphrases: undefined }, String).split('\n');

test('the end of a draft of 30 legs shows all of them, a line each, and the totals', () => {
  const legs = Array.from({ length: 30 }, (_, at) => ({ ...(at < 10 ? sellLeg : buyLeg), number: at + 1 }));
  const end = lines({ ...twoLegs, legs }).slice(-39);
  expect(end).toEqual([
    '--- All orders, sent in this sequence',
    ...Array.from(
      { length: 10 },
      (_, at) => `  ${String(at + 1).padStart(2)}. SELL 3 × AAPL_US_EQ · MARKET · 512.4 GBP · 2.4 %`,
    ),
    ...Array.from(
      { length: 20 },
      (_, at) =>
        `  ${at + 11}. BUY 1250 × QBRAMl_EQ · LIMIT 71.25 · 890.63 GBP · 4.2 % · price assumed · after the sells · 1 warning`,
    ),
    '--- Together',
    '  Buys         890.63 GBP, at worst 908.44 GBP',
    '  Sells        512.40 GBP',
    '  Charges      4.45 GBP, estimated',
    '  Largest      4.2 % of the account in one order',
    '  By ticker    4.3 % of the account in QBRAMl_EQ',
    '  Time left    118 s; after the approval the orders are sent within 15 minutes',
    `  Draft        ${'d'.repeat(16)}, version 3`,
  ]);
});

test('a total that leaves orders out is a lower bound, and unknown figures are unknown', () => {
  const { totals } = twoLegs;
  const partial = { ...totals, unknownValues: 1, charges: undefined, largestShare: undefined };
  expect(lines({ ...twoLegs, totals: partial }).slice(-8, -2)).toEqual([
    '  Buys         at least 890.63 GBP, at worst 908.44 GBP',
    '  Sells        at least 512.40 GBP',
    '  Charges      unknown',
    '  Largest      at least 4.2 % of the account in one order',
    '  By ticker    unknown',
    '  VALUE UNKNOWN for 1 order',
  ]);
});

test('the share of a ticker is a lower bound where an order has no value', () => {
  const { totals } = twoLegs;
  const shares = lines({ ...twoLegs, totals: { ...totals, unknownValues: 1 } }).filter((line) =>
    / {2}By ticker/.test(line),
  );
  expect(shares).toEqual(['  By ticker    at least 4.3 % of the account in QBRAMl_EQ']);
});

test('pending orders that are not listed are counted', () => {
  const pending = [{ side: 'BUY', type: 'LIMIT', quantity: '5', limitPrice: '70', stopPrice: undefined }];
  const ticket = { ...sellLeg.ticket, pendingOnTicker: pending, morePending: 21 };
  const shown = lines({ ...twoLegs, legs: [{ ...sellLeg, ticket }] }).filter((line) => line.startsWith('  Pending'));
  expect(shown).toEqual(['  Pending      BUY 5 LIMIT 70', '  Pending      and 21 more']);
});

test('invisible characters of a name or a ticker are removed', () => {
  const ticket = { ...sellLeg.ticket, order: { ...sellLeg.ticket.order, ticker: 'AAPL\u202e_US\u200b_EQ' } };
  const text = lines({ ...twoLegs, legs: [{ ...sellLeg, ticket }] }).join('\n');
  expect(text).not.toMatch(/[\u202e\u200b]/);
  expect(text).toContain('SELL 3 × AAPL_US_EQ');
});

test('each order of a draft has its place, its prices and its notes', () => {
  const text = lines(twoLegs);
  expect(text[0]).toBe('=== LIVE · 2 ORDERS ===');
  expect(text.filter((line) => /^---/.test(line))).toEqual([
    '--- 1 of 2',
    '--- 2 of 2',
    '--- All orders, sent in this sequence',
    '--- Together',
  ]);
  expect(text.filter((line) => /^ {2}(Price|Position|Note) /.test(line))).toEqual([
    '  Price        227.7 USD; when drafted 230 USD',
    '  Position     10.5 → 7.5',
    '  Price        unknown; when drafted 71.25 GBX',
    '  Position     400 → 1650',
    '  Note         The price that sized this order was assumed.',
    '  Note         It is sent after the sells are filled, which pay for it.',
    '  Note         Prices of this instrument are in pence (GBX).',
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
  expect(text.filter((line) => line.startsWith('  Note'))).toEqual([`  Note         ${note}`]);
  expect(text).toContain(`   1. SELL 3 × AAPL_US_EQ · MARKET · 512.4 GBP · 2.4 % · ${mark}`);
});

test('figures of an order that are unknown are called so, each alone', () => {
  const instrument = { ...sellLeg.ticket.instrument, currency: undefined };
  const priceless = { ...sellLeg, priceThen: undefined };
  expect(lines({ ...twoLegs, legs: [priceless] })).toContain('  Price        227.7 USD; when drafted unknown');
  const unit = { ...sellLeg, ticket: { ...sellLeg.ticket, instrument } };
  expect(lines({ ...twoLegs, legs: [unit] }).some((line) => /Price +227\.7 ; when drafted 230 ?$/.test(line))).toBe(
    true,
  );
  const estimate = { ...sellLeg.ticket.estimate, percentOfAccount: undefined };
  const shareless = { ...sellLeg, ticket: { ...sellLeg.ticket, estimate } };
  expect(lines({ ...twoLegs, legs: [shareless] })).toContain('   1. SELL 3 × AAPL_US_EQ · MARKET · 512.4 GBP');
  const valueless = {
    ...sellLeg,
    ticket: { ...sellLeg.ticket, estimate: { ...sellLeg.ticket.estimate, value: undefined } },
  };
  expect(lines({ ...twoLegs, legs: [valueless] })).toContain(
    '   1. SELL 3 × AAPL_US_EQ · MARKET · VALUE UNKNOWN · 2.4 %',
  );
  const totals = { ...twoLegs.totals, largestPercent: undefined };
  expect(lines({ ...twoLegs, totals })).toContain('  Largest      unknown');
});

test('a second identical order says so above its facts and in its line, and no other does', () => {
  const again = { ...buyLeg, ticket: { ...buyLeg.ticket, isRepetition: true } };
  const text = lines({ ...twoLegs, legs: [sellLeg, again] });
  expect(text.filter((line) => line.includes('SECOND IDENTICAL ORDER'))).toEqual([
    '--- 2 of 2 · SECOND IDENTICAL ORDER',
    '   2. BUY 1250 × QBRAMl_EQ · LIMIT 71.25 · 890.63 GBP · 4.2 % · SECOND IDENTICAL ORDER · price assumed · after the sells · 1 warning',
  ]);
});

test('a value and totals without a currency are bare figures', () => {
  const estimate = { ...sellLeg.ticket.estimate, currency: undefined };
  const leg = { ...sellLeg, ticket: { ...sellLeg.ticket, estimate } };
  const text = lines({ ...twoLegs, legs: [leg], totals: { ...twoLegs.totals, currency: undefined } });
  expect(text).toContain('   1. SELL 3 × AAPL_US_EQ · MARKET · 512.4 · 2.4 %');
  expect(text.find((line) => line.startsWith('  Sells'))?.trim()).toBe('Sells        512.40');
});

test('wrong passphrases are told of under the banner, and without any there is no alarm', () => {
  const wrongPassphrases = { count: 2, lastAt: 99, isPageLocked: false };
  const view = { ticket: twoLegs, digest: 'd', secondsLeft: 118, wrongPassphrases };
  const text = draftTicketText(view, String).split('\n');
  expect(text.slice(1, 3)).toEqual([
    'ATTENTION: 2 wrong passphrases were typed since you last approved, the last 99. If that was not you, find out who has access.',
    '--- 1 of 2',
  ]);
  expect(lines(twoLegs)[1]).toBe('--- 1 of 2');
});
