/** The page on which a person edits a draft: what it shows, what it changes, and what it refuses. */
// @module-tag server
import { createHash } from 'node:crypto';
import Big from 'big.js';
import { describe, expect, test } from 'vitest';
import type { CallContext } from '../../../../src/core/broker/types.ts';
import { readDraftSheet } from '../../../../src/features/drafts/draft-sheet.ts';
import { sendForm, sendTo } from '../../../core/approval/page/support.ts';
import { takeLog } from '../../../support/faults.ts';
import { setup } from '../../../support/setup.ts';
import { buy, buys, london, newYork, outcomes, posts, sell, submit as submitDraft } from '../submission/support.ts';
import { draftPage, lifeMs, servePage } from './draft-support.ts';

const quantity = (value: string, leg = '1') => ({ action: 'quantity', leg, value });

describe('a person', () => {
  test('lowers a quantity, makes a limit stricter and removes a leg; each is a version with the channel page', async () => {
    const { made, draftId, load, submit, stored } = await draftPage([
      buy({ quantity: 3 }),
      sell(),
      buy({ limitPrice: 9 }),
    ]);
    const changes = [
      quantity('2.5'),
      { action: 'limitPrice', leg: '3', value: ' 8.5 ' },
      { action: 'remove', leg: '2' },
    ];
    for (const fields of changes) {
      const { status, headers, text } = await submit(await load(), fields);
      expect([status, String(headers.location).split('#')[1], text]).toEqual([303, 'saved', '']);
    }
    expect(await stored()).toMatchObject({
      version: 4,
      legs: [{ quantity: '2.5' }, { ticker: london, limitPrice: '8.5' }],
    });
    const { body } = await made.call('list_drafts', { draftId });
    expect(body.edits.slice(1)).toMatchObject([
      { version: 2, channel: 'page', edit: { kind: 'quantity', leg: 1, quantity: '2.5' } },
      { version: 3, channel: 'page', edit: { kind: 'limitPrice', leg: 3, limitPrice: '8.5' } },
      { version: 4, channel: 'page', edit: { kind: 'remove', leg: 2 } },
    ]);
    expect(posts(made)).toEqual([]);
  });

  test('reads once what was saved, and only of a version that an edit made', async () => {
    const { load, submit, send, path } = await draftPage([buy({ quantity: 3 }), sell()]);
    const done = await submit(await load(), quantity('2.5'));
    const [cookie = ''] = String(done.headers['set-cookie']).split(';');
    const shown = await send({ headers: { cookie } });
    expect(shown.text).toMatch(/id="saved"[^>]*>Order 1, BUY [^:]*: quantity 3 → <b>2\.5<\/b>, saved as version 2\.</);
    const [name = ''] = cookie.split('=');
    expect(shown.headers['set-cookie']?.[1]).toBe(`${name}=; Path=${path}; HttpOnly; SameSite=Strict; Max-Age=0`);
    for (const value of ['1', '3', '', '<b>'])
      expect((await send({ headers: { cookie: `${name}=${value}` } })).text).not.toContain('id="saved"');
    expect((await send()).text).not.toContain('id="saved"');
  });

  test('changes each of the thirty legs that a draft can have', { tags: ['slow'] }, async () => {
    const { load, submit, stored } = await draftPage(buys(30));
    const changes = [
      ['30', '0.5'],
      ['10', '0.4'],
      ['9', '0.3'],
    ] as const;
    for (const [leg, value] of changes) {
      const { status, headers } = await submit(await load(), quantity(value, leg));
      expect([status, String(headers.location).split('#')[1]]).toEqual([303, 'saved']);
    }
    const { legs } = await stored();
    expect(changes.map(([leg]) => legs[Number(leg) - 1]?.quantity)).toEqual(changes.map(([, value]) => value));
  });

  test('discards the draft, and the page has no form any more', { tags: ['slow'] }, async () => {
    const { load, submit, stored } = await draftPage([buy()]);
    const loaded = await load();
    expect((await submit(loaded, { action: 'discard' })).status).toBe(303);
    expect((await stored()).state).toBe('discarded');
    expect((await load()).text).not.toContain('<form');
    expect((await submit(loaded, quantity('0.5'))).status).toBe(409);
    expect((await stored()).version).toBe(1);
  });

  test('stops a submission: nothing more is sent, and the draft can be edited again', async () => {
    const { made, draftId, page, path, load, submit, stored } = await draftPage(buys(3));
    const loaded = await load();
    const { services } = made.composed;
    const context = { priority: 'place', deadlineAt: made.clock.now() + 50_000 } as const;
    await services.submissions.create({ draftId, version: 1 }, context);
    expect((await submit(loaded, quantity('0.5'))).status).toBe(409);
    expect((await submit(loaded, { action: 'remove', leg: '2' })).status).toBe(409);
    const open = await load();
    expect(open.text).not.toContain('name="value"');
    const polled = JSON.parse((await sendTo(`${page.origin}${path}/status`, {})).text);
    expect(polled.state).toBe(/data-state="([^"]*)"/.exec(open.text)?.[1]);
    expect((await submit(open, { action: 'stop' })).status).toBe(303);
    await services.submissions.tick();
    const { body } = await made.call('list_drafts', { draftId });
    expect(body).toMatchObject({ state: 'open', version: 1, submission: { outcome: 'stopped' } });
    // The same record as that of the approval page.
    expect(body.submission.reason).toBe('Stopped by a person, on the page.');
    expect(posts(made)).toEqual([]);
    expect((await submit(await load(), quantity('0.5'))).status).toBe(303);
    expect((await stored()).version).toBe(2);
  });

  test('reads after a stop which orders were placed, with their ids, and edits only those that were not sent', {
    tags: ['slow'],
  }, async () => {
    const made = await setup();
    made.simulator.faults.push({ endpoint: 'placeLimitOrder', after: 1, kind: 'status', status: 400 });
    const { draftId, body } = await submitDraft(made, buys(3));
    expect(outcomes(body)).toEqual(['placed', 'rejected', 'not_sent']);
    const { load } = await servePage(made, draftId);
    const { text, version } = await load();
    expect(version).toBe('2');
    expect(text).toContain(`<code>${body.legs[0].orderId}</code>`);
    expect(text.match(/<li class="order"/g)).toHaveLength(1);
  });
});

