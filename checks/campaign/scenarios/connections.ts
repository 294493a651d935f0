/** No connection for the order: refused, or broken before anything was sent. */
import { openRig, type Rig } from '../harness.ts';
import { anyOrder } from '../orders.ts';
import { finishTrial } from '../scenario-run.ts';
import type { ServerProcess } from '../server-process.ts';
import { type Bench, isDone, type Scenario } from '../trial-environment.ts';
import { reset } from '../wire.ts';

const trialsPerRig = 24;

interface Way {
  readonly name: string;
  readonly expected?: readonly string[];
  before(bench: Bench): void;
  after(bench: Bench): Promise<void> | void;
}

/** The reads of the account continue over existing connections. */
const refused: Way = {
  name: 'refused',
  expected: ['not_sent'],
  before: ({ site }) => site.upstream.pause(),
  after: ({ site }) => site.upstream.listen(),
};

/** The connection works again when the order is retried. */
const refusedAtFirst: Way = {
  name: 'refused at first',
  expected: ['placed', 'not_sent'],
  before: ({ site, random }) => {
    site.upstream.pause();
    setTimeout(() => void site.upstream.listen(), random.next() * 60);
  },
  after: () => new Promise((resolve) => setTimeout(resolve, 70)),
};

const resetAtOnce: Way = {
  name: 'reset when it was accepted',
  before: ({ site }) => site.upstream.onNextConnection(0, reset),
  after: () => undefined,
};

/** The other side goes away after the connection was up and before anything was sent. */
const resetSoon: Way = {
  name: 'reset soon after it was accepted',
  before: ({ site, random }) =>
    site.upstream.onNextConnection(0, (socket) => void setTimeout(() => reset(socket), random.next() * 12)),
  after: () => undefined,
};

const closedSoon: Way = {
  name: 'closed soon after it was accepted',
  before: ({ site, random }) =>
    site.upstream.onNextConnection(0, (socket) => void setTimeout(() => socket.end(), random.next() * 12)),
  after: () => undefined,
};

const ways = [refused, resetAtOnce, resetSoon, closedSoon, refusedAtFirst];

async function trial(bench: Bench, rig: Rig, way: Way, server: ServerProcess, observer: ServerProcess): Promise<void> {
  const { site, random } = bench;
  const order = anyOrder(random, site.newQuantity());
  way.before(bench);
  const said = await server.call(order.tool, order.args).said;
  await way.after(bench);
  const { quantity } = order;
  await finishTrial(rig, { quantity, said: [said], observer, expected: way.expected, name: way.name });
}

async function run(bench: Bench): Promise<void> {
  for (let next = bench.random.below(ways.length); !isDone(bench); ) {
    const rig = await openRig(bench.program, bench.site, bench.line);
    try {
      const [server, observer] = await Promise.all([rig.server(), rig.server()]);
      // The reads that the trials reuse.
      await server.call('list_positions', {}).said;
      const first = anyOrder(bench.random, bench.site.newQuantity());
      await server.call(first.tool, first.args).said;
      for (let count = 0; count < trialsPerRig && !isDone(bench); count++, next++)
        await trial(bench, rig, ways[next % ways.length] as Way, server, observer);
    } finally {
      await rig.dispose();
    }
  }
}

export const noConnections: Scenario = { name: 'no connection', weight: 100, short: 6, run };
