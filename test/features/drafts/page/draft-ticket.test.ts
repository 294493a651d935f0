import { expect, test } from 'vitest';
import { factList } from '../../../../src/core/approval/page/draw-facts.ts';
import type { DraftLegTicket, LegTicket } from '../../../../src/core/orders/intent/draft-approval.ts';
import { html } from '../../../../src/core/text/html-template.ts';
import { ticketTotals } from '../../../../src/features/drafts/draft-ticket-facts.ts';
import { ticketList, warningList } from '../../../../src/features/drafts/page/draft-ticket.ts';
import { buyLeg, rowsOf, sellLeg, textOf, twoLegs } from './draft-ticket-support.ts';

const linesOf = (...args: Parameters<typeof ticketList>) => rowsOf(ticketList(...args)).map(({ line }) => line);
const factsOf = (leg: DraftLegTicket) => rowsOf(ticketList({ legs: [leg] }))[0]?.facts ?? [];
const captionsOf = (...args: Parameters<typeof ticketList>) => {
  const lines = textOf(ticketList(...args));
  return [lines[0], lines.at(-1)];
};

const totalsOf = (draft: Parameters<typeof ticketTotals>[0]) => textOf(factList(ticketTotals(draft)));

test('each order has the facts of a ticket, its notes, and how the price moved since it was drafted', () => {
  expect(factsOf(buyLeg)).toEqual(
    expect.arrayContaining([
      'The price that sized this order was assumed.',
      'It is sent after the sells are filled, which pay for it.',
      'Type: Limit: at the limit price or better',
      'Estimated cost: £890.63',
      'Limit price: 71.25p (£0.7125) | Last price 75.00p (£0.75), the limit is 5.0% below it',
      'Position: 400 → 1,650',
      'Worst case: £908.44, with 2.0% for charges and exchange',
      'Valid: Until it is cancelled',
      'Of the account: 4.2%',
      'When drafted: 71.25p (£0.7125) assumed',
      'Ticker: QBRAMl_EQ',
    ]),
  );
  // 227.7 / 230 = 0.99
  expect(factsOf(sellLeg)).toContain('When drafted: US$230.00, down 1.0% since');
});

test('what became of an order is on its line, by its number in the draft, and an order without a result waits', () => {
  const results = new Map([
    [1, html`Rejected`],
    [2, html`Placed`],
  ]);
  expect(linesOf(twoLegs, results)).toEqual([
    '2. SELL 3 × Apple Inc. AAPL Market Placed £512.40',
    '1. BUY 1,250 × Brambleford Group plc QBRAM Limit 71.25p (£0.7125) price assumed 2 pending orders on it Rejected £890.63',
  ]);
  expect(linesOf(twoLegs, new Map([[2, html`Placed`]]))[1]).toContain('2 pending orders on it Waiting £890.63');
});

test('the list has one line for each order with its number in the draft, and its value, in the sequence of sending', () => {
  expect(linesOf(twoLegs)).toEqual([
    '2. SELL 3 × Apple Inc. AAPL Market £512.40',
    '1. BUY 1,250 × Brambleford Group plc QBRAM Limit 71.25p (£0.7125) price assumed 2 pending orders on it £890.63',
  ]);
});

const legsOf = (count: number) => Array.from({ length: count }, (_, index) => ({ ...sellLeg, number: index + 1 }));

