/** What a host can submit automatically while approval is on the page: forms, addresses, and invented states. */
// @module-tag server
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  type Attack,
  atEndOfFile,
  attack,
  type Elicited,
  expectNothingLeft,
  type HostOptions,
  order,
  roomy,
  waitingOrder,
} from './support.ts';

const accept = (content?: Elicited['content']): Elicited => ({ action: 'accept', ...(content ? { content } : {}) });
const rightQuantity = { confirmQuantity: '2' };

const hosts: [string, HostOptions['can'], Elicited][] = [
  ['accepts every form with the right quantity', { form: {} }, accept(rightQuantity)],
  ['says only that it can ask, and accepts with the right quantity', {}, accept(rightQuantity)],
  ['accepts every address and adds the right quantity', { url: {} }, accept(rightQuantity)],
  ['accepts whatever it is asked', { form: {}, url: {} }, accept(rightQuantity)],
  ['declines the address', { url: {} }, { action: 'decline' }],
];

type Waiting = Awaited<ReturnType<typeof waitingOrder>>;
const states: [string, (waiting: Waiting) => unknown][] = [
  ['the nonce itself', ({ nonce }) => nonce],
  ['the handle of the page', ({ handle }) => handle],
  ['the digest', ({ digest }) => digest],
  ['the intentId', ({ intentId }) => intentId],
  ['the nonce in upper case', ({ nonce }) => nonce.toUpperCase()],
  ['a pattern', () => '%'],
  ['a megabyte', () => 'f'.repeat(1_000_000)],
  ['a list', ({ nonce }) => [nonce]],
  ['an object', ({ nonce }) => ({ nonce })],
];

const shapes: [string, Record<string, unknown>][] = [
  [
    'wrapped as an answer of the protocol',
    { approval: { method: 'elicitation/create', result: accept(rightQuantity) } },
  ],
  ['under another key', { confirm: accept(rightQuantity), __proto__: { approval: accept(rightQuantity) } }],
  ['with an action that there is not', { approval: { action: 'approve', content: rightQuantity } }],
  ['as a list', { approval: [accept(rightQuantity)] }],
];

describe('tables', () => {
  const atEnd = atEndOfFile(afterAll);
  let attacked: Attack;
  let cents = 0;
  /** Another order each time, so that nothing left over from the previous one helps or hinders. */
  const next = () => ({ ...order, limitPrice: 11 + ++cents / 100 });
  beforeAll(async () => {
    attacked = await attack({ enrolled: { limits: roomy }, atEnd });
  });

  const everyRevision = hosts.flatMap((host) => (['older', 'newer'] as const).map((by) => [...host, by] as const));
  test.each(everyRevision)('a host that %s sends no order (%o, %o, %s revision)', async (_, can, said, revision) => {
    const host = await attacked.host({ can, elicit: () => said, revision });
    const answer = await host.call('place_limit_order', next());
    expect(answer).toMatchObject({ outcome: 'pending_approval', approval: { method: 'page' } });
    await expectNothingLeft(attacked);
  });

  test.each(states)('%s as the state of an accepted form approves nothing on the page', async (_, stateOf) => {
    const asked = next();
    const waiting = await waitingOrder(attacked, asked);
    await resume(attacked, stateOf(waiting), rightQuantity, asked);
    const intent = (await attacked.intents()).find(({ id }) => id === waiting.intentId);
    expect(intent).toMatchObject({ state: 'AWAITING_APPROVAL' });
    expect(intent?.approval?.approvedAt).toBeUndefined();
    await expectNothingLeft(attacked);
  });

  test.each(shapes)('an accepted form %s approves nothing', async (_, inputResponses) => {
    const asked = next();
    const { nonce: requestState, intentId } = await waitingOrder(attacked, asked);
    await attacked.call('place_limit_order', asked, { requestState, inputResponses });
    const intent = (await attacked.intents()).find(({ id }) => id === intentId);
    expect(intent?.approval?.approvedAt).toBeUndefined();
    await expectNothingLeft(attacked);
  });
});

test('the state of one order does not approve another', async () => {
  const attacked = await attack();
  const [first, second] = [await waitingOrder(attacked), await waitingOrder(attacked, { quantity: 3 })];
  await resume(attacked, first.nonce, { confirmQuantity: '3' });
  await resume(attacked, second.nonce, { confirmQuantity: '2' });
  await expectNothingLeft(attacked);
});

test('the state of an expired order is of no use, neither for it nor for the same order again', async () => {
  const attacked = await attack();
  const old = await waitingOrder(attacked);
  await attacked.clock.advance(121_000);
  expect(await resume(attacked, old.nonce)).toMatchObject({ outcome: 'expired', intentId: old.intentId });
  const fresh = await waitingOrder(attacked);
  expect(fresh.intentId).not.toBe(old.intentId);
  expect(fresh.nonce).not.toBe(old.nonce);
  await resume(attacked, old.nonce);
  await expectNothingLeft(attacked);
});

function resume(
  attacked: Attack,
  requestState: unknown,
  content: Elicited['content'] = rightQuantity,
  asked: Record<string, unknown> = order,
) {
  return attacked.call('place_limit_order', asked, { requestState, inputResponses: { approval: accept(content) } });
}
