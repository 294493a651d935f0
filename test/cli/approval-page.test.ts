/** A live order in a browser from start to end: the built server, its own page, the passphrase, the broker. */
// @module-tag process
// @module-tag slow
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import type { Browser } from 'playwright-core';
import { expect, onTestFinished } from 'vitest';
import { createSecurity } from '../../src/core/approval/enrollment/enrollment.ts';
import { systemClock } from '../../src/core/clock.ts';
import { startSimulator } from '../../src/simulator/index.ts';
import { browserTests } from '../core/approval/page/chromium.ts';
import { sendTo } from '../core/approval/page/support.ts';
import { openStateStore } from '../support/state-store.ts';

const passphrase = 'a passphrase of the owner';
let browser: Browser;
const inBrowser = browserTests((launched) => {
  browser = launched;
});

async function enrol(stateDir: string): Promise<void> {
  const store = openStateStore(stateDir);
  await createSecurity(store.journal as never, systemClock).enrol({ passphrase, approval: 'page', limits: {} });
  await store.close();
}

/** A live server, and an order of a host that waits at the address. */
async function waitingServer(more: (stateDir: string) => Record<string, string> = () => ({})) {
  const credentials = { key: 'page-key', secret: 'page-secret' };
  const simulator = await startSimulator({ clock: systemClock, credentials, instrumentCount: 200 });
  simulator.inject.setPrice('QNOON_GB_EQ', 12);
  const stateDir = await mkdtemp(join(tmpdir(), 'brokerage-mcp-page-'));
  await enrol(stateDir);
  const client = new Client({ name: 'host', version: '1' });
  const env = {
    // A display without a program that opens it: the call waits for a person, and no window appears.
    DISPLAY: ':0',
    PATH: '/no-browser',
    HOME: stateDir,
    BROKER_STATE_DIR: stateDir,
    BROKER_ENV: 'live',
    BROKER_LIVE_BASE_URL: simulator.origin,
    BROKER_API_KEY: credentials.key,
    BROKER_API_SECRET: credentials.secret,
    BROKER_LIVE_TRADING: 'true',
    ...more(stateDir),
  };
  await client.connect(new StdioClientTransport({ command: process.execPath, args: ['dist/brokerage-mcp.cjs'], env }));
  onTestFinished(async () => {
    await client.close();
    await simulator.close();
    await rm(stateDir, { recursive: true, force: true });
  });
  let tellAddress: (address: string) => void = () => undefined;
  const address = new Promise<string>((resolve) => {
    tellAddress = resolve;
  });
  const args = { ticker: 'QNOON_GB_EQ', side: 'BUY', quantity: 2, limitPrice: 11.5, timeValidity: 'DAY' };
  const answer = client
    .callTool(
      { name: 'place_limit_order', arguments: args },
      {
        onprogress: ({ message = '' }) => /http:\S+/.exec(message) && tellAddress(/http:\S+/.exec(message)?.[0] ?? ''),
      },
    )
    // biome-ignore lint/suspicious/noExplicitAny: an answer of a tool.
    .then(({ structuredContent }) => structuredContent as any);
  const posts = () => simulator.log.filter(({ endpoint }) => String(endpoint).startsWith('place')).length;
  return { address: await address, stateDir, answer, posts };
}

async function openTab(address: string) {
  const tab = await browser.newPage({ viewport: { width: 800, height: 900 } });
  onTestFinished(() => tab.close());
  await tab.goto(address);
  return tab;
}

inBrowser(
  'a live order leaves by the passphrase, typed at an address that one browser can open and reload',
  async () => {
    const { address, stateDir, answer, posts } = await waitingServer((folder) => {
      // Takes the place of the system's own opener, and records its arguments as any program could read them.
      writeFileSync(
        join(folder, 'xdg-open'),
        '#!/bin/sh\nprintf %s "$*" > "$HOME/part"\nmv "$HOME/part" "$HOME/opened"\n',
      );
      chmodSync(join(folder, 'xdg-open'), 0o755);
      return { DISPLAY: ':0', PATH: `${folder}:${process.env.PATH}` };
    });
    await expect.poll(() => existsSync(join(stateDir, 'opened')), { timeout: 20_000 }).toBe(true);
    const opened = readFileSync(join(stateDir, 'opened'), 'utf8');
    const handle = new URL(address).pathname.split('/').at(-1) ?? '';
    expect(opened).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/open\/[\w-]{32}$/);
    expect(opened).not.toContain(handle);

    const tab = await openTab(opened);
    const other = await sendTo(opened, {});
    expect([other.status, other.headers.location]).toEqual([410, undefined]);
    await tab.reload();
    await tab.goto(opened);
    expect(await tab.getByRole('heading', { level: 1 }).textContent()).toBe('BUY 2 × Noonvik Utilities plc QNOON');
    await tab.getByLabel('Passphrase').fill('not the passphrase');
    await tab.keyboard.press('Enter');
    await tab.getByRole('alert').waitFor();
    expect(posts()).toBe(0);
    await systemClock.sleep(2_100);
    await tab.getByLabel('Passphrase').fill(passphrase);
    await tab.keyboard.press('Enter');
    await tab.getByText('The broker accepted the order').waitFor();
    expect(await answer).toMatchObject({ outcome: 'placed', orderId: expect.stringMatching(/^\d+$/) });
    expect(posts()).toBe(1);
  },
);

inBrowser(
  'a live order that its human rejects on the page is declined, and nothing leaves',
  { tags: ['slow'] },
  async () => {
    const { address, answer, posts } = await waitingServer();
    const tab = await openTab(address);
    // The focus is on Reject, so this one key is enough.
    await tab.keyboard.press('Enter');
    await tab.getByText('rejected the order').waitFor();
    expect(await answer).toMatchObject({ outcome: 'declined' });
    expect(posts()).toBe(0);
  },
);
