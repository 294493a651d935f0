/**
 * `npm run pictures`: draws the pictures of the documents anew, all from one sandbox account, with Chromium. Run it after
 * a change to a view or to the report, and look at what it made.
 */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { chromium } from 'playwright-core';
import type { Markup } from '../src/core/text/html-template.ts';
import { readResult } from '../src/features/views/model/read-answer.ts';
import { readDividends } from '../src/features/views/model/read-dividends.ts';
import { readDraft } from '../src/features/views/model/read-draft.ts';
import { readGains } from '../src/features/views/model/read-gains.ts';
import { readPortfolio } from '../src/features/views/model/read-portfolio.ts';
import { readReturns } from '../src/features/views/model/read-returns.ts';
import { readTicket } from '../src/features/views/model/read-ticket.ts';
import { buildPage } from '../src/features/views/page.ts';
import { drawAllocation } from '../src/features/views/render/draw-allocation.ts';
import { drawDividends } from '../src/features/views/render/draw-dividends.ts';
import { drawDraft } from '../src/features/views/render/draw-draft.ts';
import { drawGains } from '../src/features/views/render/draw-gains.ts';
import { drawProfitLoss } from '../src/features/views/render/draw-profit-loss.ts';
import { drawReturns } from '../src/features/views/render/draw-returns.ts';
import { drawTicket } from '../src/features/views/render/draw-ticket.ts';
import { findChromium } from '../test/support/find-chromium.ts';

type Body = Readonly<Record<string, unknown>>;

const look = { locale: 'en-GB', timeZone: 'Europe/London', now: Date.now(), isLive: false };

/** The page of a view as a report has it: drawn already, because no host sends the result. */
const drawing =
  <Model>(read: (body: Body) => Model | undefined, draw: (model: Model, how: typeof look) => Markup) =>
  (body: Body): string => {
    const model = read(body);
    if (model === undefined) throw new Error(`No view draws ${JSON.stringify(body).slice(0, 200)}`);
    return buildPage({
      title: 'view',
      look: 'view',
      main: draw(model, look),
      styles: ['treemap', 'ticket', 'orders', 'file'],
    });
  };

const targets = Object.entries({ QWRLDl_EQ: 50, ZBONDl_EQ: 30, QDIVIl_EQ: 20 }).map(([ticker, weightPercent]) => ({
  ticker,
  weightPercent,
}));

const readPage = ({ path }: Body): Promise<string> => readFile(String(path), 'utf8');

const pictures: Readonly<
  Record<string, readonly [tool: string, args: Body, toPage: (body: Body) => string | Promise<string>]>
> = {
  'view-allocation': ['analyze_portfolio', { by: 'instrument' }, drawing(readPortfolio, drawAllocation)],
  'view-profit-loss': ['list_positions', {}, drawing(readPortfolio, drawProfitLoss)],
  'view-dividends': ['summarize_dividends', { groupBy: 'month', project: true }, drawing(readDividends, drawDividends)],
  'view-gains': [
    'summarize_realised_gains',
    { method: 'uk_section_104', taxYear: '2025/26' },
    drawing(readGains, drawGains),
  ],
  'view-returns': ['calculate_returns', { period: 'year' }, drawing(readReturns, drawReturns)],
  'view-draft': ['plan_orders', { goal: 'rebalance', targets }, drawing(readDraft, drawDraft)],
  'view-ticket': [
    'preview_order',
    { type: 'LIMIT', ticker: 'QWRLDl_EQ', side: 'BUY', quantity: 3, limitPrice: 88, timeValidity: 'DAY' },
    drawing(readTicket, drawTicket),
  ],
  report: ['save_report', { kind: 'report' }, readPage],
};

/** A report is many pages long; its first screens are enough. */
const maxHeight = 1_600;
/** The longest wait for the sandbox to have read its history (ms). */
const maxWaitMs = 120_000;

const executablePath = findChromium();
if (!executablePath) throw new Error('Pictures need Chromium: install it, or set CHROMIUM_PATH to its path.');
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
const home = await mkdtemp(join(tmpdir(), 'brokerage-mcp-pictures-'));
const client = new Client({ name: 'pictures', version: '1' });
await client.connect(
  new StdioClientTransport({
    command: process.execPath,
    args: ['dist/brokerage-mcp.cjs'],
    env: { PATH: process.env.PATH ?? '', HOME: home, BROKER_STATE_DIR: home, BROKER_ENV: 'sandbox' },
  }),
);
try {
  for (const [name, [tool, args, toPage]] of Object.entries(pictures)) {
    // A page of its own, because the policy of a page also holds for the next one in it.
    const page = await browser.newPage({ viewport: { width: 800, height: 300 } });
    await page.setContent(await toPage(await call(tool, args)));
    const { height } = (await page.locator('html').boundingBox()) ?? { height: maxHeight };
    const clip = { x: 0, y: 0, width: 800, height: Math.min(Math.ceil(height), maxHeight) };
    await page.screenshot({ path: `docs/${name}.png`, fullPage: true, clip });
  }
} finally {
  await browser.close();
  await client.close();
  await rm(home, { recursive: true, force: true });
}

/** Calls a tool until its answer is complete. */
async function call(name: string, args: Body): Promise<Body> {
  for (const until = Date.now() + maxWaitMs; ; await sleep(2_000)) {
    const result = readResult(await client.callTool({ name, arguments: args }));
    if (result.kind === 'answer' && result.body.complete !== false) return result.body;
    if (Date.now() > until || result.kind === 'error')
      throw new Error(`${name}: ${JSON.stringify(result).slice(0, 300)}`);
  }
}
