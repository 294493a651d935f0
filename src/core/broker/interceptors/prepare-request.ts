import { type Endpoint, externalLinkPath } from '../../endpoints/index.ts';
import { writeBody } from '../../endpoints/shapes.ts';
import { BrokerageError } from '../../errors.ts';
import { parseUrl } from '../../text/parse-url.ts';
import { isEncryptedOrLoopback } from '../service-url.ts';
import type { BrokerCall, PreparedRequest } from '../types.ts';

/**
 * Validates a call and builds the exact request. Throws `invalid_argument`, `read_only` or `unexpected_answer`
 * before anything is sent.
 */
export function prepareRequest(call: BrokerCall, deps: { readOnly: boolean; accountKey: string }): PreparedRequest {
  const { endpoint, request, context } = call;
  if (endpoint.effect === 'place')
    throw new Error('Orders are sent only through `place`, which only the order manager can call.');
  if (endpoint.effect !== 'read' && deps.readOnly) {
    throw new BrokerageError(
      'read_only',
      'This server was started read-only, so it sends no changes to the broker.',
      'Start the server without --read-only to allow changes.',
    );
  }
  return {
    endpoint,
    context,
    accountKey: deps.accountKey,
    path: endpoint.path === externalLinkPath ? '' : buildPath(endpoint, request.id) + formatQuery(request.query),
    link: endpoint.path === externalLinkPath ? parseLink(request.link) : undefined,
    body: formatBody(endpoint, request.body),
  };
}

function buildPath(endpoint: Endpoint, id: string | undefined): string {
  if (!endpoint.path.includes('{id}')) return endpoint.path;
  // An id consists of digits only, so it cannot change the path.
  if (id === undefined || !/^\d{1,19}$/.test(id)) {
    throw new BrokerageError(
      'invalid_argument',
      'The id must consist of digits.',
      'Use an id returned by one of the tools.',
    );
  }
  return endpoint.path.replace('{id}', id);
}

function formatQuery(query: Readonly<Record<string, string | undefined>> | undefined): string {
  const given = Object.entries(query ?? {}).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return given.length ? `?${new URLSearchParams(given)}` : '';
}

function parseLink(link: string | undefined): URL {
  const url = parseUrl(link ?? '');
  if (!url || !isEncryptedOrLoopback(url) || url.username || url.password) {
    throw new BrokerageError(
      'unexpected_answer',
      'The download link of the report is not a safe URL.',
      'Request the report again; links must be https.',
    );
  }
  return url;
}

function formatBody(endpoint: Endpoint, body: unknown): string | undefined {
  if (!endpoint.body) return undefined;
  const parsed = endpoint.body.safeParse(body ?? {});
  if (parsed.success) return writeBody(parsed.data);
  const [issue] = parsed.error.issues;
  throw new BrokerageError(
    'invalid_argument',
    `The request is not valid: ${issue?.path.join('.') || 'body'} ${issue?.message ?? ''}`.trim(),
    'Correct the arguments.',
  );
}
