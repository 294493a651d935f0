/** The views in a real browser, inside a host: what a person sees, and what a keyboard reaches. */
// @module-tag process
// @module-tag slow
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import type { Browser, Frame } from 'playwright-core';
import { beforeAll, expect } from 'vitest';
import { formatErrorText } from '../../../src/core/mcp/tool-result.ts';
import { buildReportPage } from '../../../src/features/views/report-page.ts';
import { buildTaxPackPage } from '../../../src/features/views/tax-pack-page.ts';
import { browserTests } from '../../core/approval/page/chromium.ts';
import {
  dividends,
  gains,
  type HoldingRow,
  holdings,
  hostile,
  plan,
  portfolio,
  portfolioOf,
  savedReport,
  ticket,
} from './answers.ts';
import { buildViews, findSource, plantFault, resultOf, showView, until, type ViewName } from './fake-host.ts';

let browser: Browser;
const inBrowser = browserTests((launched) => {
  browser = launched;
});
let views: Record<ViewName, string>;

beforeAll(async () => {
  views = await buildViews();
});

const marks = (frame: Frame) => frame.locator('[data-mark]:visible');
const overflow = (frame: Frame) =>
  frame.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth');
const focused = (frame: Frame): Promise<string> =>
  frame.evaluate("document.activeElement.getAttribute('aria-label') ?? document.activeElement.tagName");

for (const [name, body, count, rows, tags] of [
  ['allocation', portfolioOf(holdings.slice(0, 6)), 6, 6, []],
  ['profit-loss', portfolio, 10, 10, ['slow']],
  ['dividends', dividends, 18, 18, ['slow']],
  ['gains', gains, 0, 9, ['slow']],
  ['draft', plan, 6, 10, []],
  ['ticket', ticket, 0, 0, []],
] as const) {
  const work = async () => {
    const { frame, page, heard } = await showView(browser, views[name], resultOf(body));
    await frame.locator(`#${name}`).waitFor();
    for (const width of [800, 480, 320]) {
      await page.setViewportSize({ width, height: 700 });
      await until(frame, `innerWidth === ${width}`);
      expect(await marks(frame).count()).toBe(count);
      expect(await frame.locator('tbody tr').count()).toBe(rows);
      // Also with the tables open.
      await frame.evaluate("for (const part of document.querySelectorAll('details')) part.open = true");
      expect(await overflow(frame)).toBe(0);
    }
    await until(frame, 'document.documentElement.getBoundingClientRect().height <= innerHeight + 1');
    expect((await heard()).filter(({ method }) => method === 'ui/notifications/size-changed')).not.toHaveLength(0);
  };
  inBrowser(`${name}: is fully visible at 320, 480 and 800 pixels, and reports its height`, { tags: [...tags] }, work);
}

inBrowser('on a phone an amount is on the first line of its order, and a long name is whole', async () => {
  const name = 'Sterling Government Bond 0-5 Year UCITS ETF Hedged to the Pound Sterling, Distributing Share Class';
  const answer = { ...plan, names: { QBRAMl_EQ: name, GEQWl_EQ: 'Global Equity Fund' } };
  const { frame } = await showView(browser, views.draft, resultOf(answer), { width: 360 });
  await frame.locator('#draft').waitFor();
  const rows = await frame.evaluate(`[...document.querySelectorAll('.orders > li')].map((row) => {
    const [name, amount, terms] = ['.name', '.worth b', 'div > .soft'].map((part) => row.querySelector(part).getBoundingClientRect());
    const end = row.getBoundingClientRect().right;
    return [Math.abs(name.top - amount.top) < 4, amount.right === end, name.right <= amount.left, Math.round(name.height / 20.3), Math.round(end - terms.right)];
  })`);
  // The terms have the width of the amount too.
  expect(rows).toEqual([
    [true, true, true, 1, 0],
    [true, true, true, 2, 0],
    [true, true, true, 1, 0],
    [true, true, true, 5, 0],
  ]);
});

