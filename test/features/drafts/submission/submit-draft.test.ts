/** Drafts that are sent: in which order, when sending stops, and what is left then. The service is simulated. */
// @module-tag server
import Big from 'big.js';
import { describe, expect, test } from 'vitest';
import { editDraft } from '../../../../src/features/drafts/book/edit-draft.ts';
import type { Fault } from '../../../../src/simulator/index.ts';
import { type Setup, setup } from '../../../support/setup.ts';
import { buy, buys, london, newYork, outcomes, posts, save, sell, submit } from './support.ts';

const show = async ({ call }: Setup, draftId: string) => (await call('list_drafts', { draftId })).body;

describe('sending', () => {
  test('sells leave first, then buys, each once and in the order of the draft', async () => {
    const made = await setup();
    const { draftId, body } = await submit(made, [buy(), sell(), buy({ quantity: 2 })]);
    expect(body).toMatchObject({ outcome: 'done', draftId, version: 1 });
    expect(outcomes(body)).toEqual(['placed', 'placed', 'placed']);
    expect(posts(made)).toEqual([
      [newYork, -1],
      [london, 1],
      [london, 2],
    ]);
    const next = 'Follow each order to its fill with get_order.';
    expect(await show(made, draftId)).toMatchObject({ state: 'sent', next, submission: { outcome: 'done', next } });
    // Each leg is a single order.
    const { body: order } = await made.call('get_order', { intentId: body.legs[1].intentId });
    expect(order).toMatchObject({ outcome: 'placed', orderId: body.legs[1].orderId });
  });
});

test('a draft that was sent stays sent when it is discarded, and its orders have a next step', async () => {
  const made = await setup();
  const { draftId, body } = await submit(made, [buy()]);
  const { body: discarded } = await made.call('discard_draft', { draftId });
  expect(discarded).toMatchObject({ state: 'sent', message: expect.stringMatching(/\.$/) });
  expect(discarded.next).toContain(body.legs[0].orderId);
  const unsent = await made.call('discard_draft', { draftId: await save(made, [buy({ quantity: 2 })]) });
  expect(unsent.body).toMatchObject({ state: 'discarded', message: expect.any(String) });
  expect(unsent.body.next).not.toContain('cancel_order');
});

describe('the same call again', () => {
  test('with repeatOf sends the orders a second time, once', async () => {
    const made = await setup();
    const { draftId, body } = await submit(made, buys(2));
    const repeat = { draftId, version: 1, repeatOf: body.submissionId };
    const second = await made.call('submit_draft', repeat);
    expect(second.body).toMatchObject({ outcome: 'done' });
    expect(second.body.submissionId).not.toBe(body.submissionId);
    const third = await made.call('submit_draft', repeat);
    expect(third.body).toMatchObject({ coalesced: true, submissionId: second.body.submissionId });
    expect(posts(made)).toHaveLength(4);
    const wrong = await made.call('submit_draft', { ...repeat, repeatOf: '0'.repeat(32) });
    expect(wrong.body.code).toBe('invalid_argument');
  });
});

describe('a repetition that sent nothing', () => {
  /** Submits two legs, and repeats them while the broker takes no order. */
  async function repeatInVain(made: Setup) {
    const { draftId, body } = await submit(made, buys(2));
    const repeat = { draftId, version: 1, repeatOf: body.submissionId };
    made.simulator.faults.push({ endpoint: 'placeLimitOrder', kind: 'rateLimitedWithoutHeaders', times: 20 });
    const vain = await made.call('submit_draft', repeat);
    made.simulator.faults.length = 0;
    expect(vain.body).toMatchObject({ outcome: 'stopped' });
    expect(outcomes(vain.body)).toEqual(['not_sent', 'not_sent']);
    await made.clock.advance(120_000);
    return { repeat, vain: vain.body.submissionId };
  }

  const countBooked = ({ simulator }: Setup) =>
    simulator.groundTruth().pendingOrders.filter(({ ticker }) => ticker === london).length;

  test('does not use up repeatOf, and the next one is sent once by two servers', { tags: ['slow'] }, async () => {
    const made = await setup();
    const other = await setup({ beside: made });
    const before = countBooked(made);
    const { repeat, vain } = await repeatInVain(made);
    expect(countBooked(made)).toBe(before + 2);
    const both = await Promise.all([made.call('submit_draft', repeat), other.call('submit_draft', repeat)]);
    const [a, b] = both.map(({ body }) => body);
    expect([a.outcome, b.outcome]).toEqual(['done', 'done']);
    expect(a.submissionId).toBe(b.submissionId);
    expect(a.submissionId).not.toBe(vain);
    const last = await made.call('submit_draft', repeat);
    expect(last.body).toMatchObject({ coalesced: true, submissionId: a.submissionId });
    expect(countBooked(made)).toBe(before + 4);
  });
});

