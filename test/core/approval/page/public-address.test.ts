/** The page under the public name of its owner: what a proxy passes on, as a browser elsewhere sends it. */
// @module-tag server
import { createServer } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { startApprovalPage } from '../../../../src/core/approval/page/serve-page.ts';
import { findFreePort } from '../../../support/free-port.ts';
import { createManualClock } from '../../../support/manual-clock.ts';
import { handle, passphrase, sendTo, setup, startAt } from './support.ts';

const origin = 'https://approve.example.com';
const host = 'approve.example.com';

/** A public page, and the address at which its proxy reaches it. */
async function setupPublic() {
  const port = await findFreePort();
  const served = await setup(undefined, undefined, { origin, port });
  const local = `http://127.0.0.1:${port}/approve/${handle}`;
  const open = async (headers: Record<string, string> = { host }) => {
    const { status, headers: received, text } = await sendTo(local, { headers });
    const field = (name: string) => new RegExp(`name="${name}" value="([^"]*)"`).exec(text)?.[1] ?? '';
    const cookies = [received['set-cookie'] ?? []].flat();
    return { status, cookies, cookie: cookies[0]?.split(';')[0] ?? '', csrf: field('csrf'), digest: field('digest') };
  };
  const approve = async (headers: Record<string, string>) => {
    const { cookie, csrf, digest } = await open();
    return sendTo(local, {
      method: 'POST',
      body: new URLSearchParams({ action: 'approve', csrf, digest, passphrase }).toString(),
      headers: { 'content-type': 'application/x-www-form-urlencoded', cookie, ...headers },
    });
  };
  return { ...served, local, port, open, approve };
}

test('the address of a ticket is public, and the address for the browser of this machine is not', async () => {
  const { page, port } = await setupPublic();
  expect(page.getUrl(handle)).toBe(`${origin}/approve/${handle}`);
  expect(new URL(page.createOneTimeUrl(handle)).origin).toBe(`http://127.0.0.1:${port}`);
});

test.each([
  ['the public name', () => ({ host, origin })],
  ['this machine', (port: number) => ({ origin: `http://127.0.0.1:${port}`, host: `127.0.0.1:${port}` })],
])('the passphrase approves under %s', async (_, headersFor) => {
  const { approve, approvals, port } = await setupPublic();
  expect((await approve(headersFor(port))).status).toBe(303);
  expect(approvals.calls).toMatchObject([{ approve: { passphrase, digest: 'digest-1', channel: 'page' } }]);
});

test.each([
  ['the public name, from this machine', { host }, (here: string) => `http://${here}`],
  ['this machine, from the public name', {}, () => origin],
  ['the public name, from the same name without TLS', { host }, () => `http://${host}`],
  ['the public name, from another name of its domain', { host }, () => 'https://example.com'],
  ['the public name with a port, from the public name', { host: `${host}:8443` }, () => origin],
  ['another name, from that name', { host: 'evil.example' }, () => 'https://evil.example'],
])('a form to %s decides nothing', async (_, to, from) => {
  const { approve, approvals, port } = await setupPublic();
  const here = `127.0.0.1:${port}`;
  expect((await approve({ host: here, ...to, origin: from(here) })).status).toBe(403);
  expect(approvals.calls).toEqual([]);
});

test('a cookie of the public name is for TLS alone, and keeps its other bounds', async () => {
  const { open } = await setupPublic();
  const bounds = `; Path=/approve/${handle}; HttpOnly; SameSite=Strict`;
  const ends = async (headers?: Record<string, string>) =>
    (await open(headers)).cookies.map((text) => text.slice(text.indexOf(';')));
  expect(await ends()).toEqual([`${bounds}; Secure`]);
  expect(await ends({})).toEqual([bounds]);
});

test('where another program has the port, the page is for this machine alone', async () => {
  const port = await findFreePort();
  const other = createServer().listen(port, '127.0.0.1');
  onTestFinished(() => void other.close());
  const page = await startApprovalPage({
    subjects: [],
    clock: createManualClock({ startAt }),
    publicPage: { origin, port },
  });
  onTestFinished(() => page.close());
  expect(page.origin).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  expect(new URL(page.origin).port).not.toBe(String(port));
  expect((await sendTo(`${page.origin}/approve/${handle}`, { headers: { host } })).status).toBe(403);
});
