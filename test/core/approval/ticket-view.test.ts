/** What a channel shows of an order that waits, or waited, for a person. */
import { describe, expect, test } from 'vitest';
import { toOutcome } from '../../../src/core/orders/intent/outcome.ts';
import { allStates } from '../../../src/core/orders/intent/states.ts';
import { expiresAt, openDesk, startAt, waitingIntent } from './support.ts';

const dayMs = 24 * 3_600_000;
const leftMs = expiresAt - startAt;

/** The approvals over one order, after a wrong passphrase was typed for it. */
async function setup() {
  const intent = waitingIntent('a');
  const desk = await openDesk([intent]);
  const { digest, ticket } = intent.approval;
  await desk.approvals.approve({ intentId: 'a', digest, passphrase: 'a wrong one', channel: 'page' });
  return { ...desk, intent, shown: { ticket, digest, reason: undefined, orderId: undefined } };
}

describe('a ticket', () => {
  test.each([
    [0, 120],
    [1, 120],
    [1_000, 119],
    [leftMs - 1_001, 2],
    [leftMs - 1_000, 1],
    [leftMs - 1, 1],
  ])('that waits shows the seconds left and the wrong passphrases: after %i ms %i', async (ms, secondsLeft) => {
    const { approvals, clock, shown } = await setup();
    await clock.advance(ms);
    expect(await approvals.view('a')).toEqual({
      ...shown,
      state: 'AWAITING_APPROVAL',
      message: expect.stringContaining('waiting for your decision'),
      secondsLeft,
      wrongPassphrases: { count: 1, lastAt: startAt, locked: [] },
    });
  });

  test('whose time has ended is expired, although its row does not say so yet', async () => {
    const { approvals, clock, intent, shown } = await setup();
    await clock.advance(leftMs);
    const { message } = toOutcome({ ...intent, state: 'EXPIRED' }, clock.now());
    const over = { state: 'EXPIRED', message, secondsLeft: 0, wrongPassphrases: undefined };
    expect(await approvals.view('a')).toEqual({ ...shown, ...over });
  });

  test.each(allStates.filter((state) => state !== 'AWAITING_APPROVAL'))(
    'that is %s shows the outcome of its order, and asks for nothing',
    async (state) => {
      const { approvals, alter, clock, find, shown } = await setup();
      await alter('a', { state, orderId: '17', reason: 'It was so.' });
      const intent = await find('a');
      const { message } = toOutcome(intent as NonNullable<typeof intent>, clock.now());
      const outcome = { state, message, reason: 'It was so.', orderId: '17' };
      expect(await approvals.view('a')).toEqual({ ...shown, ...outcome, secondsLeft: 0, wrongPassphrases: undefined });
    },
  );

  test('is not shown of an order that needs no approval, nor of one that does not exist', async () => {
    const { approvals } = await openDesk([{ ...waitingIntent('a', { state: 'APPROVED' }), approval: undefined }]);
    expect([await approvals.view('a'), await approvals.view('b')]).toEqual([undefined, undefined]);
  });
});

describe('the address of a ticket', () => {
  test('shows this ticket, and no other', async () => {
    const newer = waitingIntent('b', { createdAt: startAt + 1 });
    const { approvals } = await openDesk([waitingIntent('a'), newer]);
    expect(await approvals.viewByHandle('handle-a')).toEqual(await approvals.view('a'));
    expect(await approvals.viewByHandle('handle-c')).toBeUndefined();
  });

  test('shows its outcome for a day after the order was created', async () => {
    const { approvals, clock } = await setup();
    await clock.advance(dayMs);
    expect(await approvals.viewByHandle('handle-a')).toMatchObject({ state: 'EXPIRED' });
    await clock.advance(1);
    expect(await approvals.viewByHandle('handle-a')).toBeUndefined();
    expect(await approvals.view('a')).toMatchObject({ state: 'EXPIRED' });
  });
});

test('the tickets that wait are listed oldest first, without those that were decided or are over', async () => {
  const createdAt = (number: number) => ({ createdAt: startAt + number });
  const { approval } = waitingIntent('a');
  const { approvals, clock } = await openDesk([
    waitingIntent('late', createdAt(3)),
    waitingIntent('early', createdAt(1)),
    waitingIntent('middle', createdAt(2)),
    waitingIntent('approved', { ...createdAt(1), state: 'APPROVED' }),
    { ...waitingIntent('over', createdAt(1)), approval: { ...approval, expiresAt: startAt } },
    // The record is damaged. It counts as open for a minute.
    { ...waitingIntent('without', createdAt(1)), approval: undefined },
  ]);
  const list = async () => (await approvals.waiting()).map(({ ticket }) => ticket.intentId);
  expect(await list()).toEqual(['early', 'middle', 'late']);
  await clock.advance(leftMs - 1);
  expect(await list()).toEqual(['early', 'middle', 'late']);
  await clock.advance(1);
  expect(await list()).toEqual([]);
});
