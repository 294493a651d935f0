/** What a model can write: arguments, and calls of every tool. */
// @module-tag server
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { look } from './page.ts';
import {
  type Attack,
  atEndOfFile,
  attack,
  expectNothingLeft,
  letItGoOn,
  marketOrder,
  order,
  passphrase,
  roomy,
  type Side,
  waitingOrder,
} from './support.ts';

const someId = 'a'.repeat(32);

const refused: [string, Record<string, unknown>][] = [
  ['a flag that says it is approved', { approved: true }],
  ['an approval token', { approvalToken: someId }],
  ['a confirmation', { confirm: true }],
  ['the confirmed quantity of a form', { confirmQuantity: '2' }],
  ['the very passphrase', { passphrase }],
  ['force', { force: true }],
  ['a dry run that is switched off', { dryRun: false }],
  ['another environment', { env: 'demo' }],
  ['another environment by the name of its variable', { BROKER_ENV: 'demo' }],
  ['the switch for live trading', { liveTrading: true, BROKER_LIVE_TRADING: 'true' }],
  ['an approval as the journal keeps it', { approval: { approvedAt: 1, by: 'page', digest: someId } }],
  ['the state that it wishes for', { state: 'APPROVED' }],
  ['the method none', { method: 'none' }],
  ['an intent of its own', { intentId: someId }],
  ['limits of its own', { limits: { maxOrderValue: '1000000' } }],
  ['a requestState among the arguments', { requestState: someId, inputResponses: {} }],
  ['a constructor to pollute', JSON.parse('{"constructor":{"prototype":{"approved":true}}}')],
  ['a prototype to pollute', JSON.parse('{"prototype":{"approved":true}}')],
  ['a quantity in an array', { quantity: [2] }],
  ['a quantity in an object', { quantity: { value: 2 } }],
  ['a negative quantity', { quantity: -2 }],
  ['a quantity in hexadecimal', { quantity: '0x2' }],
  ['an infinite quantity', { quantity: 'Infinity' }],
  ['a quantity beyond all numbers', { quantity: '1e400' }],
  ['a quantity of too many digits', { quantity: 2.0000000000000004 }],
  ['two sides at once', { side: ['BUY', 'SELL'] }],
  ['a price below nothing', { limitPrice: '-11.5' }],
  ['a ticker in an array', { ticker: [order.ticker] }],
  ['a repetition of everything', { repeatOf: '*' }],
  ['a repetition of an array', { repeatOf: [someId] }],
];

describe('arguments', () => {
  const atEnd = atEndOfFile(afterAll);
  let attacked: Attack;
  beforeAll(async () => {
    attacked = await attack({ atEnd });
  });

  test.each(refused)('%s among the arguments is refused before any request or record', async (_, extra) => {
    expect(await attacked.call('place_limit_order', { ...order, ...extra })).toMatchObject({
      code: 'invalid_argument',
    });
    expect(await attacked.intents()).toEqual([]);
    expect(attacked.simulator.log).toEqual([]);
  });
});

test('an own key __proto__ is refused or ignored: the ticket is the plain order, and no object is polluted', async () => {
  const attacked = await attack();
  // JSON.parse makes it an own key, as the wire does; spreading would not.
  const text = JSON.stringify(order).replace('{', '{"__proto__":{"approved":true,"quantity":900},');
  await attacked.call('place_limit_order', JSON.parse(text));
  for (const { request } of await attacked.intents()) expect(request.quantity).toBe('2');
  expect(({} as { approved?: boolean }).approved).toBeUndefined();
  await expectNothingLeft(attacked);
});

test('a quantity in another spelling is refused, or shown to the owner as the number that would be sent', async () => {
  const attacked = await attack({ enrolled: { limits: roomy } });
  for (const [at, quantity] of ['2e0', '0.2e1', '2.000', '0002'].entries()) {
    const body = await attacked.call('place_limit_order', { ...order, quantity, limitPrice: 11.1 + at / 10 });
    // Either it is not a number, or it is exactly this one.
    if (body.code === undefined)
      expect((await look(body.inputRequests.approval.params.url)).text).toContain(`<bdi>2</bdi> <span class="times">`);
    else expect([quantity, body.code]).toEqual([quantity, 'invalid_argument']);
  }
  await expectNothingLeft(attacked);
});

