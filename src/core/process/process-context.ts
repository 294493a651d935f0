/** The parts of the process that commands may use. Only main.ts has access to the process itself. */

import { type ChildProcess, spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import { kill, platform } from 'node:process';
import type { Readable } from 'node:stream';
import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import type { ProcessRegistry } from '../lease.ts';
import type { RuntimeEnvironment } from '../settings/runtime-environment.ts';

/** One of the two streams that a person may see. */
export interface Screen {
  readonly isTerminal: boolean;
  /** Characters of a line. */
  readonly columns: number;
}

/** The process as commands see it; tests pass one of their own. */
export interface ProcessContext extends RuntimeEnvironment {
  /**
   * Writes a line to standard output: results for a person or a pipe. While serving over stdio, standard output
   * belongs to the protocol.
   */
  readonly print: (line: string) => void;
  /** Writes a line to standard error: everything that is not a result. */
  readonly warn: (line: string) => void;
  /** What `print` writes to, and what `warn` writes to. */
  readonly screens: { readonly output: Screen; readonly errors: Screen };
  /** The time zone of the machine (IANA name). */
  readonly zone: () => string;
  /** Writes the commands that a text names as this user can type them; undefined where no person reads. */
  readonly nameCommands?: (text: string) => string;
  /** The running program, that is its interpreter and its file, so that it can start itself as a child. */
  readonly self: { readonly command: string; readonly args: readonly string[] };
  /** The machine; `uid` is undefined where users have no number (Windows). */
  readonly machine: { readonly node: string; readonly arch: string; readonly uid: number | undefined };
  /** Aborts when the process has to end (a signal, or the end of standard input when serving). */
  readonly shutdownSignal: AbortSignal;
  /** This process and the others of this machine. */
  readonly processes: ProcessTable;
  /** Standard input. */
  readonly input: () => Readable;
  /** Makes the end of standard input abort `shutdownSignal`, because that is how a host ends a server. */
  readonly watchInput: () => void;
  /**
   * Ends the process in a moment, even if work is left, because a host waits a few seconds before it kills the
   * process.
   */
  readonly exitSoon: () => void;
  /** After this call, the next signal ends the process immediately. */
  readonly forceExitOnNextSignal: () => void;
  /** Whether Node's inspector is open: then other programs of this user can read keys and what is typed. */
  readonly isInspected: () => boolean;
  /** The resident memory of the process now. */
  readonly memoryBytes: () => number;
}

// Identifies this process among those that share a state folder.

interface ProcessTable {
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

// Opens an address in the user's browser. The address is passed as an argument, never through a shell, because it
// is data.

const openers: Readonly<Record<string, readonly [string, ...string[]]>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
  linux: ['xdg-open'],
};

/** Returns a function that opens an address; undefined on an unknown platform, or without a graphical session. */
export function createBrowserOpener(
  platform: string,
  env: Readonly<Record<string, string | undefined>>,
): ((address: string) => void) | undefined {
  const opener = openers[platform];
  if (!opener) return undefined;
  if (platform === 'linux' && !env.DISPLAY && !env.WAYLAND_DISPLAY) return undefined;
  const [command, ...args] = opener;
  const withoutOurs = withoutOwnVariables(env);
  return (address) => {
    const child = spawn(command, [...args, address], {
      stdio: 'ignore',
      detached: true,
      shell: false,
      env: withoutOurs,
    });
    // The program does not exist. The address is also shown as text.
    child.on('error', () => undefined);
    child.unref();
  };
}

/**
 * The environment for another program: without the variables of this one, which may contain the key, the secret and
 * passwords.
 */
export const withoutOwnVariables = (env: RuntimeEnvironment['env']): Record<string, string | undefined> =>
  Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith('BROKER_')));

/** Ends a program that was started as a group of its own (`detached`), with everything that it started. */
export function endGroup(child: ChildProcess): void {
  child.kill('SIGKILL');
  if (child.pid === undefined || platform === 'win32') return;
  try {
    kill(-child.pid, 'SIGKILL');
  } catch {
    // The group has ended.
  }
}

// Keeps the memory of large work small. By default V8 lets its heap grow to several times of what is in use, because a
// long history leaves a hundred megabytes behind that only a complete collection frees.

/** With less than this on the heap, freeing is not worth the time. */
const fewBytes = 20_000_000;
/** The percentage by which the heap may grow before a collection, once work is large. */
const maxHeapGrowthPercent = 5;

let isBounded = false;

/** From the first large work on, collects garbage earlier. */
export function boundHeapGrowth(): void {
  if (isBounded || getHeapStatistics().used_heap_size < fewBytes) return;
  isBounded = true;
  setFlagsFromString(`--heap-growing-percent=${maxHeapGrowthPercent}`);
}
