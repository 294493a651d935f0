/** A cancellation names its order, so it may be repeated: three times, and the outcome is true. */
import { openRig } from '../harness.ts';
import { anyOrder } from '../orders.ts';
import { countAll } from '../scenario-run.ts';
import { type Bench, isDone, type Scenario } from '../trial-environment.ts';
import type { Upstream } from '../upstream.ts';
import { reset } from '../wire.ts';

type Plan = Upstream['deletePlans'][number];

const lost: Plan = (socket) => reset(socket);
const failed: Plan = (_, write) => write({ status: 502 });
const done: Plan = (_, write) => write({ status: 200 });
const most = 3;

const cases: readonly { readonly plans: readonly Plan[]; readonly outcome: string }[] = [
  { plans: [done], outcome: 'requested' },
  { plans: [lost, done], outcome: 'requested' },
  { plans: [failed, lost, done], outcome: 'requested' },
  { plans: [lost, lost, lost], outcome: 'unknown' },
  { plans: [failed, failed, failed], outcome: 'unknown' },
];

async function run(bench: Bench): Promise<void> {
  const { site, line, random } = bench;
  const rig = await openRig(bench.program, site, line);
  try {
    const server = await rig.server();
    for (let next = 0; !isDone(bench); next++) {
      const { plans, outcome } = cases[next % cases.length] as (typeof cases)[number];
      const order = anyOrder(random, site.newQuantity());
      const placed = await server.call(order.tool, order.args).said;
      const orderId = String(placed.body.orderId);
      site.upstream.deletePlans = [...plans];
      site.upstream.deletes = [];
      const said = await server.call('cancel_order', { orderId }).said;
      const sent = site.upstream.deletes.length;
      if (said.outcome !== outcome) line.violations.push(`cancelling said ${said.outcome} instead of ${outcome}`);
      if (sent > most) line.violations.push(`cancelling was asked for ${sent} times`);
      line.violations.push(...rig.takeViolations());
      countAll(line, [said]);
      site.upstream.deletePlans = [];
      site.upstream.retire();
    }
  } finally {
    await rig.dispose();
  }
}

export const cancelling: Scenario = { name: 'cancelling an order', weight: 20, short: 3, run };
