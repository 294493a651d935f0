/** The page of a draft: what is no decision on it, and that one decision is for exactly its legs. */
// @module-tag server
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { startDraftPage } from '../../src/features/drafts/page/draft-handlers.ts';
import { sendTo } from '../core/approval/page/support.ts';
import { carryOn, findSubmission, leg, quantities, type Waiting, waitingDraft } from './draft-support.ts';
import { type Forgery, look, press, testForgeries } from './page.ts';
import {
  type Attack,
  atEndOfFile,
  attack,
  expectNothingLeft,
  letItGoOn,
  ordersThatLeft,
  passphrase,
  roomy,
  waitingOrder,
} from './support.ts';

describe('requests that are no decision on the draft', () => {
  const atEnd = atEndOfFile(afterAll);
  let attacked: Attack;
  let waiting: Waiting;
  let order: Awaited<ReturnType<typeof waitingOrder>>;
  let earlier: string;
  beforeAll(async () => {
    attacked = await attack({ atEnd, enrolled: { limits: roomy } });
    const before = await waitingDraft(attacked, [leg({ quantity: 7 })]);
    earlier = before.view.digest;
    await attacked.call('discard_draft', { draftId: before.draftId });
    order = await waitingOrder(attacked, { quantity: 9 });
    waiting = await waitingDraft(attacked);
  });

  /** Whatever was sent: the draft still waits, unchanged, and nothing was sent. */
  const stillWaits = async () => {
    const found = await findSubmission(attacked, waiting);
    expect(found).toMatchObject({ state: 'awaiting_approval', approval: { digest: waiting.view.digest } });
    expect(found?.approval?.approvedAt).toBeUndefined();
    await expectNothingLeft(attacked);
  };
  const port = () => new URL(waiting.address).port;

  const requests: Forgery[] = [
    [
      'as a GET with the passphrase in the query',
      200,
      () => ({
        method: 'GET',
        body: '',
        target: `${new URL(waiting.address).pathname}?action=approve&passphrase=${encodeURIComponent(passphrase)}`,
      }),
    ],
    ['to the status', 405, () => ({ target: `${new URL(waiting.address).pathname}/status` })],
    ['without the CSRF token', 403, { fields: { csrf: '' } }],
    ['with a CSRF token that is made up', 403, { fields: { csrf: 'A'.repeat(43) } }],
    ['with the CSRF token of an order', 403, async () => ({ fields: { csrf: (await look(order.address)).csrf } })],
    ['with the digest of an order', 403, async () => ({ fields: { digest: (await look(order.address)).digest } })],
    ['with the digest of another submission', 403, () => ({ fields: { digest: earlier } })],
    [
      'with the form of an order',
      403,
      async () => {
        const { csrf, digest } = await look(order.address);
        return { fields: { csrf, digest } };
      },
    ],
    ['without the cookie', 403, { without: ['cookie'] }],
    ['to another host name (DNS rebinding)', 403, () => ({ headers: { host: `evil.example:${port()}` } })],
    ['without an origin, as a program of the model sends it', 403, { without: ['origin'] }],
    ['from the origin null', 403, { headers: { origin: 'null' } }],
    ['from another port of this machine', 403, { headers: { origin: 'http://127.0.0.1:1' } }],
    ['from a page of another site', 403, { headers: { 'sec-fetch-site': 'cross-site' } }],
    ['as JSON', 403, { headers: { 'content-type': 'application/json' } }],
    ['with another action', 400, { fields: { action: 'send' } }],
    ['as a stop of what is not being sent', 303, { fields: { action: 'stop' } }],
    ['without a passphrase', 403, { fields: { passphrase: '' } }],
    ['with the submissionId for a handle', 403, () => ({ target: `/approve/${waiting.submissionId}` })],
    ['with the draftId for a handle', 403, () => ({ target: `/approve/${waiting.draftId}` })],
    ['to the address of an order', 403, () => ({ target: new URL(order.address).pathname })],
  ];
  testForgeries(requests, () => waiting.address, stillWaits);

  test('the form of a draft does not approve an order', async () => {
    await press(order.address, { shown: await look(waiting.address) });
    expect((await attacked.intents()).map(({ state }) => state)).toEqual(['AWAITING_APPROVAL']);
    await stillWaits();
  });
});

test('the passphrase, typed once, sends each leg once, and the same form again sends nothing', async () => {
  const attacked = await attack();
  const waiting = await waitingDraft(attacked);
  const shown = await look(waiting.address);
  expect(waiting.address).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/approve\/[\w-]{32}$/);
  expect((await press(waiting.address, { shown })).status).toBe(303);
  expect(await carryOn(attacked, waiting)).toBe('done');
  expect(quantities(attacked)).toEqual([2, 3]);
  expect(await findSubmission(attacked, waiting)).toMatchObject({ approval: { by: 'page', method: 'page' } });
  expect((await press(waiting.address, { shown })).status).toBe(303);
  await attacked.composed.services.submissions.tick();
  expect(quantities(attacked)).toEqual([2, 3]);
});

