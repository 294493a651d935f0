/** A real browser for the tests, when this machine has one. */
import { AsyncLocalStorage } from 'node:async_hooks';
import { type Browser, type BrowserContextOptions, chromium } from 'playwright-core';
import { afterAll, beforeAll, expect, onTestFinished, type TestOptions, test } from 'vitest';
import type { TicketView } from '../../../../src/core/orders/intent/approval-port.ts';
import { findChromium } from '../../../support/find-chromium.ts';
import { skipTest } from '../../../support/skip.ts';
import { setup } from './support.ts';

/** The storages that playwright has used. */
const storages = new Set<AsyncLocalStorage<unknown>>();
const { run } = AsyncLocalStorage.prototype;
AsyncLocalStorage.prototype.run = function (this: AsyncLocalStorage<unknown>, ...args: unknown[]) {
  storages.add(this);
  return Reflect.apply(run, this, args);
};

/** While one is in use, Node 20 follows every promise of the process, and later files of the worker take a tenth longer. */
function stopFollowingPromises(): void {
  for (const storage of storages) storage.disable();
}

/**
 * A `test` for tests in a browser; `keep` receives the browser before the first of them. Where none starts, each test
 * is skipped.
 */
export function browserTests(keep: (browser: Browser) => void) {
  let browser: Browser | undefined;
  let missing = 'no chromium on this machine';
  beforeAll(async () => {
    const executablePath = findChromium();
    if (!executablePath) return;
    try {
      browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
      keep(browser);
    } catch (error) {
      missing = `chromium does not start on this machine: ${firstLineOf(error)}`;
    }
  });
  afterAll(async () => {
    await browser?.close();
    stopFollowingPromises();
  });
  function inBrowser(title: string, work: () => Promise<void>): void;
  function inBrowser(title: string, options: TestOptions, work: () => Promise<void>): void;
  function inBrowser(title: string, ...rest: [() => Promise<void>] | [TestOptions, () => Promise<void>]): void {
    const [options, work] = rest.length === 1 ? [{}, rest[0]] : rest;
    test(title, options, () => (browser ? work() : skipTest(missing)));
  }
  return inBrowser;
}

const firstLineOf = (error: unknown): string => String(error).split('\n')[0] ?? '';

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
  // The focus arrives with the first frame, a moment after the page; an earlier key press would go elsewhere.
  if ((await tab.locator('[autofocus]').count()) > 0) await tab.locator('[autofocus]:focus').waitFor();
  return { ...served, tab, context };
}