describe('sending stops', () => {
  const faults: [string, string, Omit<Fault, 'endpoint'>][] = [
    ['has an unknown outcome', 'unknown', { kind: 'resetAfterRead' }],
    ['is placed with another quantity', 'placed', { kind: 'alteredEcho' }],
  ];

  test.each(faults)('when a leg %s, and only the legs after it are left', async (_, outcome, fault) => {
    const made = await setup();
    made.simulator.faults.push({ endpoint: 'placeLimitOrder', after: 1, ...fault } as Fault);
    const { draftId, body } = await submit(made, buys(4));
    expect(body).toMatchObject({ outcome: 'stopped', remainingVersion: 2 });
    expect(outcomes(body)).toEqual(['placed', outcome, 'not_sent', 'not_sent']);
    expect(posts(made)).toHaveLength(2);
    const left = await show(made, draftId);
    expect(left).toMatchObject({ version: 2, state: 'open' });
    expect(left.rows.map((row: unknown[]) => row[left.columns.indexOf('quantity')])).toEqual(['3', '4']);
    expect(left.edits.at(-1)).toMatchObject({ version: 2, channel: 'submission' });
  });

  test('when the draft is discarded, and the orders that were placed stay', async () => {
    const made = await setup({ config: { limits: { ordersPerMinute: 1 } } });
    const draftId = await save(made, buys(3));
    made.clock.jumps = false;
    const sending = made.call('submit_draft', { draftId, version: 1 });
    await expect.poll(() => posts(made).length).toBe(1);
    const edit = { draftId, version: 1, edit: { kind: 'remove', leg: 3 }, channel: 'terminal' } as const;
    await expect(editDraft(made.composed.services.drafts, edit)).rejects.toMatchObject({
      code: 'submission_open',
      facts: { retryAfterSeconds: 10 },
    });
    expect((await made.call('discard_draft', { draftId })).body.state).toBe('discarded');
    made.clock.jumps = true;
    const answer = await sending;
    expect(answer.body).toMatchObject({ outcome: 'stopped' });
    expect(outcomes(answer.body)).toEqual(['placed', 'not_sent', 'not_sent']);
    await made.clock.advance(300_000);
    await made.composed.services.submissions.tick();
    expect(posts(made)).toHaveLength(1);
    expect(made.simulator.groundTruth().pendingOrders.filter(({ ticker }) => ticker === london)).toHaveLength(1);
  });
});

describe('a draft is refused as a whole, and nothing is sent', () => {
  test('when a price is too far, which save_draft says first, and both name the nearest price that passes', async () => {
    const made = await setup();
    made.simulator.inject.setPrice(london, 10);
    await made.clock.advance(60_000);
    // Twenty percent below 10.
    const refused = { leg: 2, rule: 'price_distance', nearestPrice: '8.00' };
    const legs = [buy({ limitPrice: 9 }), buy({ quantity: 2, limitPrice: 7.99 })];
    const { body: saved } = await made.call('save_draft', { legs });
    expect(saved.refused).toEqual([{ ...refused, reason: expect.any(String) }]);
    const { body } = await made.call('submit_draft', { draftId: saved.draftId, version: 1 });
    expect(body).toMatchObject({ outcome: 'refused', ...refused });
    const { type: _, ...order } = buy({ limitPrice: 7.99 });
    const { body: single } = await made.call('place_limit_order', order);
    expect(single).toMatchObject({ outcome: 'refused', rule: 'price_distance', nearestPrice: '8.00' });
    expect(posts(made)).toEqual([]);
  });

  test('when another draft just traded a ticker in the same direction, unless repeatOf names it', async () => {
    const made = await setup();
    const first = await submit(made, buys(1));
    const draftId = await save(made, [buy({ quantity: 7 })]);
    const { body: listed } = await made.call('list_drafts', { draftId });
    const [row] = listed.rows as unknown[][];
    const [warning] = (row?.[listed.columns.indexOf('warnings')] ?? []) as string[];
    expect(warning).toContain(first.body.submissionId);
    const refused = await made.call('submit_draft', { draftId, version: 1 });
    expect(refused.body).toMatchObject({ outcome: 'refused', rule: 'repeated_submission', leg: 1 });
    // Ten minutes after the first one.
    expect(refused.body.retryAfterSeconds).toBeGreaterThan(0);
    expect(refused.body.retryAfterSeconds).toBeLessThanOrEqual(600);
    expect(refused.body.reason).toContain(first.body.submissionId);
    const again = { draftId, version: 1, repeatOf: first.body.submissionId };
    expect((await made.call('submit_draft', again)).body.outcome).toBe('done');
    expect(posts(made)).toHaveLength(2);
  });

  test('when orders need the approval of a human and no passphrase is enrolled', async () => {
    const made = await setup({ config: { approval: 'terminal' } });
    const { body } = await submit(made, buys(1));
    expect(body).toMatchObject({ outcome: 'refused', rule: 'approval_missing' });
    expect(posts(made)).toEqual([]);
  });
});

