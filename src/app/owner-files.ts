/** Reads text files that the owner keeps in the configuration folder. Each call reads them again. */
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { BrokerageError, UsageError } from '../core/errors.ts';
import type { Config } from '../core/settings/config.ts';
import { type MarketFile, parseBenchmark, parseFundHoldings } from '../core/settings/market-files.ts';
import { createDocumentFiles } from '../features/documents/document-files.ts';
import type { MarketFiles } from '../features/history/history-deps.ts';
import { createExportFiles } from '../features/reports/export-files.ts';

const maxBytes = 1_000_000;

/** Undefined when the file does not exist. Throws a BrokerageError with the code `not_configured` for one it cannot read. */
export async function readOwnerFile(path: string): Promise<string | undefined> {
  try {
    if ((await stat(path)).size > maxBytes)
      throw new BrokerageError('not_configured', `${path} is larger than 1 MB.`, 'Remove what is not needed.');
    return await readFile(path, 'utf8');
  } catch (error) {
    if (error instanceof BrokerageError) throw error;
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw new BrokerageError('not_configured', `${path} cannot be read.`, 'Correct its permissions.');
  }
}

/** What `parse` throws about a file, as an error of a tool. */
export function explainOwnerFile<Result>(parse: () => Result): Result {
  try {
    return parse();
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    throw new BrokerageError('not_configured', error.message, 'Correct the file, and call the tool again.');
  }
}

/** The files that this program writes, and those of the owner that it reads. */
export const createFiles = ({ stateDir, configDir }: Pick<Config, 'stateDir' | 'configDir'>) => ({
  exports: createExportFiles(stateDir),
  documents: createDocumentFiles(stateDir),
  marketFiles: createMarketFiles(configDir),
  listMarketFiles: () => listMarketFiles(configDir),
});

/** The benchmark and the lists of funds in `configDir`; every file can be absent. */
export function createMarketFiles(configDir: string): MarketFiles {
  const read = async <Result>(path: string, parse: (text: string, file: string) => Result) => {
    const text = await readOwnerFile(path);
    return text === undefined ? undefined : explainOwnerFile(() => parse(text, path));
  };
  return {
    benchmark: () => read(join(configDir, 'benchmark.csv'), parseBenchmark),
    funds: async (isins) => {
      // An ISIN becomes the name of a file, so its form is checked first.
      const known = [...new Set(isins)].filter((isin) => /^[A-Z]{2}[A-Z0-9]{9}\d$/.test(isin));
      const lists = await Promise.all(
        known.map(async (isin) => {
          const list = await read(join(configDir, 'funds', `${isin}.csv`), parseFundHoldings);
          return list === undefined ? [] : [[isin, list] as const];
        }),
      );
      return new Map(lists.flat());
    },
  };
}

/** Which of them are in the folder. */
async function listMarketFiles(configDir: string): Promise<readonly MarketFile[]> {
  // A folder that is missing has no file, and one that cannot be read is reported where a file of it is used.
  const list = (folder: string) => readdir(join(configDir, folder)).catch((): string[] => []);
  const [files, funds] = await Promise.all([list('.'), list('funds')]);
  return [
    ...(files.includes('benchmark.csv') ? (['benchmark'] as const) : []),
    ...(funds.some((name) => name.endsWith('.csv')) ? (['funds'] as const) : []),
  ];
}
