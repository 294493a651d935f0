/** The programs for which the account's records can be written, each with its file and how it is read there. */

import type { AccountRecord, FileContext } from './account-records.ts';
import { writeBeancount } from './beancount.ts';
import { isCgtCalcRow, writeCgtCalc } from './cgt-calc.ts';
import type { FileFormatName } from './format-names.ts';
import { isGhostfolioActivity, writeGhostfolio } from './ghostfolio.ts';
import { isBooking, writePortfolioPerformance } from './portfolio-performance.ts';

interface FileFormat {
  /** The name of the program. */
  readonly program: string;
  readonly fileName: string;
  readonly mimeType: string;
  /** How a person gets the file into the program, and what its figures are there. */
  readonly howTo: string;
  readonly write: (records: readonly AccountRecord[], context: FileContext) => string;
  /** Whether the format has a place for a record; all have where undefined. */
  readonly holds?: (record: AccountRecord) => boolean;
}

export const fileFormats: Readonly<Record<FileFormatName, FileFormat>> = {
  portfolio_performance: {
    program: 'Portfolio Performance',
    fileName: 'portfolio-performance.csv',
    mimeType: 'text/csv',
    howTo:
      'Import it with File > Import > CSV files, as Account Transactions, with the comma as delimiter and the point as decimal mark. Value is what moved on the account, charges included.',
    write: writePortfolioPerformance,
    holds: isBooking,
  },
  ghostfolio: {
    program: 'Ghostfolio',
    fileName: 'ghostfolio.json',
    mimeType: 'application/json',
    howTo:
      'Import it in Portfolio > Activities > Import. Securities are found by ISIN; set the balance of the account by hand, because cash is not imported.',
    write: writeGhostfolio,
    holds: isGhostfolioActivity,
  },
  cgt_calc: {
    program: 'cgt-calc',
    fileName: 'cgt-calc.csv',
    mimeType: 'text/csv',
    howTo: 'Run cgt-calc with --raw-file and this file. Prices are before charges, in the currency of the account.',
    write: writeCgtCalc,
    holds: isCgtCalcRow,
  },
  beancount: {
    program: 'beancount',
    fileName: 'account.beancount',
    mimeType: 'text/plain',
    howTo:
      'Check it with bean-check. Shares are held without a cost: the ledger shows quantities and cash, and no gain.',
    write: writeBeancount,
  },
};
