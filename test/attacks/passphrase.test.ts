/** Guessing the passphrase: every guess counts, wherever and however many at once, and five lock. */
import { expect, test } from 'vitest';
import { unlock } from '../../src/orders/security.ts';
import { look, press } from './page.ts';
import {
  type Attack,
  attack,
  expectNothingLeft,
  letItGoOn,
  order,
  ordersThatLeft,
  passphrase,
  waitingOrder,
} from './support.ts';

const guess = (address: string, text: string) => press(address, { fields: { passphrase: text } });
const failuresOf = ({ composed }: Attack) =>
  composed.journal.read(async (tx) => (await tx.get<{ failures: number }>('security'))?.failures);

test.each([
  ['wrong', 'not the passphrase'],
  ['in upper case', passphrase.toUpperCase()],
  ['with a space behind', `${passphrase} `],
  ['without its last letter', passphrase.slice(0, -1)],
  ['the name of the product', 'brokerage-mcp'],
  ['four thousand letters', 'x'.repeat(3_000)],
  ['a zero byte before the right one', `\u0000${passphrase}`],
])('a passphrase that is %s approves nothing', async (_, text) => {
  const attacked = await attack();
  const { address } = await waitingOrder(attacked);
  expect((await guess(address, text)).status).toBe(403);
  await expectNothingLeft(attacked);
});

/** Each after the wait that the one before demands. */
async function fiveWrong(attacked: Attack, address: string) {
  for (let wrong = 1; wrong <= 5; wrong++) {
    expect((await guess(address, `wrong ${wrong}`)).status).toBe(403);
    await attacked.clock.advance(1_000 * 2 ** wrong);
  }
}

test('five wrong passphrases lock: then the right one neither approves, nor does a new order ask anybody', async () => {
  const attacked = await attack();
  const { address } = await waitingOrder(attacked);
  await fiveWrong(attacked, address);
  const locked = await press(address);
  expect(locked.status).toBe(403);
  expect(locked.text).toContain('locked');
  expect(await attacked.call('place_market_order', { ...order, quantity: 1 })).toHaveProperty('code');
  expect(await attacked.call('place_limit_order', { ...order, quantity: 1 })).toMatchObject({ rule: 'locked' });
  await expectNothingLeft(attacked);
  // Positive control: after the owner's `resume` the same passphrase does approve.
  await attacked.composed.journal.change(unlock);
  expect((await press((await waitingOrder(attacked)).address)).status).toBe(303);
  await letItGoOn(attacked);
  expect(ordersThatLeft(attacked.simulator).length).toBe(1);
});

test('an order that was approved before the lock does not leave after it', async () => {
  const attacked = await attack();
  const [first, second] = [await waitingOrder(attacked), await waitingOrder(attacked, { quantity: 3 })];
  await press(first.address);
  await fiveWrong(attacked, second.address);
  await expectNothingLeft(attacked);
  expect((await attacked.intents()).find(({ id }) => id === first.intentId)).toMatchObject({ rule: 'locked' });
});

test('twenty guesses at once are one guess', async () => {
  const attacked = await attack();
  const { address } = await waitingOrder(attacked);
  const shown = await look(address);
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, index) => press(address, { shown, fields: { passphrase: `guess ${index}` } })),
  );
  expect(answers.filter(({ status }) => status === 403).length).toBe(1);
  expect(answers.filter(({ status }) => status === 429).length).toBe(19);
  expect(await failuresOf(attacked)).toBe(1);
  await expectNothingLeft(attacked);
});

test('the right passphrase among twenty at once does not slip through behind a wrong one', async () => {
  const attacked = await attack();
  const { address } = await waitingOrder(attacked);
  const shown = await look(address);
  const wrong = press(address, { shown, fields: { passphrase: 'wrong' } });
  // The wrong one is being looked at; what comes meanwhile is not looked at at all.
  await new Promise((resolve) => setTimeout(resolve, 30));
  const right = await Promise.all(Array.from({ length: 5 }, () => press(address, { shown })));
  expect((await wrong).status).toBe(403);
  expect(right.map(({ status }) => status)).toEqual([429, 429, 429, 429, 429]);
  await expectNothingLeft(attacked);
});

test('guesses count together over tickets, processes and channels', async () => {
  const attacked = await attack();
  const second = await attacked.process();
  const [one, two] = [await waitingOrder(attacked), await waitingOrder(attacked, { quantity: 3 })];
  const inTerminal = () =>
    second.composed.services.approvals.approve({ ...one, passphrase: 'wrong', channel: 'terminal' });
  await guess(one.address, 'wrong 1');
  await attacked.clock.advance(2_000);
  await guess(two.address, 'wrong 2');
  await attacked.clock.advance(4_000);
  expect(await inTerminal()).toMatchObject({ kind: 'wrong_passphrase', attemptsLeft: 2 });
  expect(await inTerminal()).toMatchObject({ kind: 'too_soon' });
  await attacked.clock.advance(8_000);
  await second.composed.security.check('wrong 4');
  await attacked.clock.advance(16_000);
  expect((await guess(two.address, 'wrong 5')).text).toContain('locked');
  expect((await press(one.address)).text).toContain('locked');
  await expectNothingLeft(attacked);
});

test('guesses with broken forms cost nothing and gain nothing', async () => {
  const attacked = await attack();
  const { address } = await waitingOrder(attacked);
  for (let again = 0; again < 8; again++) await press(address, { fields: { csrf: '', passphrase: 'wrong' } });
  expect(await failuresOf(attacked)).toBe(0);
  await expectNothingLeft(attacked);
});

test('an order cannot be approved over the terminal channel without the passphrase either', async () => {
  const attacked = await attack();
  const { intentId, digest } = await waitingOrder(attacked);
  const { approvals } = attacked.composed.services;
  for (const channel of ['terminal', 'elicitation', 'page'] as const)
    expect((await approvals.approve({ intentId, digest, passphrase: '', channel })).kind).not.toBe('approved');
  await expectNothingLeft(attacked);
});