inBrowser('on a phone the command that approves a draft is on one line', { tags: ['slow'] }, async () => {
  const submission = { draftId: plan.draftId, version: 1, outcome: 'pending_approval', approval: { method: 'page' } };
  const answer = { ...plan, state: 'pending_approval', submission };
  const { frame } = await showView(browser, views.draft, resultOf(answer), { width: 360 });
  await frame.locator('.state .command').waitFor();
  const lines =
    "new Set([...document.querySelectorAll('.state .command span')].map(({ offsetTop }) => offsetTop)).size";
  expect(await frame.evaluate(lines)).toBe(1);
  expect(await overflow(frame)).toBe(0);
});

inBrowser('five hundred positions appear in one drawing', { tags: ['slow'] }, async () => {
  const rows = Array.from(
    { length: 500 },
    (_, index): HoldingRow => [
      `T${index}_US_EQ`,
      `Name ${index}`,
      String(1 + ((index * 37) % 900)),
      '0.20',
      '100.00',
      '1.00',
      '1.00',
      '0.00',
    ],
  );
  const { frame } = await showView(browser, views.allocation, resultOf(portfolioOf(rows)), { width: 320 });
  await frame.locator('#allocation').waitFor();
  // The largest have a row, the next are listed, and all of them are in the table.
  expect(await marks(frame).count()).toBe(30);
  expect(await frame.locator('tbody tr').count()).toBe(500);
  expect(await overflow(frame)).toBe(0);
});

inBrowser(
  'Tab stops once in a drawing, arrows go from mark to mark, and the line below describes each',
  { tags: ['slow'] },
  async () => {
    const { frame, page } = await showView(browser, views.allocation, resultOf(portfolio));
    await frame.locator('#allocation').waitFor();
    await frame.locator('body').click({ position: { x: 2, y: 2 } });
    await page.keyboard.press('Tab');
    expect(await focused(frame)).toBe('SUMMARY');
    await page.keyboard.press('Tab');
    expect(await focused(frame)).toMatch(/^Global Equity Fund/);
    const ring = () => frame.evaluate("getComputedStyle(document.activeElement.querySelector('.hit')).strokeWidth");
    expect(await ring()).toBe('3px');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowDown');
    expect(await focused(frame)).toMatch(/^Orrin Semiconductor/);
    expect(await frame.locator('.readout').textContent()).toBe(await focused(frame));
    await page.keyboard.press('End');
    expect(await focused(frame)).toMatch(/^Niva Robotics/);
    await page.keyboard.press('ArrowRight');
    expect(await focused(frame)).toMatch(/^Niva Robotics/);
    await page.keyboard.press('Tab');
    expect(await focused(frame)).toBe('SUMMARY');
    await page.keyboard.press('Shift+Tab');
    expect(await focused(frame)).toMatch(/^Niva Robotics/);
    await frame.locator('[data-mark]:visible').first().hover();
    expect(await frame.locator('.readout').textContent()).toMatch(/^Global Equity Fund/);
  },
);

inBrowser(
  'a table is sorted from the keyboard, numbers as numbers, and announces the order',
  { tags: ['slow'] },
  async () => {
    const { frame, page } = await showView(browser, views.gains, resultOf(gains));
    await frame.getByText('Sale by sale (5)').click();
    const table = frame.getByRole('table', { name: '5 sales, the newest first' });
    const head = table.getByRole('columnheader', { name: 'Gain or loss' });
    const column = () => table.locator('tbody td:nth-child(5)').allTextContents();
    await head.getByRole('button').focus();
    await page.keyboard.press('Enter');
    const falling = ['+£437.71', '+£374.59', '£0.00', '−£192.20', '−£224.38'];
    expect(await column()).toEqual(falling);
    expect(await head.getAttribute('aria-sort')).toBe('descending');
    await page.keyboard.press('Space');
    expect(await column()).toEqual([...falling].reverse());
    expect(await head.getAttribute('aria-sort')).toBe('ascending');
    await table.getByRole('button', { name: 'Sale' }).press('Enter');
    expect(await table.locator('tbody th').first().getAttribute('data-key')).toBe('HLDN');
    // The sums stay below the rows.
    expect(await table.locator('tr').last().locator('th').textContent()).toBe('All 5 sales');
    expect(await head.getAttribute('aria-sort')).toBeNull();
  },
);

