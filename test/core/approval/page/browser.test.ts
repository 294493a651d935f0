/** The page in a real browser: what a person sees, types and hears. */
// @module-tag process
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser } from 'playwright-core';
import { expect, onTestFinished } from 'vitest';
import { type LogLine, takeLog } from '../../../support/faults.ts';
import { browserTests, openTicket } from './chromium.ts';
import { limitBuy, passphrase, viewOf } from './support.ts';

let browser: Browser;
const inBrowser = browserTests((launched) => {
  browser = launched;
});

/** Waits until the server has logged something, and returns it. */
async function nextFault() {
  let logged: readonly LogLine[] = [];
  const look = () => {
    logged = takeLog();
    return logged.length;
  };
  await expect.poll(look, { interval: 25 }).toBeGreaterThan(0);
  return logged;
}

const focused = (tab: { evaluate<T>(work: () => T): Promise<T> }) =>
  tab.evaluate(() => {
    const element = (globalThis as unknown as { document: { activeElement: { id: string; textContent: string } } })
      .document.activeElement;
    return element.id || element.textContent.trim();
  });

inBrowser('the focus is on Reject when the page opens, and the ticket is read from its top', async () => {
  const { tab } = await openTicket(browser, undefined, { viewport: { width: 320, height: 256 } });
  expect(await focused(tab)).toBe('reject-button');
  expect(await tab.evaluate('scrollY')).toBe(0);
});

inBrowser('a page that is drawn before its script arrives is read from its top, too', { tags: ['slow'] }, async () => {
  const { tab, context } = await openTicket(browser, undefined, { viewport: { width: 320, height: 256 } });
  const response = await context.request.get(tab.url());
  const [start = '', end = ''] = (await response.text()).split(/(?=<script>)/);
  const policy = response.headers()['content-security-policy'] ?? '';
  const slow = createServer((_, answer) => {
    answer.writeHead(200, { 'content-type': 'text/html', 'content-security-policy': policy }).write(start);
    setTimeout(() => answer.end(end), 500);
  });
  slow.listen(0, '127.0.0.1');
  onTestFinished(() => void slow.close());
  await once(slow, 'listening');
  await tab.goto(`http://127.0.0.1:${(slow.address() as AddressInfo).port}/`);
  expect(await focused(tab)).toBe('reject-button');
  expect(await tab.evaluate('scrollY')).toBe(0);
});

inBrowser('Enter at the start rejects', async () => {
  const { tab, approvals } = await openTicket(browser);
  await tab.keyboard.press('Enter');
  await tab.getByRole('heading', { name: 'Rejected' }).waitFor();
  expect(approvals.calls).toEqual([{ reject: { intentId: 'intent-1', channel: 'page' } }]);
  expect(await tab.locator('form').count()).toBe(0);
  expect(await focused(tab)).toBe('outcome');
});

inBrowser('the passphrase and Enter approve, and the outcome appears automatically', async () => {
  const { tab, approvals } = await openTicket(browser);
  await tab.getByLabel('Passphrase').fill(passphrase);
  await tab.keyboard.press('Enter');
  await tab.getByRole('heading', { name: 'Approved' }).waitFor();
  expect(approvals.calls).toMatchObject([{ approve: { passphrase, digest: 'digest-1', channel: 'page' } }]);
  approvals.current = viewOf(limitBuy, { state: 'SENDING', secondsLeft: 0, message: 'The order is being sent.' });
  await tab.getByRole('heading', { name: 'Being sent' }).waitFor();
  approvals.current = viewOf(limitBuy, { state: 'PLACED', secondsLeft: 0, message: 'Placed.', orderId: '4711' });
  await tab.getByRole('heading', { name: 'Placed' }).waitFor();
  expect(await tab.getByText('Order id 4711').isVisible()).toBe(true);
  expect(tab.url()).not.toContain('?');
});

