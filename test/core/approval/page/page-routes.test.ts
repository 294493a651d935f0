/** Requests to the handlers of the approval page, without a server. */
import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { findOrders } from '../../../../src/core/approval/page/order-page.ts';
import {
  checkType,
  createCsrf,
  createOneTimeAddresses,
  readCookie,
} from '../../../../src/core/approval/page/request-guards.ts';
import { replyForTicket } from '../../../../src/core/approval/page/serve-page.ts';
import { findDrafts } from '../../../../src/features/drafts/page/draft-approval-page.ts';
import { waitingDraft } from '../../../features/drafts/page/draft-ticket-support.ts';
import { createManualClock } from '../../../support/manual-clock.ts';
import { handle, limitBuy, memoryApprovals, noDrafts, passphrase, startAt, viewOf } from './support.ts';

const host = '127.0.0.1:9';
const origin = `http://${host}`;
const draftHandle = 'h4ndle-of_a-draft-22-chrs';

/** The handlers over one order and one draft. */
function open() {
  const csrf = createCsrf();
  const oneTime = createOneTimeAddresses(createManualClock({ startAt }));
  const approvals = memoryApprovals(viewOf(limitBuy));
  const trusted: string[] = [];
  const parts = {
    ...{ origin, host, cookieName: 'approval-9', csrf, oneTime },
    takeScriptFault: async () => ({ status: 204 }),
    trust: ({ url = '' }: IncomingMessage) => trusted.push(url),
    subjects: [
      findOrders(approvals),
      findDrafts({
        ...noDrafts,
        viewByHandle: async (asked: string) => (asked === draftHandle ? waitingDraft : undefined),
        stop: async () => ({ kind: 'all_placed' as const }),
      }),
    ],
  };
  const send = (method: string, url: string, headers: Record<string, string> = {}, body = '') =>
    replyForTicket(
      parts,
      Object.assign(Readable.from([Buffer.from(body)]), {
        ...{ method, url, headers, headersDistinct: { host: [host] } },
      }) as unknown as IncomingMessage,
    );
  const post = (of: string, digest: string, fields: Record<string, string>) =>
    send(
      'POST',
      `/approve/${of}`,
      {
        origin,
        'content-type': 'application/x-www-form-urlencoded',
        cookie: `other=1; approval-9=${csrf.session}`,
      },
      new URLSearchParams({ csrf: csrf.token(of, digest), digest, ...fields }).toString(),
    );
  return { approvals, oneTime, trusted, send, post };
}

test('a connection is trusted once it names an order or a draft that is there', async () => {
  const { send, trusted } = open();
  const paths = [`/approve/${handle}`, `/approve/${draftHandle}/status`, '/approve/h4ndle-of_nothing-22-chrs'];
  const replies = await Promise.all(paths.map((path) => send('GET', path)));
  expect(replies.map(({ status }) => status)).toEqual([200, 200, 404]);
  expect(trusted).toEqual(paths.slice(0, 2));
});

test('an order has no address among those of drafts', async () => {
  const { send, approvals } = open();
  expect((await send('GET', `/draft/${handle}`)).status).toBe(404);
  expect(approvals.looks).toBe(0);
});

test('a one-time address is for GET alone', async () => {
  const { send, oneTime } = open();
  const { status, headers } = await send('POST', `/open/${oneTime.create(handle)}`);
  expect([status, headers?.allow]).toEqual([405, 'GET']);
});

test.each([
  ['an approval', { action: 'approve', passphrase }, 'APPROVED'],
  ['a rejection', { action: 'reject' }, 'DECLINED'],
])('%s leads back to the ticket, with no notice that it came too late', async (_, fields, state) => {
  const { post, approvals } = open();
  expect(await post(handle, 'digest-1', fields)).toEqual({
    status: 303,
    headers: { location: `/approve/${handle}` },
  });
  expect(approvals.current.state).toBe(state);
});

test('a stop after the last order leads back with the notice that all were placed', async () => {
  const { post } = open();
  const { status, headers } = await post(draftHandle, waitingDraft.digest, { action: 'stop' });
  expect([status, headers?.location, headers?.['set-cookie']]).toEqual([
    303,
    `/approve/${draftHandle}`,
    `approval-9-notice=all_placed; Path=/approve/${draftHandle}; HttpOnly; SameSite=Strict; Max-Age=30`,
  ]);
});

test('a ticket without a notice sets the cookie of the session and no other', async () => {
  const { send } = open();
  const cookiesFor = async (cookie: string) => {
    const cookies = (await send('GET', `/approve/${handle}`, { cookie })).headers?.['set-cookie'];
    return (cookies as string[]).map((one) => one.split('=')[0]);
  };
  expect(await cookiesFor('')).toEqual(['approval-9']);
  expect(await cookiesFor('approval-9-notice=invented')).toEqual(['approval-9']);
  expect(await cookiesFor('approval-9-notice=late')).toEqual(['approval-9', 'approval-9-notice']);
});

test.each([
  ['a', '1'],
  ['b', '2=x'],
  ['bb', '3'],
  ['c', ''],
  ['d', undefined],
  ['', undefined],
])('of several cookies the one named %j has the value %s', (name, value) => {
  const request = { headers: { cookie: 'a=1; bb=3;b=2=x ;  c=' } } as IncomingMessage;
  expect(readCookie(request, name)).toBe(value);
});

test.each([
  ['application/x-www-form-urlencoded', undefined],
  [' Application/X-WWW-Form-Urlencoded ; charset=utf-8', undefined],
  ['application/json', 403],
  ['text/plain; application/x-www-form-urlencoded', 403],
  [undefined, 403],
])('a body of the type %j is refused with %s', (type, status) => {
  expect(checkType({ headers: { 'content-type': type } } as IncomingMessage)?.status).toBe(status);
});

test('the first browser is let in whatever it brings, and then it alone', () => {
  const oneTime = createOneTimeAddresses(createManualClock({ startAt }));
  const token = oneTime.create(handle);
  const first = oneTime.spend(token, 'of another address');
  expect(first?.handle).toBe(handle);
  expect(oneTime.spend(token, first?.pass)).toEqual(first);
  expect(oneTime.spend(token, 'of another address')).toBeUndefined();
  expect(oneTime.spend(token, undefined)).toBeUndefined();
});
