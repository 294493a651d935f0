/** Whether a number that the store returned can be used. A comparison with one that is not a number is always false. */

export type Check = (value: unknown) => boolean;

export const isTime: Check = (value) => Number.isFinite(value);
export const isCount: Check = (value) => Number.isSafeInteger(value) && Number(value) >= 0;
/** The service can write a number with an exponent. */
export const isDecimal: Check = (value) =>
  typeof value === 'string' && /^-?\d{1,40}(\.\d{1,40})?(e[+-]?\d{1,2})?$/i.test(value);
/** A decimal of 0 or more, as a string. */
export const isAmount: Check = (value) => isDecimal(value) && !String(value).startsWith('-');
/** As an order has it: without exponent, and more than 0. */
export const isOrderNumber: Check = (value) => isAmount(value) && /^[\d.]*[1-9][\d.]*$/.test(String(value));
/** A field that is missing is stored as nothing; a number that was not one is stored as null. */
export const optional =
  (check: Check): Check =>
  (value) =>
    value === undefined || check(value);
