/** What the page of a draft says in each of its states, without a server. */
import { expect, test } from 'vitest';
import { toTime } from '../../../../src/core/approval/page/labels.ts';
import { completeLimits, type RiskLimits } from '../../../../src/core/orders/intent/risk-limits.ts';
import { ruleTitles } from '../../../../src/core/text/outcome-sentences.ts';
import type { DraftLeg, DraftVersion } from '../../../../src/features/drafts/book/draft.ts';
import type { DraftSheet, SheetLeg } from '../../../../src/features/drafts/draft-sheet.ts';
import { draftPage, getDraftState } from '../../../../src/features/drafts/page/draft-page.ts';
import type { LegReport, SubmissionReport } from '../../../../src/features/drafts/submission/describe-submission.ts';
import { buyLeg, rowsOf, sellLeg, textOf } from './draft-ticket-support.ts';

const id = 'd'.repeat(16);
const legs: readonly DraftLeg[] = [
  { type: 'LIMIT', ticker: 'QBRAMl_EQ', side: 'BUY', quantity: '1250', limitPrice: '71.25', timeValidity: 'DAY' },
  { type: 'MARKET', ticker: 'AAPL_US_EQ', side: 'SELL', quantity: '3' },
];
const sheetLegs: readonly SheetLeg[] = [
  { number: 1, leg: legs[0] as DraftLeg, ticket: buyLeg },
  { number: 2, leg: legs[1] as DraftLeg, ticket: sellLeg },
];

const sheet: DraftSheet = {
  draft: {
    id,
    accountKey: 'account',
    environment: 'live',
    name: undefined,
    version: 4,
    state: 'open',
    source: 'save_draft',
    createdAt: 0,
    expiresAt: 1,
  },
  phase: 'open',
  now: 0,
  versions: [
    { draftId: id, version: 3, createdAt: 0, channel: 'tool', legs: legs.toReversed() },
    { draftId: id, version: 4, createdAt: 0, channel: 'tool', legs },
  ],
  legs: sheetLegs,
  names: { QBRAMl_EQ: 'Brambleford Group plc', AAPL_US_EQ: 'Apple Inc.' },
  currencies: { QBRAMl_EQ: 'GBX', AAPL_US_EQ: 'USD' },
  method: 'page',
  sent: undefined,
};

const sent = (change: Partial<SubmissionReport>): SubmissionReport => ({
  submissionId: '5'.repeat(32),
  draftId: id,
  version: 4,
  outcome: 'sending',
  message: 'FOR THE MODEL',
  next: 'FOR THE MODEL',
  endsAt: '2026-11-20T15:15:00.000Z',
  warnings: [],
  legs: [
    { leg: 1, order: 'LEG 1', outcome: 'waiting' },
    { leg: 2, order: 'LEG 2', outcome: 'waiting' },
  ],
  ...change,
});

const show = (
  change: Partial<DraftSheet> = {},
  alert?: { status: number; title: string; next: string },
  saved?: DraftVersion,
) => draftPage({ ...sheet, ...change }, { path: '/draft/handle', csrf: 'csrf-1', alert, saved }).markup;

/** The text that a person reads, on one line. */
const wordsOf = (page: string) =>
  (/<main[\s\S]*<\/main>/.exec(page)?.[0] ?? '').replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ');
const formsOf = (page: string) => page.match(/<form[\s\S]*?<\/form>/g) ?? [];
const actionsOf = (page: string) => formsOf(page).map((form) => /name="action" value="(\w+)"/.exec(form)?.[1]);

test('each form of a draft goes to its page, with the token and the version that are shown', () => {
  const page = show();
  expect(actionsOf(page)).toEqual(['quantity', 'limitPrice', 'remove', 'quantity', 'remove', 'discard']);
  for (const form of formsOf(page)) {
    expect(form).toContain('method="post" action="/draft/handle"');
    expect(form).toContain('name="csrf" value="csrf-1"');
    expect(form).toContain('name="version" value="4"');
  }
});

test('a draft with one leg can be discarded, and its leg not be removed', () => {
  const page = show({ legs: sheetLegs.slice(0, 1) });
  expect(actionsOf(page)).toEqual(['quantity', 'limitPrice', 'discard']);
  expect(wordsOf(page)).toContain('This is the only order: discard the draft instead of removing it.');
});

test.each<[DraftSheet['phase'], string, boolean, (string | undefined)[]]>([
  ['pending_approval', 'Waiting for approval', true, ['stop']],
  ['sending', 'Being sent', true, ['stop']],
  ['waiting_for_fills', 'Being sent: buys wait for the fills of the sells', true, ['stop']],
  ['sent', 'Sent', false, []],
  ['discarded', 'Discarded', false, []],
  ['expired', 'Expired', false, []],
])(
  'the page in the phase %s is called %s; it reloads while something happens: %s',
  (phase, title, reloads, actions) => {
    const page = show({ phase, sent: sent({}) });
    expect(page).toContain(`<title>${title}: draft ${id}, 2 orders, LIVE</title>`);
    expect(page.includes('http-equiv="refresh"')).toBe(reloads);
    expect(actionsOf(page)).toEqual(actions);
  },
);

test('a draft that a person can edit does not reload, because typed text would be lost', () => {
  const page = show();
  expect(page).toContain(`<title>Not sent: draft ${id}, 2 orders, LIVE</title>`);
  expect(page).not.toContain('http-equiv="refresh"');
});

