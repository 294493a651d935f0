import { UsageError } from '../errors.ts';

/** A program and its arguments. */
export type CommandLine = readonly [program: string, ...args: string[]];

/**
 * A command as words: a JSON list, or a line that is split at its spaces. No quotes, variables or pipes: it
 * is not run by a shell. Throws a UsageError that names `from`, where it was given.
 */
export function parseCommand(text: string, from: string): CommandLine {
  const [program, ...args] = text.trimStart().startsWith('[') ? parseList(text, from) : text.trim().split(/\s+/);
  if (!program) throw new UsageError(`${from} is empty`, { next: 'it must be a program and its arguments.' });
  if (!text.trimStart().startsWith('[') && /["'`$|;&<>]/.test(text)) {
    throw new UsageError(`${from} is not run by a shell, so quotes, variables and pipes have no effect`, {
      next: 'use a JSON list of strings instead.',
    });
  }
  return [program, ...args];
}

function parseList(text: string, from: string): string[] {
  try {
    const parsed: unknown = JSON.parse(text);
    if (Array.isArray(parsed) && parsed.every((word) => typeof word === 'string')) return parsed;
  } catch {
    // The same sentence says what is wrong.
  }
  throw new UsageError(`${from} starts like a JSON list but is not a list of strings.`);
}
