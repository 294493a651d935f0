/**
 * A local service that one process serves for all processes of a store. The first process that needs it starts it
 * and records its address; when that process ends, the next one takes over.
 */
import type { KeyValueStore } from '../core/broker/types.ts';
import type { Clock } from '../core/clock.ts';
import { isHeldByOther, type ProcessRegistry } from '../core/lease.ts';
import { log, orElse } from '../core/log.ts';

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
   * When the lease ends (ms). The owner renews it, so an owner that was suspended, or killed where its process cannot
   * be seen, is replaced after this time.
   */
  readonly until: number;
  /** Data that every owner of the service must share. */
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

/** How long another process may take to start the service. */
const startTimeoutMs = 20_000;
const leaseMs = 15_000;
const renewEveryMs = 5_000;
const pollIntervalMs = 50;

/** Creates the service of this process. It starts nothing before `find` is called. */
export function createSingletonService<Extra>(deps: {
  /** The name of the record in the store. */
  readonly name: string;
  readonly records: KeyValueStore;
  readonly processes: ProcessRegistry;
  /** Real time, because it waits for another process. */
  readonly realClock: Clock;
  /** Called once, by the first owner; later owners use the stored result. */
  readonly makeExtra: () => Extra;
  readonly start: (extra: Extra) => Promise<Service>;
}): SingletonService<Extra> {
  const { records, processes, realClock } = deps;
  let own: Promise<Service> | undefined;
  let renewing: NodeJS.Timeout | undefined;
  const change = <Result>(
    work: (lease: ServiceLease<Extra> | undefined) => { state: ServiceLease<Extra> | undefined; result: Result },
  ) => records.update<ServiceLease<Extra>, Result>('host', deps.name, work);

  const claim = () =>
    change((lease) => {
      const now = realClock.now();
      // A record of this process without a running service comes from a start that failed.
      const isOwnService = lease?.owner === processes.self && own !== undefined;
      if (lease && (isOwnService || isHeldByOther(lease, processes, now, startTimeoutMs)))
        return { state: lease, result: lease };
      const ownLease: ServiceLease<Extra> = {
        owner: processes.self,
        until: now + startTimeoutMs,
        extra: lease?.extra ?? deps.makeExtra(),
      };
      return { state: ownLease, result: ownLease };
    });

  const start = async (extra: Extra): Promise<Service> => {
    const service = await deps.start(extra);
    const renew = () =>
      change((lease) => {
        const isOurs = lease?.owner === processes.self;
        const until = realClock.now() + leaseMs;
        return { state: isOurs ? { ...lease, origin: service.origin, until } : lease, result: isOurs };
      });
    await renew();
    log.debug('lease', { name: deps.name, action: 'taken' });
    const check = async () => {
      if (await renew()) return;
      // Another process took over while this one was suspended. Stop serving, because two owners would be two
      // accounts.
      clearInterval(renewing);
      own = undefined;
      await service.close();
    };
    renewing = setInterval(() => void check().catch(orElse('the app', undefined)), renewEveryMs);
    renewing.unref();
    return service;
  };

  return {
    isOwn: () => own !== undefined,
    find: async () => {
      const until = realClock.now() + startTimeoutMs;
      while (realClock.now() < until) {
        const lease = await claim();
        if (lease.owner === processes.self) {
          own ??= start(lease.extra).catch((error: unknown) => {
            // A later caller may try again.
            own = undefined;
            throw error;
          });
          return { origin: (await own).origin, extra: lease.extra };
        }
        if (lease.origin !== undefined) return { origin: lease.origin, extra: lease.extra };
        await realClock.sleep(pollIntervalMs);
      }
      return undefined;
    },
    close: async () => {
      clearInterval(renewing);
      const service = await own?.catch(orElse('the app', undefined));
      if (!service) return;
      const leave = change((lease) => ({
        state: lease?.owner === processes.self ? { until: 0, extra: lease.extra } : lease,
        result: undefined,
      }));
      await leave.catch(orElse('release a service', undefined));
      log.debug('lease', { name: deps.name, action: 'released' });
      await service.close();
    },
  };
}
