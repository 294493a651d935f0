/** I6: exactly one write of an order fails, each in turn: the transition to a state that the store refuses. */
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { answerWith, asText } from '../faults/case.ts';
import { openRig } from '../harness.ts';
import { anyOrder } from '../orders.ts';
import { finishTrial } from '../scenario-run.ts';
import { type Bench, isDone, type Scenario } from '../trial-environment.ts';
import type { Fault } from '../upstream.ts';

interface Failing {
  readonly state: string;
  readonly fault: Fault;
  readonly expected: readonly string[];
}

const fine = answerWith('placed', true, (scene) => ({ status: 200, body: asText(scene) }));
const failure = answerWith('503', true, () => ({ status: 503 }));
const rejection = answerWith('400', false, () => ({ status: 400 }));
/** An unexpected failure: the program reports an internal error, and no order was sent. */
const before = ['refused', 'not_sent'];

const failings: readonly Failing[] = [
  { state: 'SENDING', fault: fine, expected: before },
  { state: 'PLACED', fault: fine, expected: ['placed'] },
  { state: 'APPROVED', fault: fine, expected: before },
  { state: 'UNKNOWN', fault: failure, expected: ['unknown'] },
  { state: 'REJECTED', fault: rejection, expected: ['rejected'] },
];

async function trial(bench: Bench, { state, fault, expected }: Failing): Promise<void> {
  const { site, random, line } = bench;
  const rig = await openRig(bench.program, site, line);
  const other = new DatabaseSync(join(rig.stateDir, 'store.sqlite'));
  try {
    other.exec('PRAGMA busy_timeout = 3000');
    const server = await rig.server();
    const order = anyOrder(random, site.newQuantity());
    const { quantity } = order;
    site.upstream.plan(quantity, fault);
    other.exec(`CREATE TRIGGER campaign BEFORE UPDATE ON intents WHEN NEW.state = '${state}'
      BEGIN SELECT RAISE(ABORT, 'campaign'); END`);
    const said = await server.call(order.tool, order.args).said;
    other.exec('DROP TRIGGER campaign');
    // A living sender is assumed to have the response for half a minute.
    await server.close();
    const observer = await rig.server();
    const name = `no step to ${state}`;
    await finishTrial(rig, { quantity, said: [said], observer, expected, name, settleMs: 500 });
  } finally {
    other.close();
    await rig.dispose();
  }
}

export const failingWrites: Scenario = {
  name: 'one write fails',
  weight: 30,
  short: 3,
  ofFiles: true,
  run: async (bench) => {
    for (let next = 0; !isDone(bench); next++) await trial(bench, failings[next % failings.length] as Failing);
  },
};
