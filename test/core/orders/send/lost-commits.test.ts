/**
 * A store that fails during a commit: whether it was written is unknown, and the reported outcome must hold in both
 * cases.
 */
// @module-tag server
import { expect, test } from 'vitest';
import type { Intent } from '../../../../src/core/orders/intent/intent.ts';
import { storeUnavailable } from '../../../../src/core/store/engine.ts';
import { order, posts, type Setup, setup } from '../../../support/setup.ts';

const lost = new WeakSet<object>();
const intentIn = (result: unknown): Partial<Intent> | undefined => {
  if (result === null || typeof result !== 'object') return undefined;
  return 'intent' in result ? (result.intent as Intent) : result;
};

/** The first change that brings an intent to `state` is written, and its result is lost; or it is not even written. */
function loseOne({ composed: { journal } }: Setup, state: string, isWritten: boolean): void {
  const { change } = journal;
  let isOver = false;
  const losing: typeof change = async (work) => {
    const result = await change(async (tx) => {
      const made = await work(tx);
      if (isOver || intentIn(made)?.state !== state) return made;
      isOver = true;
      if (!isWritten) throw storeUnavailable('connection_broken', 'the connection was lost');
      lost.add(made as object);
      return made;
    });
    if (lost.has(result as object)) throw storeUnavailable('connection_broken', 'the connection was lost');
    return result;
  };
  Object.assign(journal, { change: losing });
}

test('an order whose draft was written without a confirmation is refused for good, and can be placed again', async () => {
  const made = await setup();
  loseOne(made, 'APPROVED', true);
  const { body } = await made.call('place_limit_order', order);
  expect(body).toMatchObject({ outcome: 'refused', rule: 'store_unavailable' });
  expect((await made.call('get_order', { intentId: body.intentId })).body).toMatchObject({ outcome: 'refused' });
  const again = await made.call('place_limit_order', order);
  expect(again.body).toMatchObject({ outcome: 'placed' });
  expect(again.body.intentId).not.toBe(body.intentId);
  expect(posts(made)).toBe(1);
});

test('an order that waits for a person although the store did not confirm it is reported as waiting', async () => {
  const made = await setup({ config: { approval: 'terminal' } });
  await made.composed.security.enrol({ passphrase: 'a long passphrase', approval: 'terminal', limits: {} });
  loseOne(made, 'AWAITING_APPROVAL', true);
  const { body } = await made.call('place_limit_order', order);
  expect(body).toMatchObject({ outcome: 'pending_approval' });
  const [ticket] = await made.composed.services.approvals.waiting();
  expect(ticket?.ticket.intentId).toBe(body.intentId);
});

test('an order whose send could not be recorded is refused for good, and can be placed again', async () => {
  const made = await setup();
  loseOne(made, 'SENDING', false);
  const { body } = await made.call('place_limit_order', order);
  expect(body).toMatchObject({ outcome: 'refused', rule: 'store_unavailable' });
  expect((await made.call('get_order', { intentId: body.intentId })).body).toMatchObject({ outcome: 'refused' });
  expect((await made.call('place_limit_order', order)).body.outcome).toBe('placed');
  expect(posts(made)).toBe(1);
});

test('an order that may have been recorded as sending is not sent, and never reported as absent', async () => {
  const made = await setup();
  loseOne(made, 'SENDING', true);
  const { body } = await made.call('place_limit_order', order);
  expect(body.outcome).toBe('unknown');
  expect((await made.call('place_limit_order', order)).body).toMatchObject({ coalesced: true, outcome: 'unknown' });
  expect(posts(made)).toBe(0);
});
