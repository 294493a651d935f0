/** I5: an order with an unknown outcome counts as placed in the limits, and two of them stop every order. */
import { answerWith } from '../faults/case.ts';
import { openRig, type Rig } from '../harness.ts';
import { finishTrials } from '../scenario-run.ts';
import type { Said, ServerProcess } from '../server-process.ts';
import { type Bench, isDone, type Scenario } from '../trial-environment.ts';
import type { Fault } from '../upstream.ts';

const lost = answerWith('503', false, () => ({ status: 503 }));
const rejected = answerWith('400', false, () => ({ status: 400 }));
const fine: Fault = {
  name: 'placed',
  books: true,
  play: (scene) => scene.answer({ status: 200, body: JSON.stringify(scene.order) }),
};

/** Each order is worth about 102,000 with its margin; two of them are over the day's limit. */
const BROKER_MAX_DAY_VALUE = '150000';

async function day(bench: Bench, first: Fault, expected: readonly [string, string], rule?: string): Promise<void> {
  const rig = await openRig(bench.program, bench.site, bench.line, { env: { BROKER_MAX_DAY_VALUE } });
  try {
    const [server, observer] = await Promise.all([rig.server(), rig.server()]);
    await sequence(bench, rig, server, observer, [
      { ticker: 'ALPHA_US_EQ', fault: first, expected: expected[0] },
      { ticker: 'BRAVO_US_EQ', fault: fine, expected: expected[1], rule },
    ]);
  } finally {
    await rig.dispose();
  }
}

async function two(bench: Bench): Promise<void> {
  const rig = await openRig(bench.program, bench.site, bench.line);
  try {
    const [server, observer] = await Promise.all([rig.server(), rig.server()]);
    await sequence(bench, rig, server, observer, [
      { ticker: 'ALPHA_US_EQ', fault: lost, expected: 'unknown' },
      { ticker: 'ALPHA_US_EQ', fault: fine, expected: 'refused', rule: 'open_unknown' },
      { ticker: 'BRAVO_US_EQ', fault: lost, expected: 'unknown' },
      { ticker: 'CARGO_US_EQ', fault: fine, expected: 'refused', rule: 'open_unknown' },
    ]);
  } finally {
    await rig.dispose();
  }
}

interface Part {
  readonly ticker: string;
  readonly fault: Fault;
  readonly expected: string;
  readonly rule?: string | undefined;
}

/** One after the other; nothing is cleaned up before the last. */
async function sequence(
  bench: Bench,
  rig: Rig,
  server: ServerProcess,
  observer: ServerProcess,
  parts: readonly Part[],
) {
  const { site, line } = bench;
  const trials = [];
  for (const { ticker, fault, expected, rule } of parts) {
    // Far from all others: slightly more than ten thousand shares.
    const quantity = String(10_000 + Number(site.newQuantity()));
    site.upstream.plan(quantity, fault);
    const args = { ticker, side: 'BUY', quantity, limitPrice: 10, timeValidity: 'DAY' };
    const said: Said = await server.call('place_limit_order', args).said;
    if (rule !== undefined && said.body.rule !== rule)
      line.violations.push(
        `I5: the rule was ${String(said.body.rule)} instead of ${rule} [after ${parts[0]?.fault.name}]`,
      );
    trials.push({
      quantity,

      said: [said],
      observer,
      expected: [expected],
      name: `I5 after ${parts[0]?.fault.name}`,
    });
  }
  await finishTrials(rig, trials);
}

export const unknownCounts: Scenario = {
  name: 'unknown counts in limits',
  weight: 16,
  short: 4,
  run: async (bench) => {
    const ways = [
      () => day(bench, lost, ['unknown', 'refused'], 'max_day_value'),
      () => two(bench),
      () => day(bench, rejected, ['rejected', 'placed']),
    ];
    for (let next = 0; !isDone(bench); next++) await ways[next % ways.length]?.();
  },
};
