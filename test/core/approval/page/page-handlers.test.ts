/** What a submitted decision does, and what the page shows afterwards. */
import { expect, test } from 'vitest';
import type { Decision } from '../../../../src/core/orders/intent/approval-port.ts';
import { type IntentState, intentStates, isFinal } from '../../../../src/core/orders/intent/states.ts';
import { waitingDraft } from '../../../features/drafts/page/draft-ticket-support.ts';
import { takeLog } from '../../../support/faults.ts';
import { handle, limitBuy, noDrafts, passphrase, setup, viewOf } from './support.ts';

const approve = { action: 'approve', passphrase };
const reject = { action: 'reject' };

test('an approval submits the passphrase exactly as typed, with the ticket that was shown', async () => {
  const { answer, approvals } = await setup();
  const answered = await answer({ ...approve, passphrase: ' ü %+& = \u{1f511} ' });
  expect(answered.status).toBe(403);
  expect((await answer(approve)).status).toBe(303);
  expect(approvals.calls).toEqual([
    {
      approve: {
        intentId: 'intent-1',
        digest: 'digest-1',
        passphrase: ' ü %+& = \u{1f511} ',
        channel: 'page',
        seen: 0,
      },
    },
    { approve: { intentId: 'intent-1', digest: 'digest-1', passphrase, channel: 'page', seen: 0 } },
  ]);
});

test('a rejection needs no passphrase', async () => {
  const { answer, send, approvals } = await setup();
  const answered = await answer(reject);
  expect([answered.status, answered.headers.location, answered.text]).toEqual([303, `/approve/${handle}`, '']);
  expect(approvals.calls).toEqual([{ reject: { intentId: 'intent-1', channel: 'page' } }]);
  const after = await send();
  expect(after.text).toContain('You rejected the order; nothing was sent.');
  expect(after.text).not.toContain('<form');
});

test('after an approval the page shows the progress of the order, and no form', async () => {
  const { answer, send, approvals } = await setup();
  expect((await answer(approve)).status).toBe(303);
  expect((await send()).text).toContain('>Approved</h2>');
  approvals.current = viewOf(limitBuy, {
    state: 'UNKNOWN',
    secondsLeft: 0,
    message: 'The order MAY be live.',
    reason: 'The answer was lost.',
    orderId: '4711',
  });
  const { text } = await send();
  for (const part of ['Unknown: the order may be live', 'The order MAY be live.', 'The answer was lost.', '4711'])
    expect(text).toContain(part);
  expect(text).not.toContain('<form');
});

test.each<[string, Decision, number, string, string | undefined]>([
  [
    'a wrong passphrase',
    { kind: 'wrong_passphrase', attemptsLeft: 3, retryAfterSeconds: 4 },
    403,
    'The passphrase is wrong.</strong> 3 attempts are left. Wait 4 seconds before the next one.',
    '4',
  ],
  [
    'the last wrong passphrase but one',
    { kind: 'wrong_passphrase', attemptsLeft: 1, retryAfterSeconds: 0 },
    403,
    'The passphrase is wrong.</strong> One attempt is left.<',
    undefined,
  ],
  ['an attempt too soon', { kind: 'too_soon', retryAfterSeconds: 1.2 }, 429, 'Wait 2 seconds, then type', '2'],
  ['a lock', { kind: 'locked' }, 403, 'Run “brokerage-mcp approve” in a terminal', undefined],
  ['a missing enrolment', { kind: 'not_enrolled' }, 403, 'Run “brokerage-mcp enroll” in a terminal', undefined],
])('%s is shown above the form, and the ticket stays', async (_, decision, status, words, retryAfter) => {
  const { answer, approvals } = await setup();
  approvals.nextDecision = decision;
  const { status: given, text, headers } = await answer(approve);
  expect(given).toBe(status);
  expect(headers['retry-after']).toBe(retryAfter);
  expect(text).toMatch(/<p id="alert" class="alert" role="alert" tabindex="-1" autofocus>/);
  expect(text.match(/autofocus/g)).toHaveLength(1);
  expect(text).toContain(words);
  expect(text).toContain('QBRAMl_EQ');
  expect(text).toContain('name="passphrase"');
});

