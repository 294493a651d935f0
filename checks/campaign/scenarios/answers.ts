/** The other side responds in every wrong way; the servers live on from trial to trial. */
import { bodyCases } from '../faults/bodies.ts';
import type { Case } from '../faults/case.ts';
import { rateCases } from '../faults/rate.ts';
import { resetCases } from '../faults/resets.ts';
import { errorBodies, redirectCases, statusCases } from '../faults/statuses.ts';
import { openRig, type Rig } from '../harness.ts';
import { anyOrder } from '../orders.ts';
import { finishTrial } from '../scenario-run.ts';
import type { ServerProcess } from '../server-process.ts';
import { type Bench, createScenarios, isDone, type Scenario } from '../trial-environment.ts';

/** Reads of the account stay fresh for half a minute, and the journal stays short. */
const trialsPerRig = 40;

export async function runCase(
  rig: Rig,
  chosen: Case,
  bench: Bench,
  servers: { readonly server: ServerProcess; readonly observer: ServerProcess },
): Promise<void> {
  const { site, random } = bench;
  const { server, observer } = servers;
  const order = anyOrder(random, site.newQuantity());
  site.upstream.plan(order.quantity, ...chosen.faults);
  const said = await server.call(order.tool, order.args).said;
  // A host that lost the stream repeats the same call; only an order with a final outcome may be placed again.
  const isOpen = said.outcome === 'placed' || said.outcome === 'unknown';
  const again = isOpen && random.below(3) === 0 ? [await server.call(order.tool, order.args).said] : [];
  await finishTrial(rig, {
    quantity: order.quantity,

    said: [said],
    again,
    observer,
    expected: chosen.expected,
    name: chosen.name,
  });
}

/** Every case in turn, from any start, until there are enough trials. */
async function runCases(bench: Bench, cases: readonly Case[]): Promise<void> {
  const from = bench.random.below(cases.length);
  for (let next = 0; !isDone(bench); ) {
    const rig = await openRig(bench.program, bench.site, bench.line);
    try {
      const [server, observer] = await Promise.all([rig.server(), rig.server()]);
      for (let trial = 0; trial < trialsPerRig && !isDone(bench); trial++, next++)
        await runCase(rig, cases[(from + next) % cases.length] as Case, bench, { server, observer });
    } finally {
      await rig.dispose();
    }
  }
}

const scenario = createScenarios((bench, cases: (bench: Bench) => Case[]) => runCases(bench, cases(bench)));

const shuffled = (cases: Case[], { random }: Bench) =>
  cases
    .map((one) => ({ one, at: random.next() }))
    .sort((a, b) => a.at - b.at)
    .map(({ one }) => one);

/** Each of them, with the order booked and not. */
const statusCount = statusCases(() => '').length;

export const statuses: Scenario = {
  ...scenario('every status', 600, 12, (bench) =>
    shuffled(
      statusCases(() => bench.random.pick(errorBodies)),
      bench,
    ),
  ),
  least: statusCount,
};
export const redirects = scenario('redirect bait', 60, 5, redirectCases);
export const refusalsForRate = scenario('refused for the rate', 24, 2, rateCases);
export const resets = scenario('broken connections', 150, 8, (bench) => shuffled(resetCases(), bench));
export const bodies = scenario('strange bodies', 200, 8, (bench) => shuffled(bodyCases(), bench));
