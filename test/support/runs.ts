import { inject } from 'vitest';

/**
 * How often a test tries a thing: `complete` times, or the given part of it where the slow tests are left out. Models of
 * what may be sent try a quarter there.
 */
export const runs = (complete: number, parts = 8): number =>
  inject('isQuick') ? Math.ceil(complete / parts) : complete;
