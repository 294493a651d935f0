/** The other side takes longer than any wait: on several accounts at once, because each takes that long. */
import { hang } from '../faults/late.ts';
import { openRig } from '../harness.ts';
import { type Bench, isDone, type Scenario } from '../trial-environment.ts';
import { runCase } from './answers.ts';

const atOnce = 4;
const cases = [hang(true, false), hang(false, false), hang(true, true), hang(false, true)];

async function oneHang(bench: Bench, index: number): Promise<void> {
  const site = await bench.newSite();
  const rig = await openRig(bench.program, site, bench.line);
  try {
    const [server, observer] = await Promise.all([rig.server(), rig.server()]);
    await runCase(rig, cases[index % cases.length] as (typeof cases)[number], { ...bench, site }, { server, observer });
  } finally {
    await rig.dispose();
    await site.close();
  }
}

export const hangs: Scenario = {
  name: 'hangs',
  weight: 8,
  short: 1,
  most: 12,
  waits: true,
  run: async (bench) => {
    const count = bench.short ? 1 : atOnce;
    while (!isDone(bench)) await Promise.all(Array.from({ length: count }, (_, index) => oneHang(bench, index)));
  },
};
