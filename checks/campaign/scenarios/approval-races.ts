/** Several processes see one approval at the same moment, some are killed, and it expires in the meantime. */
import { approveInTerminal, enrol, shorten, whenItWaits } from '../approver.ts';
import { openRig, type Rig } from '../harness.ts';
import { anyOrder } from '../orders.ts';
import { finishTrial, pause } from '../scenario-run.ts';
import { at, steps } from '../scenario-steps.ts';
import type { Said, ServerProcess } from '../server-process.ts';
import { type Bench, createScenarios, isDone } from '../trial-environment.ts';
import type { Fault } from '../upstream.ts';

const roundsPerRig = 8;
const sizes = [2, 4, 8] as const;
/**
 * A call waits forty seconds for its approval. Most trials are decided long before; but a process that comes to look
 * after the order of the others has expired creates the next one, and waits for that.
 */
const longestAnswerMs = 60_000;
const hastyAnswerMs = 2_500;

const failure: Fault = { name: '503, booked', books: true, play: (scene) => scene.answer({ status: 503 }) };
const slow: Fault = {
  name: 'slow',
  books: true,
  play: async (scene) => {
    await pause(60);
    await scene.answer({ status: 200, body: JSON.stringify(scene.order) });
  },
};
const tooMany: Fault = {
  name: '429',
  books: false,
  play: (scene) => scene.answer({ status: 429, headers: { 'retry-after': '1' } }),
};

type Round = (bench: Bench, rig: Rig, servers: ServerProcess[]) => Promise<void>;

/** All of them make the same call; the person approves once it waits. */
async function race(
  bench: Bench,
  rig: Rig,
  servers: readonly ServerProcess[],
  options: {
    readonly name: string;
    readonly expected?: readonly string[];
    readonly quantity: string;
    readonly livesForMs?: number;
    readonly approveAfterMs?: number;
    readonly started?: () => void;
    readonly ended?: () => Promise<void>;
  },
): Promise<void> {
  const { random } = bench;
  const { quantity } = options;
  const order = anyOrder(random, quantity);
  const calls = servers.map((server) => server.call(order.tool, order.args));
  let intent = await whenItWaits(rig, quantity);
  if (intent && options.livesForMs !== undefined) intent = await shorten(rig, intent, options.livesForMs);
  await pause(options.approveAfterMs ?? 0);
  options.started?.();
  if (intent) await approveInTerminal(rig, intent);
  const late = pause(rig.line.isHasty ? hastyAnswerMs : longestAnswerMs).then(
    (): Said => ({ outcome: 'left', body: {} }),
  );
  const said = await Promise.all(calls.map((call) => Promise.race([call.said, late])));
  await options.ended?.();
  const observer = await rig.server();
  const { name, expected } = options;
  await finishTrial(rig, { quantity, said, observer, name, expected, settleMs: 1_500 });
  await observer.close();
  for (const call of calls) call.cancel();
}

const carriedOn: Round = async (bench, rig, servers) => {
  const quantity = bench.site.newQuantity();
  const fault = bench.random.pick([slow, slow, failure, tooMany]);
  bench.site.upstream.plan(quantity, fault);
  const name = `one approval, ${servers.length} processes, ${fault.name}`;
  // After a refusal for the rate the refused process retries; the others may return before it has.
  const expected = fault === failure ? ['unknown', 'placed'] : ['placed', 'unknown'];
  await race(bench, rig, servers, { name, quantity, expected });
};

const killedOn: Round = async (bench, rig, servers) => {
  const { site, random } = bench;
  const quantity = site.newQuantity();
  const victim = random.below(servers.length);
  const step = random.pick(steps);
  // A moment that does not come in this round must not kill the process that takes its place.
  const chosen = servers[victim];
  const kill = () => chosen?.kill();
  const planned = at(site.upstream, random, { quantity, step, books: true, reads: 3, action: kill });
  const ended = async () => {
    kill();
    await servers[victim]?.ended;
    servers[victim] = await rig.server();
  };
  const name = `one approval, ${servers.length} processes, one killed when ${step}`;
  await race(bench, rig, [...servers], { name, quantity, started: planned.begin, ended });
};

/** The reads between the approval and the order take longer, so that its expiry falls anywhere among them. */
const expiring: Round = async (bench, rig, servers) => {
  const { site, random } = bench;
  const livesForMs = 600 + random.below(600);
  // The short form always lets it expire while the account is read, which is the most sensitive moment.
  const leftMs = bench.short ? 300 : 150 + random.below(900);
  const approveAfterMs = Math.max(0, livesForMs - leftMs);
  site.upstream.readDelayMs = bench.short ? 350 : random.below(250);
  const name = `approved ${livesForMs - approveAfterMs} ms before its end`;
  // `not_sent`: it expired between the commit and the first byte, which a slow machine has time for.
  const expected = ['placed', 'expired', 'unknown', 'pending_approval', 'not_sent'];
  try {
    await race(bench, rig, servers, { name, quantity: site.newQuantity(), livesForMs, approveAfterMs, expected });
  } finally {
    site.upstream.readDelayMs = 0;
  }
};

async function run(bench: Bench, round: Round): Promise<void> {
  for (let size = bench.short ? 0 : bench.random.below(sizes.length); !isDone(bench); size++) {
    const count = bench.short ? 2 : (sizes[size % sizes.length] ?? 2);
    const rig = await openRig(bench.program, bench.site, bench.line, { approval: 'terminal' });
    try {
      await enrol(rig, 'terminal');
      const servers = await Promise.all(Array.from({ length: count }, () => rig.server()));
      for (let rounds = 0; rounds < roundsPerRig && !isDone(bench); rounds++) await round(bench, rig, servers);
    } finally {
      await rig.dispose();
    }
  }
}

const scenario = createScenarios(run);

export const approvalRaces = scenario('one approval, many processes', 160, 2, carriedOn);
export const approvalKills = scenario('killed while carrying on', 100, 2, killedOn);
export const approvalEnds = scenario('approval expiring in a race', 100, 2, expiring);
