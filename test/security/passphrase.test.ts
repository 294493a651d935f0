/**
 * Guessing the passphrase: every guess counts, however many are concurrent; five lock the page, and nothing locks the
 * terminal.
 */
// @module-tag server
import { expect, test } from 'vitest';
import { unlock } from '../../src/core/approval/enrollment/enrollment.ts';
import { approvalMethods } from '../../src/core/orders/intent/approval-methods.ts';
import { look, press } from './page.ts';
import {
  type Attack,
  attack,
  expectNothingLeft,
  letItGoOn,
  ordersThatLeft,
  passphrase,
  type Side,
  waitingOrder,
} from './support.ts';

const guess = (address: string, text: string) => press(address, { fields: { passphrase: text } });
const failuresOf = ({ composed }: Attack) =>
  composed.journal.read(async (tx) => (await tx.get<{ failures: number }>('security'))?.failures);

test('a passphrase that is nearly the right one approves nothing', async () => {
  const attacked = await attack();
  const { address } = await waitingOrder(attacked);
  const near = [passphrase.toUpperCase(), `${passphrase} `, 'x'.repeat(3_000), `\u0000${passphrase}`];
  for (const [wrong, text] of near.entries()) {
    expect((await guess(address, text)).status).toBe(403);
    expect(await failuresOf(attacked)).toBe(wrong + 1);
    await attacked.clock.advance(1_000 * 2 ** (wrong + 1));
  }
  await expectNothingLeft(attacked);
});

/** Each after the wait that the previous one requires. */
async function fiveWrong(attacked: Attack, address: string) {
  for (let wrong = 1; wrong <= 5; wrong++) {
    expect((await guess(address, `wrong ${wrong}`)).status).toBe(403);
    await attacked.clock.advance(1_000 * 2 ** wrong);
  }
}

const inTerminal = (side: Side, ticket: { intentId: string; digest: string }, text: string, seen?: number) =>
  side.composed.services.approvals.approve({ ...ticket, passphrase: text, channel: 'terminal', seen });
const wrongShown = async ({ composed }: Side) =>
  (await composed.services.approvals.waiting()).map(({ wrongPassphrases }) => wrongPassphrases);

test('five wrong passphrases lock the page, where the right one then approves nothing', async () => {
  const attacked = await attack();
  const { address } = await waitingOrder(attacked);
  await fiveWrong(attacked, address);
  const locked = await press(address);
  expect(locked.status).toBe(403);
  expect(locked.text).toContain('This page is locked');
  expect((await look(address)).text).not.toContain('name="passphrase"');
  await expectNothingLeft(attacked);
  // Positive control: after the owner's `resume` the same passphrase does approve.
  await attacked.composed.journal.change(unlock);
  expect((await press((await waitingOrder(attacked)).address)).status).toBe(303);
  await letItGoOn(attacked);
  expect(ordersThatLeft(attacked.simulator).length).toBe(1);
});

test('while the page is locked the right passphrase in the terminal approves, and unlocks the page', async () => {
  const attacked = await attack();
  const first = await waitingOrder(attacked);
  await fiveWrong(attacked, first.address);
  expect(await attacked.call('get_server_status')).toMatchObject({ trading: { state: 'on' } });
  const second = await waitingOrder(attacked, { quantity: 3 });
  expect((await press(second.address)).status).toBe(403);
  expect(await inTerminal(attacked, second, passphrase)).toEqual({ kind: 'approved' });
  await letItGoOn(attacked);
  const third = await waitingOrder(attacked, { quantity: 4 });
  expect((await press(third.address)).status).toBe(303);
  await letItGoOn(attacked);
  expect(ordersThatLeft(attacked.simulator)).toMatchObject([{ quantity: 3 }, { quantity: 4 }]);
});

test('an order approved with the right passphrase is sent although guesses lock the page afterwards', {
  tags: ['slow'],
}, async () => {
  const attacked = await attack();
  const [first, second] = [await waitingOrder(attacked), await waitingOrder(attacked, { quantity: 3 })];
  await press(first.address);
  await fiveWrong(attacked, second.address);
  await letItGoOn(attacked);
  expect(ordersThatLeft(attacked.simulator)).toMatchObject([{ quantity: 2 }]);
});

