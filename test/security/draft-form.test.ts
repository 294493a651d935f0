/** The owner chose forms for convenience: what a host submits for a draft, and the drafts that no form may approve. */
// @module-tag server
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { carryOn, findSubmission, leg, legs, quantities, waitingDraft } from './draft-support.ts';
import { press } from './page.ts';
import { type Attack, atEndOfFile, attack, expectNothingLeft, type Side } from './support.ts';

const forms = () => attack({ enrolled: { approval: 'elicitation' }, can: { form: {} } });

/** A draft whose form the host has, and the response that it makes. */
async function ask(side: Side, given: readonly object[] = legs) {
  const waiting = await waitingDraft(side, given);
  const { requestState, inputRequests } = waiting.said;
  const say = (approval: unknown, change: object = {}) =>
    side.call(
      'submit_draft',
      { draftId: waiting.draftId, version: 1, ...change },
      { requestState, inputResponses: { approval } },
    );
  return { ...waiting, requestState, params: inputRequests?.approval?.params, say };
}

const accept = (content: object) => ({ action: 'accept', content });
const right = accept({ confirmLegs: 2, confirmTotal: '57.50' });

const wrong: [string, unknown][] = [
  ['nothing at all', { action: 'accept' }],
  ['an empty form', accept({})],
  ['the number of orders alone', accept({ confirmLegs: 2 })],
  ['the total alone', accept({ confirmTotal: '57.50' })],
  ['one order less', accept({ confirmLegs: 1, confirmTotal: '57.50' })],
  ['one order more', accept({ confirmLegs: 3, confirmTotal: '57.50' })],
  ['the other total', accept({ confirmLegs: 2, confirmTotal: '57.51' })],
  ['the total in pence', accept({ confirmLegs: 2, confirmTotal: '5750' })],
  ['the buys of one order', accept({ confirmLegs: 2, confirmTotal: '23.00' })],
  ['the worst case as the total', accept({ confirmLegs: 2, confirmTotal: '58.65' })],
  ['the total as a number', accept({ confirmLegs: 2, confirmTotal: 57.5 })],
  ['a decimal comma', accept({ confirmLegs: 2, confirmTotal: '57,50' })],
  ['a list', accept({ confirmLegs: [2], confirmTotal: ['57.50'] })],
  ['true', accept({ confirmLegs: true, confirmTotal: true })],
  ['the quantity of an order', accept({ confirmQuantity: '2' })],
  ['a cancelled form', { action: 'cancel' }],
];

describe('forms that are filled in wrongly', () => {
  const atEnd = atEndOfFile(afterAll);
  let attacked: Attack;
  let asked: Awaited<ReturnType<typeof ask>>;
  beforeAll(async () => {
    attacked = await attack({ enrolled: { approval: 'elicitation' }, can: { form: {} }, atEnd });
    asked = await ask(attacked);
    // A person who mistypes is asked once more, and then not again.
    expect(await asked.say(accept({ confirmLegs: 3, confirmTotal: '57.50' }))).toHaveProperty('inputRequests');
  });

  test.each(wrong)('%s approves nothing, and the draft waits', async (_, said) => {
    expect(await asked.say(said)).toMatchObject({ outcome: 'pending_approval', submissionId: asked.submissionId });
    await expectNothingLeft(attacked);
  });

  test.each([
    ['for another version', { version: 2 }],
    ['for another draft', { draftId: 'f'.repeat(16) }],
  ])('the right form %s approves nothing', async (_, change) => {
    expect(await asked.say(right, change)).toMatchObject({ code: 'invalid_argument' });
    await expectNothingLeft(attacked);
  });

  test('the nonce of an order approves no draft, and that of a draft no order', async () => {
    const order = { ticker: 'QNOON_GB_EQ', side: 'BUY', quantity: 9, limitPrice: 11.5, timeValidity: 'DAY' };
    const question = await attacked.call('place_limit_order', order);
    const both = accept({ confirmLegs: 2, confirmTotal: '57.50', confirmQuantity: '9' });
    const inputResponses = { approval: both };
    const draft = { draftId: asked.draftId, version: 1 };
    expect(
      await attacked.call('submit_draft', draft, { requestState: question.requestState, inputResponses }),
    ).toMatchObject({ code: 'invalid_argument' });
    expect(
      await attacked.call('place_limit_order', order, { requestState: asked.requestState, inputResponses }),
    ).toMatchObject({ code: 'invalid_argument' });
    await expectNothingLeft(attacked);
  });
});

test('a form with the number and the total, in other spellings, sends each leg once (positive control)', async () => {
  const said = accept({ confirmLegs: '2', confirmTotal: ' 57.5 ' });
  const attacked = await forms();
  const asked = await ask(attacked);
  expect(asked.params).toMatchObject({
    mode: 'form',
    requestedSchema: { required: ['confirmLegs', 'confirmTotal'] },
  });
  expect(String(asked.params.message).split('\n').slice(0, 3)).toEqual([
    'LIVE, 2 ORDERS',
    '1: BUY 2 × QNOON_GB_EQ LIMIT limit 11.5 GBP at worst 23.46 DAY',
    '2: BUY 3 × QNOON_GB_EQ LIMIT limit 11.5 GBP at worst 35.19 DAY',
  ]);
  expect(await asked.say(said)).toMatchObject({ outcome: 'done' });
  expect(quantities(attacked)).toEqual([2, 3]);
  // The same response again belongs to what was sent.
  expect(await asked.say(said)).toMatchObject({ outcome: 'done', submissionId: asked.submissionId });
  expect(quantities(attacked)).toEqual([2, 3]);
});

