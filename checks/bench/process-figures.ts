/** What the system reports of another process; undefined where it does not. */
import { readFileSync } from 'node:fs';

/** Resident memory now, and the most so far. */
export const readMegabytes = (pid: number | undefined): number | undefined => readStatus(pid, 'VmRSS');
export const readPeakMegabytes = (pid: number | undefined): number | undefined => readStatus(pid, 'VmHWM');

function readStatus(pid: number | undefined, name: string): number | undefined {
  try {
    const [, kilobytes] = new RegExp(`${name}:\\s+(\\d+) kB`).exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    return kilobytes === undefined ? undefined : Number(kilobytes) / 1000;
  } catch {
    return undefined;
  }
}

/** How long the program's own thread has had a processor. */
export function readWorkedMs(pid: number | undefined): number | undefined {
  try {
    return Number(readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6;
  } catch {
    return undefined;
  }
}
