import { expect, test } from 'vitest';
import { factList } from '../../../../src/core/approval/page/draw-facts.ts';
import type { LegTicket } from '../../../../src/core/orders/intent/draft-approval.ts';
import { html } from '../../../../src/core/text/html-template.ts';
import { ticketTotals } from '../../../../src/features/drafts/draft-ticket-facts.ts';
import { ticketLegs, ticketList } from '../../../../src/features/drafts/page/draft-ticket.ts';
import { buyLeg, sellLeg, textOf, twoLegs } from './draft-ticket-support.ts';

const totalsOf = (draft: Parameters<typeof ticketTotals>[0]) => textOf(factList(ticketTotals(draft)));

test('each order has the facts of a ticket, its notes, and how the price moved since it was drafted', () => {
  const [sell, buy] = ticketLegs(twoLegs).markup.split('<section').slice(1);
  expect(textOf({ markup: `<section${buy}` })).toEqual(
    expect.arrayContaining([
      '1. BUY 1,250 × Brambleford Group plc QBRAM:',
      'The price that sized this order was assumed.',
      'It is sent after the sells are filled, which pay for it.',
      'Type: Limit: at the limit price or better',
      'Estimated cost: £890.63',
      'Limit price: 71.25p (£0.7125) | Last price 75.00p (£0.75), the limit is 5.0% below it',
      'Position: 400 → 1,650',
      'Of the account: 4.2%',
      'When drafted: 71.25p (£0.7125) assumed',
      'Ticker: QBRAMl_EQ',
    ]),
  );
  // 227.7 / 230 = 0.99
  expect(textOf({ markup: `<section${sell}` })).toContain('When drafted: US$230.00, down 1.0% since');
});

test('what became of an order stands beside it, by its number in the draft', () => {
  const results = new Map([
    [1, html`Rejected`],
    [2, html`Placed`],
  ]);
  expect(textOf(ticketList(twoLegs, results)).slice(-2)).toEqual([
    expect.stringMatching(/^2 SELL .*: Placed/),
    expect.stringMatching(/^1 BUY .*: Rejected/),
  ]);
});

test('the list has one line for each order with its number in the draft, in the sequence in which they are sent', () => {
  expect(textOf(ticketList(twoLegs)).slice(-2)).toEqual([
    '2 SELL 3 × Apple Inc. AAPL Market: £512.40 2.4%',
    '1 BUY 1,250 × Brambleford Group plc QBRAM limit 71.25p (£0.7125) price assumed after the sells: £890.63 4.2%',
  ]);
});

test('a sum that leaves orders out says so, and unknown charges are unknown', () => {
  const { totals } = twoLegs;
  expect(totalsOf(twoLegs)).toEqual([
    'Buys: £890.63, at worst £908.44',
    'Sells: £512.40',
    'Cash if all are filled: £23,819.67, now £24,202.35',
    'Charges: £4.45, estimated',
    'Largest order: 4.2% of the account',
    'Largest instrument: 4.3% of the account, Brambleford Group plc',
  ]);
  const partial = totalsOf({ ...twoLegs, totals: { ...totals, unknownValues: 2, charges: undefined } });
  expect(partial.filter((line) => /: at least /.test(line))).toHaveLength(5);
  // 24,202.35 and 512.40, less 890.63, would leave 23,824.12.
  expect(partial).toContain('Charges: at least £4.45, unknown for some orders');
  expect(partial).toContain('Cash if all are filled: £23,819.67, now £24,202.35, after the charges that are known');
  expect(partial).toContain('Value unknown: 2 orders');
});

