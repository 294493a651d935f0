/** The owner chose forms for convenience: then the form alone decides, and these are the ways to submit it wrongly. */
// @module-tag server
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  type Attack,
  atEndOfFile,
  attack,
  expectNothingLeft,
  letItGoOn,
  order,
  ordersThatLeft,
  roomy,
  type Side,
} from './support.ts';

const forms = () => attack({ enrolled: { approval: 'elicitation' }, can: { form: {} } });

/** The question that the host gets, and the response that it makes. */
async function ask(side: Side, change: Record<string, unknown> = {}) {
  const asked = await side.call('place_limit_order', { ...order, ...change });
  const { requestState, inputRequests } = asked;
  expect(inputRequests.approval.params.mode).toBe('form');
  const say = (approval: unknown, from: Side = side) =>
    from.call('place_limit_order', { ...order, ...change }, { requestState, inputResponses: { approval } });
  return { requestState: String(requestState), say };
}

const right = { action: 'accept', content: { confirmQuantity: '2' } };

/** What is the right quantity: test/core/approval/approval-service.test.ts. */
const wrong: [string, unknown][] = [
  ['an accept with nothing at all', { action: 'accept' }],
  ['an accept with an empty form', { action: 'accept', content: {} }],
  ['another quantity', { action: 'accept', content: { confirmQuantity: '3' } }],
  ['the quantity as a number', { action: 'accept', content: { confirmQuantity: 2 } }],
  ['a list', { action: 'accept', content: { confirmQuantity: ['2'] } }],
  ['the name of the field in other letters', { action: 'accept', content: { ConfirmQuantity: '2' } }],
  ['a rejection with the right quantity', { action: 'decline', content: { confirmQuantity: '2' } }],
  ['a closed form with the right quantity', { action: 'cancel', content: { confirmQuantity: '2' } }],
];

describe('no order is sent', () => {
  const atEnd = atEndOfFile(afterAll);
  let attacked: Attack;
  let cents = 0;
  beforeAll(async () => {
    attacked = await attack({ enrolled: { approval: 'elicitation', limits: roomy }, can: { form: {} }, atEnd });
  });

  /** The form of another order each time, and the id of its intent. */
  async function askNext() {
    const limitPrice = 11 + ++cents / 100;
    const { say } = await ask(attacked, { limitPrice });
    const intent = (await attacked.intents()).find(({ request }) => Number(request.limitPrice) === limitPrice);
    return { say, intentId: intent?.id ?? '' };
  }

  test.each(wrong)('by a form submitted with %s', async (_, said) => {
    await (await askNext()).say(said);
    await expectNothingLeft(attacked);
  });

  test('by the right quantity after the expiry', async () => {
    const { say } = await askNext();
    await attacked.clock.advance(120_000);
    expect(await say(right)).toMatchObject({ outcome: 'expired' });
    await expectNothingLeft(attacked);
  });

  test('by the right quantity after a rejection', async () => {
    const { say } = await askNext();
    await say({ action: 'decline' });
    expect(await say(right)).toMatchObject({ outcome: 'declined' });
    await expectNothingLeft(attacked);
  });

  test('by a form that a host declines at once, and no person is said to have declined it', async () => {
    const { say } = await askNext();
    const said = await say({ action: 'decline' });
    expect(said).toMatchObject({
      outcome: 'declined',
      message: 'The host declined the form; a person may not have seen it. Nothing was sent.',
      reason: 'The response came faster than a person can read: this host responds to forms automatically.',
    });
    expect(said.next).toContain('--approval page');
    await expectNothingLeft(attacked);
  });

  test.each([
    ['a closed form', { action: 'cancel' }, /^The host closed the form; .*"brokerage-mcp approve" in a terminal/],
    [
      'an empty accept',
      { action: 'accept', content: {} },
      /^The host returned the form without the quantity; .*"brokerage-mcp approve" in a terminal/,
    ],
  ])('by %s: the order waits, and every later reader is told what became of the form', async (_, given, how) => {
    const { say, intentId } = await askNext();
    const sent = await attacked.call('get_order', { intentId });
    expect(sent.approval.how).toMatch(/^A form that asks for the quantity was sent to the host, /);
    const reply = await say(given);
    expect(reply).toMatchObject({ outcome: 'pending_approval', approval: { how: expect.stringMatching(how) } });
    expect((await attacked.call('get_order', { intentId })).approval.how).toBe(reply.approval.how);
    await expectNothingLeft(attacked);
  });

  test('by another quantity, which is shown short and on one line', async () => {
    const { say } = await askNext();
    const again = await say({ action: 'accept', content: { confirmQuantity: `3\n${'9'.repeat(100)}` } });
    const [problem] = String(again.inputRequests.approval.params.message).split('\n');
    expect(problem).toBe(`You typed 3 ${'9'.repeat(17)}…, the order is for 2.`);
  });
});

