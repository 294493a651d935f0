/** Which requests may read a ticket and which may decide it: real requests over the loopback address. */
import { createHash } from 'node:crypto';
import { networkInterfaces } from 'node:os';
import { expect, test } from 'vitest';
import { takeLog } from '../../../support/faults.ts';
import { handle, limitBuy, passphrase, sendForm, sendTo, setup, startAt, viewOf } from './support.ts';

const approve = { action: 'approve', passphrase };
const reject = { action: 'reject' };
const formType = 'application/x-www-form-urlencoded';

test('the address is the loopback address, a random port and the handle, and no other interface responds', async () => {
  const { page, address } = await setup();
  expect(address).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/approve\/h4ndle-of_22-random-chars$/);
  const { port } = new URL(page.origin);
  const others = Object.values(networkInterfaces()).flatMap((all) => all ?? []);
  for (const { address: other, family, internal } of others) {
    if (internal || family !== 'IPv4') continue;
    await expect(sendTo(`http://${other}:${port}/`, {})).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  }
});

test('two pages have different ports and different secrets', async () => {
  const [one, other] = [await setup(), await setup()];
  expect(one.page.origin).not.toBe(other.page.origin);
  const { cookie, csrf, digest } = await one.open();
  const [name, value] = (await other.open()).cookie.split('=');
  expect(cookie).not.toContain(value);
  const headers = { cookie: `${name}=${cookie.split('=')[1]}` };
  expect((await other.answer({ ...approve, csrf, digest }, { headers })).status).toBe(403);
  expect(other.approvals.calls).toEqual([]);
});

test('an unknown handle gets a plain 404 that repeats nothing of the request', async () => {
  const { page, send } = await setup();
  for (const path of ['/approve/unknown-handle', '/approve/unknown-handle/status']) {
    const answer = await send({ url: page.origin + path });
    expect(answer.status).toBe(404);
    expect(answer.text).toContain('Not found');
    expect(answer.text).not.toContain('unknown-handle');
    expect(answer.headers['set-cookie']).toBeUndefined();
  }
});

test.each([
  '/',
  '/approve',
  '/approve/',
  '/favicon.ico',
  `/approve/${handle}/`,
  `/approve/${handle}/other`,
  `/approve/../approve/${handle}`,
  `/approve/%68${handle.slice(1)}`,
  `//approve/${handle}`,
  `http://evil.example/approve/${handle}`,
  `/approve/${'x'.repeat(129)}`,
  '*',
])('%s is not found', async (target) => {
  const { send, approvals } = await setup();
  expect((await send({ target })).status).toBe(404);
  expect(approvals.looks).toBe(0);
});

test('a query that a chat program appends to the address is ignored and not repeated', async () => {
  const { send } = await setup();
  const answer = await send({ target: `/approve/${handle}?utm_source=chat&action=approve` });
  expect(answer.status).toBe(200);
  expect(answer.text).not.toContain('utm_source');
});

test.each(['GET', 'HEAD'])('%s decides nothing, however often it is sent', async (method) => {
  const { send, approvals } = await setup();
  for (let round = 0; round < 3; round++) {
    const target = `/approve/${handle}?action=approve&passphrase=${encodeURIComponent(passphrase)}`;
    const answer = await send({ method, target });
    expect(answer.status).toBe(200);
    if (method === 'HEAD') expect(answer.text).toBe('');
  }
  expect(approvals.calls).toEqual([]);
  expect(approvals.current.state).toBe('AWAITING_APPROVAL');
});

test.each([
  ['PUT', '', 'GET, HEAD, POST'],
  ['DELETE', '', 'GET, HEAD, POST'],
  ['OPTIONS', '', 'GET, HEAD, POST'],
  ['POST', '/status', 'GET, HEAD'],
  ['GET', '/fault', 'POST'],
  ['PUT', '/fault', 'POST'],
])('%s is not for the address%s', async (method, behind, allow) => {
  const { send, address, approvals } = await setup();
  const answer = await send({ url: address + behind, method });
  expect(answer.status).toBe(405);
  expect(answer.headers.allow).toBe(allow);
  expect(answer.text).toContain('You can view, approve or reject a ticket.');
  expect(answer.headers['access-control-allow-origin']).toBeUndefined();
  expect(approvals.calls).toEqual([]);
});

