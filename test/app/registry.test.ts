/** Facts that hold for every tool and every endpoint. A failure says which file to edit. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { buildToolListing, listTool } from '../../src/app/build-tool-listing.ts';
import { tools } from '../../src/app/registry.ts';
import { type Endpoint, endpoints } from '../../src/core/endpoints/index.ts';
import { buildMeta, enabledTools, instructionsFor } from '../../src/core/mcp/tool-listing.ts';
import { toolsets } from '../../src/core/settings/config.ts';
import { listFigures, measureToolList, tokenBudgets } from '../support/tool-list.ts';

const listing = buildToolListing();

test('every endpoint of the catalogue can be reached through a tool', () => {
  const reached = new Set(tools.flatMap((tool) => tool.endpoints.map(({ id }) => id)));
  const missing = Object.keys(endpoints).filter((id) => !reached.has(id));
  expect(missing, 'add a tool in src/core/tools for these endpoints').toEqual([]);
});

/** Counted in the specification by hand. */
const specified = 22;

test('the catalogue has every endpoint of the interface, each once, under its own name', () => {
  expect(Object.keys(endpoints).length, 'when the specification grew, say so in `specified`').toBe(specified);
  for (const [name, endpoint] of Object.entries(endpoints)) expect(endpoint.id).toBe(name);
  expect(new Set(Object.values(endpoints).map(({ method, path }) => `${method} ${path}`)).size).toBe(specified);
});