test.each(['older', 'newer'] as const)(
  'a host that is asked in a call: an empty yes sends nothing, and a mistyped quantity is asked for once more (%s revision)',
  async (revision) => {
    const messages: string[] = [];
    const typed: Record<string, string>[] = [];
    const elicit = ({ message }: Record<string, unknown>) => {
      messages.push(String(message).split('\n')[0] ?? '');
      return { action: 'accept', content: typed.shift() ?? {} } as const;
    };
    const attacked = await attack({ enrolled: { approval: 'elicitation' }, can: { form: {} }, elicit, revision });
    const place = (limitPrice: number, ...answers: string[]) => {
      messages.length = 0;
      typed.push(...answers.map((confirmQuantity) => ({ confirmQuantity })));
      return attacked.call('place_limit_order', { ...order, limitPrice });
    };
    expect(await place(11.1)).toMatchObject({ outcome: 'pending_approval' });
    expect(messages).toEqual(['LIVE']);
    const twice = await place(11.2, '3', '3');
    expect(messages).toEqual(['LIVE', 'You typed 3, the order is for 2.']);
    expect(twice).toMatchObject({
      outcome: 'pending_approval',
      message: expect.stringMatching(/The person typed 3, the order is for 2\.$/),
    });
    expect(twice.approval.how).toMatch(/^The person typed 3, the order is for 2\. To approve, .* in a terminal/);
    await expectNothingLeft(attacked);
    expect(await place(11.3, '3', '2')).toMatchObject({ outcome: 'placed' });
    expect(ordersThatLeft(attacked.simulator)).toMatchObject([{ quantity: 2, limitPrice: 11.3 }]);
  },
);

test('the right quantity in another spelling sends the one order (positive control)', async () => {
  const attacked = await forms();
  const { say } = await ask(attacked);
  const said = await say({ action: 'accept', content: { confirmQuantity: ' 2.0 ' } });
  expect(said).toMatchObject({ outcome: 'placed' });
  expect(ordersThatLeft(attacked.simulator)).toMatchObject([{ quantity: 2 }]);
});

test('a repeated call that a form answers says that it is the same order', async () => {
  const attacked = await forms();
  const first = await ask(attacked);
  const second = await ask(attacked);
  expect(second.requestState).not.toBe(first.requestState);
  const closed = await second.say({ action: 'cancel' });
  const [{ id: intentId } = { id: '' }] = await attacked.intents();
  expect(closed).toMatchObject({ outcome: 'pending_approval', intentId, coalesced: true });
  expect(closed.message).toMatch(`Nothing new was sent: this equals the order of intent ${intentId}.`);
  const placed = await first.say(right);
  expect(placed).toMatchObject({ outcome: 'placed', intentId });
  expect(placed).not.toHaveProperty('coalesced');
  const late = await second.say(right);
  expect(late).toMatchObject({ outcome: 'placed', intentId, coalesced: true });
  expect(late.message).toMatch(`Nothing new was sent: this equals order ${placed.orderId}.`);
  expect(ordersThatLeft(attacked.simulator).length).toBe(1);
  // A form of the repeated call that itself sends the order says no such thing.
  const another = { limitPrice: 11.4 };
  await ask(attacked, another);
  const sent = await (await ask(attacked, another)).say(right);
  expect(sent).toMatchObject({ outcome: 'placed', coalesced: true });
  expect(sent.message).not.toMatch('Nothing new was sent');
  expect(ordersThatLeft(attacked.simulator).length).toBe(2);
});

