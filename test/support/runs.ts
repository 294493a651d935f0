import { inject } from 'vitest';

/** How often a test tries a thing: `complete` times, or a quarter of it where the slow tests are left out. */
export const runs = (complete: number): number => (inject('isQuick') ? Math.ceil(complete / 4) : complete);
