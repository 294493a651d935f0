import { type Endpoint, pathPrefix } from '../endpoints/index.ts';
import { BrokerageError } from '../errors.ts';
import { parseUrl } from '../text/parse-url.ts';
import type { PageCursor } from './types.ts';

/** A base URL that no service has: a result with this origin named none of its own. */
const nowhere = 'http://nowhere.invalid';

/**
 * The query of the next page; undefined at the end of the list. `nextPagePath` is a path with or without the
 * prefix, or a bare query, and is never used as an address. Throws `unexpected_answer` when it names another origin
 * or path, or has no cursor.
 */
export function parseNextPage(endpoint: Endpoint, nextPagePath: string | undefined): PageCursor | undefined {
  const text = nextPagePath?.trim() ?? '';
  if (text === '') return undefined;
  const isQuery = text.startsWith('?') || (!text.includes('?') && !text.startsWith('/') && text.includes('='));
  const relative = isQuery ? `${endpoint.path}?${text.replace(/^\?/, '')}` : text;
  const url = parseUrl(relative, nowhere);
  const path = url?.pathname.startsWith(pathPrefix) ? url.pathname.slice(pathPrefix.length) : url?.pathname;
  if (!url || url.origin !== nowhere || path?.replace(/\/$/, '') !== endpoint.path)
    throw invalidNextPageError(endpoint, 'points to another address');

  // A parameter without a value has no effect.
  const query = Object.fromEntries([...url.searchParams].filter(([, value]) => value !== ''));
  // Without a cursor the query would return the first page again. No service is known to mark its end like this, so
  // it is an error.
  if (query.cursor === undefined) throw invalidNextPageError(endpoint, 'has no cursor');
  return query.cursor === 'null' ? undefined : query;
}

export const invalidNextPageError = (endpoint: Endpoint, what: string) =>
  new BrokerageError(
    'unexpected_answer',
    `The next page of ${endpoint.path} ${what}, so reading stopped.`,
    'The rows returned so far are correct but incomplete. Try again later.',
  );
