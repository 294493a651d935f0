/** The caller cancels in every moment of its call. Before the commit this stops the order; after it nothing does. */
import { openRig } from '../harness.ts';
import { anyOrder } from '../orders.ts';
import { finishTrial } from '../scenario-run.ts';
import { at, type Step, steps } from '../scenario-steps.ts';
import { type Bench, isDone, type Scenario } from '../trial-environment.ts';

const trialsPerRig = 30;

async function run(bench: Bench): Promise<void> {
  const { site, random } = bench;
  for (let next = random.below(steps.length); !isDone(bench); ) {
    const rig = await openRig(bench.program, site, bench.line);
    try {
      const [server, observer] = await Promise.all([rig.server(), rig.server()]);
      for (let trial = 0; trial < trialsPerRig && !isDone(bench); trial++, next++) {
        const step = steps[next % steps.length] as Step;
        const order = anyOrder(random, site.newQuantity());
        const books = random.below(3) > 0;
        let giveUp = (): void => undefined;
        // The first call of a process reads the account; the others reuse what was read.
        const reads = trial === 0 ? 3 : 0;
        const moment = { quantity: order.quantity, step, books, reads, action: () => giveUp() };
        const planned = at(site.upstream, random, moment);
        const call = server.call(order.tool, order.args);
        giveUp = call.cancel;
        planned.begin();
        const said = await call.said;
        await finishTrial(rig, {
          quantity: order.quantity,

          said: [said],
          observer,
          name: `cancelled when ${step}${books ? ', booked' : ''}`,
          settleMs: 3_000,
        });
      }
    } finally {
      await rig.dispose();
    }
  }
}

export const cancels: Scenario = { name: 'cancelled at each step', weight: 130, short: 8, run };
