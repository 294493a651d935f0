/** Trials that wait for other processes most of the time run side by side, each lane with an account of its own. */
import type { Site } from './fixture.ts';
import { type Bench, isDone } from './trial-environment.ts';

const lanes = 3;

/** Runs trials from the index `first` on until enough are done. */
export async function runInLanes(
  bench: Bench,
  first: number,
  trial: (bench: Bench, site: Site, index: number) => Promise<void>,
): Promise<void> {
  let [index, begun] = [first, bench.line.trials];
  const run = async (site: Site) => {
    while (begun < bench.trials && !isDone(bench)) {
      begun++;
      await trial(bench, site, index++);
    }
  };
  const wanted = bench.short ? 1 : Math.min(lanes, bench.trials);
  const own: Site[] = [];
  try {
    while (own.length < wanted - 1) own.push(await bench.newSite());
    await Promise.all([bench.site, ...own].map(run));
  } finally {
    for (const site of own) await site.close();
  }
}