inBrowser('the host’s theme and language take precedence over those of the browser', { tags: ['slow'] }, async () => {
  const { frame, post } = await showView(browser, views.allocation, resultOf(portfolio), {
    colorScheme: 'dark',
    context: {},
  });
  const paper = () => frame.evaluate('getComputedStyle(document.body).backgroundColor');
  await frame.locator('#allocation').waitFor();
  expect(await paper()).toBe('rgb(20, 23, 27)');
  const change = (params: object) => post({ method: 'ui/notifications/host-context-changed', params });
  await change({ theme: 'light', locale: 'de-DE', timeZone: 'Europe/Berlin' });
  await frame.getByText('40.058,02\u00a0£').waitFor();
  expect(await paper()).toBe('rgb(255, 255, 255)');
  expect(await frame.locator('.head .soft').textContent()).toContain('10:30');
  await change({ theme: 'dark', locale: 'no such language', timeZone: 'Nowhere/At_All' });
  await until(frame, "getComputedStyle(document.body).backgroundColor === 'rgb(20, 23, 27)'");
  expect(await frame.locator('#allocation').count()).toBe(1);
});

inBrowser(
  'before an answer it waits, and a cancelled call, errors, strange answers and nothing are said in words',
  { tags: ['slow'] },
  async () => {
    const { frame, post } = await showView(browser, views.dividends, undefined);
    await frame.getByText('Waiting for the result…').waitFor();
    await post({ method: 'ui/notifications/tool-cancelled', params: { reason: 'user action' } });
    await frame.getByText('The call was cancelled: user action').waitFor();
    const hand = (params: object) => post({ method: 'ui/notifications/tool-result', params });
    const error = { code: 'rate_limited', message: 'Too many requests.', next: 'Try again in 10 seconds.' };
    await hand({ isError: true, content: [{ type: 'text', text: formatErrorText(error) }] });
    await frame.getByRole('alert').waitFor();
    expect(await frame.getByRole('alert').textContent()).toContain('Too many requests.');
    // For the caller.
    expect(await frame.getByText('Try again in 10 seconds.').count()).toBe(0);
    await hand(resultOf({ env: 'demo', hello: 'there' }));
    await frame.getByText('contains nothing that can be drawn').waitFor();
    await hand(resultOf({ ...dividends, rows: [], projection: undefined, complete: true }));
    await frame.getByText('No dividends so far.').waitFor();
    // Only text: some hosts strip structuredContent.
    await hand({ content: resultOf(dividends).content });
    await marks(frame).first().waitFor();
    expect(await marks(frame).count()).toBe(18);
  },
);

inBrowser('a name that is markup is shown as text and does not run', async () => {
  const evil = portfolioOf([[hostile, hostile, '5.00', '100', '4.00', '1.00', '25', '0'], ...holdings], {
    note: hostile,
  });
  const { frame } = await showView(browser, views.allocation, resultOf(evil));
  await frame.locator('.notes').waitFor();
  expect(await frame.locator('.notes li').textContent()).toBe(hostile);
  expect(await frame.locator('tbody th').first().textContent()).toBe(hostile);
  expect(await frame.locator('img, main script').count()).toBe(0);
});

inBrowser('the view speaks the protocol with its host only', async () => {
  const { frame, page, post, heard } = await showView(browser, views.ticket, resultOf(ticket));
  await frame.locator('#ticket').waitFor();
  const [hello] = await heard();
  expect(hello).toMatchObject({
    method: 'ui/initialize',
    params: { protocolVersion: '2026-01-26', appInfo: { name: 'brokerage-mcp-ticket' } },
  });
  await post({ id: 'a', method: 'ping' });
  await post({ id: 'b', method: 'ui/resource-teardown', params: { reason: 'over' } });
  await post({ id: 'c', method: 'tools/list' });
  await until(page, "heard.some(({ id }) => id === 'c')");
  const answers = (await heard()).filter(({ id }) => typeof id === 'string');
  expect(answers).toMatchObject([
    { id: 'a', result: {} },
    { id: 'b', result: {} },
    { id: 'c', error: { code: -32601 } },
  ]);

  // Another frame of the host's page posts a result of its own.
  const forged = resultOf({ ...ticket, outcome: 'placed', message: 'Forged.' });
  await page.evaluate(`new Promise((resolve) => {
    const other = document.createElement('iframe');
    other.srcdoc = '<script>parent.frames[0].postMessage(' + ${JSON.stringify(JSON.stringify({ jsonrpc: '2.0', method: 'ui/notifications/tool-result', params: forged }))} + ', "*"); parent.postMessage({ id: "sent" }, "*")<\\/script>';
    document.body.append(other);
    addEventListener('message', ({ data }) => data.id === 'sent' && resolve());
  })`);
  await post({ id: 'after', method: 'ping' });
  await until(page, "heard.some(({ id }) => id === 'after')");
  expect(await frame.getByText('Forged.').count()).toBe(0);
  expect(await frame.locator('#ticket').count()).toBe(1);
});

