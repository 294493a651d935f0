/** The key goes only to the address of the live service that the owner enrolled. */
// @module-tag server
import { expect, test } from 'vitest';
import { type Attack, attack, order, startUpstream } from './support.ts';

const passphrase = 'four unrelated plain words';

/** A live service with its enrolment, and another service that a variable can name. */
async function withOther(options: Parameters<typeof attack>[0] = {}) {
  const attacked = await attack(options);
  const other = await startUpstream(attacked.clock, undefined, 2);
  return { attacked, other, at: { baseUrl: other.origin } };
}

const success = { columns: expect.any(Array), rows: expect.any(Array) };
const refusal = (attacked: Attack, configured: string) => ({
  code: 'not_configured',
  problem: 'other_address',
  enrolled: attacked.simulator.origin,
  configured,
});

test.each([
  ['list_positions', {}],
  ['get_account_summary', {}],
  ['fetch_history', { kind: 'orders' }],
  ['cancel_order', { orderId: '1' }],
  ['place_limit_order', order],
])('%s sends nothing to another address than the enrolled one', async (name, args) => {
  const { attacked, other, at } = await withOther();
  const moved = await attacked.process(at);
  const answer = await moved.call(name, args);
  expect(answer).toMatchObject(refusal(attacked, other.origin));
  expect(other.log).toEqual([]);
});

test('the status says that no order can be placed at another address, and sends nothing', async () => {
  const { attacked, other, at } = await withOther();
  const { trading } = await (await attacked.process(at)).call('get_server_status');
  expect(trading).toMatchObject({ state: 'off', rule: 'live_service' });
  expect(other.log).toEqual([]);
});

test('another spelling of the enrolled address is the same address', async () => {
  const { attacked } = await withOther();
  const spelled = attacked.simulator.origin.replace('127.0.0.1', 'localhost');
  const answer = await (await attacked.process({ baseUrl: `${spelled}/api/v0` })).call('list_positions');
  expect(answer).toMatchObject(success);
});

test('a demo setting does not send an enrolled live key to another address', async () => {
  const { attacked, other, at } = await withOther();
  await attacked.call('list_positions');
  const answer = await (await attacked.process({ ...at, environment: 'demo' })).call('list_positions');
  expect(answer).toMatchObject(refusal(attacked, other.origin));
  expect(other.log).toEqual([]);
});

test('after another enrolment the key goes to the new address, and no longer to the old one', async () => {
  const { attacked, at } = await withOther();
  const moved = await attacked.process(at);
  await moved.composed.security.enrol({ passphrase, approval: 'page', limits: {} });
  expect(await moved.call('list_positions')).toMatchObject(success);
  expect(await attacked.call('list_positions')).toMatchObject({ code: 'not_configured' });
});

test('an enrolment in another environment does not free the key', async () => {
  const { attacked, at } = await withOther();
  const demo = await attacked.process({ environment: 'demo' });
  await demo.composed.security.enrol({ passphrase, approval: 'page', limits: {} });
  expect(await (await attacked.process(at)).call('list_positions')).toMatchObject({ code: 'not_configured' });
});

test('without an enrolment every address of the settings is used', async () => {
  const { attacked, at } = await withOther({ enrolled: undefined });
  expect(await (await attacked.process(at)).call('list_positions')).toMatchObject(success);
});
