/** The HTTP server: node:http on the loopback address. */

import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Clock } from '../../core/clock.ts';
import type { EndpointId } from '../../core/endpoints/index.ts';
import { log } from '../../core/log.ts';
import { ApiError } from '../api-error.ts';
import type { State } from '../handlers/handler-state.ts';
import { filePrefix } from '../reports/report-queue.ts';
import { type Fault, type FaultKind, takeFault } from '../testing/faults.ts';
import type { Quirks } from '../testing/quirks.ts';
import type { RequestLimits } from './request-limits.ts';
import {
  errorReply,
  faultInsteadOfReply,
  faultReply,
  type HandlerContext,
  rateLimitReply,
  respond,
} from './respond.ts';
import { findRoute } from './routes.ts';
import { hang, type Reply, refuseWebPage, reset, send, sendCorrupted } from './send-response.ts';

/** One account of the service, which its key chooses. */
export interface ServedAccount {
  /** Undefined for the only account. */
  readonly name: string | undefined;
  readonly credentials: { readonly key: string; readonly secret: string };
  readonly limits: RequestLimits;
  /** Returns the account, advanced to the current time. */
  readonly state: () => State;
  /** Saves changes; called before a response is sent. */
  readonly keep: () => void;
  /** Returns the file behind a report's link; undefined when there is none. */
  readonly file: (url: URL) => string | undefined;
}

interface SimulatorServerDeps {
  readonly clock: Clock;
  readonly quirks: Quirks;
  readonly faults: Fault[];
  readonly log: LoggedRequest[];
  /** At least one. */
  readonly accounts: readonly [ServedAccount, ...ServedAccount[]];
  /** Called before an authenticated request is counted, with its share of the limit's period (ms). */
  readonly onRequest: ((ms: number) => void) | undefined;
}

/** Far above the largest request body of the interface. */
const maxBodyBytes = 1024 * 1024;

export function serve(parts: SimulatorServerDeps): Server {
  const findAccount = (authorization: string | undefined) =>
    parts.accounts.find(({ credentials: { key, secret } }) => {
      const pair = `Basic ${Buffer.from(`${key}:${secret}`).toString('base64')}`;
      // The key alone is the second scheme that the interface declares. Reports differ on whether services accept it.
      return authorization === pair || (parts.quirks.keyAlone && authorization === key);
    });
  return createServer({ keepAliveTimeout: 30_000 }, (request, response) => {
    response.sendDate = false;
    const refused = refuseWebPage(request);
    if (refused) return send(response, refused);
    handle(parts, findAccount(request.headers.authorization), request, response).catch((error: unknown) => {
      log.fault('the simulator', error);
      reset(response);
    });
  });
}

async function handle(
  parts: SimulatorServerDeps,
  owner: ServedAccount | undefined,
  request: IncomingMessage,
  response: ServerResponse,
) {
  const { quirks, clock } = parts;
  const isAuthentic = owner !== undefined;
  // A request without a valid key counts to no limit; its response shows those of the first account.
  const account = owner ?? parts.accounts[0];
  const { limits } = account;
  const url = new URL(request.url ?? '/', 'http://127.0.0.1');
  const method = request.method ?? 'GET';
  const found = url.pathname.startsWith(filePrefix) ? undefined : findRoute(method, url.pathname, quirks.olderPaths);
  const route = found && 'id' in found ? found : undefined;
  if (route && isAuthentic) parts.onRequest?.(limits.shareMs(route.limit));
  response.setHeader('date', new Date(clock.now()).toUTCString());
  const entry = createEntry(request, route?.id, clock.now(), owner?.name);
  addToLog(parts.log, entry);
  const finish = (reply: Reply) => {
    entry.status = reply.status;
    if (reply.explanation !== undefined) entry.explanation = reply.explanation;
    send(response, reply);
  };

  const isWithinLimit = route && isAuthentic && limits.take(route.limit, clock.now());
  const fault = isWithinLimit ? takeFault(parts.faults, route.id) : undefined;
  if (fault) entry.fault = fault.kind;
  if (fault?.kind === 'resetBeforeRead') return reset(response);

  entry.body = await readText(request);
  if (!found) return finish(fileReply(parts, url, entry.authorized));
  if (!isAuthentic || !route) {
    const refusal = isAuthentic ? unrouted(found, method, url) : unauthorized();
    // The interface promises the limit headers on every response.
    return finish(errorReply(quirks, refusal, clock.now(), limits.unusedHeaders(route?.limit, clock.now())));
  }
  if (!isWithinLimit) {
    entry.refused = true;
    return finish(rateLimitReply(quirks, clock.now(), limits.headers(route.limit, clock.now())));
  }
  if (fault?.kind === 'hangBeforeApply') return hang(response, clock, fault.ms);

  const onOrder = (id: number) => {
    entry.orderId = String(id);
  };
  const asked: HandlerContext = {
    ...account.state(),
    route,
    query: url.searchParams,
    bodyText: entry.body,
    limits,
    onOrder,
  };
  const instead = fault && faultInsteadOfReply(fault, asked, entry.path);
  if (instead) {
    entry.refused = fault.kind === 'rateLimitedWithoutHeaders';
    return finish(instead);
  }
  const reply = respond(asked);
  account.keep();
  if (!fault) return finish(reply);
  if (fault.kind === 'statusAfterApply')
    return finish(faultReply(fault, quirks, clock.now(), limits.headers(route.limit, clock.now())));
  entry.status =
    fault.kind === 'hang' || fault.kind === 'resetAfterRead'
      ? 0
      : fault.kind === 'empty2xx'
        ? (fault.status ?? 200)
        : reply.status;
  await sendCorrupted(response, reply, fault, clock);
}