inBrowser('when the order is over, the page stops polling', { tags: ['slow'] }, async () => {
  const { tab, approvals } = await openTicket(browser, viewOf(limitBuy, { state: 'DECLINED', secondsLeft: 0 }));
  const { looks } = approvals;
  await tab.waitForTimeout(2500);
  expect(approvals.looks).toBe(looks);
});

inBrowser('a wrong passphrase is reported where the focus is, and the ticket stays', async () => {
  const { tab, approvals } = await openTicket(browser);
  await tab.getByLabel('Passphrase').fill('wrong');
  await tab.getByRole('button', { name: 'Approve and buy' }).click();
  const alert = tab.getByRole('alert');
  await alert.waitFor();
  expect(await alert.textContent()).toBe(
    'The passphrase is wrong. 4 attempts are left. Wait 2 seconds before the next one.',
  );
  expect(await focused(tab)).toBe('alert');
  expect(await tab.getByRole('heading', { level: 1 }).textContent()).toContain('Brambleford Group plc');
  expect(await tab.getByLabel('Passphrase').inputValue()).toBe('');
  // A second request decides nothing: the page continues from there.
  await tab.getByLabel('Passphrase').fill(passphrase);
  await tab.keyboard.press('Enter');
  await tab.getByRole('heading', { name: 'Approved' }).waitFor();
  expect(approvals.calls).toHaveLength(2);
});

inBrowser('on a phone, a wrong passphrase leaves the environment, the order and its form in sight', async () => {
  const { tab } = await openTicket(browser, undefined, { viewport: { width: 360, height: 740 } });
  await tab.getByLabel('Passphrase').fill('wrong');
  await tab.keyboard.press('Enter');
  await tab.getByRole('alert').waitFor();
  expect(await focused(tab)).toBe('alert');
  expect(await tab.evaluate('scrollY')).toBe(0);
  const top = await tab.evaluate<number>("document.querySelector('.decision').getBoundingClientRect().top");
  for (const shown of [tab.getByText('LIVE'), tab.locator('h1'), tab.getByRole('alert'), tab.getByText('£890.63')]) {
    const box = await shown.boundingBox();
    expect((box?.y ?? 740) + (box?.height ?? 0)).toBeLessThanOrEqual(top);
  }
  expect(await tab.getByLabel('Passphrase').isVisible()).toBe(true);
});

inBrowser('on a phone, the warnings and the cost are in sight beside the decision, and LIVE stays', async () => {
  const warnings = ['The market is closed. It opens today 14:30.', 'The limit is 12% above the last price.'];
  const { tab } = await openTicket(browser, viewOf({ ...limitBuy, warnings }), {
    viewport: { width: 360, height: 740 },
  });
  const top = await tab.evaluate<number>("document.querySelector('.decision').getBoundingClientRect().top");
  for (const text of [...warnings, '£890.63']) {
    const box = await tab.getByText(text).boundingBox();
    expect([text, (box?.y ?? 740) + (box?.height ?? 0) <= top]).toEqual([text, true]);
  }
  await tab.evaluate('scrollTo(0, 9999)');
  expect(await tab.evaluate("document.querySelector('.banner').getBoundingClientRect().top")).toBe(0);
});

inBrowser('after a wrong passphrase too, a decision taken elsewhere is shown', { tags: ['slow'] }, async () => {
  const { tab, approvals } = await openTicket(browser);
  await tab.getByLabel('Passphrase').fill('wrong');
  await tab.keyboard.press('Enter');
  await tab.getByRole('alert').waitFor();
  approvals.current = viewOf(limitBuy, { state: 'EXPIRED', secondsLeft: 0, message: 'It ran out.' });
  await tab.getByRole('heading', { name: 'Expired' }).waitFor();
  expect(approvals.calls).toHaveLength(1);
});