test.each([
  ['an unknown draft', { draftId: '0123456789abcdef', version: 1 }, 'not_found'],
  ['an old version', { version: 1 }, 'draft_changed'],
  ['a version that does not exist', { version: 9 }, 'draft_changed'],
])('%s is refused with its code, and nothing is sent', async (_, args, code) => {
  const made = await setup();
  const draftId = await save(made, buys(1));
  await made.call('save_draft', { draftId, version: 1, legs: buys(2) });
  const { isError, body } = await made.call('submit_draft', { draftId, ...args });
  expect([isError, body.code]).toEqual([true, code]);
  expect(posts(made)).toEqual([]);
});

test('an expired draft is refused, and nothing is sent', async () => {
  const made = await setup();
  const draftId = await save(made, buys(1));
  await made.clock.advance(7 * 86_400_000);
  const { body } = await made.call('submit_draft', { draftId, version: 1 });
  expect(body.code).toBe('draft_expired');
  expect(posts(made)).toEqual([]);
});

describe('buys that need the proceeds of sells', () => {
  /** An account with 24 in cash. */
  async function poor() {
    const made = await setup();
    const { available } = made.simulator.groundTruth().cash;
    made.simulator.inject.transfer(new Big(24).minus(available).toFixed());
    return made;
  }

  test('wait for the fills', async () => {
    const made = await poor();
    const { body } = await submit(made, [buy({ quantity: 10 }), sell()]);
    await expect.poll(async () => (await show(made, body.draftId)).submission.outcome).toBe('done');
    expect(posts(made)).toEqual([
      [newYork, -1],
      [london, 10],
    ]);
    const filledAt = made.simulator
      .groundTruth()
      .history.find(({ order }) => order.ticker === newYork && order.side === 'SELL');
    expect(filledAt).toBeDefined();
  });
});

/** Two or more legs of which one was sent; then the process stops between two legs. */
async function stopAfterFirstLeg(count: number, options: Parameters<typeof setup>[0] = {}) {
  const config = { ...options.config, limits: { ordersPerMinute: 1, ...options.config?.limits } };
  const made = await setup({ ...options, config });
  const draftId = await save(made, buys(count));
  made.clock.jumps = false;
  const sending = made.call('submit_draft', { draftId, version: 1 });
  await expect.poll(() => posts(made).length).toBe(1);
  await made.composed.services.submissions.stop();
  made.clock.jumps = true;
  await sending;
  return { made, draftId };
}

describe('several processes', () => {
  test('the legs that wait count in the limits of single orders', { tags: ['slow'] }, async () => {
    const { made } = await stopAfterFirstLeg(3, { config: { limits: { ordersPerHour: 3 } } });
    const other = await setup({ beside: made, config: { limits: { ordersPerHour: 3 } } });
    const { type: _, ...order } = buy({ quantity: 9 });
    const single = await other.call('place_limit_order', order);
    expect(single.body).toMatchObject({ outcome: 'refused', rule: 'orders_per_hour' });
    expect(posts(made)).toHaveLength(1);
  });

  test('four that carry on at once after the first one ended between two legs send each leg once', {
    tags: ['slow'],
  }, async () => {
    const { made, draftId } = await stopAfterFirstLeg(4);
    const others: Setup[] = [];
    for (let at = 0; at < 4; at++) others.push(await setup({ beside: made }));
    await Promise.all(others.map(({ composed }) => composed.services.submissions.tick()));
    await expect.poll(async () => (await show(made, draftId)).submission.outcome).toBe('done');
    expect(posts(made)).toEqual([
      [london, 1],
      [london, 2],
      [london, 3],
      [london, 4],
    ]);
  });
});
