/** The rules of an approval, whatever channel it comes through. */
import { describe, expect, test } from 'vitest';
import { isSameDecimal } from '../../../src/core/approval/approval-rules.ts';
import type { OrderApprovalDeps } from '../../../src/core/approval/approval-service.ts';
import type { ApprovalMethod } from '../../../src/core/orders/intent/approval-methods.ts';
import type { Intent } from '../../../src/core/orders/intent/intent.ts';
import type { Journal } from '../../../src/core/orders/intent/journal-port.ts';
import {
  approvalCases,
  channels,
  type DeskOptions,
  expiresAt,
  openDesk,
  passphrase,
  startAt,
  waitingIntent,
} from './support.ts';

const wrong = 'what an attacker guesses';
const quantity = waitingIntent('a').request.quantity;

/** One order that waits, and how each channel decides on it. */
async function setup(change: Partial<Intent> = {}, options: DeskOptions = {}) {
  const intent = waitingIntent('a', change);
  const desk = await openDesk([intent], options);
  const { digest } = intent.approval;
  const { approvals } = desk;
  const approve = (given: Partial<Parameters<typeof approvals.approve>[0]> = {}) =>
    approvals.approve({ intentId: 'a', digest, passphrase, channel: 'page', ...given });
  const confirm = (typed: unknown = quantity) => approvals.confirm({ nonce: 'nonce-a', confirmQuantity: typed });
  const decline = () => approvals.declineForm('nonce-a');
  const reject = (channel: ApprovalMethod = 'page') => approvals.reject({ intentId: 'a', channel });
  return { ...desk, intent, digest, approve, confirm, decline, reject };
}
type Desk = Awaited<ReturnType<typeof setup>>;

const form = { method: 'elicitation' } as const;
const withForms: DeskOptions = { enrolled: 'elicitation' };
const stillWaits = { kind: 'not_waiting', state: 'AWAITING_APPROVAL' };

/** Each way to decide on the order, with the decision for one that waits. */
const ways: readonly (readonly [string, (desk: Desk) => Promise<unknown>, string])[] = [
  ['approve', ({ approve }) => approve(), 'approved'],
  ['confirm', ({ confirm }) => confirm(), 'approved'],
  ['reject', ({ reject }) => reject(), 'rejected'],
  ['decline', ({ decline }) => decline(), 'rejected'],
];

describe('an order that waits can be decided', () => {
  test.each(ways)('until the last millisecond of its time: %s', async (_, decide, kind) => {
    const desk = await setup(form, withForms);
    await desk.clock.advance(expiresAt - startAt - 1);
    expect(await decide(desk)).toEqual({ kind });
  });

  test.each(ways)('not at the millisecond at which its time ends: %s', async (_, decide) => {
    const desk = await setup(form, withForms);
    await desk.clock.advance(expiresAt - startAt);
    expect(await decide(desk)).toEqual({ kind: 'not_waiting', state: 'EXPIRED' });
    expect(await desk.find('a')).toEqual(desk.intent);
  });

  test.each(ways)('once: %s', async (_, decide) => {
    const desk = await setup(form, withForms);
    await decide(desk);
    const decided = await desk.find('a');
    for (const [, again] of ways) expect(await again(desk)).toEqual({ kind: 'not_waiting', state: decided?.state });
    expect(await desk.find('a')).toEqual(decided);
  });

  test.each(ways)('not when the store has no approval of it: %s', async (_, decide) => {
    const desk = await setup(form, withForms);
    await desk.alter('a', { approval: undefined });
    expect(await decide(desk)).toMatchObject({ kind: 'not_waiting' });
    expect(await desk.find('a')).toMatchObject({ state: 'AWAITING_APPROVAL' });
  });

  test.each(ways)('not when the store does not take the decision: %s', async (_, decide) => {
    const deps = ({ journal }: OrderApprovalDeps) => ({ journal: withoutMoves(journal) });
    const desk = await setup(form, { ...withForms, deps });
    expect(await decide(desk)).toEqual({ kind: 'not_waiting', state: undefined });
    expect(await desk.find('a')).toEqual(desk.intent);
  });

  test('only by what names it', async () => {
    const { approvals, approve } = await setup();
    const unknown = { kind: 'not_waiting', state: undefined };
    expect(await approve({ intentId: 'b' })).toEqual(unknown);
    expect(await approvals.reject({ intentId: 'b', channel: 'page' })).toEqual(unknown);
    expect(await approvals.confirm({ nonce: 'nonce-b', confirmQuantity: quantity })).toEqual(unknown);
    expect(await approvals.declineForm('nonce-b')).toEqual(unknown);
    expect(await approvals.findByNonce('nonce-b')).toBeUndefined();
    expect(await approvals.noteForm('nonce-b', () => ({ sent: 1 }))).toBeUndefined();
  });

  test('by a nonce that belongs to it, and not to the newest order', async () => {
    const older = waitingIntent('a', form);
    const newer = waitingIntent('b', { ...form, createdAt: startAt + 1 });
    const { approvals, find } = await openDesk([older, newer], withForms);
    expect(await approvals.findByNonce('nonce-a')).toEqual(older);
    expect(await approvals.confirm({ nonce: 'nonce-a', confirmQuantity: quantity })).toEqual({ kind: 'approved' });
    expect(await find('b')).toEqual(newer);
  });

  test.each(ways)('and those who wait for it are told, also where nobody waits: %s', async (_, decide, kind) => {
    const told = await setup(form, withForms);
    await decide(told);
    expect(told.decisions).toEqual(['decided']);
    const alone = await setup(form, { ...withForms, deps: () => ({ decided: undefined }) });
    expect(await decide(alone)).toEqual({ kind });
  });
});