test('the line above the orders says that they pass, and which wait for the sells; a refused draft says it elsewhere', () => {
  const refused = { rule: 'cash', reason: 'NO CASH', leg: undefined, next: 'WAIT' } as unknown as NonNullable<
    DraftSheet['refused']
  >;
  const independent = { ...buyCard, ticket: { ...buyLeg, isDependent: false } };
  expect(captionOf(show({ legs: [independent] }))).toBe('It passes the rules now.');
  expect(captionOf(show({ legs: [independent], refused }))).toBeUndefined();
  expect(captionOf(show())).toBe('Every order passes the rules now. The buys wait for the sells.');
  expect(captionOf(show({ refused }))).toBe('The buys wait for the sells.');
  const third = { ...independent, number: 3 };
  expect(captionOf(show({ legs: [buyCard, sellCard, third] }))).toBe(
    'Every order passes the rules now. Order 1 waits for the sells.',
  );
  const four = show({ legs: [buyCard, sellCard, third, { ...buyCard, number: 4 }] });
  const said = 'Every order passes the rules now. Orders 1 and 4 wait for the sells. Open an order to change it.';
  expect(captionOf(four)).toBe(said);
});

test('a warning of two legs is above the cards with their numbers, and on none of them', () => {
  const warned = (leg: SheetLeg, number: number): SheetLeg => {
    const ticket = leg.ticket ?? buyLeg;
    return { ...leg, number, ticket: { ...ticket, ticket: { ...ticket.ticket, warnings: ['The market is closed.'] } } };
  };
  const [first, second] = sheetLegs as [SheetLeg, SheetLeg];
  const words = wordsOf(show({ legs: [first, warned(second, 2), warned(second, 3)] }));
  expect(words).toContain('Orders 2 and 3: The market is closed.');
  expect(words.split('The market is closed.')).toHaveLength(2);
});

test('the results name each order as it was in the version that was submitted', () => {
  const words = wordsOf(show({ phase: 'sending', sent: sent({ version: 3 }) }));
  // Version 3 has the sell first.
  expect(words).toContain('Being sent: version 3');
  expect(words).toMatch(
    / 1 SELL 3 × Apple Inc\. AAPL Market Waiting 2 BUY 1,250 × Brambleford Group plc QBRAM Limit 71\.25p \(£0\.7125\) , today only/,
  );
});

test('an outcome has the focus, except where a message has it', () => {
  const focused = '<h2 id="outcome" tabindex="-1" autofocus>';
  const sending = { phase: 'sending', sent: sent({}) } as const;
  expect(show(sending)).toContain(focused);
  const alert = { status: 409, title: 'TOO LATE', next: 'NEXT' };
  expect(show(sending, alert)).not.toContain(focused);
});

test.each<[string, Partial<SubmissionReport>, LegReport['outcome'], string, string]>([
  [
    'whose program has ended',
    { sender: 'gone' },
    'waiting',
    'bad',
    `Not being sent now: version 4 The program that sent the orders has ended. “brokerage-mcp drafts submit ${id}” in a terminal carries on, as does a server with trading that runs.`,
  ],
  [
    'that was stopped after its last order was placed',
    { outcome: 'stopped' },
    'placed',
    'good',
    'Sent: version 4 2 placed. Sending stopped, but every order is placed now.',
  ],
  [
    'that was stopped',
    { outcome: 'stopped' },
    'not_sent',
    'bad',
    'Stopped: version 4 0 placed, 2 not sent. Orders that were placed stay.',
  ],
])('an attempt %s says so', (_, change, outcome, tone, words) => {
  const report = sent({ ...change, legs: sent({}).legs.map((leg) => ({ ...leg, outcome })) });
  const page = show({ phase: 'sending', sent: report });
  expect(page).toContain(`<section class="card outcome ${tone}"`);
  expect(wordsOf(page)).toContain(words);
});

test('the title of a draft whose program has ended does not say that it is being sent', () => {
  const page = show({ phase: 'sending', sent: sent({ sender: 'gone' }) });
  expect(page).toContain(`<title>Not being sent now: draft ${id}, 2 orders, LIVE</title>`);
  expect(wordsOf(page)).toContain('Draft of 2 orders Not being sent now Version 4 , expires');
});

const day = 86_400_000;
const times = {
  now: Date.UTC(2026, 10, 20, 12),
  asOf: Date.UTC(2026, 10, 19, 9),
  expiresAt: Date.UTC(2026, 10, 25, 16),
};
const named = { ...sheet.draft, name: 'Monthly', createdAt: times.expiresAt - 7 * day, expiresAt: times.expiresAt };
const totals = {
  ...{ currency: 'GBP', bought: '890.63', sold: '512.40', unknownValues: 0, isFunded: true },
  ...{ charges: '4.45', cash: '1000', cashAfter: '617.32' },
};
const factsOf = (page: string, id: string) =>
  textOf({
    markup: new RegExp(`<section class="card" aria-labelledby="${id}">[\\s\\S]*?</section>`).exec(page)?.[0] ?? '',
  });
const aboutOf = (page: string) =>
  textOf({ markup: /<details class="about">[\s\S]*?<\/details>/.exec(page)?.[0] ?? '' });

test('the facts of a draft are folded at its end, each at its place, and the expiry is at its top', () => {
  const { now, asOf, expiresAt } = times;
  const id16 = ['About this draft', `Draft: ${id}`];
  const command = `To send it from a terminal: brokerage-mcp drafts submit ${id} --version 4`;
  const page = show({ draft: named, accountId: '4711', now, asOf });
  expect(aboutOf(page)).toEqual([
    ...id16,
    'Account: 4711',
    `Account read: ${toTime(asOf, now)}`,
    'Name: “Monthly”',
    command,
  ]);
  expect(wordsOf(page)).toContain(` Expires ${toTime(expiresAt, now)}.`);
  expect(aboutOf(show({ draft: named, now }))).toEqual([...id16, 'Account: not read now', 'Name: “Monthly”', command]);
  const unnamed = { ...named, name: undefined };
  expect(aboutOf(show({ draft: unnamed, accountId: '4711', now }))).toEqual([...id16, 'Account: 4711', command]);
  const ended = show({ phase: 'sent', draft: named, now });
  expect(wordsOf(ended)).toContain('Version 4 .');
  expect(aboutOf(ended)).not.toContain(command);
  const waiting = wordsOf(show({ phase: 'pending_approval', draft: named, now }));
  expect(waiting).toContain(`Version 4 , expires ${toTime(expiresAt, now)}.`);
});

