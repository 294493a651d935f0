/** The decisions of a person about a draft that waits: what is stored, and when nothing is. */
import { describe, expect, test } from 'vitest';
import type { PassphraseCheck, Security } from '../../../../src/core/approval/enrollment/enrollment.ts';
import { type ApprovalMethod, withFormSent } from '../../../../src/core/orders/intent/approval-methods.ts';
import { createDraftApprovals } from '../../../../src/features/drafts/submission/draft-approvals.ts';
import type { Submission, SubmissionChange } from '../../../../src/features/drafts/submission/submission.ts';
import { approvalCases } from '../../../core/approval/support.ts';
import { makeIntent, paper } from '../../../core/orders/risk/example-account.ts';
import { createManualClock } from '../../../support/manual-clock.ts';
import { openStore, type Stored } from './attempts.ts';
import { draftLeg, notHeld } from './legs-to-check.ts';
import { expiresAt, startAt, total, twoLegs, type WaitingOptions, waitingDraft } from './waiting-draft.ts';

const passphrase = 'only the owner knows this';
const processes = { self: 'test', isAlive: () => true };

interface DeskOptions extends WaitingOptions {
  /** The approval in force here. */
  readonly configured?: ApprovalMethod | 'none';
  readonly stored?: Stored;
  /** What another process does while the passphrase is checked. */
  readonly meanwhile?: (tx: SubmissionChange) => Promise<unknown>;
}

/** A desk with a draft that waits as `s1`. */
async function openDesk({ configured = 'none', stored = {}, meanwhile, ...options }: DeskOptions = {}) {
  const clock = createManualClock({ startAt });
  const waiting = waitingDraft(options);
  const rows = {
    ...waiting,
    ...stored,
    submissions: [...waiting.submissions, ...(stored.submissions ?? [])],
    legs: [...waiting.legs, ...(stored.legs ?? [])],
  };
  const store = await openStore(clock.now, rows);
  const checks: unknown[] = [];
  const check: Security['check'] = async (...given): Promise<PassphraseCheck> => {
    checks.push(given);
    if (meanwhile) await store.change(meanwhile);
    return given[0] === passphrase ? { kind: 'right' } : { kind: 'too_soon', retryAfterSeconds: 2 };
  };
  const security: Security = {
    check,
    enrolment: async () => undefined,
    enrol: async () => ({ clients: 0, passkeys: 0 }),
  };
  const settings = { origin: undefined, liveTrading: true, approval: configured, haltFile: () => false };
  const approvals = createDraftApprovals({ store, clock, processes, security, settings, limits: async () => paper });
  const { submission } = waiting;
  return {
    approvals,
    clock,
    store,
    checks,
    submission,
    approve: (change: object = {}) =>
      approvals.approve({
        submissionId: 's1',
        digest: submission.approval.digest,
        passphrase,
        channel: 'page',
        ...change,
      }),
    confirm: (change: object = {}) =>
      approvals.confirm({ nonce: submission.approval.nonce, confirmLegs: '2', confirmTotal: total, ...change }),
    find: () => store.read((tx) => tx.findSubmission('s1')),
    lastNote: async () => (await store.audit.last(1))[0],
  };
}

/** As it is read after it was stored. */
const stored = (submission: Submission) => JSON.parse(JSON.stringify(submission)) as Submission;

const alterState = (state: Submission['state']) => ({ change: () => ({ state }) });
const withoutApproval: WaitingOptions = { change: () => ({ approval: undefined }) };
/** Everything that is too late for a decision. */
const tooLate: [string, DeskOptions, number][] = [
  ['that is being sent', alterState('sending'), 0],
  ['that was sent', alterState('done'), 0],
  ['that was declined', alterState('declined'), 0],
  ['that expired', alterState('expired'), 0],
  ['that was stopped', alterState('stopped'), 0],
  ['that needs no approval', withoutApproval, 0],
  ['whose time is over', {}, expiresAt - startAt],
];
/** Another process changed the version of the draft in the store. */
const otherLegs: Stored = {
  versions: [
    {
      draftId: 'd1',
      version: 1,
      createdAt: startAt,
      channel: 'tool',
      legs: [draftLeg({ quantity: '11' }), ...twoLegs.slice(1)],
    },
  ],
};

