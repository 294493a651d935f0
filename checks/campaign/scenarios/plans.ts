/** A recurring plan is due, and several processes draft what is due at the same moment, and another later. */
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { tickers } from '../account.ts';
import { runCommand } from '../command.ts';
import { openRig } from '../harness.ts';
import { count } from '../scenario-run.ts';
import { type Bench, isDone, type Scenario } from '../trial-environment.ts';

const atOnce = 3;
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

async function trial(bench: Bench): Promise<void> {
  const { program, site, random, line } = bench;
  const rig = await openRig(program, site, line);
  const db = new DatabaseSync(join(rig.stateDir, 'store.sqlite'));
  try {
    db.exec('PRAGMA busy_timeout = 3000');
    const targets = [{ ticker: random.pick(tickers), weightPercent: 100 }];
    const question = JSON.stringify({ goal: 'invest', amount: 500, targets });
    const run = async (...words: string[]) => {
      const { code, output } = await runCommand(program, rig, 'plans', ...words);
      if (code !== 0) line.violations.push(`plans ${words[0]} ended with ${code}: ${output.slice(0, 300)}`);
    };
    await run('add', 'savings', question, '--every', 'week', '--day', 'monday');
    makeOlder(db);
    await Promise.all(Array.from({ length: atOnce }, () => run('due')));
    await run('due');
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
