/** What a person reads on the ticket. */
import { expect, test } from 'vitest';
import { drawNumber, drawValue } from '../../../../src/core/approval/page/draw-facts.ts';
import { html, sanitizeText } from '../../../../src/core/approval/page/html.ts';
import { ticketPage } from '../../../../src/core/approval/page/order-page.ts';
import { style } from '../../../../src/core/approval/page/page-style.ts';
import { amount, price } from '../../../../src/core/approval/ticket-facts.ts';
import type { Ticket } from '../../../../src/core/orders/intent/approval-port.ts';
import { limitBuy, marketSell, setup, viewOf } from './support.ts';

/** The text of the page for this ticket, without markup. */
async function words(ticket: Ticket) {
  const { send } = await setup(viewOf(ticket));
  const { text } = await send();
  const main = /<body[\s\S]*?<\/main>/.exec(text)?.[0] ?? '';
  return main
    .replace(/<[^>]*>/g, ' ')
    .replace(/&nbsp;/g, ' ')
    .replace(/\s+/g, ' ');
}

test('a limit order to buy, with every known fact', async () => {
  const page = await words(limitBuy);
  for (const part of [
    'LIVE Real money',
    'BUY 1,250 × Brambleford Group plc QBRAM Type Limit: at the limit price or better',
    'Estimated cost £890.63 Limit price 71.25p (£0.7125)',
    'Last price 75.00p (£0.75) , the limit is 5.0% below it Cash after £23,311.72 now £24,202.35 , before charges',
    'Worst case £908.44 , with 2.0% for charges and exchange Valid Until it is cancelled',
    'or better 2 pending orders on it ',
    'Of the account 4.2% Position 400 → 1,650',
    'BUY 500 Limit at 69.80p (£0.698)',
    'SELL 400 Stop limit with stop 61.25p (£0.6125) and limit 60.50p (£0.605)',
    'Ticker QBRAMl_EQ ISIN GB00QBRAM001 Kind Stock Currency GBX prices in pence 100 GBX are 1 GBP',
    '118 seconds left',
    'Approve and buy',
  ])
    expect(page).toContain(part);
  // That prices are in pence is a fact of the instrument, and no warning.
  expect(page).not.toMatch(
    /Warning|Prices of this|SECOND IDENTICAL ORDER|Extended hours|Stop price|Pending orders None|undefined|null/,
  );
});

test.each([
  ['AWAITING_APPROVAL', 118, 'Approve? BUY 1,250 × Brambleford Group plc, LIVE'],
  ['AWAITING_APPROVAL', 0, 'Expired: BUY 1,250 × Brambleford Group plc, LIVE'],
  ['PLACED', 0, 'Placed: BUY 1,250 × Brambleford Group plc, LIVE'],
] as const)('the title of an order in %s with %i seconds left', (state, secondsLeft, title) => {
  const answering = { path: '/approve/handle', csrf: 'csrf-1', alert: undefined };
  const { markup } = ticketPage(viewOf(limitBuy, { state, secondsLeft }), answering);
  expect(markup).toContain(`<title>${title}</title>`);
});

test('a market order to sell', async () => {
  const page = await words(marketSell);
  for (const part of [
    'SELL 3 × Apple Inc. AAPL Type Market: at the next available price, whatever it is',
    'Extended hours Yes, also outside regular hours',
    'Estimated proceeds £512.40 at the last price Last price US$227.50 Cash after £24,714.75',
    'Position 10.5 → 7.5 Pending orders None',
    'Approve and sell',
  ])
    expect(page).toContain(part);
  expect(page).not.toMatch(/pence|Worst case|Limit price|Valid|Warning|undefined|null/);
});

test('a stop limit order shows both prices', async () => {
  const order = { ...limitBuy.order, type: 'STOP_LIMIT', stopPrice: '72.5', timeValidity: 'DAY' } as const;
  const page = await words({ ...limitBuy, order });
  for (const part of [
    'Limit price 71.25p (£0.7125) Stop price 72.50p (£0.725)',
    'the limit is 5.0% below and the stop 3.3% below it',
    'Valid Today only',
    'Stop limit: becomes a limit order when',
  ])
    expect(page).toContain(part);
});

test('an unknown value is shown as unknown', async () => {
  const none = { value: undefined, worst: undefined, percentOfAccount: undefined, price: undefined };
  const page = await words({ ...limitBuy, estimate: { ...none, currency: 'GBP', priceFrom: undefined } });
  expect(page).toContain('Estimated cost Value unknown Limit price');
  expect(page).toContain('Worst case Value unknown Valid');
  expect(page).not.toMatch(/undefined|null|NaN/);
});

