/** A server in this process, with what serving on standard input gives it, and a client that speaks to it. */
import { Client } from '@modelcontextprotocol/client';
import { InMemoryTransport } from '@modelcontextprotocol/server';
import { onTestFinished } from 'vitest';
import { createLazyToolRuntime } from '../../src/app/lazy-tool-runtime.ts';
import { serve } from '../../src/core/mcp/mcp-server.ts';
import { readConfigs } from '../../src/core/settings/config.ts';
import { testTerminal } from './command.ts';
import { listing } from './setup.ts';
import { type Served, servedBy } from './stdio-server.ts';

export async function startServerHere(env: Readonly<Record<string, string>>): Promise<Omit<Served, 'kill'>> {
  const terminal = testTerminal({ env });
  const configs = readConfigs({}, terminal);
  const [config] = configs;
  const { parts, started } = createLazyToolRuntime(configs, terminal);
  const [serverSide, clientSide] = InMemoryTransport.createLinkedPair();
  const handle = serve(
    { ...parts, config, version: '0.0.0-test', listing: await listing() },
    { onError: () => undefined, transport: serverSide },
  );
  const client = new Client({ name: 'host', version: '1' });
  await client.connect(clientSide);
  onTestFinished(async () => {
    await client.close();
    await handle.close();
    await (await started())?.close();
  });
  return servedBy(client);
}
