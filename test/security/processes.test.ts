/** Several servers on one state folder: no server does what another may not, and none spoils its work. */
// @module-tag server
import { expect, test } from 'vitest';
import type { Config } from '../../src/core/settings/config.ts';
import { press } from './page.ts';
import {
  type Attack,
  attack,
  expectNothingLeft,
  haltAll,
  letItGoOn,
  order,
  ordersThatLeft,
  type Side,
  startUpstream,
  waitingOrder,
} from './support.ts';

const accepted = { approval: { action: 'accept', content: { confirmQuantity: '2' } } };

/** A server of paper money on the same state folder, with a service of its own. */
async function paperServer(attacked: Attack, config: Partial<Config> = {}) {
  // With a service and key of its own: those used in live accept no demo order.
  const credentials = { key: 'paper-key', secret: 'paper-secret' };
  const upstream = await startUpstream(attacked.clock, undefined, 2, credentials);
  const paper: Partial<Config> = { environment: 'demo', baseUrl: upstream.origin, credentials, liveTrading: false };
  const change: Partial<Config> = { ...paper, ...config };
  return { upstream, demo: await attacked.process(change, { can: { form: {}, url: {} } }) };
}

const bystanders: [string, Partial<Config>][] = [
  ['read-only', { readOnly: true }],
  ['without live trading', { liveTrading: false }],
  ['read-only and without live trading', { readOnly: true, liveTrading: false }],
  ['for the simulated account', { environment: 'sandbox', baseUrl: undefined, credentials: undefined }],
  ['for live with another key', { credentials: { key: 'another', secret: 'key' } }],
  ['for another live service', { baseUrl: 'http://127.0.0.1:9' }],
];

test('no second server of another kind sends what waits in the first, or sends or spoils what is approved', {
  tags: ['slow'],
}, async () => {
  const attacked = await attack();
  const { address, intentId, nonce } = await waitingOrder(attacked);
  const seconds: [string, Side][] = [];
  for (const [kind, config] of bystanders)
    seconds.push([kind, await attacked.process(config, { can: { form: {}, url: {} } })]);
  for (const [, second] of seconds)
    await second.call('place_limit_order', order, { requestState: nonce, inputResponses: accepted });
  expect((await attacked.intents()).find(({ id }) => id === intentId)).toMatchObject({ state: 'AWAITING_APPROVAL' });
  await press(address);
  for (const [kind, second] of seconds) {
    await letItGoOn(second);
    await second.call('get_order', { intentId });
    await second.call('get_server_status');
    const approved = (await attacked.intents()).find(({ id }) => id === intentId);
    expect([kind, ordersThatLeft(attacked.simulator), approved?.state]).toEqual([kind, [], 'APPROVED']);
  }
  await letItGoOn(attacked);
  expect(ordersThatLeft(attacked.simulator)).toMatchObject([{ quantity: 2 }]);
});

test('a demo server never continues a live intent, not even an approved one', async () => {
  const attacked = await attack();
  const { demo, upstream } = await paperServer(attacked);
  const { address, nonce } = await waitingOrder(attacked);
  const waiting = demo.call('place_limit_order', order, { requestState: nonce, inputResponses: accepted });
  await press(address);
  await waiting;
  await demo.call('place_limit_order', order, { requestState: nonce, inputResponses: accepted });
  await letItGoOn(demo);
  expect(ordersThatLeft(upstream)).toEqual([]);
  await letItGoOn(attacked);
  expect(ordersThatLeft(attacked.simulator).length).toBe(1);
});

test('a form of the demo server submitted to the live server, whose own setting is forms, sends nothing live', {
  tags: ['slow'],
}, async () => {
  const attacked = await attack({ config: { approval: 'elicitation' } });
  const { demo, upstream } = await paperServer(attacked, { approval: 'elicitation' });
  const { requestState } = await demo.call('place_limit_order', order);
  const resumed = { requestState, inputResponses: accepted };
  // Without its service the demo server can accept the form, and cannot send the order first.
  await upstream.close();
  await Promise.all([
    attacked.call('place_limit_order', order, resumed),
    demo.call('place_limit_order', order, resumed),
  ]);
  await attacked.call('place_limit_order', order, resumed);
  await letItGoOn(attacked);
  expect(ordersThatLeft(attacked.simulator)).toEqual([]);
});