test.each<[string, Partial<typeof totals>, readonly string[]]>([
  [
    'known',
    {},
    [
      'Buys: £890.63',
      'Sells: £512.40',
      'Cash if all are filled: £617.32 | now £1,000.00',
      'Charges: £4.45, estimated',
      'Enough cash: Yes, with a 2.0% margin',
    ],
  ],
  [
    'partly unknown',
    { charges: undefined, unknownValues: 1, isFunded: undefined } as never,
    [
      'Buys: at least £890.63',
      'Sells: at least £512.40',
      'Cash if all are filled: £617.32 | now £1,000.00, after the charges that are known',
      'Not in the sums: 1 order of unknown or assumed value',
      // 1,000 and 512.40, less 890.63, would leave 621.77.
      'Charges: at least £4.45, unknown for some orders',
      'Enough cash: Unknown',
    ],
  ],
  [
    'known but for the cash after it',
    { cashAfter: undefined } as never,
    [
      'Buys: £890.63',
      'Sells: £512.40',
      'Cash if all are filled: Unknown | now £1,000.00',
      'Charges: £4.45, estimated',
      'Enough cash: Yes, with a 2.0% margin',
    ],
  ],
  [
    'known but for the cash and the currency',
    { cash: undefined, cashAfter: undefined, currency: undefined, isFunded: false } as never,
    [
      'Buys: 890.63 in the account’s currency',
      'Sells: 512.40 in the account’s currency',
      'Cash if all are filled: Unknown',
      'Charges: 4.45 in the account’s currency, estimated',
      'Enough cash: No: the buys cost more than the cash and the sells',
    ],
  ],
])('the sums of a draft are %s', (_, change, expected) => {
  expect(factsOf(show({ totals: { ...totals, ...change } }), 'totals')).toEqual([
    `Together, estimated: ${expected[0]}`,
    ...expected.slice(1),
  ]);
});

test.each<[DraftSheet['method'], string]>([
  ['none', '. Orders need no approval here, so they leave then.'],
  ['page', ', then approve it here.'],
  ['terminal', ', then approve it in a terminal.'],
  ['elicitation', ', then approve it in the form that your program shows.'],
])('with the approval by %s, the next step is right below the title', (method, after) => {
  expect(wordsOf(show({ method }))).toContain(
    `Draft of 2 orders Not sent Ask your assistant to send version 4${after} `,
  );
});

test('a draft that was not sent says so, how to send it, and how many orders it has', () => {
  const words = wordsOf(show());
  expect(words).toContain('Draft of 2 orders Not sent Ask your assistant to send version 4');
  expect(words).toContain('It is closed for good. Orders that were placed stay.');
  expect(show()).toContain('<p id="changed"');
  expect(show()).not.toContain('<ul class="notes"></ul>');
});

// The rows of the orders would repeat the list of results, unless they have facts of the account.
test.each<[string, Partial<DraftSheet>, 'yes' | 'no', boolean, boolean]>([
  ['is open', {}, 'no', true, false],
  ['is being sent', { phase: 'sending', sent: sent({}) }, 'no', false, true],
  ['is being sent at another version', { phase: 'sending', sent: sent({ version: 3 }) }, 'no', true, true],
  ['waits, with facts of the account', { phase: 'pending_approval', sent: sent({}), totals }, 'no', true, true],
  ['was sent', { phase: 'sent', sent: sent({ outcome: 'done' }) }, 'yes', false, false],
  ['expired without being sent', { phase: 'expired' }, 'yes', true, false],
])('the page of a draft that %s', (_, change, done, hasCards, isSending) => {
  const page = show(change);
  expect(page).toContain(`data-done="${done}"`);
  expect(page.includes('<ol class="orders">')).toBe(hasCards);
  expect(wordsOf(page).includes('can be edited here')).toBe(isSending);
  expect(page.includes('<p id="changed"')).toBe(change.phase === undefined);
  expect(wordsOf(page).includes('Ask your assistant to send')).toBe(change.phase === undefined);
  expect(wordsOf(page).includes('To send it from a terminal')).toBe(change.phase === undefined);
});

test('a warning of all legs says so', () => {
  const warned = sheetLegs.map((one): SheetLeg => {
    const ticket = one.ticket ?? buyLeg;
    return { ...one, ticket: { ...ticket, ticket: { ...ticket.ticket, warnings: ['The market is closed.'] } } };
  });
  expect(wordsOf(show({ legs: warned }))).toContain('All orders: The market is closed.');
});

test('the page is loaded again when an order of the attempt gets its number', () => {
  const [leg] = sent({}).legs as [LegReport];
  const stateOf = (change: Partial<LegReport>) =>
    getDraftState({ draft: sheet.draft, phase: 'sending', sent: sent({ legs: [{ ...leg, ...change }] }) });
  const states = [{}, { orderId: '7' }, { orderId: '8' }, { outcome: 'placed' } as const].map(stateOf);
  expect(new Set(states).size).toBe(4);
});

