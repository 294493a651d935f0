/** Several processes and another program share the rate limit of an account; the service must never refuse for it. */
import { openRig } from '../harness.ts';
import { createOrderRate } from '../order-rate.ts';
import { count } from '../scenario-run.ts';
import { type Bench, isDone, type Scenario } from '../trial-environment.ts';

const processes = 3;
/** Requests of one process. */
const each = 2;
const limit = { requests: 4, periodMs: 3_000 };

/** `others`: how many requests of another program the service has counted. `isRefused`: the first one is refused. */
const ways = [
  { name: 'many processes', others: 0, isRefused: false },
  { name: 'another program', others: 3, isRefused: false },
  { name: 'refused once', others: 0, isRefused: true },
];

async function trial(bench: Bench, { name, others, isRefused }: (typeof ways)[number]): Promise<void> {
  const { site, line } = bench;
  const { upstream } = site;
  const rig = await openRig(bench.program, site, line);
  try {
    const servers = await Promise.all(Array.from({ length: processes }, () => rig.server()));
    let lastId = 0;
    const read = async (server: (typeof servers)[number]) => {
      const said = await server.call('get_order', { orderId: String(++lastId) }).said;
      count(line, said.outcome);
      if (said.outcome !== 'read') line.violations.push(`a read came to ${said.outcome} [${name}]`);
    };
    const rate = createOrderRate({ ...limit, others, isRefused });
    upstream.orderRate = rate;
    // The first response shows the limit to all of them.
    await Promise.all(servers.slice(0, 1).map(read));
    await Promise.all(
      Array.from({ length: processes * each }, (_, number) =>
        read(servers[number % processes] as (typeof servers)[number]),
      ),
    );
    for (const broken of rate.broken()) line.violations.push(`rate: ${broken} [${name}]`);
    line.trials++;
  } finally {
    upstream.orderRate = undefined;
    await rig.dispose();
  }
}

export const sharedRates: Scenario = {
  name: 'one rate limit for all',
  weight: 10,
  short: ways.length,
  most: 40,
  waits: true,
  run: async (bench) => {
    for (let next = 0; !isDone(bench); next++) await trial(bench, ways[next % ways.length] as (typeof ways)[number]);
  },
};