describe('the owner approves with the passphrase', () => {
  test('and the legs can be sent for 15 minutes from then', async () => {
    const { approve, clock, find, submission, checks, lastNote } = await openDesk();
    await clock.advance(30_000);
    const approvedAt = startAt + 30_000;
    expect(await approve({ seen: 3 })).toEqual({ kind: 'approved' });
    expect(checks).toEqual([[passphrase, 'page', 3]]);
    expect(await find()).toEqual(
      stored({
        ...submission,
        state: 'sending',
        endsAt: approvedAt + 15 * 60_000,
        approval: { ...submission.approval, approvedAt, by: 'page' },
      }),
    );
    expect(await lastNote()).toMatchObject({
      at: approvedAt,
      environment: 'sandbox',
      kind: 'submission',
      data: { submissionId: 's1', draftId: 'd1', version: 1, state: 'sending', by: 'page' },
    });
  });

  test('until the last millisecond of the time', async () => {
    const { approve, clock } = await openDesk();
    await clock.advance(expiresAt - startAt - 1);
    expect(await approve()).toEqual({ kind: 'approved' });
  });

  test('and a wrong one changes nothing', async () => {
    const { approve, find, submission } = await openDesk();
    expect(await approve({ passphrase: 'guessed' })).toEqual({ kind: 'too_soon', retryAfterSeconds: 2 });
    expect(await find()).toEqual(stored(submission));
  });

  test.each(tooLate)('but no passphrase is checked for a draft %s', async (_, options, ms) => {
    const { approve, clock, checks, find } = await openDesk(options);
    await clock.advance(ms);
    const before = await find();
    expect(await approve()).toEqual({ kind: 'not_waiting' });
    expect(checks).toEqual([]);
    expect(await find()).toEqual(before);
  });

  test('nor for an unknown attempt, nor for another one than was shown', async () => {
    const { approve, checks } = await openDesk();
    expect(await approve({ submissionId: 's2' })).toEqual({ kind: 'not_waiting' });
    expect(await approve({ digest: 'f'.repeat(64) })).toEqual({ kind: 'changed' });
    expect(checks).toEqual([]);
  });

  test.each<[string, (tx: SubmissionChange) => Promise<unknown>, string]>([
    ['it was declined', (tx) => tx.moveSubmission('s1', 'awaiting_approval', { state: 'declined' }), 'not_waiting'],
    [
      'its draft was discarded',
      async (tx) => tx.moveDraft((await tx.findDraft('d1')) as never, { state: 'discarded' }),
      'changed',
    ],
  ])('it is looked at again after the check, because in the meantime %s', async (_, meanwhile, kind) => {
    const { approve, find } = await openDesk({ meanwhile });
    expect(await approve()).toEqual({ kind });
    expect((await find())?.approval?.approvedAt).toBeUndefined();
  });

  test('and what was noted of the form during the check is kept', async () => {
    const form = { sent: 2, last: 'closed' } as const;
    const { approve, find, submission } = await openDesk({
      meanwhile: (tx) => tx.moveSubmission('s1', 'awaiting_approval', { approval: { ...submission.approval, form } }),
    });
    expect(await approve()).toEqual({ kind: 'approved' });
    expect((await find())?.approval?.form).toEqual(form);
  });

  test.each(approvalCases)('on the %s, where %s is required: %s', async (channel, method, isEnough) => {
    const { approve } = await openDesk({ method, configured: method });
    expect(await approve({ channel })).toEqual({ kind: isEnough ? 'approved' : 'not_waiting' });
  });

  // The terminal is stricter than the page, and the page is stricter than a form.
  test.each<[ApprovalMethod, ApprovalMethod, ApprovalMethod | 'none', string]>([
    ['page', 'elicitation', 'none', 'approved'],
    ['page', 'terminal', 'none', 'not_waiting'],
    ['page', 'page', 'terminal', 'not_waiting'],
    ['terminal', 'page', 'page', 'approved'],
  ])('on the %s, where %s was required and %s is: %s', async (channel, method, configured, kind) => {
    const { approve, find } = await openDesk({ method, configured });
    expect(await approve({ channel })).toEqual({ kind });
    expect((await find())?.state).toBe(kind === 'approved' ? 'sending' : 'awaiting_approval');
  });
});

