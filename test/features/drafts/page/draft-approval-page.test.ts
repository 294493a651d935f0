/** The page on which all orders of a draft are approved at once, in each of its states, without a server. */
import { expect, test } from 'vitest';
import { draftApprovalPage } from '../../../../src/features/drafts/page/draft-approval-page.ts';
import type { ShownDraftTicket } from '../../../../src/features/drafts/submission/draft-approvals.ts';
import { buyLeg, rowsOf, sellLeg, textOf, twoLegs, waitingDraft } from './draft-ticket-support.ts';

type Report = Partial<ShownDraftTicket['report']>;
const alert = { status: 403, title: 'WRONG', next: 'AGAIN' };
const show = (change: Partial<ShownDraftTicket> = {}, report: Report = {}, told?: typeof alert) =>
  draftApprovalPage(
    { ...waitingDraft, ...change, report: { ...waitingDraft.report, ...report } },
    { path: '/approve/handle', csrf: 'csrf-1', alert: told },
  ).markup;
const dataOf = (page: string) =>
  ['state', 'seconds', 'open', 'done'].map((name) => new RegExp(`data-${name}="([^"]*)"`).exec(page)?.[1]);

test.each<[string, number, Report, (string | undefined)[], string, boolean]>([
  ['waits', 118, {}, ['pending_approval', '118', 'yes', 'no'], 'Approve? 2 orders, LIVE', false],
  ['is being sent', 0, { outcome: 'sending' }, ['sending', '0', 'no', 'no'], 'Being sent: 2 orders, LIVE', true],
  [
    'is being sent before its time is over',
    5,
    { outcome: 'sending' },
    ['sending', '5', 'no', 'no'],
    'Being sent: 2 orders, LIVE',
    true,
  ],
  ['is done', 0, { outcome: 'done', legs: [] }, ['done', '0', 'no', 'yes'], 'All orders placed: 2 orders, LIVE', false],
])('a draft that %s tells the script of the page, and its title', (_, secondsLeft, report, data, title, reloads) => {
  const page = show({ secondsLeft }, report);
  expect(dataOf(page)).toEqual(data);
  expect(/<title>(.*)<\/title>/.exec(page)?.[1]).toBe(title);
  expect(page.includes('http-equiv="refresh"')).toBe(reloads);
  expect(page.includes('value="approve"')).toBe(data[2] === 'yes');
});

test.each<[Partial<typeof twoLegs.totals>, string, string, string]>([
  [{}, 'Buys: £890.63 | at worst £908.44', 'Sells: £512.40', 'Cash if all are filled: £23,819.67 | now £24,202.35'],
  [
    { unknownValues: 1, cash: { before: '24202.35', after: undefined } },
    'Buys: at least £890.63 | at worst £908.44',
    'Sells: at least £512.40',
    'Cash if all are filled: Unknown | now £24,202.35',
  ],
  [
    { currency: undefined, cash: undefined },
    'Buys: 890.63 in the account’s currency | at worst 908.44 in the account’s currency',
    'Sells: 512.40 in the account’s currency',
    'Cash if all are filled: Unknown',
  ],
])('the top has buys, sells and the cash: with %j', (change, ...lines) => {
  const ticket = { ...twoLegs, totals: { ...twoLegs.totals, ...change } };
  const [top = ''] = /<dl class="figures">[\s\S]*?<\/dl>/.exec(show({ ticket })) ?? [];
  expect(textOf({ markup: top })).toEqual(lines);
});

test('of more orders than are open, all are said to be below the sums', () => {
  const said = 'Sent within 15 minutes of the approval.';
  expect(show()).toContain(`<p class="soft">${said}</p>`);
  const [leg] = twoLegs.legs;
  const legs = [1, 2, 3, 4].map((number) => ({ ...leg, number })) as unknown as typeof twoLegs.legs;
  const page = show({ ticket: { ...twoLegs, legs } });
  expect(page).toContain(`<p class="soft">${said} All 4 are below.</p>`);
  expect(page).toContain('Open an order to see all of it.');
});

test('the result of each order has its number at the broker, or the reason for which it has none', () => {
  const legs = [
    { leg: 1, order: 'LEG 1', outcome: 'rejected', intentId: 'i1', reason: 'TOO SMALL' },
    { leg: 2, order: 'LEG 2', outcome: 'placed', intentId: 'i2', orderId: '77' },
  ] as const;
  const page = show({ secondsLeft: 0 }, { outcome: 'stopped', reason: 'LEG 1 FAILED', legs });
  const lines = textOf({ markup: page });
  expect(rowsOf({ markup: page }).map(({ line }) => line)).toEqual([
    '2. SELL 3 × Apple Inc. AAPL Market Placed 77 £512.40',
    '1. BUY 1,250 × Brambleford Group plc QBRAM Limit 71.25p (£0.7125) price assumed 2 pending orders on it Rejected by the broker TOO SMALL £890.63',
  ]);
  expect(lines).toContain('Stopped:');
  expect(lines).toContain('Reason: LEG 1 FAILED');
  expect(page).not.toContain('<code></code>');
});

test('a form that stops has the token and the digest that were shown', () => {
  const [form = ''] = show({ secondsLeft: 0 }, { outcome: 'sending' }).match(/<form[\s\S]*?<\/form>/) ?? [];
  expect(form).toContain('method="post" action="/approve/handle"');
  for (const field of ['action" value="stop', 'csrf" value="csrf-1', 'digest" value="digest-1', 'seen" value="0'])
    expect(form).toContain(`name="${field}"`);
});

