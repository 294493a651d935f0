/** Variables, files and switches: they may make live stricter than the enrolment, never looser. */
// @module-tag server
import { expect, test } from 'vitest';
import { readConfig } from '../../src/core/settings/config.ts';
import { press } from './page.ts';
import {
  type Attack,
  attack,
  expectNothingLeft,
  haltAll,
  letItGoOn,
  marketOrder,
  order,
  ordersThatLeft,
  removeHaltFile,
  waitingOrder,
} from './support.ts';

const surroundings = (env: Record<string, string>, file?: object) => ({
  argv: [],
  env: { HOME: '/nowhere', BROKER_ENV: 'live', BROKER_LIVE_BASE_URL: 'https://broker.example', ...env },
  platform: 'linux',
  readFile: () => (file ? JSON.stringify(file) : undefined),
  getFileMode: () => 0o600,
});

test.each([
  ['by a variable', {}, surroundings({ BROKER_APPROVAL: 'none' })],
  ['by a flag', { approval: 'none' }, surroundings({})],
  ['by config.json', {}, surroundings({}, { approval: 'none' })],
])('live with the approval none %s does not start', (_, flags, outside) => {
  expect(() => readConfig(flags as Record<string, string>, outside)).toThrow(/none/);
});

test.each([
  ['BROKER_LIVE_TRADING', 'ture'],
  ['BROKER_LIVE_TRADING', 'true,'],
  ['BROKER_APPROVAL', 'None'],
  ['BROKER_APPROVAL', 'page none'],
  ['BROKER_MAX_ORDER_VALUE', '1e9'],
  ['BROKER_MAX_ORDER_VALUE', 'Infinity'],
  ['BROKER_MAX_ORDER_VALUE', '-1'],
  ['BROKER_ORDERS_PER_MINUTE', '1.5'],
  ['BROKER_TICKERS', ','],
  ['BROKER_ENV', 'LIVE'],
])('the invalid setting %s=%s stops the start', (name, value) => {
  expect(() => readConfig({}, surroundings({ [name]: value }))).toThrow(new RegExp(name));
});

test('live trading is off unless it is enabled', () => {
  expect(readConfig({}, surroundings({})).liveTrading).toBe(false);
});

test('elicitation in a variable does not replace the enrolled page', async () => {
  const attacked = await attack({
    config: { approval: 'elicitation' },
    can: { form: {} },
    elicit: () => ({ action: 'accept', content: { confirmQuantity: '2' } }),
  });
  expect(await attacked.call('place_limit_order', order)).toMatchObject({ approval: { method: 'page' } });
  await expectNothingLeft(attacked);
});

test('approval none does not count in live, even if it got past the start', async () => {
  const attacked = await attack({ config: { approval: 'none' } });
  await waitingOrder(attacked);
  await expectNothingLeft(attacked);
});

test('terminal in a variable removes the page, even for a holder of the handle', async () => {
  const attacked = await attack();
  const { address } = await waitingOrder(attacked);
  const strict = await attacked.process({ approval: 'terminal' });
  const said = await strict.call('place_limit_order', { ...order, quantity: 3 });
  expect(said.approval).toMatchObject({ method: 'terminal' });
  expect(said.approval.address).toBeUndefined();
  const [intent] = (await attacked.intents()).filter(({ method }) => method === 'terminal');
  const { approvals } = strict.composed.services;
  const { digest = '' } = intent?.approval ?? {};
  const answer = {
    intentId: intent?.id ?? '',
    digest,
    passphrase: 'only the owner knows this',
    channel: 'page' as const,
  };
  expect(await approvals.approve(answer)).toMatchObject({ kind: 'not_waiting' });
  expect(address).not.toContain(intent?.approval?.handle ?? 'missing');
  await expectNothingLeft(attacked);
});

test('limits raised by variables above the enrolled values have no effect', async () => {
  const limits = {
    maxOrderValue: '1000000',
    maxOrderQuantity: '1000000',
    maxPriceDistance: '90',
    maxDayValue: '1000000',
  };
  const attacked = await attack({ config: { limits } });
  for (const [change, rule] of [
    [{ quantity: 90 }, 'max_order_value'],
    [{ quantity: 2000 }, 'max_order_quantity'],
    [{ limitPrice: 6 }, 'price_distance'],
  ] as const)
    expect(await attacked.call('place_limit_order', { ...order, ...change })).toMatchObject({
      outcome: 'refused',
      rule,
    });
  await expectNothingLeft(attacked);
});