test('a host without forms is told that none was sent, and get_order says the same', async () => {
  const attacked = await attack({ enrolled: { approval: 'elicitation' }, can: undefined });
  const said = await attacked.call('place_limit_order', order);
  expect(said.approval.how).toMatch(/^No form was sent to the host; /);
  expect((await attacked.call('get_order', { intentId: said.intentId })).approval.how).toBe(said.approval.how);
});

test('a form that an older host fails to show leaves the order waiting, with an outcome and no error', async () => {
  const attacked = await attack({
    enrolled: { approval: 'elicitation' },
    can: { form: {} },
    elicit: () => {
      throw new Error('no window');
    },
    revision: 'older',
  });
  const said = await attacked.call('place_limit_order', order);
  expect(said).toMatchObject({ outcome: 'pending_approval', intentId: expect.stringMatching(/^[0-9a-f]{32}$/) });
  await expectNothingLeft(attacked);
});

test('a form approves one order, however often and from wherever it is submitted', async () => {
  const attacked = await forms();
  const { say } = await ask(attacked);
  const other = await attacked.host({ can: { form: {} } });
  await Promise.all([say(right), say(right), say(right, other)]);
  await say(right);
  await letItGoOn(attacked);
  expect(ordersThatLeft(attacked.simulator).length).toBe(1);
  expect((await attacked.intents()).length).toBe(1);
});

test('the form of one order does not release another of the same quantity', async () => {
  const attacked = await forms();
  const first = await ask(attacked);
  await ask(attacked, { limitPrice: 11.4 });
  await first.say(right);
  await letItGoOn(attacked);
  expect(ordersThatLeft(attacked.simulator)).toMatchObject([{ limitPrice: 11.5 }]);
});

test('limits that were tightened after the question refuse what the form approves', async () => {
  const attacked = await forms();
  const { say } = await ask(attacked);
  const limits = { maxOrderValue: '1' };
  await attacked.enrol({ approval: 'elicitation', limits });
  expect(await say(right)).toMatchObject({ outcome: 'refused', rule: 'max_order_value' });
  await expectNothingLeft(attacked);
});

test('a form shown before the owner enrolled the page approves nothing afterwards', async () => {
  const attacked = await forms();
  const { say } = await ask(attacked);
  await attacked.enrol({ approval: 'page', limits: {} });
  expect((await say(right)).outcome).not.toBe('placed');
  await expectNothingLeft(attacked);
});

test('a form submitted before the owner enrolled the page sends nothing afterwards', async () => {
  const attacked = await forms();
  // This server may not trade: it accepts the form and leaves the sending to others.
  const helper = await attacked.process({ liveTrading: false }, { can: { form: {} } });
  const { say } = await ask(attacked);
  await say(right, helper);
  expect((await attacked.intents())[0]?.state).toBe('APPROVED');
  await attacked.enrol({ approval: 'page', limits: {} });
  await expectNothingLeft(attacked);
});

test('a host without forms gets no question and sends no form', async () => {
  const attacked = await attack({ enrolled: { approval: 'elicitation' }, can: undefined });
  const answer = await attacked.call('place_limit_order', order, {
    requestState: 'f'.repeat(32),
    inputResponses: { approval: right },
  });
  expect(answer).toMatchObject({ code: 'invalid_argument' });
  expect(await attacked.call('place_limit_order', order)).toMatchObject({ outcome: 'pending_approval' });
  await expectNothingLeft(attacked);
});

test('the state of a placed order does not approve another one', async () => {
  const attacked = await forms();
  const { requestState, say } = await ask(attacked);
  expect(await say(right)).toMatchObject({ outcome: 'placed' });
  // The outcome in a result must be that of the order named in it.
  const replayed = await attacked.call(
    'place_limit_order',
    { ...order, quantity: 50 },
    { requestState, inputResponses: { approval: right } },
  );
  expect(replayed).not.toMatchObject({ outcome: 'placed', request: { quantity: '50' } });
  expect(ordersThatLeft(attacked.simulator)).toMatchObject([{ quantity: 2 }]);
});
