/** The type of a command: words and flags in, an exit code out. */
import type { ProcessContext } from '../process/process-context.ts';

export type Command = (
  input: { readonly words: readonly string[]; readonly flags: Readonly<Record<string, string>> },
  terminal: ProcessContext,
) => Promise<number>;
