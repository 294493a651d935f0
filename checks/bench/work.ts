/** How long the cases take whose steps the tests count, each at the largest size that a user has. */
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
    // Once to warm up, as a server is after its first question.
    const times = [0, 1, 2, 3].map(() => {
      const from = performance.now();
      work();
      return performance.now() - from;
    });
    return { name, size: full, ms: median(times.slice(1)) };
  });
