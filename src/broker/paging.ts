/** Histories, page by page, each page through the whole chain (interface.md 4, rule 4). */
import { parseNextPage, strange } from './next-page.ts';
import type { Broker, CallContext, ItemOf, Page, PageCursor, PagedEndpoint } from './types.ts';

const pageSize = '50';
/** More pages than any account has: an endless walk is a broken one. */
const mostPages = 20_000;
/** A page without rows may have more behind it; so many in a row are a service that has lost its way. */
const mostEmptyPages = 10;

export const createPages = (call: Broker['call']): Broker['pages'] =>
  async function* pages<E extends PagedEndpoint>(
    endpoint: E,
    walk: { readonly from?: PageCursor | undefined },
    context: CallContext,
  ): AsyncGenerator<Page<ItemOf<E>>, void, undefined> {
    const read = new Set<string>();
    // The first page takes `limit` only: `time` without a cursor is refused.
    let query: PageCursor = walk.from ?? { limit: pageSize };
    let empty = 0;
    for (let count = 0; count < mostPages; count++) {
      const name = JSON.stringify(Object.entries(query).sort());
      if (read.has(name)) throw strange(endpoint, 'is one that was read already');
      read.add(name);
      const { data, answeredAt } = await call(endpoint, { query }, context);
      const { items, nextPagePath } = data as { items: ItemOf<E>[]; nextPagePath: string | undefined };
      const next = parseNextPage(endpoint, nextPagePath);
      yield { items, answeredAt, next };
      if (!next) return;
      empty = items.length === 0 ? empty + 1 : 0;
      if (empty > mostEmptyPages) throw strange(endpoint, 'leads to nothing but empty pages');
      query = next;
    }
    throw strange(endpoint, 'does not end');
  };
