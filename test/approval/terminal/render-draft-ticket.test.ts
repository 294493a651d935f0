import { expect, test } from 'vitest';
import { draftTicketText } from '../../../src/approval/terminal/render-draft-ticket.ts';
import type { DraftTicket } from '../../../src/orders/intent/draft-approval.ts';
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
