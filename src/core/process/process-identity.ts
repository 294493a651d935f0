/** Identifies this process among those that share a state folder. */
import { createHash, randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import type { ProcessRegistry } from '../orders/intent/ports.ts';

export interface ProcessTable {
  readonly pid: number;
  /**
   * A text that identifies the process together with its id, because ids are reused; undefined when no such process
   * runs.
   */
  getStartTime(pid: number): string | undefined;
  /** Distinguishes this table of processes from that of another machine or container. */
  readonly pidNamespace: string;
}

/** The machine or container in the name of a process, which has the form `machine:pid:start:random`. */
export const machineName = (self: string): string => self.split(':')[0] ?? '';

/** Creates the registry of one process, with a new random name. */
export function createProcesses(table: ProcessTable): ProcessRegistry {
  const place = createHash('sha256').update(`${hostname()} ${table.pidNamespace}`).digest('hex').slice(0, 12);
  const self = [place, table.pid, table.getStartTime(table.pid) ?? '', randomBytes(4).toString('hex')].join(':');
  return {
    self,
    isAlive: (owner) => {
      if (owner === self) return true;
      const [where, pid, start] = owner.split(':');
      // Processes of another machine or container cannot be seen from here, so they count as alive: leases and
      // deadlines decide there.
      if (where !== place) return true;
      return table.getStartTime(Number(pid)) === start;
    },
  };
}
