import { pathPrefix } from '../catalogue/index.ts';

/**
 * The address of a path below the prefix. The base may be given with or without `/api/v0` and with any
 * number of slashes at its end.
 */
export function joinAddress(base: string, path: string): URL {
  const bare = base.replace(/\/+$/, '');
  const root = bare.endsWith(pathPrefix) ? bare.slice(0, -pathPrefix.length).replace(/\/+$/, '') : bare;
  return new URL(`${root}${pathPrefix}${path}`);
}

const loopbackNames = new Set(['localhost', '127.0.0.1', '[::1]']);

/** Credentials and account data travel over TLS only, except to this machine itself. */
export const isSafeAddress = (url: URL): boolean =>
  url.protocol === 'https:' || (url.protocol === 'http:' && loopbackNames.has(url.hostname));