inBrowser('the ticket counts down and then shows that it has expired', { tags: ['slow'] }, async () => {
  const now = Date.now();
  const waiting = {
    ...ticket,
    asOf: new Date(now).toISOString(),
    approval: { ...ticket.approval, expiresAt: new Date(now + 5_000).toISOString() },
  };
  const { frame } = await showView(browser, views.ticket, resultOf(waiting));
  await frame.getByText('Waiting for approval').waitFor();
  await frame.locator('#clock').evaluate((clock) => clock.setAttribute('data-first', clock.textContent ?? ''));
  await until(frame, "(({ dataset, textContent }) => textContent < dataset.first)(document.getElementById('clock'))");
  await frame.getByText('Approval expired').waitFor();
  expect(await frame.locator('#clock').count()).toBe(0);
  expect(await frame.locator('button, a, input').count()).toBe(0);
});

const notDrawn = 'AllocationThis view could not be drawn. The text in the chat has the same figures.';

/** A view of which a test expects that it throws, and the faults that its host heard of. */
async function showFaulty(html: string, result: object) {
  const shown = await showView(browser, html, result);
  shown.page.removeAllListeners('pageerror');
  const said = () => shown.frame.locator('main').textContent();
  const faults = async () =>
    (await shown.heard()).flatMap(({ method, params }) => (method === 'notifications/message' ? [params] : []));
  return { ...shown, said, faults };
}

const { address } = ticket.approval;
const waiting = { draftId: plan.draftId, version: 1, outcome: 'pending_approval', approval: { address } };
for (const [name, answer] of [
  ['ticket', { ...ticket, asOf: undefined, approval: { ...ticket.approval, expiresAt: '2999-01-01T00:00:00Z' } }],
  ['draft', { ...plan, state: 'pending_approval', submission: waiting }],
] as const)
  inBrowser(`a click on the address of a ${name} asks the host to open it, and a script cannot`, async () => {
    const { frame, heard } = await showView(browser, views[name], resultOf(answer));
    const link = frame.getByRole('link');
    await link.waitFor();
    const opened = async () => (await heard()).filter(({ method }) => method === 'ui/open-link');
    await frame.evaluate("document.querySelector('a').click()");
    await link.click();
    await expect
      .poll(opened)
      .toEqual([{ jsonrpc: '2.0', id: 'link', method: 'ui/open-link', params: { url: address } }]);
    expect(await frame.locator(`#${name}`).count()).toBe(1);
  });

inBrowser('the file of a document is opened by the host, which may decline, and its path is copied', async () => {
  const { frame, heard, post } = await showView(browser, views.document, resultOf({ ...savedReport }));
  await frame.getByRole('link', { name: 'Open' }).click();
  const opened = async () => (await heard()).filter(({ method }) => method === 'ui/open-link');
  await expect
    .poll(opened)
    .toEqual([{ jsonrpc: '2.0', id: 'link', method: 'ui/open-link', params: { url: savedReport.uri } }]);
  const line = frame.locator('#copied');
  await post({ id: 'link', result: {} });
  expect(await line.textContent()).toBe('');
  await post({ id: 'link', result: { isError: true } });
  await frame.getByText('This app does not open files.').waitFor();
  await frame.getByRole('button', { name: 'Copy path' }).click();
  await expect.poll(() => line.textContent()).toBe('Copied.');
  expect(await frame.evaluate('String(getSelection())')).toBe(savedReport.path);
});

