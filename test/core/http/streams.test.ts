/** Streams: they send heartbeats, contain only their own responses, and a lost one starts nothing again. */
// @module-tag server
import { connect } from 'node:net';
import { Client } from '@modelcontextprotocol/client';
import type { Client as OlderClient } from '@modelcontextprotocol/sdk/client/index.js';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type Connect, clients, type OverHttp, rawRequest, serveOverHttp, token } from '../../support/http.ts';
import { createLatch } from './latch.ts';

const meta = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 't', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
};

/** A call of 2026-07-28 by hand; everything received is kept. */
function callByHand({ port }: OverHttp, accept = 'application/json, text/event-stream') {
  const params = { name: 'get_server_status', arguments: {}, _meta: meta };
  const body = JSON.stringify({ jsonrpc: '2.0', id: 7, method: 'tools/call', params });
  const socket = connect(port, '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  let text = '';
  socket
    .on('error', () => undefined)
    .on('data', (piece) => {
      text += piece.toString();
    });
  const headers = {
    host: `127.0.0.1:${port}`,
    authorization: `Bearer ${token}`,
    'content-type': 'application/json',
    accept,
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': 'tools/call',
    'mcp-name': 'get_server_status',
  };
  socket.write(rawRequest('POST /mcp', headers, body));
  return { socket, text: () => text };
}

/** The older SDK takes a schema in the place of the options. */
async function callUntil(client: Client, signal: AbortSignal) {
  const params = { name: 'get_server_status', arguments: {} };
  if (client instanceof Client) return client.callTool(params, { signal });
  return (client as unknown as OlderClient).callTool(params, undefined, { signal });
}

const signOfLifeMs = 30;

test('a long call becomes a stream with heartbeats, and its result comes last', async () => {
  const latch = createLatch();
  const over = await serveOverHttp({ parts: { run: latch.run }, limits: { signOfLifeMs } });
  const { text } = callByHand(over);
  await expect.poll(() => text().split(': still here').length).toBeGreaterThan(2);
  expect(text()).toContain('content-type: text/event-stream');
  expect(text()).not.toContain('data:');
  latch.open();
  await expect.poll(() => text()).toMatch(/event: message\ndata: .*"id":7.*\n\n/);
  expect(text().match(/"id":7/g)).toHaveLength(1);
});

test('a client that accepts no streams gets its result as JSON, however long it takes', async () => {
  const latch = createLatch();
  const over = await serveOverHttp({ parts: { run: latch.run }, limits: { signOfLifeMs: 5 } });
  const { text } = callByHand(over, 'application/json');
  await latch.entered(1);
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(text()).toBe('');
  latch.open();
  await expect.poll(() => text()).toMatch(/content-type: application\/json[\s\S]*"id":7/);
});

test('a client of 2026-07-28 that disconnects cancels its call, and the call runs once', async () => {
  const latch = createLatch();
  const over = await serveOverHttp({ parts: { run: latch.run } });
  const { socket } = callByHand(over);
  await latch.entered(1);
  socket.destroy();
  await expect.poll(() => latch.signals[0]?.aborted).toBe(true);
  latch.open();
  expect(latch.signals).toHaveLength(1);
});

describe.each(clients)('%s', (_, open) => {
  test('survives a call that is silent for longer than proxies wait', async () => {
    const latch = createLatch();
    const over = await serveOverHttp({ parts: { run: latch.run }, limits: { signOfLifeMs } });
    const client = await (open as Connect)(over.url);
    const call = client.callTool({ name: 'get_server_status', arguments: {} });
    await latch.entered(1);
    await new Promise((resolve) => setTimeout(resolve, 4 * signOfLifeMs));
    latch.open();
    expect(await call).toMatchObject({ content: [{ text: '{}' }] });
    expect(latch.signals).toHaveLength(1);
  });

  test('gives up a call: the call ends, and its place is free for the next', async () => {
    const latch = createLatch();
    const over = await serveOverHttp({ parts: { run: latch.run }, limits: { calls: 1 } });
    const client = await (open as Connect)(over.url);
    const patience = new AbortController();
    const given = callUntil(client, patience.signal).catch((error: Error) => error);
    await latch.entered(1);
    patience.abort();
    expect(await given).toBeInstanceOf(Error);
    await expect.poll(() => latch.signals[0]?.aborted).toBe(true);
    latch.open();
    expect(await client.callTool({ name: 'get_server_status', arguments: {} })).toMatchObject({
      content: [{ text: '{}' }],
    });
    expect(latch.signals).toHaveLength(2);
  });

  test('loses its connection in mid-call: the call is not run again automatically', async () => {
    const latch = createLatch();
    const over = await serveOverHttp({ parts: { run: latch.run } });
    const client = await (open as Connect)(over.url);
    const call = client.callTool({ name: 'get_server_status', arguments: {} }).catch((error: Error) => error);
    await latch.entered(1);
    await over.server.close();
    latch.open();
    await client.close();
    expect(await call).toBeInstanceOf(Error);
    expect(latch.signals).toHaveLength(1);
  });
});
