/** Each form of the page of a draft, and the change that it makes in the store, without a server. */
import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { expect, onTestFinished, test } from 'vitest';
import { createCsrf, createOneTimeAddresses } from '../../../../src/core/approval/page/request-guards.ts';
import type { OrderRequest } from '../../../../src/core/orders/intent/order-request.ts';
import { storeUnavailable } from '../../../../src/core/store/engine.ts';
import type { DraftEdit } from '../../../../src/features/drafts/book/draft.ts';
import { readDraft } from '../../../../src/features/drafts/book/find-draft.ts';
import { type DraftHandlerDeps, replyForDraft } from '../../../../src/features/drafts/page/draft-handlers.ts';
import { createOrderPath, type OrderPath } from '../../../core/orders/risk/order-path.ts';
import { attempt } from '../submission/attempts.ts';

const legs: readonly OrderRequest[] = [
  { type: 'LIMIT', ticker: 'A', side: 'BUY', quantity: '3', limitPrice: '10', timeValidity: 'DAY' },
  { type: 'LIMIT', ticker: 'B', side: 'SELL', quantity: '2', limitPrice: '20', timeValidity: 'DAY' },
];
const handle = 'handle-of-the-page';
const host = '127.0.0.1:9';
const origin = `http://${host}`;

/** A saved draft, and its page's reply to a form that the page sent. */
async function openDraft(change: (path: OrderPath, draftId: string) => Partial<DraftHandlerDeps> = () => ({})) {
  const path = await createOrderPath({ tickers: ['A', 'B'], limits: {}, isApproved: false, delayMs: 0 });
  onTestFinished(() => path.close());
  const { draftId } = await path.saveDraft(legs);
  const csrf = createCsrf();
  const parts = {
    origin,
    host,
    cookieName: 'draft-9',
    csrf,
    oneTime: createOneTimeAddresses(path.clock),
    takeScriptFault: async () => ({ status: 204 }),
    trust: () => undefined,
    draftId,
    handle,
    drafts: path.drafts,
    signal: new AbortController().signal,
    ...change(path, draftId),
  };
  const get = (url: string) =>
    replyForDraft(parts, { method: 'GET', url, headers: {}, headersDistinct: { host: [host] } } as never);
  const post = (fields: Record<string, string>) => {
    const body = new URLSearchParams({ csrf: csrf.token(handle, '1'), version: '1', ...fields }).toString();
    const headers = {
      host,
      origin,
      'content-type': 'application/x-www-form-urlencoded',
      cookie: `draft-9=${csrf.session}`,
    };
    const request = { method: 'POST', url: `/draft/${handle}`, headers, headersDistinct: { host: [host] } };
    return replyForDraft(
      parts,
      Object.assign(Readable.from([Buffer.from(body)]), request) as unknown as IncomingMessage,
    );
  };
  return { path, draftId, get, post, read: () => readDraft(path.drafts, draftId) };
}

test.each<[Record<string, string>, DraftEdit, readonly Partial<OrderRequest>[]]>([
  [{ action: 'remove', leg: '2' }, { kind: 'remove', leg: 2 }, [{ ticker: 'A', quantity: '3' }]],
  [
    { action: 'quantity', leg: '1', value: ' 2.5 ' },
    { kind: 'quantity', leg: 1, quantity: '2.5' },
    [
      { ticker: 'A', quantity: '2.5', limitPrice: '10' },
      { ticker: 'B', quantity: '2', limitPrice: '20' },
    ],
  ],
  [
    { action: 'limitPrice', leg: '2', value: '21' },
    { kind: 'limitPrice', leg: 2, limitPrice: '21' },
    [
      { ticker: 'A', quantity: '3', limitPrice: '10' },
      { ticker: 'B', quantity: '2', limitPrice: '21' },
    ],
  ],
])('the form %o makes a version of the page, and leads back to its place', async (fields, edit, left) => {
  const { post, read } = await openDraft();
  const notice = `draft-9-saved=2; Path=/draft/${handle}; HttpOnly; SameSite=Strict; Max-Age=30`;
  expect(await post(fields)).toEqual({
    status: 303,
    headers: { location: `/draft/${handle}#saved`, 'set-cookie': notice },
  });
  const { versions } = await read();
  expect(versions.slice(1)).toMatchObject([{ version: 2, channel: 'page', edit, legs: left }]);
});

