/** The page of a draft in a real browser, served by a live server. */
// @module-tag process
// @module-tag slow
import type { Browser } from 'playwright-core';
import { expect } from 'vitest';
import { browserTests } from '../../../core/approval/page/chromium.ts';
import { carryOn, leg, quantities, waitingDraft } from '../../../security/draft-support.ts';
import { noteLook, notePress } from '../../../security/recording.ts';
import { attack, passphrase, roomy } from '../../../security/support.ts';

let browser: Browser;
const inBrowser = browserTests((launched) => {
  browser = launched;
});

inBrowser(
  'a person on a phone sees the field for the passphrase while reading 12 orders, and approves once',
  async () => {
    const attacked = await attack({ enrolled: { limits: roomy } });
    const many = Array.from({ length: 12 }, (_, at) => leg({ quantity: 1, limitPrice: 11 + at / 100 }));
    const waiting = await waitingDraft(attacked, many);
    const context = await browser.newContext({ viewport: { width: 360, height: 740 } });
    const tab = await context.newPage();
    const shown = { text: (await (await tab.goto(waiting.address))?.text()) ?? '' };
    noteLook(waiting.address, shown);
    await tab.locator('#reject-button:focus').waitFor();
    expect(await tab.evaluate('scrollY')).toBe(0);
    expect(await tab.evaluate('document.documentElement.scrollWidth')).toBe(360);
    expect(await tab.locator('.order').count()).toBe(12);
    expect(await tab.getByText('When drafted').first().isVisible()).toBe(false);
    await tab.locator('#leg-12 summary').click();
    await tab.locator('#leg-12').getByText('When drafted').waitFor();
    await tab.locator('#leg-12').getByText('When drafted').scrollIntoViewIfNeeded();
    expect(await tab.evaluate('scrollY')).toBeGreaterThan(500);
    expect(await tab.getByLabel('Passphrase').isVisible()).toBe(true);
    expect(await tab.evaluate("document.getElementById('passphrase').getBoundingClientRect().bottom")).toBeLessThan(
      740,
    );
    await tab.getByLabel('Passphrase').fill(passphrase);
    expect(await tab.locator('#left').isVisible()).toBe(true);
    notePress(waiting.address, shown, { action: 'approve' }, passphrase);
    await tab.keyboard.press('Enter');
    await tab.getByRole('heading', { name: 'Being sent' }).waitFor();
    expect(await tab.getByRole('button').allTextContents()).toEqual(['Stop']);
    expect(await carryOn(attacked, waiting)).toBe('done');
    await tab.getByRole('heading', { name: 'All orders placed' }).waitFor();
    expect(quantities(attacked)).toHaveLength(12);
    expect(await tab.locator('.became').allTextContents()).toSatisfy((results: string[]) =>
      results.every((result) => result.startsWith('Placed')),
    );
    await context.close();
  },
);