test('the page of a draft leads to the page that asks, and nothing on the way approves', async () => {
  const attacked = await attack();
  const waiting = await waitingDraft(attacked);
  const { drafts, draftApprovals } = attacked.composed.services;
  const page = await startDraftPage({ draftId: waiting.draftId, drafts, clock: attacked.clock, lifeMs: 60_000 });
  onTestFinished(() => page.close());
  const opened = await sendTo(page.createAddress(), {});
  const read = async () => (await sendTo(page.origin + opened.headers.location, {})).text;
  const linksOf = (text: string) => [...text.matchAll(/<a [^>]*href="(http[^"]*)"/g)].map(([, href]) => href);
  const text = await read();
  // The address that the tool returned: with no query, no digest, no token, and no field for the passphrase.
  expect(linksOf(text)).toEqual([waiting.address]);
  for (const part of [waiting.view.digest, (await look(waiting.address)).csrf, 'passphrase"', 'value="approve"'])
    expect(text).not.toContain(part);
  const followed = await sendTo(waiting.address, { headers: { 'sec-fetch-site': 'same-site', origin: page.origin } });
  expect([followed.status, followed.text.includes('Approve 2 orders?')]).toEqual([200, true]);
  expect((await press(waiting.address, { headers: { origin: page.origin } })).status).toBe(403);
  expect((await findSubmission(attacked, waiting))?.approval?.approvedAt).toBeUndefined();
  await expectNothingLeft(attacked);
  await draftApprovals.reject({ submissionId: waiting.submissionId, channel: 'page' });
  expect(linksOf(await read())).toEqual([]);
});

test('a host that opens no address gets it in the result', { tags: ['slow'] }, async () => {
  const attacked = await attack({ can: undefined });
  const { said, address } = await waitingDraft(attacked);
  expect(said).toMatchObject({ outcome: 'pending_approval', approval: { method: 'page', address } });
  expect((await look(address)).text).toContain('Approve 2 orders?');
});

test('eight approvals at the same moment send each leg once', { tags: ['slow'] }, async () => {
  const attacked = await attack();
  const waiting = await waitingDraft(attacked);
  const shown = await look(waiting.address);
  await Promise.all(Array.from({ length: 8 }, () => press(waiting.address, { shown })));
  expect(await carryOn(attacked, waiting)).toBe('done');
  expect(quantities(attacked)).toEqual([2, 3]);
});

test('an approval after the expiry is too late', async () => {
  const attacked = await attack();
  const { address } = await waitingDraft(attacked);
  const shown = await look(address);
  await attacked.clock.advance(120_000);
  expect((await press(address, { shown })).status).toBe(303);
  await attacked.composed.services.submissions.tick();
  await expectNothingLeft(attacked);
  expect((await look(address)).text).toContain('Expired');
});

test('the page of one attempt approves nothing of the next attempt with the same version', async () => {
  const attacked = await attack();
  const first = await waitingDraft(attacked);
  const shown = await look(first.address);
  await press(first.address, { fields: { action: 'reject' } });
  const said = await attacked.call('submit_draft', { draftId: first.draftId, version: 1 });
  const address = String(said.inputRequests.approval.params.url);
  expect(address).not.toBe(first.address);
  expect((await press(address, { shown })).status).toBe(403);
  await expectNothingLeft(attacked);
});

test('five wrong passphrases on the page of a draft lock it for orders too, and the terminal unlocks it', {
  tags: ['slow'],
}, async () => {
  const attacked = await attack();
  const waiting = await waitingDraft(attacked);
  for (let wrong = 1; wrong <= 5; wrong++) {
    expect((await press(waiting.address, { fields: { passphrase: `wrong ${wrong}` } })).status).toBe(403);
    await attacked.clock.advance(1_000 * 2 ** wrong);
  }
  expect((await press(waiting.address)).status).toBe(403);
  expect((await look(waiting.address)).text).not.toContain('name="passphrase"');
  await expectNothingLeft(attacked);
  const { submissionId, view } = waiting;
  const right = { submissionId, digest: view.digest, passphrase, channel: 'terminal', seen: 5 } as const;
  expect(await attacked.composed.services.draftApprovals.approve(right)).toEqual({ kind: 'approved' });
});

test('wrong passphrases on the page of an order count on the page of a draft', { tags: ['slow'] }, async () => {
  const attacked = await attack();
  const order = await waitingOrder(attacked, { quantity: 9 });
  await press(order.address, { fields: { passphrase: 'a guess' } });
  const { address } = await waitingDraft(attacked);
  expect((await look(address)).text).toContain('1 wrong passphrase');
  expect((await press(address)).status).toBe(429);
  await expectNothingLeft(attacked);
});

