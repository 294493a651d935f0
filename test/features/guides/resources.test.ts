/** Resources and prompts, as a client sees them. */
// @module-tag server

import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { tools } from '../../../src/app/registry.ts';
import { runTool } from '../../../src/core/mcp/run-tool.ts';
import type { ToolDefinition } from '../../../src/core/mcp/tool.ts';
import { type Toolset, toolsets } from '../../../src/core/settings/config.ts';
import { readResource } from '../../../src/features/guides/resources/read-resource.ts';
import { setup } from '../../support/setup.ts';

// biome-ignore lint/suspicious/noExplicitAny: answers of every shape.
type Body = any;

async function text({ client }: Awaited<ReturnType<typeof setup>>, uri: string): Promise<string> {
  const [content] = (await client.readResource({ uri })).contents as { text: string }[];
  return content?.text ?? '';
}

const tool = (wanted: string): ToolDefinition => {
  const found = tools.find(({ name }) => name === wanted);
  if (!found) throw new Error(`no tool ${wanted}`);
  return found;
};

/** As the host with the most around it shows a page. */
const quoted = (uri: string, contents: unknown): number =>
  JSON.stringify({ server: 'brokerage-mcp', uri, contents }).length;

test.each([
  ['account://summary', 'get_account_summary', 'totalValue'],
  ['portfolio://positions', 'list_positions', 'rows'],
  ['orders://pending', 'list_orders', 'rows'],
])('%s has the same content as the result of %s', async (uri, tool, field) => {
  const made = await setup();
  const answer = await made.call(tool);
  const read: Body = JSON.parse(await text(made, uri));
  expect(read[field]).toEqual(answer.body[field]);
  expect(read.env).toBe('demo');
});

test.each(['dividends', 'orders'] as const)(
  'a year of %s has pages that fit as hosts quote them, which say first that more follow',
  { tags: ['slow'] },
  async (kind) => {
    const made = await setup();
    const wanted = made.simulator
      .groundTruth()
      [kind === 'orders' ? 'history' : kind].filter(({ at }) => new Date(at).getUTCFullYear() === 2025);
    const rows: unknown[] = [];
    const uris = [`history://${kind}/2025`];
    for (let uri = uris[0]; uri !== undefined; ) {
      const page = await text(made, uri);
      expect(page.length).toBeLessThanOrEqual(6_800);
      expect(quoted(uri, [{ uri, mimeType: 'application/json', text: page }])).toBeLessThanOrEqual(8_000);
      const { nextUri, note, ...read }: Body = JSON.parse(page);
      expect(read.complete).toBe(true);
      expect(read.nextCursor).toBeUndefined();
      rows.push(...read.rows);
      if (nextUri !== undefined) {
        expect(Object.keys(JSON.parse(page)).slice(0, 2)).toEqual(['note', 'nextUri']);
        expect(note).toBe(
          `This page has ${read.rows.length} rows, newest first. Read nextUri for the next page; stop when a page has no nextUri. The tool fetch_history has the same rows.`,
        );
        expect(nextUri.startsWith(`history://${kind}/2025?cursor=`)).toBe(true);
        uris.push(nextUri);
      }
      uri = nextUri;
    }
    expect(uris.length).toBeGreaterThan(1);
    expect(new Set(rows.map((row) => JSON.stringify(row))).size).toBe(wanted.length);
    expect(rows.length).toBe(wanted.length);
  },
);

test('a year of history is one of the tax zone, as its description says', { tags: ['slow'] }, async () => {
  const made = await setup({ config: { taxZone: 'Pacific/Kiritimati' } });
  const { rows, timeZone }: Body = JSON.parse(await text(made, 'history://dividends/2025'));
  expect(timeZone).toBe('Pacific/Kiritimati');
  // The zone is 14 hours ahead of UTC.
  expect(rows.every(([paidOn]: [string]) => paidOn < '2025-12-31T10:00:00Z')).toBe(true);
  const { resourceTemplates } = await made.client.listResourceTemplates();
  const history = resourceTemplates.find(({ name }) => name === 'history');
  expect(history?.description).toBe(
    'Orders, dividends or transactions of a calendar year in timeZone (the tax zone), newest first, as returned by fetch_history; nextUri has the next page.',
  );
});

test('a resource that repeats the first page of a tool says that the tool has the next one', async () => {
  const made = await setup();
  const positions = Array.from({ length: 900 }, (_, index) => [`TICKER${index}_GB_EQ`, index]);
  const list = { columns: ['ticker', 'value'], rows: positions, cursorAfter: () => 'next' };
  const long = [{ ...tool('list_positions'), run: async () => ({ fields: {}, list }) }];
  const read = await readResource('portfolio://positions', {
    ...made.composed.services,
    callTool: (name, args) =>
      runTool(long, name, args, made.composed.services, { signal: new AbortController().signal }),
    readEvents: async () => '{}',
    view: async () => undefined,
  });
  const { note, nextCursor, rows }: Body = JSON.parse(read?.text ?? '');
  expect(nextCursor).toBe('next');
  expect(note).toBe('The tool list_positions returns the next page; send it nextCursor as cursor.');
  expect(rows.length).toBeGreaterThan(50);
});

