/** Two, four and eight concurrent processes: with the same order, with different ones, and one of them killed. */
import { failure, lostAnswer, slowAnswer } from '../faults/booked.ts';
import { openRig, type Rig } from '../harness.ts';
import { anyOrder, type PlaceCall } from '../orders.ts';
import { countAll, finishTrials } from '../scenario-run.ts';
import { at, steps } from '../scenario-steps.ts';
import type { ServerProcess } from '../server-process.ts';
import { type Bench, createScenarios, isDone } from '../trial-environment.ts';

const roundsPerRig = 12;
const sizes = [2, 4, 8] as const;
const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

type Round = (bench: Bench, rig: Rig, servers: ServerProcess[], observer: ServerProcess) => Promise<void>;

async function run(bench: Bench, round: Round): Promise<void> {
  for (let size = bench.random.below(sizes.length); !isDone(bench); size++) {
    const count = bench.short ? sizes[size % 2] : sizes[size % sizes.length];
    const rig = await openRig(bench.program, bench.site, bench.line);
    try {
      const servers = await Promise.all(Array.from({ length: count ?? 2 }, () => rig.server()));
      const observer = await rig.server();
      for (let rounds = 0; rounds < roundsPerRig && !isDone(bench); rounds++)
        await round(bench, rig, servers, observer);
    } finally {
      await rig.dispose();
    }
  }
}

const callAll = (servers: readonly ServerProcess[], orders: readonly PlaceCall[], spreadMs: number, bench: Bench) =>
  Promise.all(
    servers.map(async (server, index) => {
      const order = orders[index % orders.length] as PlaceCall;
      await pause(bench.random.next() * spreadMs);
      return server.call(order.tool, order.args).said;
    }),
  );

const sameOrder: Round = async (bench, rig, servers, observer) => {
  const { site, random } = bench;
  const order = anyOrder(random, site.newQuantity());
  const fault = random.pick([slowAnswer(0), slowAnswer(20), slowAnswer(80), lostAnswer, failure]);
  site.upstream.plan(order.quantity, fault);
  const said = await callAll(servers, [order], random.pick([0, 0, 30, 120]), bench);
  const { quantity } = order;
  const expected = ['placed', 'unknown'];
  await finishTrials(rig, [{ quantity, said, observer, expected, name: `${servers.length} × ${fault.name}` }]);
};

const differentOrders: Round = async (bench, rig, servers, observer) => {
  const { site, random } = bench;
  const orders = servers.map(() => anyOrder(random, site.newQuantity()));
  for (const { quantity } of orders) site.upstream.plan(quantity, slowAnswer(random.pick([0, 10, 40, 90])));
  const said = await callAll(servers, orders, random.pick([0, 0, 20]), bench);
  const trials = orders.map(({ quantity }, index) => ({
    quantity,

    said: said.slice(index, index + 1),
    observer,
    expected: ['placed'],
    name: `${servers.length} different orders`,
  }));
  await finishTrials(rig, trials);
};

/** The same order or different ones, and one process is killed in a moment of its own. */
const killedRound: Round = async (bench, rig, servers, observer) => {
  const { site, random } = bench;
  const isSame = random.below(2) === 0;
  const orders = isSame
    ? [anyOrder(random, site.newQuantity())]
    : servers.map(() => anyOrder(random, site.newQuantity()));
  const victim = random.below(servers.length);
  const target = orders[victim % orders.length] as PlaceCall;
  const step = random.pick(steps);
  // A moment that does not come in this round must not kill the process that takes its place.
  const chosen = servers[victim];
  const kill = () => chosen?.kill();
  for (const { quantity } of orders) site.upstream.plan(quantity, slowAnswer(30));
  const moment = { quantity: target.quantity, step, books: true, reads: 0, action: kill };
  const planned = at(site.upstream, random, moment);
  const calls = callAll(servers, orders, random.pick([0, 20]), bench);
  planned.begin();
  // Processes with the same call wait long for an order that was abandoned before it was sent.
  const said = await Promise.race([calls, pause(4_000).then(() => undefined)]);
  kill();
  await servers[victim]?.ended;
  servers[victim] = await rig.server();
  const name = `${servers.length} processes, one killed when ${step}`;
  const answers = said ?? orders.map(() => ({ outcome: 'left', body: {} }));
  const trials = orders.map(({ quantity }, index) => ({
    quantity,

    said: isSame ? answers : answers.slice(index, index + 1),
    observer,
    name,
    settleMs: 2_000,
  }));
  await finishTrials(rig, trials);
  // Followers that still wait now see that it was closed.
  if (!said) await calls;
};

/** A wanted second identical order: all processes request it, and there is one. */
const repetition: Round = async (bench, rig, servers) => {
  const { site, random, line } = bench;
  const order = anyOrder(random, site.newQuantity());
  site.upstream.plan(order.quantity, slowAnswer(10), slowAnswer(random.pick([0, 30, 80])));
  const first = await servers[0]?.call(order.tool, order.args).said;
  const args = { ...order.args, repeatOf: first?.body.intentId };
  const said = await callAll(servers, [{ ...order, args }], random.pick([0, 0, 40]), bench);
  const booked = site.upstream.booked(order.quantity).length;
  if (booked !== 2) line.violations.push(`I1: one order and one wanted repetition were booked ${booked} times`);
  for (const { outcome } of said) if (outcome !== 'placed') line.violations.push(`a repetition said ${outcome}`);
  line.violations.push(...rig.takeViolations(), ...site.upstream.takeOverlaps().map((pair) => `I2: ${pair}`));
  countAll(line, said);
  site.upstream.retire();
};

const scenario = createScenarios(run);

export const sameOrderRaces = scenario('the same order at once', 200, 6, sameOrder);
export const differentOrderRaces = scenario('different orders at once', 200, 6, differentOrders);
export const repetitionRaces = scenario('one wanted repetition', 60, 2, repetition);
export const killedRaces = scenario('killed in a race', 150, 4, killedRound);