test('an instrument with few known facts', async () => {
  const instrument = { name: undefined, isin: undefined, type: undefined, currency: undefined };
  const page = await words({ ...limitBuy, instrument });
  expect(page).toContain('BUY 1,250 × QBRAM Type');
  expect(page).toContain('Ticker QBRAMl_EQ ISIN unknown Kind unknown Currency unknown Name unknown');
  expect(page).toContain('Limit price 71.25 in an unknown currency Last price 75.00 in an unknown currency');
});

test('a decided order does not show what was pending and warned of when it was asked about', async () => {
  const { send } = await setup(viewOf(limitBuy, { state: 'PLACED', secondsLeft: 0, orderId: '50023504323' }));
  const { text } = await send();
  expect(text).toContain('50023504323');
  expect(text).not.toMatch(/[Pp]ending orders|id="warnings"/);
});

test('the worst case of a market order to buy includes the price', async () => {
  const order = { type: 'MARKET', ticker: 'QBRAMl_EQ', side: 'BUY', quantity: '1250' } as const;
  expect(await words({ ...limitBuy, order })).toContain(
    'Worst case £908.44 , with 2.0% for the price, charges and exchange',
  );
});

test('a repetition is called SECOND IDENTICAL ORDER', async () => {
  expect(await words({ ...limitBuy, isRepetition: true })).toContain('SECOND IDENTICAL ORDER');
});

test.each([
  ['live', 'live', 'LIVE Real money'],
  ['demo', 'calm', 'DEMO Practice account, no real money'],
  ['sandbox', 'calm', 'SANDBOX Simulated account, no real money'],
  ['staging', 'live', 'STAGING Treat this as real money'],
])('the banner of %s is %s', async (environment, look, banner) => {
  const { send } = await setup(viewOf({ ...limitBuy, environment }));
  expect((await send()).text).toContain(`<body class="${look}">`);
  expect(await words({ ...limitBuy, environment })).toContain(banner);
});

test('foreign text cannot break out of the markup, hide text or reverse its direction', async () => {
  const evil = '</p><script>alert(1)</script>"\' onx=\u202e\u2066\u200b\u00ad\u{e0041}\ufeff\u0007\r\nA\u2028B&amp;';
  const { send, address } = await setup(
    viewOf(
      {
        ...limitBuy,
        environment: evil,
        order: { ...limitBuy.order, ticker: evil },
        instrument: { name: evil, isin: evil, type: evil, currency: evil },
        estimate: { ...limitBuy.estimate, value: evil, currency: evil, percentOfAccount: evil, priceFrom: evil },
        position: { before: evil, after: evil },
        pendingOnTicker: [{ side: evil, type: evil, quantity: evil, limitPrice: evil, stopPrice: evil }],
        warnings: [evil],
      },
      { message: evil, digest: evil, reason: evil, orderId: evil },
    ),
  );
  const { text } = await send();
  expect(text.match(/<script/g)).toHaveLength(1);
  expect(text).not.toMatch(/[\u202e\u2066\u200b\u00ad\u{e0041}\ufeff\r\u2028]|(?!\n)\p{Cc}/u);
  expect(text).toContain('&lt;/p&gt;&lt;script&gt;alert(1)&lt;/script&gt;&quot;&#39; onx= A B&amp;amp;');
  expect((await send({ url: `${address}/status` })).text).not.toMatch(/[\u202e\u2066\u200b\ufeff]/);
});

test('cleaning twice changes nothing more, and a long text is cut', () => {
  for (const text of [
    ' a \u200b b ',
    'a\u0000\u0000\n\tb',
    'x'.repeat(2000),
    '\u{1f511}'.repeat(600),
    '\ud800',
    'é ü 株',
  ]) {
    expect(sanitizeText(sanitizeText(text))).toBe(sanitizeText(text));
    expect([...sanitizeText(text)].length).toBeLessThanOrEqual(500);
  }
  expect(sanitizeText('é ü 株')).toBe('é ü 株');
});

test('a template escapes inserted text', () => {
  const list = ['<', '&', 1, undefined, false] as const;
  expect(html`<b title="${'"'}">${list}${html`<i>`}</b>`.markup).toBe('<b title="&quot;">&lt;&amp;1<i></b>');
});

