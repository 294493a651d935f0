/** What a command may touch of the process that runs it; main.ts is the only one that has the process. */
import type { Readable } from 'node:stream';
import type { RuntimeEnvironment } from '../settings/runtime-environment.ts';
import type { ProcessTable } from './process-identity.ts';

export interface ProcessContext extends RuntimeEnvironment {
  /** Standard output: answers for a person or a pipe. In the server mode it belongs to the protocol. */
  readonly print: (line: string) => void;
  /** Standard error: everything that is not an answer. */
  readonly warn: (line: string) => void;
  /** The program that runs: its interpreter and its file, to start itself as a child. */
  readonly self: { readonly command: string; readonly args: readonly string[] };
  /** What runs the program; `uid` is undefined where users have no number (Windows). */
  readonly machine: { readonly node: string; readonly arch: string; readonly uid: number | undefined };
  /** Aborts when the process is asked to end (a signal, or the end of standard input when serving). */
  readonly shutdownSignal: AbortSignal;
  /** This process and those beside it. */
  readonly processes: ProcessTable;
  /** Standard input. */
  readonly input: () => Readable;
  /** Watches standard input for its end, which is how a host ends a server. */
  readonly watchInput: () => void;
  /** Ends the process in a moment, whatever is still on its way: a host waits a few seconds, and then it kills. */
  readonly exitSoon: () => void;
  /** From now on a signal ends the process at once: whoever sends a second one insists. */
  readonly forceExitOnNextSignal: () => void;
  /** Whether Node's inspector is open: then other programs of this user can read keys and what is typed. */
  readonly isInspected: () => boolean;
  /** What the process holds of the machine's memory now. */
  readonly memoryBytes: () => number;
}