describe('the page shows', () => {
  test('the sums of the legs, and the cash before and after', { tags: ['slow'] }, async () => {
    const { made, draftId, load } = await draftPage([buy(), buy({ quantity: 2 }), sell()]);
    const { services } = made.composed;
    const context = { priority: 'read', deadlineAt: made.clock.now() + 20_000 } as const;
    const { totals, legs, weights } = await readDraftSheet(services.drafts, draftId, context);
    expect(weights).toBeUndefined();
    const charges = legs.reduce((sum, leg) => sum.plus(leg.charges ?? NaN), new Big(0));
    const sold = new Big(legs[2]?.ticket?.ticket.estimate.value ?? 0);
    const { body: account } = await made.call('get_account_summary');
    // Two limit orders of London, whose currency is the account's: 1 × 10 and 2 × 10.
    expect(totals).toMatchObject({ bought: '30.00', sold: sold.toFixed(2), charges: charges.toFixed(2) });
    expect(totals?.cash).toBe(account.cash.availableToTrade);
    const after = new Big(account.cash.availableToTrade).minus(30).plus(sold).minus(charges);
    expect(totals?.cashAfter).toBe(after.toFixed(2));
    expect((await load()).text.match(/<li class="order" id="leg-\d"/g)).toHaveLength(3);
  });

  test('a leg that a rule refuses now, with the rule', async () => {
    const { load } = await draftPage([sell({ quantity: 1_000_000 }), buy()]);
    const { text } = await load();
    expect(text.match(/class="caution bad"/g)).toHaveLength(1);
    expect(text).toContain('<a href="#leg-1">Order 1</a> is over the limit of ');
  });

  test('before, target and after of a rebalance, and after an edit what the smaller leg leaves', {
    tags: ['slow'],
  }, async () => {
    const made = await setup();
    const targets = [london, newYork].map((ticker) => ({ ticker, weightPercent: 50 }));
    const { body: plan } = await made.call('plan_orders', { goal: 'rebalance', targets });
    const column = (name: string) => plan.weights.columns.indexOf(name);
    const row = plan.weights.rows.find(
      (cells: string[]) => cells[column('ticker')] === plan.rows[0][plan.columns.indexOf('ticker')],
    );
    const read = (name: string) => new Big(row[column(name)]);
    const after = read('percentAfter');
    const { load, submit } = await servePage(made, plan.draftId);
    const weight = (part: Big) => ` → <b>${part.toFixed(1)}%</b>, target <b>50.0%</b></span>`;
    const first = await load();
    expect(first.text).toContain(weight(after));
    const half = new Big(plan.rows[0][plan.columns.indexOf('quantity')]).div(2);
    await submit(first, quantity(half.toFixed()));
    // Half of the order moves the value half of the way, in percent of the same value after the plan.
    const halfway = read('valueBefore').plus(read('valueAfter')).div(2);
    expect((await load()).text).toContain(weight(halfway.times(after).div(read('valueAfter'))));
  });

  test('no text of the model but the name, as text, in quotes, and at most once', async () => {
    const made = await setup();
    const reason = 'A REASON OF THE MODEL';
    const name = '<script>alert(1)</script><b>Approved "by" you';
    const { body } = await made.call('save_draft', { name, legs: [buy({ reason }), buy({ quantity: 2 })] });
    const { text } = await (await servePage(made, body.draftId)).load();
    expect(text).toContain('“<bdi>script alert(1) /script b Approved by you</bdi>”');
    expect(text).not.toContain(reason);
    expect(text.match(/<script>/g)).toHaveLength(1);
  });
});

