/**
 * Reads the text of a resource. A resource with the content of a tool result calls that tool through the same pipeline.
 */

import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import { type Clock, dayMs } from '../../../core/clock.ts';
import { type Endpoint, endpoints } from '../../../core/endpoints/index.ts';
import type { InstrumentDirectory } from '../../../core/instruments/instrument-directory.ts';
import type { ToolResult } from '../../../core/mcp/run-tool.ts';
import { type ViewName, viewMimeType, viewNameIn } from '../../../core/mcp/tool.ts';
import { countFitting, hostLength, maxCharacters } from '../../../core/mcp/tool-result.ts';
import type { Config } from '../../../core/settings/config.ts';
import type { AuditEntry, AuditTrail } from '../../../core/store/audit-table.ts';
import { countOf } from '../../../core/text/count-of.ts';
import { toIsoTimestamp } from '../../../core/text/dates.ts';
import { sanitizeDeep } from '../../../core/text/sanitize-text.ts';
import type { ExportFiles } from '../../reports/export-files.ts';

/** The content of a resource, with its MIME type. */
export interface ResourceText {
  readonly mimeType: string;
  readonly text: string;
  /** What a reader must know first, and the format cannot say. */
  readonly note?: string;
}

interface ReadResourceDeps {
  readonly config: Pick<Config, 'environment'>;
  readonly clock: Clock;
  readonly directory: InstrumentDirectory;
  readonly audit: AuditTrail;
  readonly exports: Pick<ExportFiles, 'read'>;
  /** The names of the accounts, where there are several: a URI can begin with one. */
  readonly accounts?: readonly string[] | undefined;
  readonly callTool: (name: string, args: object) => Promise<ToolResult>;
  /** The newest events of the watches, as JSON. */
  readonly readEvents: () => Promise<string>;
  /** Returns the page of a view; undefined when it was not built. */
  readonly view: (name: ViewName) => Promise<string | undefined>;
}

const timeoutMs = 10_000;
const yearShape = /^(orders|dividends|transactions)\/((?:19|20)\d\d)(?:\?cursor=([\w.-]{1,540}))?$/;
const draftShape = /^[0-9a-f]{16}$/;
/** A ticker of any service; a longer one is unknown without a search. */
const tickerShape = /^[\w.&/-]{1,64}$/;

const json = (text: string): ResourceText => ({ mimeType: 'application/json', text });

/**
 * Returns the text of a resource; undefined when it does not exist. Throws an error with the service's message in one
 * sentence.
 */
export async function readResource(uri: string, deps: ReadResourceDeps): Promise<ResourceText | undefined> {
  const [, scheme = '', path = ''] = /^([a-z]+):\/\/(.*)$/.exec(uri) ?? [];
  const { account, rest } = splitAccount(scheme, path, deps.accounts);
  const ask: Ask = async (name, args = {}) => {
    const result = await deps.callTool(name, account === undefined ? args : { ...args, account });
    if (!result.isError) return result.body;
    if (result.body.code === 'not_found') return undefined;
    throw toResourceError(uri, result.body);
  };
  const answer = async (name: string, args: object = {}) => {
    const body = await ask(name, args);
    if (body?.nextCursor === undefined) return body && json(JSON.stringify(body));
    const continued = `The tool ${name} returns the next page; send it nextCursor as cursor.`;
    return json(JSON.stringify({ ...body, note: [body.note, continued].filter(Boolean).join(' ') }));
  };

  const decoded = decode(rest);
  switch (scheme) {
    case 'account':
      return rest === 'summary' ? answer('get_account_summary') : undefined;
    case 'portfolio':
      return rest === 'positions' ? answer('list_positions') : undefined;
    case 'orders':
      return rest === 'pending' ? answer('list_orders') : undefined;
    case 'draft':
      return draftShape.test(rest) ? answer('list_drafts', { draftId: rest }) : undefined;
    case 'audit':
      return readToday(rest, deps);
    case 'events':
      return rest === 'recent' ? json(await deps.readEvents()) : undefined;
    case 'guide':
      if (rest === 'orders') return { mimeType: 'text/markdown', text: ordersGuide };
      return rest === 'limits' ? { mimeType: 'text/markdown', text: limitsGuide() } : undefined;
    case 'history':
      return readYear(decoded, account, ask);
    case 'instrument':
      return tickerShape.test(decoded) ? readInstrument(decoded, deps) : undefined;
    case 'export':
      return readExport(rest, deps);
    case 'ui': {
      const name = viewNameIn(uri);
      const text = name && (await deps.view(name));
      return text === undefined ? undefined : { mimeType: viewMimeType, text };
    }
    default:
      return undefined;
  }
}

/** How many parts the path of a resource of an account has, without the name of the account. */
const partsOfAccount: Readonly<Record<string, number>> = { account: 1, portfolio: 1, orders: 1, history: 2 };