test.each([
  ['1', '1', '1.00'],
  ['99.5', '99.5', '99.50'],
  ['999', '999', '999.00'],
  ['1000', '1,000', '1,000.00'],
  ['-1234567.12345', '−1,234,567.12345', '−1,234,567.12345'],
  ['0.00000001', '0.00000001', '0.00000001'],
  ['123456789012345678.12', '123,456,789,012,345,678.12', '123,456,789,012,345,678.12'],
])('%s is written %s, and as money with its sign and two decimals or more', (decimal, text, money) => {
  expect(drawNumber(decimal)).toBe(text);
  const euros = money.startsWith('−') ? `−€${money.slice(1)}` : `€${money}`;
  expect(drawValue(amount(decimal, 'EUR')).markup).toBe(`<b>${euros}</b>`);
});

test.each(['1e5', 'about 1000', ''])('%j is no decimal, and stays as it is', (text) => {
  expect(drawNumber(text)).toBe(text);
});

test.each([
  [amount('1000', undefined), '<b>1,000.00</b> in the account’s currency'],
  [amount('5', 'pounds'), '<b>5.00 pounds</b>'],
  [price('318.5', 'GBX'), '<b>318.50p</b> <span class="aside">(£3.185)</span>'],
  [price('318.5', 'GBp'), '<b>318.50p</b> <span class="aside">(£3.185)</span>'],
  [price('70', 'USD'), '<b>US$70.00</b>'],
  [price('70', undefined), '<b>70.00</b> in an unknown currency'],
  [[{ percent: '4.2' }], '<b>4.2%</b>'],
  [[{ percent: '2' }], '<b>2.0%</b>'],
  [['a', ', b', { figure: '1' }], 'a, b <b>1</b>'],
])('%j is drawn as %s', (value, markup) => {
  expect(drawValue(value).markup).toBe(markup);
});

