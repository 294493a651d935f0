/** A host for the views, in a real browser: a page that shows one in a sandboxed frame and speaks MCP Apps to it. */
import { createHash } from 'node:crypto';
import type { Browser, Frame, Page } from 'playwright-core';
import { expect, onTestFinished } from 'vitest';

export type ViewName =
  | 'allocation'
  | 'profit-loss'
  | 'dividends'
  | 'gains'
  | 'returns'
  | 'draft'
  | 'ticket'
  | 'document';

/** The script has no types of its own. */
const importScript = (): Promise<{
  buildViews(): Promise<Record<ViewName, string>>;
  findSource(place: string): Promise<string>;
}> => import(new URL('../../../scripts/build-views.mjs', import.meta.url).href);

export const buildViews = async () => (await importScript()).buildViews();

/** Returns the file, line and column of a place that a view reported. */
export const findSource = async (place: string) => (await importScript()).findSource(place);

/** Makes the function that draws a built view throw, with an amount in the message. */
export function plantFault(html: string): string {
  const name = /\bdraw:([\w$]+)\}/.exec(html)?.[1] ?? '';
  const [before = '', script = '', after = ''] = html.split(/<\/?script>/);
  const start = new RegExp(`function ${name.replace('$', '\\$')}\\(\\w+,\\w+\\)\\{`);
  const planted = script.replace(start, "$&throw new TypeError('planted 890.63');");
  expect(planted).not.toBe(script);
  // The policy of the page has the hash of its script.
  return `${before.replace(hashOf(script), hashOf(planted))}<script>${planted}</script>${after}`;
}

const hashOf = (script: string) => createHash('sha256').update(script).digest('base64');

export const resultOf = (body: object) => ({
  content: [{ type: 'text', text: JSON.stringify(body) }],
  structuredContent: body,
});

/** The policy that the specification of MCP Apps gives a view without declared domains; the frame inherits it. */
const hostPolicy =
  "default-src 'none'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'none'; frame-src *";

const hostPage = (html: string, context: object) => `<!doctype html><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${hostPolicy}">
<style>body{margin:0}iframe{border:0;width:100%;height:300px;display:block}</style>
<script>
const heard = [];
const post = (message) => document.querySelector('iframe').contentWindow.postMessage({ jsonrpc: '2.0', ...message }, '*');
addEventListener('message', ({ data }) => {
  heard.push(data);
  if (data.method === 'ui/initialize')
    post({ id: data.id, result: { protocolVersion: '2026-01-26', hostInfo: { name: 'test', version: '1' }, hostCapabilities: {}, hostContext: ${JSON.stringify(context)} } });
  if (data.method === 'ui/notifications/size-changed')
    document.querySelector('iframe').style.height = data.params.height + 'px';
});
</script>
<iframe sandbox="allow-scripts" title="view" srcdoc="${html.replace(/&/g, '&amp;').replace(/"/g, '&quot;')}"></iframe>`;

export interface Shown {
  readonly page: Page;
  readonly frame: Frame;
  /** Sends the view a message. */
  post(message: object): Promise<void>;
  /** The methods (or ids) of the messages of the view. */
  heard(): Promise<readonly { method?: string; id?: unknown; params?: unknown; result?: unknown; error?: unknown }[]>;
}

interface Options {
  readonly width?: number;
  readonly colorScheme?: 'light' | 'dark';
  readonly context?: object;
}

/** Polls for a condition: what a browser offers for that needs eval, which the policy forbids. */
export const until = (place: Page | Frame, condition: string): Promise<void> =>
  expect.poll(() => place.evaluate(condition), { interval: 25 }).toBe(true);

/**
 * Shows a view. The test fails when it writes an error to the console, throws, or requests anything from the network.
 */
export async function showView(browser: Browser, html: string, result: object | undefined, options: Options = {}) {
  const { width = 800, colorScheme = 'light', context = { locale: 'en-GB', timeZone: 'UTC' } } = options;
  const tab = await browser.newContext({ viewport: { width, height: 700 }, colorScheme });
  const page = await tab.newPage();
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('request', (request) => complaints.push(`asked for ${request.url()}`));
  onTestFinished(async () => {
    await tab.close();
    expect(complaints).toEqual([]);
  });
  await page.setContent(hostPage(html, context));
  const frame = page.frames().find((other) => other !== page.mainFrame()) as Frame;
  const heard: Shown['heard'] = () => page.evaluate('heard');
  const post: Shown['post'] = (message) => page.evaluate(`post(${JSON.stringify(message)})`);
  await until(page, "heard.some(({ method }) => method === 'ui/notifications/initialized')");
  await post({ method: 'ui/notifications/tool-input', params: { arguments: {} } });
  if (result) await post({ method: 'ui/notifications/tool-result', params: result });
  const shown: Shown = { page, frame, heard, post };
  return shown;
}
