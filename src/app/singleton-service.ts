/**
 * A local service that one of several processes serves for all of them: the first that needs it starts
 * it and says in the store where it is, and when that process goes the next takes over.
 */
import type { KeyValueStore } from '../broker/ports.ts';
import type { Clock } from '../clock.ts';
import type { ProcessRegistry } from '../orders/intent/ports.ts';

interface Service {
  readonly origin: string;
  close(): Promise<void>;
}

interface ServiceLease<Extra> {
  /** Undefined when nobody serves it. */
  readonly owner?: string | undefined;
  /** Undefined while it starts. */
  readonly origin?: string | undefined;
  /** The host renews it: one that was killed where nobody can see it, or stopped, is not waited for. */
  readonly until: number;
  /** What every host of it must have the same. */
  readonly extra: Extra;
}

export interface SingletonService<Extra> {
  /** Where it is served; undefined when whoever starts it takes too long. Rejects when it cannot be started here. */
  find(): Promise<{ readonly origin: string; readonly extra: Extra } | undefined>;
  /** Whether this process serves it. */
  isOwn(): boolean;
  close(): Promise<void>;
}

/** Nobody's start takes longer than this. */
const startMs = 20_000;
const leaseMs = 15_000;
const renewEveryMs = 5_000;
const pollIntervalMs = 50;

export function createSingletonService<Extra>(parts: {
  /** Of the record in the store. */
  readonly name: string;
  readonly records: KeyValueStore;
  readonly processes: ProcessRegistry;
  /** Real time: it waits for another process. */
  readonly realClock: Clock;
  /** Made once, by the first host, and kept for those after it. */
  readonly makeExtra: () => Extra;
  readonly start: (extra: Extra) => Promise<Service>;
}): SingletonService<Extra> {
  const { records, processes, realClock } = parts;
  let own: Promise<Service> | undefined;
  let renewing: NodeJS.Timeout | undefined;
  const change = <Result>(
    work: (post: ServiceLease<Extra> | undefined) => { state: ServiceLease<Extra> | undefined; result: Result },
  ) => records.update<ServiceLease<Extra>, Result>('host', parts.name, work);

  const claim = () =>
    change((post) => {
      const now = realClock.now();
      const isThere =
        post?.owner !== undefined &&
        processes.isAlive(post.owner) &&
        now < post.until &&
        post.until <= now + startMs &&
        // A record of ours without a service of ours is of a start that failed.
        (post.owner !== processes.self || own !== undefined);
      if (isThere) return { state: post, result: post };
      const mine: ServiceLease<Extra> = {
        owner: processes.self,
        until: now + startMs,
        extra: post?.extra ?? parts.makeExtra(),
      };
      return { state: mine, result: mine };
    });

  const start = async (extra: Extra): Promise<Service> => {
    const service = await parts.start(extra);
    const renew = () =>
      change((post) => {
        const isOurs = post?.owner === processes.self;
        const until = realClock.now() + leaseMs;
        return { state: isOurs ? { ...post, origin: service.origin, until } : post, result: isOurs };
      });
    await renew();
    const check = async () => {
      if (await renew()) return;
      // Somebody took it over while this process was stopped: two hosts of one account would be two accounts.
      clearInterval(renewing);
      own = undefined;
      await service.close();
    };
    renewing = setInterval(() => void check().catch(() => undefined), renewEveryMs);
    renewing.unref();
    return service;
  };

  return {
    isOwn: () => own !== undefined,
    find: async () => {
      const until = realClock.now() + startMs;
      while (realClock.now() < until) {
        const post = await claim();
        if (post.owner === processes.self) {
          own ??= start(post.extra).catch((error: unknown) => {
            // The next one who needs it may try again.
            own = undefined;
            throw error;
          });
          return { origin: (await own).origin, extra: post.extra };
        }
        if (post.origin !== undefined) return { origin: post.origin, extra: post.extra };
        await realClock.sleep(pollIntervalMs);
      }
      return undefined;
    },
    close: async () => {
      clearInterval(renewing);
      const service = await own?.catch(() => undefined);
      if (!service) return;
      const leave = change((post) => ({
        state: post?.owner === processes.self ? { until: 0, extra: post.extra } : post,
        result: undefined,
      }));
      await leave.catch(() => undefined);
      await service.close();
    },
  };
}
