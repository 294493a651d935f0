/**
 * Reads the text of a resource. A resource with the content of a tool result calls that tool through the same pipeline.
 */
import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import { sanitizeDeep } from '../../sanitize-text.ts';
import { runTool } from '../run-tool.ts';
import type { Services, ToolDefinition } from '../tool.ts';
import { type ViewName, viewMimeType, viewNameIn } from '../view-names.ts';
import { readAudit } from './audit-resource.ts';
import { limitsGuide, ordersGuide } from './guides.ts';

/** The content of a resource, with its MIME type. */
export interface ResourceText {
  readonly mimeType: string;
  readonly text: string;
}

/** Maximum pages that a year of a busy account needs. */
const maxParts = 160;
const timeoutMs = 10_000;

const json = (text: string): ResourceText => ({ mimeType: 'application/json', text });

/**
 * Returns the text of a resource; undefined when it does not exist. Throws an error with the service's message in one
 * sentence.
 */
export async function readResource(
  uri: string,
  services: Services,
  tools: readonly ToolDefinition[],
  view: (name: ViewName) => Promise<string | undefined>,
): Promise<ResourceText | undefined> {
  const ask = async (name: string, args: object = {}): Promise<Record<string, unknown>> => {
    const result = await runTool(tools, name, args, services, { signal: new AbortController().signal });
    if (!result.isError) return result.body;
    throw new ProtocolError(ProtocolErrorCode.InternalError, `${result.body.message} ${result.body.next}`);
  };
  const answer = async (name: string, args: object = {}) => json(JSON.stringify(await ask(name, args)));

  const [, scheme = '', rest = ''] = /^([a-z]+):\/\/(.*)$/.exec(uri) ?? [];
  const decoded = decode(rest);
  switch (scheme) {
    case 'account':
      return rest === 'summary' ? answer('get_account_summary') : undefined;
    case 'portfolio':
      return rest === 'positions' ? answer('list_positions') : undefined;
    case 'orders':
      return rest === 'pending' ? answer('list_orders') : undefined;
    case 'draft':
      return answer('list_drafts', { draftId: rest });
    case 'audit':
      return rest === 'today' ? json(await readAudit(services)) : undefined;
    case 'guide':
      if (rest === 'orders') return { mimeType: 'text/markdown', text: ordersGuide };
      return rest === 'limits' ? { mimeType: 'text/markdown', text: limitsGuide() } : undefined;
    case 'history':
      return readYear(decoded.split('/'), ask);
    case 'instrument':
      return readInstrument(decoded, services);
    case 'export': {
      const text = await services.exports.read(rest);
      return text === undefined ? undefined : { mimeType: 'text/csv', text };
    }
    case 'ui': {
      const name = viewNameIn(uri);
      const text = name && (await view(name));
      return text === undefined ? undefined : { mimeType: viewMimeType, text };
    }
    default:
      return undefined;
  }
}

/** Throws when the text is not percent-encoded UTF-8. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // A % of it begins no encoded character.
    throw new ProtocolError(
      ProtocolErrorCode.InvalidParams,
      'The URI of this resource has a % that does not begin an encoded character. Write a % in a name as %25.',
    );
  }
}

/** Joins all pages of a year into one document, which is complete when the history is. */
async function readYear(
  [kind = '', year = '', ...more]: readonly string[],
  ask: (name: string, args: object) => Promise<Record<string, unknown>>,
): Promise<ResourceText | undefined> {
  if (!['orders', 'dividends', 'transactions'].includes(kind) || !/^(19|20)\d\d$/.test(year) || more.length > 0)
    return undefined;
  const range = { kind, since: `${year}-01-01`, until: `${Number(year) + 1}-01-01`, limit: 500 };
  const rows: unknown[] = [];
  let part = await ask('fetch_history', range);
  for (let count = 1; ; count++) {
    rows.push(...(part.rows as unknown[]));
    if (part.complete !== true || part.nextCursor === undefined || count >= maxParts) break;
    part = await ask('fetch_history', { ...range, cursor: part.nextCursor });
  }
  return json(JSON.stringify({ ...part, rows }));
}

async function readInstrument(
  ticker: string,
  { config, clock, directory }: Services,
): Promise<ResourceText | undefined> {
  const { index, answeredAt } = await directory.search({ priority: 'read', deadlineAt: clock.now() + timeoutMs });
  const found = index.byTicker(ticker);
  if (!found) return undefined;
  return json(
    JSON.stringify(sanitizeDeep({ env: config.environment, asOf: new Date(answeredAt).toISOString(), ...found })),
  );
}
