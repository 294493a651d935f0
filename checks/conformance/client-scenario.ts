/**
 * What each client does, through its own interface: list, call, place an order, get an error, read a resource, get a
 * prompt. The expected results are written down here; none is taken from the product.
 */
import assert from 'node:assert/strict';
import { tools } from '../../src/app/registry.ts';
import { viewTemplate } from '../../src/core/mcp/tool.ts';
import { parseResponseText } from '../../src/core/mcp/tool-result.ts';
import { toolsets } from '../../src/core/settings/config.ts';
import { listPrompts } from '../../src/features/guides/prompts.ts';
import { resources } from '../../src/features/guides/resources/register-resources.ts';

/** What the clients have in common. Their results are checked here, so none is trusted. */
export interface Peer {
  listTools(): Promise<unknown>;
  listResources(): Promise<unknown>;
  listResourceTemplates(): Promise<unknown>;
  listPrompts(): Promise<unknown>;
  callTool(call: { readonly name: string; readonly arguments: Record<string, unknown> }): Promise<unknown>;
  readResource(what: { readonly uri: string }): Promise<unknown>;
  getPrompt(what: { readonly name: string; readonly arguments: Record<string, string> }): Promise<unknown>;
}

interface ToolAnswer {
  readonly content: readonly { readonly type: string; readonly text: string }[];
  readonly structuredContent?: unknown;
  readonly isError?: boolean;
}

// biome-ignore lint/suspicious/noExplicitAny: answers of every shape, looked at by the assertions.
type Fields = any;

const toolCount = tools.length;
/** The views are one template, so that no model finds their HTML in the list of resources. */
const templateUris = [...resources.map(({ uri }) => uri).filter((uri) => uri.includes('{')), viewTemplate].sort();
const promptNames = listPrompts(toolsets)
  .map(({ name }) => name)
  .sort();

/** Throws an AssertionError that names what is wrong. */
export async function visit(peer: Peer): Promise<void> {
  const ask = createAsk(peer, await list(peer));
  await call(ask);
  await placeOrder(ask);
  await beRefused(peer);
  await readAndPrompt(peer);
}

type Ask = (name: string, args: Record<string, unknown>) => Promise<Fields>;

/** Returns the tools that promise a structured form; for clients that do not support it there are none. */
async function list(peer: Peer): Promise<ReadonlySet<string>> {
  const { tools } = (await peer.listTools()) as Fields;
  assert.equal(tools.length, toolCount, 'every tool is listed');
  for (const { name, description, inputSchema } of tools) {
    assert.ok(description.length > 10, `${name} is described`);
    assert.equal(inputSchema.type, 'object', `${name} has a schema`);
  }
  const { resources } = (await peer.listResources()) as Fields;
  const uris: string[] = resources.map(({ uri }: Fields) => uri);
  for (const uri of ['account://summary', 'portfolio://positions', 'guide://orders'])
    assert.ok(uris.includes(uri), `${uri} is listed`);
  assert.deepEqual(
    uris.filter((uri) => uri.startsWith('ui:')),
    [],
    'no view is listed',
  );
  const { resourceTemplates } = (await peer.listResourceTemplates()) as Fields;
  assert.deepEqual(resourceTemplates.map(({ uriTemplate }: Fields) => uriTemplate).sort(), templateUris);
  const { prompts } = (await peer.listPrompts()) as Fields;
  assert.deepEqual(prompts.map(({ name }: Fields) => name).sort(), promptNames);
  return new Set(tools.filter(({ outputSchema }: Fields) => outputSchema).map(({ name }: Fields) => name));
}

async function call(ask: Ask): Promise<void> {
  const summary = await ask('get_account_summary', {});
  assert.deepEqual([summary.env, summary.simulated, summary.currency], ['sandbox', true, 'GBP']);
  const positions = await ask('list_positions', { limit: 3 });
  assert.equal(positions.rows.length, 3, 'three positions are listed');
  assert.equal(positions.rows[0].length, positions.columns.length, 'a row has every column');
}

/** Somewhat below the last price, so that it waits; the placed order is then found by its id. */
async function placeOrder(ask: Ask): Promise<void> {
  const { items } = await ask('list_positions', { limit: 1, responseFormat: 'detailed' });
  const [{ instrument, currentPrice }] = items;
  const { ticker } = instrument;
  const limitPrice = Number((Number(currentPrice) * 0.9).toFixed(2));
  const order = { ticker, side: 'BUY', quantity: 1, limitPrice, timeValidity: 'GOOD_TILL_CANCEL' };
  const { outcome, orderId } = await ask('place_limit_order', order);
  assert.equal(outcome, 'placed');
  const found = await ask('get_order', { orderId });
  assert.deepEqual([found.order?.id, found.order?.ticker], [orderId, ticker]);
}

async function beRefused(peer: Peer): Promise<void> {
  const answer = await answerOf(peer, 'get_account_summary', { colour: 'red' });
  assert.equal(answer.isError, true, 'an unknown argument is an error');
  assert.equal(answer.structuredContent, undefined, 'an error is text alone');
  const { code, message = '', next } = parseResponseText(answer.content[0]?.text ?? '') as Record<string, string>;
  assert.equal(code, 'invalid_argument');
  assert.match(message, /colour/);
  assert.ok(next, 'an error says what to do next');
  await assert.rejects(peer.readResource({ uri: 'account://nowhere' }), /Resource not found: account:\/\/nowhere/);
}

async function readAndPrompt(peer: Peer): Promise<void> {
  const { contents } = (await peer.readResource({ uri: 'account://summary' })) as Fields;
  assert.deepEqual(
    contents.map(({ uri, mimeType }: Fields) => [uri, mimeType]),
    [['account://summary', 'application/json']],
  );
  assert.equal(JSON.parse(contents[0].text).currency, 'GBP');
  const request = 'three shares of the cheapest';
  const { messages } = (await peer.getPrompt({ name: 'draft_order', arguments: { request } })) as Fields;
  assert.equal(messages[0].role, 'user');
  assert.ok(messages[0].content.text.includes(request), 'the prompt has its argument');
}

/**
 * The body of a result that is no error. Where its tool promises the structured form, both are equal; otherwise there
 * is none.
 */
const createAsk =
  (peer: Peer, structured: ReadonlySet<string>): Ask =>
  async (name, args) => {
    const answer = await answerOf(peer, name, args);
    const text = answer.content[0]?.text ?? '';
    assert.notEqual(answer.isError, true, `${name} answered an error: ${text.slice(0, 300)}`);
    const body = JSON.parse(text);
    const expected = structured.has(name) ? body : undefined;
    assert.deepEqual(answer.structuredContent, expected, `${name} says the same twice`);
    return body;
  };

const answerOf = async (peer: Peer, name: string, args: Record<string, unknown>) =>
  (await peer.callTool({ name, arguments: args })) as ToolAnswer;
