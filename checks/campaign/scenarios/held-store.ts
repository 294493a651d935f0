/** I6: another program holds the store, longer than any wait or shorter, in different moments of an order. */
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { openRig } from '../harness.ts';
import { anyOrder } from '../orders.ts';
import { finishTrial } from '../scenario-run.ts';
import { at, type Step } from '../scenario-steps.ts';
import { type Bench, isDone, type Scenario } from '../trial-environment.ts';

interface Hold {
  readonly step: 'before' | Step;
  readonly ms: number;
  readonly expected: readonly string[];
}

/** Until the call has returned, with any result. */
const untilAnswered = 40_000;

/**
 * The program waits five seconds for another that holds the store, in every part of the order. When its connection is
 * seen here, the decisive transaction may just be over: then the order is placed, and only its response could not be
 * recorded.
 */
const holds: readonly Hold[] = [
  { step: 'connection accepted', ms: 5_800, expected: ['refused', 'placed'] },
  { step: 'request read', ms: 1_200, expected: ['placed'] },
  { step: 'before', ms: untilAnswered, expected: ['refused', 'error:store_unavailable'] },
  { step: 'before', ms: 700, expected: ['placed'] },
  { step: 'request read', ms: 5_800, expected: ['placed'] },
  { step: 'request read', ms: untilAnswered, expected: ['placed'] },
];

async function held(bench: Bench, { step, ms, expected }: Hold): Promise<void> {
  const site = await bench.newSite();
  const rig = await openRig(bench.program, site, bench.line);
  const other = new DatabaseSync(join(rig.stateDir, 'store.sqlite'));
  let timer: NodeJS.Timeout | undefined;
  let isHeld = false;
  const release = () => {
    clearTimeout(timer);
    if (isHeld) other.exec('ROLLBACK');
    isHeld = false;
  };
  const hold = () => {
    try {
      other.exec('PRAGMA busy_timeout = 1000');
      other.exec('BEGIN IMMEDIATE');
    } catch {
      // The program was first, and for long: then nothing interferes with this trial.
      return;
    }
    isHeld = true;
    timer = setTimeout(release, ms);
  };
  try {
    const [server, observer] = await Promise.all([rig.server(), rig.server()]);
    const order = anyOrder(bench.random, site.newQuantity());
    if (step === 'before') hold();
    const moment = {
      quantity: order.quantity,
      step: step === 'before' ? ('answered' as const) : step,
      books: true,
      reads: 3,
    };
    const planned = at(site.upstream, bench.random, { ...moment, action: step === 'before' ? () => undefined : hold });
    const call = server.call(order.tool, order.args);
    planned.begin();
    const said = await call.said;
    release();
    // A living sender is assumed to have the response for half a minute.
    await server.close();
    const { quantity } = order;
    const name = `held for ${ms} ms when ${step}`;
    await finishTrial(rig, { quantity, said: [said], observer, expected, name, settleMs: 4_000 });
  } finally {
    release();
    other.close();
    await rig.dispose();
    await site.close();
  }
}

export const heldStore: Scenario = {
  name: 'store held by another',
  weight: 30,
  short: 2,
  most: 48,
  waits: true,
  ofFiles: true,
  run: async (bench) => {
    const chosen = bench.short ? holds.slice(0, 2) : holds;
    while (!isDone(bench)) await Promise.all(chosen.map((hold) => held(bench, hold)));
  },
};