test('up to three orders are open from the start; of four and more, each is a line until a person opens it', () => {
  const openOf = (...args: Parameters<typeof ticketList>) => rowsOf(ticketList(...args)).map(({ isOpen }) => isOpen);
  expect(openOf({ legs: legsOf(3) })).toEqual([true, true, true]);
  expect(openOf({ legs: legsOf(4) })).toEqual([false, false, false, false]);
  expect(textOf(ticketList({ legs: legsOf(4) }))).toContainEqual(expect.stringContaining('Open an order'));
  expect(textOf(ticketList({ legs: legsOf(3) })).join()).not.toContain('Open an order');
  // A second identical order is never folded.
  const again = { ...sellLeg, number: 5, ticket: { ...sellLeg.ticket, isRepetition: true } };
  expect(openOf({ legs: [...legsOf(4), again] })).toEqual([false, false, false, false, true]);
  // What was decided has its results on the lines.
  expect(openOf({ legs: legsOf(3) }, new Map())).toEqual([false, false, false]);
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
  for (const { markup } of [ticketList(draft), ticketList(draft, new Map()), factList(ticketTotals(draft))]) {
    expect(markup).not.toContain('<script');
    expect(markup).not.toContain('<b id');
    expect(markup).not.toContain('‮');
  }
});

const warned = (leg: typeof sellLeg, number: number, ...warnings: string[]) => ({
  ...leg,
  number,
  isPriceAssumed: false,
  ticket: { ...leg.ticket, warnings },
});
const closed = 'The market is closed.';
const pence = 'Prices of this instrument are in pence (GBX).';

test.each<[string, DraftLegTicket[], string[], string]>([
  ['all orders', [warned(sellLeg, 2, closed), warned(buyLeg, 1, closed)], [`All orders: ${closed}`], ''],
  [
    'some orders, by their numbers in the draft',
    // The draft lists its buy first, and its sells are sent first.
    [warned(sellLeg, 3, closed), warned(sellLeg, 2, closed), warned(buyLeg, 1)],
    [`Orders 2 and 3: ${closed}`],
    '',
  ],
  ['one order', [warned(sellLeg, 2, closed), warned(buyLeg, 1)], [`Order 2: ${closed}`], ''],
  ['the only order', [warned(sellLeg, 1, closed)], [closed], ''],
  ['no order', [warned(sellLeg, 1), warned(buyLeg, 2, pence)], [], ''],
  ['three', [warned(sellLeg, 2, 'A', 'B'), warned(buyLeg, 1, 'C')], ['Order 2: A', 'Order 2: B', 'Order 1: C'], ''],
  [
    'four, of which several orders have one',
    [warned(sellLeg, 4, closed, 'A'), warned(sellLeg, 2, 'B'), warned(buyLeg, 1, closed, 'C')],
    [`Orders 1 and 4: ${closed}`, 'Orders 1, 2 and 4: warnings below.'],
    'ABC',
  ],
  [
    'four of one order',
    [warned(sellLeg, 2, 'A', 'B', 'C', 'D'), warned(buyLeg, 1)],
    ['Order 2: a warning below.'],
    'ABCD',
  ],
])('the warnings of %s are above the sums, and those that are not are on the lines', (_, legs, above, onLines) => {
  expect(textOf(warningList({ legs }) || { markup: '' })).toEqual(above);
  const lines = ticketList({ legs }).markup.match(/(?<=class="caution">)[^<]*/g) ?? [];
  expect(lines.join('')).toBe(onLines);
});

test.each<[DraftLegTicket[], string[]]>([
  [
    [sellLeg, { ...buyLeg, number: 3 }],
    ['Order 3: The price is assumed.', closed],
  ],
  [[buyLeg], ['The price is assumed.', closed]],
  [
    [{ ...sellLeg, isPriceAssumed: true }, buyLeg],
    ['All orders: The price is assumed.', closed],
  ],
  [[sellLeg], [closed]],
])('that a price is assumed is above the sums, before the warnings: %#', (legs, lines) => {
  const last = legs.length - 1;
  const closing = legs.map((leg, at) =>
    at === last ? { ...leg, ticket: { ...leg.ticket, warnings: [closed] } } : leg,
  );
  const shown = textOf(warningList({ legs: closing }) || { markup: '' });
  expect(shown.map((line) => (line.endsWith(closed) ? closed : line))).toEqual(lines);
});

