/** Registers the resources with the SDK. Nothing is read or loaded before the first request. */
import {
  type McpServer,
  ProtocolError,
  ProtocolErrorCode,
  ResourceNotFoundError,
  ResourceTemplate,
} from '@modelcontextprotocol/server';
import { ExpectedError } from '../../../core/errors.ts';
import { log } from '../../../core/log.ts';
import { viewMimeType, viewTemplate } from '../../../core/mcp/view-names.ts';
import type { GuideDeps } from '../guide-deps.ts';
import { isTemplate, type ResourceDefinition, resources } from './resource-definitions.ts';

export function registerResources(server: McpServer, deps: GuideDeps): void {
  const read = async (uri: URL) => {
    // Uses the URI as the client wrote it: a ticker can have upper and lower case, which a parsed host name loses.
    const found = await deps.readResource(uri.href).catch(failPlainly);
    if (!found) throw new ResourceNotFoundError(uri.href);
    const { note, ...content } = found;
    const notes = note === undefined ? [] : [{ uri: uri.href, mimeType: 'text/plain', text: note }];
    return { contents: [...notes, { uri: uri.href, ...content }] };
  };
  for (const resource of resources) {
    if (resource.toolset && !deps.config.toolsets.includes(resource.toolset)) continue;
    const { name, uri, toolset: _, ...facts } = resource;
    if (isTemplate(resource)) server.registerResource(name, createTemplate(resource, deps), facts, read);
    else server.registerResource(name, uri, facts, read);
  }
  // A template keeps the views out of resources/list: a model that reads one gets thousands of tokens of HTML. Hosts
  // find them in `_meta.ui.resourceUri` of the tools.
  const facts = { title: 'Views for hosts that show MCP Apps', mimeType: viewMimeType };
  server.registerResource('view', new ResourceTemplate(viewTemplate, { list: undefined }), facts, read);
}

function createTemplate(resource: ResourceDefinition, deps: GuideDeps): ResourceTemplate {
  const { name, uri, mimeType } = resource;
  const beginning = (all: readonly string[]) => (value: string) => all.filter((one) => one.startsWith(value));
  switch (name) {
    case 'history':
      return new ResourceTemplate(uri, {
        list: undefined,
        complete: {
          kind: beginning(['orders', 'dividends', 'transactions']),
          year: (value) => deps.complete('year', value),
        },
      });
    case 'instrument':
      return new ResourceTemplate(uri, {
        list: undefined,
        complete: { ticker: (value) => deps.complete('ticker', value) },
      });
    // The drafts are in the tool list_drafts: listing them here would open the store at each start of a client.
    case 'draft':
    case 'audit-page':
      return new ResourceTemplate(uri, { list: undefined });
    default:
      return new ResourceTemplate(uri, {
        complete: { reportId: async (value) => beginning(await deps.listExports())(value) },
        list: async () => ({
          resources: (await deps.listExports()).map((reportId) => ({
            name: `report ${reportId}`,
            uri: `export://${reportId}`,
            mimeType,
          })),
        }),
      });
  }
}

/** The SDK sends the message of an error to the client, and a fault can contain anything. */
function failPlainly(error: unknown): never {
  if (error instanceof ExpectedError || error instanceof ProtocolError) throw error;
  log.fault('read a resource', error);
  throw new ProtocolError(ProtocolErrorCode.InternalError, 'An error in brokerage-mcp itself ended the request.');
}