describe('a person confirms a form', () => {
  const byForm: DeskOptions = { method: 'elicitation', configured: 'elicitation' };

  test('with the number of orders and their total, and no passphrase', async () => {
    const { confirm, find, submission, checks, lastNote } = await openDesk(byForm);
    expect(await confirm()).toEqual({ kind: 'approved' });
    expect(await find()).toEqual(
      stored({
        ...submission,
        state: 'sending',
        endsAt: startAt + 15 * 60_000,
        approval: { ...submission.approval, approvedAt: startAt, by: 'elicitation' },
      }),
    );
    expect(checks).toEqual([]);
    expect((await lastNote())?.data).toMatchObject({ state: 'sending', by: 'elicitation' });
  });

  test.each<[unknown, unknown, string]>([
    ['2', '300.00', 'approved'],
    [2, '300', 'approved'],
    [' 2 ', ' 300.0 ', 'approved'],
    ['3', '300.00', 'changed'],
    [1, '300.00', 'changed'],
    ['2', '300.01', 'changed'],
    ['2', '', 'changed'],
    ['', '300.00', 'changed'],
    [undefined, undefined, 'changed'],
    [['2'], '300.00', 'changed'],
    ['2', ['300.00'], 'changed'],
  ])('%j orders and %j in total: %s', async (confirmLegs, confirmTotal, kind) => {
    const { confirm, find } = await openDesk(byForm);
    expect(await confirm({ confirmLegs, confirmTotal })).toEqual({ kind });
    expect((await find())?.state).toBe(kind === 'approved' ? 'sending' : 'awaiting_approval');
  });

  test.each(tooLate)('but not of a draft %s', async (_, options, ms) => {
    const { confirm, clock, find } = await openDesk({ ...byForm, ...options });
    await clock.advance(ms);
    const before = await find();
    expect(await confirm()).toEqual({ kind: 'not_waiting' });
    expect(await find()).toEqual(before);
  });

  test.each<[string, DeskOptions]>([
    ['the page was required when the person was asked', { ...byForm, method: 'page' }],
    ['the page is required now', { ...byForm, configured: 'page' }],
    ['no approval is required now', { ...byForm, configured: 'none' }],
    // Live money needs what was enrolled, or else the page.
    ['the page is required with live money', { ...byForm, environment: 'live' }],
    ['no form can show a draft of unknown value', { ...byForm, facts: notHeld }],
  ])('and not where %s', async (_, options) => {
    const { confirm, find, submission } = await openDesk(options);
    const { bought, sold } = submission.approval.ticket.totals;
    const confirmTotal = (Number(bought) + Number(sold)).toFixed(2);
    expect(await confirm({ confirmTotal })).toEqual({ kind: 'not_waiting' });
    expect((await find())?.state).toBe('awaiting_approval');
  });

  test('and not of a draft that is not what was shown', async () => {
    const { confirm } = await openDesk({ ...byForm, stored: otherLegs });
    expect(await confirm()).toEqual({ kind: 'changed' });
  });

  test('and not with a nonce that no attempt has, or that two have', async () => {
    const { confirm } = await openDesk(byForm);
    expect(await confirm({ nonce: 'made up' })).toEqual({ kind: 'not_waiting' });
    const twice = await openDesk({ ...byForm, stored: { submissions: [other('n1')] }, change: withNonce('n1') });
    expect(await twice.confirm({ nonce: 'n1' })).toEqual({ kind: 'not_waiting' });
  });
});

const withNonce =
  (nonce: string): Required<WaitingOptions>['change'] =>
  ({ approval }) => ({ approval: { ...approval, nonce } });
/** Another attempt of the same draft, which has ended. */
const other = (nonce: string): Submission => {
  const { submission } = waitingDraft({ id: 's2' });
  return { ...submission, state: 'expired', approval: { ...submission.approval, nonce } };
};

