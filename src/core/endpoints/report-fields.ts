/**
 * Fields that only rows of a CSV report have. The interface's JSON histories do not contain them; a row that was
 * imported from a report has them beside the fields of its JSON row.
 */

/** A row of an imported report. */
export interface ReportedRow {
  /** Set on rows of a report; absent on rows of a JSON page. Services can write signs differently in the two. */
  readonly fromReport?: true | undefined;
}

/**
 * The tax that was withheld from a dividend, from the columns `Withholding tax` and its currency. A row of a page has it
 * when a report has the same payment.
 */
export interface ReportedWithholding {
  /** Decimal text, positive. `0` when nothing was withheld; undefined when the report does not say. */
  readonly withholdingTax?: string | undefined;
  /** ISO 4217, or GBX for pence: usually the instrument's currency. Undefined when the report does not say. */
  readonly withholdingTaxCurrency?: string | undefined;
  /** Set on a row of a page that fits several rows of reports, whose taxes differ: its tax is unknown. */
  readonly withholdingTaxIsAmbiguous?: true | undefined;
}
