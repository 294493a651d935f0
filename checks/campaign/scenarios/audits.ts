/** Someone changes the audit trail of a store: `status` must report it. */
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { runCommand } from '../command.ts';
import { openRig } from '../harness.ts';
import { anyOrder } from '../orders.ts';
import { count } from '../scenario-run.ts';
import { type Bench, isDone, type Scenario } from '../trial-environment.ts';

type Database = InstanceType<typeof DatabaseSync>;

interface Row {
  readonly seq: number;
  readonly at: number;
  readonly environment: string;
  readonly kind: string;
  readonly data: string;
  readonly previous: string;
}

/** A record that fits itself, and no longer the one after it. */
function rewrite(db: Database): void {
  const row = db.prepare('SELECT * FROM audit ORDER BY seq DESC LIMIT 1 OFFSET 2').get() as unknown as Row;
  const data = JSON.stringify({ ...(JSON.parse(row.data) as object), reason: 'nothing happened' });
  const parts = [row.seq, row.at, row.environment, row.kind, data, row.previous];
  const hash = createHash('sha256').update(JSON.stringify(parts)).digest('hex');
  db.prepare('UPDATE audit SET data = ?, hash = ? WHERE seq = ?').run(data, hash, row.seq);
}

const changes: Readonly<Record<string, (db: Database) => void>> = {
  'a record is rewritten with its hash': rewrite,
  'the end is cut off': (db) => db.exec('DELETE FROM audit WHERE seq > (SELECT max(seq) - 2 FROM audit)'),
  'a record is changed': (db) => db.exec("UPDATE audit SET kind = 'note' WHERE seq = (SELECT max(seq) - 2 FROM audit)"),
  'a record is removed': (db) => db.exec('DELETE FROM audit WHERE seq = (SELECT max(seq) - 2 FROM audit)'),
  'a time is changed': (db) => db.exec('UPDATE audit SET at = at + 1000 WHERE seq = (SELECT max(seq) - 2 FROM audit)'),
};

async function trial(bench: Bench, name: string): Promise<void> {
  const { program, site, random, line } = bench;
  const rig = await openRig(program, site, line);
  try {
    const server = await rig.server();
    const order = anyOrder(random, site.newQuantity());
    await server.call(order.tool, order.args).said;
    await server.close();
    const before = await runCommand(program, rig, 'status', '--json');
    if (before.code !== 0) line.violations.push(`an untouched audit trail: ${before.output.slice(0, 200)} [${name}]`);
    const db = new DatabaseSync(join(rig.stateDir, 'store.sqlite'));
    db.exec('DROP TRIGGER audit_is_not_changed; DROP TRIGGER audit_is_not_deleted');
    changes[name]?.(db);
    db.close();
    const { code, output } = await runCommand(program, rig, 'status', '--json');
    if (code !== 1 || !output.includes('"holds": false'))
      line.violations.push(`the audit trail is said to hold although ${name}`);
    count(line, `(${name})`);
    line.trials++;
  } finally {
    site.upstream.retire();
    await rig.dispose();
  }
}

export const auditTrails: Scenario = {
  name: 'the audit trail is changed',
  weight: 8,
  short: 2,
  most: 30,
  ofFiles: true,
  run: async (bench) => {
    const names = Object.keys(changes);
    for (let next = 0; !isDone(bench); next++) await trial(bench, names[next % names.length] ?? '');
  },
};
