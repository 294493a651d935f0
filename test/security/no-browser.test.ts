/** Where no window shows the approval page, the address comes first: a call does not wait for a person who cannot know it. */
// @module-tag server
import { expect, test } from 'vitest';
import { leg, waitingDraft } from './draft-support.ts';
import { attack, expectNothingLeft, order } from './support.ts';

const plain = { can: undefined } as const;

test('an order answers at once with the address, and its repetition waits', async () => {
  const attacked = await attack(plain);
  const before = attacked.clock.now();
  const said = await attacked.call('place_limit_order', order);
  expect(said).toMatchObject({ outcome: 'pending_approval', approval: { method: 'page', secondsLeft: 120 } });
  expect(said.approval.address).toMatch(/^http:/);
  expect(attacked.clock.now()).toBe(before);
  const again = await attacked.call('place_limit_order', order);
  expect(again).toMatchObject({ outcome: 'pending_approval', coalesced: true, intentId: said.intentId });
  expect(again.message).toMatch(/^Nothing new was sent: this equals the order of intent /);
  expect(attacked.clock.now() - before).toBeGreaterThanOrEqual(39_000);
  await expectNothingLeft(attacked);
});

test('a draft answers at once with the address', async () => {
  const attacked = await attack(plain);
  const { said, address } = await waitingDraft(attacked, [leg()]);
  expect(said).toMatchObject({ outcome: 'pending_approval', approval: { method: 'page', secondsLeft: 120 } });
  expect(address).toMatch(/^http:/);
  await expectNothingLeft(attacked);
});

test('where the page is opened in a browser, the call waits for the person', async () => {
  const attacked = await attack({ ...plain, openBrowser: () => undefined });
  const before = attacked.clock.now();
  expect(await attacked.call('place_limit_order', order)).toMatchObject({ outcome: 'pending_approval' });
  expect(attacked.clock.now() - before).toBeGreaterThanOrEqual(39_000);
  await expectNothingLeft(attacked);
});
