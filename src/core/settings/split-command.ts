import { UsageError } from '../errors.ts';

/** A program and its arguments. */
export type CommandLine = readonly [program: string, ...args: string[]];

/**
 * Splits a command into words: a JSON array, or a line split at spaces. Quotes, variables and pipes are not supported,
 * because no shell runs it. Throws a UsageError that names `from`, the source of the text.
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
    // Invalid JSON gets the same error message below.
  }
  throw new UsageError(`${from} starts like a JSON list but is not a list of strings.`);
}