test('docs/interface.md has every endpoint with its limit', () => {
  const text = readFileSync('docs/interface.md', 'utf8');
  const rows = [...text.matchAll(/^\| `([A-Z]+ equity\/[^`]+)` \|.*\| (\d+) in (\d+) s \|$/gm)].map((row) =>
    row.slice(1),
  );
  const known = Object.values(endpoints).map(({ method, path, limit: { requests, periodSeconds } }) => [
    `${method} ${path.slice(1)}`,
    `${requests}`,
    `${periodSeconds}`,
  ]);
  expect(rows.toSorted()).toEqual(known.toSorted());
});

test.each(['README.md', 'docs/troubleshooting.md'])('%s has the number of tools', (path) => {
  const counts = [...readFileSync(path, 'utf8').matchAll(/\b(\d+) tools\b/g)].map((match) => Number(match[1]));
  expect(new Set(counts)).toEqual(new Set([tools.length]));
});

test.each(listing.map((tool) => [tool.name, tool] as const))('%s has a valid description', (name, tool) => {
  expect(name).toMatch(/^[a-z]+(_[a-z]+)*$/);
  expect(tool.title.length).toBeGreaterThan(3);
  expect(tool.description.length).toBeLessThanOrEqual(300);
  expect(Object.keys(tool.annotations).toSorted()).toEqual([
    'destructiveHint',
    'idempotentHint',
    'openWorldHint',
    'readOnlyHint',
  ]);
  expect(tool.inputSchema).toMatchObject({ type: 'object', additionalProperties: false });
  expect(tool.outputSchema.type).toBe('object');
  expect(tool.outputSchema.additionalProperties).not.toBe(false);
  for (const [argument, schema] of Object.entries(
    (tool.inputSchema.properties ?? {}) as Record<string, { description?: string }>,
  ))
    expect(schema.description, `describe ${argument} of ${name}`).toBeTruthy();
});

test('the description of a list of tickers or orders names how many it can have', () => {
  const lists = listing.flatMap(({ name, inputSchema }) =>
    Object.entries((inputSchema.properties ?? {}) as Record<string, { type?: string; items?: { type?: string } }>)
      .filter(([, { type, items }]) => type === 'array' && items?.type === 'object')
      .map(([argument, schema]) => [`${name}.${argument}`, (schema as { description?: string }).description]),
  );
  expect(Object.fromEntries(lists)).toEqual({
    'plan_orders.targets': expect.stringMatching(/^1 to 30\b/),
    'plan_orders.assumedPrices': expect.stringMatching(/^1 to 30\b/),
    'save_draft.legs': expect.stringMatching(/^1 to 30\b/),
  });
});

test('the description of an integer names its bounds, because some hosts show a model no other part of a schema', () => {
  const integers = listing.flatMap(({ name, inputSchema }) =>
    Object.entries((inputSchema.properties ?? {}) as Record<string, { type?: string; description?: string }>)
      // A version has no bounds that anybody could meet.
      .filter(([argument, { type }]) => type === 'integer' && argument !== 'version')
      .map(([argument, { description = '' }]) => ({ argument: `${name}.${argument}`, description })),
  );
  expect(integers.length).toBeGreaterThan(8);
  expect(integers.filter(({ description }) => !/\b\d+ to \d+\b/.test(description))).toEqual([]);
});

test.each(tools)('a missing argument of $name is reported as missing, with what it must be', ({ name, input }) => {
  // The words follow "quantity is missing; it …".
  for (const { path, message } of input.safeParse({}).error?.issues ?? [])
    if (path.length > 0) expect(message, `give ${path.join('.')} of ${name} its own words`).toMatch(/^must /);
});

test('a tool that can change the account is never called read-only, and neither is one that writes a draft', () => {
  for (const tool of tools) {
    const changes = tool.effect === 'drafts' || tool.endpoints.some((endpoint) => endpoint.effect !== 'read');
    expect(listing.find(({ name }) => name === tool.name)?.annotations.readOnlyHint, tool.name).toBe(!changes);
  }
});

test('a write that is not an order goes through the journal, with its live switch and halt', () => {
  const writes = Object.values<Endpoint>(endpoints).filter(({ effect }) => effect === 'write');
  const files = ['src/core/tools', 'src/features'].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name)),
  );
  const direct = files
    .filter((name) => name.endsWith('.ts'))
    .filter((name) => {
      const text = readFileSync(name, 'utf8');
      return writes.some(({ id }) => new RegExp(`\\.call\\(\\s*endpoints\\.${id}\\b`).test(text));
    });
  expect(direct, 'use sendJournaledWrite of src/core/mcp/journaled-write.ts').toEqual([]);
});

test('placing is destructive and not idempotent, cancelling is destructive and idempotent', () => {
  const names = [
    'place_limit_order',
    'place_market_order',
    'place_stop_order',
    'place_stop_limit_order',
    'submit_draft',
  ];
  for (const name of names)
    expect(listing.find((tool) => tool.name === name)?.annotations).toMatchObject({
      destructiveHint: true,
      idempotentHint: false,
    });
  expect(listing.find((tool) => tool.name === 'cancel_order')?.annotations).toMatchObject({
    destructiveHint: true,
    idempotentHint: true,
  });
});

/** What people type, and the tools that a host's search must find for it by name, hint or description. */
test.each([
  ['what do I own', 'list_positions'],
  ['buy shares', 'place_limit_order'],
  ['buy shares', 'preview_order'],
  ['sell stock', 'place_market_order'],
  ['trade', 'place_limit_order'],
  ['draft an order', 'preview_order'],
  ['investment performance', 'calculate_returns'],
  ['is the market open', 'list_exchanges'],
  ['capital gains tax', 'summarize_realised_gains'],
  ['did my order fill', 'get_order'],
  ['how much money do I have', 'get_account_summary'],
  ['fees', 'summarize_costs'],
  ['draft several orders', 'save_draft'],
  ['my drafts', 'list_drafts'],
])('a search for "%s" finds %s by its hint', (words, name) => {
  expect(listing.find((tool) => tool.name === name)?._meta['anthropic/searchHint']).toContain(words);
});

test('hosts with tool search always load ten read-only tools, for at most 1,300 tokens', () => {
  const first = listing.filter(({ _meta }) => _meta['anthropic/alwaysLoad']);
  expect(first.map(({ name }) => name)).toEqual([
    'get_account_summary',
    'list_positions',
    'search_instruments',
    'list_orders',
    'get_order',
    'preview_order',
    'fetch_history',
    'analyze_portfolio',
    'calculate_returns',
    'get_server_status',
  ]);
  expect(first.every(({ annotations }) => annotations.readOnlyHint)).toBe(true);
  expect(listFigures(first).tokens).toBeLessThanOrEqual(1_300);
});

test('only live orders require user interaction, in hosts that support it', () => {
  const asking = (environment: 'sandbox' | 'demo' | 'live') =>
    listing
      .filter((tool) => buildMeta(tool, { environment })['anthropic/requiresUserInteraction'])
      .map(({ name }) => name);
  expect(asking('live')).toEqual(tools.filter(({ effect }) => effect === 'places').map(({ name }) => name));
  expect([...asking('sandbox'), ...asking('demo')]).toEqual([]);
});

test('read-only keeps the tools that change nothing', () => {
  const names = enabledTools(listing, { readOnly: true, toolsets }).map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(['preview_order', 'list_exports', 'download_export']));
  expect(
    names.filter((name) => /^(place|cancel|create|update|delete|duplicate|request|import|submit)_/.test(name)),
  ).toEqual([]);
});

test('read-only keeps the tools of drafts, which change nothing at the broker', () => {
  const names = enabledTools(listing, { readOnly: true, toolsets: ['drafting'] }).map(({ name }) => name);
  expect(names).toEqual(['plan_orders', 'save_draft', 'list_drafts', 'discard_draft', 'preview_order']);
  for (const { effect, endpoints: used } of tools.filter((tool) => tool.effect === 'drafts'))
    expect([effect, used.filter((endpoint) => endpoint.effect !== 'read')]).toEqual(['drafts', []]);
});

test('a draft can be sent only where drafting and trading are on, and never in read-only mode', () => {
  const has = (config: Parameters<typeof enabledTools>[1]) =>
    enabledTools(listing, config).some(({ name }) => name === 'submit_draft');
  expect(has({ readOnly: false, toolsets: ['drafting', 'trading'] })).toBe(true);
  expect(has({ readOnly: false, toolsets: ['drafting'] })).toBe(false);
  expect(has({ readOnly: false, toolsets: ['trading'] })).toBe(false);
  expect(has({ readOnly: true, toolsets })).toBe(false);
});

test('a preview of an order comes with drafting or with trading', () => {
  for (const toolset of ['drafting', 'trading'] as const) {
    const names = enabledTools(listing, { readOnly: false, toolsets: [toolset] }).map(({ name }) => name);
    expect(names).toContain('preview_order');
  }
});

test('a toolset registers only its own tools', () => {
  const names = enabledTools(listing, { readOnly: false, toolsets: ['status'] }).map(({ name }) => name);
  expect(names).toEqual(['get_server_status', 'watch']);
});

test('the tool list that a model sees stays within its budget', () => {
  const { all, readOnly } = measureToolList();
  const byTool = listing.map((tool) => `${tool.name} ${listFigures([tool]).tokens}`).join(', ');
  const fix = `shorten descriptions of tools and of their arguments, the new ones first; tokens: ${byTool}`;
  expect(all.tokens, fix).toBeLessThanOrEqual(tokenBudgets.all);
  expect(readOnly.tokens, fix).toBeLessThanOrEqual(tokenBudgets.readOnly);
});

test.each(['sandbox', 'demo', 'live'] as const)('the instructions for %s fit what hosts show', (environment) => {
  for (const readOnly of [true, false]) {
    const text = instructionsFor({ environment, readOnly });
    expect(text.length).toBeLessThanOrEqual(500);
    expect(text.split('\n')[0]?.length).toBeLessThanOrEqual(120);
    expect(text).toContain(environment);
    // A program branches on the code of an error, which is a text (formatErrorText).
    expect(text).toContain('"Error: {code, …}"');
  }
});

test.each(tools.map((tool) => [tool.name, tool] as const))('%s keeps its public schema', async (name, tool) => {
  await expect(`${JSON.stringify(listTool(tool), null, 2)}\n`).toMatchFileSnapshot(`__snapshots__/${name}.json`);
});
