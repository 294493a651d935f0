import { inject } from 'vitest';

/** How many random cases a property is tried with: `complete`, or a quarter where the slow tests are left out. */
export const runs = (complete: number): number => (inject('isQuick') ? Math.ceil(complete / 4) : complete);
