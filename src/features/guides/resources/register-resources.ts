/** Registers the resources with the SDK. Nothing is read or loaded before the first request. */

import {
  type McpServer,
  ProtocolError,
  ProtocolErrorCode,
  ResourceNotFoundError,
  ResourceTemplate,
} from '@modelcontextprotocol/server';
import { ExpectedError } from '../../../core/errors.ts';
import { log, orElse } from '../../../core/log.ts';
import { viewMimeType, viewTemplate } from '../../../core/mcp/tool.ts';
import type { Toolset } from '../../../core/settings/config.ts';
import type { GuideDeps } from '../completion.ts';

/** The one resource that changes without a call. */
export const recentEventsUri = 'events://recent';

export function registerResources(server: McpServer, deps: GuideDeps): void {
  serveSubscriptions(server, deps);
  const read = async (uri: URL) => {
    // Uses the URI as the client wrote it: a ticker can have upper and lower case, which a parsed host name loses.
    const found = await deps.readResource(uri.href).catch(failPlainly);
    if (!found) throw new ResourceNotFoundError(uri.href);
    const { note, ...content } = found;
    const notes = note === undefined ? [] : [{ uri: uri.href, mimeType: 'text/plain', text: note }];
    return { contents: [...notes, { uri: uri.href, ...content }] };
  };
  for (const resource of resources.flatMap((one) => ofAccounts(one, deps.accounts))) {
    if (resource.toolset && !deps.config.toolsets.includes(resource.toolset)) continue;
    const { name, uri, toolset: _, isOfAccount: _ofAccount, ...facts } = resource;
    if (isTemplate(resource)) server.registerResource(name, createTemplate(resource, deps), facts, read);
    else server.registerResource(name, uri, facts, read);
  }
  // A template keeps the views out of resources/list: a model that reads one gets thousands of tokens of HTML. Hosts
  // find them in `_meta.ui.resourceUri` of the tools.
  const facts = { title: 'Views for hosts that show MCP Apps', mimeType: viewMimeType };
  server.registerResource('view', new ResourceTemplate(viewTemplate, { list: undefined }), facts, read);
}

/** Notifies a client that subscribed to the events, until it unsubscribes or is gone. */
function serveSubscriptions(server: McpServer, { followEvents }: GuideDeps): void {
  let following: AbortController | undefined;
  const requireEvents = (uri: string) => {
    if (uri !== recentEventsUri) throw new ResourceNotFoundError(uri);
  };
  const stop = () => {
    following?.abort();
    following = undefined;
  };
  server.server.setRequestHandler('resources/subscribe', ({ params }) => {
    requireEvents(params.uri);
    if (following) return {};
    following = new AbortController();
    const notify = () => server.server.sendResourceUpdated({ uri: recentEventsUri }).catch(stop);
    void followEvents(() => void notify(), following.signal).catch(orElse('follow the events', undefined));
    return {};
  });
  server.server.setRequestHandler('resources/unsubscribe', ({ params }) => {
    requireEvents(params.uri);
    stop();
    return {};
  });
}

/** With several accounts: the resource of all of them, and that of each. A template takes the name as a variable. */
function ofAccounts(resource: ResourceDefinition, accounts: readonly string[] = []): readonly ResourceDefinition[] {
  if (!resource.isOfAccount || accounts.length === 0) return [resource];
  const { name, uri, title } = resource;
  const toOne = (account: string, shown: string): ResourceDefinition => ({
    ...resource,
    name: `${name}-${shown}`,
    uri: uri.replace('://', `://${account}/`),
    title: `${title}: ${shown}`,
  });
  const each = isTemplate(resource) ? [toOne('{account}', 'account')] : accounts.map((one) => toOne(one, one));
  return [{ ...resource, title: `${title}: all accounts` }, ...each];
}