test('a page reads the account as a read of a tool does, for 20 seconds, and stops when its server ends', async () => {
  const made = await setup();
  const { body } = await made.call('save_draft', { legs: [buy()] });
  const { directory } = made.composed.services;
  const read = directory.getOrThrow.bind(directory);
  const contexts: CallContext[] = [];
  const keep = (ticker: string, context: CallContext) => {
    contexts.push(context);
    return read(ticker, context);
  };
  const { page, load } = await servePage(made, body.draftId);
  Object.assign(directory, { getOrThrow: keep });
  const startedAt = made.clock.now();
  await load();
  const [{ priority, deadlineAt, signal } = {} as CallContext] = contexts;
  expect({ priority, deadlineAt }).toEqual({ priority: 'read', deadlineAt: startedAt + 20_000 });
  expect(signal?.aborted).toBe(false);
  await page.close();
  expect(signal?.aborted).toBe(true);
});

describe('the page refuses', () => {
  test('every change that is not smaller or stricter, and says why', async () => {
    const { load, submit, stored } = await draftPage([
      buy({ quantity: 3 }),
      sell({ type: 'LIMIT', limitPrice: 100, timeValidity: 'DAY' }),
    ]);
    const loaded = await load();
    const tampered = [
      quantity('3.0001'),
      quantity('3'),
      quantity('-1'),
      quantity('0x1'),
      { action: 'limitPrice', leg: '1', value: '10.01' },
      { action: 'limitPrice', leg: '2', value: '99' },
      { action: 'remove', leg: '9' },
    ];
    for (const fields of tampered) {
      const { status, text } = await submit(loaded, fields);
      expect([status, text.match(/role="alert"/g)?.length], JSON.stringify(fields)).toEqual([422, 1]);
    }
    const legs = [{ quantity: '3', limitPrice: '10' }, { limitPrice: '100' }];
    expect(await stored()).toMatchObject({ version: 1, legs });
  });

  test('an edit of a version that a tool replaced, and shows the new one', { tags: ['slow'] }, async () => {
    const { made, draftId, load, submit, stored } = await draftPage([buy({ quantity: 3 })]);
    const loaded = await load();
    await made.call('save_draft', { draftId, version: 1, legs: [buy({ quantity: 200 })] });
    const stale = await submit(loaded, quantity('2'));
    expect(stale.status).toBe(409);
    expect(stale.text).toContain('name="version" value="2"');
    expect(stale.text).toContain('<bdi>200</bdi>');
    // The token of the old page is worth nothing for the new version.
    expect((await submit({ ...loaded, version: '2' }, quantity('2'))).status).toBe(403);
    expect(await stored()).toMatchObject({ version: 2, legs: [{ quantity: '200' }] });
  });

  test('forms of other pages, other origins and other sessions', async () => {
    const { page, load, submit, send, stored } = await draftPage([buy({ quantity: 3 })]);
    const loaded = await load();
    const edit = quantity('2');
    const forged = [
      await submit({ ...loaded, csrf: 'x'.repeat(43) }, edit),
      await submit(loaded, edit, { without: ['cookie'] }),
      await submit(loaded, edit, { headers: { cookie: `${loaded.cookie.split('=')[0]}=other` } }),
      await submit(loaded, edit, { headers: { origin: 'http://evil.example' } }),
      await submit(loaded, edit, { headers: { origin: 'null' } }),
      await submit(loaded, edit, { without: ['origin'] }),
      await submit(loaded, edit, { headers: { 'sec-fetch-site': 'cross-site' } }),
      await submit(loaded, edit, { headers: { 'sec-fetch-site': 'same-site' } }),
      await submit(loaded, edit, { headers: { 'content-type': 'text/plain' } }),
      await submit(loaded, edit, { headers: { host: 'evil.example' } }),
    ];
    expect(forged.map(({ status }) => status)).toEqual(forged.map(() => 403));
    expect((await send({ headers: { host: `localhost:${new URL(page.origin).port}` } })).status).toBe(403);
    expect((await submit(loaded, { ...edit, padding: 'x'.repeat(5_000) })).status).toBe(413);
    expect((await submit(loaded, { action: 'submit' })).status).toBe(400);
    const put = await send({ method: 'PUT' });
    expect([put.status, put.headers.allow]).toEqual([405, 'GET, HEAD, POST']);
    expect(put.text).toContain('You can view a draft, and make it smaller or stricter.');
    expect((await stored()).version).toBe(1);
  });

  test('a draft of another account or environment, also for a form that was loaded before', async () => {
    const { place, load, submit, send, path, page, stored } = await draftPage([buy({ quantity: 3 })]);
    const loaded = await load();
    for (const other of [{ environment: 'live' }, { accountKey: async () => 'another account' }]) {
      Object.assign(place, other);
      const answers = [
        await send(),
        await submit(loaded, quantity('2')),
        await submit(loaded, { action: 'stop' }),
        await submit(loaded, { action: 'discard' }),
      ];
      expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404]);
      expect((await send({ url: `${page.origin}${path}/status` })).status).toBe(404);
      for (const name of Object.keys(other)) delete place[name as keyof typeof place];
    }
    expect(await stored()).toMatchObject({ state: 'open', version: 1 });
  });
});