test('an empty passphrase does not count as an attempt', async () => {
  const { answer, approvals } = await setup();
  const { status, text } = await answer({ action: 'approve', passphrase: '' });
  expect([status, approvals.calls]).toEqual([403, []]);
  expect(text).toContain('No passphrase was entered.');
  expect(text).toContain(`method="post" action="/approve/${handle}"`);
});

test('the page that reports a wrong passphrase accepts the next attempt', async () => {
  const { page, answer, send, approvals } = await setup();
  const { text, headers } = await answer({ ...approve, passphrase: 'wrong' });
  const field = (name: string) => new RegExp(`name="${name}" value="([^"]*)"`).exec(text)?.[1] ?? '';
  const body = new URLSearchParams({ ...approve, csrf: field('csrf'), digest: field('digest') }).toString();
  const cookie = String(headers['set-cookie']?.[0]).split(';')[0] ?? '';
  const type = 'application/x-www-form-urlencoded; charset=UTF-8';
  const again = { origin: page.origin, 'content-type': type, cookie };
  expect((await send({ method: 'POST', headers: again, body })).status).toBe(303);
  expect(approvals.current.state).toBe('APPROVED');
});

test.each<[string, Decision, string]>([
  ['that came too late', { kind: 'not_waiting', state: 'EXPIRED' }, 'your decision changed nothing'],
  ['to a ticket that has changed', { kind: 'changed' }, 'The ticket changed while you were viewing it'],
])('a submission %s leads back to the ticket, which reports it once', async (_, decision, words) => {
  const { answer, send, approvals } = await setup();
  approvals.nextDecision = decision;
  const { status, headers } = await answer(approve);
  expect([status, headers.location]).toEqual([303, `/approve/${handle}`]);
  const [notice = ''] = headers['set-cookie'] ?? [];
  expect(notice).toMatch(new RegExp(`-notice=\\w+; Path=/approve/${handle}; HttpOnly; SameSite=Strict; Max-Age=30$`));
  const told = await send({ headers: { cookie: notice.split(';')[0] ?? '' } });
  expect(told.text).toContain(words);
  expect(told.text).toContain(`method="post" action="/approve/${handle}"`);
  expect(told.headers['set-cookie']?.[1]).toMatch(
    new RegExp(`-notice=; Path=/approve/${handle}; HttpOnly; SameSite=Strict; Max-Age=0$`),
  );
  expect((await send()).text).not.toContain(words);
});

test('an invented notice is not shown', async () => {
  const { page, send } = await setup();
  const cookie = `approval-${new URL(page.origin).port}-notice=<b>approved</b>`;
  expect((await send({ headers: { cookie } })).text).not.toMatch(/role="alert"|<b>approved/);
});

test('an old form does not approve a ticket that changed while it was shown', async () => {
  const { page, open, send, approvals } = await setup();
  const { cookie, csrf, digest } = await open();
  approvals.current = viewOf(limitBuy, { digest: 'digest-2' });
  const body = new URLSearchParams({ ...approve, csrf, digest }).toString();
  const headers = { origin: page.origin, 'content-type': 'application/x-www-form-urlencoded', cookie };
  expect((await send({ method: 'POST', headers, body })).status).toBe(303);
  expect(approvals.calls).toMatchObject([{ approve: { digest: 'digest-1' } }]);
  expect(approvals.current.state).toBe('AWAITING_APPROVAL');
});

test('an unknown handle with a valid token gets 404', async () => {
  const { answer, approvals } = await setup();
  const view = approvals.viewByHandle;
  approvals.viewByHandle = async (asked) => {
    approvals.viewByHandle = async () => undefined;
    return view(asked);
  };
  expect((await answer(approve)).status).toBe(404);
  expect(approvals.calls).toEqual([]);
});