test('an attempt shows its reason, its warnings, and the number of each order beside its own reason', () => {
  const [first, second] = sent({}).legs as [LegReport, LegReport];
  const reports: LegReport[] = [
    { ...first, outcome: 'placed', orderId: '7', intentId: 'i1' },
    { ...second, outcome: 'rejected', intentId: 'i2', reason: 'TOO SMALL' },
  ];
  const stopped = sent({ outcome: 'stopped', reason: 'LEG 2 FAILED', warnings: ['CLOSED', 'IN PENCE'], legs: reports });
  const words = wordsOf(show({ phase: 'sending', sent: stopped }));
  expect(words).toContain('Reason: LEG 2 FAILED');
  expect(words).toContain('CLOSED IN PENCE 1 of 2 orders placed; placed orders stay');
  expect(words).toContain('Placed order 7 2 SELL 3 × Apple Inc. AAPL Market Rejected by the broker TOO SMALL');
  expect(words).not.toContain('i2');
  const plain = show({ phase: 'sending', sent: sent({}) });
  expect(wordsOf(plain)).not.toContain('Reason:');
  expect(plain).not.toContain('<ul class="notes">');
});

/** The line of an order, then everything below it. */
const cardOf = (page: string, number: number) => {
  const row = rowsOf({ markup: page }).find(({ id: leg }) => leg === `leg-${number}`);
  return row ? [row.line, ...row.facts] : [];
};

test.each<[Partial<typeof buyLeg>, readonly string[]]>([
  [{ isPriceAssumed: true, isDependent: false }, ['The price that sized this order was assumed.']],
  [{ isPriceAssumed: false, isDependent: true }, ['It is sent after the sells are filled, which pay for it.']],
])('the card of a leg with %j has that note alone', (change, notes) => {
  const [first, second] = sheetLegs as [SheetLeg, SheetLeg];
  const [, ...lines] = cardOf(show({ legs: [{ ...first, ticket: { ...buyLeg, ...change } }, second] }), 1);
  expect(lines.filter((line) => /sized this order|after the sells/.test(line))).toEqual(notes);
});

test('the card of a leg has its value, its charges and its prices, in the currency of each', () => {
  const [, second] = sheetLegs as [SheetLeg, SheetLeg];
  const page = show({ legs: [{ ...second, charges: '1.25' }] });
  expect(cardOf(page, 2).slice(0, 14)).toEqual([
    '2. SELL 3 × Apple Inc. AAPL Market £512.40',
    'Type: Market: at the next available price, whatever it is',
    'Estimated proceeds: £512.40 | at the last price',
    'Last price: US$227.50',
    'Position: 10.5 → 7.5',
    'More about this order',
    'Extended hours: Yes, also outside regular hours',
    'Of the account: 2.4%',
    'Estimated charges: £1.25',
    'When drafted: US$230.00, down 1.0% since',
    'Ticker: AAPL_US_EQ',
    'ISIN: US0378331005',
    'Kind: Stock',
    'Currency: USD',
  ]);
  expect(page).not.toContain('class="notes"');
  const assumed = { ...sellLeg, isPriceAssumed: true };
  expect(cardOf(show({ legs: [{ ...second, ticket: assumed }] }), 2)).toContain(
    'The price that sized this order was assumed.',
  );
  expect(cardOf(show(), 1)).toContain(
    'Limit price: 71.25p (£0.7125) | Last price 75.00p (£0.75), the limit is 5.0% below it',
  );
  const unknown = { ...sellLeg, priceThen: undefined, priceNow: undefined };
  expect(cardOf(show({ legs: [{ ...second, ticket: unknown }] }), 2)).toEqual(
    expect.arrayContaining(['Estimated charges: unknown', 'When drafted: price unknown']),
  );
});

test('the forms of a leg begin with what it has, say what is accepted, and have labels of their own', () => {
  const forms = formsOf(show());
  const fields = forms.flatMap((form) => [
    ...form.matchAll(/<label for="([\w-]+)">(.*?)<\/label>\s*<input id="([\w-]+)" name="value" value="([\d.]+)"/g),
  ]);
  expect(
    fields.map(([, label, text = '', input, value]) => [label, text.replace(/<[^>]*>/g, ''), input, value]),
  ).toEqual([
    ['quantity-1', 'Quantity, below 1,250', 'quantity-1', '1250'],
    ['limitPrice-1', 'Limit price, below 71.25p (£0.7125)', 'limitPrice-1', '71.25'],
    ['quantity-2', 'Quantity, below 3', 'quantity-2', '3'],
  ]);
  const buttons = forms.map((form) => /<button[^>]*>([^<]*)<\/button>/.exec(form)?.[1]);
  expect(buttons).toEqual(['Lower', 'Lower', 'Remove order 1', 'Lower', 'Remove order 2', 'Discard']);
});

test('an order has the weight of its instrument before and after, and its target, once', () => {
  const weights = [
    { ticker: 'QBRAMl_EQ', before: '10', target: '25', after: '24.5724' },
    { ticker: 'AAPL_US_EQ', before: '30', target: undefined, after: '12' },
    { ticker: 'Bl_EQ', before: '30', target: '20', after: '30' },
    { ticker: 'C_EQ', before: '5', target: undefined, after: '5' },
  ];
  const page = show({ weights });
  expect(cardOf(page, 1)[0]).toMatch(/ Weight 10\.0% → 24\.6%, target 25\.0% £890\.63$/);
  expect(cardOf(page, 2)[0]).toMatch(/ Weight 30\.0% → 12\.0% £512\.40$/);
  expect(wordsOf(page).match(/24\.6%|12\.0%/g)).toHaveLength(2);
  expect(wordsOf(page)).toContain('Without an order now: B 30.0%, target 20.0%; C 5.0%.');
  expect(wordsOf(show({ weights: weights.slice(0, 2) }))).not.toContain('Without an order');
});