inBrowser('the seconds count down, are announced rarely, and the form ends with them', { tags: ['slow'] }, async () => {
  const { tab, approvals } = await openTicket(browser, viewOf(limitBuy, { secondsLeft: 25 }));
  const left = tab.locator('#left');
  const spoken = tab.locator('#moments');
  // However long the page took to open.
  expect(await left.textContent()).toMatch(/^(2\d|1[1-9]) seconds$/);
  expect(await spoken.textContent()).toBe('');
  approvals.current = viewOf(limitBuy, { secondsLeft: 10 });
  await tab.getByText('10 seconds left', { exact: true }).first().waitFor();
  expect(await spoken.textContent()).toBe('10 seconds left');
  approvals.current = viewOf(limitBuy, { secondsLeft: 2 });
  await expect.poll(() => left.textContent()).toMatch(/^[12] seconds?$/);
  expect(await spoken.textContent()).toBe('10 seconds left');
  approvals.current = viewOf(limitBuy, { secondsLeft: 0 });
  await tab.getByRole('heading', { name: 'Expired' }).waitFor();
  expect(await tab.locator('form').count()).toBe(0);
});

inBrowser('typed text stays while the page polls', { tags: ['slow'] }, async () => {
  const { tab, approvals } = await openTicket(browser);
  await tab.getByLabel('Passphrase').pressSequentially('half a pass');
  const { looks } = approvals;
  await expect.poll(() => approvals.looks).toBeGreaterThan(looks + 1);
  expect(await tab.getByLabel('Passphrase').inputValue()).toBe('half a pass');
  expect(await focused(tab)).toBe('passphrase');
});

inBrowser(
  'the keyboard goes from Reject to the passphrase to Approve, and back; an empty passphrase is not sent',
  async () => {
    const { tab, approvals } = await openTicket(browser);
    const order = [await focused(tab)];
    for (let step = 0; step < 2; step++) {
      await tab.keyboard.press('Tab');
      order.push(await focused(tab));
    }
    expect(order).toEqual(['reject-button', 'passphrase', 'Approve and buy']);
    await tab.keyboard.press('Enter');
    await tab.waitForTimeout(300);
    expect(approvals.calls).toEqual([]);
    expect(await focused(tab)).toBe('passphrase');
    await tab.keyboard.press('Tab');
    await tab.keyboard.press('Shift+Tab');
    expect(await focused(tab)).toBe('passphrase');
  },
);

inBrowser('a double click approves once', async () => {
  const { tab, approvals } = await openTicket(browser);
  await tab.getByLabel('Passphrase').fill(passphrase);
  await tab.getByRole('button', { name: 'Approve and buy' }).dblclick();
  await tab.getByRole('heading', { name: 'Approved' }).waitFor();
  expect(approvals.current.state).toBe('APPROVED');
  expect(await tab.getByRole('alert').count()).toBe(0);
});

inBrowser('a page of another origin can neither submit a decision nor read the ticket', async () => {
  const { tab, page, address, approvals, open } = await openTicket(browser);
  const { csrf, digest } = await open();
  const other = await openTicket(browser);
  expect(other.page.origin).not.toBe(page.origin);
  // The browser itself complains of what is tried here.
  other.tab.removeAllListeners('console');
  // The policy of that other page forbids scripts, so a page without one takes its place.
  await other.tab.route('**/attack', (route) => route.fulfill({ contentType: 'text/html', body: '<p>Attack</p>' }));
  await other.tab.goto(`${other.page.origin}/attack`);
  const outcome = await other.tab
    .evaluate(`(async () => {
    const read = await fetch('${address}', { credentials: 'include' }).then((r) => r.text(), () => 'refused');
    const body = new URLSearchParams({ action: 'reject', csrf: '${csrf}', digest: '${digest}' });
    await fetch('${address}', { method: 'POST', mode: 'no-cors', credentials: 'include', body }).catch(() => 0);
    return read;
  })()`)
    .catch(String);
  expect(outcome).toBe('refused');
  await other.tab.evaluate(`(() => {
    document.body.innerHTML = '<form method="post" action="${address}"><input name="action" value="reject">' +
      '<input name="csrf" value="${csrf}"><input name="digest" value="${digest}"></form>';
    document.querySelector('form').submit();
  })()`);
  await other.tab.getByRole('heading', { name: 'Another page sent this form' }).waitFor();
  expect(approvals.calls).toEqual([]);
  expect(await tab.locator('form').count()).toBe(2);
});