test('colours have the contrast that everyone needs: 4.5 to 1 for text, 3 to 1 for edges', () => {
  const [light = {}, dark = {}] = [...style.matchAll(/:root \{([^}]*)\}/g)].map(([, body = '']) =>
    Object.fromEntries([...body.matchAll(/--([\w-]+): (#[0-9a-f]{6})/g)].map(([, name, value]) => [name, value])),
  ) as Record<string, string>[];
  const schemes = { light, dark: { ...light, ...dark } };
  const text = [
    ...['ink', 'soft', 'good', 'bad'].flatMap((ink) => [`${ink} on paper`, `${ink} on card`]),
    ...['live', 'calm', 'act'].map((ground) => `on on ${ground}`),
    ...['buy-on on buy', 'sell-on on sell', 'ink on refused', 'bad on refused', 'care-ink on care'],
  ];
  const edges = ['field on card', 'focus on paper', 'focus on card'];
  const tooWeak: string[] = [];
  for (const [scheme, colours] of Object.entries(schemes))
    for (const [pairs, least] of [[text, 4.5] as const, [edges, 3] as const])
      for (const pair of pairs) {
        const [ink = '', ground = ''] = pair.split(/ on (?=[\w-]+$)/);
        const ratio = contrast(colours[ink] ?? '', colours[ground] ?? '');
        if (!(ratio >= least)) tooWeak.push(`${scheme}: ${pair} is ${ratio.toFixed(2)}`);
      }
  expect(tooWeak).toEqual([]);
});

function contrast(one: string, other: string): number {
  const light = (colour: string) => {
    const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
      const part = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
      return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const [high = 0, low = 0] = [light(one), light(other)].sort((a, b) => b - a);
  return (high + 0.05) / (low + 0.05);
}

const shown = (ticket: Ticket, change: Parameters<typeof viewOf>[1] = {}) =>
  ticketPage(viewOf(ticket, change), { path: '/approve/handle', csrf: 'csrf-1', alert: undefined }).markup;
const read = (markup: string) =>
  (/<main[\s\S]*<\/main>/.exec(markup)?.[0] ?? '')
    .replace(/<[^>]*>/g, ' ')
    .replace(/&nbsp;/g, ' ')
    .replace(/\s+/g, ' ');
const estimated = (change: Partial<Ticket['estimate']>, ticket = limitBuy): Ticket => ({
  ...ticket,
  estimate: { ...ticket.estimate, ...change },
});

test.each<[string, Ticket, string]>([
  [
    'of a sale whose worst case is another value',
    estimated({ worst: '500' }, marketSell),
    'Worst case £500.00 Extended hours',
  ],
  [
    'of which the part of the account is unknown',
    estimated({ percentOfAccount: undefined }),
    'Of the account unknown Position',
  ],
  [
    'at an assumed price',
    estimated({ value: undefined, assumed: { price: '70', value: '875' } }),
    'Estimated cost £875.00 at an assumed price of 70.00p (£0.70) Limit price',
  ],
  [
    'with a stop and a limit',
    { ...limitBuy, order: { ...limitBuy.order, type: 'STOP_LIMIT', stopPrice: '72.5' } as Ticket['order'] },
    'Worst case £908.44 , with 2.0% for charges and exchange',
  ],
  [
    'whose worst case is unknown',
    estimated({ worst: undefined }),
    'Worst case Value unknown Valid Until it is cancelled',
  ],
  [
    'without a last price',
    estimated({ lastKnownPrice: undefined }),
    'Last price Not known , so the price cannot be compared Cash after',
  ],
  ['whose account has no known cash', { ...limitBuy, cash: undefined }, 'below it Cash after Unknown Worst case'],
  ['to buy', limitBuy, 'Cost Estimated cost £890.63'],
  ['to sell', marketSell, 'Proceeds Estimated proceeds £512.40'],
  [
    'of an instrument without ISIN',
    { ...limitBuy, instrument: { ...limitBuy.instrument, isin: undefined } },
    'ISIN unknown Kind Stock',
  ],
  [
    'of an instrument without a name',
    { ...limitBuy, instrument: { ...limitBuy.instrument, name: undefined } },
    'Name unknown',
  ],
])('an order %s', (_, ticket, part) => {
  expect(read(shown(ticket))).toContain(part);
});

test.each<[number, number, string]>([
  [1, 0, 'Pending orders on QBRAM One order Side'],
  [2, 0, 'Pending orders on QBRAM 2 orders Side'],
  [2, 5, 'Pending orders on QBRAM 2 of 7 orders Side'],
  [1, 3, 'Pending orders on QBRAM 1 of 4 orders Side'],
])(
  '%i pending orders that are listed, and %i that are not, are counted below the title',
  (count, morePending, part) => {
    const pendingOnTicker = limitBuy.pendingOnTicker.slice(0, count);
    const words = read(shown({ ...limitBuy, pendingOnTicker, morePending }));
    expect(words).toContain(part);
    const all = count + morePending;
    expect(words).toContain(`or better ${all} pending order${all === 1 ? '' : 's'} on it `);
  },
);

test('a pending order with one price does not name which it is', () => {
  const stop = { side: 'SELL', type: 'STOP', quantity: '400', limitPrice: undefined, stopPrice: '61.25' } as const;
  expect(read(shown({ ...limitBuy, pendingOnTicker: [stop] }))).toContain('SELL 400 Stop at 61.25p');
});

test('each fact of an order is on its page once', () => {
  const words = read(shown(limitBuy));
  for (const part of ['890.63', '908.44', '71.25p', '75.00p', '23,311.72', '24,202.35', '4.2%', '1,650', 'Brambleford'])
    expect([part, words.split(part).length - 1]).toEqual([part, 1]);
  for (const part of [
    'Estimated cost',
    'Limit price',
    'Last price',
    'Cash after',
    'Position',
    'GB00QBRAM001',
    'QBRAMl_EQ',
  ])
    expect([part, words.split(part).length - 1]).toEqual([part, 1]);
});

test('a name that could be read as a fact of the order is last and in quotes, and not in the heading', () => {
  const name = 'Brambleford at 1.00';
  const page = shown({ ...limitBuy, instrument: { ...limitBuy.instrument, name } });
  expect(read(page)).toContain('BUY 1,250 × QBRAM Type');
  expect(read(page)).toMatch(/100 GBX are 1 GBP Name “ Brambleford at 1\.00 ”/);
  expect(page.split(name)).toHaveLength(2);
});

test.each([
  ['AWAITING_APPROVAL', 118, ['yes', 'no'], true, false],
  ['APPROVED', 0, ['no', 'no'], false, true],
  ['PLACED', 0, ['no', 'yes'], false, false],
] as const)(
  'an order in %s with %i seconds tells the script of the page',
  (state, secondsLeft, data, isOpen, reloads) => {
    const page = shown(limitBuy, { state, secondsLeft, message: 'MESSAGE', orderId: '77', reason: 'REASON' });
    expect(['open', 'done'].map((name) => new RegExp(`data-${name}="([^"]*)"`).exec(page)?.[1])).toEqual(data);
    expect(page).toContain(`data-state="${state}" data-message="MESSAGE" data-seconds="${secondsLeft}"`);
    expect(page.includes('<main id="ticket" class="open"')).toBe(isOpen);
    expect(page.includes('http-equiv="refresh"')).toBe(reloads);
  },
);

test.each([
  [{ orderId: '77', reason: undefined }, 'MESSAGE Order id 77 You can'],
  [{ orderId: undefined, reason: 'WHY' }, 'MESSAGE Reason: WHY You can'],
  [{ orderId: undefined, reason: undefined }, 'MESSAGE You can'],
])('the state of an order has what is known: %j', (change, part) => {
  const words = read(shown(limitBuy, { state: 'PLACED', secondsLeft: 0, message: 'MESSAGE', ...change }));
  expect(words).toContain(part);
});

test('each part of a ticket is named by its title', () => {
  const page = shown(limitBuy).replace(/\s+/g, ' ');
  for (const [id, title] of [
    ['cost', 'Cost'],
    ['instrument', 'Instrument'],
  ])
    expect(page).toMatch(new RegExp(`aria-labelledby="${id}"> ?<h2 id="${id}" class="unseen">${title}</h2>`));
});

test('a text of 500 characters is not cut, however many units a character has', () => {
  expect(sanitizeText('\u{1f511}'.repeat(500))).toBe('\u{1f511}'.repeat(500));
  expect(sanitizeText('\u{1f511}'.repeat(501))).toBe(`${'\u{1f511}'.repeat(499)}…`);
});

test('an assumed price is named once, with nothing that the estimate rests on', () => {
  const page = read(shown(estimated({ value: undefined, assumed: { price: '70', value: '875' } })));
  expect(page).toContain('£875.00 at an assumed price of 70.00p (£0.70) Limit price');
  expect(page).not.toContain('Of the account');
});

test.each([
  [[], undefined],
  [['CLOSED.'], '<ul class="notes" aria-label="Warning"><li>CLOSED.</li></ul>'],
  [['CLOSED.', 'IN PENCE.'], '<ul class="notes" aria-label="Warnings"><li>CLOSED.</li><li>IN PENCE.</li></ul>'],
])('the warnings of an order are one list: %j', (warnings, list) => {
  expect(/<ul class="notes"[\s\S]*?<\/ul>/.exec(shown({ ...limitBuy, warnings }))?.[0]).toBe(list);
});

test('warnings come before the cost, because the decision covers the end of a small page', () => {
  const page = shown({ ...limitBuy, warnings: ['CLOSED.'] });
  expect(page.indexOf('CLOSED.')).toBeGreaterThan(page.indexOf('<h1'));
  expect(page.indexOf('CLOSED.')).toBeLessThan(page.indexOf('id="cost"'));
});

test('pending orders of an instrument without a currency have prices in an unknown one', () => {
  const instrument = { ...limitBuy.instrument, currency: undefined };
  expect(read(shown({ ...limitBuy, instrument }))).toContain('BUY 500 Limit at 69.80 in an unknown currency');
});

test.each([
  [limitBuy, 'buy'],
  [marketSell, 'sell'],
])('the heading of an order has the tone of its side: %#', (ticket, side) => {
  expect(shown(ticket)).toContain(`<h1><span class="side ${side}">${side.toUpperCase()}</span>`);
});

test('of an order that cannot be decided any more, a message has the focus, and without one the state has it', () => {
  const alert = { status: 200, title: 'IT WAS LATE.', next: 'LOOK.' };
  const focused = '<h2 id="outcome" tabindex="-1" autofocus>';
  const view = viewOf(limitBuy, { state: 'PLACED', secondsLeft: 0 });
  const told = ticketPage(view, { path: '/approve/handle', csrf: 'csrf-1', alert }).markup;
  expect(read(told)).toContain('IT WAS LATE. LOOK.');
  expect(told).not.toContain(focused);
  expect(shown(limitBuy, { state: 'PLACED', secondsLeft: 0 })).toContain(focused);
});

test.each([
  ['n'.repeat(60), false],
  ['n'.repeat(100), true],
])('the title of an order with the name %s is in smaller letters: %s', (name, isSmaller) => {
  const { markup } = ticketPage(viewOf({ ...limitBuy, instrument: { ...limitBuy.instrument, name } }), {
    path: '/approve/handle',
    csrf: 'csrf-1',
    alert: undefined,
  });
  expect(markup.includes('<h1 class="long">')).toBe(isSmaller);
});