test('the line of an order has its value, known or assumed', () => {
  const [first, second] = sheetLegs as [SheetLeg, SheetLeg];
  const assumed = { price: '70', value: '875.00' };
  const estimate = { ...buyLeg.ticket.estimate, value: undefined, assumed };
  const ticket = { ...buyLeg, ticket: { ...buyLeg.ticket, estimate } };
  const page = show({ legs: [{ ...first, ticket }, second] });
  expect([cardOf(page, 1)[0], cardOf(page, 2)[0]]).toEqual([
    '1. BUY 1,250 × Brambleford Group plc QBRAM Limit 71.25p (£0.7125) price assumed £875.00 assumed',
    '2. SELL 3 × Apple Inc. AAPL Market £512.40',
  ]);
});

const [buyCard, sellCard] = sheetLegs as [SheetLeg, SheetLeg];
const refusal = { rule: 'max_order_value', reason: 'It is worth 890.63 GBP.' } as const;

const noticeOf = (page: string) => /<div class="alert bad">[\s\S]*?<\/div>/.exec(page)?.[0] ?? '';
const refusedAs = (change: Partial<NonNullable<DraftSheet['refused']>>) =>
  ({ ...refusal, leg: 1, next: 'FOR THE MODEL', ...change }) as NonNullable<DraftSheet['refused']>;
/** The draft whose first leg is refused. */
const refusedDraft = (change: Partial<NonNullable<DraftSheet['refused']>> = {}): Partial<DraftSheet> => ({
  legs: [{ ...buyCard, refusal: { ...refusal, ...change } }, sellCard],
  refused: refusedAs(change),
});

test('one button above the orders lowers the refused one to the quantity that would pass, and its row has none', () => {
  const page = show(refusedDraft({ largestQuantity: '1000' }));
  const [form = ''] = /<form[\s\S]*?<\/form>/.exec(noticeOf(page)) ?? [];
  for (const field of ['action" value="quantity', 'leg" value="1', 'value" value="1000', 'csrf" value="csrf-1'])
    expect(form).toContain(`name="${field}"`);
  expect(form).toContain('<button class="button" type="submit">Lower order 1 to 1,000 shares</button>');
  expect(page.match(/Lower order 1 to/g)).toHaveLength(1);
  expect(page).not.toContain('<details open><summary>Change or remove');
});

test('an order whose price is too far away has the fields for another one open, and no button above', () => {
  const page = show(refusedDraft({ rule: 'price_distance' }));
  expect(noticeOf(page)).not.toContain('<form');
  expect(noticeOf(page)).toContain('Change or remove orders here');
  expect(page.match(/<details open><summary>Change or remove/g)).toHaveLength(1);
});

test('where no quantity would pass, one button above the orders removes the refused one', () => {
  const page = show(refusedDraft());
  const [form = ''] = /<form[\s\S]*?<\/form>/.exec(noticeOf(page)) ?? [];
  for (const field of ['action" value="remove', 'leg" value="1']) expect(form).toContain(`name="${field}"`);
  expect(form).toContain('Remove order 1</button>');
  expect(page).not.toContain('<details open><summary>Change or remove');
});

test('another refused order has its own button in its row, and without one its changes are open', () => {
  const other = (largestQuantity?: string) =>
    show({
      ...refusedDraft(),
      legs: [
        { ...buyCard, refusal },
        { ...sellCard, refusal: { ...refusal, largestQuantity } },
      ],
    });
  expect(other('2')).toContain('Lower order 2 to 2 shares</button>');
  expect(other('2')).not.toContain('<details open><summary>Change or remove');
  expect(other()).not.toContain('Lower order');
  expect(other().match(/<details open><summary>Change or remove/g)).toHaveLength(1);
});

test.each([
  [undefined, ''],
  ['1000', ' The largest quantity is 1,000.'],
])(
  'the line of a refused leg says why; where nothing can be changed, also what would pass: %s',
  (largestQuantity, most) => {
    const change = refusedDraft({ largestQuantity });
    const line = 'Refused now. It is worth 890.63 GBP.';
    const page = show(change);
    expect(cardOf(page, 1)[0]).toMatch(/£890\.63 Refused now\. It is worth 890\.63 GBP\.$/);
    expect(page).toContain('<span class="caution bad"><b>Refused now.</b>');
    expect(cardOf(page, 2)[0]).not.toContain('Refused');
    const waits = show({ ...change, phase: 'pending_approval', totals });
    expect(cardOf(waits, 1)[0]).toMatch(new RegExp(`${line}${most}$`));
  },
);

test('the fields that change a refused order are open and first where its row has them; those of others are folded and last', () => {
  const page = show({ legs: [{ ...buyCard, refusal }, sellCard] });
  const [first = '', second = ''] = page.split('<li class="order"').slice(1);
  expect(first.match(/<details open><summary>Change or remove|class="figures"/g)).toEqual([
    '<details open><summary>Change or remove',
    'class="figures"',
  ]);
  expect(second.match(/<details(?: open)?><summary>Change or remove|class="figures"/g)).toEqual([
    'class="figures"',
    '<details><summary>Change or remove',
  ]);
});

const limits: RiskLimits = completeLimits('live', {
  ...{ maxOrderValue: '500', maxDayValue: '2000', maxOrderQuantity: '1200', maxPendingPerTicker: 3 },
  ...{ ordersPerMinute: 4, ordersPerHour: 1, ordersPerDay: 50 },
});