/** A journal in which another process is always faster. */
const withoutMoves = (journal: Journal): Journal => ({
  ...journal,
  change: (work) => journal.change((tx) => work({ ...tx, move: async () => undefined })),
});

describe('an approval with the passphrase', () => {
  test.each(channels)('is recorded with its time and its channel: %s', async (channel) => {
    const { approve, clock, find, intent } = await setup();
    await clock.advance(3_000);
    expect(await approve({ channel })).toEqual({ kind: 'approved' });
    const at = startAt + 3_000;
    const approval = { ...intent.approval, approvedAt: at, by: channel };
    expect(await find('a')).toEqual({ ...intent, state: 'APPROVED', changedAt: at, approval });
  });

  test('needs the right one', async () => {
    const { approve, find, intent } = await setup();
    expect(await approve({ passphrase: wrong })).toMatchObject({ kind: 'wrong_passphrase' });
    expect(await find('a')).toEqual(intent);
  });

  test('of a form is refused, and no passphrase is checked for it', async () => {
    const { approve, failures, find, intent } = await setup(form, withForms);
    expect(await approve({ channel: 'elicitation' })).toEqual(stillWaits);
    expect(await approve({ channel: 'elicitation', passphrase: wrong })).toEqual(stillWaits);
    expect([await find('a'), await failures()]).toEqual([intent, 0]);
  });

  test('removes the wrong ones that the person was shown, and no others', async () => {
    const { approve, clock, journal } = await setup();
    await approve({ passphrase: wrong });
    await clock.advance(2_000);
    await approve({ passphrase: wrong });
    await clock.advance(4_000);
    await approve({ seen: 1 });
    const record = await journal.read((tx) => tx.get<{ wrong: { count: number } }>('security'));
    expect(record?.wrong.count).toBe(1);
  });

  test.each<[string, Partial<Intent>, string]>([
    ['with another digest than that of the screen', {}, 'f'.repeat(64)],
    ['with a part of the digest', {}, 'f'],
    ['whose order was changed in the store', { request: { ...waitingIntent('a').request, quantity: '50' } }, ''],
    ['whose account was changed in the store', { accountKey: 'other' }, ''],
  ])('of a ticket %s is refused, and no passphrase is checked for it', async (_, change, shown) => {
    const { approve, alter, digest, failures, find } = await setup();
    await alter('a', change);
    const given = { digest: shown || digest };
    expect(await approve(given)).toEqual({ kind: 'changed' });
    expect(await approve({ ...given, passphrase: wrong })).toEqual({ kind: 'changed' });
    expect(await failures()).toBe(0);
    expect(await find('a')).toMatchObject({ state: 'AWAITING_APPROVAL' });
  });

  test('of an order that does not wait checks no passphrase', async () => {
    const { approve, clock, failures } = await setup();
    await clock.advance(expiresAt - startAt);
    expect(await approve({ passphrase: wrong })).toEqual({ kind: 'not_waiting', state: 'EXPIRED' });
    expect(await failures()).toBe(0);
  });
});

