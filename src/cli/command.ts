/** The type of a command: words and flags in, an exit code out; and of its entry in the table. */
import type { ProcessContext } from '../core/process/process-context.ts';
import type { Flags } from './parse-command-line.ts';

export type Command = (
  input: { readonly words: readonly string[]; readonly flags: Readonly<Record<string, string>> },
  terminal: ProcessContext,
) => Promise<number>;

/** The parts of the overview of commands. */
export type CommandGroup = 'everyday' | 'live' | 'administration';

export interface CommandEntry {
  readonly group: CommandGroup;
  readonly usage: string;
  readonly meaning: string;
  /** What each does, by its usage. */
  readonly subcommands?: Readonly<Record<string, string>>;
  /** Flags in addition to the common ones. */
  readonly flags?: Flags;
  /** The file of this repository that says more. */
  readonly document: string;
  /** Set when it takes flags alone, so that a mistyped line does not run without what its words ask for. */
  readonly takesNoWords?: true;
  /** Loads the command when it runs, so that a start loads no other command. */
  readonly load: () => Promise<Command>;
}