describe('an attempt is found by its nonce', () => {
  test('in any state, as the one that has it', async () => {
    const { approvals } = await openDesk({ stored: { submissions: [other('n2')] }, change: withNonce('n1') });
    expect((await approvals.findByNonce('n1'))?.id).toBe('s1');
    expect((await approvals.findByNonce('n2'))?.id).toBe('s2');
    expect(await approvals.findByNonce('n3')).toBeUndefined();
  });

  test('and a nonce that two have finds none', async () => {
    const { approvals } = await openDesk({ stored: { submissions: [other('n1')] }, change: withNonce('n1') });
    expect(await approvals.findByNonce('n1')).toBeUndefined();
  });
});

describe('what became of a form is kept with the approval', () => {
  test('with what was kept before', async () => {
    const { approvals, find, submission } = await openDesk();
    const { nonce } = submission.approval;
    await approvals.noteForm(nonce, withFormSent);
    await approvals.noteForm(nonce, withFormSent);
    expect(await find()).toEqual(stored({ ...submission, approval: { ...submission.approval, form: { sent: 2 } } }));
  });

  test('but not where no attempt has the nonce', async () => {
    const { approvals, find, submission } = await openDesk();
    await approvals.noteForm('made up', withFormSent);
    expect(await find()).toEqual(stored(submission));
  });

  test('and not once it was decided', async () => {
    const { approvals, find, submission } = await openDesk(alterState('declined'));
    await approvals.noteForm(submission.approval.nonce, withFormSent);
    expect((await find())?.approval?.form).toBeUndefined();
  });

  test('and not where no person is asked any more', async () => {
    const { approvals, store, find, submission } = await openDesk();
    await store.change((tx) => tx.moveSubmission('s1', 'awaiting_approval', { approval: undefined }));
    await approvals.noteForm(submission.approval.nonce, withFormSent);
    expect((await find())?.approval).toBeUndefined();
  });
});

describe('a person rejects a draft that waits', () => {
  test.each<[ApprovalMethod, string]>([
    ['page', 'on the page'],
    ['terminal', 'in a terminal'],
  ])('with the %s, and the draft stays', async (channel, place) => {
    const { approvals, clock, find, submission, store, lastNote } = await openDesk();
    await clock.advance(10_000);
    expect(await approvals.reject({ submissionId: 's1', channel })).toEqual({ kind: 'rejected' });
    const reason = `Rejected by a person, ${place}.`;
    expect(await find()).toEqual(
      stored({ ...submission, state: 'declined', reason, approval: { ...submission.approval, by: channel } }),
    );
    expect(await store.read((tx) => tx.findDraft('d1'))).toMatchObject({ state: 'open', version: 1 });
    expect(await lastNote()).toMatchObject({
      at: startAt + 10_000,
      kind: 'submission',
      data: { submissionId: 's1', state: 'declined', reason },
    });
  });

  test.each<[number, string]>([
    [0, 'The response came faster than a person can read: this host responds to forms automatically.'],
    [499, 'The response came faster than a person can read: this host responds to forms automatically.'],
    [500, 'The form was declined in the host.'],
    [90_000, 'The form was declined in the host.'],
  ])('in the form after %i ms', async (ms, reason) => {
    const { approvals, clock, find, submission } = await openDesk({ method: 'elicitation' });
    await clock.advance(ms);
    expect(await approvals.declineForm(submission.approval.nonce)).toEqual({ kind: 'rejected' });
    expect(await find()).toMatchObject({ state: 'declined', reason, approval: { by: 'elicitation' } });
  });

  test.each(tooLate)('but not one %s', async (_, options, ms) => {
    const { approvals, clock, find, submission } = await openDesk(options);
    await clock.advance(ms);
    const before = await find();
    expect(await approvals.reject({ submissionId: 's1', channel: 'page' })).toEqual({ kind: 'not_waiting' });
    expect(await approvals.declineForm(submission.approval.nonce)).toEqual({ kind: 'not_waiting' });
    expect(await find()).toEqual(before);
  });

  test('and not an unknown one', async () => {
    const { approvals } = await openDesk();
    expect(await approvals.reject({ submissionId: 's2', channel: 'page' })).toEqual({ kind: 'not_waiting' });
    expect(await approvals.declineForm('made up')).toEqual({ kind: 'not_waiting' });
  });

  test('and another order of the account that is about to be sent stays as it is', async () => {
    const intent = makeIntent({ id: 'i1', state: 'APPROVED', createdAt: startAt - 1_000 });
    const { approvals, store } = await openDesk({ stored: { intents: [intent] } });
    await approvals.reject({ submissionId: 's1', channel: 'page' });
    expect((await store.read((tx) => tx.find('i1')))?.state).toBe('APPROVED');
  });
});

