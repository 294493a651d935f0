import { resolve } from 'node:path';
import { version } from '../../core/process/version.ts';
import { describeBinding } from '../../core/store/sqlite/binding.ts';
import type { DoctorContext } from './context.ts';
import { type Finding, fault, ok } from './finding.ts';

/**
 * Reports the version of the program, and checks that a usable SQLite is installed. That this code runs proves
 * that the program loads.
 */
export async function checkProgram({ terminal }: DoctorContext): Promise<readonly Finding[]> {
  const { from, version: sqlite, why } = await describeBinding();
  const [file = 'unknown'] = terminal.self.args;
  return [
    ok(`brokerage-mcp ${version}, ${resolve(file)}, loads correctly.`),
    sqlite
      ? ok(`SQLite ${sqlite} from ${from}.`)
      : fault(
          `No usable SQLite was found (${why}): orders are refused, and nothing is stored.`,
          'Install it with its optional package: npm install @photostructure/sqlite in the folder of the program (in a checkout: npm ci --include=optional).',
        ),
  ];
}