test('the next approval shows the wrong passphrases and clears only those that it showed', async () => {
  const attacked = await attack();
  const waiting = await waitingOrder(attacked);
  expect(await wrongShown(attacked)).toEqual([undefined]);
  await guess(waiting.address, 'wrong 1');
  const lastAt = attacked.clock.now();
  expect(await wrongShown(attacked)).toEqual([{ count: 1, lastAt, locked: [] }]);
  const shown = await look(waiting.address);
  expect(shown.text).toContain('1 wrong passphrase since you last approved');
  await attacked.clock.advance(2_000);
  await inTerminal(attacked, waiting, 'wrong 2');
  const laterAt = attacked.clock.now();
  await attacked.clock.advance(2_000);
  // The submitted page showed one of the two.
  expect((await press(waiting.address, { shown, fields: { seen: '1' } })).status).toBe(303);
  await waitingOrder(attacked, { quantity: 3 });
  expect(await wrongShown(attacked)).toContainEqual({ count: 1, lastAt: laterAt, locked: [] });
  expect(await attacked.composed.security.check(passphrase, 'terminal', 1)).toEqual({ kind: 'right' });
  expect(await wrongShown(attacked)).not.toContainEqual(expect.objectContaining({ count: 1 }));
});

test('twenty concurrent guesses count as one', async () => {
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

test('the right passphrase among twenty concurrent ones does not pass behind a wrong one', async () => {
  const attacked = await attack();
  const { address } = await waitingOrder(attacked);
  const shown = await look(address);
  const wrong = press(address, { shown, fields: { passphrase: 'wrong' } });
  // While the wrong one is checked, the others are not checked at all.
  await new Promise((resolve) => setTimeout(resolve, 30));
  const right = await Promise.all(Array.from({ length: 5 }, () => press(address, { shown })));
  expect((await wrong).status).toBe(403);
  expect(right.map(({ status }) => status)).toEqual([429, 429, 429, 429, 429]);
  await expectNothingLeft(attacked);
});

test('guesses on the page are counted across tickets and processes', async () => {
  const attacked = await attack();
  const second = await attacked.process();
  const [one, two] = [await waitingOrder(attacked), await waitingOrder(attacked, { quantity: 3 })];
  const onPage = () => second.composed.services.approvals.approve({ ...one, passphrase: 'wrong', channel: 'page' });
  await guess(one.address, 'wrong 1');
  await attacked.clock.advance(2_000);
  await guess(two.address, 'wrong 2');
  await attacked.clock.advance(4_000);
  expect(await onPage()).toMatchObject({ kind: 'wrong_passphrase', attemptsLeft: 2 });
  expect(await onPage()).toMatchObject({ kind: 'too_soon' });
  await attacked.clock.advance(8_000);
  await second.composed.security.check('wrong 4', 'page');
  await attacked.clock.advance(16_000);
  expect((await guess(two.address, 'wrong 5')).text).toContain('locked');
  expect((await press(one.address)).text).toContain('locked');
  await expectNothingLeft(attacked);
});

test('guesses with malformed forms cost nothing and gain nothing', { tags: ['slow'] }, async () => {
  const attacked = await attack();
  const { address } = await waitingOrder(attacked);
  for (let again = 0; again < 8; again++) await press(address, { fields: { csrf: '', passphrase: 'wrong' } });
  expect(await failuresOf(attacked)).toBe(0);
  await expectNothingLeft(attacked);
});

test('the terminal channel cannot approve an order without the passphrase either', async () => {
  const attacked = await attack();
  const { intentId, digest } = await waitingOrder(attacked);
  const { approvals } = attacked.composed.services;
  for (const channel of approvalMethods)
    expect((await approvals.approve({ intentId, digest, passphrase: '', channel })).kind).not.toBe('approved');
  await expectNothingLeft(attacked);
});