test('an order of each type waits for an approval, however often it is called', async () => {
  const attacked = await attack({ enrolled: { limits: roomy } });
  const calls: [string, Record<string, unknown>][] = [
    ['place_limit_order', order],
    ['place_market_order', marketOrder],
    ['place_stop_order', { ...marketOrder, stopPrice: 12.5, timeValidity: 'DAY' }],
    ['place_stop_limit_order', { ...marketOrder, stopPrice: 12.5, limitPrice: 12.6, timeValidity: 'DAY' }],
  ];
  for (const [tool, args] of calls) {
    const { intentId } = await waitingOrder(attacked, args, tool);
    for (let again = 0; again < 2; again++) expect((await waitingOrder(attacked, args, tool)).intentId).toBe(intentId);
  }
  expect((await attacked.intents()).map(({ state }) => state)).toEqual(calls.map(() => 'AWAITING_APPROVAL'));
  await expectNothingLeft(attacked);
});

type Given = { intentId: string; asked: Record<string, unknown> };
const others: [string, (side: Side, given: Given) => Promise<unknown>][] = [
  [
    'asking for the intent five times',
    async ({ call }, { intentId }) => {
      for (let again = 0; again < 5; again++) await call('get_order', { intentId });
    },
  ],
  ['waiting for it absurdly long', ({ call }, { intentId }) => call('get_order', { intentId, waitSeconds: 1e9 })],
  ['naming it where an order id belongs', ({ call }, { intentId }) => call('get_order', { orderId: intentId })],
  ['cancelling it by its intentId', ({ call }, { intentId }) => call('cancel_order', { orderId: intentId })],
  ['cancelling an order that is not there', ({ call }) => call('cancel_order', { orderId: '1' })],
  [
    'repeating it while it waits',
    ({ call }, { intentId, asked }) => call('place_limit_order', { ...asked, repeatOf: intentId }),
  ],
  [
    'naming it as the one that another order repeats',
    ({ call }, { intentId, asked }) => call('place_limit_order', { ...asked, quantity: 3, repeatOf: intentId }),
  ],
  ['asking the status to resume', ({ call }) => call('get_server_status', { resume: true, approval: 'none' })],
  ['asking for the status', ({ call }) => call('get_server_status')],
  ['a preview of it', ({ call }, { asked }) => call('preview_order', { type: 'LIMIT', ...asked })],
  ['a report that is requested and saved', ({ call }, { intentId }) => call('download_export', { reportId: intentId })],
  ['a report with a path for its id', ({ call }) => call('download_export', { reportId: '../store.sqlite' })],
];

describe('an order that waits is neither approved nor sent', () => {
  const atEnd = atEndOfFile(afterAll);
  let attacked: Attack;
  let cents = 0;
  beforeAll(async () => {
    attacked = await attack({ enrolled: { limits: roomy }, atEnd });
  });

  test.each(others)('by %s', async (_, act) => {
    const asked = { limitPrice: 11 + ++cents / 100 };
    const given = await waitingOrder(attacked, asked);
    await act(attacked, { ...given, asked: { ...order, ...asked } });
    await letItGoOn(attacked);
    const mine = (await attacked.intents()).find(({ id }) => id === given.intentId);
    expect(mine?.approval?.approvedAt).toBeUndefined();
    expect(['AWAITING_APPROVAL', 'EXPIRED']).toContain(mine?.state);
    await expectNothingLeft(attacked);
  });
});

test('no tool, listed or not, enables live, approves, raises a limit, enrols or resumes', async () => {
  const attacked = await attack();
  const { intentId } = await waitingOrder(attacked);
  const names = await attacked.tools();
  expect(names.filter((name) => /appro|confirm|enrol|resume|unlock|limits?$|enable|config|setting/.test(name))).toEqual(
    [],
  );
  for (const name of [
    'approve',
    'approve_order',
    'confirm_order',
    'enroll',
    'resume',
    'set_limits',
    'tick',
    '__proto__',
  ])
    expect(await attacked.call(name, { intentId, passphrase })).toHaveProperty('refusedByProtocol');
  await expectNothingLeft(attacked);
});

test('no text for a model or a host contains the nonce, the digest or any part of the passphrase', async () => {
  // Only a host that opens addresses gets the nonce; no other reader has a use for it.
  const attacked = await attack({ can: undefined });
  const { intentId } = await waitingOrder(attacked);
  const read = [
    await attacked.call('get_order', { intentId }),
    await attacked.call('get_server_status'),
    await attacked.call('place_limit_order', order),
    await attacked.readAudit(),
  ];
  const text = JSON.stringify(read);
  const kept = await attacked.composed.journal.read((tx) => tx.get<{ hash: string; salt: string }>('security'));
  const [intent] = await attacked.intents();
  for (const secret of [intent?.approval?.nonce, intent?.approval?.digest, kept?.hash, kept?.salt, passphrase])
    expect(text).not.toContain(secret ?? 'missing');
});
