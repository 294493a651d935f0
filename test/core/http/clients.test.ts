/** Real clients of every generation over real HTTP: they get the same as on standard input and output. */
// @module-tag server
import { Client } from '@modelcontextprotocol/client';
import type { Client as OlderClient } from '@modelcontextprotocol/sdk/client/index.js';
import { fromJsonSchema } from '@modelcontextprotocol/server';
import { describe, expect, test } from 'vitest';
import { buildToolListing } from '../../../src/app/build-tool-listing.ts';
import { type Connect, clients, serveOverHttp } from '../../support/http.ts';
import { order, type SetupOptions, servedParts, setup } from '../../support/setup.ts';

/** The older SDK takes a schema in the place of the options. */
async function callWithProgress(
  client: Client,
  params: { name: string; arguments: Record<string, unknown> },
  tell: (message: unknown) => void,
) {
  const options = { onprogress: ({ message }: { message?: string | undefined }) => tell(message) };
  if (client instanceof Client) return client.callTool(params, options);
  const older = client as unknown as OlderClient;
  return older.callTool(params, undefined, options);
}

async function served(options: SetupOptions = {}) {
  const made = await setup(options);
  return { ...made, ...(await serveOverHttp({ parts: await servedParts(made) })) };
}

describe.each(clients)('%s', (_, connect) => {
  test('lists, calls and gets errors, reads a resource and a prompt, and completes an argument', {
    tags: ['slow'],
  }, async () => {
    const { url, requests } = await served();
    const client = await connect(url);
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(buildToolListing().map(({ name }) => name));
    const summary = await client.callTool({ name: 'get_account_summary', arguments: {} });
    expect(summary.structuredContent).toMatchObject({ env: 'demo', currency: 'GBP' });
    expect(requests()).toEqual(['getAccountSummary']);
    const wrong = await client.callTool({ name: 'list_positions', arguments: { sort: 'colour' } });
    expect(wrong.isError).toBe(true);
    expect(JSON.stringify(wrong.content)).toContain('invalid_argument');
    const none = await client.callTool({ name: 'no_such_tool', arguments: {} }).catch((error: Error) => error);
    expect(String((none as Error).message ?? JSON.stringify(none))).toContain('no_such_tool');

    const { contents } = await client.readResource({ uri: 'account://summary' });
    expect(JSON.parse((contents[0] as { text: string }).text)).toMatchObject({ env: 'demo', currency: 'GBP' });
    await expect(client.readResource({ uri: 'account://nowhere' })).rejects.toThrow();
    const prompt = await client.getPrompt({ name: 'draft_order', arguments: { request: 'three shares' } });
    expect(JSON.stringify(prompt.messages)).toContain('Draft an order: three shares');
    const ref = { type: 'ref/prompt' as const, name: 'draft_order' };
    const { completion } = await client.complete({ ref, argument: { name: 'ticker', value: 'QNOON' } });
    expect(completion.values).toContain('QNOON_GB_EQ');
  });

  test('gets the progress of a waiting call and asks its user for the approval: the order is sent once', {
    tags: ['slow'],
  }, async () => {
    const { url, simulator } = await served({ config: { approval: 'elicitation' } });
    const posts = () => simulator.log.filter(({ method }) => method === 'POST').length;
    const place = (limitPrice: number) => ({ name: 'place_limit_order', arguments: { ...order, limitPrice } });

    const mute = await connect(url);
    const told: unknown[] = [];
    const waited = await callWithProgress(mute, place(10.2), (message) => told.push(message));
    expect(waited.structuredContent).toMatchObject({ outcome: 'pending_approval' });
    expect(told).toEqual(['Waiting for the approval of a human']);

    const closing = await connect(url, { onForm: () => ({ action: 'cancel' }) });
    expect((await closing.callTool(place(10.1))).structuredContent).toMatchObject({ outcome: 'pending_approval' });
    expect(posts()).toBe(0);

    const asked: string[] = [];
    const accepting = await connect(url, {
      onForm: (message) => {
        asked.push(message);
        return { action: 'accept', content: { confirmQuantity: '2' } };
      },
    });
    const { structuredContent } = await accepting.callTool(place(10));
    expect(structuredContent).toMatchObject({ outcome: 'placed', orderId: expect.stringMatching(/^\d+$/) });
    expect(asked).toEqual([expect.stringContaining('BUY 2 × Noonvik Utilities plc, QNOON_GB_EQ')]);
    expect(posts()).toBe(1);
  });

  test('is refused with another token', async () => {
    const { url, server } = await serveOverHttp();
    await expect(connect(url, { token: 'another-token-for-tests-0123456789' })).rejects.toThrow();
    expect(server.sessions()).toBe(0);
  });
});

test('two concurrent clients have separate servers, each with its own results and questions', {
  tags: ['slow'],
}, async () => {
  const { url, server } = await serveOverHttp({
    overlay: (built) => {
      built.registerTool(
        'ask',
        { inputSchema: fromJsonSchema<{ word: string }>({ type: 'object', properties: { word: { type: 'string' } } }) },
        async ({ word }) => {
          const answer = await built.server.elicitInput({
            message: word,
            requestedSchema: { type: 'object', properties: { back: { type: 'string' } } },
          });
          return { content: [{ type: 'text', text: `${word} ${answer.content?.back}` }] };
        },
      );
    },
  });
  const [, [, legacy] = []] = clients as [unknown, [string, Connect]];
  const connectOne = (name: string) =>
    (legacy as Connect)(url, {
      onForm: (message) => ({ action: 'accept', content: { back: `${message} answered by ${name}` } }),
    });
  const [a, b] = await Promise.all([connectOne('a'), connectOne('b')]);
  expect(server.sessions()).toBe(2);
  const ask = async (client: typeof a, word: string) => {
    const { content } = await client.callTool({ name: 'ask', arguments: { word } });
    return (content as { text: string }[])[0]?.text;
  };
  const words = Array.from({ length: 10 }, (_, index) => `w${index}`);
  const answers = await Promise.all(words.flatMap((word) => [ask(a, word), ask(b, word)]));
  expect(answers).toEqual(words.flatMap((word) => [`${word} ${word} answered by a`, `${word} ${word} answered by b`]));
});