const createEntry = (
  { method = 'GET', url = '/', headers }: IncomingMessage,
  endpoint: LoggedRequest['endpoint'],
  at: number,
  account: string | undefined,
): LoggedRequest & { body: string } => ({
  at,
  method,
  endpoint,
  path: url,
  body: '',
  authorized: headers.authorization !== undefined,
  status: 0,
  refused: false,
  ...(account !== undefined && { account }),
});

const unauthorized = () => new ApiError(401, 'unauthorized', 'bad or missing credentials');

function unrouted(found: ReturnType<typeof findRoute>, method: string, url: URL): ApiError {
  const isKnown = 'methods' in found && found.methods.length > 0;
  return isKnown ? new ApiError(405, 'method-not-allowed', method) : new ApiError(404, 'not-found', url.pathname);
}

async function readText(request: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = [];
  let size = 0;
  for await (const piece of request) {
    size += (piece as Buffer).length;
    if (size > maxBodyBytes) throw new Error('request body too large');
    pieces.push(piece as Buffer);
  }
  return Buffer.concat(pieces).toString('utf8');
}

/** Like storage services, rejects a pre-signed link when the request has its own Authorization header. */
function fileReply(parts: SimulatorServerDeps, url: URL, authorized: boolean): Reply {
  const text = (status: number, body: string): Reply => ({ status, headers: { 'content-type': 'text/plain' }, body });
  if (authorized) return text(400, 'only one authorisation method is allowed');
  const csv = parts.accounts.map(({ file }) => file(url)).find((text) => text !== undefined);
  if (csv === undefined) return text(403, 'the link is not valid');
  return { status: 200, headers: { 'content-type': 'text/csv; charset=utf-8' }, body: csv };
}

/** One received request, in the order of arrival. */
export interface LoggedRequest {
  readonly at: number;
  readonly method: string;
  /** Undefined for paths that are not endpoints. */
  readonly endpoint: EndpointId | undefined;
  /** Path and query. */
  readonly path: string;
  readonly body: string;
  /** Whether an Authorization header was sent. */
  readonly authorized: boolean;
  /** Status of the response; 0 when none was sent. */
  status: number;
  /** The account of its key, where the service has several. */
  account?: string;
  /** Whether it exceeded the rate limit. */
  refused: boolean;
  /** Id of the order that this request booked. */
  orderId?: string;
  fault?: FaultKind;
  /** Why the request was refused. The response often says less, as the service's do. */
  explanation?: string;
}

const maxEntries = 20_000;

function addToLog(log: LoggedRequest[], entry: LoggedRequest): void {
  log.push(entry);
  if (log.length > maxEntries) log.splice(0, log.length - maxEntries);
}