test.each<[Partial<typeof twoLegs.totals>, readonly string[]]>([
  [{ sold: '0.00' }, ['Buys']],
  [{ bought: '0.00', worst: '0.00' }, ['Sells']],
  // An order of unknown value may be on either side.
  [{ sold: '0.00', unknownValues: 1 }, ['Buys', 'Sells']],
])('a side without orders has no sum: with %j', (change, labels) => {
  const lines = totalsOf({ ...twoLegs, totals: { ...twoLegs.totals, ...change } });
  expect(lines.slice(0, labels.length + 1).map((line) => line.split(':')[0])).toEqual([
    ...labels,
    'Cash if all are filled',
  ]);
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
  for (const { markup } of [ticketLegs(draft), ticketList(draft), factList(ticketTotals(draft))]) {
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

test('a warning that some orders have is above them with their numbers', () => {
  const warned = { ...sellLeg, ticket: { ...sellLeg.ticket, warnings: ['The market is closed.'] } };
  // The draft lists its buy first, and its sells are sent first.
  const legs = [
    { ...warned, number: 3 },
    { ...warned, number: 2 },
    { ...buyLeg, number: 1 },
  ];
  expect(textOf(ticketLegs({ legs }))[0]).toBe('Orders 2 and 3: The market is closed.');
});

test.each<[Partial<typeof buyLeg>, string[], string]>([
  [{ isPriceAssumed: true, isDependent: false }, ['The price that sized this order was assumed.'], ' price assumed'],
  [
    { isPriceAssumed: false, isDependent: true },
    ['It is sent after the sells are filled, which pay for it.'],
    ' after the sells',
  ],
])('an order with %j has that note alone, on its card and in its line', (change, notes, mark) => {
  const legs = [{ ...buyLeg, ...change }];
  const said = textOf(ticketLegs({ legs })).filter((line) => /sized this order|after the sells/.test(line));
  expect(said).toEqual(notes);
  expect(textOf(ticketList({ ...twoLegs, legs })).at(-1)).toBe(
    `1 BUY 1,250 × Brambleford Group plc QBRAM limit 71.25p (£0.7125)${mark}: £890.63 4.2%`,
  );
});

test.each<[string | undefined, string | undefined, string | undefined, string]>([
  ['230', undefined, 'USD', 'US$230.00'],
  [undefined, '227.7', 'USD', 'price unknown'],
  ['200', '230', undefined, '200.00 in an unknown currency, up 15.0% since'],
  ['0', '230', 'USD', 'US$0.00, cannot be compared'],
  ['100', '100.04', 'USD', 'US$100.00, unchanged since'],
  ['100', '100.06', 'USD', 'US$100.00, up 0.1% since'],
  ['230', '0', 'USD', 'US$230.00, down 100.0% since'],
])('a price of %s then and of %s now, in %s', (priceThen, priceNow, currency, expected) => {
  const ticket = { ...sellLeg.ticket, instrument: { ...sellLeg.ticket.instrument, currency } };
  const lines = textOf(ticketLegs({ legs: [{ ...sellLeg, ticket, priceThen, priceNow }] }));
  expect(lines.filter((line) => line.startsWith('When drafted'))).toEqual([`When drafted: ${expected}`]);
});

test('a line of the list leads to the card of its order by the number of the leg', () => {
  const { markup } = ticketLegs({ legs: [buyLeg] });
  expect(markup).toContain('aria-labelledby="leg-1"');
  expect(markup).toContain('<h2 id="leg-1">');
  const third = ticketLegs({ legs: [buyLeg, { ...sellLeg, number: 3 }] }).markup;
  expect(third).toContain('aria-labelledby="leg-3"');
  expect(third).toContain('<h2 id="leg-3">');
  expect(ticketList({ ...twoLegs, legs: [{ ...sellLeg, number: 3 }] }).markup).toContain('href="#leg-3"');
});

test('an order without notes has no list of them', () => {
  expect(ticketLegs({ legs: [sellLeg] }).markup).not.toContain('class="notes"');
});

test.each<[Partial<LegTicket['order']>, Partial<LegTicket['estimate']>, string]>([
  [{}, { percentOfAccount: undefined }, '2 SELL 3 × Apple Inc. AAPL Market: £512.40 part unknown'],
  [{}, { value: undefined }, '2 SELL 3 × Apple Inc. AAPL Market: unknown'],
  [{ type: 'STOP', stopPrice: '210' }, {}, '2 SELL 3 × Apple Inc. AAPL stop US$210.00: £512.40 2.4%'],
  [
    { type: 'STOP_LIMIT', stopPrice: '210', limitPrice: '205' },
    {},
    '2 SELL 3 × Apple Inc. AAPL stop US$210.00 limit US$205.00: £512.40 2.4%',
  ],
])('an order with %j and %j has one line', (order, estimate, line) => {
  const { ticket } = sellLeg;
  const changed = {
    ...ticket,
    order: { ...ticket.order, ...order },
    estimate: { ...ticket.estimate, ...estimate },
  } as LegTicket;
  expect(textOf(ticketList({ ...twoLegs, legs: [{ ...sellLeg, ticket: changed }] })).at(-1)).toBe(line);
});

test('shares of the account that are unknown are called so', () => {
  const totals = { ...twoLegs.totals, largestPercent: undefined, largestShare: undefined };
  expect(totalsOf({ ...twoLegs, totals }).slice(-2)).toEqual(['Largest order: unknown', 'Largest instrument: unknown']);
});

test('a second identical order says so on its card and in its line, and no other does', () => {
  const again = { ...sellLeg, ticket: { ...sellLeg.ticket, isRepetition: true } };
  expect(textOf(ticketLegs({ legs: [again] }))).toContain(
    'SECOND IDENTICAL ORDER An order exactly like this one was placed before.',
  );
  expect(textOf(ticketList({ ...twoLegs, legs: [again] })).at(-1)).toContain('second identical order');
  expect(ticketLegs({ legs: [sellLeg] }).markup).not.toContain('IDENTICAL');
});

test('the orders that are pending on the ticker are on its card, and none are not', () => {
  const [heading] = textOf(ticketLegs({ legs: [buyLeg] })).filter((line) => line.startsWith('Pending orders on'));
  expect(heading).toBe('Pending orders on QBRAM');
  expect(ticketLegs({ legs: [sellLeg] }).markup).not.toContain('Pending orders on');
});

test.each([
  [twoLegs, 'In the sequence of sending, with the numbers of the draft'],
  [{ ...twoLegs, legs: [buyLeg, sellLeg] }, 'In the sequence of sending'],
  [{ ...twoLegs, legs: [buyLeg] }, 'One order'],
])('the list says what its numbers are where they are not the sequence: %#', (ticket, caption) => {
  expect(textOf(ticketList(ticket)).slice(0, 2)).toEqual([caption, 'Order: Value, part of account:']);
});

test('with results the list has a column of them, and an order without one waits', () => {
  const lines = textOf(ticketList(twoLegs, new Map([[2, html`Placed`]])));
  expect(lines[1]).toBe('Order: Result: Value, part of account:');
  expect(lines.slice(-2)).toEqual([
    expect.stringMatching(/^2 SELL .*: Placed/),
    expect.stringMatching(/^1 BUY .*: Waiting/),
  ]);
});

test('a buy and a sell have the colour of their side', () => {
  for (const { markup } of [ticketList(twoLegs), ticketLegs(twoLegs)])
    expect(markup.match(/<span class="side \w+">\w+/g)).toEqual([
      '<span class="side sell">SELL',
      '<span class="side buy">BUY',
    ]);
});