test.each<[NonNullable<DraftSheet['refused']>['rule'], string]>([
  ['max_order_value', 'is over the £500.00 limit per order.'],
  ['max_day_value', 'is over what is left of the £2,000.00 limit of 24 hours.'],
  ['max_order_quantity', 'is over the limit of 1,200 shares per order.'],
  ['pending_orders', 'is over the limit of 3 pending orders on one ticker.'],
  ['orders_per_minute', 'is over the limit of 4 orders per minute.'],
  ['orders_per_hour', 'is over the limit of 1 order per hour.'],
  ['orders_per_day', 'is over the limit of 50 orders per day.'],
  ['tickers', 'is refused: this ticker is not allowed.'],
])('the notice of a draft refused by %s names the order and the limit', (rule, title) => {
  const words = (change: Partial<DraftSheet>) => textOf({ markup: noticeOf(show({ limits, totals, ...change })) })[0];
  const rest = 'None of the draft would be sent.';
  expect(words(refusedDraft({ rule }))).toBe(`Order 1 ${title} ${rest}`);
  const [leg] = refusedDraft({ rule }).legs ?? [];
  expect(words({ ...refusedDraft({ rule }), legs: leg ? [leg] : [] })).toBe(`The order ${title} ${rest}`);
  // Without the limits, which were not read, the rule has its name.
  expect(words({ ...refusedDraft({ rule }), limits: undefined })).toBe(
    `Order 1 is refused: ${ruleTitles[rule]}. ${rest}`,
  );
  expect(noticeOf(show({ limits, ...refusedDraft({ rule }) }))).toContain('<a href="#leg-1">Order 1</a>');
});

test('a warning that one order has is on its line; that its prices are in pence is among its facts', () => {
  const ticket = { ...buyLeg.ticket, warnings: [...buyLeg.ticket.warnings, 'The market is closed.'] };
  const page = show({ legs: [{ ...buyCard, ticket: { ...buyLeg, ticket } }, sellCard] });
  expect(buyLeg.ticket.warnings).toEqual(['Prices of this instrument are in pence (GBX).']);
  expect(cardOf(page, 1)[0]).toContain('£890.63 The market is closed.');
  expect(cardOf(page, 2).join()).not.toContain('The market is closed.');
  expect(wordsOf(page)).not.toContain('Prices of this instrument');
  expect(cardOf(page, 1)).toContain('Currency: GBX prices in pence 100 GBX are 1 GBP');
});

test('the card of a leg has the other facts of its ticket, and the orders that are pending on its ticker', () => {
  const lines = cardOf(show(), 1);
  for (const line of [
    'Worst case: £908.44, with 2.0% for charges and exchange',
    'Valid: Until it is cancelled',
    'Of the account: 4.2%',
    '2 orders',
    'Ticker: QBRAMl_EQ',
    'ISIN: GB00QBRAM001',
    'Kind: Stock',
    'Currency: GBX prices in pence 100 GBX are 1 GBP',
  ])
    expect(lines).toContain(line);
  const other = cardOf(show(), 2);
  expect(other).toContain('Extended hours: Yes, also outside regular hours');
  expect(other.filter((line) => /^\d+ orders?$/.test(line))).toEqual([]);
});

test('a leg that was not compared with the account has the terms and prices of the draft alone', () => {
  const leg: DraftLeg = {
    type: 'STOP_LIMIT',
    ticker: 'A_EQ',
    side: 'SELL',
    quantity: '1500',
    stopPrice: '1200',
    limitPrice: '1100',
    timeValidity: 'GOOD_TILL_CANCEL',
  };
  const page = show({
    legs: [
      { number: 1, leg },
      { ...sellCard, ticket: undefined },
    ],
  });
  expect(cardOf(page, 1).slice(0, 3)).toEqual([
    '1. SELL 1,500 × A Stop limit, stop 1,200.00 in an unknown currency, limit 1,100.00 in an unknown currency, until it is cancelled',
    'Limit price: 1,100.00 in an unknown currency',
    'Stop price: 1,200.00 in an unknown currency',
  ]);
  expect(page).not.toContain('class="verdict');
  expect(wordsOf(page)).toContain('As they are in the draft.');
});

test('the results have the stop of an order beside its limit', () => {
  const leg: DraftLeg = {
    type: 'STOP_LIMIT',
    ticker: 'A_EQ',
    side: 'SELL',
    quantity: '5',
    stopPrice: '12',
    limitPrice: '11',
    timeValidity: 'DAY',
  };
  const versions = [{ draftId: id, version: 4, createdAt: 0, channel: 'tool', legs: [leg] } as const];
  const words = wordsOf(show({ phase: 'sending', sent: sent({}), versions, currencies: { A_EQ: 'USD' } }));
  expect(words).toContain('1 SELL 5 × A Stop limit, stop US$12.00 , limit US$11.00 , today only Waiting');
});

test('the limit of a sell is raised, as that of a buy is lowered', () => {
  const leg: DraftLeg = { ...legs[0], side: 'SELL' } as DraftLeg;
  const [, form = ''] = formsOf(show({ legs: [{ ...buyCard, leg }, sellCard] }));
  expect(form.replace(/<[^>]*>/g, '').trim()).toBe('Limit price, above 71.25p (£0.7125)\nRaise');
});

const refusedDraftBy = (rule: string, change: object = {}) =>
  ({ refused: { rule, reason: 'A REASON.', next: 'FOR THE MODEL', ...change } }) as unknown as Partial<DraftSheet>;