test('no response contains the passphrase, whatever the result', async () => {
  const secret = 'a-secret-that-nobody-may-see';
  const { answer, send, approvals } = await setup();
  const decisions: Decision[] = [
    { kind: 'wrong_passphrase', attemptsLeft: 3, retryAfterSeconds: 4 },
    { kind: 'too_soon', retryAfterSeconds: 4 },
    { kind: 'locked' },
    { kind: 'not_enrolled' },
    { kind: 'changed' },
    { kind: 'not_waiting', state: undefined },
    { kind: 'approved' },
  ];
  const answers = [];
  for (const decision of decisions) {
    approvals.nextDecision = decision;
    answers.push(await answer({ action: 'approve', passphrase: secret }), await send());
  }
  for (const wrong of [{ csrf: 'x' }, { action: secret }, { passphrase: secret.repeat(200) }])
    answers.push(await answer({ action: 'approve', passphrase: secret, ...wrong }));
  approvals.approve = async ({ passphrase: typed }) => {
    throw new Error(`failed with ${typed}`);
  };
  const failed = await answer({ action: 'approve', passphrase: secret });
  expect(failed.status).toBe(500);
  expect(failed.text).toContain('Your decision may or may not have been recorded.');
  const logged = takeLog();
  expect(logged).toMatchObject([{ event: 'fault', task: 'an approval page', code: 'Error' }]);
  for (const one of [...answers, failed, logged]) expect(JSON.stringify(one)).not.toContain(secret);
});

test('the status endpoint returns what the page polls for', async () => {
  const { send, address, approvals } = await setup();
  const status = async () => {
    const { headers, text } = await send({ url: `${address}/status` });
    expect(headers['content-type']).toBe('application/json; charset=utf-8');
    expect(headers['set-cookie']).toBeUndefined();
    return JSON.parse(text);
  };
  expect(await status()).toEqual({
    state: 'AWAITING_APPROVAL',
    message: 'The order waits for your approval; nothing has been sent.',
    secondsLeft: 118,
    done: false,
  });
  approvals.current = viewOf(limitBuy, { state: 'PLACED', secondsLeft: 0, message: 'Placed\u202e.', orderId: '1' });
  expect(await status()).toEqual({ state: 'PLACED', message: 'Placed.', secondsLeft: 0, done: true });
});

const without = intentStates.filter((state) => state !== 'AWAITING_APPROVAL');
const withoutForm: [IntentState, number][] = without.map((state) => [state, 50]);
test.each<[IntentState, number]>([...withoutForm, ['AWAITING_APPROVAL', 0]])(
  'in %s with %i seconds left the page shows the outcome and no form',
  async (state, secondsLeft) => {
    const { send } = await setup(viewOf(limitBuy, { state, secondsLeft, message: 'What became of it.' }));
    const { text } = await send();
    expect(text).not.toMatch(/<form|passphrase"/);
    expect(text).toContain('What became of it.');
    // Without a script the page reloads automatically while the outcome may still change.
    expect(text.includes('<noscript><meta http-equiv="refresh" content="3"></noscript>')).toBe(!isFinal(state));
  },
);

test('a page with a form never reloads automatically, because typed text would be lost', async () => {
  const { text } = await (await setup()).send();
  expect(text).not.toContain('http-equiv="refresh"');
  expect(text).toContain(`<noscript><p class="hint"><a href="/approve/${handle}">Reload to see the seconds left.</a>`);
});

test('an address shows the draft that it belongs to, and no other has one', async () => {
  const own = 'h4ndle-of_a-draft-22-chrs';
  const drafts = {
    ...noDrafts,
    viewByHandle: async (asked: string) => (asked === own ? waitingDraft : undefined),
  };
  const { page, send } = await setup(viewOf(limitBuy), drafts);
  const { status, text } = await send({ url: page.getUrl(own) });
  expect([status, /<h1>(.*)<\/h1>/.exec(text)?.[1]]).toEqual([200, 'Approve 2 orders?']);
  expect((await send({ url: page.getUrl('h4ndle-of_nothing-22-chrs') })).status).toBe(404);
  expect((await send()).text).toContain('<bdi class="ticker">QBRAM</bdi></h1>');
});