test('a demo ticket approved with the passphrase sends nothing live', { tags: ['slow'] }, async () => {
  const attacked = await attack();
  const { demo } = await paperServer(attacked, { approval: 'page' });
  const { address, nonce } = await waitingOrder(demo);
  const resumed = { requestState: nonce, inputResponses: accepted };
  const live = attacked.call('place_limit_order', order, resumed);
  await press(address);
  await live;
  await attacked.call('place_limit_order', order, resumed);
  await letItGoOn(attacked);
  expect(ordersThatLeft(attacked.simulator)).toEqual([]);
});

test('an intent of one account is not sent to another account of the same environment', async () => {
  const attacked = await attack({ enrolled: { approval: 'elicitation' }, can: { form: {} } });
  const upstream = await startUpstream(attacked.clock);
  const other = await attacked.process({ baseUrl: upstream.origin }, { can: { form: {} } });
  const { requestState } = await attacked.call('place_limit_order', order);
  await other.call('place_limit_order', order, { requestState, inputResponses: accepted });
  await letItGoOn(other);
  expect(ordersThatLeft(upstream)).toEqual([]);
  await expectNothingLeft(attacked);
});

test('orders of the demo account do not settle a live order whose response was lost', { tags: ['slow'] }, async () => {
  const attacked = await attack();
  const { demo, upstream } = await paperServer(attacked);
  attacked.simulator.faults.push({ endpoint: 'placeLimitOrder', kind: 'resetBeforeRead' });
  const { address, intentId } = await waitingOrder(attacked);
  await press(address);
  await letItGoOn(attacked);
  expect((await attacked.intents())[0]).toMatchObject({ state: 'UNKNOWN' });
  const { ticker, quantity, limitPrice } = order;
  upstream.inject.order({ ticker, quantity, limitPrice, type: 'LIMIT', timeValidity: 'DAY', initiatedFrom: 'API' });
  // Long enough that the first search of the live server delays no call.
  await attacked.clock.advance(65_000);
  await demo.call('get_order', { intentId });
  expect((await attacked.intents())[0]).toMatchObject({ state: 'UNKNOWN' });
  expect((await attacked.intents())[0]?.orderId).toBeUndefined();
});

test('a demo intent in a live call, and a live one in a demo call, is unknown', { tags: ['slow'] }, async () => {
  const attacked = await attack();
  const { demo } = await paperServer(attacked);
  const { intentId } = await waitingOrder(attacked);
  expect(await demo.call('get_order', { intentId })).toMatchObject({ code: 'not_found' });
  expect(await demo.call('place_limit_order', { ...order, repeatOf: intentId })).toMatchObject({
    code: 'invalid_argument',
  });
  await expectNothingLeft(attacked);
});

test('two live servers with permission to send it send one order', async () => {
  const attacked = await attack();
  const second = await attacked.process();
  const { address } = await waitingOrder(attacked);
  await press(address);
  await Promise.all([letItGoOn(attacked), letItGoOn(second), letItGoOn(attacked), letItGoOn(second)]);
  expect(ordersThatLeft(attacked.simulator).length).toBe(1);
});

test('a halt in one process stops an order approved in another', async () => {
  const attacked = await attack();
  const second = await attacked.process({ liveTrading: false });
  await press((await waitingOrder(attacked)).address);
  await haltAll(attacked, second);
  await expectNothingLeft(attacked);
});

test('a second live server with looser variables obeys the enrolment and the limits of the intent', async () => {
  const attacked = await attack({ config: { limits: { maxOrderValue: '30' } } });
  const loose = await attacked.process({ limits: { maxOrderValue: '100000' } });
  expect(await attacked.call('place_limit_order', { ...order, quantity: 3 })).toMatchObject({
    rule: 'max_order_value',
  });
  const { address } = await waitingOrder(attacked);
  await attacked.enrol({ approval: 'page', limits: { maxOrderValue: '20' } });
  await press(address);
  await letItGoOn(loose);
  await expectNothingLeft(attacked);
});

test('the page of a demo server does not approve a live order under looser rules', { tags: ['slow'] }, async () => {
  const attacked = await attack({ config: { approval: 'terminal' }, can: undefined });
  const { demo } = await paperServer(attacked, { approval: 'page' });
  await attacked.call('place_limit_order', order);
  const ticket = await waitingOrder(demo, { quantity: 3 });
  const [live] = (await attacked.intents()).filter(({ environment }) => environment === 'live');
  // The owner set the terminal for live; a holder of the handle finds another server's page open.
  const address = ticket.address.replace(ticket.handle, live?.approval?.handle ?? 'missing');
  await press(address);
  await expectNothingLeft(attacked);
});