test.each<[Partial<DraftSheet>, readonly string[]]>([
  [{}, []],
  [{ problem: 'THE LIMIT IS USED UP.' }, ['The orders could not all be checked. THE LIMIT IS USED UP.']],
  // The row of this order has no reason, so it is here.
  [
    refusedDraftBy('cash', { leg: 2 }),
    [
      'Order 2 is refused. A REASON. None of the draft would be sent.',
      'Change or remove orders here, or ask your assistant for another plan.',
    ],
  ],
  [
    refusedDraftBy('cash'),
    [
      'The draft is refused. A REASON. None of the draft would be sent.',
      'Change or remove orders here, or ask your assistant for another plan.',
    ],
  ],
  [
    { ...refusedDraftBy('tickers', { leg: 1 }), legs: [{ ...buyCard, refusal: { rule: 'tickers', reason: 'R' } }] },
    [
      'The order is refused: this ticker is not allowed. None of the draft would be sent.',
      'Change it here, or ask your assistant for another plan.',
    ],
  ],
  // A change of the orders does not help.
  [
    refusedDraftBy('halted'),
    ['The draft is refused. A REASON. None of the draft would be sent.', '“brokerage-mcp resume” lifts the halt.'],
  ],
])('what is wrong with the draft is above its orders: %#', (change, expected) => {
  const page = show(change);
  const problem = /<p class="alert"><strong>[\s\S]*?<\/p>/.exec(page)?.[0] ?? '';
  expect(textOf({ markup: problem + noticeOf(page) })).toEqual(expected);
});

const captionOf = (page: string) =>
  textOf({ markup: /<h2 id="orders"[^>]*>[^<]*<\/h2>\s*<p class="soft">([\s\S]*?)<\/p>/.exec(page)?.[1] ?? '' })[0];
const draftRefused = { refused: { rule: 'cash', reason: 'NO CASH.', next: 'WAIT' } as DraftSheet['refused'] };

const waitLine = 'The buys wait for the sells.';
test.each<[string, readonly SheetLeg[], Partial<DraftSheet>, string]>([
  ['none is refused', sheetLegs, {}, `Every order passes the rules now. ${waitLine}`],
  ['the sum is refused', sheetLegs, draftRefused, waitLine],
  ['one is refused', [{ ...buyCard, refusal }, sellCard], {}, `1 of 2 orders is refused now. ${waitLine}`],
  // The notice names it.
  ['one is refused, and so is the draft', [{ ...buyCard, refusal }, sellCard], draftRefused, waitLine],
  [
    'both are',
    [
      { ...buyCard, refusal },
      { ...sellCard, refusal },
    ],
    draftRefused,
    `2 of 2 orders are refused now. ${waitLine}`,
  ],
  ['one was not compared', [buyCard, { ...sellCard, ticket: undefined }], {}, waitLine],
])('the line above the orders counts those that are refused: %s', (_, some, change, caption) => {
  expect(captionOf(show({ legs: some, ...change }))).toBe(caption);
});

test('an unknown value is called so, and a refused order is open', () => {
  const estimate = { ...buyLeg.ticket.estimate, value: undefined, currency: undefined };
  const unknown = { ...buyLeg, ticket: { ...buyLeg.ticket, estimate } };
  const page = show({
    legs: [
      { ...buyCard, ticket: unknown },
      { ...buyCard, number: 2, ticket: undefined },
    ],
  });
  expect(cardOf(page, 1)[0]).toMatch(/price assumed unknown$/);
  expect(cardOf(page, 2)[0]).toMatch(/today only unknown$/);
  const many = [1, 2, 3, 4].map((number) => ({ ...sellCard, number, ...(number === 3 ? { refusal } : {}) }));
  expect(rowsOf({ markup: show({ legs: many }) }).map(({ isOpen }) => isOpen)).toEqual([false, false, true, false]);
});

test('of many orders, a refused one is closed where the button above lowers it, and open otherwise', () => {
  const refusedTwo = (largestQuantity?: string): Partial<DraftSheet> => ({
    legs: [1, 2, 3, 4].map((number) => ({
      ...sellCard,
      number,
      ...(number > 2 ? { refusal: { ...refusal, largestQuantity } } : {}),
    })),
    refused: refusedAs({ leg: 3, largestQuantity }),
  });
  const opened = (change: Partial<DraftSheet>) => rowsOf({ markup: show(change) }).map(({ isOpen }) => isOpen);
  expect(opened(refusedTwo('2'))).toEqual([false, false, false, true]);
  expect(opened({ ...refusedTwo(), refused: undefined })).toEqual([false, false, true, true]);
});

test('the sums of a draft of one order are among its facts, each once', () => {
  const page = show({
    legs: [{ ...buyCard, charges: '4.45' }],
    totals: { ...totals, sold: '0.00', cashAfter: '104.92' },
  });
  expect(page).not.toContain('aria-labelledby="totals"');
  expect(cardOf(page, 1).filter((line) => /^(?:Cash|Charges|Estimated|Enough|Position)/.test(line))).toEqual([
    'Estimated cost: £890.63',
    'Cash after: £104.92 | now £1,000.00',
    'Position: 400 → 1,650',
    'Charges: £4.45, estimated',
    'Enough cash: Yes, with a 2.0% margin',
  ]);
  expect(show({ totals })).toContain('aria-labelledby="totals"');
});

test('each order is on the page once, also where it has weights', () => {
  const weights = [{ ticker: 'QBRAMl_EQ', before: '10', target: '25', after: '24.5724' }];
  expect(wordsOf(show({ weights, totals })).split('Brambleford Group plc')).toHaveLength(2);
});

test('what became of an earlier version is folded beside the orders that are left', () => {
  const stopped = sent({ version: 3, outcome: 'stopped' });
  expect(show({ sent: stopped })).toContain('<summary>What became of each order</summary>');
  expect(show({ phase: 'sending', sent: sent({}) })).not.toContain('What became of each order');
});

