/** A malformed request gets one sentence, and never a dump of the schema library. */
// @module-tag server
import { InMemoryTransport } from '@modelcontextprotocol/server';
import { expect, onTestFinished, test } from 'vitest';
import { serve } from '../../../src/core/mcp/mcp-server.ts';
import { servedParts, setup } from '../../support/setup.ts';

const initialize = {
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'raw', version: '1' } },
};

const wrong: [string, unknown, string][] = [
  ['tools/call', { name: 5 }, 'params.name'],
  ['tools/call', {}, 'params.name'],
  ['tools/call', { name: 'list_positions', arguments: 'x' }, 'params.arguments'],
  ['tools/list', { cursor: 5 }, 'params.cursor'],
  ['resources/read', { uri: 5 }, 'params.uri'],
  ['prompts/get', { name: 5 }, 'params.name'],
  ['prompts/get', { name: 'tax_year_pack', arguments: { taxYear: 5 } }, 'params.arguments.taxYear'],
  ['completion/complete', { ref: 5 }, 'params.ref'],
  [
    'completion/complete',
    { ref: { type: 'ref/prompt', name: 'tax_year_pack' }, argument: { name: 'taxYear', value: 5 } },
    'params.argument.value',
  ],
  ['initialize', { x: 1 }, 'params.protocolVersion'],
];

test.each(wrong)('%s with %j names the invalid argument', async (method, params, path) => {
  const [serverSide, clientSide] = InMemoryTransport.createLinkedPair();
  const handle = serve(await servedParts(await setup()), { onError: () => undefined, transport: serverSide });
  onTestFinished(() => handle.close());
  await clientSide.start();
  const ask = (id: number, request: object) =>
    new Promise<unknown>((resolve) => {
      clientSide.onmessage = (message) => 'id' in message && message.id === id && resolve(message);
      void clientSide.send({ jsonrpc: '2.0', id, ...request } as never);
    });
  await ask(1, initialize);
  await clientSide.send({ jsonrpc: '2.0', method: 'notifications/initialized' });
  expect(await ask(2, { method, params })).toEqual({
    jsonrpc: '2.0',
    id: 2,
    error: { code: -32_602, message: `The request is not valid: ${path} is missing or has the wrong type.` },
  });
});
