/** A server that is killed, or whose input ends, in every moment of an order; then another one is started. */
import { openRig, type Rig } from '../harness.ts';
import { anyOrder } from '../orders.ts';
import { count, finishTrial } from '../scenario-run.ts';
import { at, type Step, steps } from '../scenario-steps.ts';
import type { ServerProcess } from '../server-process.ts';
import { type Bench, isDone, type Scenario } from '../trial-environment.ts';

const trialsPerRig = 8;
/**
 * A limit for hanging: a host waits four seconds after it has closed the input, and the bench measures how long it
 * takes.
 */
const longestGoodbyeMs = 60_000;

async function endingTrial(bench: Bench, rig: Rig, step: Step, end: 'kill' | 'input'): Promise<void> {
  const { site, random } = bench;
  const victim = await rig.server();
  const order = anyOrder(random, site.newQuantity());
  const books = random.below(3) > 0;
  let isEnding = false;
  const action = () => {
    isEnding = true;
    if (end === 'kill') victim.kill();
    else victim.endInput();
  };
  // A new process reads the three parts of the account before it connects for the order.
  const planned = at(site.upstream, random, { quantity: order.quantity, step, books, reads: 3, action });
  const call = victim.call(order.tool, order.args);
  planned.begin();
  const said = await call.said;
  if (!isEnding) action();
  const hangs = setTimeout(() => {
    rig.line.violations.push(`it does not end after its input [${step}]`);
    victim.kill();
  }, longestGoodbyeMs);
  await victim.ended;
  clearTimeout(hangs);
  const name = `${end} when ${step}${books ? ', booked' : ''}`;
  const written = await rig.intents(order.quantity);
  // Where it was cut off: the table shows that every part of the path was reached.
  count(rig.line, `(journal ${written[0]?.state ?? 'empty'})`);
  // Nothing was cut off: the result that was returned must be in the journal when the process is gone.
  const isAnswered = !['connection accepted', 'any time', 'no answer'].includes(step);
  if (end === 'input' && books && isAnswered && !written.some(({ state }) => state === 'PLACED'))
    rig.line.violations.push(`the answer was not written down before the end (${written[0]?.state}) [${name}]`);

  const observer = await rig.server();
  const again = await callAgain(rig, observer, order);
  await finishTrial(rig, { quantity: order.quantity, said: [said], again, observer, name, settleMs: 300 });
  await observer.close();
}

/** A host repeats the call. The wait for an order that was abandoned before it was sent is too long for this trial. */
async function callAgain(rig: Rig, server: ServerProcess, order: ReturnType<typeof anyOrder>) {
  const left = await rig.intents(order.quantity);
  const isSent = left.some(({ state }) => ['SENDING', 'UNKNOWN', 'PLACED'].includes(state));
  return isSent ? [await server.call(order.tool, order.args).said] : [];
}

async function runEnding(bench: Bench, end: 'kill' | 'input', chosen: readonly Step[]): Promise<void> {
  for (let next = bench.random.below(chosen.length); !isDone(bench); ) {
    const rig = await openRig(bench.program, bench.site, bench.line);
    try {
      // In half of the trials another process lives on, and may be the first to detect the death.
      if (bench.random.below(2) === 0) await rig.server();
      for (let trial = 0; trial < trialsPerRig && !isDone(bench); trial++, next++)
        await endingTrial(bench, rig, chosen[next % chosen.length] as Step, end);
    } finally {
      await rig.dispose();
    }
  }
}

const atSteps: readonly Step[] = [...steps.filter((step) => step !== 'any time'), 'no answer'];

export const killsAtSteps: Scenario = {
  name: 'kill -9 at each step',
  weight: 260,
  short: 6,
  run: (bench) => runEnding(bench, 'kill', atSteps),
};

export const killsAtAnyTime: Scenario = {
  name: 'kill -9 at any time',
  weight: 140,
  short: 2,
  run: (bench) => runEnding(bench, 'kill', ['any time']),
};

export const endsOfInput: Scenario = {
  name: 'input closed at each step',
  weight: 90,
  short: 2,
  run: (bench) => runEnding(bench, 'input', bench.short ? steps : [...steps, 'no answer']),
};
