/** How long the cases take whose steps the tests count, each at the largest size of a user. */
import { cases } from '../../test/work/cases.ts';
import { median } from './median.ts';

export interface WorkFigure {
  readonly name: string;
  readonly size: number;
  readonly ms: number;
}

export const measureWork = (): WorkFigure[] =>
  Object.entries(cases).map(([name, { full, prepare }]) => {
    const work = prepare(full);
    // One warm-up run, as in a server after its first call.
    const times = [0, 1, 2, 3].map(() => {
      const from = performance.now();
      work();
      return performance.now() - from;
    });
    return { name, size: full, ms: median(times.slice(1)) };
  });
