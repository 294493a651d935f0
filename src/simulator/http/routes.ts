import { type Endpoint, type EndpointId, endpoints, pathPrefix } from '../../catalogue/index.ts';
import { toPlainId } from './write-json.ts';

export interface Route {
  readonly id: EndpointId;
  /** The path parameter; NaN when it is not an id. */
  readonly parameter: number;
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
export function findRoute(method: string, pathname: string): Route | { readonly methods: string[] } {
  const matching = routes.filter(({ pattern }) => pattern.test(pathname));
  // `/orders/{id}` also matches `/orders/limit`, so a path without a parameter takes precedence.
  const candidates = matching.some(({ named }) => named) ? matching.filter(({ named }) => named) : matching;
  const route = candidates.find((one) => one.method === method);
  if (!route) return { methods: candidates.map((one) => one.method) };
  return { id: route.id, parameter: readId(route.pattern.exec(pathname)?.[1]) };
}

/** Accepts ids as they are and as the quirk `hugeIds` writes them. */
function readId(text: string | undefined): number {
  if (text === undefined || !/^\d{1,19}$/.test(text)) return Number.NaN;
  return Number(toPlainId(BigInt(text)));
}
