import { isDeepStrictEqual } from 'node:util';

/** Whether two values of a file mean the same; the order of an object's members does not matter. */
export const isSameValue = (a: unknown, b: unknown): boolean => isDeepStrictEqual(a, b);
