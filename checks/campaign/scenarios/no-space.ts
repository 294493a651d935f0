/** I6: there is no space left, from any moment on. */
import { copyFileSync, mkdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { mountSmallDisk } from '../full-disk.ts';
import { openRig } from '../harness.ts';
import { anyOrder } from '../orders.ts';
import { finishTrial } from '../scenario-run.ts';
import { at } from '../scenario-steps.ts';
import { type Bench, isDone, type Scenario, skip } from '../trial-environment.ts';

/** A process that may write no file beyond this many KiB: its disk is full at any point of an order. */
async function withFileLimit(bench: Bench): Promise<void> {
  const { site, random, line } = bench;
  while (!isDone(bench)) {
    const rig = await openRig(bench.program, site, line);
    try {
      const observer = await rig.server();
      // The log of the database begins with what the observer has written to it.
      const first = anyOrder(random, site.newQuantity());
      await observer.call(first.tool, first.args).said;
      for (let trial = 0; trial < 8 && !isDone(bench); trial++) {
        const written = statSync(join(rig.stateDir, 'store.sqlite-wal')).size / 1024;
        const limit = random.below(10) === 0 ? random.below(40) : Math.floor(written + random.next() * 330);
        const shell = `trap '' XFSZ; ulimit -f ${limit}; exec "$@"`;
        const server = await rig.server({ shell });
        const order = anyOrder(random, site.newQuantity());
        const said = await server.call(order.tool, order.args).said;
        await server.close();
        const { quantity } = order;
        await finishTrial(rig, {
          quantity,

          said: [said],
          observer,
          name: `files of ${limit} KiB`,
          settleMs: 500,
        });
      }
    } finally {
      await rig.dispose();
    }
  }
}

export const fileLimits: Scenario = {
  name: 'no space (file limit)',
  weight: 60,
  short: 2,
  ofFiles: true,
  run: withFileLimit,
};

const fillSteps = ['before', 'connection accepted', 'request read', 'half an answer', 'any time'] as const;

async function withFullDisk(bench: Bench): Promise<void> {
  const { site, random, line } = bench;
  const disk = await mountSmallDisk();
  if (!disk) return skip(bench, 'no tmpfs may be mounted');
  try {
    for (let next = random.below(fillSteps.length); !isDone(bench); ) {
      const stateDir = join(disk.folder, `state-${next}`);
      mkdirSync(stateDir, { mode: 0o700 });
      const seeded = await site.newStateDir();
      copyFileSync(join(seeded, 'store.sqlite'), join(stateDir, 'store.sqlite'));
      const rig = await openRig(bench.program, site, line, { stateDir });
      try {
        const observer = await rig.server();
        await observer.call('get_account_summary', {}).said;
        for (let trial = 0; trial < 6 && !isDone(bench); trial++, next++) {
          const step = fillSteps[next % fillSteps.length] as (typeof fillSteps)[number];
          const server = await rig.server();
          const order = anyOrder(random, site.newQuantity());
          const moment = { quantity: order.quantity, books: true, reads: 3 };
          if (step === 'before') disk.fill();
          const planned =
            step === 'before' ? undefined : at(site.upstream, random, { ...moment, step, action: () => disk.fill() });
          const call = server.call(order.tool, order.args);
          planned?.begin();
          const said = await call.said;
          disk.free();
          await server.close();
          disk.free();
          const { quantity } = order;
          await finishTrial(rig, {
            quantity,

            said: [said],
            observer,
            name: `full when ${step}`,
            settleMs: 500,
          });
        }
      } finally {
        disk.free();
        await rig.dispose();
        rmSync(seeded, { recursive: true, force: true });
      }
    }
  } finally {
    await disk.close();
  }
}

export const fullDisks: Scenario = {
  name: 'no space (full disk)',
  weight: 60,
  short: 2,
  ofFiles: true,
  run: withFullDisk,
};