test.each([
  ['another name', () => 'evil.example'],
  ['another name with our port', (port: string) => `evil.example:${port}`],
  ['localhost', (port: string) => `localhost:${port}`],
  ['no port', () => '127.0.0.1'],
  ['another port', () => '127.0.0.1:1'],
  ['our address and more', (port: string) => `127.0.0.1:${port}.evil.example`],
])('a host that is %s is refused for every request', async (_, host) => {
  const { page, address, send, open, approvals } = await setup();
  const { cookie, csrf, digest } = await open();
  const looks = approvals.looks;
  const wrong = { host: host(new URL(page.origin).port) };
  const body = new URLSearchParams({ csrf, digest, ...approve }).toString();
  const right = { origin: page.origin, 'content-type': formType, cookie };
  for (const answer of [
    await send({ headers: wrong }),
    await send({ headers: wrong, method: 'HEAD' }),
    await send({ headers: wrong, url: `${address}/status` }),
    await send({ headers: wrong, url: `${page.origin}/` }),
    await send({ headers: { ...right, ...wrong }, method: 'POST', body }),
  ]) {
    expect(answer.status).toBe(403);
    expect(answer.headers['set-cookie']).toBeUndefined();
  }
  expect(approvals.looks).toBe(looks);
  expect(approvals.calls).toEqual([]);
});

type Wrong = { headers?: Record<string, string>; without?: string[] };
const wrongRequests: [string, Wrong][] = [
  ['has no origin', { without: ['origin'] }],
  ['has the origin null', { headers: { origin: 'null' } }],
  ['has the origin of another site', { headers: { origin: 'https://evil.example' } }],
  ['has the origin of another port', { headers: { origin: 'http://127.0.0.1:1' } }],
  ['comes from another site', { headers: { 'sec-fetch-site': 'cross-site' } }],
  ['comes from another port of this machine', { headers: { 'sec-fetch-site': 'same-site' } }],
  ['has no content type', { without: ['content-type'] }],
  ['is JSON', { headers: { 'content-type': 'application/json' } }],
  ['is plain text', { headers: { 'content-type': 'text/plain' } }],
  ['is multipart', { headers: { 'content-type': 'multipart/form-data; boundary=x' } }],
  ['has no cookie', { without: ['cookie'] }],
  ['has an empty cookie', { headers: { cookie: 'approval-1=; other=1' } }],
];
/** A report of the page's script, as the page sends it, except for what the test changes. */
async function report({ address, open }: Awaited<ReturnType<typeof setup>>, wrong: Wrong = {}, fields = {}) {
  const { cookie } = await open();
  return sendForm(`${address}/fault`, cookie, { code: 'TypeError', name: 'count', place: '61:5', ...fields }, wrong);
}

test.each([...wrongRequests, ['has another cookie', { headers: { cookie: 'approval-1=x' } }] as [string, Wrong]])(
  'a report of the script that %s is refused, and nothing is logged',
  async (_, wrong) => {
    const served = await setup();
    expect((await report(served, wrong)).status).toBe(403);
    expect(takeLog()).toEqual([]);
  },
);

test('a report of the script is logged by class and place, and decides nothing', async () => {
  const served = await setup();
  const answer = await report(served, {}, { message: 'planted 890.63', action: 'approve', passphrase });
  expect(answer).toMatchObject({ status: 204, text: '' });
  expect(takeLog()).toMatchObject([
    {
      event: 'fault',
      task: 'the script of a page',
      code: 'TypeError',
      place: 'count (src/core/approval/page/page-script.ts)',
      message: 'The script of the page threw.',
      stack: ['    at count (page-script.js:61:5, from src/core/approval/page/page-script.ts)'],
    },
  ]);
  expect(served.approvals.calls).toEqual([]);
});