test('of the only order the sums are among its facts, each once', () => {
  const one = { ...twoLegs, legs: [{ ...buyLeg, number: 1 }] };
  const [{ facts = [] } = {}] = rowsOf(ticketList(one));
  expect(facts.filter((line) => /^(?:Cash|Charges|Position|Estimated)/.test(line))).toEqual([
    'Estimated cost: £890.63',
    'Cash after: £23,819.67 | now £24,202.35',
    'Position: 400 → 1,650',
    'Charges: £4.45, estimated',
  ]);
  expect(
    rowsOf(ticketList(twoLegs))
      .flatMap((row) => row.facts)
      .join(),
  ).not.toMatch(/Cash after|Charges/);
});

test('an order whose group waits for the sells does not repeat it, and one that alone waits says so', () => {
  const waits = 'It is sent after the sells are filled, which pay for it.';
  const factsBy = (legs: DraftLegTicket[]) => rowsOf(ticketList({ legs })).map(({ facts }) => facts.includes(waits));
  expect(factsBy([sellLeg, buyLeg])).toEqual([false, false]);
  expect(factsBy([sellLeg, buyLeg, { ...buyLeg, number: 3, isDependent: false }])).toEqual([false, true, false]);
});

test('of orders that were decided, the warnings of that moment are among the facts', () => {
  const legs = [warned(sellLeg, 2, closed), warned(buyLeg, 1, closed, 'It is slow.')];
  const decided = rowsOf(ticketList({ legs }, new Map()));
  expect(decided.map(({ line }) => line).join()).not.toMatch(/closed|slow/);
  expect(decided.map(({ facts }) => facts.filter((fact) => /closed|slow/.test(fact)))).toEqual([
    ['The market is closed.'],
    ['The market is closed.', 'It is slow.'],
  ]);
});

test.each([
  [
    [
      { ...sellLeg, number: 1 },
      { ...buyLeg, number: 2 },
    ],
    ['Sent first: 1 sell', 'When the sells are filled: 1 buy'],
  ],
  [
    [sellLeg, sellLeg, sellLeg, buyLeg, buyLeg],
    ['Sent first: 3 sells numbered as drafted', 'When the sells are filled: 2 buys'],
  ],
  // One of the buys does not wait, so each says whether it does.
  [
    [sellLeg, { ...buyLeg, isDependent: false }, buyLeg],
    ['Sent first: 1 sell numbered as drafted', 'Then: 2 buys'],
  ],
  [[buyLeg, buyLeg], []],
  [[sellLeg], []],
])('orders of both sides are in groups, which say when each side is sent: %#', (legs, groups) => {
  const { markup } = ticketList({ legs });
  const titles = [...markup.matchAll(/<li class="group">([\s\S]*?)<\/li>/g)].map(
    ([, title = '']) => textOf({ markup: title })[0],
  );
  expect(titles).toEqual(groups);
  expect(markup.includes('<h2 id="orders" class="unseen">')).toBe(groups.length > 0 || legs.length === 1);
});