inBrowser('a view that throws while it draws shows one sentence instead, and tells its host once where', async () => {
  const { frame, post, said, faults } = await showFaulty(plantFault(views.allocation), resultOf({ env: 'demo' }));
  await frame.getByText('contains nothing that can be drawn').waitFor();
  for (let times = 0; times < 2; times++) {
    await post({ method: 'ui/notifications/tool-result', params: resultOf(portfolio) });
    await frame.getByText('could not be drawn').waitFor();
  }
  await post({ method: 'ui/notifications/host-context-changed', params: { locale: 'de-DE' } });
  await expect.poll(faults).toEqual([
    {
      level: 'error',
      logger: 'allocation',
      data: {
        task: 'view allocation',
        code: 'TypeError',
        place: expect.stringMatching(/^allocation\.js:\d+:\d+$/),
      },
    },
  ]);
  expect(await said()).toBe(notDrawn);
  const [{ data }] = (await faults()) as [{ data: { place: string } }];
  expect(await findSource(data.place)).toMatch(/^src\/features\/views\/render\/draw-allocation\.ts:\d+:\d+$/);
  // Another answer is drawn.
  await post({ method: 'ui/notifications/tool-result', params: resultOf({ env: 'demo' }) });
  await frame.getByText('contains nothing that can be drawn').waitFor();
  expect(await faults()).toHaveLength(1);
});

inBrowser('a fault after the drawing, in a handler or a promise, removes the drawing', { tags: ['slow'] }, async () => {
  const { frame, post, said, faults } = await showFaulty(views.allocation, resultOf(portfolio));
  await frame.locator('#allocation').waitFor();
  // A remark of the browser, which is no fault.
  await frame.evaluate("dispatchEvent(new ErrorEvent('error', { message: 'ResizeObserver loop' }))");
  expect(await frame.locator('#allocation').count()).toBe(1);
  await frame.evaluate(`(() => {
    for (const part of document.querySelectorAll('details')) part.open = true;
    document.querySelector('tbody tr').children[1].remove();
    document.querySelector('tbody tr').lastElementChild.remove();
    document.querySelector('thead th:last-child button').click();
  })()`);
  await frame.getByText('could not be drawn').waitFor();
  expect(await said()).toBe(notDrawn);
  await post({ method: 'ui/notifications/tool-result', params: resultOf(portfolio) });
  await frame.locator('#allocation').waitFor();
  await frame.evaluate("void Promise.reject(new RangeError('planted 890.63'))");
  await frame.getByText('could not be drawn').waitFor();
  const told = (await faults()) as { data: { code: string; place?: string } }[];
  expect(told.map(({ data }) => data)).toEqual([
    {
      task: 'view allocation',
      code: 'TypeError',
      place: expect.stringMatching(/^allocation\.js:\d+:\d+$/),
    },
    { task: 'view allocation', code: 'RangeError' },
  ]);
  expect(await findSource(told[0]?.data.place ?? '')).toBe('src/features/views/page.ts');
});

inBrowser('a view whose script does not run at all shows the sentence', async () => {
  const tab = await browser.newContext({ javaScriptEnabled: false });
  const page = await tab.newPage();
  await page.setContent(views.allocation);
  expect(await page.locator('main').textContent()).toBe(notDrawn);
  await tab.close();
});

/** The text of each page, by the program that turns a PDF into text. */
const pdftotext = '/usr/bin/pdftotext';
const readPages = (pdf: Buffer): readonly string[] =>
  execFileSync(pdftotext, ['-layout', '-', '-'], { input: pdf, encoding: 'utf8' }).split('\f');

