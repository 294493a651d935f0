/** The page of a draft in a real browser. */
// @module-tag process
// @module-tag slow
import type { Browser } from 'playwright-core';
import { expect, onTestFinished } from 'vitest';
import { browserTests } from '../../../core/approval/page/chromium.ts';
import { setup } from '../../../support/setup.ts';
import { buys, posts } from '../submission/support.ts';
import { servePage } from './draft-support.ts';

let browser: Browser;
const inBrowser = browserTests((launched) => {
  browser = launched;
});

inBrowser('a person lowers a quantity, cannot raise one, removes a leg, and stops what is being sent', async () => {
  const made = await setup();
  const { body } = await made.call('save_draft', { legs: buys(4) });
  const { page, stored } = await servePage(made, body.draftId);
  const tab = await browser.newPage({ viewport: { width: 360, height: 800 } });
  const complaints: string[] = [];
  tab.on('pageerror', (error) => complaints.push(error.message));
  tab.on('console', (message) => {
    if (message.type() === 'error' && !/status of 422/.test(message.text())) complaints.push(message.text());
  });
  onTestFinished(() => tab.close());
  await tab.goto(page.createAddress());

  const leg = (number: number) => tab.locator(`#leg-${number}`);
  const open = (number: number) => leg(number).locator('summary').first().click();
  await open(2);
  await leg(2).getByText('Change or remove').click();
  await leg(2).getByLabel('Quantity').fill('5');
  await tab.keyboard.press('Enter');
  await tab.getByRole('alert').waitFor();
  expect((await stored()).version).toBe(1);

  await open(2);
  await leg(2).getByText('Change or remove').click();
  await leg(2).getByLabel('Quantity').fill('1.5');
  await leg(2).getByRole('button', { name: 'Lower' }).first().click();
  await leg(2).getByRole('heading', { name: 'BUY 1.5' }).waitFor();
  expect(tab.url()).toMatch(/#saved$/);
  // Focused, so that a screen reader reads it where the page has jumped to.
  const saved = tab.locator('#saved:focus');
  await saved.waitFor();
  expect(await leg(2).locator('#saved').textContent()).toMatch(/quantity 2 → 1\.5, saved as version 2\.$/);

  await open(4);
  await leg(4).getByText('Change or remove').click();
  await leg(4).getByRole('button', { name: 'Remove order 4' }).click();
  await saved.getByText('Order 4 removed').waitFor();
  expect(tab.url()).toMatch(/#saved$/);
  expect((await stored()).legs.map(({ quantity }) => quantity)).toEqual(['1', '1.5', '3']);

  // A page with fields does not load itself again, because it would lose what was typed.
  const { services } = made.composed;
  const context = { priority: 'place', deadlineAt: made.clock.now() + 50_000 } as const;
  const submitted = await services.submissions.create({ draftId: body.draftId, version: 3 }, context);
  expect(submitted.kind).toBe('new');
  await tab.getByRole('link', { name: 'Load it again' }).click();
  await tab.getByRole('button', { name: 'Stop' }).click();
  await tab.getByRole('heading', { name: 'Stopped' }).waitFor();
  await services.submissions.tick();
  expect(posts(made)).toEqual([]);
  expect(await tab.evaluate('document.documentElement.scrollWidth')).toBe(360);
  expect(complaints).toEqual([]);
});