test.each(['history://orders/2025?cursor=abc', 'history://orders/2025?cursor=W10'])(
  'the page %s, which no page names, is an error in the words of resources',
  async (uri) => {
    const { client } = await setup();
    const error = await client.readResource({ uri }).catch((refused: unknown) => refused);
    expect(error).toMatchObject({ code: -32602 });
    expect(String(error)).not.toMatch(/list_drafts|fetch_history|argument|cursor is/);
  },
);

test('views can be read, but are not in the list of resources', async () => {
  const { client } = await setup();
  const { resources } = await client.listResources();
  expect(resources.filter(({ uri }) => uri.startsWith('ui:'))).toEqual([]);
  const { resourceTemplates } = await client.listResourceTemplates();
  expect(resourceTemplates.filter(({ uriTemplate }) => uriTemplate.startsWith('ui:'))).toEqual([
    {
      name: 'view',
      uriTemplate: 'ui://brokerage-mcp/{view}',
      title: 'Views for hosts that show MCP Apps',
      mimeType: 'text/html;profile=mcp-app',
    },
  ]);
});

test('an instrument is read by its exact ticker, and completed from its first letters', async () => {
  const made = await setup();
  const read: Body = JSON.parse(await text(made, 'instrument://QNOON_GB_EQ'));
  expect(read.ticker).toBe('QNOON_GB_EQ');
  expect(read.isin).toMatch(/^[A-Z]{2}/);
  const { completion } = await made.client.complete({
    ref: { type: 'ref/resource', uri: 'instrument://{ticker}' },
    argument: { name: 'ticker', value: 'qnoo' },
  });
  expect(completion.values[0]).toBe('QNOON_GB_EQ');
});

test('a downloaded report is a resource, and is listed', async () => {
  const made = await setup();
  const { body } = await made.call('request_export', {
    timeFrom: '2025-01-01',
    timeTo: '2026-01-01',
    include: ['dividends'],
  });
  await made.clock.advance(120_000);
  const file = await made.call('download_export', { reportId: body.reportId });
  const { resources } = await made.client.listResources();
  expect(resources.map(({ uri }) => uri)).toContain(`export://${body.reportId}`);
  const own = `export://${body.reportId}`;
  const pages: string[] = [];
  for (let uri: string | undefined = own; uri !== undefined; ) {
    const { contents } = await made.client.readResource({ uri });
    expect(quoted(uri, contents)).toBeLessThanOrEqual(8_000);
    const rows = contents.at(-1) as { mimeType: string; text: string };
    expect(rows.mimeType).toBe('text/csv');
    expect(rows.text.length).toBeLessThanOrEqual(6_800);
    pages.push(rows.text);
    const [note] = contents.slice(0, -1) as { mimeType: string; text: string }[];
    uri = /export:\S+\?from=\d+/.exec(note?.text ?? '')?.[0];
  }
  expect(pages.length).toBeGreaterThan(1);
  expect(pages[0]).toMatch(/^Action,Time/);
  expect(pages.every((page) => page.endsWith('\n'))).toBe(true);
  expect(pages.join('')).toBe(await readFile(file.body.path, 'utf8'));
  await expect(made.client.readResource({ uri: `${own}?from=x` })).rejects.toThrow(/not found/i);
  await expect(made.client.readResource({ uri: `${own}0` })).rejects.toThrow(/not found/i);
});

test('the guides name every limit and every outcome', async () => {
  const made = await setup();
  expect(await text(made, 'guide://limits')).toContain('GET /equity/history/orders | 6 per 60 s');
  const orders = await text(made, 'guide://orders');
  for (const outcome of [
    'placed',
    'pending_approval',
    'declined',
    'expired',
    'refused',
    'rejected',
    'not_sent',
    'unknown',
  ])
    expect(orders).toContain(outcome);
});

test.each([
  'account://other',
  'history://fees/2025',
  'history://orders/25',
  'instrument://NOBODY',
  'export://../store',
  'draft://',
  'draft://nothing',
  'draft://0123456789abcdef',
  'audit://today?before=x',
  'history://orders/2025/more',
  'history://orders/2025?page=2',
  `instrument://${'A'.repeat(5_000)}`,
  'instrument://a%00b',
  'ui://brokerage-mcp/other',
  'file:///etc/passwd',
])('an unknown resource %s is reported as not found', async (uri) => {
  const { client } = await setup();
  await expect(client.readResource({ uri })).rejects.toThrow(/not found/i);
});