describe('the address', () => {
  test('is random and works in the first browser only, until its time is over', async () => {
    const { made, page } = await draftPage([buy()]);
    const address = page.createAddress();
    expect(address).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/open\/[\w-]{32}$/);
    expect((await sendTo(address, { headers: { 'sec-purpose': 'prefetch' } })).status).toBe(503);
    const first = await sendTo(address, {});
    expect([first.status, first.headers.location]).toEqual([303, expect.stringMatching(/^\/draft\/[\w-]{32}$/)]);
    const second = await sendTo(address, {});
    expect([second.status, second.headers.location]).toEqual([410, undefined]);
    expect(second.text).toContain('press Ctrl+C in the terminal, and run the command again.');
    const cookie = String(first.headers['set-cookie']?.[0]).split(';')[0] ?? '';
    expect((await sendTo(address, { headers: { cookie } })).status).toBe(303);
    const [inTime, late] = [page.createAddress(), page.createAddress()];
    await made.clock.sleep(lifeMs - 1);
    expect((await sendTo(inTime, {})).status).toBe(303);
    await made.clock.sleep(1);
    expect((await sendTo(late, {})).status).toBe(410);
    expect((await sendTo(`${page.origin}/draft/${'x'.repeat(32)}`, {})).status).toBe(404);
  });

  test('serves pages that no other page can frame, load or read', async () => {
    const { send, page, path } = await draftPage([buy()]);
    const { headers, text } = await send();
    expect(String(headers['set-cookie'])).toMatch(
      new RegExp(`^draft-${new URL(page.origin).port}=[\\w-]{43}; Path=${path}; HttpOnly; SameSite=Strict$`),
    );
    const style = /<style>([\s\S]*)<\/style>/.exec(text)?.[1] ?? '';
    const hash = createHash('sha256').update(style).digest('base64');
    expect(headers['content-security-policy']).toContain(`default-src 'none'; style-src 'sha256-${hash}';`);
    expect(headers).toMatchObject({
      'cache-control': 'no-store',
      'x-frame-options': 'DENY',
      'cross-origin-resource-policy': 'same-origin',
      'x-content-type-options': 'nosniff',
    });
    expect(text).not.toMatch(/(?:src|href)="(?:https?:)?\/\//);
    const url = `${page.origin}${path}/status`;
    expect((await send({ url, headers: { 'sec-fetch-site': 'cross-site' } })).status).toBe(403);
    const state = /data-state="([^"]*)"/.exec(text)?.[1];
    expect(JSON.parse((await send({ url })).text)).toEqual({ state, message: '', secondsLeft: 0, done: false });
  });
});

