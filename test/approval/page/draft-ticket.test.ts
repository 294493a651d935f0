import { expect, test } from 'vitest';
import { ticketLegs, ticketList, ticketTotals } from '../../../src/approval/page/draft-ticket.ts';
import { html } from '../../../src/html-template.ts';
import type { LegTicket } from '../../../src/orders/intent/draft-approval.ts';
import { buyLeg, sellLeg, twoLegs } from './draft-ticket-support.ts';

/** The text that a person reads, one line for each fact. */
const textOf = ({ markup }: { markup: string }) =>
  markup
    .replace(/<\/(?:dt|h2|th)>/g, ': ')
    .replace(/<\/(?:div|li|tr|p|section|caption)>|<(?:ul|dl|table|tbody)>/g, '\n')
    .replace(/<[^>]*>/g, '')
    .split('\n')
    .map((line) => line.replace(/\s+/g, ' ').trim())
    .filter(Boolean);

test('each order has the facts of a ticket, its notes first, and the price then beside the price now', () => {
  const [sell, buy] = ticketLegs(twoLegs).markup.split('<section').slice(1);
  expect(textOf({ markup: `<section${buy}` })).toEqual(
    expect.arrayContaining([
      'BUY 1 250 × QBRAMl_EQ 2 of 2:',
      'The price that sized this order was assumed.',
      'It is sent after the sells are filled, which pay for it.',
      'Prices of this instrument are in pence (GBX).',
      'Limit price: 71.25 GBX (pence)',
      'Estimated cost: 890.63 GBP',
      'Of the account: 4.2 %'.replace(' %', '&nbsp;%'),
      'When drafted: 71.25 GBX (pence) assumed',
      'Known now: price unknown',
      'Position: 400 → 1 650',
      'Name: “Brambleford Group plc”',
    ]),
  );
  // 227.7 / 230 = 0.99
  expect(textOf({ markup: `<section${sell}` })).toContain('Known now: 227.70 USD, −1.00 %');
});

test('what became of an order stands beside it, by the number of its leg and not by its place', () => {
  const results = new Map([
    [1, html`Rejected`],
    [2, html`Placed`],
  ]);
  expect(textOf(ticketList(twoLegs, results)).slice(-2)).toEqual([
    expect.stringMatching(/^1 SELL .*: Placed/),
    expect.stringMatching(/^2 BUY .*: Rejected/),
  ]);
});

test('the list at the end has one line for each order, in the sequence in which they are sent', () => {
  expect(textOf(ticketList(twoLegs)).slice(-2)).toEqual([
    '1 SELL 3 × AAPL_US_EQ Market: 512.4 2.4 %',
    '2 BUY 1 250 × QBRAMl_EQ limit 71.25 price assumed after the sells 1 warning: 890.63 4.2 %',
  ]);
});

test('a sum that leaves orders out says so, and unknown charges are unknown', () => {
  const { totals } = twoLegs;
  expect(textOf(ticketTotals(twoLegs))).toEqual([
    'Buys: 890.63 GBP',
    'Buys, worst case: 908.44 GBP',
    'Sells: 512.40 GBP',
    'Charges: 4.45 GBP, estimated',
    'Largest order: 4.2&nbsp;% of the account',
    'Largest ticker: 4.3&nbsp;% of the account, QBRAMl_EQ',
  ]);
  const partial = textOf(ticketTotals({ totals: { ...totals, unknownValues: 2, charges: undefined } }));
  expect(partial.filter((line) => /: at least /.test(line))).toHaveLength(5);
  expect(partial).toContain('Charges: unknown');
  expect(partial).toContain('Value unknown: 2 orders');
});

test('names and tickers of the service cannot break out of a leg or of the list', () => {
  const evil = '"><script>alert(1)</script><b id="passphrase">';
  const ticket: LegTicket = {
    ...buyLeg.ticket,
    order: { ...buyLeg.ticket.order, ticket: undefined, ticker: evil } as LegTicket['order'],
    instrument: { ...buyLeg.ticket.instrument, name: `${evil}‮APPROVED` },
    warnings: [evil],
  };
  const draft = { ...twoLegs, legs: [{ ...buyLeg, ticket }, sellLeg], totals: { ...twoLegs.totals, currency: evil } };
  for (const { markup } of [ticketLegs(draft), ticketList(draft), ticketTotals(draft)]) {
    expect(markup).not.toContain('<script');
    expect(markup).not.toContain('<b id');
    expect(markup).not.toContain('‮');
  }
});

test('a warning that several orders have is above them, once', () => {
  const warned = (leg: typeof sellLeg, ...own: string[]) => ({
    ...leg,
    ticket: { ...leg.ticket, warnings: ['The market is closed.', ...own] },
  });
  const lines = textOf(ticketLegs({ legs: [warned(sellLeg), warned(buyLeg, 'In pence.')] }));
  expect(lines.filter((line) => line.includes('closed'))).toEqual(['All orders: The market is closed.']);
  expect(lines).toContain('In pence.');
});

test('a warning that some orders have is above them with their places', () => {
  const warned = { ...sellLeg, ticket: { ...sellLeg.ticket, warnings: ['The market is closed.'] } };
  const lines = textOf(ticketLegs({ legs: [buyLeg, warned, { ...warned, number: 3 }] }));
  expect(lines[0]).toBe('Orders 2 and 3: The market is closed.');
});
