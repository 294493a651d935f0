/** Reads what the owner entered for tax. Each call reads the files again, so that an entry counts without a restart. */
import { join } from 'node:path';
import { UsageError } from '../core/errors.ts';
import type { Environment } from '../core/settings/config.ts';
import { costBasisKey, parseCostEntries, parseReportableIncome } from '../core/settings/tax-entries.ts';
import { explainOwnerFile, readOwnerFile } from './owner-files.ts';
import type { Services } from './registry.ts';

/**
 * `configDir` is the folder of config.json and eri.csv; both files can be absent. Entries for another environment or
 * account are left out; `readAccountId` is called only if an entry names an account. The function that it returns throws
 * a BrokerageError: with the code `not_configured` for a file that it cannot read, or what `readAccountId` throws.
 */
export function createTaxRecords(
  configDir: string,
  {
    environment,
    readAccountId,
  }: {
    readonly environment: Environment;
    /** The id of the account; undefined when the service does not report it. */
    readonly readAccountId: () => Promise<string | undefined>;
  },
): Services['taxRecords'] {
  const [config, eri] = [join(configDir, 'config.json'), join(configDir, 'eri.csv')];
  return async () => {
    const [settings, income] = await Promise.all([readOwnerFile(config), readOwnerFile(eri)]);
    const entries = explainOwnerFile(() =>
      parseCostEntries(settings === undefined ? undefined : parseJson(settings, config), config),
    );
    const reportableIncome = explainOwnerFile(() => parseReportableIncome(income ?? '', eri));
    const own = entries.filter((entry) => (entry.environment ?? environment) === environment);
    const account = own.some((entry) => entry.account !== undefined) ? await readAccountId() : undefined;
    return {
      costs: chooseNarrowest(own.filter((entry) => entry.account === undefined || entry.account === account)),
      reportableIncome,
    };
  };
}

/** One entry per row: that for one account before that for an environment, and this before that for all. */
function chooseNarrowest(entries: ReturnType<typeof parseCostEntries>): ReturnType<typeof parseCostEntries> {
  const countBounds = ({ environment, account }: (typeof entries)[number]) =>
    (environment === undefined ? 0 : 1) + (account === undefined ? 0 : 2);
  const sorted = entries.toSorted((a, b) => countBounds(a) - countBounds(b));
  return [...new Map(sorted.map((entry) => [entry.fillId ?? `${entry.ticker} ${entry.at}`, entry])).values()];
}

function parseJson(text: string, path: string): unknown {
  try {
    return (JSON.parse(text) as Record<string, unknown> | null)?.[costBasisKey];
  } catch {
    // JSON.parse throws for invalid JSON only.
    throw new UsageError(`${path} is not valid JSON.`);
  }
}