test('an attempt that is being sent is not called sent when every order is placed', () => {
  const placed = sent({ legs: sent({}).legs.map((leg) => ({ ...leg, outcome: 'placed' })) });
  const words = wordsOf(show({ phase: 'sending', sent: placed }));
  expect(words).toContain('Being sent: version 4 The orders are sent one after the other.');
  expect(words).toContain('This page updates automatically.');
  expect(words).toContain('2 of 2 orders placed; placed orders stay');
});

test('the result of an order has its colour, and what stopped it instead of a reason', () => {
  const outcomes = ['placed', 'rejected', 'unknown', 'waiting'] as const;
  const reports: LegReport[] = outcomes.map((outcome, index) => ({ leg: index + 1, order: 'LEG', outcome }));
  const stopped: LegReport = {
    leg: 5,
    order: 'LEG',
    outcome: 'not_sent',
    unsentBecause: 'stopped',
    reason: 'A REASON',
  };
  const page = show({ phase: 'sent', sent: sent({ outcome: 'stopped', legs: [...reports, stopped] }) });
  expect([...page.matchAll(/class="result (\w*)">([^<]*)</g)].map(([, tone, label]) => [tone, label])).toEqual([
    ['good', 'Placed'],
    ['bad', 'Rejected by the broker'],
    ['care', 'Unknown: the order may be live'],
    ['wait', 'Waiting'],
    ['wait', 'Not sent (you stopped)'],
  ]);
  expect(page).not.toContain('A REASON');
  expect(wordsOf(page)).not.toContain('This page updates automatically.');
});

const version = (change: Partial<DraftVersion>): DraftVersion => ({
  ...{ draftId: id, version: 4, createdAt: 0, channel: 'page', legs },
  ...change,
});

test.each<[NonNullable<DraftVersion['edit']>, string, RegExp]>([
  [
    { kind: 'quantity', leg: 1, quantity: '1000' },
    'Order 1, BUY Brambleford Group plc: quantity 1,250 → 1,000, saved as version 4.',
    /id="leg-1"><details open>\s*<summary>[\s\S]*?<\/summary>\s*<div class="order-facts">\s*<p id="saved"/,
  ],
  [
    { kind: 'limitPrice', leg: 1, limitPrice: '70.5' },
    'Order 1, BUY Brambleford Group plc: limit price 71.25p → 70.50p, saved as version 4.',
    /id="leg-1"><details open>\s*<summary>[\s\S]*?<\/summary>\s*<div class="order-facts">\s*<p id="saved"/,
  ],
  [
    { kind: 'remove', leg: 2 },
    'Order 2 removed: SELL 3 × Apple Inc. AAPL, saved as version 4.',
    /<p id="saved"[\s\S]*id="orders"/,
  ],
])('after the edit %j the page says what it saved, where the person is', (edit, text, place) => {
  const saved = version({ edit });
  const page = show({ versions: [version({ version: 3, channel: 'tool' }), saved] }, undefined, saved);
  const notices = page.match(/<p id="saved" class="alert good" role="status" tabindex="-1">[\s\S]*?<\/p>/g) ?? [];
  expect(notices.map((markup) => textOf({ markup })[0])).toEqual([text]);
  expect(page).toMatch(place);
  expect(show()).not.toContain('id="saved"');
});

const waiting = (approval: Partial<NonNullable<SubmissionReport['approval']>>) =>
  show({
    phase: 'pending_approval',
    sent: sent({
      outcome: 'pending_approval',
      approval: {
        method: 'page',
        how: 'FOR THE MODEL',
        secondsLeft: 9,
        expiresAt: '',
        totals: {} as never,
        ...approval,
      },
    }),
  });

test('a draft that waits on the approval page leads there with a link, which carries the address alone', () => {
  const page = waiting({ address: 'http://127.0.0.1:9/approve/handle' });
  expect(page.match(/<a class="button" [^>]*>[^<]*<\/a>/g)).toEqual([
    '<a class="button" href="http://127.0.0.1:9/approve/handle">Go to the approval</a>',
  ]);
  expect(wordsOf(page)).toContain('It shows every order again, and asks for your passphrase.');
  expect(actionsOf(page)).toEqual(['stop']);
  expect(page).not.toContain('FOR THE MODEL');
});

test.each<[Partial<NonNullable<SubmissionReport['approval']>>, string]>([
  [{}, 'The approval page is not available now: decide with'],
  [{ method: 'terminal' }, 'Decide with'],
  [{ method: 'elicitation' }, 'Decide in the form that your program shows, or with'],
])('a draft that waits elsewhere (%j) says where to decide', (approval, how) => {
  const page = waiting(approval);
  expect(wordsOf(page)).toContain(`Nothing has been sent. ${how} brokerage-mcp drafts submit ${id} in a terminal.`);
  expect(page).not.toContain('Go to the approval');
});

test('only a draft that waits leads to its approval', () => {
  const approval = { method: 'page', how: '', secondsLeft: 0, expiresAt: '', totals: {} as never } as const;
  const page = show({ phase: 'expired', sent: sent({ outcome: 'expired', approval: { ...approval, address: 'X' } }) });
  expect(page).not.toContain('Go to the approval');
});

test('a refused draft is called so, and does not say how it is sent', () => {
  const page = show(draftRefused);
  expect(wordsOf(page)).toContain('Draft of 2 orders Refused now Version 4 , expires');
  expect(page).toContain('<span class="state bad">Refused now</span>');
  expect(wordsOf(page)).not.toContain('Ask your assistant to send');
  const waiting = show({
    ...draftRefused,
    phase: 'pending_approval',
    sent: sent({ outcome: 'pending_approval' }),
    totals,
  });
  expect(waiting).toContain('<span class="state care">Waiting for approval</span>');
  expect(wordsOf(waiting)).not.toContain('for another plan');
  expect(actionsOf(waiting)).toEqual(['stop']);
});
