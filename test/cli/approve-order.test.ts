/** What `approve` shows of an order, which passphrase it passes on, and which state of the order ends it. */

import { expect, test } from 'vitest';
import { approveOrder, followOrder } from '../../src/cli/approve.ts';
import { stateLabels } from '../../src/core/approval/page/labels.ts';
import type { Approvals, Decision, TicketView } from '../../src/core/orders/intent/approval-port.ts';
import { type IntentState, intentStates } from '../../src/core/orders/intent/states.ts';
import { limitBuy, marketSell, viewOf } from '../core/approval/page/support.ts';
import { createStepClock } from '../support/step-clock.ts';
import { createTypedTty } from '../support/typed-tty.ts';

const startAt = Date.UTC(2026, 10, 20, 15);
const notSent = 'No server that may trade has sent the order yet; one can until the approval expires.';
const prompt = 'Passphrase to approve (press Enter to leave the order pending): ';

/** Approvals of these views, the newest last, which decide as they are told. */
function approvalsOf(views: readonly (TicketView | undefined)[], decisions: readonly Decision[] = []) {
  const asked: unknown[] = [];
  const left = [...views];
  const decided = [...decisions];
  const approvals: Approvals = {
    viewByHandle: async () => undefined,
    view: async (intentId) => {
      asked.push(intentId);
      return left.length > 1 ? left.shift() : left[0];
    },
    waiting: async () => views.filter((view) => view !== undefined),
    approve: async (answer) => {
      asked.push(answer);
      return decided.shift() ?? { kind: 'approved' };
    },
    reject: async () => ({ kind: 'rejected' }),
  };
  return { approvals, asked };
}

async function follow(...views: readonly (TicketView | undefined)[]) {
  const clock = createStepClock(startAt);
  const { tty, said } = createTypedTty([]);
  const { approvals } = approvalsOf(views);
  const code = await clock.run(followOrder(tty, approvals, 'intent-1', clock));
  return { code, said, ms: clock.now() - startAt };
}

const inState = (state: IntentState, change: Partial<TicketView> = {}) =>
  viewOf(limitBuy, { state, message: `IT IS ${state}.`, ...change });

// order-safety: an order that is lost, or that nobody sent, is never said to be placed.
test.each(intentStates)('an approved order that is %s by then', async (state) => {
  const { code, said, ms } = await follow(inState(state));
  const isOnItsWay = state === 'APPROVED' || state === 'SENDING';
  const tone = state === 'PLACED' ? 'good' : 'bad';
  expect(said).toEqual([isOnItsWay ? [notSent, undefined] : [`${stateLabels[state].title}: IT IS ${state}.`, tone]]);
  expect([code, ms]).toEqual([state === 'PLACED' ? 0 : 1, isOnItsWay ? 15_000 : 0]);
});

test('an order is followed until it is placed, and its number at the broker is said', async () => {
  const { code, said, ms } = await follow(
    inState('APPROVED'),
    undefined,
    inState('SENDING'),
    inState('PLACED', { orderId: '77' }),
  );
  expect([code, said, ms]).toEqual([0, [['Placed: IT IS PLACED. Order 77.', 'good']], 750]);
});

test('an order that the store does not show is waited for', async () => {
  expect(await follow(undefined)).toEqual({ code: 1, said: [[notSent, undefined]], ms: 15_000 });
});

async function approve(typed: readonly string[], view: TicketView, decisions: readonly Decision[] = []) {
  const clock = createStepClock(startAt);
  const terminal = createTypedTty(typed);
  const { approvals, asked } = approvalsOf([view, inState('PLACED')], decisions);
  const code = await clock.run(approveOrder(terminal.tty, approvals, 'intent-1', { clock, zone: 'UTC' }));
  return { ...terminal, code, asked };
}

test('the right passphrase approves what was shown, with the wrong passphrases that were shown, and is followed', async () => {
  const wrongPassphrases = { count: 2, lastAt: startAt, locked: [] };
  const { code, asked, prompts, hidden, said } = await approve(
    ['right'],
    viewOf(limitBuy, { digest: 'SHOWN', wrongPassphrases }),
  );
  expect(asked).toEqual([
    'intent-1',
    { intentId: 'intent-1', digest: 'SHOWN', passphrase: 'right', channel: 'terminal', seen: 2 },
    'intent-1',
  ]);
  expect([prompts, hidden]).toEqual([[prompt], [prompt]]);
  expect(said[0]).toEqual(['=== LIVE ===', 'bad']);
  expect(said[1]?.[0]).toContain('2 wrong passphrases were typed since you last approved, the last today 15:00.');
  expect(said.slice(2)).toEqual([
    ['Approved.', 'good'],
    ['Placed: IT IS PLACED.', 'good'],
  ]);
  expect(code).toBe(0);
});

test('without a passphrase the order stays pending', async () => {
  const { code, asked, lines } = await approve([''], viewOf(limitBuy));
  expect([code, asked, lines.at(-1)]).toEqual([1, ['intent-1'], 'The order is still pending.']);
});

test.each<[Decision, string]>([
  [{ kind: 'changed' }, 'The order has changed since it was shown; check it again.'],
  [{ kind: 'not_waiting', state: 'EXPIRED' }, 'The order is no longer waiting for approval (Expired).'],
  [{ kind: 'locked' }, 'The passphrase is locked here; run brokerage-mcp resume.'],
  [{ kind: 'rejected' }, 'Rejected.'],
])('an order that is not approved is not followed: %o', async (decision, line) => {
  const { code, asked, said } = await approve(['typed'], viewOf(limitBuy), [decision]);
  expect([code, said.at(-1)]).toEqual([1, [line, 'bad']]);
  expect(asked).toHaveLength(2);
});

test('only the ticket of real money has a banner in the colour of an alarm', async () => {
  const { said } = await approve([''], viewOf({ ...marketSell, environment: 'demo' }));
  expect(said[0]).toEqual(['=== DEMO ===', 'strong']);
});

test('several orders that wait are named with the command that takes one', async () => {
  const { tty } = createTypedTty(['typed']);
  const { approvals } = approvalsOf([viewOf(limitBuy), viewOf({ ...marketSell, intentId: 'intent-2' })]);
  const approving = approveOrder(tty, approvals, undefined, { clock: createStepClock(startAt), zone: 'UTC' });
  await expect(approving).rejects.toThrow('several orders are waiting; name one: approve INTENT');
});
