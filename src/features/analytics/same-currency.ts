/**
 * Whether an amount may be added to amounts in `other`. A row without a currency is in the account's
 * (docs/interface.md, Fields and shapes).
 */
export const isSameCurrency = (one: string | undefined, other: string | undefined): boolean =>
  one === undefined || other === undefined || one === other;