test('a locked page names the command with the draft, and has no field for the passphrase', () => {
  const wrongPassphrases = { count: 5, lastAt: 0, locked: ['page'] as const };
  const page = show({ wrongPassphrases });
  expect(page).toContain(`drafts submit ${twoLegs.draftId}`);
  expect(page).not.toContain('value="approve"');
  expect(show({ wrongPassphrases }, {}, alert)).not.toContain(`drafts submit ${twoLegs.draftId}`);
});

test.each([
  [twoLegs.legs, 'Approve 2 orders?', 'Approve and send all 2 orders'],
  [twoLegs.legs.slice(1), 'Approve 1 order?', 'Approve and send the order'],
])('the button says how many orders it sends: %#', (legs, title, button) => {
  const page = show({ ticket: { ...twoLegs, legs } });
  expect(page).toContain(`<h1>${title}</h1>`);
  expect(page).toContain(`<button class="button" type="submit">${button}</button>`);
});

test('wrong passphrases and a message are shown above the orders, each alone', () => {
  const wrongPassphrases = { count: 2, lastAt: 0, locked: [] };
  const wrong = textOf({ markup: show({ wrongPassphrases }) });
  expect(wrong).toContainEqual(expect.stringMatching(/^2 wrong passphrases since you last approved/));
  expect(wrong).not.toContain('WRONG AGAIN');
  const told = show({}, {}, alert);
  expect(textOf({ markup: told })).toContain('WRONG AGAIN');
  expect(told).not.toContain('wrong passphrases');
  expect(told).toContain('value="approve"');
  for (const page of [told, show({ wrongPassphrases })])
    expect(page.indexOf('class="alert')).toBeLessThan(page.indexOf('class="figures"'));
});

test('where it can no longer be decided, a message has the focus, and without one the outcome has it', () => {
  const focused = '<h2 id="outcome" tabindex="-1" autofocus>';
  const told = show({ secondsLeft: 0 }, { outcome: 'done' }, alert);
  expect(textOf({ markup: told })).toContain('WRONG AGAIN');
  expect(told).not.toContain(focused);
  const page = show({ secondsLeft: 0 }, { outcome: 'done' });
  expect(page).toContain(focused);
  expect(page).not.toContain('Reason:');
  expect(page).not.toContain('class="alert" role="alert"');
});

test('what happens in all comes first, then each order once, then the decision', () => {
  const page = show();
  const places = ['<h1>', 'class="figures"', 'class="orders"', 'name="passphrase"'];
  const found = places.map((place) => page.indexOf(place));
  expect(found).not.toContain(-1);
  expect(found).toEqual(found.toSorted((a, b) => a - b));
  expect(page.split('Brambleford Group plc</bdi> <bdi class="ticker">')).toHaveLength(2);
  expect(textOf({ markup: page }).filter((line) => /^(?:Buys|Sells|Charges|Cash if)/.test(line))).toHaveLength(4);
});

test('warnings come before the sums, and are not shown of what was decided', () => {
  const page = show({
    ticket: { ...twoLegs, legs: [{ ...sellLeg, ticket: { ...sellLeg.ticket, warnings: ['SLOW'] } }, buyLeg] },
  });
  expect(page.indexOf('Order 2: SLOW')).toBeGreaterThan(0);
  expect(page.indexOf('Order 2: SLOW')).toBeLessThan(page.indexOf('class="figures"'));
  expect(show({ secondsLeft: 0 }, { outcome: 'done' })).not.toContain('class="notes"');
});

test.each([
  [0, '<details class="folded"><summary>', 'Charges £4.45, largest order 4.2% of the account'],
  [2, '<details class="folded" open><summary>', 'Charges £4.45, largest order at least 4.2% of the account'],
])('the largest instrument is folded, but not a value that is unknown: %i of them', (unknownValues, start, summary) => {
  const page = show({ ticket: { ...twoLegs, totals: { ...twoLegs.totals, unknownValues } } });
  expect(page).toContain(start);
  expect(textOf({ markup: page })).toContain(summary);
});

test('what was decided has the results first, and the facts of the orders folded', () => {
  const page = show({ secondsLeft: 0 }, { outcome: 'sending' });
  const places = ['id="outcome"', 'class="orders"', 'class="figures"'];
  const found = places.map((place) => page.lastIndexOf(place));
  expect(found).not.toContain(-1);
  expect(found).toEqual(found.toSorted((a, b) => a - b));
  expect(page).not.toContain('<details open>');
});

test('the approval of one order has each of its sums once, decided or not', () => {
  const ticket = { ...twoLegs, legs: twoLegs.legs.slice(1) };
  for (const page of [show({ ticket }), show({ ticket, secondsLeft: 0 }, { outcome: 'done' })]) {
    expect(page).not.toContain('class="card sums"');
    expect(page.split('£23,819.67')).toHaveLength(2);
    expect(page.split('£4.45')).toHaveLength(2);
  }
  expect(show()).toContain('class="card sums"');
});

test('one order is called so, and the page says that the approval is for it', () => {
  const page = show({ ticket: { ...twoLegs, legs: twoLegs.legs.slice(0, 1) } });
  expect(textOf({ markup: page })).toContain('The order:');
  expect(page).toContain('for exactly this order');
});

test('the id of the draft comes after everything that a person decides by', () => {
  for (const page of [show(), show({ secondsLeft: 0 }, { outcome: 'done' })]) {
    const words = /<main[\s\S]*<\/main>/.exec(page)?.[0] ?? '';
    expect(words.lastIndexOf('class="orders"')).toBeGreaterThan(0);
    expect(words.indexOf(twoLegs.draftId)).toBeGreaterThan(words.lastIndexOf('class="orders"'));
  }
});