test('the browser gets an address that works once', { tags: ['slow'] }, async () => {
  const opened: string[] = [];
  const attacked = await attack({ openBrowser: (address) => opened.push(address) });
  const { address } = await waitingDraft(attacked);
  expect(opened).toHaveLength(1);
  const first = await sendTo(String(opened[0]), {});
  expect([first.status, new URL(String(first.headers.location), address).href]).toEqual([303, address]);
  expect((await sendTo(String(opened[0]), {})).status).toBe(410);
  await expectNothingLeft(attacked);
});

test('where the terminal is required, a draft has no page, and a page found elsewhere approves nothing', {
  tags: ['slow'],
}, async () => {
  const attacked = await attack({ enrolled: { approval: 'terminal' } });
  const { submissionId, view, address } = await waitingDraft(attacked);
  expect(address).toBe('');
  const onPage = { submissionId, digest: view.digest, passphrase, channel: 'page' } as const;
  expect(await attacked.composed.services.draftApprovals.approve(onPage)).toEqual({ kind: 'not_waiting' });
  await expectNothingLeft(attacked);
});

test('a rejection on the page ends the attempt, and the draft stays', { tags: ['slow'] }, async () => {
  const attacked = await attack();
  const waiting = await waitingDraft(attacked);
  const shown = await look(waiting.address);
  expect((await press(waiting.address, { fields: { action: 'reject', passphrase: '' } })).status).toBe(303);
  expect(await findSubmission(attacked, waiting)).toMatchObject({ state: 'declined', approval: { by: 'page' } });
  expect(await attacked.call('list_drafts', { draftId: waiting.draftId })).toMatchObject({ state: 'open', version: 1 });
  expect((await press(waiting.address, { shown })).status).toBe(303);
  await expectNothingLeft(attacked);
});

test('Stop needs the token and no passphrase, and ends what has not left', async () => {
  const attacked = await attack({ enrolled: { limits: { ordersPerMinute: 1 } } });
  const waiting = await waitingDraft(attacked);
  attacked.clock.jumps = false;
  await press(waiting.address);
  await attacked.composed.services.submissions.tick();
  await expect.poll(() => ordersThatLeft(attacked.simulator).length).toBe(1);
  const stop = { action: 'stop', passphrase: '' };
  expect((await press(waiting.address, { fields: { ...stop, csrf: '' } })).status).toBe(403);
  expect(await findSubmission(attacked, waiting)).toMatchObject({ state: 'sending' });
  expect((await press(waiting.address, { fields: stop })).status).toBe(303);
  attacked.clock.jumps = true;
  expect(await carryOn(attacked, waiting)).toBe('stopped');
  await attacked.clock.advance(120_000);
  await attacked.composed.services.submissions.tick();
  expect(quantities(attacked)).toEqual([2]);
});

test('Stop after the last order was placed says so, and changes nothing', { tags: ['slow'] }, async () => {
  const attacked = await attack();
  const waiting = await waitingDraft(attacked);
  const shown = await look(waiting.address);
  await press(waiting.address, { shown });
  expect(await carryOn(attacked, waiting)).toBe('done');
  const late = await press(waiting.address, { shown, fields: { action: 'stop', passphrase: '' } });
  expect(late.status).toBe(303);
  expect(String(late.headers['set-cookie'])).toMatch(/-notice=all_placed;/);
  const cookie = String(late.headers['set-cookie']).split(';')[0] ?? '';
  const page = await sendTo(waiting.address, { headers: { cookie: `${shown.cookie}; ${cookie}` } });
  expect(page.text).toContain('All orders had been placed before you pressed Stop.');
  expect(await findSubmission(attacked, waiting)).toMatchObject({ state: 'done' });
});

test('an equal order of the model while the draft waits stops the draft, and is placed at most once', {
  tags: ['slow'],
}, async () => {
  const attacked = await attack();
  const waiting = await waitingDraft(attacked);
  const order = await waitingOrder(attacked);
  await press(waiting.address);
  expect(await carryOn(attacked, waiting)).toBe('stopped');
  await expectNothingLeft(attacked);
  await press(order.address);
  await letItGoOn(attacked);
  expect(quantities(attacked)).toEqual([2]);
});

test('the owner can submit in a terminal after a model has used up its requests', { tags: ['slow'] }, async () => {
  const attacked = await attack();
  const { draftId } = await waitingDraft(attacked);
  for (let again = 0; again < 3; again++) {
    await attacked.clock.advance(121_000);
    await attacked.call('submit_draft', { draftId, version: 1 });
  }
  const context = {
    priority: 'place',
    deadlineAt: attacked.clock.now() + 50_000,
    signal: AbortSignal.timeout(60_000),
  } as const;
  const submitted = await attacked.composed.services.submissions.create(
    { draftId, version: 1, isInTerminal: true },
    context,
  );
  expect(submitted).toMatchObject({ kind: 'new', submission: { approval: { method: 'terminal' } } });
  await expectNothingLeft(attacked);
});
