import { type Endpoint, type EndpointId, endpoints, pathPrefix } from '../../core/endpoints/index.ts';
import type { Request } from '../handlers/handler-state.ts';
import { olderPaths } from '../handlers/older-paths.ts';
import type { LimitName } from './request-limits.ts';
import { toPlainId } from './write-json.ts';

export interface Route {
  readonly id: EndpointId;
  /** The path parameter; NaN when it is not an id. */
  readonly parameter: number;
  /** The body of an older path; undefined means the endpoint's own. */
  readonly body?: (request: Request) => unknown;
  readonly limit: LimitName;
}

const routes = (Object.keys(endpoints) as EndpointId[]).map((id) => {
  const { method, path } = endpoints[id] as Endpoint;
  return {
    id,
    method,
    pattern: new RegExp(`^${pathPrefix}${path.replace('{id}', '([^/]+)')}$`),
    named: !path.includes('{'),
  };
});

/** Returns the endpoint of a request, or the methods that its path allows. */
export function findRoute(
  method: string,
  pathname: string,
  withOlderPaths: boolean,
): Route | { readonly methods: string[] } {
  const matching = routes.filter(({ pattern }) => pattern.test(pathname));
  // `/orders/{id}` also matches `/orders/limit`, so a path without a parameter takes precedence.
  const candidates = matching.some(({ named }) => named) ? matching.filter(({ named }) => named) : matching;
  const route = candidates.find((one) => one.method === method);
  if (route) return { id: route.id, limit: route.id, parameter: readId(route.pattern.exec(pathname)?.[1]) };
  const older = withOlderPaths ? findOlderRoute(method, pathname) : undefined;
  return older ?? { methods: candidates.map((one) => one.method) };
}

function findOlderRoute(method: string, pathname: string): Route | undefined {
  const path = pathname.startsWith(pathPrefix) ? pathname.slice(pathPrefix.length) : '';
  const older = olderPaths.find((one) => one.method === method && one.pattern.test(path));
  if (!older) return undefined;
  const { id, body, pattern, secondsPerRequest: periodSeconds } = older;
  const parameter = decodeText(pattern.exec(path)?.[1] ?? '');
  const limit = periodSeconds === undefined ? id : { name: `${method} ${pattern.source}`, periodSeconds };
  return { id, limit, parameter: Number.NaN, ...(body && { body: (request: Request) => body(request, parameter) }) };
}

function decodeText(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // A % of it begins no encoded character.
    return text;
  }
}

/** Accepts ids as they are and as the quirk `hugeIds` writes them. */
function readId(text: string | undefined): number {
  if (text === undefined || !/^\d{1,19}$/.test(text)) return Number.NaN;
  return Number(toPlainId(BigInt(text)));
}
