/** Requests to the page with the right passphrase that must not count, or that only read. */
// @module-tag server
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sendTo } from '../core/approval/page/support.ts';
import { type Forgery, look, press, testForgeries } from './page.ts';
import { type Attack, atEndOfFile, attack, expectNothingLeft, passphrase, waitingOrder } from './support.ts';

describe('requests that are no decision on the ticket', () => {
  const atEnd = atEndOfFile(afterAll);
  let attacked: Attack;
  let waiting: Awaited<ReturnType<typeof waitingOrder>>;
  let other: typeof waiting;
  beforeAll(async () => {
    attacked = await attack({ atEnd });
    waiting = await waitingOrder(attacked);
    other = await waitingOrder(attacked, { quantity: 3 });
  });

  /** Whatever was sent: the order still waits, unchanged, and nothing was sent. */
  const stillWaits = async () => {
    const mine = (await attacked.intents()).filter(({ id }) => id === waiting.intentId);
    expect(mine).toMatchObject([{ state: 'AWAITING_APPROVAL', approval: { nonce: waiting.nonce } }]);
    expect(mine[0]?.approval?.approvedAt).toBeUndefined();
    await expectNothingLeft(attacked);
  };
  const port = () => new URL(waiting.address).port;

  const looks: [string, () => Promise<unknown>][] = [
    ['opening the address', () => sendTo(waiting.address, {})],
    ['a HEAD of it', () => sendTo(waiting.address, { method: 'HEAD' })],
    [
      'the passphrase in the query of a GET',
      () => sendTo(`${waiting.address}?action=approve&passphrase=${encodeURIComponent(passphrase)}`, {}),
    ],
    ['the form as the body of a GET', () => press(waiting.address, { method: 'GET' })],
    [
      'twenty looks at the status',
      async () => {
        for (let again = 0; again < 20; again++) await sendTo(`${waiting.address}/status`, {});
      },
    ],
    [
      'the form sent to the status',
      () => press(waiting.address, { target: `${new URL(waiting.address).pathname}/status` }),
    ],
  ];
  test.each(looks)('%s approves nothing', async (_, act) => {
    await act();
    await stillWaits();
  });

  const evil = { 'x-http-method-override': 'POST', 'x-http-method': 'POST', 'x-method-override': 'POST' };
  const requests: Forgery[] = [
    ['without the token', 403, { fields: { csrf: '' } }],
    ['with a token that is made up', 403, { fields: { csrf: 'A'.repeat(43) } }],
    ['with the token of another ticket', 403, async () => ({ fields: { csrf: (await look(other.address)).csrf } })],
    [
      'with token and digest of another ticket',
      403,
      async () => {
        const { csrf, digest } = await look(other.address);
        return { fields: { csrf, digest } };
      },
    ],
    [
      'with the digest of another ticket',
      403,
      async () => ({ fields: { digest: (await look(other.address)).digest } }),
    ],
    ['without the cookie', 403, { without: ['cookie'] }],
    ['with a cookie of its own', 403, async () => ({ headers: { cookie: `approval-${port()}=mine` } })],
    [
      'with the cookie of another port',
      403,
      async () => ({ headers: { cookie: (await look(waiting.address)).cookie.replace(/\d+=/, '1=') } }),
    ],
    ['to another host name (DNS rebinding)', 403, async () => ({ headers: { host: `evil.example:${port()}` } })],
    [
      'to localhost',
      403,
      async () => ({ headers: { host: `localhost:${port()}`, origin: `http://localhost:${port()}` } }),
    ],
    ['to the host without its port', 403, { headers: { host: '127.0.0.1' } }],
    ['without an origin', 403, { without: ['origin'] }],
    ['with the origin null', 403, { headers: { origin: 'null' } }],
    ['from another port', 403, { headers: { origin: 'http://127.0.0.1:1' } }],
    ['from the same port over https', 403, async () => ({ headers: { origin: `https://127.0.0.1:${port()}` } })],
    [
      'from an origin that begins alike',
      403,
      async () => ({ headers: { origin: `http://127.0.0.1:${port()}.evil.example` } }),
    ],
    ['from a page of another site', 403, { headers: { 'sec-fetch-site': 'cross-site' } }],
    ['from a page of another port', 403, { headers: { 'sec-fetch-site': 'same-site' } }],
    ['as JSON', 403, { headers: { 'content-type': 'application/json' } }],
    ['as plain text', 403, { headers: { 'content-type': 'text/plain' } }],
    ['as a form of another type', 403, { headers: { 'content-type': 'multipart/form-data; boundary=x' } }],
    ['as a GET that claims to be a POST', 200, { method: 'GET', headers: evil, body: '' }],
    ['as a PUT that claims to be a POST', 405, { method: 'PUT', headers: evil }],
    ['as a DELETE', 405, { method: 'DELETE', body: '' }],
    ['with another action', 400, { fields: { action: 'APPROVE' } }],
    ['without a passphrase', 403, { fields: { passphrase: '' } }],
    ['in a body that is far too long', 413, { fields: { padding: 'x'.repeat(5000) } }],
    ['with the handle in upper case', 403, async () => ({ target: `/approve/${waiting.handle.toUpperCase()}` })],
    ['with a handle that is guessed', 403, { target: `/approve/${'A'.repeat(32)}` }],
    ['with the intentId for a handle', 403, async () => ({ target: `/approve/${waiting.intentId}` })],
    ['with the beginning of the handle', 403, async () => ({ target: `/approve/${waiting.handle.slice(0, 16)}` })],
    ['with a pattern for a handle', 404, { target: '/approve/%25' }],
    ['with a slash behind the handle', 404, async () => ({ target: `/approve/${waiting.handle}/` })],
    [
      'through a foreign address on the first line',
      404,
      async () => ({ target: `http://evil.example/approve/${waiting.handle}` }),
    ],
  ];
  testForgeries(requests, () => waiting.address, stillWaits);

  test('the passphrase in the address of the POST does not replace the one in the form', async () => {
    const target = `/approve/${waiting.handle}?passphrase=${encodeURIComponent(passphrase)}`;
    await press(waiting.address, { target, fields: { passphrase: '' } });
    await stillWaits();
  });

  test('none of these requests approves the other ticket', async () => {
    const states = (await attacked.intents()).map(({ state }) => state);
    expect(states).toEqual(['AWAITING_APPROVAL', 'AWAITING_APPROVAL']);
  });
});

test('the page exposes nothing to other pages, cannot be framed, and is not cached', async () => {
  const attacked = await attack();
  const { address } = await waitingOrder(attacked);
  const { headers } = await sendTo(address, { headers: { origin: 'http://evil.example' } });
  expect(headers['access-control-allow-origin']).toBeUndefined();
  expect(headers['content-security-policy']).toMatch(/default-src 'none'.*frame-ancestors 'none'/);
  expect(headers).toMatchObject({ 'x-frame-options': 'DENY', 'cache-control': 'no-store' });
  expect((await sendTo(`${address}/status`, { headers: { 'sec-fetch-site': 'cross-site' } })).status).toBe(403);
  await expectNothingLeft(attacked);
});