test('text in a report that is no class, function or place is not logged', async () => {
  const served = await setup();
  const text = 'x\n    at evil (src/main.ts:1:1)';
  await report(served, {}, { code: text, name: text, place: text });
  expect(takeLog()).toMatchObject([
    {
      code: 'unknown',
      place: 'script (src/core/approval/page/page-script.ts)',
      stack: ['    at script (page-script.js:?, from src/core/approval/page/page-script.ts)'],
    },
  ]);
});

test('a server logs ten reports of its script and refuses more, and one that is too long', async () => {
  const served = await setup();
  expect((await report(served, {}, { code: 'x'.repeat(5000) })).status).toBe(413);
  const statuses: number[] = [];
  for (let line = 1; line <= 12; line++)
    statuses.push((await report(served, {}, { name: `f${line}`, place: `${line}:1` })).status);
  expect(statuses).toEqual([...Array.from({ length: 10 }, () => 204), 429, 429]);
  expect(takeLog()).toHaveLength(10);
});

for (const [name, action] of [
  ['an approval', approve],
  ['a rejection', reject],
] as const) {
  test.each(wrongRequests)(`${name} that %s is refused, and decides nothing`, async (_, wrong) => {
    const { answer, approvals } = await setup();
    const refused = await answer(action, wrong);
    expect(refused.status).toBe(403);
    expect(refused.text).toContain('Nothing was decided');
    // The page of a draft, which has no ticket, replies with the same text.
    expect(refused.text).not.toContain('address of the ticket');
    expect(approvals.calls).toEqual([]);
  });

  test.each([
    ['no token', { csrf: '' }],
    ['a made-up token', { csrf: 'A'.repeat(43) }],
    ['the token of another ticket', { digest: 'digest-2' }],
    ['no digest', { digest: '' }],
  ])(`${name} with %s is refused, and decides nothing`, async (_, fields) => {
    const { answer, approvals } = await setup();
    expect((await answer({ ...action, ...fields })).status).toBe(403);
    expect(approvals.calls).toEqual([]);
  });
}

test('a request without the header of newer browsers is checked by the other rules', async () => {
  const { answer } = await setup();
  expect((await answer(reject, { without: ['sec-fetch-site'] })).status).toBe(303);
});

test('the token of one address is not valid for another', async () => {
  const { page, open, send, approvals } = await setup();
  const { cookie, csrf, digest } = await open();
  const body = new URLSearchParams({ csrf, digest, ...approve }).toString();
  const headers = { origin: page.origin, 'content-type': formType, cookie };
  const answer = await send({ url: page.getUrl('another-handle'), method: 'POST', headers, body });
  expect(answer.status).toBe(403);
  expect(approvals.calls).toEqual([]);
});

test('a field that appears twice counts as missing', async () => {
  const { page, open, send, approvals } = await setup();
  const { cookie, csrf, digest } = await open();
  const body = `${new URLSearchParams({ csrf, digest, ...approve })}&csrf=${csrf}`;
  const headers = { origin: page.origin, 'content-type': formType, cookie };
  expect((await send({ method: 'POST', headers, body })).status).toBe(403);
  expect(approvals.calls).toEqual([]);
});

test.each(['', 'APPROVE', 'delete'])('the action "%s" is neither an approval nor a rejection', async (action) => {
  const { answer, approvals } = await setup();
  expect((await answer({ action, passphrase })).status).toBe(400);
  expect(approvals.calls).toEqual([]);
});

test('the cookie is limited to this address, and hidden from scripts and other sites', async () => {
  const { page, send } = await setup();
  const cookies = (await send()).headers['set-cookie'] ?? [];
  expect(cookies).toHaveLength(1);
  expect(cookies[0]).toMatch(
    new RegExp(
      `^approval-${new URL(page.origin).port}=[\\w-]{43}; Path=/approve/${handle}; HttpOnly; SameSite=Strict$`,
    ),
  );
});