test.each<[Partial<typeof buyLeg>, string[], string]>([
  [{ isPriceAssumed: true, isDependent: false }, ['The price that sized this order was assumed.'], ' price assumed'],
  [
    { isPriceAssumed: false, isDependent: true },
    ['It is sent after the sells are filled, which pay for it.'],
    ', after the sells',
  ],
])('an order with %j has that note alone, below its line and on it', (change, notes, mark) => {
  const leg = { ...buyLeg, ...change, ticket: { ...buyLeg.ticket, pendingOnTicker: [] } };
  expect(factsOf(leg).filter((line) => /sized this order|after the sells/.test(line))).toEqual(notes);
  const other = { ...buyLeg, number: 2, isDependent: false };
  expect(linesOf({ legs: [leg, other] })[0]).toEqual(
    `1. BUY 1,250 × Brambleford Group plc QBRAM Limit 71.25p (£0.7125)${mark} £890.63`,
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
  const lines = factsOf({ ...sellLeg, ticket, priceThen, priceNow });
  expect(lines.filter((line) => line.startsWith('When drafted'))).toEqual([`When drafted: ${expected}`]);
});

test('an order has an id by the number of the leg', () => {
  expect(rowsOf(ticketList({ legs: [buyLeg, { ...sellLeg, number: 3 }] })).map(({ id }) => id)).toEqual([
    'leg-1',
    'leg-3',
  ]);
});

test('an order without notes has none', () => {
  expect(ticketList({ legs: [sellLeg] }).markup).not.toMatch(/class="(?:notes|remark|caution|flag)"/);
});

test.each<[Partial<LegTicket['order']>, Partial<LegTicket['estimate']>, string]>([
  [{}, { percentOfAccount: undefined }, '2. SELL 3 × Apple Inc. AAPL Market £512.40'],
  [{}, { value: undefined }, '2. SELL 3 × Apple Inc. AAPL Market unknown'],
  [
    {},
    { value: undefined, assumed: { price: '170', value: '510' } },
    '2. SELL 3 × Apple Inc. AAPL Market £510.00 assumed',
  ],
  [{ type: 'STOP', stopPrice: '210' }, {}, '2. SELL 3 × Apple Inc. AAPL Stop US$210.00 £512.40'],
  [
    { type: 'STOP_LIMIT', stopPrice: '210', limitPrice: '205' },
    {},
    '2. SELL 3 × Apple Inc. AAPL Stop limit, stop US$210.00, limit US$205.00 £512.40',
  ],
])('an order with %j and %j has one line', (order, estimate, line) => {
  const { ticket } = sellLeg;
  const changed = {
    ...ticket,
    order: { ...ticket.order, ...order },
    estimate: { ...ticket.estimate, ...estimate },
  } as LegTicket;
  expect(linesOf({ legs: [{ ...sellLeg, ticket: changed }] })).toEqual([line]);
});

test('shares of the account that are unknown are called so', () => {
  const totals = { ...twoLegs.totals, largestPercent: undefined, largestShare: undefined };
  expect(totalsOf({ ...twoLegs, totals }).slice(-2)).toEqual(['Largest order: unknown', 'Largest instrument: unknown']);
});

test('a second identical order says so below its line and on it, and no other does', () => {
  const again = { ...sellLeg, ticket: { ...sellLeg.ticket, isRepetition: true } };
  expect(factsOf(again)).toContain('SECOND IDENTICAL ORDER An order exactly like this one was placed before.');
  expect(linesOf({ legs: [again] })[0]).toContain('second identical order');
  expect(ticketList({ legs: [sellLeg] }).markup).not.toContain('IDENTICAL');
});

test.each([
  [undefined, '2 pending orders on it'],
  [3, '5 pending orders on it'],
])('the orders that are pending on the ticker are counted, and listed below the line: %s more', (morePending, mark) => {
  const leg = { ...buyLeg, isDependent: false, ticket: { ...buyLeg.ticket, morePending } };
  expect(linesOf({ legs: [leg] })[0]).toContain(`Limit 71.25p (£0.7125) price assumed ${mark} £890.63`);
  expect(factsOf(leg)).toContain('Pending orders on QBRAM');
  expect(ticketList({ legs: [sellLeg] }).markup).not.toMatch(/[Pp]ending orders? on/);
});

test.each([
  [twoLegs, ['Orders:', 'Values are estimates.']],
  [{ ...twoLegs, legs: [buyLeg] }, ['The order:', 'Values are estimates.']],
])('the list has a title, and says what its figures are: %#', (ticket, captions) => {
  expect(captionsOf(ticket)).toEqual(captions);
});

test('a buy and a sell have a tone of their side, and its name', () => {
  expect(ticketList(twoLegs).markup.match(/<span class="side \w+">\w+/g)).toEqual([
    '<span class="side sell">SELL',
    '<span class="side buy">BUY',
  ]);
});