describe('while the passphrase is checked', () => {
  /** The order, whose passphrase is right, after something happened during the check. */
  async function approveDuring(happens: (desk: Desk) => Promise<unknown>) {
    const place: { desk?: Desk } = {};
    const deps = ({ security }: OrderApprovalDeps): Partial<OrderApprovalDeps> => ({
      security: {
        ...security,
        check: async (...given) => {
          const checked = await security.check(...given);
          await happens(place.desk as Desk);
          return checked;
        },
      },
    });
    place.desk = await setup({}, { deps });
    return { decision: await place.desk.approve(), after: await place.desk.find('a') };
  }

  test('the time can end', async () => {
    const { decision, after } = await approveDuring(({ clock }) => clock.advance(expiresAt - startAt));
    expect([decision, after?.state]).toEqual([{ kind: 'not_waiting', state: 'EXPIRED' }, 'AWAITING_APPROVAL']);
  });

  test('the order can be rejected', async () => {
    const { decision, after } = await approveDuring(({ reject }) => reject('terminal'));
    expect([decision, after?.state]).toEqual([{ kind: 'not_waiting', state: 'DECLINED' }, 'DECLINED']);
  });

  test('what becomes of a form is kept with the approval', async () => {
    const note = ({ approvals }: Desk) => approvals.noteForm('nonce-a', () => ({ sent: 1, last: 'closed' }));
    const { decision, after } = await approveDuring(note);
    expect([decision, after?.approval?.form]).toEqual([{ kind: 'approved' }, { sent: 1, last: 'closed' }]);
  });

  test('the order can be changed', async () => {
    const { decision, after } = await approveDuring(({ alter }) => alter('a', { accountKey: 'other' }));
    expect([decision, after?.state]).toEqual([{ kind: 'changed' }, 'AWAITING_APPROVAL']);
  });
});

describe('a channel approves what it is strict enough for', () => {
  test.each(approvalCases)('%s, where %s is required: %s', async (channel, method, isEnough) => {
    const { approve } = await setup({ method }, { enrolled: method });
    expect(await approve({ channel })).toEqual(isEnough ? { kind: 'approved' } : stillWaits);
  });

  // Of the method when the order was created, and the one in force: what is enrolled, or the process demands if stricter.
  test.each<[ApprovalMethod, ApprovalMethod, ApprovalMethod, ApprovalMethod | 'none' | undefined, boolean]>([
    ['page', 'elicitation', 'page', 'none', true],
    ['page', 'terminal', 'page', undefined, false],
    ['page', 'page', 'terminal', undefined, false],
    ['page', 'page', 'page', 'terminal', false],
    ['page', 'page', 'terminal', 'elicitation', false],
    ['terminal', 'page', 'page', undefined, true],
    ['terminal', 'terminal', 'page', undefined, true],
    ['terminal', 'page', 'terminal', undefined, true],
  ])('%s: created with %s, enrolled %s, configured %s', async (channel, method, enrolled, configured, isEnough) => {
    const { approve } = await setup({ method }, { enrolled, configured });
    expect(await approve({ channel })).toEqual(isEnough ? { kind: 'approved' } : stillWaits);
  });

  test('in an environment without real money what the process demands alone', async () => {
    const demo = { environment: 'demo', method: 'page' } as const;
    const { approve } = await setup(demo, { enrolled: 'terminal', configured: 'page' });
    expect(await approve()).toEqual({ kind: 'approved' });
  });
});

describe('an accepted form', () => {
  test('is recorded with its time and its channel', async () => {
    const { confirm, clock, find, intent } = await setup(form, withForms);
    await clock.advance(3_000);
    expect(await confirm()).toEqual({ kind: 'approved' });
    const at = startAt + 3_000;
    const approval = { ...intent.approval, approvedAt: at, by: 'elicitation' };
    expect(await find('a')).toEqual({ ...intent, state: 'APPROVED', changedAt: at, approval });
  });

  test.each<[ApprovalMethod, ApprovalMethod, ApprovalMethod | undefined]>([
    ['page', 'elicitation', undefined],
    ['terminal', 'elicitation', undefined],
    ['elicitation', 'page', undefined],
    ['elicitation', 'terminal', undefined],
    ['elicitation', 'elicitation', 'page'],
    ['page', 'page', undefined],
  ])('approves nothing: created with %s, enrolled %s, configured %s', async (method, enrolled, configured) => {
    const { confirm, find, intent } = await setup({ method }, { enrolled, configured });
    expect(await confirm()).toEqual(stillWaits);
    expect(await find('a')).toEqual(intent);
  });

  test.each(['', '1', null])('with the quantity %j approves nothing', async (typed) => {
    const { confirm, find, intent } = await setup(form, withForms);
    expect(await confirm(typed)).toEqual({ kind: 'changed' });
    expect(await find('a')).toEqual(intent);
  });
});