test('an automatic empty accept of a host that is asked in a call sends nothing', async () => {
  const elicit = () => ({ action: 'accept', content: {} }) as const;
  const attacked = await attack({
    enrolled: { approval: 'elicitation' },
    can: { form: {} },
    elicit,
    revision: 'older',
  });
  const { said } = await waitingDraft(attacked);
  expect(said).toMatchObject({ outcome: 'pending_approval' });
  await expectNothingLeft(attacked);
});

test('the right form after the expiry is too late', async () => {
  const attacked = await forms();
  const { say } = await ask(attacked);
  await attacked.clock.advance(120_000);
  expect(await say(right)).toMatchObject({ outcome: 'expired' });
  await expectNothingLeft(attacked);
});

test('a form that the host declines at once ends the attempt, and is not attributed to a person', {
  tags: ['slow'],
}, async () => {
  const attacked = await forms();
  const { say, draftId } = await ask(attacked);
  const next = `Ask the user. If they saw no form, the owner can run “brokerage-mcp drafts submit ${draftId}” in a terminal; submit_draft sends the form again.`;
  expect(await say({ action: 'decline' })).toMatchObject({
    outcome: 'declined',
    formDeclined: true,
    message: 'The host declined the form; a person may not have seen it. Nothing was sent.',
    next,
  });
  // The same call would be declined again.
  expect(await attacked.call('list_drafts', { draftId })).toMatchObject({ state: 'open', next });
  await expectNothingLeft(attacked);
});

test('a repeated submission that a form answers says that it is the same one', { tags: ['slow'] }, async () => {
  const attacked = await forms();
  const { draftId, submissionId, say } = await ask(attacked);
  const { requestState } = await attacked.call('submit_draft', { draftId, version: 1 });
  const inputResponses = { approval: { action: 'cancel' } };
  const again = await attacked.call('submit_draft', { draftId, version: 1 }, { requestState, inputResponses });
  expect(again).toMatchObject({ outcome: 'pending_approval', submissionId, coalesced: true });
  const done = await say(right);
  expect(done).toMatchObject({ outcome: 'done', submissionId });
  expect(done).not.toHaveProperty('coalesced');
});

test('a draft of 11 legs gets no form: the page alone approves it', { tags: ['slow'] }, async () => {
  const attacked = await attack({
    enrolled: { approval: 'elicitation', limits: { maxPendingPerTicker: 30, ordersPerMinute: 30 } },
    can: { form: {} },
  });
  const many = Array.from({ length: 11 }, (_, at) => leg({ quantity: at + 1 }));
  const asked = await ask(attacked, many);
  expect(asked.params).toBeUndefined();
  expect(asked.said).toMatchObject({ outcome: 'pending_approval', approval: { address: asked.address } });
  // A host that makes up the response: 66 shares at 11.50.
  const nonce = (await findSubmission(attacked, asked))?.approval?.nonce;
  const form = { nonce: String(nonce), confirmLegs: 11, confirmTotal: '759.00' };
  expect(await attacked.composed.services.draftApprovals.confirm(form)).toEqual({ kind: 'not_waiting' });
  await expectNothingLeft(attacked);
  await press(asked.address);
  expect(await carryOn(attacked, asked)).toBe('done');
  expect(quantities(attacked)).toHaveLength(11);
});

test('a form approves nothing where the page is required by now', async () => {
  const attacked = await forms();
  const { say } = await ask(attacked);
  await attacked.enrol({ approval: 'page', limits: {} });
  expect(await say(right)).toMatchObject({ outcome: expect.stringMatching(/^(pending_approval|expired)$/) });
  await expectNothingLeft(attacked);
});

test('where the page is required, no form is shown and a made-up response approves nothing', async () => {
  const attacked = await attack({ can: { form: {} } });
  const { draftId, said, ...waiting } = await waitingDraft(attacked);
  expect(said).toMatchObject({ outcome: 'pending_approval' });
  const nonce = (await findSubmission(attacked, waiting))?.approval?.nonce;
  const resumed = { requestState: nonce, inputResponses: { approval: right } };
  await attacked.call('submit_draft', { draftId, version: 1 }, resumed);
  await expectNothingLeft(attacked);
});

test('a closed form, and then an empty one, is remembered with the draft for every later reader', {
  tags: ['slow'],
}, async () => {
  const attacked = await forms();
  const { draftId, say } = await ask(attacked);
  const read = async () => (await attacked.call('list_drafts', { draftId })).submission.approval.how;
  expect(await read()).toMatch(/^A form that asks for the number of orders and their total was sent to the host, /);
  for (const [said, how] of [
    [{ action: 'cancel' }, /^The host closed the form; /],
    [accept({}), /^The host returned the form without the number of orders and their total; /],
  ] as const) {
    expect((await say(said)).approval.how).toMatch(how);
    expect(await read()).toMatch(how);
  }
  await expectNothingLeft(attacked);
});

test('a person who mistypes is asked once more, and the second form says what was wrong', {
  tags: ['slow'],
}, async () => {
  const attacked = await forms();
  const { say } = await ask(attacked);
  const again = await say(accept({ confirmLegs: 2, confirmTotal: '57' }));
  const [problem, first] = String(again.inputRequests.approval.params.message).split('\n');
  expect([problem, first]).toEqual([
    'You typed 2 and 57; 2 orders with a total of 57.50 are to be approved.',
    'LIVE, 2 ORDERS',
  ]);
  expect(await say(right)).toMatchObject({ outcome: 'done' });
  expect(quantities(attacked)).toEqual([2, 3]);
});
