/** What the page of a draft that waits for approval shows, polls for and decides. */
import { expect, test } from 'vitest';
import { type DraftDecisions, draftSubject } from '../../../../src/features/drafts/page/draft-approval-page.ts';
import type { ShownDraftTicket } from '../../../../src/features/drafts/submission/draft-approvals.ts';
import { noDrafts } from '../../../core/approval/page/support.ts';
import { twoLegs } from './draft-ticket-support.ts';

const waiting: ShownDraftTicket = {
  ticket: twoLegs,
  digest: 'digest-of-two-legs',
  secondsLeft: 118,
  wrongPassphrases: undefined,
  report: {
    submissionId: twoLegs.submissionId,
    draftId: twoLegs.draftId,
    version: 3,
    outcome: 'pending_approval',
    message: 'FOR THE MODEL',
    next: 'FOR THE MODEL',
    endsAt: '2026-11-20T15:15:00.000Z',
    warnings: [],
    legs: [
      { leg: 1, order: 'BUY 1250 × QBRAMl_EQ', outcome: 'waiting' },
      { leg: 2, order: 'SELL 3 × AAPL_US_EQ', outcome: 'waiting' },
    ],
  },
};

const withReport = (change: Partial<ShownDraftTicket['report']>, secondsLeft = 0): ShownDraftTicket => ({
  ...waiting,
  secondsLeft,
  report: { ...waiting.report, ...change },
});

const form = {
  action: 'approve',
  csrf: 'token',
  digest: 'digest-on-the-page',
  passphrase: 'as typed ',
  passkey: '',
  seen: 2,
};
const answering = { path: '/approve/handle', csrf: 'csrf-1', alert: undefined };

test('a draft that waits is bound by its digest, has a form, and can be approved, rejected or stopped', () => {
  const { digest, hasForm, status, actions } = draftSubject(noDrafts, waiting);
  expect({ digest, hasForm, status, actions }).toEqual({
    digest: 'digest-of-two-legs',
    hasForm: true,
    status: {
      state: 'pending_approval',
      message: 'The orders are waiting for your decision; nothing has been sent.',
      secondsLeft: 118,
      done: false,
    },
    actions: ['approve', 'reject', 'stop'],
  });
});

test.each<[string, ShownDraftTicket, boolean, boolean]>([
  ['whose time is over has no form', withReport({}), false, false],
  ['that is being sent has a form, to stop it', withReport({ outcome: 'sending' }), true, false],
  ['that waits for fills has a form, to stop it', withReport({ outcome: 'waiting_for_fills' }), true, false],
  [
    'whose orders are all placed is done',
    withReport({ outcome: 'done', legs: waiting.report.legs.map((leg) => ({ ...leg, outcome: 'placed' })) }),
    false,
    true,
  ],
])('a draft %s', (_, draft, hasForm, done) => {
  const subject = draftSubject(noDrafts, draft);
  expect([subject.hasForm, subject.status.done]).toEqual([hasForm, done]);
});

test('each decision is for this submission, by the page; an approval with what was shown and typed', async () => {
  const calls: unknown[] = [];
  const note =
    (name: string) =>
    async (answer: unknown): Promise<{ kind: 'not_waiting' }> => {
      calls.push({ [name]: answer });
      return { kind: 'not_waiting' };
    };
  const drafts: DraftDecisions = {
    ...noDrafts,
    approve: note('approve'),
    reject: note('reject'),
    stop: note('stop'),
  };
  const { decide } = draftSubject(drafts, waiting);
  for (const action of ['approve', 'reject', 'stop'] as const) await decide(action, form);
  const submissionId = '5'.repeat(32);
  expect(calls).toEqual([
    {
      approve: {
        submissionId,
        digest: 'digest-on-the-page',
        passphrase: 'as typed ',
        channel: 'page',
        seen: 2,
      },
    },
    { reject: { submissionId, channel: 'page' } },
    { stop: { submissionId, channel: 'page' } },
  ]);
});

test('a locked page names the command that unlocks it for this draft', () => {
  expect(draftSubject(noDrafts, waiting).describeRefusal({ kind: 'locked' })).toEqual({
    status: 403,
    title: 'This page is locked: too many wrong passphrases.',
    next: `Run “brokerage-mcp drafts submit ${'d'.repeat(16)}” in a terminal: entering the correct passphrase there approves the orders and unlocks this page. You can still reject.`,
  });
});

const render = (draft: ShownDraftTicket) => draftSubject(noDrafts, draft).render(answering).markup;

test('the page that asks has the environment and the question as its title, and a button that says what it sends', () => {
  const page = render(waiting);
  expect(page).toContain('<title>Approve? 2 orders, LIVE</title>');
  expect(page).toContain('<button class="button" type="submit">Approve and send all 2 orders</button>');
  expect(page).toContain('<input type="hidden" name="digest" value="digest-of-two-legs"');
  // What a person types would be lost.
  expect(page).not.toContain('http-equiv="refresh"');
});

test('a page without a question has the outcome as its title, and reloads until nothing can change', () => {
  const sending = render(withReport({ outcome: 'sending' }));
  expect(sending).toContain('<title>Being sent: 2 orders, LIVE</title>');
  expect(sending).toContain('<meta http-equiv="refresh" content="3">');
  const declined = render(withReport({ outcome: 'declined' }));
  expect(declined).toContain('<title>Rejected: 2 orders, LIVE</title>');
  expect(declined).not.toContain('http-equiv="refresh"');
});