const failed = 'A part of this page failed, so what it shows may be old. Reload it to see the present state.';

inBrowser(
  'when the page’s script throws, the page says that it may be old, and the log has each fault once',
  { tags: ['slow'] },
  async () => {
    const { tab, approvals } = await openTicket(browser);
    tab.removeAllListeners('pageerror');
    let thrown = 0;
    tab.on('pageerror', () => thrown++);
    // The countdown throws four times a second.
    await tab.evaluate("document.getElementById('bar').remove()");
    await expect.poll(() => thrown, { interval: 25 }).toBeGreaterThan(1);
    expect(await tab.getByText(failed).count()).toBe(1);
    const faults = [await nextFault()];
    await tab.getByRole('button', { name: 'Reject' }).click();
    await tab.getByRole('heading', { name: 'Rejected' }).waitFor();
    expect(approvals.calls).toEqual([{ reject: { intentId: 'intent-1', channel: 'page' } }]);
    // The outcome has no form, and its policy sends no referrer.
    await tab.evaluate("void Promise.reject(new RangeError('planted 890.63'))");
    await tab.getByText(failed).waitFor();
    faults.push(await nextFault());
    const known = {
      level: 'error',
      event: 'fault',
      task: 'the script of a page',
      message: 'The script of the page threw.',
    };
    expect(faults).toMatchObject([
      [{ ...known, code: 'TypeError', place: 'count (src/core/approval/page/page-script.ts)' }],
      [{ ...known, code: 'RangeError', place: 'script (src/core/approval/page/page-script.ts)' }],
    ]);
    expect(takeLog()).toEqual([]);
  },
);

inBrowser(
  'without JavaScript both buttons work, and the outcome page reloads automatically',
  { tags: ['slow'] },
  async () => {
    const { tab, approvals } = await openTicket(browser, undefined, { javaScriptEnabled: false });
    expect(await tab.getByRole('link', { name: 'Reload to see the seconds left.' }).isVisible()).toBe(true);
    await tab.getByLabel('Passphrase').fill('wrong');
    await tab.keyboard.press('Enter');
    await tab.locator('#alert:focus').waitFor();
    await tab.getByLabel('Passphrase').fill(passphrase);
    await tab.keyboard.press('Enter');
    await tab.getByRole('heading', { name: 'Approved' }).waitFor();
    approvals.current = viewOf(limitBuy, { state: 'PLACED', secondsLeft: 0, message: 'Placed.' });
    await tab.getByRole('heading', { name: 'Placed' }).waitFor();

    const second = await openTicket(browser, undefined, { javaScriptEnabled: false });
    await second.tab.keyboard.press('Enter');
    await second.tab.getByRole('heading', { name: 'Rejected' }).waitFor();
  },
);

inBrowser('the page shows when the program has ended', { tags: ['slow'] }, async () => {
  const { tab, page } = await openTicket(browser);
  tab.removeAllListeners('console');
  await page.close();
  await tab.getByText('The server does not respond.').waitFor();
});

inBrowser('light and dark follow the reader’s choice', { tags: ['slow'] }, async () => {
  const ground = 'getComputedStyle(document.body).backgroundColor';
  const { tab } = await openTicket(browser);
  for (const [colorScheme, colour] of [
    ['light', 'rgb(243, 244, 246)'],
    ['dark', 'rgb(15, 18, 22)'],
  ] as const) {
    await tab.emulateMedia({ colorScheme });
    expect(await tab.evaluate(ground)).toBe(colour);
  }
});