test('Stop after the last order was placed says that it came too late', async () => {
  const { made, draftId, load, submit } = await draftPage([buy()]);
  const loaded = await load();
  await made.call('submit_draft', { draftId, version: 1 });
  const late = await submit(loaded, { action: 'stop' });
  expect(late.text).toContain('All orders had been placed before you pressed Stop.');
});

test('a report of its script is logged; one for another handle is not', async () => {
  const { page, path, load } = await draftPage([buy()]);
  const { cookie } = await load();
  const report = (to: string) =>
    sendForm(`${page.origin}${to}/fault`, cookie, { code: 'TypeError', name: 'poll', place: '89:7' });
  expect((await report(`${path}x`)).status).toBe(404);
  expect(takeLog()).toEqual([]);
  expect((await report(path)).status).toBe(204);
  expect(takeLog()).toMatchObject([{ event: 'fault', place: 'poll (src/core/approval/page/page-script.ts)' }]);
});

test('a fault does not say whether the change was made, and is logged without its message', async () => {
  const { place, load, submit } = await draftPage([buy({ quantity: 3 })]);
  const loaded = await load();
  Object.assign(place, { accountKey: () => Promise.reject(new Error('A SECRET')) });
  const failed = await submit(loaded, quantity('2'));
  expect(failed.status).toBe(500);
  expect(failed.text).toContain('Your change may or may not have been saved.');
  const logged = takeLog();
  expect(logged).toMatchObject([{ event: 'fault', task: 'an approval page', code: 'Error' }]);
  expect(JSON.stringify([failed, logged])).not.toContain('A SECRET');
});
