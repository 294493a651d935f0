/** The only door to the service: `call`, `pages` and `place`. What is not exported here cannot be reached. */
import { type AccountSummary, endpoints } from '../catalogue/index.ts';
import type { Clock } from '../clock.ts';
import { resolveAccount } from './account-identity.ts';
import { coalesceReads } from './interceptors/coalesce-reads.ts';
import { prepareRequest } from './interceptors/prepare-request.ts';
import { rateLimit } from './interceptors/rate-limit.ts';
import { retry } from './interceptors/retry.ts';
import { type BrokerObserver, instrumentLimits, instrumentTransport } from './observer.ts';
import { createPages } from './paginate.ts';
import type { Handler, HttpResponse, ParsedResponse, PreparedRequest } from './pipeline-types.ts';
import { placeOrder } from './place-order.ts';
import type { KeyValueStore } from './ports.ts';
import { createRateLimiter, knownPeriodMs, type RateLimiter } from './rate-limit/limiter.ts';
import { parseResponse, rateLimitError, toBrokerageError } from './response/parse-response.ts';
import { TransportFailure } from './transport/failure.ts';
import { createTransport, type SentKey } from './transport/transport.ts';
import type { Broker } from './types.ts';

export interface BrokerDeps {
  /** The service's origin, with or without the prefix; a function when it has to be started first. */
  readonly origin: string | (() => Promise<string>);
  /** The stable key of the account: limits, caches and epochs belong to it. */
  readonly accountKey: () => Promise<string>;
  readonly credentials: () => Promise<SentKey>;
  /** Whether reports are always at `origin`, whatever their links say. */
  readonly filesMove?: boolean | undefined;
  /** Of this program, beside the credentials: hidden wherever an answer repeats them. */
  readonly otherSecrets?: readonly string[] | undefined;
  readonly records: KeyValueStore;
  readonly clock: Clock;
  /** For the jitter between two attempts: 0 to 1. */
  readonly random: () => number;
  /** This process, in the records that it shares with others. */
  readonly owner: string;
  readonly readOnly: boolean;
  /** Whether the process that wrote under this name still runs; left out, leases and deadlines alone count. */
  readonly isAlive?: ((owner: string) => boolean | Promise<boolean>) | undefined;
  /** Whether background reads must leave a slot of each limit free (an order of ours may have to be looked up). */
  readonly keepOneFree?: (() => boolean | Promise<boolean>) | undefined;
  /** Told every summary: it says which account this is, and what it is worth. */
  readonly onSummary?: ((summary: AccountSummary, answeredAt: number) => Promise<void>) | undefined;
  /** Told after every call that the service answered, and before its caller is. */
  readonly onAnswer?: (() => Promise<void>) | undefined;
  /** Counts; it sees no data. */
  readonly observer?: BrokerObserver | undefined;
}

/** A broker. Creating one opens no connection and loads no HTTP client: that happens with the first request. */
export function createBroker(deps: BrokerDeps): Broker {
  const { observer } = deps;
  const ownLimits = createRateLimiter({ ...deps, resolveAccount: (account) => resolveAccount(deps.records, account) });
  const ownTransport = createTransport(deps);
  const limits = observer ? instrumentLimits(ownLimits, observer) : ownLimits;
  const transport = observer ? instrumentTransport(ownTransport, observer) : ownTransport;

  // Outermost first. `understand` is where an answer becomes data or an error.
  const chain: Handler<ParsedResponse> = coalesceReads({ ...deps, limits })(
    understood(limits)(retry(deps)(rateLimit(limits)(transport.send))),
  );

  const call: Broker['call'] = async (endpoint, request, context) => {
    const outgoing = prepareRequest({ endpoint, request, context }, { ...deps, accountKey: await deps.accountKey() });
    const { data, askedAt, answeredAt, shared, serviceOffsetMs } = await chain(outgoing);
    if (endpoint.id === endpoints.getAccountSummary.id) await deps.onSummary?.(data as AccountSummary, answeredAt);
    await deps.onAnswer?.();
    return { data: data as never, askedAt, answeredAt, shared, serviceOffsetMs };
  };
  return {
    call,
    pages: createPages(call),
    place: (order, commit, context) => placeOrder({ ...deps, transport, limits }, order, commit, context),
  };
}

const understood =
  (limits: RateLimiter) =>
  (next: Handler<HttpResponse>): Handler<ParsedResponse> =>
  async (request: PreparedRequest) => {
    try {
      const answer = await next(request);
      if (answer.isRateLimited)
        throw rateLimitError(answer, await knownPeriodMs(limits, request.accountKey, request.endpoint));
      return parseResponse(request, answer);
    } catch (error) {
      if (error instanceof TransportFailure) throw toBrokerageError(request, error);
      throw error;
    }
  };
