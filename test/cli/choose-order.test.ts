/** Which order `approve` and `reject` mean, and what a decision is called. */
import { expect, test } from 'vitest';
import { chooseOrder, explainDecision } from '../../src/cli/choose-order.ts';
import { UsageError } from '../../src/core/errors.ts';
import type { Approvals, Decision, TicketView } from '../../src/core/orders/intent/approval-port.ts';
import { limitBuy, marketSell, viewOf } from '../core/approval/page/support.ts';

const approvalsOf = (...views: readonly TicketView[]) =>
  ({
    view: async (id: string) => views.find(({ ticket }) => ticket.intentId === id),
    waiting: async () => views.filter(({ secondsLeft }) => secondsLeft > 0),
  }) as Pick<Approvals, 'view' | 'waiting'> as Approvals;

const first = viewOf(limitBuy);
const second = viewOf({ ...marketSell, intentId: 'intent-2' });

test('an order is chosen by its intent, or because it is the only one that waits', async () => {
  expect(await chooseOrder(approvalsOf(first, second), 'intent-2', 'approve')).toBe(second);
  expect(await chooseOrder(approvalsOf(first), undefined, 'approve')).toBe(first);
  const lastSecond = viewOf(limitBuy, { secondsLeft: 1 });
  expect(await chooseOrder(approvalsOf(lastSecond), 'intent-1', 'approve')).toBe(lastSecond);
});

test.each([
  ['an unknown intent', [first], 'intent-9', 'no order with the intent intent-9 is in this store.'],
  [
    'an order whose time is over',
    [viewOf(limitBuy, { secondsLeft: 0, message: 'It expired.' })],
    'intent-1',
    'intent-1 is no longer waiting for approval: It expired.',
  ],
  [
    'no order that waits',
    [viewOf(limitBuy, { secondsLeft: 0 })],
    undefined,
    'no order in this store is waiting for approval.',
  ],
  [
    'two orders and no name',
    [first, second],
    undefined,
    'several orders are waiting; name one: reject INTENT\n  intent-1  BUY 1250 QBRAMl_EQ\n  intent-2  SELL 3 AAPL_US_EQ',
  ],
])('%s is a usage error', async (_, views, intentId, message) => {
  await expect(chooseOrder(approvalsOf(...views), intentId, 'reject')).rejects.toThrow(new UsageError(message));
});

test.each<[Decision, string]>([
  [
    { kind: 'wrong_passphrase', attemptsLeft: undefined, retryAfterSeconds: 4 },
    'Wrong passphrase; the next attempt is possible in 4 s.',
  ],
  [{ kind: 'too_soon', retryAfterSeconds: 3 }, 'Too soon after a wrong passphrase; try again in 3 s.'],
  [{ kind: 'locked' }, 'The passphrase is locked here; run brokerage-mcp resume.'],
  [{ kind: 'not_enrolled' }, 'No passphrase is enrolled; run brokerage-mcp enroll.'],
  [{ kind: 'changed' }, 'The order has changed since it was shown; check it again.'],
  [{ kind: 'not_waiting', state: 'PLACED' }, 'The order is no longer waiting for approval (Placed).'],
  [{ kind: 'not_waiting', state: undefined }, 'The order is no longer waiting for approval.'],
  [{ kind: 'approved' }, 'Approved.'],
  [{ kind: 'rejected' }, 'Rejected.'],
])('the decision %o is said in words', (decision, text) => {
  expect(explainDecision(decision)).toBe(text);
});