test('the form that discards closes the draft, and leads back to its page', async () => {
  const { post, read } = await openDraft();
  expect(await post({ action: 'discard' })).toEqual({ status: 303, headers: { location: `/draft/${handle}` } });
  expect((await read()).draft).toMatchObject({ state: 'discarded', version: 1 });
});

test('a change that is not smaller shows the draft as it is, why, and what to do', async () => {
  const { post, read } = await openDraft();
  const { status, body = '' } = await post({ action: 'quantity', leg: '1', value: '3' });
  expect(status).toBe(422);
  expect(body).toContain(
    '<p id="alert" class="alert" role="alert" tabindex="-1" autofocus><strong>Leg 1 is for 3 shares and can only be made smaller.</strong> Give a lower quantity.</p>',
  );
  const forms = [...body.matchAll(/<form method="post" action="([^"]*)"[\s\S]*?name="action" value="(\w+)"/g)];
  expect(new Set(forms.map(([, path]) => path))).toEqual(new Set([`/draft/${handle}`]));
  const ofLeg = ['quantity', 'limitPrice', 'remove'];
  expect(forms.map(([, , action]) => action)).toEqual([...ofLeg, ...ofLeg, 'discard']);
  expect((await read()).draft.version).toBe(1);
});

test.each([
  [{ action: 'remove', leg: '0' }, 400],
  [{ action: 'remove', leg: '100' }, 400],
  [{ action: 'remove', leg: '1x' }, 400],
  [{ action: 'remove', leg: 'x1' }, 400],
  [{ action: 'remove', leg: '' }, 400],
  [{ action: 'price', leg: '1', value: '9' }, 400],
  // A form of the page, for a leg that the draft does not have.
  [{ action: 'remove', leg: '12' }, 422],
])('the form %o changes nothing: %i', async (fields, status) => {
  const { post, read } = await openDraft();
  expect((await post(fields)).status).toBe(status);
  expect((await read()).draft.version).toBe(1);
});

test('a change that the store did not take is shown as that, and not as a wrong form', async () => {
  const { post } = await openDraft(({ drafts }) => ({
    drafts: {
      ...drafts,
      store: {
        read: (work) => drafts.store.read(work),
        change: () => Promise.reject(storeUnavailable('disk_full', 'the disk is full')),
      },
    },
  }));
  const { status, body } = await post({ action: 'remove', leg: '1' });
  expect([status, body?.includes('the disk is full')]).toEqual([503, true]);
});

test('a draft that cannot be read is not reported as missing', async () => {
  const { get } = await openDraft(({ drafts }) => ({
    drafts: {
      ...drafts,
      store: { ...drafts.store, read: () => Promise.reject(storeUnavailable('disk_full', 'the disk is full')) },
    },
  }));
  for (const url of [`/draft/${handle}`, `/draft/${handle}/status`]) expect((await get(url)).status).toBe(503);
});

test('a connection is trusted once it names the handle of the draft', async () => {
  const trusted: unknown[] = [];
  const { get } = await openDraft(() => ({ trust: ({ url }) => void trusted.push(url) }));
  expect((await get(`/draft/${handle}-2/status`)).status).toBe(404);
  expect(trusted).toEqual([]);
  expect((await get(`/draft/${handle}/status`)).status).toBe(200);
  expect(trusted).toEqual([`/draft/${handle}/status`]);
});

test('a stop where nothing was sent leads back to the page, without a message', async () => {
  const { post } = await openDraft();
  expect(await post({ action: 'stop' })).toEqual({ status: 303, headers: { location: `/draft/${handle}` } });
});

test('a stop after the last order says that all were placed', async () => {
  const { path, draftId, post } = await openDraft();
  await path.drafts.store.change((tx) =>
    tx.insertSubmission(attempt('s1', path.clock.now(), { draftId, state: 'done' }), []),
  );
  const { status, body } = await post({ action: 'stop' });
  expect([status, body?.includes('All orders had been placed before you pressed Stop.')]).toEqual([200, true]);
});

test('a stop of a draft that is being sent leads back to the page', async () => {
  const { path, draftId, post } = await openDraft();
  await path.drafts.store.change((tx) =>
    tx.insertSubmission(attempt('s1', path.clock.now(), { draftId, state: 'sending' }), []),
  );
  expect(await post({ action: 'stop' })).toEqual({ status: 303, headers: { location: `/draft/${handle}` } });
  expect(await path.drafts.store.read((tx) => tx.findSubmission('s1'))).toMatchObject({ state: 'stopped' });
});
