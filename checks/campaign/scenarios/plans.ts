/** A recurring plan is due. A process that drafts it is suspended on the way, and others draft what is due. */
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { tickers } from '../account.ts';
import { type Ran, type Running, runCommand, startCommand } from '../command.ts';
import { openRig } from '../harness.ts';
import { count, pause } from '../scenario-run.ts';
import { type Bench, isDone, type Scenario } from '../trial-environment.ts';

const weekMs = 7 * 86_400_000;

type Database = InstanceType<typeof DatabaseSync>;

interface KeptPlan {
  readonly createdAt: number;
}

/** Two weeks older, so that a week of it is due. */
function makeOlder(db: Database): void {
  const row = db.prepare("SELECT name, value FROM records WHERE space = 'recurring-plans'").get();
  const { name, value } = row as { name: string; value: string };
  const plans = (JSON.parse(value) as KeptPlan[]).map((plan) => ({ ...plan, createdAt: plan.createdAt - 2 * weekMs }));
  db.prepare("UPDATE records SET value = ? WHERE space = 'recurring-plans' AND name = ?").run(
    JSON.stringify(plans),
    name,
  );
}

/** Resolves when the process has begun to draft the plan; false when it ended before that was seen. */
async function whenClaimed(db: Database, { ended }: Running): Promise<boolean> {
  let isOver = false;
  void ended.then(() => {
    isOver = true;
  });
  const claimed = db.prepare(
    "SELECT 1 FROM records WHERE space = 'recurring-plans' AND value LIKE '%\"claim\":{%' AND value NOT LIKE '%\"draftId\"%'",
  );
  for (; !isOver; await pause(1)) if (claimed.get()) return true;
  return false;
}

async function trial(bench: Bench): Promise<void> {
  const { program, site, random, line } = bench;
  const rig = await openRig(program, site, line);
  const db = new DatabaseSync(join(rig.stateDir, 'store.sqlite'));
  try {
    db.exec('PRAGMA busy_timeout = 3000');
    const targets = [{ ticker: random.pick(tickers), weightPercent: 100 }];
    const question = JSON.stringify({ goal: 'invest', amount: 500, targets });
    const expectDone = ({ code, output }: Ran) => {
      if (code !== 0) line.violations.push(`plans ended with ${code}: ${output.slice(0, 300)}`);
    };
    const run = async (...words: string[]) => expectDone(await runCommand(program, rig, 'plans', ...words));
    await run('add', 'savings', question, '--every', 'week', '--day', 'monday');
    makeOlder(db);
    const sleeper = startCommand(program, rig, 'plans', 'due');
    const isSeen = await whenClaimed(db, sleeper);
    sleeper.signal('SIGSTOP');
    await run('due');
    sleeper.signal('SIGCONT');
    expectDone(await sleeper.ended);
    await run('due');
    count(line, isSeen ? '(suspended on the way)' : '(not suspended)');
    const { drafts } = db.prepare('SELECT count(*) AS drafts FROM drafts').get() as { drafts: number };
    if (drafts !== 1) line.violations.push(`one period of a plan became ${drafts} drafts`);
    count(line, 'drafts', drafts);
    line.trials++;
  } finally {
    db.close();
    await rig.dispose();
  }
}

export const duePlans: Scenario = {
  name: 'a plan is due in many processes',
  weight: 8,
  short: 1,
  most: 30,
  ofFiles: true,
  run: async (bench) => {
    while (!isDone(bench)) await trial(bench);
  },
};