inBrowser(
  'on paper no column is cut, each page has its number, and each page of a table has its heads',
  { tags: ['slow'] },
  async () => {
    const pack = ['disposal', 'soldOn', 'ticker', 'quantity', 'proceeds', 'charges', 'cost', 'gain'];
    const columns = [...pack, 'rule', 'matchedQuantity', 'acquiredOn', 'matchedCost'];
    const sale = ['2025-07-01', 'GEQWl_EQ', '154.31330898', '13114.88', '4.79', '11672.53', '1437.56'];
    const match = ['thirty_day', '154.31330898', '2025-07-09', '11672.53'];
    const sections = [
      { name: 'disposals', columns, rows: Array.from({ length: 120 }, (_, index) => [index, ...sale, ...match]) },
    ];
    const sales = { ...gains, rows: Array.from({ length: 120 }, () => gains.rows[1]) };
    for (const [html, width, isAcross] of [
      // The pixels of A4, less its margins.
      [buildTaxPackPage({ title: 'Year', madeAt: 0, answer: { currency: 'GBP', sections } }), 1016, true],
      [buildReportPage({ title: 'Report', madeAt: 0, answers: { gains: sales, portfolio } }), 688, false],
    ] as const) {
      const page = await browser.newPage();
      await page.setContent(html);
      const pdf = await page.pdf({ format: 'A4', preferCSSPageSize: true });
      const [, across, down] = /MediaBox \[0 0 (\d+)[\d.]* (\d+)/.exec(pdf.toString('latin1')) ?? [];
      expect(Number(across) > Number(down)).toBe(isAcross);
      await page.emulateMedia({ media: 'print' });
      await page.setViewportSize({ width, height: 700 });
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
      await page.close();
      if (!existsSync(pdftotext)) continue;
      const pages = readPages(pdf).filter((text) => text.trim() !== '');
      const ends = pages.map((text) =>
        text
          .trim()
          .split(/\s{2,}|\n/)
          .at(-1),
      );
      expect(ends).toEqual(pages.map((_, index) => `${index + 1} of ${pages.length}`));
      const withSales = pages.filter((text) => text.includes('437.'));
      expect(withSales.length).toBeGreaterThan(2);
      expect(withSales.filter((text) => !/Disposal|Sale\b/.test(text))).toEqual([]);
    }
  },
);

inBrowser('on paper rows begin on a page of their own, and no total is alone', { tags: ['slow'] }, async () => {
  if (!existsSync(pdftotext)) return;
  const columns = ['paidOn', 'ticker', 'isin', 'country', 'type', 'paid', 'currency'];
  const row = ['2025-07-01', 'GEQWl_EQ', 'IE0000000001', 'IE', 'DIVIDEND', '1.00', 'GBP'];
  // Of each length, so that pages end before, among and after the last rows.
  const list = Array.from({ length: 26 }, (_, index) => 8 + index).map((count) => ({
    ...{ name: 'dividends', title: 'Dividends', columns, rows: Array.from({ length: count }, () => row) },
    totals: [{ currency: 'GBP', count, sums: { paid: `${count}.00` } }],
  }));
  const interest = {
    name: 'interest',
    title: 'Interest',
    columns: ['paidOn', 'amount'],
    rows: [['2025-07-01', '1.00']],
  };
  const page = await browser.newPage();
  const answer = { currency: 'GBP', sections: [interest, ...list] };
  await page.setContent(buildTaxPackPage({ title: 'Year', madeAt: 0, answer, locale: 'en-GB' }));
  const pages = readPages(await page.pdf({ format: 'A4', preferCSSPageSize: true })).map((text) =>
    text.split('\n').filter((line) => line.trim() !== ''),
  );
  await page.close();
  const first = pages.findIndex((lines) =>
    lines.some((line) => line.includes('interest.csv') && line.includes('1 payment')),
  );
  expect([first, pages[first]?.[0]?.includes('1 payment')]).toEqual([1, true]);
  const before = pages.flatMap((lines) =>
    lines.flatMap((line, index) => (line.includes('Total of') ? [lines[index - 1] ?? 'nothing'] : [])),
  );
  expect(before).toHaveLength(list.length);
  expect(before.filter((line) => !/GEQW|IE0000000001/.test(line))).toEqual([]);
});

inBrowser('the report is complete without its script, at every width', { tags: ['slow'] }, async () => {
  const few = portfolioOf(holdings.slice(0, 6));
  const html = buildReportPage({ title: 'Report', madeAt: 0, answers: { portfolio: few, dividends, gains } });
  const tab = await browser.newContext({ javaScriptEnabled: false, viewport: { width: 800, height: 700 } });
  const page = await tab.newPage();
  const requests: string[] = [];
  page.on('request', (request) => requests.push(request.url()));
  await page.setContent(html);
  for (const width of [800, 320]) {
    await page.setViewportSize({ width, height: 700 });
    expect(await page.locator('[data-mark]:visible').count()).toBe(6 + 6 + 18);
    const box = await page.locator('main').boundingBox();
    expect(box?.width).toBeLessThanOrEqual(width);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
  }
  expect(requests).toEqual([]);
  await tab.close();
});
