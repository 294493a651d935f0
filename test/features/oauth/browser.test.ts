/** The login in a real browser: its policy, cookie and origin let the owner through, and a frame of another page does not. */
// @module-tag process
// @module-tag slow
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser } from 'playwright-core';
import { expect, onTestFinished } from 'vitest';
import { browserTests } from '../../core/approval/page/chromium.ts';
import { createPkce, startWorld } from '../../security/oauth-support.ts';
import { passphrase } from '../../security/support.ts';

let browser: Browser;
const inBrowser = browserTests((launched) => {
  browser = launched;
});

/** The program of a client, which receives the browser after the login. */
async function startProgram(page = 'You can close this page.') {
  const visits: URL[] = [];
  const server = createServer((request, response) => {
    visits.push(new URL(request.url ?? '', 'http://127.0.0.1'));
    response.writeHead(200, { 'content-type': 'text/html' }).end(page);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, visits };
}

inBrowser('the owner types the passphrase, also after a wrong one, and the browser returns to the client', async () => {
  const world = await startWorld();
  const program = await startProgram();
  const client = await world.newClient({ redirect_uris: [`${program.origin}/callback`] });
  const pkce = createPkce();
  const context = await browser.newContext({ javaScriptEnabled: false, viewport: { width: 320, height: 700 } });
  onTestFinished(() => context.close());
  const page = await context.newPage();
  await page.goto(`${world.origin}/oauth/authorize?${world.query(client, pkce)}`);
  expect(await page.locator('h1').innerText()).toBe('Connect Chat?');
  expect(await page.locator('.place-name').innerText()).toBe('127.0.0.1');
  await page.getByLabel('Place, cancel and change orders').check();
  await page.getByLabel('Passphrase').fill('wrong');
  await page.getByRole('button', { name: 'Connect' }).click();
  await page.getByText('The passphrase is wrong.').waitFor();
  // The box that was ticked stays ticked.
  expect(await page.getByLabel('Place, cancel and change orders').isChecked()).toBe(true);
  await world.clock.advance(2_000);
  await page.getByLabel('Passphrase').fill(passphrase);
  await page.getByRole('button', { name: 'Connect' }).click();
  await page.waitForURL(`${program.origin}/callback?*`);
  const [visit] = program.visits;
  expect(visit?.searchParams.get('iss')).toBe(world.origin);
  const code = visit?.searchParams.get('code') ?? '';
  const { json } = await world.exchange(client, { code, code_verifier: pkce.verifier });
  expect(json.scope).toBe('read draft trade');
});

inBrowser('a window that a client opens for the login can tell the client that it is done', async () => {
  const world = await startWorld();
  const program = await startProgram('<script>opener?.postMessage(location.search, location.origin)</script>');
  const client = await world.newClient({ redirect_uris: [`${program.origin}/callback`] });
  const page = await browser.newPage();
  onTestFinished(() => page.close());
  await page.goto(program.origin);
  const address = `${world.origin}/oauth/authorize?${world.query(client, createPkce())}`;
  // `undefined` is the value of the script: otherwise the call would wait for the message.
  await page.evaluate("said = new Promise((done) => addEventListener('message', ({ data }) => done(data))); undefined");
  const [popup] = await Promise.all([page.waitForEvent('popup'), page.evaluate(`open('${address}'); undefined`)]);
  await popup.getByLabel('Passphrase').fill(passphrase);
  await popup.getByRole('button', { name: 'Connect' }).click();
  const said = new URLSearchParams(String(await page.evaluate('said')));
  expect(said.get('code')).toMatch(/^[\w-]{43}$/);
});

inBrowser('no page is wider than the screen of a phone, and each field has a name', async () => {
  const world = await startWorld();
  const client = await world.newClient({ client_name: 'A client with a name that is as long as a name can be here' });
  const page = await browser.newPage({ viewport: { width: 320, height: 700 } });
  onTestFinished(() => page.close());
  await page.goto(`${world.origin}/oauth/authorize?${world.query(client, createPkce())}`);
  const overflow = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
  expect(await page.evaluate(overflow)).toBe(0);
  expect(await page.getByRole('checkbox').count()).toBe(2);
  await page.goto(`${world.origin}/oauth/authorize`);
  expect(await page.locator('h1').innerText()).toBe('This client is unknown');
});

inBrowser('clickjacking: a frame of another page shows nothing of the login', async () => {
  const world = await startWorld();
  const client = await world.newClient();
  const address = `${world.origin}/oauth/authorize?${world.query(client, createPkce())}`;
  const evil = await startProgram(`<iframe src="${address.replaceAll('&', '&amp;')}"></iframe>`);
  const page = await browser.newPage();
  onTestFinished(() => page.close());
  await page.goto(evil.origin);
  const [, frame] = page.frames();
  await frame?.waitForLoadState();
  expect(await frame?.locator('input').count()).toBe(0);
});

inBrowser('another origin: a page that sends the form with its own fields is refused', async () => {
  const world = await startWorld();
  const client = await world.newClient();
  const form = await world.openLogin(world.query(client, createPkce()));
  const fields = Object.entries({ ...form.fields, passphrase, action: 'connect' })
    .map(([name, value]) => `<input name="${name}" value="${value.replaceAll('&', '&amp;')}">`)
    .join('');
  const evil = await startProgram(
    `<form method="post" action="${world.origin}/oauth/authorize">${fields}<button>x</button></form>`,
  );
  const page = await browser.newPage();
  onTestFinished(() => page.close());
  await page.goto(evil.origin);
  await page.getByRole('button').click();
  await page.getByText('The form is out of date').waitFor();
  expect(await world.composed.grants.read((tx) => tx.listGrants())).toEqual([]);
});
