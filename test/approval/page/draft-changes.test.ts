/** Each form of the page of a draft, and the change that it makes in the store, without a server. */
import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { expect, onTestFinished, test } from 'vitest';
import { createCsrf } from '../../../src/approval/page/csrf.ts';
import { replyForDraft } from '../../../src/approval/page/draft-handlers.ts';
import { createOneTimeAddresses } from '../../../src/approval/page/one-time.ts';
import type { DraftEdit } from '../../../src/drafting/book/draft.ts';
import { readDraft } from '../../../src/drafting/book/list-drafts.ts';
import type { SheetDeps } from '../../../src/drafting/draft-sheet.ts';
import type { OrderRequest } from '../../../src/orders/intent/order-request.ts';
import { createOrderPath } from '../../orders/risk/order-path.ts';

const legs: readonly OrderRequest[] = [
  { type: 'LIMIT', ticker: 'A', side: 'BUY', quantity: '3', limitPrice: '10', timeValidity: 'DAY' },
  { type: 'LIMIT', ticker: 'B', side: 'SELL', quantity: '2', limitPrice: '20', timeValidity: 'DAY' },
];
const handle = 'handle-of-the-page';
const host = '127.0.0.1:9';
const origin = `http://${host}`;

/** A saved draft, and its page's reply to a form that the page sent. */
async function openDraft() {
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
    services: { ...path.drafts, drafts: path.drafts } as unknown as SheetDeps,
    signal: new AbortController().signal,
  };
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
  return { post, read: () => readDraft(path.drafts, draftId) };
}

test.each<[Record<string, string>, DraftEdit, string, readonly Partial<OrderRequest>[]]>([
  [{ action: 'remove', leg: '2' }, { kind: 'remove', leg: 2 }, '#changes', [{ ticker: 'A', quantity: '3' }]],
  [
    { action: 'quantity', leg: '1', value: ' 2.5 ' },
    { kind: 'quantity', leg: 1, quantity: '2.5' },
    '#leg-1',
    [
      { ticker: 'A', quantity: '2.5', limitPrice: '10' },
      { ticker: 'B', quantity: '2', limitPrice: '20' },
    ],
  ],
  [
    { action: 'limitPrice', leg: '2', value: '21' },
    { kind: 'limitPrice', leg: 2, limitPrice: '21' },
    '#leg-2',
    [
      { ticker: 'A', quantity: '3', limitPrice: '10' },
      { ticker: 'B', quantity: '2', limitPrice: '21' },
    ],
  ],
])('the form %o makes a version of the page, and leads back to its place', async (fields, edit, part, left) => {
  const { post, read } = await openDraft();
  expect(await post(fields)).toEqual({ status: 303, headers: { location: `/draft/${handle}${part}` } });
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
  expect(body.match(new RegExp(`<form method="post" action="/draft/${handle}"`, 'g'))).toHaveLength(7);
  expect((await read()).draft.version).toBe(1);
});