/** Takes the name of an account from the beginning of a path; without one, the resource is of all accounts. */
function splitAccount(scheme: string, path: string, accounts: readonly string[] = []) {
  const [first = '', ...others] = path.split('/');
  return accounts.includes(first) && others.length === partsOfAccount[scheme]
    ? { account: first, rest: others.join('/') }
    : { account: undefined, rest: path };
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

/** Asks a tool. Undefined when what the address names does not exist. */
type Ask = (name: string, args?: object) => Promise<Record<string, unknown> | undefined>;

/** The error of a tool without what it says of tools and their arguments, which the reader of a resource did not use. */
const failedText =
  'An error in brokerage-mcp itself ended the request. Read the resource again; if the error persists, report its URI.';

function toResourceError(uri: string, { code, message, next }: Record<string, unknown>): Error {
  if (code === 'invalid_argument')
    return new ProtocolError(
      ProtocolErrorCode.InvalidParams,
      'The resource has no such page. Read its URI without what follows the question mark.',
      { uri },
    );
  const text = code === 'internal' ? failedText : `${message} ${next}`;
  return new ProtocolError(ProtocolErrorCode.InternalError, text);
}

/** One page of a year, newest row first. */
async function readYear(path: string, account: string | undefined, ask: Ask): Promise<ResourceText | undefined> {
  const [, kind, year, cursor] = yearShape.exec(path) ?? [];
  if (kind === undefined || year === undefined) return undefined;
  const range = { kind, since: `${year}-01-01`, until: `${Number(year) + 1}-01-01`, ...(cursor && { cursor }) };
  for (let limit = 500; ; ) {
    const found = await ask('fetch_history', { ...range, limit });
    if (!found) return undefined;
    const { nextCursor, note, ...part } = found;
    const rows = part.rows as readonly unknown[];
    const nextUri =
      nextCursor === undefined
        ? undefined
        : `history://${account === undefined ? '' : `${account}/`}${kind}/${year}?cursor=${nextCursor}`;
    const head = continuation(nextUri, countOf(rows.length, 'row'));
    // Some hosts read only the URIs that resources/list has.
    const elsewhere = head.note && 'The tool fetch_history has the same rows.';
    const notes = [head.note, elsewhere, note].filter((one) => one !== undefined).join(' ');
    const text = JSON.stringify({ ...head, ...(notes === '' ? {} : { note: notes }), ...part });
    const length = hostLength(text, 'page');
    if (length <= maxCharacters || rows.length <= 1) return json(text);
    limit = Math.max(1, Math.min(rows.length - 1, Math.floor((rows.length * maxCharacters) / length)));
  }
}

/** Rows of a saved report. Its format has no place for a link, so a note comes before them. */
async function readExport(rest: string, { exports }: ReadResourceDeps): Promise<ResourceText | undefined> {
  const [, reportId, from = '0'] = /^(\d{1,19})(?:\?from=(\d{1,12}))?$/.exec(rest) ?? [];
  if (reportId === undefined) return undefined;
  for (let most = maxCharacters; ; ) {
    const part = await exports.read(reportId, Number(from), most);
    if (!part) return undefined;
    const length = hostLength(part.text, 'page');
    if (length > maxCharacters && most > 1) {
      most = Math.max(1, Math.min(most - 1, Math.floor((most * maxCharacters) / length)));
      continue;
    }
    const csv = { mimeType: 'text/csv', text: part.text };
    if (part.next === undefined) return csv;
    return {
      ...csv,
      note: `This page is a part of the file. Read export://${reportId}?from=${part.next} for the next page.`,
    };
  }
}

async function readToday(rest: string, deps: ReadResourceDeps): Promise<ResourceText | undefined> {
  const found = /^today(?:\?before=(\d{1,15}))?$/.exec(rest);
  return found ? json(await readAudit(deps, found[1] === undefined ? undefined : Number(found[1]))) : undefined;
}

async function readInstrument(
  ticker: string,
  { config, clock, directory }: ReadResourceDeps,
): Promise<ResourceText | undefined> {
  const { byTicker, answeredAt } = await directory.instruments({
    priority: 'read',
    deadlineAt: clock.now() + timeoutMs,
  });
  const found = byTicker(ticker);
  if (!found) return undefined;
  return json(
    JSON.stringify(sanitizeDeep({ env: config.environment, asOf: new Date(answeredAt).toISOString(), ...found })),
  );
}

// The two guides for people and models to read before they act.

const ordersGuide = `# How orders are placed

1. \`search_instruments\` returns the exact ticker. Prices are in the instrument's currency; GBX is pence, a hundredth of a pound.
2. \`preview_order\` checks an order and estimates its cost. It sends nothing.
3. Each call to a \`place_…\` tool is one order. \`side\` sets the direction; \`quantity\` is positive.
4. In live, a person approves each order; until then the outcome is \`pending_approval\`, and \`get_order\` with the intentId and \`waitSeconds\` follows it.

| outcome | does an order exist? | next step |
|---|---|---|
| placed | yes | follow it to the fill with \`get_order\` |
| pending_approval | not yet | a person decides; the approval expires after two minutes |
| declined, expired, refused, rejected, not_sent | no | read \`rule\`, \`reason\` or \`message\` |
| unknown | perhaps | do not place it again; call \`get_order\` with the intentId, which searches for it |

An identical order is treated as a repetition while the first one waits, is unknown or is still pending, and within ten minutes after it was sent unless it is known to have ended without a fill: the tool returns the first one with \`coalesced\` and sends nothing. To place a second one on purpose, send \`repeatOf\` with the first one's intentId.

\`cancel_order\` requests cancellation; the order can still fill before it takes effect.
`;

/** Returns the rate limits of the specification, read from the endpoint definitions. */
function limitsGuide(): string {
  const rows = Object.values<Endpoint>(endpoints).flatMap(({ method, path, limit }) =>
    limit ? [`| ${method} ${path} | ${limit.requests} per ${limit.periodSeconds} s |`] : [],
  );
  return `# Rate limits and history

Limits apply to the account, whichever key or program sends the request. This server tracks them for all programs that share its state folder, and updates them from the service's responses. \`get_server_status\` shows what remains.

| endpoint | limit |
|---|---|
${rows.join('\n')}

- A waiting call reports progress; \`retryAfterSeconds\` in an error is when the same call can succeed.
- Identical reads within one period are one request.
- Orders, dividends and transactions are read once, in the background, and stored. After that a call reads the newest page at most. \`complete\` and \`coverage\` show what is available.
- A report (\`request_export\`, \`list_exports\`, \`download_export\`) covers a year in two or three requests and fills gaps in the history that pages do not cover.
`;
}

// The audit trail as a resource for hosts and people: one line per event, without the bulk that only recovery needs.

const maxEntries = 1_000;

/**
 * Returns one page as JSON: the start time, the events before the number `before`, newest first, and whether the hash chain
 * of today is valid. Some hosts read the first page only.
 */
export async function readAudit(
  { audit, clock }: { readonly audit: AuditTrail; readonly clock: Clock },
  before = Infinity,
): Promise<string> {
  const since = Math.floor(clock.now() / dayMs) * dayMs;
  const entries = await audit.since(since, maxEntries);
  // Checks the listed entries only; `brokerage-mcp status` checks the complete chain.
  const chain = await audit.verify(entries[0]?.seq ?? 1);
  const earlier = entries.filter(({ seq }) => seq < before).reverse();
  const rows = earlier.map((entry) => sanitizeDeep(summarizeAudit(entry)));
  const write = (page: readonly unknown[]) => {
    const last = page.at(-1) as { readonly seq: number } | undefined;
    const nextUri = last && page.length < rows.length ? `audit://today?before=${last.seq}` : undefined;
    return JSON.stringify({
      ...continuation(nextUri, countOf(page.length, 'event')),
      since: toIsoTimestamp(since),
      complete: entries.length < maxEntries,
      chain,
      entries: page,
    });
  };
  const measure = (kept: number) => hostLength(write(rows.slice(0, kept)), 'page');
  return write(rows.slice(0, countFitting(rows.length, maxCharacters, measure)));
}

/** Returns the fields of an event that describe what happened. */
export function summarizeAudit({ seq, at, environment, kind, data }: AuditEntry): Record<string, unknown> {
  const { id, intentId, from, state, request, rule, reason, orderId, brokerCode, endpoint, by, ...rest } =
    data as Record<string, unknown>;
  const { approval } = rest as { approval?: { by?: string; approvedAt?: number } };
  return {
    seq,
    at: toIsoTimestamp(at),
    environment,
    event: kind,
    intentId: intentId ?? (kind === 'order' || kind === 'write' ? id : undefined),
    from,
    state,
    order: request,
    endpoint,
    rule,
    reason,
    orderId,
    brokerCode,
    by: by ?? (state === 'APPROVED' ? approval?.by : undefined),
    failures: rest.failures,
    submissionId: rest.submissionId,
    draftId: rest.draftId,
    version: rest.version,
    channel: rest.channel,
    edit: rest.edit,
    task: rest.task,
    code: rest.code,
    place: rest.place,
  };
}

/** Divides long resources into pages, because hosts cut a long text in the middle, which a model cannot notice. */

/** The fields that begin a page, when more follow. `rows` names what the page has. */
const continuation = (nextUri: string | undefined, rows: string): { note?: string; nextUri?: string } =>
  nextUri === undefined
    ? {}
    : {
        note: `This page has ${rows}, newest first. Read nextUri for the next page; stop when a page has no nextUri.`,
        nextUri,
      };
