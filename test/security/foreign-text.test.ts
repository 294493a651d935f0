/** A service (or the author of an instrument name) that writes a false order into the texts of a true one. */
// @module-tag server
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { request } from 'undici';
import { expect, onTestFinished, test } from 'vitest';
import { ticketText } from '../../src/core/approval/ticket-text.ts';
import { sendTo } from '../core/approval/page/support.ts';
import { attack, expectNothingLeft, type HostOptions, order, type Side } from './support.ts';

const spoof = `Apple · LIMIT, limit 1.00 USD, DAY · At worst 1.16 GBP | Valid: DAY\nType the quantity to approve.${' '.repeat(900)}`;
const shownName = 'Apple LIMIT limit 1.00 USD DAY At worst 1.16 GBP Valid DAY Type the quantity to approve.';

/** The service of the attack, which changes every text of the ordered instrument and of the account on the way. */
async function attackWith(instrument: object, account: object, options: { form: boolean }) {
  let upstream = '';
  const server = createServer(async (asked, response) => {
    const pieces: Buffer[] = [];
    for await (const piece of asked) pieces.push(piece as Buffer);
    const headers = { authorization: asked.headers.authorization, 'content-type': asked.headers['content-type'] };
    const answer = await request(upstream + asked.url, {
      method: asked.method as 'GET',
      headers: Object.fromEntries(Object.entries(headers).filter(([, value]) => value !== undefined)) as never,
      body: pieces.length > 0 ? Buffer.concat(pieces) : null,
    });
    const text = await answer.body.text();
    const change = (row: { ticker?: string }) => (row.ticker === order.ticker ? { ...row, ...instrument } : row);
    const body = asked.url?.includes('metadata/instruments')
      ? JSON.stringify(JSON.parse(text).map(change))
      : asked.url?.includes('account/summary')
        ? JSON.stringify({ ...JSON.parse(text), ...account })
        : text;
    const { 'content-length': _, 'transfer-encoding': __, connection: ___, ...others } = answer.headers;
    response.writeHead(answer.statusCode, others as Record<string, string>).end(body);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  const host: HostOptions = { can: options.form ? { form: {} } : { url: {} } };
  const attacked = await attack({
    ...host,
    enrolled: { approval: options.form ? 'elicitation' : 'page' },
    config: { baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}` },
  });
  upstream = attacked.simulator.origin;
  return attacked;
}

const facts = [
  'LIVE',
  'Order: BUY 2 × QNOON_GB_EQ',
  'Type: Limit: at the limit price or better',
  'Limit price: 11.50 GBP',
  'Worst case: 23.46 GBP, with 2.0% for charges and exchange',
  'Valid: Today only',
  'Estimated cost: 23.00 GBP',
];

test('a false name neither changes nor displaces the facts of a form, whose one field is the quantity', async () => {
  const attacked = await attackWith({ name: spoof }, {}, { form: true });
  const { inputRequests } = await attacked.call('place_limit_order', order);
  const { message, requestedSchema } = inputRequests.approval.params;
  const parts = String(message).split('\n');
  expect(parts.slice(0, facts.length)).toEqual(facts);
  const end = parts.indexOf('Type the quantity to approve');
  expect(parts.slice(end + 1).map((part) => part.split(':')[0])).toEqual(['ISIN', 'Kind', 'Currency', 'Name']);
  expect(parts.at(-1)).toBe(`Name: “${shownName}”`);
  expect(parts.filter((part) => part.startsWith('Worst case'))).toEqual([facts[4]]);
  expect(Object.keys(requestedSchema.properties)).toEqual(['confirmQuantity']);
});

test('a false name comes last and short on the page, on the terminal and in the result', async () => {
  const attacked = await attackWith({ name: spoof }, {}, { form: false });
  const asked = await attacked.call('place_limit_order', order);
  const address = asked.inputRequests.approval.params.url;
  const { text } = await sendTo(address, {});
  const words = text.replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ');
  const inOrder = ['BUY', 'Type Limit', 'Limit price', 'Worst case', 'Valid', 'Of the account', 'Pending', shownName];
  const places = inOrder.map((part) => words.indexOf(part, words.indexOf('<main')));
  expect(places).toEqual([...places].sort((a, b) => a - b));
  expect(places.every((place) => place > 0)).toBe(true);
  expect(words.split('1.16 GBP').length).toBe(2);
  // Neither the heading nor the title of the window has any of it.
  expect(/<h1>([\s\S]*?)<\/h1>/.exec(text)?.[1]).toMatch(/BUY[\s\S]*>2<[\s\S]*>QNOON</);
  for (const part of [/<title>[\s\S]*?<\/title>/, /<h1>[\s\S]*?<\/h1>/])
    expect(part.exec(text)?.[0]).not.toMatch(/Apple|LIMIT|1\.00/);

  const [view] = await attacked.composed.services.approvals.waiting();
  if (!view) throw new Error('No order waits.');
  const lines = ticketText(view, String)
    .split('\n')
    .map((line) => line.trim().replace(/ {2,}/, ': '));
  expect(lines.slice(1, facts.length)).toEqual(facts.slice(1));
  expect(lines.slice(-4).map((line) => line.split(':')[0])).toEqual(['ISIN', 'Kind', 'Currency', 'Name']);
  expect(lines.at(-1)).toBe(`Name: “${shownName}”`);
  expect(view.ticket.instrument.name).toBe(shownName);
});

/** Two orders of the instrument, as one draft. */
async function submitDraft(attacked: Side) {
  const leg = { type: 'LIMIT', ...order };
  const { draftId } = await attacked.call('save_draft', { legs: [leg, { ...leg, quantity: 3 }] });
  return attacked.call('submit_draft', { draftId, version: 1 });
}

test('a false name comes after all facts in the form of a draft', async () => {
  const attacked = await attackWith({ name: spoof }, {}, { form: true });
  const { message } = (await submitDraft(attacked)).inputRequests.approval.params;
  const parts = String(message).split('\n');
  const last = parts.indexOf('Type the number of orders and the total to approve');
  expect(parts.slice(1, 3)).toEqual([
    '1: BUY 2 × QNOON_GB_EQ LIMIT limit 11.5 GBP at worst 23.46 DAY',
    '2: BUY 3 × QNOON_GB_EQ LIMIT limit 11.5 GBP at worst 35.19 DAY',
  ]);
  const names = parts.slice(last + 1);
  expect(names).toHaveLength(2);
  expect(names.every((part) => part.startsWith('QNOON_GB_EQ, ') && part.endsWith(`, “${shownName}”`))).toBe(true);
  expect(parts.slice(0, last + 1).join()).not.toContain('Apple');
});

test('a name with markup stays text on the page of a draft', async () => {
  const name = '<img src=x onerror=alert(1)><form action=//evil.example>';
  const attacked = await attackWith({ name }, {}, { form: false });
  const address = (await submitDraft(attacked)).inputRequests.approval.params.url;
  const { text } = await sendTo(address, {});
  expect(text).not.toMatch(/<img|<form action/);
  expect(text.match(/<form /g)).toHaveLength(2);
});

test('an invalid currency, ISIN or type is shown as unknown', async () => {
  const evil = '1.00 USD · At worst 1.16';
  const attacked = await attackWith(
    { isin: evil, type: 'STOCK', currencyCode: evil },
    { currency: evil },
    { form: true },
  );
  await attacked.enrol({ approval: 'page', limits: {} });
  const host = await attacked.host({ can: { url: {} } });
  await host.call('place_limit_order', order);
  const [view] = await attacked.composed.services.approvals.waiting();
  expect(view?.ticket.instrument).toMatchObject({ type: 'STOCK' });
  expect(JSON.stringify(view)).not.toContain('1.16');
});

test.each(['QNOON · LIMIT 1.00', 'QNOON\nLIMIT', 'Q'.repeat(41), 'QNOON|X', 'QNОON_GB_EQ\u200b'])(
  'an instrument whose ticker is %j cannot be ordered',
  async (ticker) => {
    const attacked = await attackWith({ ticker }, {}, { form: true });
    const answer = await attacked.call('place_limit_order', { ...order, ticker: ticker.trim() });
    expect(['invalid_argument', 'unknown_ticker']).toContain(answer.code);
    expect(await attacked.intents()).toEqual([]);
    await expectNothingLeft(attacked);
  },
);
