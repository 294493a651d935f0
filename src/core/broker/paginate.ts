/** Reads histories page by page, each page through all interceptors (docs/interface.md, Paging). */

import { type Endpoint, pathPrefix } from '../endpoints/index.ts';
import { BrokerageError } from '../errors.ts';
import { parseUrl } from '../text/parse-url.ts';
import type { Broker, CallContext, ItemOf, Page, PageCursor, PagedEndpoint } from './types.ts';

const pageSize = '50';
/** More pages than any account has, so a longer walk is an error. */
const maxPages = 20_000;
/** Services have returned an empty page with a next path, but a long row of them leads nowhere. */
const maxEmptyPages = 5;

export const createPages = (call: Broker['call']): Broker['pages'] =>
  async function* pages<E extends PagedEndpoint>(
    endpoint: E,
    walk: { readonly from?: PageCursor | undefined },
    context: CallContext,
  ): AsyncGenerator<Page<ItemOf<E>>, void, undefined> {
    const read = new Set<string>();
    // The first page takes only `limit`; the service rejects `time` without a cursor.
    let query: PageCursor = walk.from ?? { limit: pageSize };
    let emptyPages = 0;
    for (;;) {
      read.add(toPageKey(query));
      const { data, askedAt, answeredAt } = await call(endpoint, { query }, context);
      const { items, nextPagePath } = data as { items: ItemOf<E>[]; nextPagePath: string | undefined };
      emptyPages = items.length === 0 ? emptyPages + 1 : 0;
      const { next, chainError } = nextCursor(endpoint, nextPagePath, read, emptyPages);
      yield { items, askedAt, answeredAt, next, chainError };
      if (!next) return;
      query = next;
    }
  };

/** The next page. A problem with it is returned beside the rows, because they are correct. */
function nextCursor(
  endpoint: PagedEndpoint,
  nextPagePath: string | undefined,
  read: ReadonlySet<string>,
  emptyPages: number,
) {
  try {
    const next = parseNextPage(endpoint, nextPagePath);
    if (next && read.has(toPageKey(next))) throw invalidNextPageError(endpoint, 'was already read');
    if (next && read.size >= maxPages) throw invalidNextPageError(endpoint, 'exceeds the maximum number of pages');
    if (next && emptyPages > maxEmptyPages) throw invalidNextPageError(endpoint, 'follows only empty pages');
    return { next, chainError: undefined };
  } catch (error) {
    if (!(error instanceof BrokerageError)) throw error;
    return { next: undefined, chainError: error };
  }
}

const toPageKey = (query: PageCursor) => JSON.stringify(Object.entries(query).sort());

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

const invalidNextPageError = (endpoint: Endpoint, what: string) =>
  new BrokerageError(
    'unexpected_answer',
    `The next page of ${endpoint.path} ${what}, so reading stopped.`,
    'The rows returned so far are correct but incomplete. Try again later.',
  );