function createTemplate(resource: ResourceDefinition, deps: GuideDeps): ResourceTemplate {
  const { name, uri, mimeType } = resource;
  const beginning = (all: readonly string[]) => (value: string) => all.filter((one) => one.startsWith(value));
  switch (name) {
    case 'history':
    case 'history-account':
      return new ResourceTemplate(uri, {
        list: undefined,
        complete: {
          ...(name === 'history-account' && { account: beginning(deps.accounts ?? []) }),
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

// The resources as plain data, which a start needs. Each repeats what a tool returns, because many hosts show tools
// only.

interface ResourceDefinition {
  readonly name: string;
  /** A URI, or a template with `{variables}`. */
  readonly uri: string;
  readonly title: string;
  readonly description: string;
  readonly mimeType: string;
  /** The resource is left out when this toolset is disabled; undefined means always listed. */
  readonly toolset?: Toolset;
  /** Set where each account has one of its own. */
  readonly isOfAccount?: true;
}

const json = 'application/json';
const markdown = 'text/markdown';

export const resources: readonly ResourceDefinition[] = [
  {
    name: 'account-summary',
    uri: 'account://summary',
    title: 'Account summary',
    description: 'Cash, investments and total value, as returned by get_account_summary.',
    mimeType: json,
    toolset: 'account',
    isOfAccount: true,
  },
  {
    name: 'positions',
    uri: 'portfolio://positions',
    title: 'Open positions',
    description: 'Holdings, largest first, as returned by list_positions.',
    mimeType: json,
    toolset: 'account',
    isOfAccount: true,
  },
  {
    name: 'pending-orders',
    uri: 'orders://pending',
    title: 'Pending orders',
    description: 'Orders that are neither filled nor ended, as returned by list_orders.',
    mimeType: json,
    toolset: 'orders',
    isOfAccount: true,
  },
  {
    name: 'draft',
    uri: 'draft://{draftId}',
    title: 'A draft of orders',
    description: 'The legs of a draft with estimates, checks and edits, as returned by list_drafts.',
    mimeType: json,
    toolset: 'drafting',
  },
  {
    name: 'events-recent',
    uri: recentEventsUri,
    title: 'Events of the watches',
    description:
      'Orders, dividends, halts and prices that were reported in a week, newest first; can be subscribed to.',
    mimeType: json,
  },
  {
    name: 'audit-today',
    uri: 'audit://today',
    title: 'Audit trail of today',
    description: 'Orders, approvals, refusals, outcomes and halts since midnight UTC, newest first, in pages.',
    mimeType: json,
  },
  {
    // The SDK finds a URI that is no template only without a query.
    name: 'audit-page',
    uri: 'audit://today{?before}',
    title: 'Earlier events of today',
    description: 'The next page of audit://today; nextUri has its URI.',
    mimeType: json,
  },
  {
    name: 'guide-orders',
    uri: 'guide://orders',
    title: 'How orders are placed',
    description: 'Outcomes, approval, repeated orders, and what to do when a response is lost.',
    mimeType: markdown,
  },
  {
    name: 'guide-limits',
    uri: 'guide://limits',
    title: 'Rate limits and history',
    description: 'Rate limit of each endpoint, and how the local history is stored.',
    mimeType: markdown,
  },
  {
    name: 'history',
    uri: 'history://{kind}/{year}',
    title: 'A year of history',
    description:
      'Orders, dividends or transactions of a calendar year in timeZone (the tax zone), newest first, as returned by fetch_history; nextUri has the next page.',
    mimeType: json,
    toolset: 'history',
    isOfAccount: true,
  },
  {
    name: 'instrument',
    uri: 'instrument://{ticker}',
    title: 'An instrument',
    description: 'Name, type, ISIN and currency of an exact ticker; find the ticker with search_instruments.',
    mimeType: json,
    toolset: 'instruments',
  },
  {
    name: 'export',
    uri: 'export://{reportId}',
    title: 'A downloaded CSV report',
    description:
      'The file saved by download_export, in pages; cells that a spreadsheet would run as formulas are marked.',
    mimeType: 'text/csv',
    toolset: 'exports',
  },
];

const isTemplate = ({ uri }: ResourceDefinition): boolean => uri.includes('{');
