/** A lease that lets one process at a time read in the background; another takes over when it exits. */
import type { KeyValueStore } from '../../core/broker/types.ts';
import { type Clock, holdsUntil } from '../../core/clock.ts';
import { log, orElse } from '../../core/log.ts';

const leaseMs = 15_000;
const renewEveryMs = 5_000;

interface Holder {
  readonly owner: string;
  readonly until: number;
}

export interface LeaseDeps {
  readonly records: KeyValueStore;
  /** Real time, because the lease is shared with other processes. */
  readonly realClock: Clock;
  readonly owner: string;
  readonly isAlive?: ((owner: string) => boolean | Promise<boolean>) | undefined;
}

export interface Lease {
  /** Returns true when this process now holds the lease. */
  take(): Promise<boolean>;
  release(): Promise<void>;
}

/** Creates a lease that expires 15 s after its last renewal and is renewed every 5 s while it is held. */
export function createLease(deps: LeaseDeps, name: string): Lease {
  const { records, realClock, owner } = deps;
  let renewing: NodeJS.Timeout | undefined;
  const isHeldUntil = ({ until }: Holder) => holdsUntil(until, realClock.now(), leaseMs);
  const claim = (gone: string | undefined) =>
    records.update<Holder, boolean>('lease', name, (holder) => {
      const isFree = !holder || holder.owner === owner || holder.owner === gone || !isHeldUntil(holder);
      return isFree
        ? { state: { owner, until: realClock.now() + leaseMs }, result: true }
        : { state: holder, result: false };
    });
  const stop = () => {
    clearInterval(renewing);
    renewing = undefined;
  };
  return {
    take: async () => {
      const holder = await records.read<Holder>('lease', name);
      const isGone = holder && holder.owner !== owner && deps.isAlive && !(await deps.isAlive(holder.owner));
      const isHeld = holder && !isGone && holder.owner !== owner && isHeldUntil(holder);
      // Check with a read first: several processes check many times a second, and a read costs no write.
      const isOurs = !isHeld && (await claim(isGone ? holder.owner : undefined));
      if (!isOurs) stop();
      else if (!renewing) {
        // A real timer, because it shows other processes that this one still runs.
        renewing = setInterval(() => void claim(undefined).catch(orElse('history', undefined)), renewEveryMs);
        renewing.unref();
        log.debug('lease', { name, action: 'taken' });
      }
      return isOurs;
    },
    release: async () => {
      if (renewing) log.debug('lease', { name, action: 'released' });
      stop();
      await records.update<Holder, void>('lease', name, (holder) => ({
        state: holder?.owner === owner ? undefined : holder,
        result: undefined,
      }));
    },
  };
}