test('the value of a day raised by a variable above the enrolled value has no effect', async () => {
  const attacked = await attack({
    enrolled: { limits: { maxDayValue: '40' } },
    config: { limits: { maxDayValue: '1000000' } },
  });
  await waitingOrder(attacked);
  const second = await attacked.call('place_limit_order', { ...order, limitPrice: 11.4 });
  expect(second).toMatchObject({ outcome: 'refused', rule: 'max_day_value' });
  await expectNothingLeft(attacked);
});

test('a variable cannot allow a ticker that the owner did not enrol', async () => {
  const attacked = await attack({
    enrolled: { limits: { tickers: ['QDIVIl_EQ'] } },
    config: { limits: { tickers: [order.ticker, 'QDIVIl_EQ'] } },
  });
  expect(await attacked.call('place_limit_order', order)).toMatchObject({ rule: 'tickers' });
  await expectNothingLeft(attacked);
});

test('the live service, called demo in a variable, gets no order without approval', async () => {
  const attacked = await attack();
  // An order was requested in live, so the store recognises the live service, whatever a variable says later.
  await waitingOrder(attacked);
  // The service counts the requests of both names together.
  await attacked.clock.advance(60_000);
  const misnamed = await attacked.process({ environment: 'demo', liveTrading: false });
  expect(await misnamed.call('place_limit_order', order)).toMatchObject({ outcome: 'refused' });
  await letItGoOn(misnamed);
  await expectNothingLeft(attacked);
});

const everyTool: [string, Record<string, unknown>][] = [
  ['place_limit_order', order],
  ['place_market_order', marketOrder],
  ['place_stop_order', { ...marketOrder, stopPrice: 12.5, timeValidity: 'DAY' }],
  ['place_stop_limit_order', { ...marketOrder, stopPrice: 12.5, limitPrice: 12.6, timeValidity: 'DAY' }],
];

const closed: [string, string, () => Promise<Attack>][] = [
  ['without live trading', 'live_not_enabled', () => attack({ config: { liveTrading: false } })],
  ['without an enrolment', 'approval_missing', () => attack({ enrolled: undefined })],
  [
    'after a halt in the journal',
    'halted',
    async () => {
      const attacked = await attack();
      await haltAll(attacked, attacked);
      return attacked;
    },
  ],
  [
    'with the file halt',
    'halted',
    async () => {
      const attacked = await attack();
      await haltAll(attacked, attacked, 'by the file');
      return attacked;
    },
  ],
];

test.each(closed)('%s every order is refused, and no page is shown (%s)', async (_, rule, open) => {
  const attacked = await open();
  for (const [tool, args] of everyTool)
    expect(await attacked.call(tool, args)).toMatchObject({ outcome: 'refused', rule });
  await expectNothingLeft(attacked);
});

test('deleting the file halt does not lift the halt in the journal', async () => {
  const attacked = await attack();
  await haltAll(attacked, attacked, 'by the file');
  await haltAll(attacked, attacked);
  removeHaltFile(attacked);
  expect(await attacked.call('place_limit_order', order)).toMatchObject({ rule: 'halted' });
  await expectNothingLeft(attacked);
});

test.each(['by the file', 'in the journal'] as const)(
  'an order that was approved before the halt %s is not sent',
  async (how) => {
    const attacked = await attack();
    const { address } = await waitingOrder(attacked);
    await press(address);
    await haltAll(attacked, attacked, how);
    await expectNothingLeft(attacked);
    // Not later either: a refusal is final.
    removeHaltFile(attacked);
    await expectNothingLeft(attacked);
  },
);

test('a read-only server has no tool to place or cancel orders', async () => {
  const attacked = await attack({ config: { readOnly: true } });
  for (const [tool, args] of [...everyTool, ['cancel_order', { orderId: '1' }] as const])
    expect(await attacked.call(tool, args)).toHaveProperty('refusedByProtocol');
  await expectNothingLeft(attacked);
});

test('a cancellation is sent while trading is halted or live trading is off', async () => {
  const attacked = await attack();
  await press((await waitingOrder(attacked)).address);
  await letItGoOn(attacked);
  const [{ orderId = '' } = {}] = await attacked.intents();
  await haltAll(attacked, attacked);
  const off = await attacked.process({ liveTrading: false });
  expect(await off.call('cancel_order', { orderId })).toMatchObject({ outcome: 'requested' });
  expect(ordersThatLeft(attacked.simulator).length).toBe(1);
});