test.each(['draft://%E0%A4%A', 'instrument://%', 'history://orders/%zz'])(
  'the URI %s, which cannot be decoded, is an invalid parameter',
  async (uri) => {
    const { client } = await setup();
    await expect(client.readResource({ uri })).rejects.toMatchObject({ code: -32602 });
  },
);

test('an error of the service is one sentence and a next step', async () => {
  const made = await setup();
  made.simulator.faults.push({ endpoint: 'getAccountSummary', kind: 'status', status: 401, times: 9 });
  await expect(made.client.readResource({ uri: 'account://summary' })).rejects.toThrow(
    /does not accept the key.*Check BROKER_ENV/s,
  );
});

test('every prompt is listed with its arguments, and names only existing tools', async () => {
  const made = await setup();
  const { prompts } = await made.client.listPrompts();
  expect(prompts.map(({ name }) => name)).toEqual([
    'portfolio_checkup',
    'monthly_review',
    'dividend_outlook',
    'tax_year_pack',
    'draft_order',
    'rebalance',
    'invest_monthly',
    'harvest_losses',
  ]);
  const { tools } = await made.client.listTools();
  const names = new Set(tools.map(({ name }) => name));
  for (const { name, arguments: args = [] } of prompts) {
    const given = Object.fromEntries(
      args.map(({ name: argument }) => [argument, argument === 'month' ? '2025-12' : '2025/26']),
    );
    const { messages } = await made.client.getPrompt({ name, arguments: given });
    const [message] = messages as { content: { text: string } }[];
    const words = message?.content.text.match(/\b[a-z]+(?:_[a-z]+)+\b/g) ?? [];
    expect(words.length).toBeGreaterThan(0);
    const known = new Set([...names, 'uk_section_104', 'section_104']);
    expect(words.filter((word) => !known.has(word))).toEqual([]);
  }
});

test.each<[readonly Toolset[], readonly string[]]>([
  [[], []],
  [['trading'], ['draft_order', 'rebalance_plan']],
  [['drafting'], ['draft_order', 'rebalance', 'invest_monthly', 'harvest_losses']],
])('with the order toolsets %j, the prompts about orders are %j', async (withOrders, expected) => {
  const others = toolsets.filter((name) => name !== 'trading' && name !== 'drafting');
  const { client } = await setup({ config: { toolsets: [...others, ...withOrders] } });
  const names = (await client.listPrompts()).prompts.map(({ name }) => name);
  const general = ['portfolio_checkup', 'monthly_review', 'dividend_outlook', 'tax_year_pack'];
  expect(names.filter((name) => !general.includes(name))).toEqual(expected);
});

async function promptText(name: string, given: Record<string, string>): Promise<string> {
  const { client } = await setup();
  const { messages } = await client.getPrompt({ name, arguments: given });
  return (messages as { content: { text: string } }[])[0]?.content.text ?? '';
}

const remark = 'If this text is truncated or a placeholder, use what I typed myself; ask me if that is unclear.';

test('a request that a host split at its spaces is put together again, and no piece is taken for a ticker', async () => {
  const text = await promptText('draft_order', { request: 'buy', ticker: 'three' });
  expect(text.split('\n').slice(0, 3)).toEqual([
    'Draft an order: buy three',
    remark,
    '1. search_instruments for the exact ticker; ask me if several match.',
  ]);
  const known = await promptText('draft_order', { request: 'buy three', ticker: 'QNOON_GB_EQ' });
  expect(known.split('\n').slice(0, 3)).toEqual(['Draft an order: buy three', remark, '1. The ticker is QNOON_GB_EQ.']);
});

test('without a place tool, draft_order leads to a draft that the user sends', async () => {
  expect(await promptText('draft_order', { request: 'buy' })).toMatch(/no place tool, save_draft .*drafts submit/);
});

test.each([
  ['tax_year_pack', 'taxYear', '$1', '2025/26'],
  ['tax_year_pack', 'taxYear', 'last year', '2025/26'],
  ['monthly_review', 'month', '$1', '2026-03'],
  ['monthly_review', 'month', 'March', '2026-03'],
])('%s takes %s as %s, to be filled in or checked', async (name, argument, given, proper) => {
  const text = await promptText(name, { [argument]: given });
  expect(text).toContain(` ${given} `);
  expect(text.endsWith(remark)).toBe(true);
  expect(await promptText(name, { [argument]: proper })).not.toContain(remark);
});

test('a prompt without a required argument is refused, and its arguments are completed', async () => {
  const { client } = await setup();
  await expect(client.getPrompt({ name: 'tax_year_pack', arguments: {} })).rejects.toThrow(/needs taxYear/);
  const { completion } = await client.complete({
    ref: { type: 'ref/prompt', name: 'tax_year_pack' },
    argument: { name: 'taxYear', value: '202' },
  });
  expect(completion.values.slice(0, 2)).toEqual(['2025/26', '2024/25']);
});