const longTicket = {
  ...limitBuy,
  isRepetition: true,
  order: {
    ...limitBuy.order,
    ticker: 'AVERYLONGTICKERWITHOUTANYBREAKINITATALL_US_EQ',
    quantity: '1234567890.123456789',
  },
  instrument: { ...limitBuy.instrument, name: 'N'.repeat(140), isin: 'X'.repeat(40) },
  estimate: { ...limitBuy.estimate, value: '123456789012345678.12', worst: '123456789012345678901.12' },
  pendingOnTicker: [
    {
      side: 'SELL',
      type: 'STOP_LIMIT',
      quantity: '1234567890.123456789',
      limitPrice: '1234567890.12345',
      stopPrice: '1234567890.12345',
    },
  ],
  warnings: ['W'.repeat(120)],
};
inBrowser(
  'nothing needs horizontal scrolling from 320 to 1200 pixels, long words included',
  { tags: ['slow'] },
  async () => {
    for (const ticket of [limitBuy, longTicket]) {
      const { tab } = await openTicket(browser, viewOf(ticket));
      for (const width of [320, 375, 576, 800, 992, 1200]) {
        await tab.setViewportSize({ width, height: 700 });
        expect([width, await tab.evaluate('document.documentElement.scrollWidth')]).toEqual([width, width]);
        for (const name of ['Reject', /^Approve and/]) {
          const box = await tab.getByRole('button', { name }).boundingBox();
          expect(box?.height, 'large enough for a finger').toBeGreaterThanOrEqual(44);
          expect((box?.y ?? 0) + (box?.height ?? 0), `in sight at once, ${width} wide`).toBeLessThanOrEqual(700);
        }
      }
    }
  },
);

inBrowser('no fact is alone in its row on a wide page', async () => {
  const { tab } = await openTicket(browser);
  await tab.setViewportSize({ width: 800, height: 800 });
  const tops: number[] = await tab.evaluate(
    "[...document.querySelectorAll('.lesser > div')].map((one) => one.getBoundingClientRect().top)",
  );
  // The worst case, how long it is valid, the part of the account and the position.
  expect(tops).toHaveLength(4);
  expect(new Set(tops).size).toBe(1);
});

inBrowser('a phone shows that orders are pending above the decision', async () => {
  const { tab } = await openTicket(browser);
  await tab.setViewportSize({ width: 360, height: 740 });
  const hint = await tab.getByText('2 pending orders on it').boundingBox();
  const bar = await tab.getByRole('region', { name: 'Your decision' }).boundingBox();
  expect((hint?.y ?? 0) + (hint?.height ?? 0)).toBeLessThan(bar?.y ?? 0);
});

inBrowser('a screen reader finds landmarks, headings and names', { tags: ['slow'] }, async () => {
  const { tab } = await openTicket(browser, viewOf({ ...limitBuy, isRepetition: true, warnings: ['CLOSED.'] }));
  const tree = await tab.locator('body').ariaSnapshot();
  for (const part of [
    '- banner:',
    '- strong: LIVE',
    '- main:',
    '- heading "BUY 1,250 × Brambleford Group plc QBRAM" [level=1]',
    '- strong: SECOND IDENTICAL ORDER',
    '- list "Warning":',
    '- region "Cost":',
    '- region "Instrument":',
    '- region "Pending orders on QBRAM":',
    '- table "2 orders":',
    '- columnheader "Quantity"',
    '- rowheader "SELL"',
    '- region "Your decision":',
    '- button "Reject"',
    '- textbox "Passphrase"',
    '- button "Approve and buy"',
  ])
    expect(tree).toContain(part);
  expect(await tab.title()).toBe('Approve? BUY 1,250 × Brambleford Group plc, LIVE');
  expect(await tab.locator('html').getAttribute('lang')).toBe('en');
});
