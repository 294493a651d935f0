/** Clients of revision 2026-07-28 listen to the events by a stream, over HTTP and over standard input. */
// @module-tag server
import { Client, type ClientOptions } from '@modelcontextprotocol/client';
import { InMemoryTransport } from '@modelcontextprotocol/server';
import { expect, onTestFinished, test } from 'vitest';
import { serve } from '../../../src/core/mcp/mcp-server.ts';
import { type Connect, clients, serveOverHttp } from '../../support/http.ts';
import { type Setup, servedParts, setup } from '../../support/setup.ts';
import { halt } from './support.ts';

const uri = 'events://recent';
const [[, connect]] = clients as unknown as [readonly [string, Connect]];

const overHttp = async (made: Setup, limits = {}) =>
  (await serveOverHttp({ parts: await servedParts(made), limits })).url;

/** The wire of standard input carries the same messages one by one. */
async function overWire(made: Setup): Promise<Client> {
  const [serverSide, clientSide] = InMemoryTransport.createLinkedPair();
  const handle = serve(await servedParts(made), { onError: () => undefined, transport: serverSide });
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode: 'auto' } } as ClientOptions);
  await client.connect(clientSide);
  onTestFinished(async () => {
    await client.close();
    await handle.close();
  });
  return client;
}

/** What a watch of another process does. */
async function keeper({ composed }: Setup) {
  const { store } = composed.watching.connect([], async () => ({ isError: true, text: '', body: {} })).delivery;
  const account = await composed.watching.accountKey();
  return (key: string) => {
    const now = composed.services.clock.now();
    return store.change((tx) => tx.insertEvent(account, { event: halt(key, now), foundAt: now }));
  };
}

const collect = (client: Client) => {
  const updated: string[] = [];
  client.setNotificationHandler('notifications/resources/updated', ({ params }) => void updated.push(params.uri));
  return updated;
};

test.each([
  ['HTTP', async (made: Setup) => connect(await overHttp(made))],
  ['standard input', overWire],
])('over %s each event is a notification, until the client closes its stream', async (name, open) => {
  const made = await setup();
  const { clock } = made;
  clock.jumps = false;
  const keep = await keeper(made);
  await keep('halt:before');
  const client = await open(made);
  const updated = collect(client);
  expect(clock.sleepers).toBe(0);
  const stream = await client.listen({ resourceSubscriptions: [uri] });
  await expect.poll(() => clock.sleepers).toBe(1);
  await clock.advance(10_000);
  expect(updated).toEqual([]);
  for (const count of [1, 2]) {
    await keep(`halt:${count}`);
    await clock.advance(2_000);
    await expect.poll(() => updated).toEqual(Array.from({ length: count }, () => uri));
  }
  await stream.close();
  await keep('halt:3');
  // Without a stream over HTTP the store is not read any more.
  if (name === 'HTTP') await expect.poll(() => clock.sleepers).toBe(0);
  await clock.advance(10_000);
  expect(updated).toHaveLength(2);
});

test('the end of a connection of standard input ends the reads of the store', async () => {
  const made = await setup();
  made.clock.jumps = false;
  const client = await overWire(made);
  await client.listen({ resourceSubscriptions: [uri] });
  await expect.poll(() => made.clock.sleepers).toBe(1);
  await client.close();
  await expect.poll(() => made.clock.sleepers).toBe(0);
});

test('a client that listens to another resource is refused nothing, and the store is not read for it', async () => {
  const made = await setup();
  made.clock.jumps = false;
  const client = await overWire(made);
  await client.listen({ resourceSubscriptions: ['account://summary'] });
  await client.readResource({ uri });
  expect(made.clock.sleepers).toBe(0);
});

test('streams of one server are bounded, and take no place of a call', async () => {
  const made = await setup();
  made.clock.jumps = false;
  const client = await connect(await overHttp(made, { sessions: 2, calls: 1 }));
  for (let count = 0; count < 2; count++) await client.listen({ resourceSubscriptions: [uri] });
  await expect(client.listen({ resourceSubscriptions: [uri] })).rejects.toMatchObject({ code: -32_603 });
  expect((await client.callTool({ name: 'get_server_status', arguments: {} })).isError).not.toBe(true);
});
