/** A real browser for the tests, when this machine has one. */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { type Browser, type BrowserContextOptions, chromium } from 'playwright-core';
import { expect, onTestFinished } from 'vitest';
import type { TicketView } from '../../../src/orders/approval-port.ts';
import { setup } from './support.ts';

export function findChromium(): string | undefined {
  const { CHROMIUM_PATH: chosen } = process.env;
  if (chosen) return existsSync(chosen) ? chosen : undefined;
  if (existsSync('/usr/bin/chromium')) return '/usr/bin/chromium';
  try {
    return execFileSync('which', ['chromium'], { encoding: 'utf8' }).trim() || undefined;
  } catch {
    return undefined;
  }
}

export const launch = (executablePath: string): Promise<Browser> =>
  chromium.launch({ executablePath, args: ['--no-sandbox'] });

/** A ticket in a tab of its own. The test fails when the browser complains about anything but an error status. */
export async function openTicket(browser: Browser, view?: TicketView, options: BrowserContextOptions = {}) {
  const served = await setup(view);
  const context = await browser.newContext({ viewport: { width: 800, height: 900 }, ...options });
  const tab = await context.newPage();
  const complaints: string[] = [];
  tab.on('console', (message) => {
    if (message.type() === 'error' && !/status of 4(03|04|29)/.test(message.text())) complaints.push(message.text());
  });
  tab.on('pageerror', (error) => complaints.push(error.message));
  onTestFinished(async () => {
    await context.close();
    expect(complaints).toEqual([]);
  });
  await tab.goto(served.address);
  // The focus comes with the first picture, a moment after the page; a key pressed before it would go elsewhere.
  if ((await tab.locator('[autofocus]').count()) > 0) await tab.locator('[autofocus]:focus').waitFor();
  return { ...served, tab, context };
}
