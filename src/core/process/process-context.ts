/** The parts of the process that commands may use. Only main.ts has access to the process itself. */
import type { Readable } from 'node:stream';
import type { RuntimeEnvironment } from '../settings/runtime-environment.ts';
import type { ProcessTable } from './process-identity.ts';

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
