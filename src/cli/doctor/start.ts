import type { Command } from '../main.ts';
import { exitCodeOf, jsonReport, plainLines } from './report.ts';

/**
 * The doctor is in the second file of the program. When that one is missing or cut off, nothing but the
 * listing of the tools works, and this half can still say so.
 */
export const startDoctor: Command = async (input, terminal) => {
  const work = await import('../work.ts').catch((error: Error) => error);
  if (!(work instanceof Error)) return work.doctorCommand(input, terminal);
  const lines = [
    {
      check: 'program',
      level: 'fault' as const,
      says: `The second file of the program, work.cjs, cannot be loaded (${work.name}): it is missing, cut off or of another version.`,
      mend: 'Install brokerage-mcp anew; in a checkout run: npm ci && npm run build',
    },
  ];
  if (input.flags.json === 'true') terminal.print(jsonReport(lines));
  else for (const line of lines) for (const text of plainLines(line, 10)) terminal.print(text);
  return exitCodeOf(lines);
};
