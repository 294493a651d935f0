/** Leases in the store: what one process does at a time, until which time, and when another may take over. */

import type { KeyValueStore } from './broker/types.ts';
import { type Clock, holdsUntil } from './clock.ts';
import { log, orElse } from './log.ts';

/** This process, and which of the processes that share the store are alive. */
export interface ProcessRegistry {
  readonly self: string;
  isAlive(owner: string): boolean;
}

/** Which process has a lease, and until when (ms); none without an owner. */
interface LeaseHolder {
  readonly owner?: string | undefined;
  readonly until?: number | undefined;
}

/** Whether a process that is alive has the lease. `maxMs` is the longest that it is ever taken for. */
export const isHeld = (
  lease: LeaseHolder | undefined,
  processes: Pick<ProcessRegistry, 'isAlive'>,
  now: number,
  maxMs: number,
): boolean => lease?.owner !== undefined && processes.isAlive(lease.owner) && holdsUntil(lease.until, now, maxMs);

/** Whether another process has it, so that this one must not take it. */
export const isHeldByOther = (
  lease: LeaseHolder | undefined,
  processes: ProcessRegistry,
  now: number,
  maxMs: number,
): boolean => lease?.owner !== processes.self && isHeld(lease, processes, now, maxMs);

// A lease that lets one process at a time read in the background; another takes over when it exits.

const leaseMs = 15_000;
const renewEveryMs = 5_000;

export interface LeaseDeps {
  readonly records: KeyValueStore;
  /** Real time, because the lease is shared with other processes. */
  readonly realClock: Clock;
  readonly processes: ProcessRegistry;
}

export interface Lease {
  /** Returns true when this process now holds the lease. */
  take(): Promise<boolean>;
  release(): Promise<void>;
}

/** Whether any process, of this or of another machine, has the lease with this name. */
export const isLeaseHeld = async ({ records, realClock, processes }: LeaseDeps, name: string): Promise<boolean> =>
  isHeld(await records.read<LeaseHolder>('lease', name), processes, realClock.now(), leaseMs);

/** Creates a lease that expires 15 s after its last renewal and is renewed every 5 s while it is held. */
export function createLease(deps: LeaseDeps, name: string): Lease {
  const { records, realClock, processes } = deps;
  const { self: owner } = processes;
  let renewing: NodeJS.Timeout | undefined;
  const isOthers = (holder: LeaseHolder | undefined) => isHeldByOther(holder, processes, realClock.now(), leaseMs);
  const claim = () =>
    records.update<LeaseHolder, boolean>('lease', name, (holder) =>
      isOthers(holder)
        ? { state: holder, result: false }
        : { state: { owner, until: realClock.now() + leaseMs }, result: true },
    );
  const stop = () => {
    clearInterval(renewing);
    renewing = undefined;
  };
  return {
    take: async () => {
      // Check with a read first: several processes check many times a second, and a read costs no write.
      const isOurs = !isOthers(await records.read<LeaseHolder>('lease', name)) && (await claim());
      if (!isOurs) stop();
      else if (!renewing) {
        // A real timer, because it shows other processes that this one still runs.
        renewing = setInterval(() => void claim().catch(orElse('history', undefined)), renewEveryMs);
        renewing.unref();
        log.debug('lease', { name, action: 'taken' });
      }
      return isOurs;
    },
    release: async () => {
      if (renewing) log.debug('lease', { name, action: 'released' });
      stop();
      await records.update<LeaseHolder, void>('lease', name, (holder) => ({
        state: holder?.owner === owner ? undefined : holder,
        result: undefined,
      }));
    },
  };
}
