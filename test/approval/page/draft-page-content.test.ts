/** What the page of a draft says in each of its states, without a server. */
import { expect, test } from 'vitest';
import { draftPage } from '../../../src/approval/page/draft-page.ts';
import type { DraftLeg } from '../../../src/drafting/book/draft.ts';
import type { DraftSheet, SheetLeg } from '../../../src/drafting/draft-sheet.ts';
import type { LegReport, SubmissionReport } from '../../../src/drafting/submission/describe-submission.ts';
import { buyLeg, sellLeg } from './draft-ticket-support.ts';

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

const show = (change: Partial<DraftSheet> = {}, alert?: { status: number; title: string; next: string }) =>
  draftPage({ ...sheet, ...change }, { path: '/draft/handle', csrf: 'csrf-1', alert }).markup;

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
  expect(wordsOf(page)).toContain('This is the only leg: discard the draft instead of removing it.');
});

test.each<[DraftSheet['phase'], string, boolean, (string | undefined)[]]>([
  ['pending_approval', 'Waiting for approval', true, ['stop', 'discard']],
  ['sending', 'Being sent', true, ['stop', 'discard']],
  ['waiting_for_fills', 'Being sent: buys wait for the fills of the sells', true, ['stop', 'discard']],
  ['sent', 'Sent', false, []],
  ['discarded', 'Discarded', false, []],
  ['expired', 'Expired', false, []],
])(
  'the page in the phase %s is called %s; it reloads while something happens: %s',
  (phase, title, reloads, actions) => {
    const page = show({ phase, sent: sent({}) });
    expect(page).toContain(`<title>${title}: draft ${id}, 2 legs, LIVE</title>`);
    expect(page.includes('http-equiv="refresh"')).toBe(reloads);
    expect(actionsOf(page)).toEqual(actions);
  },
);

test('a draft that a person can edit does not reload, because typed text would be lost', () => {
  const page = show();
  expect(page).toContain(`<title>Not sent: draft ${id}, 2 legs, LIVE</title>`);
  expect(page).not.toContain('http-equiv="refresh"');
});

test('a refused draft says on the card of each leg that passes that it passes alone', () => {
  const refused = { rule: 'cash', reason: 'NO CASH', leg: undefined, next: 'WAIT' } as unknown as NonNullable<
    DraftSheet['refused']
  >;
  expect(wordsOf(show({ refused })).match(/Passes the rules on its own; the draft is refused\./g)).toHaveLength(2);
  expect(wordsOf(show()).match(/Passes the rules now\./g)).toHaveLength(2);
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
    / 1 SELL 3 × AAPL_US_EQ Market Waiting 2 BUY 1 250 × QBRAMl_EQ Limit, today only, limit 71\.25/,
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
