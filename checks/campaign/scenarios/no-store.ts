/** I6: without a store no order is sent. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openRig } from '../harness.ts';
import { anyOrder } from '../orders.ts';
import { countAll } from '../scenario-run.ts';
import { type Bench, isDone, type Scenario } from '../trial-environment.ts';

/**
 * There is no store at all, each time for another reason. Root may write where modes forbid it, so no case uses modes.
 */
const obstacles: readonly ((place: string) => string)[] = [
  (place) => {
    const path = join(place, 'a-file');
    writeFileSync(path, '');
    return path;
  },
  (place) => {
    mkdirSync(join(place, 'store.sqlite'));
    return place;
  },
  (place) => {
    writeFileSync(
      join(place, 'store.sqlite'),
      'this is no database, and long enough to be looked at as one. '.repeat(100),
    );
    return place;
  },
  (place) => {
    writeFileSync(join(place, 'a-file'), '');
    return join(place, 'a-file', 'below');
  },
];

async function withoutStore(bench: Bench): Promise<void> {
  const { site, line, random, short } = bench;
  const { upstream } = site;
  for (let next = 0; !isDone(bench); next++) {
    const place = mkdtempSync(join(tmpdir(), 'brokerage-mcp-campaign-nostore-'));
    const stateDir = obstacles[next % obstacles.length]?.(place) ?? place;
    const rig = await openRig(bench.program, site, line, { stateDir, storeless: true });
    try {
      const server = await rig.server();
      // Twice: after the first failure the program continues with its records in memory.
      for (let call = 0; call < (short ? 1 : 2) && !isDone(bench); call++) {
        const order = anyOrder(random, site.newQuantity());
        const said = await server.call(order.tool, order.args).said;
        line.violations.push(...rig.takeViolations());
        if (said.outcome !== 'refused' && said.outcome !== 'error:store_unavailable')
          line.violations.push(`I6: without a store it said ${said.outcome} [obstacle ${next % obstacles.length}]`);
        if (upstream.booked(order.quantity).length > 0) line.violations.push('I6: an order was booked without a store');
        countAll(line, [said]);
        upstream.retire();
      }
    } finally {
      await rig.dispose();
      rmSync(place, { recursive: true, force: true });
    }
  }
}

export const noStore: Scenario = { name: 'no store', weight: 16, short: 2, ofFiles: true, run: withoutStore };
