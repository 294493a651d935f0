/** The host suite's own parts: our object in what hosts make of it, and a script on each of the four ways to a model. */
import { request } from 'undici';
import { describe, expect, onTestFinished, test } from 'vitest';
import { findObject } from '../../checks/hosts/find-object.ts';
import { startModel } from '../../checks/hosts/scripted-model.ts';

const error = '{"code":"unknown_ticker","message":"No \\"x\\" {here]"}';

describe('our object is found', () => {
  test.each([
    ['as it is', error],
    ['after a word', `Error: ${error}`],
    ['as text in a list', JSON.stringify([{ type: 'text', text: `Error: ${error}` }])],
    ['as text in text, after other objects', `{"args":{"ticker":"x"}} said: ${JSON.stringify({ a: [{ b: error }] })}]`],
    ['between brackets that close nothing', `] } { [ "open ${error}`.replace('"', '')],
  ])('%s', (_, text) => {
    expect(findObject(text)).toEqual({ code: 'unknown_ticker', message: 'No "x" {here]' });
  });

  test.each(['', '{', '[1, 2', '{"other": 1}', '}'.repeat(20_000)])('not in %.9s', (text) => {
    expect(findObject(text)).toEqual({});
  });
});

/** What a host sends first, and after it has the result of the call `c1`, as the makers document it. */
const hosts: readonly [path: string, first: object, second: object][] = [
  [
    '/v1/messages',
    { tools: [{ name: 'mcp__brokerage__get_order' }], messages: [{ role: 'user', content: 'Play.' }] },
    {
      tools: [{ name: 'mcp__brokerage__get_order' }],
      messages: [
        { role: 'assistant', content: [{ type: 'tool_use', id: 'c1', name: 'mcp__brokerage__get_order', input: {} }] },
        {
          role: 'user',
          content: [{ type: 'tool_result', tool_use_id: 'c1', content: [{ type: 'text', text: 'seen' }] }],
        },
      ],
    },
  ],
  [
    '/v1/chat/completions',
    { tools: [{ function: { name: 'brokerage_get_order' } }], messages: [{ role: 'user', content: 'Play.' }] },
    {
      tools: [{ function: { name: 'brokerage_get_order' } }],
      messages: [
        { role: 'assistant', tool_calls: [{ id: 'c1', function: { name: 'brokerage_get_order', arguments: '{}' } }] },
        { role: 'tool', tool_call_id: 'c1', content: 'seen' },
      ],
    },
  ],
  [
    '/v1/responses',
    { tools: [{ type: 'namespace', name: 'mcp__brokerage', tools: [{ name: 'get_order' }] }], input: [] },
    {
      tools: [{ type: 'function', name: 'mcp__brokerage__get_order' }],
      input: [
        { type: 'function_call', call_id: 'c1', name: 'get_order', arguments: '{}' },
        { type: 'function_call_output', call_id: 'c1', output: 'seen' },
      ],
    },
  ],
  [
    '/v1beta/models/scripted:streamGenerateContent?alt=sse',
    { tools: [{ functionDeclarations: [{ name: 'mcp_brokerage_get_order' }] }], contents: [] },
    {
      tools: [{ functionDeclarations: [{ name: 'mcp_brokerage_get_order' }] }],
      contents: [
        { role: 'model', parts: [{ functionCall: { id: 'c1', name: 'mcp_brokerage_get_order', args: {} } }] },
        { role: 'user', parts: [{ functionResponse: { id: 'c1', response: { output: 'seen' } } }] },
      ],
    },
  ],
];

test.each(hosts)('at %s a host gets the call, and the script gets its result', async (path, first, second) => {
  const results: (readonly string[])[] = [];
  const model = await startModel(
    (before) => {
      results.push(before);
      return before.length === 0 ? { tool: 'get_order', args: { orderId: '77' } } : undefined;
    },
    ['get_order', 'place_limit_order'],
  );
  onTestFinished(model.close);
  const ask = async (body: object) =>
    await (await request(model.url + path, { method: 'POST', body: JSON.stringify(body) })).body.text();
  const called = await ask(first);
  expect(called).toContain('get_order');
  expect(called.replaceAll('\\', '')).toContain('"orderId":"77"');
  expect(await ask(second)).toContain('The script ends.');
  expect(results).toEqual([[], ['seen']]);
  expect([model.tools(), model.results()]).toEqual([['get_order'], ['seen']]);
});
