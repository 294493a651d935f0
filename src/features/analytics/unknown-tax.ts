/** Names the dividends whose withheld tax is unknown, and where it can come from. */
import type { Payment } from './dividend-payments.ts';
import { computeDividendTax } from './dividend-tax.ts';
import { listNames } from './list-names.ts';
import { nameDividend } from './skipped-rows.ts';

/** Payments whose tax is unknown. */
export interface UnknownTaxes {
  readonly all: readonly Payment[];
  /** Several payments of a report fit, and their taxes differ. */
  readonly ambiguous: readonly Payment[];
  /** No report that names the tax has been read. */
  readonly unreported: readonly Payment[];
}

/** A payment of a report that does not name its tax is only in `all`, because nothing more can be read. */
export function findUnknownTaxes(payments: readonly Payment[]): UnknownTaxes {
  const unknown = payments.filter(
    ({ row, currency, amount }) => amount !== undefined && computeDividendTax(row, currency).ownWithheld === undefined,
  );
  const ambiguous = unknown.filter(({ row }) => row.withholdingTaxIsAmbiguous);
  const unreported = unknown.filter(
    ({ row }) => !row.fromReport && row.withholdingTax === undefined && !row.withholdingTaxIsAmbiguous,
  );
  return { all: unknown, ambiguous, unreported };
}

/** One sentence per reason. `importer` is what the reader calls or runs to import reports. */
export function describeUnknownTaxes(payments: readonly Payment[], importer: string): string[] {
  const { ambiguous, unreported } = findUnknownTaxes(payments);
  const describe = (what: string, rows: readonly Payment[]) =>
    rows.length > 0 ? [`${what}: ${listNames(rows.map(({ row }) => nameDividend(row)))}.`] : [];
  return [
    ...describe('The tax withheld is unknown where reports have equal payments with other taxes', ambiguous),
    ...describe(`The tax withheld is only in reports, which ${importer} reads`, unreported),
  ];
}