test('an order of the account whose time was over before the rejection is closed with it', async () => {
  const intent = makeIntent({ id: 'i1', state: 'APPROVED', createdAt: startAt - 59_000 });
  const { approvals, store, clock } = await openDesk({ stored: { intents: [intent] } });
  await clock.advance(1_000);
  await approvals.reject({ submissionId: 's1', channel: 'page' });
  expect((await store.read((tx) => tx.find('i1')))?.state).toBe('EXPIRED');
});

describe('a person stops a draft that is being sent', () => {
  const stop = (desk: Awaited<ReturnType<typeof openDesk>>, submissionId = 's1') =>
    desk.approvals.stop({ submissionId, channel: 'page' });

  test('and the legs that have not left stay in the draft', async () => {
    const desk = await openDesk(alterState('sending'));
    expect(await stop(desk)).toEqual({ kind: 'rejected' });
    expect(await desk.find()).toMatchObject({
      state: 'stopped',
      endedBy: 'stop',
      reason: 'Stopped by a person, on the page.',
    });
    expect(await desk.store.read((tx) => tx.findDraft('d1'))).toMatchObject({ state: 'open', version: 1 });
  });

  test.each<[Submission['state'], string]>([
    ['done', 'all_placed'],
    // It has a button of its own.
    ['awaiting_approval', 'not_waiting'],
    ['stopped', 'not_waiting'],
    ['declined', 'not_waiting'],
    ['expired', 'not_waiting'],
  ])('but one that is %s stays as it is', async (state, kind) => {
    const desk = await openDesk(alterState(state));
    const before = await desk.find();
    expect(await stop(desk)).toEqual({ kind });
    expect(await desk.find()).toEqual(before);
  });

  test('and an unknown one is not stopped', async () => {
    expect(await stop(await openDesk(), 's2')).toEqual({ kind: 'not_waiting' });
  });
});

describe('the page of a draft', () => {
  test('shows what waits, with a report for a person', async () => {
    const { approvals, clock, submission } = await openDesk();
    await clock.advance(500);
    const { digest, handle, ticket } = submission.approval;
    const view = await approvals.viewByHandle(handle);
    expect(view).toMatchObject({ digest, secondsLeft: 120, wrongPassphrases: undefined });
    expect(view?.ticket).toEqual(ticket);
    expect(view?.report).toMatchObject({ submissionId: 's1', outcome: 'pending_approval' });
    // A person types commands, and calls no tool.
    expect(view?.report.next).toContain('brokerage-mcp drafts submit d1');
    expect(view?.report.next).not.toContain('submit_draft');
  });

  test.each([
    [24 * 3_600_000, true],
    [24 * 3_600_000 + 1, false],
  ])('shows what became of it for a day: after %i ms', async (ms, isShown) => {
    const { approvals, clock, submission } = await openDesk(alterState('declined'));
    await clock.advance(ms);
    const view = await approvals.viewByHandle(submission.approval.handle);
    expect(view?.report.outcome).toBe(isShown ? 'declined' : undefined);
    if (isShown) expect(view?.secondsLeft).toBe(0);
  });

  test('is not found by another handle', async () => {
    const { approvals } = await openDesk();
    expect(await approvals.viewByHandle('made up')).toBeUndefined();
  });

  test('is not shown where no person is asked any more', async () => {
    const { approvals, store, submission } = await openDesk();
    await store.change((tx) => tx.moveSubmission('s1', 'awaiting_approval', { approval: undefined }));
    expect(await approvals.viewByHandle(submission.approval.handle)).toBeUndefined();
  });
});