const always = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
};

test('every response has the headers that keep its content on this page', async () => {
  const { page, address, send, answer, approvals } = await setup();
  const answers = [
    await send(),
    await send({ method: 'HEAD' }),
    await send({ url: `${address}/status` }),
    await send({ url: `${page.origin}/elsewhere` }),
    await send({ method: 'PUT' }),
    await send({ headers: { host: 'evil.example' } }),
    await answer({ action: 'neither' }),
    await answer({ action: 'approve', passphrase: 'wrong' }),
    await answer({ action: 'approve', passphrase: 'x'.repeat(5000) }),
    await send({ headers: { 'x-long': 'x'.repeat(20_000) } }),
    await answer(reject),
  ];
  approvals.viewByHandle = () => Promise.reject(new Error('secret words'));
  answers.push(await send());
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 404, 405, 403, 400, 403, 413, 431, 303, 500]);
  for (const { headers } of answers) {
    expect(headers).toMatchObject(always);
    expect(headers['content-security-policy']).toMatch(/^default-src 'none'; /);
    expect(headers['permissions-policy']).toContain('camera=()');
    expect(headers['referrer-policy']).toMatch(/^(no-referrer|same-origin)$/);
    expect(headers.server ?? headers['x-powered-by']).toBeUndefined();
  }
  expect(takeLog()).toMatchObject([{ task: 'an approval page', code: 'Error' }]);
});

test('only the page with the form lets the browser send its own origin, which the form needs', async () => {
  const { send, address, answer } = await setup();
  expect((await send()).headers['referrer-policy']).toBe('same-origin');
  expect((await send({ url: `${address}/status` })).headers['referrer-policy']).toBe('no-referrer');
  await answer(reject);
  expect((await send()).headers['referrer-policy']).toBe('no-referrer');
});

test('the policy allows only the style and the script that were sent', async () => {
  const { send } = await setup();
  const { headers, text } = await send();
  const hashOf = (element: string) => {
    const all = [...text.matchAll(new RegExp(`<${element}>([\\s\\S]*?)</${element}>`, 'g'))];
    expect(all).toHaveLength(1);
    return `'sha256-${createHash('sha256')
      .update(all[0]?.[1] ?? '')
      .digest('base64')}'`;
  };
  expect(headers['content-security-policy']).toBe(
    `default-src 'none'; style-src ${hashOf('style')}; script-src ${hashOf('script')}; form-action 'self'; ` +
      "connect-src 'self'; frame-ancestors 'none'; base-uri 'none'",
  );
  const rest = text.replace(/<(style|script)>[\s\S]*?<\/\1>/g, '');
  expect(rest).not.toMatch(/\son\w+=|\sstyle=|\ssrc=|https?:|\/\/|javascript:/i);
});

test('the Date of a response comes from the given clock', async () => {
  const { send } = await setup();
  expect((await send()).headers.date).toBe(new Date(startAt).toUTCString());
});

test('only our own page can read a status: other sites are refused', async () => {
  const { send, address } = await setup();
  const url = `${address}/status`;
  expect((await send({ url, headers: { 'sec-fetch-site': 'cross-site' } })).status).toBe(403);
  expect((await send({ url, headers: { 'sec-fetch-site': 'same-origin' } })).status).toBe(200);
});

test('a link from a chat program opens the ticket', async () => {
  const { send } = await setup(viewOf(limitBuy));
  expect((await send({ headers: { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' } })).status).toBe(200);
});

test('a form of another site is called so, whatever its type', async () => {
  const { address, open, approvals } = await setup();
  const { cookie, csrf, digest } = await open();
  const headers = { 'sec-fetch-site': 'cross-site', 'content-type': 'text/plain' };
  const { status, text } = await sendForm(address, cookie, { csrf, digest, action: 'reject' }, { headers });
  expect(status).toBe(403);
  expect(text).toContain('Another page sent this form');
  expect(approvals.calls).toEqual([]);
});
