/**
 * A local service that one process serves for all processes of a store. The first process that needs it starts it
 * and records its address; when that process ends, the next one takes over.
 */
import type { KeyValueStore } from '../broker/ports.ts';
import type { Clock } from '../clock.ts';
import type { ProcessRegistry } from '../orders/intent/ports.ts';

interface Service {
  readonly origin: string;
  close(): Promise<void>;
}

interface ServiceLease<Extra> {
  /** The process that serves; undefined when none does. */
  readonly owner?: string | undefined;
  /** The address; undefined while the service starts. */
  readonly origin?: string | undefined;
  /**
   * Lease end (ms). The host renews it, so a host that was suspended, or killed where its process cannot be seen,
   * is replaced after this time.
   */
  readonly until: number;
  /** Data that every host of the service must share. */
  readonly extra: Extra;
}

export interface SingletonService<Extra> {
  /**
   * Returns the address; undefined when the process that starts the service takes too long. Rejects when it cannot
   * be started here.
   */
  find(): Promise<{ readonly origin: string; readonly extra: Extra } | undefined>;
  /** Whether this process serves it. */
  isOwn(): boolean;
  close(): Promise<void>;
}

/** The longest time that a start may take. */
const startMs = 20_000;
const leaseMs = 15_000;
const renewEveryMs = 5_000;
const pollIntervalMs = 50;

export function createSingletonService<Extra>(parts: {
  /** The name of the record in the store. */
  readonly name: string;
  readonly records: KeyValueStore;
  readonly processes: ProcessRegistry;
  /** Real time, because it waits for another process. */
  readonly realClock: Clock;
  /** Called once, by the first host; later hosts use the stored result. */
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
        // A record of this process without a running service comes from a start that failed.
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
      // Another process took over while this one was suspended. Stop serving, because two hosts would be two
      // accounts.
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
            // A later caller may try again.
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
