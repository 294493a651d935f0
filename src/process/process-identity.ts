/** This process among those that share a state folder. */
import { createHash, randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import type { ProcessRegistry } from '../orders/intent/ports.ts';

export interface ProcessTable {
  readonly pid: number;
  /** Something that is the same as long as this process id means the same process; undefined when none runs. */
  getStartTime(pid: number): string | undefined;
  /** What tells this table of processes from that of another machine or container. */
  readonly pidNamespace: string;
}

/** The machine or container of a process, by its name: `machine:pid:start:random`. */
export const machineName = (self: string): string => self.split(':')[0] ?? '';

export function createProcesses(table: ProcessTable): ProcessRegistry {
  const place = createHash('sha256').update(`${hostname()} ${table.pidNamespace}`).digest('hex').slice(0, 12);
  const self = [place, table.pid, table.getStartTime(table.pid) ?? '', randomBytes(4).toString('hex')].join(':');
  return {
    self,
    isAlive: (owner) => {
      if (owner === self) return true;
      const [where, pid, start] = owner.split(':');
      // On another machine or in another container nobody can see it: leases and deadlines decide there.
      if (where !== place) return true;
      return table.getStartTime(Number(pid)) === start;
    },
  };
}