test.each<[unknown, string, boolean]>([
  ['2', '2', true],
  [' 2 ', '2', true],
  ['2\n', '2', true],
  ['2.0', '2', true],
  ['02.50', '2.5', true],
  ['1'.repeat(20), '1'.repeat(20), true],
  [`2.${'0'.repeat(20)}`, '2', true],
  [`2.${'0'.repeat(19)}1`, '2', false],
  ['0.1', '0.10000000000000000001', false],
  ['3', '2', false],
  ['2.5', '2', false],
  // Another form of the number than digits with a point between them, or more than 20 digits.
  [`${'0'.repeat(20)}2`, '2', false],
  [`2.${'0'.repeat(21)}`, '2', false],
  ['+2', '2', false],
  ['-2', '2', false],
  ['2e0', '2', false],
  ['2,0', '2', false],
  ['2.', '2', false],
  ['.5', '0.5', false],
  ['0x2', '2', false],
  ['2 2', '2', false],
  ['20', '2', false],
  ['２', '2', false],
  ['a', '2', false],
  ['', '2', false],
  [' ', '2', false],
  // No text.
  [2, '2', false],
  [true, '1', false],
  [['2'], '2', false],
  [{ toString: '2' }, '2', false],
  [null, '2', false],
  [undefined, '2', false],
])('what was typed, %j, is the quantity %s: %s', (typed, wanted, isSame) => {
  expect(isSameDecimal(typed, wanted)).toBe(isSame);
});

describe('a rejection', () => {
  test.each(channels)('is recorded with its time and its channel: %s', async (channel) => {
    const { reject, clock, find, intent } = await setup();
    await clock.advance(100);
    expect(await reject(channel)).toEqual({ kind: 'rejected' });
    const approval = { ...intent.approval, by: channel };
    const reason = expect.stringContaining(channel);
    expect(await find('a')).toEqual({ ...intent, state: 'DECLINED', changedAt: startAt + 100, approval, reason });
  });

  test('is possible for an order that was changed, and for one that needs another channel', async () => {
    const { alter, reject } = await setup({ method: 'terminal' });
    await alter('a', { accountKey: 'other' });
    expect(await reject('page')).toEqual({ kind: 'rejected' });
  });

  // A person needs half a second at least to read a form and to respond to it.
  test.each([
    [0, true],
    [499, true],
    [500, false],
    [60_000, false],
  ])('of a form after %i ms was given automatically: %s', async (ms, isAutomatic) => {
    const { decline, clock, find, intent } = await setup(form, withForms);
    await clock.advance(ms);
    expect(await decline()).toEqual({ kind: 'rejected' });
    const reason = isAutomatic
      ? 'The response came faster than a person can read: this host responds to forms automatically.'
      : 'The form was declined in the host.';
    const approval = { ...intent.approval, by: 'elicitation' };
    expect(await find('a')).toEqual({ ...intent, state: 'DECLINED', changedAt: startAt + ms, approval, reason });
  });
});

describe('what became of a form', () => {
  test('is kept with the approval of an order that waits, and nothing else changes', async () => {
    const { approvals, find, intent, decisions } = await setup(form, withForms);
    const first = await approvals.noteForm('nonce-a', (record) => ({ sent: (record?.sent ?? 0) + 1 }));
    expect(first).toEqual({ ...intent, approval: { ...intent.approval, form: { sent: 1 } } });
    const second = await approvals.noteForm('nonce-a', (record) => ({ sent: 3, ...record, last: 'closed' }));
    expect(second).toEqual({ ...intent, approval: { ...intent.approval, form: { sent: 1, last: 'closed' } } });
    expect(await find('a')).toEqual(second);
    expect(decisions).toEqual([]);
  });

  test('does not change an order that was decided', async () => {
    const { approvals, find, reject } = await setup(form, withForms);
    await reject();
    const decided = await find('a');
    expect(await approvals.noteForm('nonce-a', () => ({ sent: 9 }))).toEqual(decided);
    expect(await find('a')).toEqual(decided);
  });
});

test('the service shows the ticket by its id, by its handle, and among those that wait', async () => {
  const { approvals } = await setup();
  const view = await approvals.view('a');
  expect(view).toMatchObject({ ticket: { intentId: 'a' }, state: 'AWAITING_APPROVAL' });
  expect(await approvals.viewByHandle('handle-a')).toEqual(view);
  expect(await approvals.waiting()).toEqual([view]);
});
